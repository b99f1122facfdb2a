import { describe, expect, it } from 'vitest';
import { extremePoints, extremeTriangle } from '../../../../test/oracle/extremes.ts';
import { Failures } from '../../../../test/oracle/failures.ts';
import { neighbourOf, type Random, randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import type { Body } from '../bodies/body.ts';
import type { CpuScene } from '../cpu-scene.ts';
import { type Pose, placeTriangle } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';
import type { RegionHits } from './answer.ts';
import { oracleBoxMeets, oracleSphereMeets } from './testing/oracle.ts';

const nf = await open({ backend: 'cpu' });
const large = process.env['NEARFIELD_SLOW'] ? 50 : 1;
const first = Number(process.env['NEARFIELD_SEED'] ?? 1);

/** Corners of a body's triangles in the world, nine numbers each. */
function cornersOf({ mesh: own, pose }: Body): Float64Array {
  const corners = new Float64Array(9 * own.triangleCount);
  for (let t = 0; t < own.triangleCount; t++)
    placeTriangle(pose as Pose, own.positions, own.indices, t, corners, 9 * t);
  return corners;
}

const soup = (corners: ArrayLike<number>): Mesh =>
  mesh(
    Float64Array.from(corners),
    Uint32Array.from({ length: corners.length / 3 }, (_, i) => i),
  );

/** Compares every detail of an answer with the oracle, triangle by triangle. */
function compare(
  scene: CpuScene,
  bodies: readonly Body[],
  regions: Float64Array,
  areSpheres: boolean,
  failures: Failures,
  said: string,
): RegionHits {
  const numbers = areSpheres ? 4 : 6;
  const meets = areSpheres ? oracleSphereMeets : oracleBoxMeets;
  const expected: [number, number, number[]][] = [];
  const worlds = bodies.map(cornersOf);
  for (let region = 0; region < regions.length / numbers; region++) {
    const own = regions.subarray(numbers * region, numbers * (region + 1));
    worlds.forEach((corners, body) => {
      const met: number[] = [];
      for (let t = 0; t < corners.length / 9; t++)
        if (meets(own, corners.subarray(9 * t, 9 * t + 9))) met.push(t);
      if (met.length > 0) expected.push([region, body, met]);
    });
  }
  const asked = (detail: 'list' | 'count' | 'any') =>
    areSpheres
      ? scene.inSphereSync(bodies, regions, { detail })
      : scene.inBoxSync(bodies, regions, { detail });
  const list = asked('list');
  const found = [...list].map(hit => [hit.region, hit.body, Array.from(hit.triangles!)]);
  const same = (a: unknown, b: unknown, what: string) =>
    failures.check(JSON.stringify(a) === JSON.stringify(b), () => {
      return `${said}, ${what}: ${JSON.stringify(a)}, not ${JSON.stringify(b)}; regions ${[...regions]}`;
    });
  same(found, expected, 'list');
  const count = asked('count');
  same(
    [...count].map(hit => [hit.region, hit.body, hit.triangleCount]),
    expected.map(([region, body, met]) => [region, body, met.length]),
    'count',
  );
  const any = asked('any');
  same(
    [...any].map(hit => [hit.region, hit.body]),
    expected.map(([region, body]) => [region, body]),
    'any',
  );
  same([...any.starts], [...list.starts], 'starts');
  return list;
}

function compareBoth(
  meshes: readonly (readonly [Mesh, (readonly number[])?])[],
  boxes: Float64Array,
  spheres: Float64Array,
  failures: Failures,
  said: string,
): void {
  const scene = nf.scene();
  const bodies = meshes.map(([own, pose]) => scene.add(own, pose ? { pose } : {}));
  compare(scene, bodies, boxes, false, failures, `${said}, boxes`);
  compare(scene, bodies, spheres, true, failures, `${said}, spheres`);
  scene.close();
}

/** Boxes between pairs of points. */
function boxesBetween(points: Float64Array): Float64Array {
  const boxes = new Float64Array(points.length);
  for (let at = 0; at < points.length; at += 6) {
    for (let k = 0; k < 3; k++) {
      boxes[at + k] = Math.min(points[at + k], points[at + 3 + k]);
      boxes[at + 3 + k] = Math.max(points[at + k], points[at + 3 + k]);
    }
  }
  return boxes;
}

/** A quarter turn about an axis, with a translation: exact for small whole numbers. */
function quarterTurn(random: Random): number[] {
  const pose = new Array<number>(16).fill(0);
  const axis = whole(random, 0, 2);
  const sign = random() < 0.5 ? -1 : 1;
  pose[5 * axis] = 1;
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  pose[4 * i + j] = sign;
  pose[4 * j + i] = -sign;
  for (let k = 0; k < 3; k++) pose[12 + k] = whole(random, -2, 2);
  pose[15] = 1;
  return pose;
}

const turned = (angle: number): number[] => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, s, 0.1, 0, -s, c, 0.2, 0, 0, -0.3, 1.5, 0, 0.5, -0.25, 0.125, 1];
};

