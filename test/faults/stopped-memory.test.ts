// A question that is cancelled leaves no memory in use. Each is cancelled at every one of its first yields. The clock
// says at every reading that the slice of time is over, so that each step is followed by a yield.

import { type Body, type CpuScene, type Limits, mesh, open, shapes } from 'nearfield';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { coreOf } from '../../packages/nearfield/src/questions/bare-scene.ts';

let now = 0;
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000)));
afterEach(() => void vi.restoreAllMocks());

const sphere = shapes.icosphere({ frequency: 12 });
const at = (x: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0.1, 0.2, 1);
const { positions, indices } = sphere;
const holed = mesh(positions, indices.slice(3));
const groups = (count: number, size: number): Float64Array =>
  Float64Array.from({ length: size * count }, (_, i) => ((i * 7919) % 1009) / 1009);

type Ask = (scene: CpuScene, bodies: readonly Body[], limits: Limits) => Promise<unknown>;

const questions: [name: string, ask: Ask, given?: typeof sphere][] = [
  ['rays', (scene, bodies, limits) => scene.rays(bodies, groups(3000, 6), limits)],
  ['inBox', (scene, bodies, limits) => scene.inBox(bodies, boxes(1500), limits)],
  ['inSphere', (scene, bodies, limits) => scene.inSphere(bodies, groups(1500, 4), limits)],
  ['closest', (scene, [a], limits) => scene.closest(a, groups(3000, 3), limits)],
  ['interferences', (scene, _, limits) => scene.interferences(limits)],
  ['within', (scene, _, limits) => scene.within(0.5, limits)],
  ['self-intersections', (scene, [a], limits) => scene.selfIntersections(a, limits)],
  ['penetration', (scene, [a, b], limits) => scene.penetration(a, b, limits)],
  ['depths of open bodies', (scene, [a, b], limits) => scene.depths([{ a, b }], limits), holed],
  ['overlap', (scene, [a, b], limits) => scene.overlap(a, b, limits)],
  ['distance map', (scene, [a, b], limits) => scene.distanceMap(a, b, { ...limits, resolution: 16 })],
  [
    'first contact',
    (scene, [body], limits) => scene.firstContact({ bodies: [{ body, to: at(3) }] }, { ...limits, upTo: 1 }),
  ],
];

function boxes(count: number): Float64Array {
  const given = groups(count, 6);
  for (let i = 0; i < given.length; i += 6) for (let k = i; k < i + 3; k++) given[k + 3] += given[k];
  return given;
}

/** Asks, and cancels at the given yield. Returns whether it was cancelled. */
async function cancelled(ask: (limits: Limits) => Promise<unknown>, yieldNumber: number): Promise<boolean> {
  const controller = new AbortController();
  let yields = 0;
  const progress = () => {
    if (++yields === yieldNumber) controller.abort();
  };
  const error = await ask({ signal: controller.signal, progress }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && error !== controller.signal.reason) throw error;
  return error !== undefined;
}

describe('memory of a question that is cancelled', () => {
  it.each(questions)('%s', async (_, ask, given = sphere) => {
    const nf = await open({ backend: 'cpu', threads: 1 });
    const scene = nf.scene();
    const engine: CpuEngine = coreOf(scene).cpu;
    const bodies = [scene.add(given), scene.add(given, { pose: at(0.5) })];
    const run = (limits: Limits) => ask(scene, bodies, limits);
    // What stays in use between questions is there from the first two on.
    await run({});
    await run({});
    const used = engine.usedBytes;
    let count = 0;
    for (let i = 1; i <= 40 && (await cancelled(run, i)); i++) {
      count++;
      expect(engine.usedBytes, `cancelled at yield ${i}`).toBe(used);
    }
    expect(count).toBeGreaterThan(0);
    nf.close();
  });
});
