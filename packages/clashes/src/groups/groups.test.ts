import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssemblyPair } from '../assembly/types.ts';
import { finish } from '../steps/steps.ts';
import { groupByPart } from './by-part.ts';
import { groupByPlace, usualDistance } from './by-place.ts';
import { groupByTest } from './by-test.ts';
import type { GroupBody } from './group.ts';
import { linkPoints } from './link-points.ts';

const id = (i: number) => i.toString(16).padStart(12, '0');
const pair = (a: number, b: number, i: number, more: Partial<AssemblyPair> = {}): AssemblyPair => ({
  ...{ a, b, relation: 'crossing', triangleCount: 1, verdict: 'clash', clash: id(i) },
  ...more,
});
const depth = (upper: number) => ({ depth: { lower: upper / 2, upper } });

it('groups by the part that most clashes share', () => {
  const bodies: GroupBody[] = [
    { name: 'floor 1', type: 'IfcSlab' },
    ...['pipe 1', 'pipe 2', 'pipe 3'].map(name => ({ name })),
    { name: 'IfcWall:7', type: 'IfcWall' },
  ];
  const pairs = [
    pair(0, 1, 1, depth(1)),
    pair(0, 2, 2, depth(9)),
    pair(0, 3, 3, { depth: { lower: 4.9, upper: 5 }, point: Float64Array.of(1, 2, 3) }),
    pair(3, 4, 4, { ...depth(7), point: Float64Array.of(0, 0, 1) }),
  ];
  const groups = finish(groupByPart(bodies, pairs));
  expect(groups.map(({ title, members, part }) => ({ title, members, part }))).toEqual([
    { title: '3 clashes with IfcSlab floor 1', members: [id(2), id(3), id(1)], part: 0 },
    { title: 'IfcWall:7 and pipe 3', members: [id(4)], part: undefined },
  ]);
  expect(groups[0].worst).toEqual({ lower: 4.9, upper: 9 });
  expect(groups[0].box).toEqual([1, 2, 3, 1, 2, 3]);
  // The group keeps its identity when a clash goes and indices change.
  const fewer = finish(groupByPart([...bodies].reverse(), [pair(3, 4, 1), pair(2, 4, 2)]));
  expect(fewer[0]).toMatchObject({ id: groups[0].id, title: '2 clashes with IfcSlab floor 1', part: 4 });
});

it('the greedy grouping is that of a plain search', () => {
  const arbitrary = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 40 });
  const property = fc.property(arbitrary, ends => {
    const keys = new Set(
      ends.filter(([a, b]) => a !== b).map(([a, b]) => Math.min(a, b) * 10 + Math.max(a, b)),
    );
    const pairs = [...keys].map((key, i) => pair(Math.floor(key / 10), key % 10, i));
    const bodies = Array.from({ length: 10 }, (_, i) => ({ name: `${(i * 7) % 10}` }));
    const left = new Set(pairs);
    const expected: string[] = [];
    while (left.size > 0) {
      const counts = bodies.map((_, body) => [...left].filter(({ a, b }) => a === body || b === body).length);
      const best = bodies
        .map((_, i) => i)
        .sort((p, q) => counts[q] - counts[p] || (bodies[p].name < bodies[q].name ? -1 : 1))[0];
      const members = [...left].filter(({ a, b }) => a === best || b === best);
      for (const member of members) left.delete(member);
      expected.push(
        members
          .map(({ clash }) => clash)
          .sort()
          .join(),
      );
    }
    expect(
      finish(groupByPart(bodies, pairs))
        .map(({ members }) => [...members].sort().join())
        .sort(),
    ).toEqual(expected.sort());
  });
  fc.assert(property, { numRuns: 200 });
});

it('groups by test', () => {
  const pairs = [
    pair(0, 1, 1, { test: 1 }),
    pair(0, 2, 2, { test: 0, ...depth(1) }),
    pair(1, 2, 3, { test: 1, ...depth(2) }),
  ];
  const groups = finish(
    groupByTest([{ name: 'a' }, { name: 'b' }, { name: 'c' }], pairs, [{ name: 'pipes' }, { name: 'walls' }]),
  );
  expect(groups.map(({ title, test, members }) => [title, test, members])).toEqual([
    ['2 clashes: walls', 1, [id(1), id(3)]],
    ['1 clash: pipes', 0, [id(2)]],
  ]);
});

const boxed = (name: string, x: number, size: number): GroupBody => ({
  name,
  fingerprint: { mesh: '', pose: '', box: [x, 0, 0, x + size, 0, 0] },
});

it('groups by place, with the distance from the sizes', () => {
  const bodies = [boxed('floor', 0, 100), ...[0, 1, 2, 50, 51].map((x, i) => boxed(`pipe ${i}`, x, 3))];
  const pairs = bodies.slice(1).map((_, i) => pair(0, i + 1, i, depth(i + 1)));
  expect(usualDistance(bodies, pairs)).toBe(1.5);
  const groups = finish(groupByPlace(bodies, pairs));
  expect(groups.map(({ title, members }) => [title, members])).toEqual([
    ['2 clashes around floor and pipe 4', [id(4), id(3)]],
    ['3 clashes around floor and pipe 2', [id(2), id(1), id(0)]],
  ]);
  // The first clash of a group goes, and another comes: the group stays.
  const later = finish(groupByPlace(bodies, [pairs[0], pairs[1], pair(0, 3, 77, depth(9))]));
  expect(later[0].id).toBe(groups[1].id);
  expect(finish(groupByPlace([{ name: 'a' }, { name: 'b' }], [pair(0, 1, 1)]))[0].title).toBe('a and b');
});

it('linked points are those that a chain of steps connects', () => {
  const coordinate = fc.oneof(
    fc.integer({ min: -6, max: 6 }),
    fc.integer({ min: -3000, max: 3000 }).map(value => value / 1000),
  );
  const property = fc.property(
    fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 60 }),
    fc.constantFrom(0, 0.5, 1, Math.sqrt(2), 2.5),
    (points, distance) => {
      const group = points.map((_, i) => i);
      for (const _ of points) {
        points.forEach((p, i) => {
          points.forEach((q, j) => {
            const squared = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2;
            if (squared <= distance * distance) group[i] = group[j] = Math.min(group[i], group[j]);
          });
        });
      }
      const expected = [...new Set(group)].map(first =>
        group.flatMap((own, i) => (own === first ? [i] : [])),
      );
      expect(linkPoints(Float64Array.from(points.flat()), distance)).toEqual(expected);
    },
  );
  fc.assert(property, { numRuns: 200 });
});

it('half a million clashes are grouped at once, also if they lie in two dense heaps', () => {
  const count = 200_000;
  const heaps = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    heaps[3 * i] = (i % 2) * 1.5 + ((i * 0.618) % 0.4);
    heaps[3 * i + 1] = (i * 0.414) % 0.4;
    heaps[3 * i + 2] = (i * 0.732) % 0.4;
  }
  expect(linkPoints(heaps, 1).map(group => group.length)).toEqual([count / 2, count / 2]);
  const bodies = Array.from({ length: 100_000 }, (_, i) => ({ name: `part ${i}` }));
  const pairs = Array.from({ length: 500_000 }, (_, i) => pair(i % 1000, 1000 + ((i * 7919) % 99_000), i));
  const groups = finish(groupByPart(bodies, pairs));
  expect(groups.reduce((sum, { members }) => sum + members.length, 0)).toBe(pairs.length);
});