describe('against clipping and distances in exact fractions, all triangles', () => {
  it('on a small grid, where most regions touch corners, edges or planes', () => {
    const failures = new Failures();
    for (let seed = first; seed < first + 40 * large; seed++) {
      const random = randomFrom(seed);
      const triangles = Array.from({ length: 9 * (1 + whole(random, 0, 11)) }, () => whole(random, -1, 2));
      const boxes = boxesBetween(Float64Array.from({ length: 6 * 20 }, () => whole(random, -3, 4)));
      const spheres = Float64Array.from({ length: 4 * 20 }, (_, i) =>
        i % 4 === 3 ? whole(random, 0, 5) : whole(random, -5, 6),
      );
      const other = Array.from({ length: 9 * (1 + whole(random, 0, 5)) }, () => whole(random, -1, 2));
      compareBoth(
        [[soup(triangles)], [soup(other), quarterTurn(random)]],
        boxes,
        spheres,
        failures,
        `seed ${seed}`,
      );
    }
    expect(failures.list).toEqual([]);
  });

  it('of needles, caps and slivers, of any size and anywhere, by regions that only just touch', () => {
    const failures = new Failures();
    for (let seed = first; seed < first + 150 * large; seed++) {
      const random = randomFrom(seed + 1_000_000);
      const triangles = Array.from({ length: 1 + whole(random, 0, 2) }, () => extremeTriangle(random));
      const corners = Float64Array.from(triangles.flatMap(triangle => [...triangle.corners]));
      if (!corners.every(Number.isFinite)) continue;
      const points = extremePoints(random, corners, 12);
      const boxes = boxesBetween(points);
      // Balls as large as the distance to some corner, or its neighbours among doubles.
      const spheres = new Float64Array(4 * 8);
      for (let i = 0; i < 8; i++) {
        const centre = points.subarray(3 * i, 3 * i + 3);
        const corner = 3 * whole(random, 0, corners.length / 3 - 1);
        const distance = Math.hypot(...centre.map((x, k) => corners[corner + k] - x));
        const radius = random() < 0.2 ? 0 : neighbourOf(distance, whole(random, -1, 1));
        spheres.set(centre, 4 * i);
        spheres[4 * i + 3] = radius >= 0 && Number.isFinite(radius) ? radius : 0;
      }
      compareBoth([[soup(corners)]], boxes, spheres, failures, `seed ${seed}: ${triangles.map(t => t.kind)}`);
    }
    expect(failures.list).toEqual([]);
  });

  it('of a mesh with many levels, placed by any pose, by regions of any size', () => {
    const failures = new Failures();
    const ball = shapes.icosphere({ frequency: 6 });
    for (let seed = first; seed < first + 6 * large; seed++) {
      const random = randomFrom(seed + 2_000_000);
      const around = (size: number) => Array.from({ length: 3 }, () => size * (random() - 0.5));
      const size = [1, 2 ** -900, 2 ** 900, 1][seed % 4];
      const pose = turned(seed).map((x, i) => (i === 15 ? 1 : x * size));
      if (seed % 4 === 3) for (let k = 12; k < 15; k++) pose[k] = 1e6;
      const centre = pose.slice(12, 15);
      const at = (i: number) => around(size * [0.001, 0.3, 2, 8][i % 4]).map((x, k) => x + centre[k]);
      const ends = Float64Array.from(Array.from({ length: 12 }, (_, i) => [...at(i), ...at(i)]).flat());
      const spheres = Float64Array.from(
        Array.from({ length: 12 }, (_, i) => [
          ...at(i),
          size * [0, 0.2, 1.5, 4][(i * 5) % 4] * random(),
        ]).flat(),
      );
      compareBoth([[ball, pose]], boxesBetween(ends), spheres, failures, `seed ${seed}`);
    }
    expect(failures.list).toEqual([]);
  });
});

