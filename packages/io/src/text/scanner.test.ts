import { describe, expect, it } from 'vitest';
import { encode } from '../testing/samples.ts';
import { Scanner } from './scanner.ts';

const parse = (text: string) => new Scanner('numbers', encode(text)).number('it');

/** A small generator with a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('decimal numbers', () => {
  it('reads every form', () => {
    const forms = [
      '0',
      '-0',
      '+1',
      '1.',
      '.5',
      '-.5e1',
      '1e5',
      '1E-5',
      '00012.5000',
      '1e+2',
      '0e99999',
      '5e-324',
    ];
    for (const form of forms) expect(Object.is(parse(form), Number(form)), form).toBe(true);
  });

  it('refuses what is not a number', () => {
    for (const form of [
      'nan',
      'inf',
      '1e',
      'e5',
      '.',
      '-',
      '--1',
      '0x10',
      '1_0',
      '1,5',
      '1e999',
      '12abc',
      '1.2.3',
    ]) {
      expect(() => parse(form), form).toThrow(/numbers: line 1: it/);
    }
  });

  it('rounds correctly: Number() agrees for every number of digits', () => {
    const seed = 20240611;
    const next = random(seed);
    const buffer = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < 60_000; i++) {
      let text: string;
      if (i % 3 === 0) {
        // Any double, printed with 15 to 21 digits.
        buffer.setUint32(0, next() * 2 ** 32);
        buffer.setUint32(4, next() * 2 ** 32);
        const value = buffer.getFloat64(0);
        if (!Number.isFinite(value)) continue;
        text = value.toPrecision(15 + Math.floor(next() * 7));
      } else if (i % 3 === 1) {
        text = ((next() - 0.5) * 10 ** Math.floor(next() * 8)).toFixed(Math.floor(next() * 21));
      } else {
        // The middle between two neighbouring doubles, and one digit beside it: the hardest cases to round.
        const low = 2 ** 52 + Math.floor(next() * 2 ** 51) * 2;
        const nudge = ['', '0', '1', '0000001'][Math.floor(next() * 4)];
        text = `${low}.5${nudge}`.replace('.', '');
        text = `${text.slice(0, 3)}.${text.slice(3)}`;
      }
      if (!Object.is(parse(text), Number(text)))
        expect.fail(`seed ${seed}: ${text} was read as ${parse(text)}`);
    }
  });

  it('reads numbers of any length in time', () => {
    expect(parse(`0.${'3'.repeat(2_000_000)}`)).toBe(1 / 3);
    expect(parse(`${'0'.repeat(2_000_000)}7`)).toBe(7);
  });
});

describe('lines', () => {
  it('counts lines with every kind of line end', () => {
    const scanner = new Scanner('lines', encode('a\nb\r\nc\rd'));
    expect(['a', 'b', 'c', 'd'].map((_, i) => scanner.lineOf([0, 2, 5, 7][i]))).toEqual([1, 2, 3, 4]);
  });

  it('skips a byte order mark', () => {
    expect(parse('\ufeff12')).toBe(12);
  });
});
