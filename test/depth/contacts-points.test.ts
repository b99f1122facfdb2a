// Points of contacts lie in both bodies, for shapes in all positions, checked by another algorithm (winding numbers
// and distances to the surface). As an overlap thins, its contacts become those of touching.

import { type ContactPatch, type CpuScene, type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { cellSolid } from '../oracle/voxel-contacts.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

type Random = ReturnType<typeof shapes.createRandom>;
type Place = readonly number[];

const at = (x: number, y: number, z: number): Place => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

const cross = (p: readonly number[], q: readonly number[]): number[] =>
  [0, 1, 2].map(i => p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3]);

/** A random rotation, and a place within a radius of the origin. */
function randomPlace(random: Random, reach: number): number[] {
  const x = [...random.direction()];
  const across = cross(x, [...random.direction()]);
  const z = across.map(c => c / Math.hypot(...across));
  const place = [0, 1, 2].map(() => random.between(-reach, reach));
  return [...x, 0, ...cross(z, x), 0, ...z, 0, ...place, 1];
}

const product = (a: Place, b: Place): number[] =>
  Array.from({ length: 16 }, (_, k) =>
    [0, 1, 2, 3].reduce((sum, i) => sum + a[(k % 4) + 4 * i] * b[4 * Math.floor(k / 4) + i], 0),
  );

function randomCells(random: Random): Mesh {
  const cells = Array.from({ length: 12 }, (_, i) => [i % 2, Math.floor(i / 2) % 2, Math.floor(i / 4)]);
  return cellSolid(cells.filter((_, i) => i === 0 || random.between(0, 1) < 0.5));
}

/** Boxes that overlap one another, as one mesh. */
function randomFolds(random: Random): Mesh {
  const half = (most: number): number => Math.floor(random.between(0, most)) / 2;
  const builder = new shapes.SolidBuilder();
  for (let i = 0; i < 2; i++) {
    const size = [0.5 + half(3), 0.5 + half(3), 0.5 + half(2)] as const;
    builder.add(shapes.box({ size }), [half(4), half(4), half(4)]);
  }
  return builder.mesh();
}

const kinds: ((random: Random, seed: number) => [Mesh, Place, Mesh, Place])[] = [
  // Rotated together: coplanar faces no longer are, by a rounding.
  random => {
    const turn = randomPlace(random, 3);
    const half = (): number => Math.floor(random.between(-2, 3)) / 2;
    return [randomCells(random), turn, randomCells(random), product(turn, at(half(), half(), half()))];
  },
  random => [randomCells(random), at(0, 0, 0), randomCells(random), randomPlace(random, 1.5)],
  random => {
    const box = (): Mesh =>
      shapes.box({ size: [random.between(0.1, 2), random.between(0.1, 2), random.between(0.1, 4)] });
    return [box(), randomPlace(random, 0.5), box(), randomPlace(random, 0.5)];
  },
  random => {
    const ring = shapes.torus({ majorSegments: 12, minorSegments: 8 });
    return [ring, randomPlace(random, 0.5), ring, randomPlace(random, 0.5)];
  },
  random => [randomFolds(random), randomPlace(random, 1), randomFolds(random), randomPlace(random, 1)],
  (random, seed) => [
    shapes.displacedSphere({ triangles: 200, seed }),
    randomPlace(random, 0.8),
    shapes.displacedSphere({ triangles: 100, seed: seed + 1 }),
    randomPlace(random, 0.8),
  ],
];

/** How far a point lies from a solid. */
function away(scene: CpuScene, body: Parameters<CpuScene['insideSync']>[0], point: Float64Array): number {
  return scene.insideSync(body, point)[0] > 0 ? 0 : scene.closestSync(body, point).distances[0];
}

