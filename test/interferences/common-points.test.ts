// The common points of pairs lie in both bodies, within their stated bound. The oracle is the exact distance of a point from a
// triangle in fractions, by perpendiculars onto all corners, edges and faces. For solids within solids, rays in exact
// arithmetic.

import { type Body, type CpuScene, mesh, open, type Pair, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { Failures } from '../oracle/failures.ts';
import {
  gridPair,
  nearlyTouchingPair,
  type Random,
  randomFrom,
  resize,
  wildPair,
} from '../oracle/triangles/generators.ts';
import { compareFractions, fractionOf, pointSquaredDistance } from '../oracle/triangles/least-difference.ts';
import { kinds, translation } from '../spec/scenes.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const rounds = process.env.NEARFIELD_SLOW ? 20 : 1;

/** 2^-40 of the size of the triangles, 2^-50 of the place, and the smallest double; squared, as a fraction. */
function boundOf(size: number, point: ArrayLike<number>) {
  const place = Math.max(...Array.from(point, Math.abs));
  const { numerator, denominator } = fractionOf(2 ** -40 * size + 2 ** -50 * place + 5e-324);
  return { numerator: numerator ** 2n, denominator: denominator ** 2n };
}

const isNear = (point: ArrayLike<number>, corners: ArrayLike<number>, size: number): boolean =>
  compareFractions(pointSquaredDistance(point, corners), boundOf(size, point)) <= 0;

function sizeOf(p: ArrayLike<number>): number {
  const axes = [0, 1, 2].map(axis => Array.from(p).filter((_, i) => i % 3 === axis));
  return Math.max(...axes.map(values => Math.max(...values) - Math.min(...values)));
}

const hardPairs: Readonly<Record<string, (random: Random, out: Float64Array) => void>> = {
  'on small grids': (random, out) => gridPair(random, out, 0.2),
  'within an ulp of touching': (random, out) => nearlyTouchingPair(random, out, 0.2),
  'on grids, resized': (random, out) => {
    gridPair(random, out, 0.2);
    resize(random, out);
  },
  'of all sizes': wildPair,
};

test.each(Object.keys(hardPairs))('a point of two triangles %s is in both', kind => {
  const failures = new Failures();
  let met = 0;
  for (let seed = 1; seed <= 600 * rounds; seed++) {
    const p = new Float64Array(18);
    hardPairs[kind](randomFrom(seed), p);
    const scene = nf.scene();
    try {
      scene.add(mesh(p.slice(0, 9)));
      scene.add(mesh(p.slice(9)));
      const [pair] = scene.interferencesSync();
      if (pair === undefined) continue;
      met++;
      const size = sizeOf(p);
      for (const corners of [p.slice(0, 9), p.slice(9)])
        failures.check(isNear(pair.point, corners, size), () => `seed ${seed}: ${pair.point} and ${[...p]}`);
    } finally {
      scene.close();
    }
  }
  expect(failures.list).toEqual([]);
  expect(met).toBeGreaterThan(rounds * (kind === 'of all sizes' ? 5 : 100));
});

/** The world corners of a triangle, nine numbers. */
function cornersOf({ mesh: { indices, positions }, pose: m }: Body, t: number): number[] {
  return [0, 1, 2].flatMap(k => {
    const v = 3 * indices[3 * t + k];
    const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
    return [0, 1, 2].map(row => m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row]);
  });
}

const isInBox = (point: ArrayLike<number>, p: readonly number[], slack: number): boolean =>
  [0, 1, 2].every(axis => {
    const values = [p[axis], p[axis + 3], p[axis + 6]];
    return point[axis] >= Math.min(...values) - slack && point[axis] <= Math.max(...values) + slack;
  });

/** Whether two triangles that meet have the point within the bound, or both solids have it. */
function isCommon(scene: CpuScene, pair: Pair): boolean {
  const { a, b, triangles, point } = pair;
  for (let i = 0; i < triangles.length; i += 2) {
    const [p, q] = [cornersOf(a, triangles[i]), cornersOf(b, triangles[i + 1])];
    const size = sizeOf([...p, ...q]);
    const slack = 2 ** -30 * size + 2 ** -40 * Math.max(...Array.from(point, Math.abs));
    if (!isInBox(point, p, slack) || !isInBox(point, q, slack)) continue;
    if (isNear(point, p, size) && isNear(point, q, size)) return true;
  }
  return [a, b].every(body => body.mesh.solid && scene.insideSync(body, point)[0] !== 0);
}

