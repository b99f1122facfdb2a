// Two contacts that were wrong, found by unions of tetrahedra against exact arithmetic. Faces that lie flat on one another
// and are narrow, as after a shear, had points outside both bodies, by up to 2^-35 of their size: the plane's normal
// was rounded along the face too. And a tunnel through the common part, whose wall winds the other way, became a
// contact of its own, with points that were not numbers, if an element elsewhere on the wall stood for its outline.

import { type Body, type CpuScene, mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { randomIntegers } from '../../../packages/nearfield/src/interferences/testing/brute-engine.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

type Point = readonly number[];
type Tetrahedron = readonly [Point, Point, Point, Point];

const soupOf = (all: readonly Tetrahedron[]): Float64Array =>
  Float64Array.from(
    all.flatMap(([a, b, c, d]) => [...a, ...c, ...b, ...a, ...b, ...d, ...b, ...c, ...d, ...a, ...d, ...c]),
  );

/** How far a point is from a body as a solid. */
function away(scene: CpuScene, body: Body, point: Float64Array): number {
  return scene.insideSync(body, point)[0] ? 0 : scene.closestSync(body, point).distances[0];
}

/** Sheared, then turned, neither along the axes: as doubles. */
function moved(shear: number, [x, y, z]: Point): Point {
  const [u, v, w] = [x + shear * (y + 2 * z), y, z];
  return [0.36 * u - 0.8 * v + 0.48 * w, 0.48 * u + 0.6 * v + 0.64 * w, -0.8 * u + 0.6 * w];
}

test('points of narrow faces that lie flat on one another lie on both bodies', () => {
  let found = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomIntegers(seed);
    const shear = 10 ** (4 + random(8));
    const point = (): Point => moved(shear, [random(2001) - 1000, random(2001) - 1000, random(2001) - 1000]);
    // A common face, and a corner of each body on either side of it.
    const [p, q, r] = [point(), point(), point()];
    const bodies = [point(), point()].map((apex): Tetrahedron[] => [[p, q, r, apex]]);
    const scene = nf.scene();
    const [a, b] = bodies.map(all => scene.add(mesh(soupOf(all))));
    const corners = bodies.flat(2);
    const size = Math.max(
      ...corners.flatMap(c => corners.map(d => Math.hypot(...c.map((x, i) => x - d[i])))),
    );
    for (const patch of scene.contactsSync(a, b).patches) {
      for (const position of [patch.point, ...patch.points.map(part => part.position)]) {
        const bound = 2 ** -42 * size + 2 ** -50 * Math.hypot(...position);
        for (const body of [a, b])
          expect(away(scene, body, position), `seed ${seed}`).toBeLessThanOrEqual(bound);
        found++;
      }
    }
    scene.close();
  }
  expect(found).toBeGreaterThan(60);
});

test('a tunnel through the common part is no contact of its own', () => {
  // The fourth tetrahedron is wound the other way: where it overlaps one other, the union has a tunnel.
  const union: Tetrahedron[] = [
    [
      [-4, 2, -11],
      [-11, -4, 4],
      [8, -10, -6],
      [5, -11, 1],
    ],
    [
      [5, 3, 1],
      [-1, 8, -3],
      [3, 3, -11],
      [-3, 1, 11],
    ],
    [
      [10, 7, 8],
      [-3, -9, -7],
      [3, 9, -7],
      [2, -6, -5],
    ],
    [
      [-9, -9, -8],
      [1, 5, 1],
      [8, -9, 5],
      [-3, -10, 9],
    ],
    [
      [1, 2, 3],
      [10, 6, 2],
      [9, 4, -5],
      [-4, 10, -3],
    ],
  ];
  const other: Tetrahedron = [
    [5, -3, -8],
    [-9, 8, 5],
    [7, -9, 5],
    [7, 10, -2],
  ];
  const scene = nf.scene();
  const [a, b] = [scene.add(mesh(soupOf(union))), scene.add(mesh(soupOf([other])))];
  const { patches } = scene.contactsSync(a, b);
  // On a grid of 220³ points, those in both bodies are connected.
  expect(patches.length).toBe(1);
  for (const position of [patches[0].point, ...patches[0].points.map(part => part.position)]) {
    for (const body of [a, b]) expect(away(scene, body, position)).toBeLessThan(2 ** -37);
  }
  scene.close();
});
