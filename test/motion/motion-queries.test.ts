// The first contact of a vertex and a face, and of two edges, on linear paths: against an oracle that finds roots and zeros in
// another way, against other people's exact answers, and against itself with time, points and bodies exchanged.

import { expect, test } from 'vitest';
import {
  edgeMeetsEdge,
  never,
  vertexMeetsFace,
} from '../../packages/nearfield/src/motion/linear/exact/contact.ts';
import { Failures } from '../oracle/failures.ts';
import { cellOf, oracleContact } from '../oracle/motion/first-contact.ts';
import { degenerateQuery, generalQuery, smallStep } from '../oracle/motion/moving-features.ts';
import { hasPublishedQueries, publishedQueries } from '../oracle/motion/published-queries.ts';
import { randomFrom, whole } from '../oracle/triangles/generators.ts';

const isSlow = process.env.NEARFIELD_SLOW !== undefined;
const bits = 40;

type Kind = 'vf' | 'ee';
const cellOfQuery = (kind: Kind, points: ArrayLike<number>, places = bits, upTo = 1): number =>
  (kind === 'vf' ? vertexMeetsFace : edgeMeetsEdge)(points, places, { upTo });

const queries = { general: generalQuery, 'small steps': smallStep, degenerate: degenerateQuery };
const sizes = { general: 2500, 'small steps': 2500, degenerate: 500 };

for (const [name, query] of Object.entries(queries)) {
  const count = sizes[name as keyof typeof sizes] * (isSlow ? 200 : 1);
  test(`${count} ${name} queries have the oracle's times`, { timeout: 3e7 }, () => {
    const failures = new Failures();
    const seed = Number(process.env.NEARFIELD_SEED ?? 22);
    const random = randomFrom(seed);
    const points = new Float64Array(24);
    const contacts = { vf: 0, ee: 0 };
    for (let i = 0; i < count; i++) {
      const kind = i % 2 === 0 ? 'vf' : 'ee';
      query(random, points);
      const found = cellOfQuery(kind, points);
      const truth = cellOf(oracleContact(kind, points), bits);
      if (truth !== Infinity) contacts[kind]++;
      failures.check(
        found === truth,
        () => `seed ${seed}, query ${i}, ${kind}: ${found}, not ${truth}: ${Array.from(points)}`,
      );
    }
    expect(failures.list).toEqual([]);
    // A generator without contacts would test nothing.
    expect(contacts.vf).toBeGreaterThan(count / 100);
    expect(contacts.ee).toBeGreaterThan(count / 500);
  });
}

/** The query with its points in another order. */
const reordered = (points: Float64Array, order: readonly number[]): Float64Array =>
  Float64Array.from({ length: 24 }, (_, i) => {
    const time = i < 12 ? 0 : 12;
    return points[time + 3 * order[Math.floor((i % 12) / 3)] + (i % 3)];
  });

const orders: Readonly<Record<Kind, readonly (readonly number[])[]>> = {
  vf: [
    [0, 2, 3, 1],
    [0, 1, 3, 2],
  ],
  ee: [
    [2, 3, 0, 1],
    [1, 0, 2, 3],
    [0, 1, 3, 2],
  ],
};

test('other orders of the points, other origins, sizes and intervals of time change nothing', () => {
  const failures = new Failures();
  const seed = 2210;
  const random = randomFrom(seed);
  const points = new Float64Array(24);
  for (let i = 0; i < (isSlow ? 100_000 : 1000); i++) {
    const kind = i % 2 === 0 ? 'vf' : 'ee';
    degenerateQuery(random, points);
    const cell = cellOfQuery(kind, points);
    const same = (what: string, found: number, expected: number) =>
      failures.check(
        found === expected,
        () => `seed ${seed}, query ${i}, ${kind}, ${what}: ${found}, not ${expected}: ${Array.from(points)}`,
      );
    for (const order of orders[kind])
      same(`order ${order}`, cellOfQuery(kind, reordered(points, order)), cell);
    // Every axis by another power of two, the first one far below the others.
    const stretched = points.map((x, j) => x * 2 ** (j % 3 === 0 ? -90 : j % 3));
    same('stretched', cellOfQuery(kind, stretched), cell);
    const reversed = Float64Array.from({ length: 24 }, (_, j) => points[(j + 12) % 24]);
    same('reversed', Number(cellOfQuery(kind, reversed) === never), Number(cell === never));
    const [from, to] = [whole(random, -9, 9), whole(random, -9, 9)];
    // A translation that grows with time; numbers of few digits stay exact.
    if (points.every(x => Math.abs(x) < 2 ** 20 && Number.isInteger(4 * x))) {
      same(
        'carried along',
        cellOfQuery(
          kind,
          points.map((x, j) => x + (j < 12 ? from : to)),
        ),
        cell,
      );
    }
    // Both halves of the time.
    const middle = Array.from({ length: 12 }, (_, j) => (points[j] + points[j + 12]) / 2);
    const first = cellOfQuery(kind, [...points.subarray(0, 12), ...middle], bits - 1);
    const second = cellOfQuery(kind, [...middle, ...points.subarray(12)], bits - 1);
    same('in halves', first !== never ? first : second + 2 ** bits, cell);
    // Up to a time before the contact, at it, and after it.
    if (cell !== never && cell > 2) {
      const [before, after] = [Math.ceil(cell / 2) - 1, Math.ceil(cell / 2)];
      same('up to before', cellOfQuery(kind, points, bits, before / 2 ** bits), never);
      same('up to after', cellOfQuery(kind, points, bits, after / 2 ** bits), cell);
    }
  }
  expect(failures.list).toEqual([]);
});

test.skipIf(!hasPublishedQueries).each(['vf', 'ee'] as const)('the published %s queries', kind => {
  const { queries, truth } = publishedQueries(kind);
  const found = queries.map(query => cellOfQuery(kind, query));
  expect(found.map(cell => cell !== never)).toEqual(truth);
  expect(found).toEqual(queries.map(query => cellOf(oracleContact(kind, query), bits)));
});
