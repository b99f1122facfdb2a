// A surface that is called embedded must not meet itself, wherever rounding may take its corners. If two triangles of two embedded
// solids cross, the solids must cross according to `relationOfSolids`, too.

import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { properCrossing } from '../../../math/triangles/triangle-triangle.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { open } from '../../../nearfield.ts';
import { box, createRandom, icosphere, torus, tube } from '../../../shapes/index.ts';
import { BruteEngine, meetingTriangles } from '../../testing/brute-engine.ts';
import { isEmbedded } from './embedded.ts';
import { relationOfSolids } from './solids.ts';

const poseOf = (x: number[], y: number[], z: number[], at = [0, 0, 0]): number[] => [
  ...[...x, 0, ...y, 0, ...z, 0],
  ...[...at, 1],
];
const at = (...place: number[]): number[] => poseOf([1, 0, 0], [0, 1, 0], [0, 0, 1], place);
const placed = (mesh: Mesh, pose = at(0, 0, 0)): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose: Float64Array.from(pose),
  poseRevision: 0,
});

/** A body is tested once it was asked about often. */
function isFoundEmbedded(body: Placed): boolean {
  for (let asked = 0; asked < 100; asked++) isEmbedded(body);
  return isEmbedded(body);
}

/** Some meshes as one; `reversed` turns the last one inside out. */
function together(meshes: readonly Mesh[], reversed = false): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [i, { positions: own, indices: triangles }] of meshes.entries()) {
    const given = Array.from(triangles, vertex => positions.length / 3 + vertex);
    positions.push(...own);
    indices.push(...(reversed && i === meshes.length - 1 ? given.reverse() : given));
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

const moved = ({ positions, indices }: Mesh, move: (x: number, axis: number, vertex: number) => number) =>
  mesh(
    Float64Array.from(positions, (x, i) => move(x, i % 3, Math.floor(i / 3))),
    Uint32Array.from(indices),
  );

const ring = torus({ majorSegments: 12, minorSegments: 7 });

test('rings, tubes and balls are embedded, also turned, sheared, mirrored, single and inside out', () => {
  const single = mesh(Float32Array.from(ring.positions), ring.indices);
  const meshes = [
    ring,
    single,
    together([ring], true),
    tube({ segments: 10 }),
    icosphere({ frequency: 3 }),
    box(),
  ];
  const poses = [
    at(0, 0, 0),
    at(1e4, -3e3, 12),
    poseOf([0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1], [5, 5, 5]),
    poseOf([1, 0.3, 0], [-2, 1, 0.1], [0, 0, -100]),
    poseOf([1e-9, 0, 0], [0, 1e-9, 0], [0, 0, 1e-9]),
  ];
  for (const pose of poses) for (const mesh of meshes) expect(isFoundEmbedded(placed(mesh, pose))).toBe(true);
});

test('other surfaces are not embedded, or are not known to be', () => {
  const [large, small] = [box({ size: [2, 2, 2] }), box()];
  const beside = moved(small, (x, axis) => (axis === 0 ? x + 3 : x));
  // Two boxes with a common corner, edge or face.
  const atCorner = moved(small, x => x + 1);
  const atEdge = moved(small, (x, axis) => (axis < 2 ? x + 1 : x));
  const atFace = moved(small, (x, axis) => (axis < 1 ? x + 1 : x));
  for (const other of [beside, atCorner, atEdge, atFace, small])
    expect(isFoundEmbedded(placed(together([small, other])))).toBe(false);
  for (const reversed of [false, true])
    expect(isFoundEmbedded(placed(together([large, small], reversed)))).toBe(false);
  // One with a spike through its other side, an open one, and one that is folded flat.
  const spiked = moved(ring, (x, axis, vertex) => (vertex === 0 && axis === 0 ? -x : x));
  expect(isFoundEmbedded(placed(spiked))).toBe(false);
  expect(isFoundEmbedded(placed(mesh(ring.positions, ring.indices.slice(3))))).toBe(false);
  expect(isFoundEmbedded(placed(moved(ring, (x, axis) => (axis === 2 ? 0 : x))))).toBe(false);
  expect(isFoundEmbedded(placed(moved(ring, x => x * 2 ** -400)))).toBe(false);
  // Rounding may fold what is far away, or nearly flat.
  expect(isFoundEmbedded(placed(ring, at(2 ** 30, 0, 0)))).toBe(false);
  expect(isFoundEmbedded(placed(ring, poseOf([1, 0, 0], [0, 1, 0], [1, 1, 2 ** -40])))).toBe(false);
  expect(isFoundEmbedded(placed(moved(ring, (x, axis) => (axis === 0 ? x + 2 ** 30 : x))))).toBe(false);
});

test('a shape is tested only after it was asked about often', () => {
  const body = placed(torus({ majorSegments: 12, minorSegments: 8 }));
  const answers = Array.from({ length: 13 }, () => isEmbedded(body));
  expect(answers.indexOf(true)).toBe(192 / 16 - 1);
  expect(answers.slice(11)).toEqual([true, true]);
});

test('no triangles meet if all corners move by the slack', async () => {
  const nf = await open({ backend: 'cpu', threads: 1 });
  const meetItself = (one: Mesh): boolean => {
    const scene = nf.scene();
    const meets = scene.selfIntersectionsSync(scene.add(one)).triangles.length > 0;
    scene.close();
    return meets;
  };
  const seen = { embedded: 0, others: 0 };
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed);
    const kind = random.integer(3);
    const plain =
      kind === 0 ? ring : kind === 1 ? tube({ segments: 5 }) : torus({ majorSegments: 5, minorSegments: 3 });
    // Bumps, at some of which the surface runs through itself; or all corners nearly in a plane, or two of them nearly in one place.
    const bump = random.next() ** 2 / 2;
    const thin = random.integer(3) === 0 ? 2 ** -random.integer(32) : 1;
    const bumpy = moved(plain, (x, axis) => (x + random.between(-bump, bump)) * (axis === 2 ? thin : 1));
    const positions = Float64Array.from(bumpy.positions);
    if (random.integer(3) === 0) {
      const [from, to] = [random.integer(bumpy.vertexCount), random.integer(bumpy.vertexCount)];
      for (let axis = 0; axis < 3; axis++)
        positions[3 * to + axis] =
          positions[3 * from + axis] + random.between(-1, 1) * 2 ** -random.integer(34);
    }
    const one = mesh(positions, Uint32Array.from(bumpy.indices));
    const isIt = isFoundEmbedded(placed(one));
    seen[isIt ? 'embedded' : 'others']++;
    if (!isIt) continue;
    expect(meetItself(one), `seed ${seed}`).toBe(false);
    const { bounds } = one;
    const size = Math.hypot(...[0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]));
    for (let turn = 0; turn < 4; turn++) {
      // Every corner goes as far as it may, in a direction of its own.
      const directions = Array.from({ length: one.vertexCount }, () => random.direction());
      const elsewhere = moved(one, (x, axis, vertex) => x + 2 ** -28 * size * directions[vertex][axis]);
      expect(meetItself(elsewhere), `seed ${seed}, turn ${turn}`).toBe(false);
    }
  }
  expect(seen.embedded).toBeGreaterThan(30);
  expect(seen.others).toBeGreaterThan(30);
  nf.close();
});

test('embedded solids cross if two of their triangles do', () => {
  let crossed = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(seed);
    const body = () => {
      const bump = random.integer(2) * 0.1;
      const plain =
        random.integer(2) === 0 ? torus({ majorSegments: 7, minorSegments: 4 }) : tube({ segments: 6 });
      const column = () => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
      const pose = random.integer(3) === 0 ? at(...column()) : poseOf(column(), column(), column(), column());
      return placed(
        moved(plain, x => x + random.between(-bump, bump)),
        pose,
      );
    };
    const [a, b] = [body(), body()];
    if (!isFoundEmbedded(a) || !isFoundEmbedded(b)) continue;
    const triangles = meetingTriangles(a, b);
    const corners = new Float64Array(18);
    const crosses = triangles.some((_, i) => {
      if (i % 2 === 1) return false;
      placeCorners(a, triangles[i], corners, 0);
      placeCorners(b, triangles[i + 1], corners, 9);
      return properCrossing(corners);
    });
    if (!crosses) continue;
    crossed++;
    expect(relationOfSolids(new BruteEngine(), a, b, triangles), `seed ${seed}`).toBe('crossing');
  }
  expect(crossed).toBeGreaterThan(50);
});
