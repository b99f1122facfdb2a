// Bodies that an answer names, packed for other threads.

import { expect, it } from 'vitest';
import { toEnd } from '../../core/waiting.ts';
import { identity } from '../../math/pose.ts';
import { icosphere } from '../../shapes/index.ts';
import { KeptBodies } from '../kept-bodies.ts';
import { packKeptBodies, unpackBodies } from './packed-bodies.ts';
import { snapshotOf } from './snapshot-of.ts';

const [small, large, unnamed] = [1, 2, 3].map(frequency => icosphere({ frequency }));

/** Five bodies of two shapes, and one of a third that no pair names. */
const bodies = [small, large, small, large, unnamed, small].map((mesh, i) => {
  const pose = identity();
  pose[12] = i;
  return { shape: { mesh, positions: mesh.positions, revision: 0 }, pose, poseRevision: 0 };
});

it.each([
  ['all rows', [0, 1, 1, 2, 3, 5], true],
  ['names, if those are fewer', [1, 3, 3, 5], false],
])('packs the bodies of %s', (_, named, byRow) => {
  const rows = Uint32Array.from(named);
  const kept = new KeptBodies(snapshotOf(bodies), rows);
  expect(kept.allPoses !== undefined).toBe(byRow);
  const packed = toEnd(packKeptBodies(kept, kept.allPoses));
  const bodyAt = unpackBodies(packed);
  rows.forEach((row, i) => {
    const body = bodyAt(byRow ? row : i);
    expect(body.pose).toEqual(bodies[row].pose);
    expect(body.positions).toEqual(bodies[row].shape.positions);
    expect(body.mesh.indices).toEqual(bodies[row].shape.mesh.indices);
  });
  // Bodies of one shape share it, and the shape that nobody names is left out.
  expect(packed.singles.length + packed.doubles.length).toBe(small.positions.length + large.positions.length);
});
