// The contract of penetration: what is refused, when it is 0, how it is mirrored, in which ranges it holds.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NearfieldError } from '../core/errors.ts';
import type { Pose } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { box, cloth, createRandom, displacedSphere, icosphere, torus } from '../shapes/index.ts';
import { PenetrationKernels } from './kernels/kernels.ts';
import { cuboids, posed } from './testing/solids.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const cube = box({ size: [2, 2, 2] });

function pair(a: Mesh, poseA: Pose, b: Mesh, poseB: Pose) {
  const scene = nf.scene();
  return {
    scene,
    a: scene.add(a, { pose: poseA, name: 'first' }),
    b: scene.add(b, { pose: poseB, name: 'second' }),
  };
}

describe('solids without common interior', () => {
  it.each([
    ['apart', 3],
    ['touching at a face', 2],
  ])('%s: 0 to 0', (_, x) => {
    const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, posed(x, 0, 0));
    const { depth, ratio, translation, direction } = scene.penetrationSync(a, b);
    expect(depth).toEqual({ lower: 0, upper: 0 });
    expect(ratio).toBe(1);
    expect([...translation, ...direction]).toEqual([0, 0, 0, 0, 0, 0]);
  });
  it('in the hole of a ring', () => {
    const { scene, a, b } = pair(
      torus(),
      posed(0, 0, 0),
      icosphere({ radius: 0.5, frequency: 4 }),
      posed(0, 0, 0),
    );
    expect(scene.penetrationSync(a, b).depth).toEqual({ lower: 0, upper: 0 });
  });
});

it('overlap by the last bit', () => {
  const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, posed(2 - 2 ** -51, 0.5, 0.25));
  const { depth, translation } = scene.penetrationSync(a, b);
  expect(depth.upper).toBeGreaterThanOrEqual(2 ** -51);
  expect(depth.upper).toBeLessThan(1e-12);
  expect(depth.lower).toBeLessThanOrEqual(2 ** -51);
  b.pose = posed(2 - 2 ** -51 + translation[0], 0.5 + translation[1], 0.25 + translation[2]);
  // No common interior: they may touch.
  for (const { relation } of scene.interferencesSync()) expect(relation).toBe('touching');
});

it('refuses bodies that are not solid, by name', () => {
  const open = pair(cube, posed(0, 0, 0), cloth(), posed(0, 0, 0));
  const refusal = (ask: () => unknown): NearfieldError => {
    try {
      ask();
    } catch (error) {
      if (error instanceof NearfieldError) return error;
    }
    throw new Error('nothing was refused');
  };
  const error = refusal(() => open.scene.penetrationSync(open.a, open.b));
  expect([error.code, error.message]).toEqual([
    'not-solid',
    expect.stringMatching(/^second is open: .*; close its holes/),
  ]);
  const turned = cube.indices.slice();
  [turned[0], turned[1]] = [turned[1], turned[0]];
  const bad = pair(mesh(cube.positions, turned), posed(0, 0, 0), cube, posed(0, 0, 0));
  expect(refusal(() => bad.scene.penetrationSync(bad.a, bad.b)).message).toMatch(
    /^first is not consistently oriented: .*; make its triangles wind the same way/,
  );
  const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, posed(1, 0, 0));
  expect(refusal(() => scene.penetrationSync(a, a)).code).toBe('bad-option');
  expect(refusal(() => scene.penetrationSync(a, b, { stopAtRatio: 0.5 })).code).toBe('bad-option');
  expect(refusal(() => scene.penetrationSync(a, b, { timeLimit: -1 })).code).toBe('bad-option');
});

