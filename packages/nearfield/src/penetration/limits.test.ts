// A time limit also holds while data structures are built for new, large shapes. Time here is a clock that advances by
// one whenever it is read, so that the counts do not depend on the machine.

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Body } from '../bodies/body.ts';
import { worldBox } from '../bodies/snapshot/world.ts';
import { Trees } from '../bvh/cpu/build/trees.ts';
import type { CpuScene } from '../cpu-scene.ts';
import type { Pose } from '../math/pose.ts';
import { type Mesh, Mesh as MeshClass, mesh } from '../mesh/mesh.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { createRandom, displacedSphere, icosphere } from '../shapes/index.ts';
import { PenetrationKernels } from './kernels/kernels.ts';
import type { Penetration } from './penetration.ts';
import { posed } from './testing/solids.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());
afterEach(() => {
  vi.restoreAllMocks();
});

const bumpy = displacedSphere({ triangles: process.env.NEARFIELD_SLOW ? 20_000 : 12_000, amplitude: 0.3 });

/** A shape with the same numbers, about which nothing is known yet. */
const fresh = ({ positions, indices }: Mesh, unit = 1): Mesh =>
  mesh(positions.map(x => x * unit) as typeof positions, indices);

function pairOf(solid: Mesh, at: Pose, unit = 1): { scene: CpuScene; a: Body; b: Body } {
  const scene = nf.scene();
  const a = scene.add(fresh(solid, unit));
  return { scene, a, b: scene.add(fresh(solid, unit), { pose: at }) };
}

/** What is computed for a shape in steps: its tree, whether it is a solid, its parts. */
type Made = 'makeReady' | 'solidInSteps' | 'partsInSteps';

/**
 * Asks with a clock that counts its readings. Returns how many there were, and which kernels ran after the time was up.
 */
function askBy(
  { scene, a, b }: { scene: CpuScene; a: Body; b: Body },
  timeLimit: number,
): { found: Penetration; looks: number; carved: number; late: string[]; steps: Record<Made, number> } {
  let [looks, carved] = [0, 0];
  const late: string[] = [];
  const steps = { makeReady: 0, solidInSteps: 0, partsInSteps: 0 };
  const countSteps = (name: Made, made: Record<string, (...given: unknown[]) => unknown>) => {
    const own = made[name];
    vi.spyOn(made, name).mockImplementation(function* (this: object, ...given: unknown[]) {
      const work = own.apply(this, given) as Generator<undefined, void>;
      // They yield before each step.
      while (!work.next().done) {
        yield;
        steps[name]++;
        if (looks > timeLimit + 1) late.push(name);
      }
    });
  };
  countSteps('makeReady', PenetrationKernels.prototype as never);
  countSteps('solidInSteps', MeshClass.prototype as never);
  countSteps('partsInSteps', MeshClass.prototype as never);
  vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  for (const name of ['frameOf', 'carve', 'sampleInside', 'convexExcess', 'growBall', 'deepest'] as const) {
    const own = PenetrationKernels.prototype[name] as (...given: unknown[]) => unknown;
    vi.spyOn(PenetrationKernels.prototype, name).mockImplementation(function (
      this: PenetrationKernels,
      ...given: unknown[]
    ) {
      if (name === 'carve') carved++;
      // The question reads the clock once when it begins.
      if (looks > timeLimit + 1) late.push(name);
      return own.apply(this, given) as never;
    });
  }
  const found = scene.penetrationSync(a, b, { timeLimit });
  vi.restoreAllMocks();
  return { found, looks, carved, late, steps };
}

const shifted = (pose: Pose, by: Float64Array, sign = 1): Pose =>
  pose.map((x, i) => (i >= 12 && i < 15 ? x + sign * by[i - 12] : x));

function expectSeparated({ scene, a, b }: { scene: CpuScene; a: Body; b: Body }, found: Penetration): void {
  const [poseA, poseB] = [a.pose, b.pose];
  b.pose = shifted(poseB, found.translation);
  expect(scene.interferencesSync().length).toBe(0);
  b.pose = poseB;
  a.pose = shifted(poseA, found.translation, -1);
  expect(scene.interferencesSync().length).toBe(0);
  a.pose = poseA;
}

