// Every kind of collider against brute force: at least 10,000 random paths per kind, shared among its shapes, half of
// them curved; compares hit or miss, time, place and collider.

import { type Collider, type CpuNearfield, open, shapes, type Vector } from 'nearfield';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../packages/nearfield/src/shapes/random.ts';
import { checkPaths, slow } from '../spec/particle-paths.ts';

const count = slow ? 100_000 : 5000;
const finer = slow ? 8 : 1;

if (slow) vi.setConfig({ testTimeout: 600_000 });

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const tilted = { point: [0.1, -0.2, 0.15], normal: [0.3, -0.5, 0.8], right: [1, 0.4, 0] } as const;
const star: [number, number][] = Array.from({ length: 10 }, (_, i) => {
  const [r, angle] = [i % 2 === 0 ? 1.4 : 0.6, (Math.PI * i) / 5 + 0.1];
  return [r * Math.cos(angle), r * Math.sin(angle)];
});
const square = (r: number, x = 0, y = 0): [number, number][] => [
  [x - r, y - r],
  [x + r, y - r],
  [x + r, y + r],
  [x - r, y + r],
];

/** Q of a quadric given by its axes: Σ sᵢ (p·dᵢ)² + 2·linear·p + constant, moved to a centre. Axes at right angles. */
function quadric(signs: Vector, linear: Vector, constant: number, centre: Vector): number[] {
  const random = createRandom(7);
  const a = random.direction();
  const b0 = random.direction();
  const along = a[0] * b0[0] + a[1] * b0[1] + a[2] * b0[2];
  const b1 = b0.map((value, k) => value - along * a[k]);
  const size = Math.hypot(...b1);
  const b = b1.map(value => value / size);
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const axes = [a, b, c];
  const entry = (i: number, j: number) => axes.reduce((sum, d, k) => sum + signs[k] * d[i] * d[j], 0);
  const first = [0, 1, 2].map(i => axes.reduce((sum, d, k) => sum + linear[k] * d[i], 0));
  const row = [0, 1, 2].map(i => entry(i, 0) * centre[0] + entry(i, 1) * centre[1] + entry(i, 2) * centre[2]);
  const moved = first.map((value, i) => value - row[i]);
  const rest =
    row.reduce((sum, value, i) => sum + value * centre[i], 0) -
    2 * first.reduce((sum, value, i) => sum + value * centre[i], 0) +
    constant;
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2), ...moved, rest];
}

const middle: Vector = [0.1, 0.2, -0.1];
const none: Vector = [0, 0, 0];
const cylinder = quadric([1, 1, 0], none, -0.5, middle);

/** Colliders whose function is a polynomial of the time. */
const polynomial: Record<string, Collider> = {
  plane: { plane: { point: [0.1, 0.2, 0.3], normal: [1, 2, -1] } },
  'plane, from the front alone': { plane: { point: [0.1, 0.2, 0.3], normal: [1, 2, -1] }, sides: 'front' },
  disc: { plane: tilted, within: { disc: 1.1 } },
  rectangle: { plane: tilted, within: { rectangle: [1.3, 0.7] } },
  ring: { plane: tilted, within: { ring: [0.5, 1.2] } },
  polygon: { plane: tilted, within: { polygon: star } },
  'polygon with holes': {
    plane: tilted,
    within: { polygon: square(1.3), holes: [square(0.4, -0.5, 0.2), [...square(0.3, 0.6, -0.5)].reverse()] },
  },
  'plane bounded by a ball and a plane': {
    plane: { point: [0, 0, 0], normal: [0, 1, 1] },
    bounds: [
      { ball: { centre: [0.2, 0, 0], radius: 1 } },
      { ball: { centre: [0.2, 0, 0], radius: 0.4 }, outside: true },
      { normal: [1, 0, 0], offset: 0.6 },
    ],
  },
  sphere: { sphere: { centre: [0.1, -0.1, 0.2], radius: 0.9 } },
  'bounded sphere': {
    sphere: { centre: [0.1, -0.1, 0.2], radius: 1.1 },
    bounds: [{ normal: [0, 0, 1], offset: 0.4 }],
  },
  'sphere from outside alone': { sphere: { centre: [0, 0, 0], radius: 1.5 }, sides: 'front' },
  ellipsoid: { quadric: quadric([1, 2.5, 6], none, -1, middle) },
  paraboloid: { quadric: quadric([1.5, 1, 0], [0, 0, -0.5], -0.3, middle) },
  'hyperboloid of one sheet': { quadric: quadric([2, 3, -1], none, -0.4, middle) },
  'hyperboloid of two sheets': { quadric: quadric([-2, -3, 1.5], none, -0.2, middle) },
  cylinder: { quadric: cylinder },
  'parabolic cylinder': { quadric: quadric([1, 0, 0], [0, 0.5, 0], -0.2, middle) },
  cone: { quadric: quadric([1, 1, -0.7], none, 0, middle) },
  'bounded cone': {
    quadric: quadric([1, 1, -0.7], none, 0, middle),
    bounds: [
      { normal: [0, 0, 1], offset: 0.8 },
      { normal: [0.2, 0, -1], offset: 0.1 },
    ],
  },
  'cylinder in a box': {
    quadric: cylinder,
    box: [
      [-0.8, -0.9, -0.7],
      [0.9, 0.8, 1],
    ],
  },
  'sixteen numbers': {
    quadric: Float64Array.of(2, 0.2, 0.1, -0.1, 0.2, 1, 0, 0.2, 0.1, 0, 1.5, 0.05, -0.1, 0.2, 0.05, -0.8),
  },
};