it('is mirrored bit by bit, the same every time, and the same asynchronously', async () => {
  const solid = displacedSphere({ triangles: 1500, amplitude: 0.3 });
  for (let seed = 1; seed <= 4; seed++) {
    const random = createRandom(seed);
    const at = posed(random.next(), random.next(), random.next(), random.direction(), random.between(0, 6));
    const { scene, a, b } = pair(solid, posed(0, 0, 0), solid, at);
    const there = scene.penetrationSync(a, b);
    const back = scene.penetrationSync(b, a);
    expect(back.depth, `seed ${seed}`).toEqual(there.depth);
    expect([...back.translation].map(x => -x)).toEqual([...there.translation]);
    expect([...back.direction].map(x => -x)).toEqual([...there.direction]);
    expect(await scene.penetration(a, b)).toEqual(there);
    // Moving either body by its translation separates them.
    const [poseA, poseB] = [a.pose, b.pose];
    b.pose = poseB.map((x, i) => (i >= 12 && i < 15 ? x + there.translation[i - 12] : x));
    expect(scene.interferencesSync().length, `seed ${seed}`).toBe(0);
    b.pose = poseB;
    a.pose = poseA.map((x, i) => (i >= 12 && i < 15 ? x + back.translation[i - 12] : x));
    expect(scene.interferencesSync().length, `seed ${seed}`).toBe(0);
    scene.close();
  }
});

const expectNear = (depth: { lower: number; upper: number }, truth: number, slack = 1e-9): void => {
  expect(depth.lower).toBeLessThanOrEqual(truth * (1 + slack));
  expect(depth.upper).toBeGreaterThanOrEqual(truth * (1 - slack));
  expect(depth.lower).toBeGreaterThan(truth / 1.05);
  expect(depth.upper).toBeLessThan(truth * 1.05);
};

describe('anywhere', () => {
  const shape = cuboids([
    [0, 0, 0, 4, 1, 1],
    [0, 0, 0, 1, 4, 1],
  ]);
  const peg = box({ size: [1, 1, 3] });
  it('far from the origin', () => {
    const { scene, a, b } = pair(
      shape,
      posed(1e6, -1e6, 1e6),
      peg,
      posed(1e6 + 1.25, -1e6 + 1.375, 1e6 + 0.5),
    );
    expectNear(scene.penetrationSync(a, b).depth, Math.hypot(0.25, 0.125));
  });
  it.each([1e-30, 1e-9, 1e9, 1e30])('in units of %f', unit => {
    const scaled = ({ positions, indices }: Mesh) =>
      mesh(positions.map(x => x * unit) as Float64Array, indices);
    const at = posed(1.25 * unit, 1.375 * unit, 0.5 * unit);
    const { scene, a, b } = pair(scaled(shape), posed(0, 0, 0), scaled(peg), at);
    expectNear(scene.penetrationSync(a, b).depth, Math.hypot(0.25, 0.125) * unit);
  });
  it('of very different sizes', () => {
    const { scene, a, b } = pair(shape, posed(0, 0, 0), cube, posed(2, 1, 0.5, [1, 2, 3], 0, 1e-5));
    expectNear(scene.penetrationSync(a, b).depth, 1e-5, 1e-6);
    const other = pair(cube, posed(2, 1, 0.5, [1, 2, 3], 0, 1e-5), shape, posed(0, 0, 0));
    expectNear(other.scene.penetrationSync(other.a, other.b).depth, 1e-5, 1e-6);
  });
});

describe('poses that are not rigid', () => {
  it('stretch', () => {
    const stretch = posed(3.75, 0.5, 0.25);
    [stretch[0], stretch[5], stretch[10]] = [3, 2, 1.5];
    // Half lengths 3 and 1 along x.
    const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, stretch);
    expectNear(scene.penetrationSync(a, b).depth, 0.25);
  });
  it('shear', () => {
    const shear = posed(1.75, 0.25, 0.25);
    shear[4] = 0.5;
    const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, shear);
    // Its left side leans: x ≥ 0.75 + 0.5·y' − 1 … along y at −1 it reaches x = 0.25, past the cube's side at 1.
    const { depth } = scene.penetrationSync(a, b);
    expect(depth.upper / depth.lower).toBeLessThan(1.05);
  });
  it('mirror', () => {
    const shape = cuboids([
      [0, 0, 0, 4, 1, 1],
      [0, 0, 0, 1, 4, 1],
    ]);
    const mirror = posed(0, 0, 0);
    mirror[0] = -1;
    const { scene, a, b } = pair(shape, mirror, box({ size: [1, 1, 3] }), posed(-1.25, 1.375, 0.5));
    const { depth, translation } = scene.penetrationSync(a, b);
    expectNear(depth, Math.hypot(0.25, 0.125));
    expect(translation[0]).toBeLessThan(0);
  });
});

