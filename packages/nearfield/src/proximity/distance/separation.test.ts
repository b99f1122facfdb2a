// Triangles that a GPU could not tell apart and that do not meet: the CPU looks for the nearest anew, and may have settled it
// by itself, listing nothing. Two edges that cross at right angles, one above the other: their distance is the gap.

import { afterAll, expect, it } from 'vitest';
import { createCpuEngine } from '../../cpu/engine.ts';
import { identity } from '../../math/pose.ts';
import { mesh } from '../../mesh/mesh.ts';
import type { Moment } from '../../scene/bodies/moment.ts';
import { separationOf } from './separation.ts';

const engine = await createCpuEngine();
afterAll(() => engine.close());

const mayMeet = 2;
const none = new Uint32Array();

function momentOf(corners: number[]): Moment {
  const triangle = mesh(new Float64Array(corners));
  const form = { mesh: triangle, positions: triangle.positions, revision: 0 };
  return { ...form, shape: { ...form }, pose: identity(), poseRevision: 0 };
}

it.each([2 ** -4, 2 ** -15, 2 ** -30, 2 ** -60])('edges that cross %f apart, and may meet', gap => {
  const a = momentOf([-1, 0, 0, 1, 0, 0, 0.25, -0.5, -1]);
  const b = momentOf([0, -1, gap, 0, 1, gap, 0.5, 0.125, 1]);
  const candidate = { triangles: none, state: mayMeet, meeting: none };
  for (const upTo of [0.1, Infinity]) {
    const { distance, triangleA, triangleB } = separationOf(engine, a, b, candidate, upTo, true);
    expect([distance, triangleA, triangleB], `up to ${upTo}`).toEqual([gap, 0, 0]);
  }
  // Nothing is nearer than itself.
  expect(separationOf(engine, a, b, candidate, gap, true).distance).toBe(Infinity);
});