test('every point of a contact lies in both bodies, and depth is positive if they overlap', {
  timeout: 3_600_000,
}, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 12_000 : 42;
  const first = Number(process.env.NEARFIELD_SEED ?? 1);
  let seen = 0;
  for (let seed = first; seed < first + rounds; seed++) {
    const [meshA, poseA, meshB, poseB] = kinds[seed % kinds.length](shapes.createRandom(seed), seed);
    const scene = nf.scene();
    const [a, b] = [scene.add(meshA, { pose: poseA }), scene.add(meshB, { pose: poseB })];
    const { patches } = scene.contactsSync(a, b);
    const relation = [...scene.interferencesSync()][0]?.relation ?? 'separate';
    const overlaps = relation !== 'separate' && relation !== 'touching';
    expect(
      patches.some(({ depth }) => depth > 0),
      `seed ${seed}, ${relation}`,
    ).toBe(overlaps);
    for (const { point, points, normal, depth, area } of patches) {
      seen++;
      expect(Math.hypot(...normal), `seed ${seed}`).toBeCloseTo(1, 12);
      expect(depth >= 0 && area >= 0 && Number.isFinite(depth + area), `seed ${seed}`).toBe(true);
      expect(points.length, `seed ${seed}`).toBeGreaterThan(0);
      for (const position of [point, ...points.map(part => part.position)]) {
        for (const body of [a, b]) {
          // The bound is 2^-42 of the size of the triangles, here up to 6, and of coordinates 2^-50.
          expect(away(scene, body, position), `seed ${seed}, ${position}`).toBeLessThan(2 ** -39);
        }
      }
    }
    scene.close();
  }
  expect(seen).toBeGreaterThan(rounds / 3);
});

const box = (low: readonly number[], high: readonly number[]): Mesh => {
  const { positions, indices } = shapes.box();
  return mesh(
    positions.map((x, i) => (x < 0 ? low[i % 3] : high[i % 3])),
    indices,
  );
};

function onePatch(a: Mesh, poseA: Place, b: Mesh, poseB: Place, said: string): ContactPatch {
  const scene = nf.scene();
  const { patches } = scene.contactsSync(scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB }));
  scene.close();
  expect(patches.length, said).toBe(1);
  return patches[0];
}

const thicknesses = [0, 1e-16, 2 ** -52, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2];

test('a box pressed into a box less and less: area, depth, normal and point become those of touching', () => {
  // Inside the face, flush with two of its sides, beyond one, and as large as it.
  const footprints = [
    [0.25, 0.25, 0.75, 0.75],
    [0, 0, 0.5, 1],
    [0.5, 0.25, 1.5, 0.75],
    [0, 0, 1, 1],
  ];
  for (const thickness of thicknesses) {
    for (const [x, y, right, top] of footprints) {
      const said = `${thickness} of ${[x, y, right, top]}`;
      const upper = box([x, y, 1 - thickness], [right, top, 2]);
      const patch = onePatch(box([0, 0, 0], [1, 1, 1]), at(0, 0, 0), upper, at(0, 0, 0), said);
      const [width, length] = [Math.min(right, 1) - x, top - y];
      // The part that sides add to the face grows with the thickness.
      const slack = 2 * thickness + 1e-12;
      expect(Math.abs(patch.area - width * length), said).toBeLessThan(slack);
      expect(Math.abs(patch.normal[2] - 1), said).toBeLessThan(slack);
      expect(Math.abs(patch.depth - (1 - (1 - thickness))), said).toBeLessThan(4 * thickness + 1e-15);
      expect(Math.abs(patch.point[0] - (x + width / 2)), said).toBeLessThan(slack);
      expect(Math.abs(patch.point[1] - (y + length / 2)), said).toBeLessThan(slack);
    }
  }
});

test('an edge pressed into a face less and less: the normal stays, the area vanishes with the depth', () => {
  // A roof with its ridge downwards.
  const roof = mesh(
    Float64Array.from([-0.5, 0, 0, 0.5, 0, 0, -0.5, -0.5, 1, 0.5, -0.5, 1, -0.5, 0.5, 1, 0.5, 0.5, 1]),
    Uint32Array.from([0, 1, 3, 0, 3, 2, 0, 4, 5, 0, 5, 1, 2, 3, 5, 2, 5, 4, 0, 2, 4, 1, 5, 3]),
  );
  expect(roof.solid && roof.volume > 0).toBe(true);
  for (const thickness of thicknesses) {
    const said = `${thickness}`;
    const patch = onePatch(box([-1, -1, -1], [1, 1, 0]), at(0, 0, 0), roof, at(0, 0, -thickness), said);
    expect(Math.abs(patch.normal[2] - 1), said).toBeLessThan(2 * thickness + 1e-9);
    expect(Math.abs(patch.depth - thickness), said).toBeLessThan(1e-15);
    expect(Math.abs(patch.area - thickness), said).toBeLessThan(1e-9 * thickness + 1e-15);
    expect(Math.abs(patch.point[0]) + Math.abs(patch.point[1]), said).toBeLessThan(1e-9);
  }
});