it('uses the deformed shape', () => {
  const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, posed(1.75, 0.25, 0.125));
  expectNear(scene.penetrationSync(a, b).depth, 0.25);
  b.deform(cube.positions.map(x => x * 1.5) as Float64Array);
  expectNear(scene.penetrationSync(a, b).depth, 0.75);
});

it('stops at the given ratio', () => {
  const solid = displacedSphere({ triangles: 1500, amplitude: 0.3 });
  const { scene, a, b } = pair(solid, posed(0, 0, 0), solid, posed(0.7, 0.3, 0.1, [1, 2, 3], 1));
  const quick = scene.penetrationSync(a, b, { stopAtRatio: Infinity });
  const full = scene.penetrationSync(a, b);
  expect(quick.depth.lower).toBeLessThanOrEqual(full.depth.lower);
  expect(quick.depth.upper).toBeGreaterThanOrEqual(full.depth.upper);
  const hurried = scene.penetrationSync(a, b, { timeLimit: 0 });
  expect(hurried.depth.lower).toBeLessThanOrEqual(full.depth.upper);
  expect(hurried.depth.upper).toBeGreaterThanOrEqual(full.depth.lower);
});

it('counts the preparation of a shape towards its first question', () => {
  const solid = () => displacedSphere({ triangles: 30_000, amplitude: 0.3 });
  const { scene, a, b } = pair(solid(), posed(0, 0, 0), solid(), posed(0.7, 0.3, 0.1, [1, 2, 3], 1));
  const looks: number[] = [];
  const now = performance.now.bind(performance);
  // A clock that stands still until the search reads it a second time.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    looks.push(0);
    return looks.length > 1 ? 1e9 : now();
  });
  const hurried = scene.penetrationSync(a, b, { timeLimit: 1e6 });
  clock.mockRestore();
  expect(hurried.ratio).toBeGreaterThan(1.05);
  // The test for convexity did not finish, so its result does not count as known.
  const full = scene.penetrationSync(a, b);
  expect(full.ratio).toBeLessThanOrEqual(hurried.ratio);
  expect(hurried.depth.lower).toBeLessThanOrEqual(full.depth.upper);
  expect(hurried.depth.upper).toBeGreaterThanOrEqual(full.depth.lower);
  const convex = pair(cube, posed(0, 0, 0), box({ size: [2, 2, 2] }), posed(1.75, 0.25, 0.125));
  expectNear(convex.scene.penetrationSync(convex.a, convex.b).depth, 0.25);
});

