// Instances that share a mesh: only if a pose gives exactly the doubles of each.

import { applyPose } from 'nearfield';
import { expect, it } from 'vitest';
import { randomBelow } from '../testing/random.ts';
import { poseBetween } from './instances.ts';

const seed = Number(process.env['NEARFIELD_SEED'] ?? 7);
const next = randomBelow(seed);
const real = () => 200 * (next(2 ** 31) / 2 ** 31) - 100;
const points = (count: number) => Float64Array.from({ length: 3 * count }, real);

const moved = (pose: Float64Array, from: Float64Array): Float64Array => {
  const to = new Float64Array(from.length);
  for (let i = 0; i < from.length; i += 3) applyPose(pose, from[i], from[i + 1], from[i + 2], to, i);
  return to;
};

/** All 48 matrices of right angles, 24 of which mirror. */
function* rightAngles(): Generator<{ pose: Float64Array; mirrors: boolean }> {
  for (const [order, odd] of [
    [[0, 1, 2], false],
    [[1, 2, 0], false],
    [[2, 0, 1], false],
    [[0, 2, 1], true],
    [[2, 1, 0], true],
    [[1, 0, 2], true],
  ] as const) {
    for (let signs = 0; signs < 8; signs++) {
      const pose = new Float64Array(16);
      let mirrors: boolean = odd;
      order.forEach((axis, row) => {
        const negative = ((signs >> row) & 1) === 1;
        pose[4 * axis + row] = negative ? -1 : 1;
        if (negative) mirrors = !mirrors;
      });
      pose[15] = 1;
      yield { pose, mirrors };
    }
  }
}

it('finds every pose of right angles that gives the very doubles, and none that mirrors', () => {
  let found = 0;
  for (const { pose, mirrors } of rightAngles()) {
    pose.set([real(), real(), real()], 12);
    // The offset is seen only with its rounding at some vertex: a corner at 0 shows it exactly.
    const from = points(20);
    from.fill(0, 0, 3);
    const to = moved(pose, from);
    const between = poseBetween(from, to);
    expect(between !== undefined, `seed ${seed}`).toBe(!mirrors);
    if (between) {
      expect(moved(between, from), `seed ${seed}`).toEqual(to);
      found++;
    }
  }
  expect(found).toBe(24);
});

it('gives the very doubles or finds none if a coordinate is off by a unit in the last place', () => {
  const from = points(50);
  const to = moved(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 8, -16, 0, 1), from);
  expect(poseBetween(from, to)).toBeDefined();
  let none = 0;
  for (let i = 0; i < to.length; i++) {
    const changed = to.slice();
    changed[i] += Math.abs(changed[i]) * 2 ** -52;
    const pose = poseBetween(from, changed);
    // A tiny offset may move the smallest coordinate alone.
    if (pose) expect(moved(pose, from), `seed ${seed}, coordinate ${i}`).toEqual(changed);
    else none++;
  }
  expect(none, `seed ${seed}`).toBeGreaterThan(140);
});

it('finds one for a shape that is the same seen from several sides', () => {
  const cube = Float64Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1);
  const pose = poseBetween(
    cube,
    cube.map(x => x + 1),
  )!;
  expect(moved(pose, cube)).toEqual(cube.map(x => x + 1));
});
