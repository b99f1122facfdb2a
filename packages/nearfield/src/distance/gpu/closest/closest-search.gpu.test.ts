// What the GPU calls certain about the triangles nearest to points is right by exact fractions, and what it lists
// contains the answer. The points are those for which single precision is hardest pressed: beside the boundaries between
// features, at every distance from the surface.

import { shapes } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { worldCorners } from '../../../../../../test/oracle/triangles/brute-distance.ts';
import {
  compareFractions,
  pointSquaredDistance,
} from '../../../../../../test/oracle/triangles/least-difference.ts';
import { exactNearest } from '../../../../../../test/spec/proximity/closest-slivers.ts';
import { affine, cubes, type Part, rigid, soup, translation } from '../../../../../../test/spec/scenes.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { gpuDistanceDriver } from '../../driver.ts';
import { type NearTriangles, nearWord } from '../../request.ts';

const rounds = process.env.NEARFIELD_SLOW ? 400 : 6;
const pointsEach = 120;
let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
});
afterAll(() => engine.close());

async function near(
  part: Part,
  points: Float64Array,
  upTo = Infinity,
  from = engine,
  plain = false,
): Promise<NearTriangles> {
  const { mesh, pose } = part;
  const shape = { mesh, positions: mesh.positions, revision: 0 };
  const driver = await from.driver(gpuDistanceDriver);
  const placed = { shape, pose: Float64Array.from(pose), poseRevision: 0 };
  const asked = { count: points.length / 3, now: points, copy: points };
  const found = await driver.nearTriangles(placed, asked, { upTo, plain });
  expect(found).toBeDefined();
  return found!;
}

type Answer =
  | { readonly kind: 'open' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'certain'; readonly triangle: number; readonly feature: number }
  | { readonly kind: 'list'; readonly triangles: readonly number[] };

function answerOf({ answers, triangles }: NearTriangles, i: number): Answer {
  const word = answers[i];
  if (word === nearWord.open) return { kind: 'open' };
  if (word === nearWord.nothing) return { kind: 'nothing' };
  const place = word & 0x1fffffff;
  if (word >>> 29 < 7) return { kind: 'certain', triangle: place, feature: word >>> 29 };
  return { kind: 'list', triangles: [...triangles.subarray(place + 1, place + 1 + triangles[place])].sort() };
}

/** The corners of a feature, as a triangle that degenerates to it. */
function cornersOf(corners: Float64Array, triangle: number, feature: number): Float64Array {
  const [a, b, c] = [0, 3, 6].map(k => corners.subarray(9 * triangle + k, 9 * triangle + k + 3));
  const chosen = [
    [a, b, c],
    [a, b, b],
    [b, c, c],
    [c, a, a],
    [a, a, a],
    [b, b, b],
    [c, c, c],
  ][feature];
  return Float64Array.from(chosen.flatMap(corner => [...corner]));
}

/** The features that bound a feature. */
const within: readonly (readonly number[])[] = [[1, 2, 3], [4, 5], [5, 6], [6, 4], [], [], []];

/** What is wrong with an answer, or ''. */
function whatIsWrong(corners: Float64Array, point: Float64Array, upTo: number, answer: Answer): string {
  const { squared, triangle } = exactNearest(corners, point);
  if (answer.kind === 'open') return '';
  if (answer.kind === 'nothing') {
    const origin = new Float64Array(9).fill(0);
    const isBeyond = compareFractions(squared, pointSquaredDistance([upTo, 0, 0], origin)) >= 0;
    return isBeyond ? '' : `triangle ${triangle} is within ${upTo}`;
  }
  if (answer.kind === 'list')
    return answer.triangles.includes(triangle) ? '' : `triangle ${triangle} is not in ${answer.triangles}`;
  if (answer.triangle !== triangle) return `the lowest is triangle ${triangle}, not ${answer.triangle}`;
  const to = (feature: number) => pointSquaredDistance(point, cornersOf(corners, triangle, feature));
  if (compareFractions(to(answer.feature), squared) !== 0) return `feature ${answer.feature} is farther`;
  const smaller = within[answer.feature].find(feature => compareFractions(to(feature), squared) === 0);
  return smaller === undefined ? '' : `feature ${smaller} is as near as ${answer.feature}`;
}

/**
 * Points beside the surface: from a corner, a point of an edge or of a face, along a mixture of normals, at a distance
 * that is any power of two, moved by any power of two.
 */