/** With a share of the paths if several colliders of one kind share them. */
function check(collider: Collider, seed: number, samples: number, share = 1): void {
  for (const order of [1, 2] as const) {
    const { hits, doubtful } = checkPaths(
      nf,
      [collider],
      { count: slow ? count / 2 : (count / 2) * share, seed: seed + order, order },
      finer * samples,
    );
    expect(hits, 'enough of both').toBeGreaterThan(0.03);
    expect(hits, 'enough of both').toBeLessThan(0.999);
    expect(doubtful).toBeLessThan(0.001);
  }
}

describe('each against brute force', () => {
  for (const [i, [name, collider]] of Object.entries(polynomial).entries()) {
    // Eight planes, three spheres, ten quadrics.
    test(name, () => check(collider, 1000 * i, 48, 'sphere' in collider ? 0.5 : 0.2));
  }

  test.each([
    ['sphere', () => shapes.icosphere({ radius: 1, frequency: 3 })],
    [
      'knot',
      () =>
        shapes.torusKnot({ majorRadius: 0.8, minorRadius: 0.35, tubeRadius: 0.22, segments: 24, sides: 5 }),
    ],
    ['open cloth', () => shapes.cloth({ length: 3, width: 2, triangles: 200, folds: 2 })],
  ] as const)('mesh: %s', (_, make) => check({ mesh: make() }, 50_000, 24, 0.4));

  test('mesh with a pose', () => {
    const pose = Float64Array.of(0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1.5, 0, 0.1, 0.2, 0.3, 1);
    check({ mesh: shapes.box({ size: [1, 1.4, 0.8] }), pose }, 51_000, 24, 0.4);
  });

  test('body of a scene', () => {
    const scene = nf.scene();
    const pose = Float64Array.of(0.6, 0, 0.8, 0, 0, 1, 0, 0, -0.8, 0, 0.6, 0, 0.1, 0, 0, 1);
    check(
      {
        body: scene.add(
          shapes.torus({ majorRadius: 0.9, minorRadius: 0.4, majorSegments: 14, minorSegments: 7 }),
          { pose },
        ),
      },
      52_000,
      24,
      0.4,
    );
    scene.close();
  });

  test('distance field', async () => {
    const scene = nf.scene();
    const field = await scene.field(scene.add(shapes.torus({ majorRadius: 0.9, minorRadius: 0.4 })), {
      resolution: 20,
    });
    check({ field }, 53_000, 192, 0.5);
    const pose = Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.2, 0.1, 0, 1);
    check({ field, pose }, 54_000, 192, 0.5);
    scene.close();
  });

  test('blobs', () =>
    check(
      {
        blobs: [
          { at: [0, 0, 0], radius: 1.2 },
          { at: [0.8, 0.3, -0.2], radius: 0.9, weight: 1.3 },
          { at: [-0.6, 0.7, 0.4], radius: 0.8 },
          { at: [0.2, -0.3, 0.3], radius: 0.6, weight: -0.8 },
        ],
        level: 0.3,
      },
      55_000,
      192,
      0.5,
    ));

  test('skeleton of segments', () =>
    check(
      {
        blobs: [
          { from: [-1, 0, 0], to: [1, 0.2, 0], radius: 0.7 },
          { from: [0, -1, 0.2], to: [0.1, 1, -0.3], radius: 0.6, weight: 1.2 },
          { at: [0, 0, 1], radius: 0.8 },
        ],
      },
      56_000,
      192,
      0.5,
    ));
});

test('the earliest of twelve of all kinds, by its number', () => {
  const random = createRandom(3);
  const place = (): Vector => [
    random.between(-1.2, 1.2),
    random.between(-1.2, 1.2),
    random.between(-1.2, 1.2),
  ];
  const colliders: Collider[] = [];
  for (let i = 0; i < 3; i++) {
    const radius = random.between(0.2, 0.5);
    colliders.push(
      { sphere: { centre: place(), radius } },
      { plane: { point: place(), normal: random.direction() }, within: { disc: 0.7 } },
      { quadric: quadric([4, 6, 9], none, -0.5, place()) },
      {
        mesh: shapes.icosphere({ radius: 0.4, frequency: 2 }),
        pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place(), 1),
      },
    );
  }
  for (const order of [1, 2] as const) {
    const paths = { count: slow ? count / 2 : count / 10, seed: 60_000 + order, order };
    const { hits } = checkPaths(nf, colliders, paths, 48 * finer);
    expect(hits).toBeGreaterThan(0.3);
  }
});