describe('a time limit of 0', () => {
  it('builds nothing for large shapes and separates their boxes', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed);
      const unit = [1, 1, 1e-30, 1e30, 1, 1][seed - 1];
      const far = [0, 1e6, 0, 0, -1e9, 0][seed - 1];
      const at = posed(
        ...([0, 1, 2].map(() => far + unit * random.between(-0.5, 0.5)) as [number, number, number]),
        random.direction(),
        seed,
      );
      // The last pose stretches.
      if (seed === 6) at[0] *= 3;
      const pair = pairOf(bumpy, at, unit);
      pair.a.pose = posed(far, far, far);
      const built = vi.spyOn(Trees.prototype, 'of');
      const found = pair.scene.penetrationSync(pair.a, pair.b, { timeLimit: 0 });
      expect(built, `seed ${seed}`).not.toHaveBeenCalled();
      built.mockRestore();
      expect(found.depth.lower).toBe(0);
      expect(found.ratio).toBe(Infinity);
      expect(Math.hypot(...found.direction)).toBe(1);
      expect(found.depth.upper).toBeGreaterThanOrEqual(Math.max(...found.translation.map(Math.abs)));
      const back = pair.scene.penetrationSync(pair.b, pair.a, { timeLimit: 0 });
      expect([...back.translation].map(x => -x + 0)).toEqual([...found.translation].map(x => x + 0));
      expectSeparated(pair, found);
      const full = pair.scene.penetrationSync(pair.a, pair.b);
      expect(full.depth.lower, `seed ${seed}`).toBeLessThanOrEqual(found.depth.upper);
      expect(full.depth.upper, `seed ${seed}`).toBeLessThanOrEqual(found.depth.upper);
      pair.scene.close();
    }
  });

  it('still sees that boxes are apart, and searches shapes that are already prepared', () => {
    const apart = pairOf(bumpy, posed(3, 0, 0));
    expect(apart.scene.penetrationSync(apart.a, apart.b, { timeLimit: 0 }).depth).toEqual({
      lower: 0,
      upper: 0,
    });
    apart.scene.close();
    const pair = pairOf(bumpy, posed(0.7, 0.3, 0.1, [1, 2, 3], 1));
    const full = pair.scene.penetrationSync(pair.a, pair.b);
    const { found } = askBy(pair, 0);
    expect(found.depth.lower).toBeGreaterThan(0);
    expect(found.depth.upper).toBeGreaterThanOrEqual(full.depth.lower);
    pair.scene.close();
  });
});

describe('a positive time limit', () => {
  it('is checked between steps of the work on a new shape, and little is done after it', () => {
    const pose = posed(0.7, 0.3, 0.1, [1, 2, 3], 1);
    const whole = askBy(pairOf(bumpy, pose), Infinity);
    // Once per 8,192 edges of either shape, and per 8,192 faces of a convex one.
    expect(whole.looks).toBeGreaterThan(2 * Math.floor(bumpy.edges.count / 8192));
    const most = whole.looks;
    for (let limit = 1; limit < most; limit += 1 + (limit >> (process.env.NEARFIELD_SLOW ? 2 : 0))) {
      const pair = pairOf(bumpy, pose);
      const { found, looks, late } = askBy(pair, limit);
      expect(
        late.filter(name => name !== 'frameOf' && name !== 'deepest'),
        `limit ${limit}`,
      ).toEqual([]);
      // One reading for whether each of the two is convex, and one per step that is skipped.
      expect(looks, `limit ${limit}`).toBeLessThan(limit + 16);
      expectSeparated(pair, found);
      expect(found.depth.lower, `limit ${limit}`).toBeLessThanOrEqual(whole.found.depth.upper);
      expect(found.depth.upper, `limit ${limit}`).toBeGreaterThanOrEqual(whole.found.depth.lower);
      pair.scene.close();
    }
  });

  it('resumes unfinished work: many short questions prepare a shape like one long question', () => {
    const pose = posed(0.7, 0.3, 0.1, [1, 2, 3], 1);
    for (const solid of [bumpy, icosphere({ frequency: 24 })]) {
      const alone = pairOf(solid, pose);
      const whole = askBy(alone, Infinity);
      const pair = pairOf(solid, pose);
      let carved = 0;
      for (let round = 0; round < 60; round++) carved += askBy(pair, 6).carved;
      const last = askBy(pair, Infinity);
      // Nothing is left to do, and nothing was done twice. The only carving is around the overlap, for this question
      // alone, as for shapes that were prepared before.
      expect(last.carved).toBe(askBy(alone, Infinity).carved);
      expect(carved).toBeLessThanOrEqual(whole.carved + 2 * 60);
      expect(last.looks).toBeLessThan(whole.looks - 2 * Math.floor(solid.edges.count / 8192));
      expect(last.found).toEqual(whole.found);
      pair.scene.close();
      alone.scene.close();
    }
  });
});