test.each(kinds(12).map(({ name }) => name))('points of %s are in both bodies', async name => {
  const { parts } = kinds(12).find(kind => kind.name === name)!;
  const failures = new Failures();
  let count = 0;
  for (let seed = 1; seed <= 12 * rounds; seed++) {
    const scene = nf.scene() as CpuScene;
    for (const { mesh, pose } of parts(shapes.createRandom(seed))) scene.add(mesh, { pose });
    const answer = await scene.interferences();
    const points = await answer.points();
    expect(points.length, `seed ${seed}`).toBe(3 * answer.length);
    answer.pairs.forEach((pair, i) => {
      count++;
      failures.check(isCommon(scene, pair), () => `seed ${seed}, pair ${i}: ${pair.point}`);
      failures.check(
        pair.point.every((x, axis) => x === points[3 * i + axis]),
        () => `seed ${seed}, pair ${i}: pair.point differs from points()`,
      );
    });
    // The same point whichever detail was asked for.
    const any = scene.interferencesSync({ detail: 'any' });
    failures.check(
      any.pairs.every(({ point }, i) => point.every((x, axis) => x === points[3 * i + axis])),
      () => `seed ${seed}: detail any`,
    );
    scene.close();
  }
  expect(failures.list).toEqual([]);
  expect(count).toBeGreaterThan(0);
});

const at = (x: number, y = 0, z = 0): number[] => translation(x, y, z);

test('a point of two crossing bodies is in the middle of where they cross', () => {
  const scene = nf.scene();
  scene.add(shapes.box({ size: [10, 10, 1] }));
  scene.add(shapes.cylinder({ radius: 0.5, height: 4 }), { pose: at(3, 1, -2) });
  scene.add(shapes.box(), { pose: at(0, 0, 1) });
  const points = [...scene.interferencesSync()].map(({ point }) => [...point]);
  // On the rim of the hole, and on the face of the box.
  expect(Math.hypot(points[0][0] - 3, points[0][1] - 1)).toBeLessThan(0.51);
  expect(Math.abs(points[0][2])).toBeLessThanOrEqual(0.5);
  expect(Math.hypot(points[1][0], points[1][1])).toBeLessThan(0.5);
  expect(points[1][2]).toBe(0.5);
  scene.close();
});

test('a point of a solid within another is inside both, strictly', () => {
  const scene = nf.scene();
  const cases = [
    shapes.box({ size: [0.5, 0.5, 0.5] }),
    shapes.icosphere({ radius: 0.3, frequency: 4 }),
    // The middle of its box is not in it.
    shapes.torus({ majorRadius: 0.5, minorRadius: 0.1, majorSegments: 20, minorSegments: 10 }),
  ];
  for (const [i, shape] of cases.entries()) {
    scene.add(shapes.box({ size: [3, 3, 3] }), { pose: at(10 * i) });
    scene.add(shape, { pose: at(10 * i + 0.3, 0.2, 0.1) });
  }
  const answer = scene.interferencesSync();
  expect(answer.length).toBe(cases.length);
  for (const { a, b, point } of answer) {
    expect([scene.insideSync(a, point)[0], scene.insideSync(b, point)[0]]).toEqual([1, 1]);
  }
  scene.close();
});

test('one of several parts of a body within another has the point', () => {
  const [small, far] = [shapes.box({ size: [0.5, 0.5, 0.5] }), shapes.box({ size: [0.5, 0.5, 0.5] })];
  const positions = [...far.positions].map((x, i) => (i % 3 === 0 ? x + 20 : x));
  const both = mesh(
    Float64Array.from([...positions, ...small.positions]),
    Uint32Array.from([...far.indices, ...Array.from(small.indices, v => v + far.vertexCount)]),
  );
  const scene = nf.scene();
  const [a, b] = [scene.add(shapes.box({ size: [3, 3, 3] })), scene.add(both)];
  const [{ point }] = scene.interferencesSync();
  expect([scene.insideSync(a, point)[0], scene.insideSync(b, point)[0]]).toEqual([1, 1]);
  scene.close();
});

test('points are about the bodies as the question saw them, and can be cancelled', async () => {
  const scene = nf.scene();
  const bodies = [0, 0.75].map(x => scene.add(shapes.box(), { pose: at(x) }));
  const answer = await scene.interferences({ detail: 'count' });
  bodies[1].pose = Float64Array.from(at(50));
  const [x] = await answer.points();
  expect(x).toBeGreaterThanOrEqual(0.25);
  expect(x).toBeLessThanOrEqual(0.5);
  expect([...answer.pairs[0].point]).toEqual([...(await answer.points())]);
  // What is handed out is a copy.
  answer.pairs[0].point.fill(7);
  (await answer.points()).fill(7);
  expect(answer.pairs[0].point[0]).toBe(x);
  const reason = new Error('enough');
  await expect(answer.points({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  scene.close();
});