it('takes whole subtrees without a triangle test if they lie within', () => {
  const scene = nf.scene();
  const ball = shapes.icosphere({ frequency: 30 });
  const body = scene.add(ball, { pose: turned(1) });
  for (const found of [
    scene.inBoxSync(body, Float64Array.of(-9, -9, -9, 9, 9, 9)),
    scene.inSphereSync(body, Float64Array.of(0, 0, 0, 9)),
  ]) {
    expect(found.triangles).toEqual(Uint32Array.from({ length: ball.triangleCount }, (_, i) => i));
    expect(found.stats.triangleTests).toBe(0);
    expect(found.stats.boxTests).toBeLessThan(20);
  }
  scene.close();
});

it('decides flush boxes along the axes without exact arithmetic', () => {
  const scene = nf.scene();
  const cube = scene.add(shapes.box({ size: [2, 2, 2] }));
  const touching = Float64Array.of(1, -1, -1, 3, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, 1, 1, 1);
  const { stats, length } = scene.inBoxSync(cube, touching);
  expect([stats.unsure, length]).toEqual([0, 3]);
  scene.close();
});

it('finds the same among many bodies as in one after another', async () => {
  const random = randomFrom(7);
  const scene = nf.scene();
  const shape = shapes.icosphere({ frequency: 2 });
  const bodies = Array.from({ length: 40 }, () =>
    scene.add(shape, {
      pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...[0, 0, 0].map(() => whole(random, 0, 8)), 1],
    }),
  );
  const empty = scene.add(mesh(new Float64Array(), new Uint32Array()));
  const list = [...bodies.slice(0, 20), empty, ...bodies.slice(20)];
  const boxes = boxesBetween(Float64Array.from({ length: 6 * 60 }, () => whole(random, 0, 9)));
  const spheres = Float64Array.from({ length: 4 * 60 }, (_, i) => whole(random, 0, i % 4 === 3 ? 3 : 9));
  for (const [kind, regions] of [
    ['inBox', boxes],
    ['inSphere', spheres],
  ] as const) {
    const together = await scene[kind](list, regions);
    const singly = list.flatMap((body, index) =>
      [...scene[`${kind}Sync`](body, regions)].map(hit => ({ ...hit, body: index })),
    );
    singly.sort((a, b) => a.region - b.region || a.body - b.body);
    expect([...together]).toEqual(singly);
    expect(together.length).toBeGreaterThan(60);
  }
  scene.close();
});

it('accepts no regions, no bodies, and regions far beyond the bodies', () => {
  const scene = nf.scene();
  const body = scene.add(shapes.box({ size: [1, 1, 1] }));
  const huge = Number.MAX_VALUE;
  expect(scene.inBoxSync(body, new Float64Array()).length).toBe(0);
  expect(scene.inSphereSync([], Float64Array.of(0, 0, 0, 1)).starts).toEqual(Uint32Array.of(0, 0));
  const boxes = Float64Array.of(-huge, -huge, -huge, huge, huge, huge, huge, 0, 0, huge, 0, 0);
  expect([...scene.inBoxSync(body, boxes)].map(hit => [hit.region, hit.triangleCount])).toEqual([[0, 12]]);
  const spheres = Float64Array.of(0, 0, 0, huge, huge, 0, 0, huge, -huge, 0, 0, 1);
  expect([...scene.inSphereSync(body, spheres)].map(hit => [hit.region, hit.triangleCount])).toEqual([
    [0, 12],
    // Half a unit to the left of the huge sphere's left end are the corners at −0.5: only the right half of the box is in it.
    [1, oracleCount(body, [huge, 0, 0, huge])],
  ]);
  scene.close();
});

const oracleCount = (body: Body, ball: readonly number[]): number => {
  const corners = cornersOf(body);
  let count = 0;
  for (let at = 0; at < corners.length; at += 9)
    if (oracleSphereMeets(ball, corners.subarray(at, at + 9))) count++;
  return count;
};

it('gives objects only where looked at', () => {
  const scene = nf.scene();
  const body = scene.add(shapes.box({ size: [2, 2, 2] }));
  const found = scene.inBoxSync(body, Float64Array.of(0.9, -0.5, -0.5, 1.5, 0.5, 0.5));
  expect(found.at(0)).toMatchObject({ region: 0, body: 0, triangleCount: 2 });
  expect(() => found.at(1)).toThrow('place must be a whole number up to 0, not 1');
  const any = scene.inBoxSync(body, Float64Array.of(0.9, -0.5, -0.5, 1.5, 0.5, 0.5), { detail: 'any' });
  expect(any.at(0)).toEqual({ region: 0, body: 0, triangleCount: undefined, triangles: undefined });
  scene.close();
});
