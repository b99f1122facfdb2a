import { describe, expect, test } from 'vitest';
import { randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { treeLevels } from '../inspect/tree-levels.ts';
import {
  hardPair,
  hardPoses,
  place,
  randomMesh,
  worldTriangles,
} from '../interferences/hierarchy/cpu/testing/scenes.ts';
import {
  BruteEngine,
  identityPose,
  placedSoup,
  randomIntegers,
} from '../interferences/testing/brute-engine.ts';
import { type GridSolid, randomBoxes, randomCubes } from '../interferences/testing/grid-solids.ts';
import { fromDoubles, type Homogeneous } from '../math/exact/rational.ts';
import { halfSolidAngle } from '../math/solid-angle.ts';
import { icosphere, torusKnot } from '../shapes/index.ts';
import { pointsInside, seededRandom, windingNumber } from './winding.ts';

const engine = new BruteEngine();
const size = 3;

/** Every grid point and every point halfway between, in units of one half. */
function* halves(): Generator<[number, number, number]> {
  for (let x = -1; x <= 2 * size + 1; x++) {
    for (let y = -1; y <= 2 * size + 1; y++) {
      for (let z = -1; z <= 2 * size + 1; z++) yield [x, y, z];
    }
  }
}

function* solids(count: number): Generator<{ seed: number; solid: GridSolid; body: Placed }> {
  for (let seed = 1; seed <= count; seed++) {
    const random = randomIntegers(seed);
    const solid = seed % 2 ? randomBoxes(random, 4, size) : randomCubes(random, size);
    yield { seed, solid, body: placedSoup(solid.triangles) };
  }
}

describe('points in solids on the grid', () => {
  test('grid points and points halfway between: outside, inside, on the surface', () => {
    for (const { seed, solid, body } of solids(process.env.NEARFIELD_SLOW ? 120 : 6)) {
      const points = [...halves()];
      const places = pointsInside(
        engine,
        body,
        points.flat().map(x => x / 2),
      );
      points.forEach(([x, y, z], i) => {
        const expected = solid.onSurface(x, y, z) ? 2 : solid.holds(x, y, z) ? 1 : 0;
        expect(places[i], `seed ${seed}, point ${x / 2} ${y / 2} ${z / 2}`).toBe(expected);
      });
    }
  });

  test('the same for exact rational points, including points that are not doubles', () => {
    for (const { seed, solid, body } of solids(4)) {
      for (const [x, y, z] of halves()) {
        const exact = windingNumber(engine, body, fromDoubles(x / 2, y / 2, z / 2));
        const rounded = windingNumber(engine, body, [x / 2, y / 2, z / 2]);
        expect(exact, `seed ${seed}, point ${x / 2} ${y / 2} ${z / 2}`).toEqual(rounded);
        if (x % 2 === 0 || y % 2 === 0 || z % 2 === 0) continue;
        // A third of the way through the cube in each direction.
        const [i, j, k] = [(x - 1) / 2, (y - 1) / 2, (z - 1) / 2];
        const third: Homogeneous = {
          x: BigInt(3 * i + 1),
          y: BigInt(3 * j + 1),
          z: BigInt(3 * k + 2),
          w: 3n,
        };
        expect(windingNumber(engine, body, third).winding !== 0).toBe(solid.inside(i, j, k));
      }
    }
  });
});

describe('points in a ball', () => {
  const ball = (pose: Float64Array): Placed => {
    const mesh = icosphere({ frequency: 4 });
    return { shape: { mesh, positions: mesh.positions, revision: 0 }, pose, poseRevision: 0 };
  };
  test('the winding number is 1, and −1 for a mirrored ball', () => {
    expect(windingNumber(engine, ball(identityPose()), [0, 0, 0])).toEqual({ winding: 1, on: false });
    const mirror = identityPose();
    mirror[5] = -1;
    expect(windingNumber(engine, ball(mirror), [0, 0, 0])).toEqual({ winding: -1, on: false });
    expect(windingNumber(engine, ball(mirror), [0, 0.9, 0.9])).toEqual({ winding: 0, on: false });
  });
  test('its own vertices are on it', () => {
    const body = ball(identityPose());
    expect(pointsInside(engine, body, body.shape.positions).every(place => place === 2)).toBe(true);
  });
  test('no points', () => expect(pointsInside(engine, ball(identityPose()), [])).toEqual(new Uint8Array()));
});

test('a point collinear with a triangle whose corners are collinear', () => {
  // A tetrahedron whose side from (0, 0, 0) to (2, 0, 0) is one edge of the face below and two edges of the other face.
  // Other tetrahedra lie far away on both sides, so that the box does not decide.
  const [a, b, middle] = ['0 0 0', '2 0 0', '1 0 0'];
  const [c, d] = ['1 2 0', '1 1 2'];
  const faces = [a, c, middle, middle, c, b, a, b, d, b, c, d, c, a, d, a, middle, b];
  const corners = faces.map(corner => corner.split(' ').map(Number));
  const at = (offset: number) =>
    Array.from({ length: 6 }, (_, t) => corners.slice(3 * t, 3 * t + 3).flatMap(v => v.map(x => x + offset)));
  const body = placedSoup([...at(0), ...at(-20), ...at(20)]);
  expect(body.shape.mesh.solid).toBe(true);
  for (const x of [-1, 3, 4.5]) {
    expect(windingNumber(engine, body, [x, 0, 0])).toEqual({ winding: 0, on: false });
    expect(windingNumber(engine, body, fromDoubles(x, 0, 0))).toEqual({ winding: 0, on: false });
  }
  for (const point of [
    [0.5, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
  ]) {
    expect(windingNumber(engine, body, point).on).toBe(true);
    expect(windingNumber(engine, body, fromDoubles(point[0], 0, 0)).on).toBe(true);
  }
  expect(Math.abs(windingNumber(engine, body, [1, 1, 0.5]).winding)).toBe(1);
});

/** Random points, and corners, edge midpoints and face points of triangles, rounded to doubles. */
function* pointsAround(body: Placed, random: () => number, count: number): Generator<number[]> {
  const world = worldTriangles(body);
  const at = (t: number, weights: readonly number[]) =>
    [0, 1, 2].map(i => weights.reduce((sum, w, corner) => sum + w * world[9 * t + 3 * corner + i], 0));
  for (let i = 0; i < count; i++) {
    const [t, other] = [0, 0].map(() => whole(random, 0, world.length / 9 - 1));
    yield at(t, [1, 0, 0]);
    yield at(t, [0.5, 0.5, 0]);
    yield at(t, [0.25, 0.25, 0.5]);
    // Beyond an edge, and collinear with it.
    yield at(t, [2, -1, 0]);
    yield at(t, [0, 0, 1]).map((x, axis) => (x + at(other, [1, 0, 0])[axis]) / 2);
  }
}

/**
 * The answer must not depend on which triangles the finder returns besides those that a ray meets: all of them, those
 * near the ray in a tree, or those that a linear search keeps.
 */
async function comparesFinders(bodies: Iterable<{ name: string; body: Placed; random: () => number }>) {
  const cpu = await createCpuEngine();
  for (const { name, body, random } of bodies) {
    const points = [...pointsAround(body, random, 3)];
    const brute = points.map(point => windingNumber(engine, body, point));
    // Few enough points that no tree is built.
    expect(
      points.map(point => windingNumber(finderOf(cpu), body, point)),
      `${name}, searched`,
    ).toEqual(brute);
    treeLevels(cpu, body);
    expect(
      points.map(point => windingNumber(finderOf(cpu), body, point)),
      `${name}, walked`,
    ).toEqual(brute);
    cpu.forget(body.shape);
  }
  cpu.close();
}

describe('with a tree, without one, and from all triangles the answer is the same', () => {
  const rounds = process.env.NEARFIELD_SLOW ? 200 : 5;
  test.each(hardPoses)('open and degenerate shapes placed %s', kind =>
    comparesFinders(
      Array.from({ length: rounds }, (_, round) => {
        const seed = 41 * round + hardPoses.indexOf(kind);
        const random = randomFrom(seed);
        const shape = randomMesh(random, whole(random, 1, 60));
        return { name: `seed ${seed}`, body: place(shape, hardPair(random, kind)[0]), random };
      }),
    ),
  );
  test('solids', () =>
    comparesFinders(
      [icosphere({ frequency: 6 }), torusKnot({}), randomCubes(randomIntegers(4), 3)].map((given, seed) => ({
        name: `solid ${seed}`,
        body: 'triangles' in given ? placedSoup(given.triangles) : place(given),
        random: randomFrom(seed),
      })),
    ));
});

describe('when the first ray meets corners and edges', () => {
  /** A point on the first ray from 0 in a box from −1 to 1. Multiples by powers of two are exactly on the ray. */
  const random = seededRandom();
  const onRay = [0, 1, 2].map(axis => 2 * ((axis === 0 ? -1 : 0) + 0.05 * (random() - 0.5)));
  const times = (factor: number, [x, y, z]: number[]) => [factor * x, factor * y, factor * z];
  const tetrahedron = (a: number[], b: number[], c: number[], d: number[]) =>
    [a.concat(b, c), a.concat(c, d), a.concat(d, b), b.concat(d, c)].map(t => t.flat());
  // Four corners of the box; the tetrahedron winds once around 0.
  const around = tetrahedron([1, 1, 1], [-1, -1, 1], [1, -1, -1], [-1, 1, -1]);

  /** The winding number by solid angles, with the sign of the tetrahedra's orientation. */
  const turns = (triangles: number[][]) => {
    const halves = triangles.map(t => {
      const [a, b, c] = [t.slice(0, 3), t.slice(3, 6), t.slice(6, 9)];
      const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
      const lengths = [a, b, c].map(v => Math.hypot(...v)) as [number, number, number];
      return halfSolidAngle(dot(a, cross), ...lengths, dot(a, b), dot(b, c), dot(c, a));
    });
    return halves.reduce((sum, half) => sum + half, 0) / (2 * Math.PI);
  };

  test('the winding number equals that from solid angles', async () => {
    const cpu = await createCpuEngine();
    for (let seed = 0; seed < (process.env.NEARFIELD_SLOW ? 3000 : 100); seed++) {
      const random = randomFrom(seed);
      const anywhere = () => [0, 1, 2].map(() => random() - 0.5);
      const side = anywhere();
      const corner = [
        () => times(2 ** -whole(random, 2, 5), onRay),
        () => times(-(2 ** -whole(random, 2, 5)), onRay),
        () => times(2 ** -whole(random, 0, 3), side),
        anywhere,
      ];
      const corners = [0, 0, 0, 0].map(() => corner[whole(random, 0, 3)]());
      const triangles = [...around, ...tetrahedron(corners[0], corners[1], corners[2], corners[3])];
      const body = placedSoup(triangles);
      const found = [engine, finderOf(cpu)].map(finder => windingNumber(finder, body, [0, 0, 0]));
      treeLevels(cpu, body);
      found.push(windingNumber(finderOf(cpu), body, [0, 0, 0]));
      expect(found, `seed ${seed}`).toEqual([found[0], found[0], found[0]]);
      if (!found[0].on) expect(found[0].winding, `seed ${seed}`).toBeCloseTo(turns(triangles), 6);
      cpu.forget(body.shape);
    }
    cpu.close();
  });
});
