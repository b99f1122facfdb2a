// Checks the six orders of two convex bodies along a line, and sequences of any length, against strings.

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../shapes/index.ts';
import type { Crossing } from '../raster/exact/crossings.ts';
import { CollisionCase, caseOfLayers, exchanged, meets, orderOfLine } from './cases.ts';
import {
  exchangeSequence,
  hasOddRun,
  packSequence,
  readApart,
  SequenceTable,
  sequenceToString,
} from './sequence.ts';

/** Crossings in this order, one unit apart. Each body is entered and left in turn. */
function lineOf(order: string): Crossing[] {
  const away = { A: 1, B: 1 };
  return [...order].map((name, depth) => {
    const who = name as 'A' | 'B';
    away[who] = 1 - away[who];
    return { depth, side: who === 'A' ? 0 : 1, away: away[who] as 0 | 1, triangle: 0 };
  });
}

/** Tells by walking along the line whether some stretch is in both bodies. */
function isMeeting(order: string): boolean {
  let [a, b] = [false, false];
  for (const name of order) {
    if (name === 'A') a = !a;
    else b = !b;
    if (a && b) return true;
  }
  return false;
}

/** Tells by walking along the line whether some common stretch begins and ends with layers of one body. */
function hasEnclosed(order: string): boolean {
  const inside = { A: false, B: false };
  let start = '';
  for (const name of order as Iterable<'A' | 'B'>) {
    inside[name] = !inside[name];
    if (inside.A && inside.B) start = name;
    else if (start === name) return true;
    else start = '';
  }
  return false;
}

describe('cases', () => {
  const orders = { a: 'AABB', b: 'ABAB', c: 'BAAB', d: 'ABBA', e: 'BABA', f: 'BBAA' } as const;
  it.each(Object.entries(orders))('%s is %s', (letter, order) => {
    const value = CollisionCase[letter as keyof typeof orders];
    // The layers of B up to the last of A, and before the first of A.
    const passes2 = [...order.slice(0, order.lastIndexOf('A'))].filter(name => name === 'B').length;
    const passes3 = order.indexOf('A');
    expect([passes2, passes3]).toEqual(
      { a: [0, 0], b: [1, 0], c: [1, 1], d: [2, 0], e: [2, 1], f: [2, 2] }[letter],
    );
    expect(meets(value)).toBe(isMeeting(order));
    expect(orderOfLine(lineOf(order), 0.5).value).toBe(value);
    expect(caseOfLayers(4, packSequence(order)[0], isMeeting(order))).toBe(value);
    const other = [...order].map(name => (name === 'A' ? 'B' : 'A')).join('');
    expect(exchanged[value]).toBe(orderOfLine(lineOf(other), 0.5).value);
  });

  it('handle lines through one body or none, and stretches too short to count', () => {
    expect(orderOfLine([], 0).value).toBe(CollisionCase.neither);
    expect(orderOfLine(lineOf('AAAA'), 0).value).toBe(CollisionCase.onlyA);
    expect(orderOfLine(lineOf('BB'), 0).value).toBe(CollisionCase.onlyB);
    expect(orderOfLine(lineOf('ABAB'), 1.5).value).toBe(CollisionCase.clear);
    expect(orderOfLine(lineOf('AABBAA'), 0).value).toBe(CollisionCase.clear);
    expect(orderOfLine(lineOf('AABABA'), 0).value).toBe(CollisionCase.meets);
  });
});

describe('sequences', () => {
  it.each([
    ['AABBABBA', true],
    ['BBBAABBB', true],
    ['AABB', false],
    ['BBAABBAA', false],
    ['', false],
  ])('%s has an odd run: %s', (order, odd) => {
    expect(hasOddRun(packSequence(order), order.length)).toBe(odd);
  });

  it('agree with the strings for many layers', () => {
    const random = createRandom(3);
    for (let i = 0; i < 200; i++) {
      // Adds two layers of a body at a time, so that both bodies are left in the end.
      const pairs = Array.from({ length: random.integer(60) }, () => (random.integer(2) === 0 ? 'AA' : 'BB'));
      const letters = [...pairs.join('')];
      for (let swaps = random.integer(4); swaps > 0 && letters.length > 1; swaps--) {
        const at = random.integer(letters.length - 1);
        [letters[at], letters[at + 1]] = [letters[at + 1], letters[at]];
      }
      const order = letters.join('');
      const words = packSequence(order);
      expect(sequenceToString(words, order.length)).toBe(order);
      expect(hasOddRun(words, order.length), order).toBe(isMeeting(order));
      const other = order.replace(/[AB]/g, name => (name === 'A' ? 'B' : 'A'));
      expect(exchangeSequence(words, order.length)).toEqual(packSequence(other));
    }
  });

  it('of up to twelve layers say whether bodies meet, and read as apart if they only touch', () => {
    let orders = 0;
    for (let count = 2; count <= 12; count += 2) {
      for (let bits = 0; bits < 2 ** count; bits++) {
        const order = Array.from({ length: count }, (_, i) => ((bits >> i) & 1 ? 'B' : 'A')).join('');
        if (order.split('B').length % 2 === 0) continue;
        orders++;
        const words = packSequence(order);
        expect(hasOddRun(words, count), order).toBe(isMeeting(order));
        expect(meets(orderOfLine(lineOf(order), 0).value), order).toBe(isMeeting(order));
        const apart = sequenceToString(readApart(words, count), count);
        const sorted = (text: string) => [...text].sort().join('');
        expect(sorted(apart), order).toBe(sorted(order));
        if (!isMeeting(order)) expect(apart).toBe(order);
        // The only common stretches left are those that one body enters and leaves within the other.
        if (isMeeting(apart)) expect(hasEnclosed(apart), `${order}, ${apart}`).toBe(true);
      }
    }
    expect(orders).toBe(2 + 8 + 32 + 128 + 512 + 2048);
  });

  it('are found by pixel, from blocks and one by one', () => {
    const table = new SequenceTable();
    const [long, short] = ['AB'.repeat(20), 'BAAB'];
    table.add({
      first: 100,
      pixels: Uint32Array.of(7, 2 ** 31 + 8, 3),
      ordered: Uint32Array.of(80, 6, 9),
      words: Uint32Array.of(...packSequence(long), 98, 98, ...packSequence(short), 99),
      stride: 2,
    });
    table.set(5, { count: 2, words: packSequence('BB') });
    const read = (pixel: number) => {
      const known = table.get(pixel);
      return known && sequenceToString(known.words, known.count);
    };
    expect([107, 103, 5, 108].map(read)).toEqual([long, short, 'BB', undefined]);
  });
});
