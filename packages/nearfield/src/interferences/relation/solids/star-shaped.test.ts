// What the triangles of two star-shaped solids show at once must be what samples beside their crossings show.

import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { cylinder, icosphere, box as makeBox, torus } from '../../../shapes/index.ts';
import { BruteEngine, meetingTriangles, randomIntegers } from '../../testing/brute-engine.ts';
import { relationOfSolids } from './solids.ts';
import { crossAsStars, isStarShaped } from './star-shaped.ts';

const placed = (mesh: Mesh, pose: readonly number[] = poseOf([1, 0, 0], [0, 1, 0], [0, 0, 1])): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose: Float64Array.from(pose),
  poseRevision: 0,
});
const poseOf = (x: number[], y: number[], z: number[], at = [0, 0, 0]): number[] => [
  ...[...x, 0, ...y, 0, ...z, 0],
  ...[...at, 1],
];
const at = (...place: number[]): number[] => poseOf([1, 0, 0], [0, 1, 0], [0, 0, 1], place);

/** Some meshes as one; `reversed` turns the last one inside out. */
function together(meshes: readonly Mesh[], reversed = false): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [i, { positions: own, indices: triangles }] of meshes.entries()) {
    const first = positions.length / 3;
    positions.push(...own);
    const given = Array.from(triangles, vertex => first + vertex);
    indices.push(...(reversed && i === meshes.length - 1 ? given.reverse() : given));
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

test('boxes, balls and cylinders are star-shaped, also turned, sheared, mirrored and inside out', () => {
  const box = makeBox({ size: [1, 2, 0.1] });
  const insideOut = together([box], true);
  const meshes = [box, insideOut, icosphere({ frequency: 2 }), cylinder({ segments: 16 })];
  const poses = [
    at(0, 0, 0),
    at(1e6, -3e5, 12),
    poseOf([0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1], [5, 5, 5]),
    poseOf([1, 0.3, 0], [-2, 1, 0.1], [0, 0, -1e3]),
    poseOf([1e-9, 0, 0], [0, 1e-9, 0], [0, 0, 1e-9]),
  ];
  for (const pose of poses) for (const mesh of meshes) expect(isStarShaped(placed(mesh, pose))).toBe(true);
});

test('others are not, or are not known to be', () => {
  const box = makeBox({ size: [2, 2, 2] });
  const small = makeBox({ size: [1, 1, 1] });
  expect(isStarShaped(placed(torus({ majorSegments: 8, minorSegments: 6 })))).toBe(false);
  // Two layers, a cavity, and the same surface twice.
  for (const both of [together([box, small]), together([box, small], true), together([box, box])])
    expect(isStarShaped(placed(both))).toBe(false);
  // Rounding may fold what is far away, or flat.
  expect(isStarShaped(placed(box, at(2 ** 52, 0, 0)))).toBe(false);
  expect(isStarShaped(placed(box, poseOf([1, 0, 0], [0, 1, 0], [1, 1, 2 ** -50])))).toBe(false);
  expect(isStarShaped(placed(box, poseOf([2 ** 100, 0, 0], [0, 2 ** 100, 0], [0, 0, 2 ** 100])))).toBe(false);
  expect(isStarShaped(placed(icosphere({ frequency: 4 })))).toBe(false);
});

test('what crosses as stars crosses as sampled', () => {
  let crossed = 0;
  let crossing = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const random = randomIntegers(seed);
    const between = (low: number, high: number) => low + ((high - low) * random(2 ** 20)) / 2 ** 20;
    const body = () => {
      const kind = random(3);
      const plain = kind === 0 ? makeBox() : icosphere({ frequency: kind });
      const positions = Float64Array.from(plain.positions);
      // Bumps, some of which hide others.
      if (random(2) === 0)
        for (let v = 0; v < positions.length; v += 3) {
          const factor = between(0.4, 1.6);
          for (let axis = 0; axis < 3; axis++) positions[v + axis] *= factor;
        }
      const column = () => [between(-1, 1), between(-1, 1), between(-1, 1)];
      const place = [between(-1.5, 1.5), between(-1.5, 1.5), between(-1.5, 1.5)];
      const pose =
        random(3) === 0 ? at(...place.map(Math.round)) : poseOf(column(), column(), column(), place);
      return placed(mesh(positions, Uint32Array.from(plain.indices)), pose);
    };
    const [a, b] = [body(), body()];
    const triangles = meetingTriangles(a, b);
    const isCrossing = relationOfSolids(new BruteEngine(), a, b, triangles) === 'crossing';
    if (isCrossing) crossing++;
    if (!crossAsStars(a, b, triangles)) continue;
    crossed++;
    expect(isCrossing, `seed ${seed}`).toBe(true);
  }
  expect(crossed).toBeGreaterThan(crossing / 3);
});
