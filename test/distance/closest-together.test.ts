// Nearest points of many points, which are searched together with boxes along the surface, against brute force over all triangles in exact
// fractions; and against the same points one at a time.

import { type ClosestPoints, identity, type Mesh, mesh, open, type Pose, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';
import { worldCorners } from '../oracle/triangles/brute-distance.ts';
import { randomFrom } from '../oracle/triangles/generators.ts';
import { exactNearest, isRightTo } from '../spec/proximity/closest-slivers.ts';

const nearfield = await open({ backend: 'cpu', threads: 1 });
afterAll(() => nearfield.close());

function ask(given: Mesh, pose: Pose, points: Float64Array, upTo = Infinity): ClosestPoints {
  const scene = nearfield.scene();
  const found = scene.closestSync(scene.add(given, { pose }), points, { upTo });
  scene.close();
  return found;
}

/** Every triangle with vertices of its own. */
function soupOf({ positions, indices }: Mesh): Mesh {
  return mesh(
    Float64Array.from(
      { length: 3 * indices.length },
      (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
    ),
  );
}

const turned: Pose = Float64Array.of(0.36, 0.48, -0.8, 0, -0.8, 0.6, 0, 0, 0.48, 0.64, 0.6, 0, 3, -2, 0.5, 1);
const sphere = shapes.displacedSphere({ triangles: 320, seed: 3 });

describe('points searched together', () => {
  const cases: [name: string, given: Mesh, pose: Pose, reach: number, scale: number][] = [
    ['of a smooth surface', sphere, identity(), 1.5, 1],
    ['of a turned body', sphere, turned, 4, 1],
    ['of triangles with vertices of their own', soupOf(sphere), identity(), 1.5, 1],
    ['near to far away', sphere, identity(), 1e5, 1],
    ['of numbers near 2^-900', scaled(sphere, 2 ** -900), identity(), 1.5, 2 ** -900],
    ['of numbers near 2^900', scaled(sphere, 2 ** 900), identity(), 1.5, 2 ** 900],
  ];
  for (const [name, given, pose, reach, scale] of cases) {
    it(`have the exact distance and the lowest of the nearest triangles ${name}`, () => {
      const seed = 11;
      const random = randomFrom(seed);
      const corners = worldCorners({ mesh: given, pose: [...pose] });
      const points = Float64Array.from({ length: 3 * 300 }, (_, i) => {
        // Some lie at vertices, where many triangles are equally near.
        const atVertex = i % 30 < 3;
        return atVertex ? corners[9 * Math.floor(i / 30) + (i % 3)] : scale * reach * (2 * random() - 1);
      });
      const { distances, triangles } = ask(given, pose, points);
      // Fractions of such numbers take a thousand digits each.
      for (let i = 0; i < 300; i += scale === 1 ? 6 : 100) {
        const exact = exactNearest(corners, points.subarray(3 * i, 3 * i + 3));
        expect(isRightTo(distances[i], exact.squared, 52), `seed ${seed}, point ${i}: ${distances[i]}`).toBe(
          true,
        );
        expect(triangles[i], `seed ${seed}, point ${i}`).toBe(exact.triangle);
      }
    });
  }

  it('have the lowest triangle of a shared edge or vertex, on flat, folded, repeated and degenerate triangles', () => {
    const seed = 13;
    const random = randomFrom(seed);
    const below = (count: number) => Math.floor(count * random());
    for (let round = 0; round < 24; round++) {
      const positions = Float64Array.from({ length: 3 * 20 }, () => below(2 + (round % 4)));
      const indices = Uint32Array.from({ length: 3 * 40 }, () => below(20));
      for (let t = 0; t < 120; t += 3) {
        if (below(6) === 0) indices[t + 1] = indices[t];
        if (t > 0 && below(6) === 0) indices.copyWithin(t, t - 3, t);
      }
      const given = mesh(positions, indices);
      const pose = round % 2 === 0 ? identity() : turned;
      const corners = worldCorners({ mesh: given, pose: [...pose] });
      const points = Float64Array.from({ length: 3 * 300 }, (_, i) => {
        const corner = 9 * (Math.floor(i / 3) % 40) + (i % 3);
        const middle = (corners[corner] + corners[corner + 3]) / 2;
        return i % 4 === 0 ? middle : i % 60 < 30 ? below(9) / 2 : 8 * random() - 2;
      });
      const { distances, triangles } = ask(given, pose, points);
      for (let i = round % 10; i < 300; i += 10) {
        const exact = exactNearest(corners, points.subarray(3 * i, 3 * i + 3));
        const name = `seed ${seed}, round ${round}, point ${i}`;
        expect(isRightTo(distances[i], exact.squared, 52), name).toBe(true);
        expect(triangles[i], name).toBe(exact.triangle);
      }
    }
  });

  it('have the answers that they have one at a time', () => {
    const seed = 12;
    const random = randomFrom(seed);
    const large = shapes.displacedSphere({ triangles: 20_000, seed });
    // All triangles of a sphere are about equally near to its centre: the lists of the points overflow.
    const round = shapes.displacedSphere({ triangles: 20_000, seed, amplitude: 0 });
    for (const [given, upTo] of [
      [large, Infinity],
      [large, 0.3],
      [round, Infinity],
    ] as const) {
      const points = Float64Array.from({ length: 3 * 2500 }, (_, i) =>
        given === round && i % 600 < 3 ? 0 : 1.5 * (2 * random() - 1),
      );
      const together = ask(given, turned, points, upTo);
      for (let i = 0; i < 2500; i += 50) {
        // One point is too few for boxes along the surface of a mesh that large.
        const alone = ask(given, turned, points.slice(3 * i, 3 * i + 3), upTo);
        const label = `seed ${seed}, point ${i}`;
        expect(together.distances[i], label).toBe(alone.distances[0]);
        expect(together.triangles[i], label).toBe(alone.triangles[0]);
        expect(together.features[i], label).toBe(alone.features[0]);
        expect([...together.points.subarray(3 * i, 3 * i + 3)], label).toEqual([...alone.points]);
      }
    }
  });

  it('are about the positions after a deformation', () => {
    const scene = nearfield.scene();
    const body = scene.add(sphere);
    const random = randomFrom(13);
    const points = Float64Array.from({ length: 3 * 300 }, () => 1.5 * (2 * random() - 1));
    scene.closestSync(body, points);
    const moved = sphere.positions.map(value => 0.5 * value);
    body.deform(moved);
    const after = scene.closestSync(body, points);
    const fresh = ask(mesh(moved, sphere.indices), identity(), points);
    expect(after.distances).toEqual(fresh.distances);
    expect(after.triangles).toEqual(fresh.triangles);
    scene.close();
  });
});

function scaled({ positions, indices }: Mesh, factor: number): Mesh {
  return mesh(
    Float64Array.from(positions, value => value * factor),
    indices,
  );
}
