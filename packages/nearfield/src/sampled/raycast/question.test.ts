// Sampling questions on a fake engine: which of the ways is chosen, and what happens after failures.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { NearfieldError } from '../../core/errors.ts';
import { type CpuEngine, createCpuEngine } from '../../cpu/engine.ts';
import { fakeEngine } from '../../gpu/testing/fake-engine.ts';
import { Scene } from '../../scene.ts';
import { box } from '../../shapes/index.ts';
import type { Sample, SamplingTurn } from '../sampling.ts';
import type { RawRaycast, RaycastTask, SceneFindings, SceneTask } from './sampling.ts';

let cpu: CpuEngine;
beforeAll(async () => {
  cpu = await createCpuEngine();
});
afterAll(() => cpu.close());

const common = {
  mayMissBelow: 0.1,
  mayReportWithin: 0.01,
  complete: true,
  lines: [],
  raycast: {
    ...{ resolution: 512, pixel: 0.1, directions: 1, tiles: 1, fragments: 1, edgeFragments: 1, recast: 0 },
    ...{ byRaysAlone: 0, byEdgesAlone: 0, selfHits: 0, inSeveral: 0, early: false },
  },
  stats: { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 },
};
const edges = { owners: new Uint32Array(0), along: new Float32Array(0), points: undefined };
const none = new Uint32Array(0);

/** A row of boxes in which neighbours cross, and a fake engine that reports which way it was asked. */
function rowOf(count: number, among: (task: SceneTask) => Promise<SceneFindings | undefined>) {
  const asked: string[] = [];
  const turn = {
    castAmong: (_bodies: unknown, task: SceneTask) => {
      asked.push(task.candidates === undefined ? 'among all' : 'among given');
      return among(task);
    },
    castAtEdges: async (_bodies: unknown, task: RaycastTask): Promise<RawRaycast> => {
      asked.push('one by one');
      const found = new Uint8Array(task.candidates.length / 2).fill(1);
      const named = { penetrating: none, penetrated: none, notClosed: none };
      return { ...common, any: true, found, byPairs: true, edges, ...named };
    },
  } as unknown as SamplingTurn;
  const sample: Sample = async (_bodies, _limits, work) => work(turn);
  const engine = fakeEngine({ sampled: { sample } }, { poseMemory: cpu.poseMemory });
  const scene = new Scene(engine, cpu);
  const part = box();
  for (let i = 0; i < count; i++) {
    scene.add(part, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.75 * i, 0, 0, 1] });
  }
  return { scene, asked };
}

const nothing = async (): Promise<SceneFindings> => ({
  ...common,
  rows: none,
  found: new Uint8Array(0),
  edges,
});
const ask = { method: 'raycast' } as const;

it('casts few candidates one by one, passes more by index, and lets the GPU find those of many bodies', async () => {
  const ways: [number, object, string][] = [
    [60, ask, 'one by one'],
    [60, { ...ask, views: 3 }, 'among given'],
    [100, ask, 'among given'],
    [100, { ...ask, ask: 'any' }, 'one by one'],
    [300, ask, 'among all'],
    [300, { ...ask, ask: 'any' }, 'among all'],
    [300, { ...ask, keep: () => true }, 'among given'],
    [300, { ...ask, counting: 'stencil' }, 'one by one'],
  ];
  for (const [count, options, way] of ways) {
    const { scene, asked } = rowOf(count, nothing);
    await scene.sampledInterferences(options as typeof ask);
    expect(asked, JSON.stringify([count, options])).toEqual([way]);
  }
});

it('falls back to one by one if the GPU cannot do all at once or runs out of memory', async () => {
  for (const fails of [
    async () => undefined,
    async () => {
      throw new NearfieldError('out-of-memory', 'heads of lists: too many');
    },
  ]) {
    const { scene, asked } = rowOf(300, fails);
    const answer = await scene.sampledInterferences(ask);
    expect(asked).toEqual(['among all', 'one by one']);
    expect(answer.length).toBe(299);
  }
  const { scene } = rowOf(300, async () => {
    throw new NearfieldError('gpu-lost', 'gone');
  });
  await expect(scene.sampledInterferences(ask)).rejects.toMatchObject({ code: 'gpu-lost' });
});

it('claims a complete answer if no boxes meet', async () => {
  const { scene } = rowOf(300, async () => {
    const raw = await nothing();
    return { ...raw, mayMissBelow: 1e9, raycast: { ...raw.raycast, tiles: 0 } };
  });
  const answer = await scene.sampledInterferences(ask);
  expect(answer).toMatchObject({ length: 0, mayMissBelow: 0, mayReportWithin: 0, complete: true });
});

it('sorts pairs by their bodies and names the bodies on request', async () => {
  const rows = Uint32Array.of(3, 4, 7, 8, 10, 11);
  const { scene } = rowOf(300, async () => ({ ...common, rows, found: Uint8Array.of(1, 2, 4 | 8), edges }));
  const answer = await scene.sampledInterferences(ask);
  // Only an edge reports the second pair, and it has no point that could be tested.
  expect([...answer.indices]).toEqual([3, 4, 10, 11]);
  expect(answer.penetrating.map(({ index }) => index)).toEqual([3, 4, 11]);
  expect(answer.penetrated.map(({ index }) => index)).toEqual([3, 4, 10]);
  expect(answer.raycast).toMatchObject({ byRaysAlone: 1, byEdgesAlone: 1 });
});