it('lets other work run: progress, cancel, close, and other questions with the same kernels', async () => {
  const solid = displacedSphere({ triangles: 60_000, amplitude: 0.3 });
  const { scene, a, b } = pair(solid, posed(0, 0, 0), solid, posed(0.7, 0.3, 0.1, [1, 2, 3], 1));
  const stop = new AbortController();
  const shares: number[] = [];
  const progress = (done: number) => {
    shares.push(done);
    stop.abort();
  };
  await expect(scene.penetration(a, b, { signal: stop.signal, progress })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(shares.length).toBe(1);
  expect(shares[0]).toBeLessThan(1);
  const alone = scene.penetrationSync(a, b);
  const other = pair(cube, posed(0, 0, 0), cube, posed(1.75, 0.25, 0.125));
  // Another shape with the same numbers, about which nothing is known yet, so that the question has to wait.
  const fresh = mesh(solid.positions, solid.indices);
  const again = pair(fresh, posed(0, 0, 0), fresh, posed(0.7, 0.3, 0.1, [1, 2, 3], 1));
  let asked = 0;
  const meanwhile = () => {
    asked++;
    expectNear(other.scene.penetrationSync(other.a, other.b).depth, 0.25);
  };
  expect(await again.scene.penetration(again.a, again.b, { progress: meanwhile })).toEqual(alone);
  expect(asked).toBeGreaterThan(1);
  const closing = await open({ backend: 'cpu' });
  const theirs = closing.scene();
  const first = theirs.add(fresh);
  const second = theirs.add(mesh(solid.positions, solid.indices), { pose: posed(0.7, 0.3, 0.1) });
  const closed = theirs.penetration(first, second, { progress: () => closing.close() });
  await expect(closed).rejects.toMatchObject({ code: 'closed' });
});

it('recognises a ball of many triangles as convex', () => {
  // Edges that are clearly convex take nothing from the allowance for rounding: neither 200,000 triangles nor 450,000
  // need a search of every face.
  const ball = icosphere({ frequency: process.env.NEARFIELD_SLOW ? 150 : 100 });
  const search = vi.spyOn(PenetrationKernels.prototype, 'convexExcess');
  const { scene, a, b } = pair(ball, posed(0, 0, 0), ball, posed(1, 0.2, 0.1));
  const { lower, upper } = scene.penetrationSync(a, b).depth;
  expect(search).not.toHaveBeenCalled();
  search.mockRestore();
  const truth = 2 - Math.hypot(1, 0.2, 0.1);
  expect(upper / lower).toBeLessThan(1.05);
  expect(Math.abs(upper - truth)).toBeLessThan(0.05);
});

it('rejects if it is cancelled before it begins', async () => {
  const { scene, a, b } = pair(cube, posed(0, 0, 0), cube, posed(1, 0, 0));
  await expect(scene.penetration(a, b, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

it('finds a shallow overlap of large solids', () => {
  const solid = displacedSphere({ triangles: 8000, amplitude: 0.3 });
  for (let seed = 1; seed <= 6; seed++) {
    const random = createRandom(seed);
    const at = posed(random.next(), random.next(), random.next(), random.direction(), random.between(0, 6));
    const { scene, a, b } = pair(solid, posed(0, 0, 0), solid, at);
    const { translation, depth } = scene.penetrationSync(a, b, { stopAtRatio: Infinity });
    // Nearly out: the remaining overlap is a thousandth of the size, or less.
    b.pose = at.map((x, i) => (i >= 12 && i < 15 ? x + translation[i - 12] * (1 - 1e-3 / depth.upper) : x));
    const left = scene.penetrationSync(a, b);
    expect(left.depth.upper, `seed ${seed}`).toBeGreaterThan(0);
    expect(left.depth.upper, `seed ${seed}`).toBeLessThan(1.01e-3);
    expect(left.ratio, `seed ${seed}`).toBeLessThan(2);
    scene.close();
  }
});

it('ignores sheets without thickness', () => {
  // A fin of two triangles, one on the other, stands out of a cube: the solid has no interior there.
  const [p, i] = [Array.from(cube.positions), Array.from(cube.indices)];
  const first = p.length / 3;
  p.push(0.9, -0.5, 0, 3, -0.5, 0, 0.9, 0.5, 0);
  i.push(first, first + 1, first + 2, first, first + 2, first + 1);
  const finned = mesh(Float64Array.from(p), Uint32Array.from(i));
  const apart = pair(finned, posed(0, 0, 0), cube, posed(2.5, 0.1, 0.2));
  expect(apart.scene.penetrationSync(apart.a, apart.b).depth).toEqual({ lower: 0, upper: 0 });
  const { scene, a, b } = pair(finned, posed(0, 0, 0), cube, posed(1.75, 0.1, 0.2));
  const { depth } = scene.penetrationSync(a, b);
  expect(depth.lower).toBeLessThanOrEqual(0.25);
  expect(depth.lower).toBeGreaterThan(0.2);
  expect(depth.upper).toBeGreaterThanOrEqual(0.25);
});