describe('a tree, and whether a mesh is a solid,', () => {
  const large = icosphere({ frequency: 84 });
  const at = posed(1.2, 0.2, 0.1, [3, 1, 2], 1);

  it('are computed in steps; no step begins after the time is up, and none runs twice', () => {
    const alone = pairOf(large, at);
    const whole = askBy(alone, Infinity);
    // 141,120 triangles per mesh: five steps for the sides, as many to assign triangles to edges, one for the vertices,
    // one between.
    expect(whole.steps.solidInSteps).toBeGreaterThanOrEqual(2 * 20);
    expect(whole.steps.makeReady).toBeGreaterThanOrEqual(2 * 30);
    expect(whole.steps.partsInSteps).toBeGreaterThanOrEqual(2 * 10);
    alone.scene.close();
    const pair = pairOf(large, at);
    const sum: Record<Made, number> = { makeReady: 0, solidInSteps: 0, partsInSteps: 0 };
    for (let round = 0; sum.partsInSteps < whole.steps.partsInSteps; round++) {
      expect(round).toBeLessThan(200);
      const { found, late, steps, looks } = askBy(pair, 7);
      expect(late.filter(name => name in steps)).toEqual([]);
      expect(looks).toBeLessThan(7 + 16);
      for (const name of ['makeReady', 'solidInSteps', 'partsInSteps'] as const) sum[name] += steps[name];
      if (round % 8 === 0) expectSeparatedByPose(pair, found);
    }
    expect(sum).toEqual(whole.steps);
    expect(askBy(pair, Infinity).found).toEqual(whole.found);
    pair.scene.close();
  });

  it('a cancelled question ends between two steps, and the next question resumes there', async () => {
    const { scene, a, b } = pairOf(large, at);
    let looks = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => looks++);
    const built = vi.spyOn(Trees.prototype, 'of');
    const controller = new AbortController();
    const asked = scene.penetration(a, b, { signal: controller.signal, progress: () => controller.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(looks).toBeLessThan(32);
    expect(built).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    expect(scene.penetrationSync(a, b, { stopAtRatio: Infinity }).depth.upper).toBeGreaterThan(0);
    scene.close();
  });

  it('a mesh that is not a solid is refused by name once that is known', () => {
    const scene = nf.scene();
    const hole = mesh(large.positions, large.indices.slice(3));
    const [a, b] = [scene.add(hole, { name: 'bowl' }), scene.add(fresh(large), { pose: at })];
    expect(scene.penetrationSync(a, b, { timeLimit: 0 }).depth.lower).toBe(0);
    expect(() => {
      for (let round = 0; round < 40; round++) askBy({ scene, a, b }, 6);
    }).toThrow(/bowl/);
    expect(() => scene.penetrationSync(b, a, { timeLimit: 0 })).toThrow(/bowl/);
    expect(() => scene.penetrationSync(a, b)).toThrow(/bowl/);
    scene.close();
  });

  it('unfinished work serves other questions, and is freed with its body', () => {
    const pair = pairOf(large, at);
    askBy(pair, 30);
    expect(pair.scene.interferencesSync({ detail: 'any' }).length).toBe(1);
    const begun = pairOf(fresh(large), at);
    askBy(begun, 30);
    // The positions change, so the unfinished work is useless.
    begun.a.deform(large.positions.map(x => x * 1.01) as typeof large.positions);
    expect(
      begun.scene.penetrationSync(begun.a, begun.b, { stopAtRatio: Infinity }).depth.upper,
    ).toBeGreaterThan(0);
    begun.scene.close();
    pair.scene.close();
  });
});

/** The same check by boxes, which is how such short questions about large meshes are answered. */
function expectSeparatedByPose(
  { scene, a, b }: { scene: CpuScene; a: Body; b: Body },
  found: Penetration,
): void {
  const pose = b.pose;
  expect(found.depth.lower).toBeLessThanOrEqual(found.depth.upper);
  b.pose = shifted(pose, found.translation);
  const [p, q] = [worldBox(a.snapshotNow()), worldBox(b.snapshotNow())];
  const apart = [0, 1, 2].some(k => p[k + 3] <= q[k] || q[k + 3] <= p[k]);
  if (found.depth.lower === 0) expect(apart).toBe(true);
  else expect(scene.interferencesSync().length).toBe(0);
  b.pose = pose;
}
