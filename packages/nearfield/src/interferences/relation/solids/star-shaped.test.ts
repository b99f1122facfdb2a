// What the triangles of two star-shaped solids show at once must be what samples beside their crossings show.

import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { cylinder, icosphere, box as makeBox, revolve, torus } from '../../../shapes/index.ts';
import { BruteEngine, meetingTriangles, randomIntegers } from '../../testing/brute-engine.ts';
import { relationOf } from '../relation.ts';
import { Facet } from './facet.ts';
import { kindsBeside } from './kinds.ts';
import { Probe } from './probe.ts';
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

/** A solid of height 1 above an outline, which is seen whole from its first corner. */
function prism(outline: readonly [number, number][]): Mesh {
  const count = outline.length;
  const positions = outline.flatMap(([x, y]) => [x, y, 0, x, y, 1]);
  const indices: number[] = [];
  for (let i = 0; i < count; i++) {
    const [low, next] = [2 * i, 2 * ((i + 1) % count)];
    indices.push(low, next, low + 1, next, next + 1, low + 1);
    if (i > 0 && i + 1 < count) indices.push(0, 2 * i + 2, 2 * i, 1, 2 * i + 1, 2 * i + 3);
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

test('solids that are seen whole only from far beside the middle of their box are star-shaped, and many triangles may be', () => {
  const screw: [number, number][] = [
    [0, -0.7],
    [0.18, -0.6],
    [0.18, 0.4],
    [0.35, 0.4],
    [0, 0.65],
  ];
  // A notched beam is seen whole from near its inner edge only.
  const beam = prism([
    [0, 0],
    [8, 0],
    [8, 1],
    [1, 1],
    [1, 6],
    [0, 6],
  ]);
  for (const mesh of [revolve({ profile: screw, segments: 8 }), beam, icosphere({ frequency: 7 })]) {
    expect(isStarShaped(placed(mesh, at(3, 0, 0)))).toBe(true);
    expect(isStarShaped(placed(together([mesh], true)))).toBe(true);
  }
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
  expect(isStarShaped(placed(icosphere({ frequency: 8 })))).toBe(false);
});

test('flush boxes touch without a search, and beside a star-shaped solid only the other one is searched', () => {
  const [box, ring] = [
    placed(makeBox()),
    placed(torus({ majorRadius: 1, minorRadius: 0.4 }), at(1, 0.1, 0.05)),
  ];
  const searched: Placed[] = [];
  const engine = new (class extends BruteEngine {
    override trianglesOnRay(...given: Parameters<BruteEngine['trianglesOnRay']>) {
      searched.push(given[0]);
      return super.trianglesOnRay(...given);
    }
  })();
  const other = placed(makeBox(), at(1, 0.25, 0));
  expect(relationOf(engine, box, other, meetingTriangles(box, other))).toBe('touching');
  expect(searched).toEqual([]);
  expect(relationOf(engine, box, ring, meetingTriangles(box, ring))).toBe('crossing');
  expect(new Set(searched)).toEqual(new Set([ring]));
});

test('a point of a star-shaped solid has the cells beside it that a search finds', () => {
  let compared = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomIntegers(seed);
    const star = placed(icosphere({ frequency: 2 }), at(random(8) / 8, random(8) / 8, random(8) / 8));
    const ring = placed(torus({ majorSegments: 12, minorSegments: 8 }), at(random(8) / 8, 0, 0));
    const bodies = seed % 2 === 0 ? ([star, ring] as const) : ([ring, star] as const);
    const side = seed % 2 === 0 ? 0 : 1;
    const probe = new Probe(new BruteEngine(), ...bodies);
    for (let t = 0; t < star.shape.mesh.triangleCount; t++) {
      const corners = new Float64Array(9);
      placeCorners(star, t, corners, 0);
      const facet = new Facet(corners);
      const along = (axis: number) =>
        (corners[axis] * 5 + corners[3 + axis] * 6 + corners[6 + axis] * 7) / 18;
      const [u, v] = [along((facet.axis + 1) % 3), along((facet.axis + 2) % 3)];
      const [searched, known] = [probe.at(facet, u, v), probe.at(facet, u, v, side)];
      expect(known && kindsBeside(known), `seed ${seed}, triangle ${t}`).toBe(
        searched && kindsBeside(searched),
      );
      if (known) compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
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
