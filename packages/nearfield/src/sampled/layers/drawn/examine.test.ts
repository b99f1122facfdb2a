// The examination of counters against lines whose order is known: every order of up to eight layers.

import { expect, it } from 'vitest';
import { CollisionCase, meets } from '../cases.ts';
import { sequenceToString } from '../sequence.ts';
import { examineFirst, examineSecond, examineThird, sequenceOf } from './examine.ts';
import { layersPerChannel, maskBit } from './pipelines.ts';

/** All orders in which both bodies have an even number of layers, and A has some. */
const orders = [4, 6, 8].flatMap(length =>
  Array.from({ length: 2 ** length }, (_, bits) =>
    Array.from({ length }, (_, i) => ((bits >> i) & 1 ? 'B' : 'A')).join(''),
  ).filter(order => order.includes('A') && order.split('A').length % 2 === 1),
);

/** By walking along the line. */
function isMeeting(order: string): boolean {
  const inside = { A: false, B: false };
  return [...order].some(name => {
    inside[name as 'A' | 'B'] = !inside[name as 'A' | 'B'];
    return inside.A && inside.B;
  });
}

const countIn = (order: string, name: string): number => order.split(name).length - 1;
const first = Uint8Array.from(
  orders,
  order => maskBit | countIn(order.slice(0, order.lastIndexOf('A')), 'B'),
);
const ofA = Uint8Array.from(orders, order => maskBit | countIn(order, 'A'));
const second = Uint8Array.from(orders, order => maskBit | countIn(order.slice(0, order.indexOf('A')), 'B'));

/** The colours after blending as the hardware does: halved, and the highest bit set for B. */
function blended(order: string): Uint8Array {
  const colour = new Uint8Array(4);
  [...order].forEach((name, i) => {
    const channel = Math.floor(i / layersPerChannel);
    colour[channel] = colour[channel] / 2 + (name === 'B' ? 128 : 0);
  });
  return colour;
}

it.each(['auto', 'extended', 'simplified', 'general', 'convex'] as const)(
  'decides every order: %s',
  algorithm => {
    let examined = examineFirst(first, algorithm);
    if (algorithm !== 'general') examined = examineSecond(examined, first, ofA, second, algorithm);
    const all = Uint8Array.from(orders, order => order.length);
    const colours = Uint8Array.from(orders.flatMap(order => [...blended(order)]));
    const found = new Map<number, string>();
    examineThird(examined, all, all, colours, (pixel, { words, count }) => {
      found.set(pixel, sequenceToString(words, count));
    });
    orders.forEach((order, pixel) => {
      const value = examined.cases[pixel];
      if (value === CollisionCase.leftOut) {
        // The basic algorithm is for lines that pass A once.
        expect([algorithm, countIn(order, 'A') > 2]).toEqual(['convex', true]);
        return;
      }
      expect(meets(value), order).toBe(isMeeting(order));
      expect(value, order).not.toBe(CollisionCase.neither);
      if (found.has(pixel)) expect(found.get(pixel)).toBe(order);
    });
    expect(found.size > 0).toBe(algorithm !== 'convex');
  },
);

it('leaves out counters that overflow and layers that were not all blended', () => {
  const { cases } = examineFirst(Uint8Array.of(0xff, 0, maskBit), 'extended');
  expect([...cases]).toEqual([CollisionCase.leftOut, CollisionCase.neither, CollisionCase.clear]);
  const open = { cases: new Uint8Array(3), open: Uint8Array.of(1, 1, 1), openCount: 3 };
  const colours = new Uint8Array(12);
  examineThird(open, Uint8Array.of(4, 30, 4), Uint8Array.of(3, 28, 4), colours, () => {});
  expect([...open.cases]).toEqual([CollisionCase.leftOut, CollisionCase.leftOut, CollisionCase.clear]);
});

it('reads 28 layers from four colours', () => {
  const order = 'ABBABAABBABBAABABAABBABAAABB';
  expect(sequenceToString(Uint32Array.of(sequenceOf(blended(order), 28)), 28)).toBe(order);
});