function hardPoints(random: shapes.Random, corners: Float64Array, count: number): Float64Array {
  const points = new Float64Array(3 * count);
  const size = corners.reduce((most, x) => Math.max(most, Math.abs(x - corners[0])), 0);
  const normalOf = (t: number): number[] => {
    const at = (k: number) => corners.subarray(9 * t + 3 * k, 9 * t + 3 * k + 3);
    const [u, v] = [at(1), at(2)].map(p => [0, 1, 2].map(k => p[k] - at(0)[k]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    return n.map(x => x / length);
  };
  for (let i = 0; i < count; i++) {
    const t = random.integer(corners.length / 9);
    const weights: number[] = [random.between(0, 1), random.between(0, 1), random.between(0, 1)];
    for (let k = random.integer(3); k > 0; k--) weights[random.integer(3)] = 0;
    if (!weights.some(w => w > 0)) weights[0] = 1;
    const total = weights[0] + weights[1] + weights[2];
    const [n, m] = [normalOf(t), normalOf(random.integer(corners.length / 9))];
    const share = random.integer(2) * random.between(0, 1);
    const height = size * 2 ** random.between(-30, 5) * (random.integer(2) ? 1 : -1);
    const off = size * 2 ** random.between(-34, -4) * random.integer(2);
    for (let k = 0; k < 3; k++) {
      const foot = [0, 1, 2].reduce((sum, c) => sum + (weights[c] / total) * corners[9 * t + 3 * c + k], 0);
      const way = (1 - share) * n[k] + share * m[k];
      points[3 * i + k] = foot + height * way + off * random.between(-1, 1);
    }
  }
  return points;
}

it('is right wherever it is certain, and lists the answer elsewhere', { timeout: 1_000_000 }, async () => {
  const counts: Record<Answer['kind'], number> = { open: 0, nothing: 0, certain: 0, list: 0 };
  for (let seed = 1; seed <= rounds; seed++) {
    const random = shapes.createRandom(9000 + seed);
    const kinds = [
      () => shapes.icosphere({ radius: 1, frequency: 2 }),
      () => cubes(random, 3, 3),
      () => soup(random, 40, () => random.between(-1, 1)),
      () => soup(random, 40, () => random.integer(5) / 4),
      () => shapes.torusKnot({ segments: 40, sides: 4 }),
    ];
    const mesh = kinds[seed % kinds.length]();
    const pose = [translation(0, 0, 0), rigid(random, 1e3), affine(random, 2)][seed % 3];
    const corners = worldCorners({ mesh, pose });
    const points = hardPoints(random, corners, pointsEach);
    const upTo = seed % 4 === 0 ? 0.1 : Infinity;
    const found = await near({ mesh, pose }, points, upTo);
    for (let i = 0; i < pointsEach; i++) {
      const answer = answerOf(found, i);
      counts[answer.kind]++;
      const point = points.subarray(3 * i, 3 * i + 3);
      const wrong = whatIsWrong(corners, point, upTo, answer);
      expect(wrong, `seed ${seed}, point ${i} ${[...point]}, ${JSON.stringify(answer)}`).toBe('');
    }
  }
  // Without certain answers, and without lists, nothing would have been tested.
  expect(counts.certain).toBeGreaterThan(0.3 * rounds * pointsEach);
  expect(counts.list).toBeGreaterThan(0);
});

it('is certain of nearly all points in general position', { timeout: 60_000 }, async () => {
  const random = shapes.createRandom(5);
  const part = { mesh: shapes.torusKnot({ segments: 200, sides: 12 }), pose: rigid(random, 10) };
  const points = Float64Array.from(
    { length: 1500 },
    (_, i) => part.pose[12 + (i % 3)] + random.between(-2, 2),
  );
  const found = await near(part, points);
  const kinds = Array.from({ length: 500 }, (_, i) => answerOf(found, i).kind);
  expect(kinds.filter(kind => kind === 'certain').length, 'seed 5').toBeGreaterThan(475);
});

it('leaves points open that are too far away for its units, and no others', async () => {
  const part = { mesh: shapes.icosphere({ radius: 1, frequency: 2 }), pose: translation(0, 0, 0) };
  const points = Float64Array.of(3, 0.1, 0.2, 1e4, 1, 1, -1e300, 0, 0, 0.1, -2, 0.3, 0, 0, 5e-324);
  const found = await near(part, points);
  expect([0, 1, 2, 3].map(i => answerOf(found, i).kind)).toEqual(['certain', 'open', 'open', 'certain']);
});

it('refuses points that are not finite, and names them', async () => {
  const part = { mesh: shapes.icosphere({ radius: 1, frequency: 2 }), pose: translation(0, 0, 0) };
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    const points = Float64Array.from({ length: 300 }, (_, i) => i / 100);
    points[3 * 70 + 1] = value;
    await expect(near(part, points)).rejects.toMatchObject({
      code: 'not-finite',
      message: `points: y of point 70 is ${value}`,
    });
  }
});

it('answers points that are all far away, or all at one place', async () => {
  const part = { mesh: shapes.icosphere({ radius: 1, frequency: 2 }), pose: translation(0, 0, 0) };
  const corners = worldCorners(part);
  for (const place of [30, 200, 0.5, 0]) {
    const points = new Float64Array(3 * 80).fill(place);
    points[0] += 1e-3;
    const found = await near(part, points);
    for (const i of [0, 1, 79]) {
      const answer = answerOf(found, i);
      const wrong = whatIsWrong(corners, points.subarray(3 * i, 3 * i + 3), Infinity, answer);
      expect(wrong, `${place}, ${JSON.stringify(answer)}`).toBe('');
      expect(answer.kind === 'open', `${place}`).toBe(place === 0 && i > 0);
    }
  }
});

it('takes points in several submissions', { timeout: 60_000 }, async () => {
  const { device } = await testDevice();
  const random = shapes.createRandom(7);
  // Near the grid, many points are equally near to several triangles: they are listed.
  const points = Float64Array.from({ length: 3 * 330 }, () => Math.round(random.between(-8, 8)) / 4);
  const part = { mesh: cubes(random, 3, 3), pose: translation(0, 0, 0) };
  const found: Answer[][] = [];
  for (const settings of [{}, { pointsAtOnce: 100 }]) {
    const other = await createGpuEngine({ device, settings });
    const answers = await near(part, points, Infinity, other);
    found.push(Array.from({ length: 330 }, (_, i) => answerOf(answers, i)));
    other.close();
  }
  expect(found[0].filter(({ kind }) => kind === 'list').length, 'seed 7').toBeGreaterThan(20);
  expect(found[1], 'seed 7').toEqual(found[0]);
});
