// Threads join a question whenever they are ready: before its first step, in the middle, or when nothing is left to do. The answer is
// the same. Every kind of work that threads share is asked while they join at chosen moments: kernels that a crew runs, phases
// of sorting, and items.

import { shapes } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leftOpen } from '../../packages/nearfield/src/bvh/given-triangles.ts';
import { type CpuEngine, createCpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { allReady, controlJoining, type Joining } from '../../packages/nearfield/src/cpu/threads/testing.ts';
import type { GpuDistanceDriver } from '../../packages/nearfield/src/distance/driver.ts';
import { nearWord } from '../../packages/nearfield/src/distance/request.ts';
import { fakeEngine } from '../../packages/nearfield/src/gpu/testing/fake-engine.ts';
import type { GpuRayDriver } from '../../packages/nearfield/src/rays/driver.ts';
import { Scene } from '../../packages/nearfield/src/scene.ts';
import { said } from '../spec/faults/faults.ts';
import { rigid } from '../spec/scenes.ts';

let cpu: CpuEngine;
let joining: Joining;
beforeAll(async () => {
  // The calling thread imports the jobs when it first shares items.
  await import(new URL('../../packages/nearfield/src/cpu/threads/jobs.js', import.meta.url).href);
  cpu = await createCpuEngine({ threads: 3 });
  await cpu.compile();
  await allReady(cpu);
  joining = controlJoining(cpu);
});
afterAll(() => cpu.close());

const knot = shapes.torusKnot({ segments: 60, sides: 10 });
const small = shapes.torusKnot({ segments: 24, sides: 4 });
const large = shapes.torusKnot({ segments: 1500, sides: 16 });
const random = shapes.createRandom(11);
const numbers = (count: number, reach: number) =>
  Float64Array.from({ length: count }, () => random.between(-reach, reach));
const points = numbers(3 * 40_000, 2);
const rays = numbers(6 * 40_000, 2);
const boxes = numbers(6 * 8000, 1).map((x, i) => (i % 6 < 3 ? 2 * x - 0.2 : 2 * x + 0.5));
const sorted = boxes.map((_, i) => {
  const [low, high] = [boxes[i - (i % 6) + (i % 3)], boxes[i - (i % 6) + (i % 3) + 3]];
  return i % 6 < 3 ? Math.min(low, high) : Math.max(low, high);
});
const poses = Array.from({ length: 200 }, () => rigid(random, 4));

/** A knot alone, one of many triangles, or many knots. */
const aKnot = (scene: Scene) => [scene.add(knot)];
const aLarge = (scene: Scene) => [scene.add(large)];
const many = (scene: Scene) => poses.map(pose => scene.add(small, { pose }));

/** A GPU that finds nothing of points and rays: other threads are given lists that are empty. */
const nearTriangles: GpuDistanceDriver['nearTriangles'] = async () => ({
  answers: new Uint32Array(points.length / 3).fill(nearWord.open),
  triangles: new Uint32Array(0),
});
const candidates: GpuRayDriver['candidates'] = async () => ({
  ranges: Uint32Array.from({ length: rays.length / 3 }, (_, i) => (i % 2 === 1 ? leftOpen : 0)),
  words: new Uint32Array(0),
});
const gpu = fakeEngine({ distance: { nearTriangles }, rays: { candidates } });

interface Shared {
  readonly what: string;
  readonly add: (scene: Scene) => ReturnType<typeof aKnot>;
  readonly ask: (scene: Scene) => Promise<unknown>;
  /** Whether threads run kernels together, not items. */
  readonly isCrew?: boolean;
  readonly onGpu?: boolean;
}

const shared: readonly Shared[] = [
  { what: 'pairs', add: many, ask: scene => scene.interferences(), isCrew: true },
  { what: 'counts', add: many, ask: scene => scene.interferences({ detail: 'count' }), isCrew: true },
  { what: 'whether there is a pair', add: many, ask: scene => scene.interferences({ detail: 'any' }) },
  { what: 'self-intersections', add: aLarge, ask: scene => scene.selfIntersections(scene.bodies[0]) },
  { what: 'nearest points', add: aKnot, ask: scene => scene.closest(scene.bodies[0], points), isCrew: true },
  {
    what: 'nearest points that a GPU left open',
    ...{ add: aKnot, onGpu: true, isCrew: true },
    ask: scene => scene.closest(scene.bodies[0], points),
  },
  {
    what: 'hits that a GPU left open',
    add: aKnot,
    ask: scene => scene.rays(scene.bodies, rays),
    onGpu: true,
  },
  { what: 'hits', add: aLarge, ask: scene => scene.rays(scene.bodies, rays) },
  { what: 'points in a solid', add: aKnot, ask: scene => scene.inside(scene.bodies[0], points) },
  { what: 'what boxes meet', add: aKnot, ask: scene => scene.inBox(scene.bodies, sorted) },
  { what: 'near pairs', add: many, ask: scene => scene.within(0.2) },
  {
    what: 'relations',
    add: many,
    ask: async scene => (await scene.interferences({ detail: 'any' })).relations(),
  },
  {
    what: 'common points',
    add: many,
    ask: async scene => (await scene.interferences({ detail: 'any' })).points(),
  },
  {
    what: 'depths',
    add: many,
    ask: async scene => scene.depths((await scene.interferences()).pairs.slice(0, 12)),
  },
];

it.each(shared)('$what', async ({ add, ask, isCrew = false, onGpu = false }) => {
  const answerFrom = async (look: number): Promise<unknown> => {
    const scene = new Scene(onGpu ? gpu : cpu, cpu);
    add(scene);
    // Threads may not have noticed yet that the question before has ended.
    while (cpu.threads.ready < 2) await new Promise(resolve => setTimeout(resolve, 1));
    Object.assign(joining, { from: look, looks: 0, joined: 0 });
    const answer = said(await ask(scene), scene.bodies);
    scene.close();
    return answer;
  };
  const expected = await answerFrom(Infinity);
  const { looks } = joining;
  let [joined, late] = [0, 0];
  const answerAt = async (moment: number): Promise<void> => {
    const answer = await answerFrom(moment);
    joined += joining.joined;
    if (moment > 0) late += joining.joined;
    expect(answer, `look ${moment} of ${looks}`).toEqual(expected);
  };
  for (const moment of [0, 1, looks >> 2, looks >> 1, looks - 1]) await answerAt(moment);
  // A crew looks for threads after every step. Items are shared some milliseconds after the first, in parts: the calling thread
  // may have taken them all by then.
  if (isCrew) expect(late).toBeGreaterThan(0);
  for (let round = 0; joined === 0 && round < 50; round++) await answerAt(0);
  expect(joined).toBeGreaterThan(0);
});
