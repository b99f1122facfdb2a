// Which backend answers: chosen by what answers took, with a clock that the test sets.

import { expect, it } from 'vitest';
import type { Engine } from '../bodies/engine.ts';
import { Choice } from '../core/choice.ts';
import { Costs } from '../core/costs.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { fakeEngine } from '../gpu/testing/fake-engine.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import type { InterfereRequest } from '../interferences/request.ts';
import { Scene } from '../scene.ts';
import { box, icosphere } from '../shapes/index.ts';

it('fits a line per kind of question and backend', () => {
  const costs = new Costs();
  // Before the first answer the CPU is expected to be better at little, the GPU at much.
  expect(costs.expected('a', 'cpu', 100)).toBeLessThan(costs.expected('a', 'gpu', 100));
  expect(costs.expected('a', 'cpu', 1e6)).toBeGreaterThan(costs.expected('a', 'gpu', 1e6));
  for (const size of [10, 1000, 100_000]) costs.note('a', 'cpu', size, 3 + 0.002 * size);
  for (const size of [0, 50, 1e6]) expect(costs.expected('a', 'cpu', size)).toBeCloseTo(3 + 0.002 * size, 6);
  // Samples of one size, with a fixed cost of a millisecond: smaller sizes cost as much, larger ones something between as much
  // and in proportion.
  costs.note('b', 'gpu', 100, 8);
  const expected = [10, 100, 300].map(size => costs.expected('b', 'gpu', size));
  expect(expected).toEqual([8, 8, expect.closeTo(Math.sqrt(8 * 22))]);
  // Samples fade: what a machine is like now counts.
  for (let i = 0; i < 60; i++) costs.note('b', 'gpu', 100, 2);
  expect(costs.expected('b', 'gpu', 100)).toBeCloseTo(2, 3);
  // As JSON and back.
  const again = new Costs();
  again.take(JSON.parse(JSON.stringify(costs.given('a GPU'))));
  expect(again.given('a GPU')).toEqual(costs.given('a GPU'));
  expect(again.expected('a', 'cpu', 77)).toBe(costs.expected('a', 'cpu', 77));
});

it('asks the backend that took less, tries the other, and tries again when enough has changed', () => {
  const costs = new Costs();
  const choice = new Choice(costs);
  const took = { cpu: 5, gpu: 12 };
  const asked: string[] = [];
  const ask = (size = 10_000) => {
    const backend = choice.backendFor('a', size);
    asked.push(backend);
    choice.note('a', backend, size, took[backend]);
  };
  for (let i = 0; i < 5; i++) ask();
  // Both are expected to take about a millisecond at first. A first answer may have built trees, so each is asked
  // twice.
  expect(asked).toEqual(['cpu', 'cpu', 'gpu', 'gpu', 'cpu']);
  // More than twice as slow: trials take at most 4 % of the time.
  for (let i = 0; i < 100; i++) ask();
  const trials = asked.slice(4).filter(backend => backend === 'gpu').length;
  expect(trials * (took.gpu - took.cpu)).toBeLessThanOrEqual(0.04 * (100 * took.cpu + trials * took.gpu));
  // Then the CPU becomes slow.
  took.cpu = 30;
  asked.length = 0;
  for (let i = 0; i < 20; i++) ask();
  expect(asked.filter(backend => backend === 'cpu').length).toBeLessThan(4);
  expect(asked.at(-1)).toBe('gpu');
});

it('tries the slower backend again after 64 answers if it was nearly as fast', () => {
  const choice = new Choice(new Costs());
  choice.note('a', 'cpu', 100, 1);
  choice.note('a', 'gpu', 100, 1.5);
  const asked: string[] = [];
  for (let i = 0; i < 200; i++) {
    const backend = choice.backendFor('a', 100);
    asked.push(backend);
    choice.note('a', backend, 100, backend === 'cpu' ? 1 : 1.5);
  }
  const times = asked.filter(backend => backend === 'gpu').length;
  expect([4, 5]).toContain(times);
});

/** A scene on a made-up GPU that is a second CPU engine. Answers take as long as `took` says, by the scene's clock. */
async function sceneWith({ asked, ...own }: { isReady?: boolean; asked?: Map<string, boolean> } = {}) {
  const [cpu, second] = [await createCpuEngine({ threads: 1 }), await createCpuEngine({ threads: 1 })];
  await cpu.compile();
  await second.compile();
  let time = 0;
  const took = { cpu: 1, gpu: 1 };
  const state = { isReady: true, ...own };
  const pairs = cpuPairs(second);
  const interfere: typeof pairs.interfere = async (bodies, request) => {
    const raw = await pairs.interfere(bodies, request);
    time += took.gpu;
    return { ...raw, stats: { ...raw.stats, dispatches: 1 } };
  };
  // The CPU's own answers take time, too.
  const search = cpuPairs(cpu);
  const plain = search.interfere.bind(search);
  search.interfere = async (bodies, request: InterfereRequest) => {
    const raw = await plain(bodies, request);
    time += took.cpu;
    return raw;
  };
  const gpu: Engine = fakeEngine(
    { interferences: { interfere } },
    {
      costs: new Costs(() => time),
      asked,
    },
  );
  Object.defineProperty(gpu, 'isReady', { get: () => state.isReady });
  const scene = new Scene(gpu, cpu);
  for (let i = 0; i < 6; i++)
    scene.add(i % 2 ? box() : icosphere({ frequency: 3 }), {
      pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.7 * i, 0.125 * i, 0, 1],
    });
  const close = () => {
    scene.close();
    cpu.close();
    second.close();
  };
  return { scene, took, state, close };
}

it('has the same answers from both backends, and says who answered', async () => {
  const { scene, took, close } = await sceneWith();
  const seen = new Set<string>();
  let first: { indices: Uint32Array; relations: string[] } | undefined;
  for (const [cpu, gpu] of [
    [1, 1],
    [50, 1],
    [1, 50],
    [1, 1],
  ]) {
    Object.assign(took, { cpu, gpu });
    for (let i = 0; i < 4; i++) {
      const answer = await scene.interferences();
      expect(answer.stats.backend).toBe(answer.backend);
      expect(answer.stats.dispatches > 0).toBe(answer.backend === 'gpu');
      seen.add(answer.backend);
      first ??= { indices: answer.indices, relations: await answer.relations() };
      expect({ indices: answer.indices, relations: await answer.relations() }).toEqual(first);
    }
  }
  expect([...seen].sort()).toEqual(['cpu', 'gpu']);
  close();
});

it('settles on the backend that is faster, per kind of question', async () => {
  const { scene, took, close } = await sceneWith();
  Object.assign(took, { cpu: 20, gpu: 2 });
  for (let i = 0; i < 6; i++) await scene.interferences();
  expect((await scene.interferences()).backend).toBe('gpu');
  Object.assign(took, { cpu: 2, gpu: 20 });
  for (let i = 0; i < 6; i++) await scene.interferences({ detail: 'any' });
  expect((await scene.interferences({ detail: 'any' })).backend).toBe('cpu');
  // Who names a traversal asks the scene's own backend.
  expect((await scene.interferences({ detail: 'any', traversal: 'walk' })).backend).toBe('gpu');
  close();
});

it('answers on the CPU until the kernels of the GPU are compiled', async () => {
  const { scene, took, state, close } = await sceneWith({ isReady: false });
  Object.assign(took, { cpu: 50, gpu: 1 });
  for (let i = 0; i < 3; i++) expect((await scene.interferences()).backend).toBe('cpu');
  state.isReady = true;
  expect((await scene.interferences()).backend).toBe('gpu');
  expect((await scene.interferences()).backend).toBe('gpu');
  close();
});

it('answers on the CPU while the GPU compiles what a kind of question needs', async () => {
  const asked = new Map<string, boolean>();
  const { scene, took, close } = await sceneWith({ asked });
  Object.assign(took, { cpu: 50, gpu: 1 });
  for (let i = 0; !asked.has('interferences list'); i++) {
    expect((await scene.interferences()).backend).toBe('cpu');
    expect(i).toBeLessThan(10);
  }
  while (!asked.get('interferences list')) await new Promise(resolve => setTimeout(resolve));
  expect((await scene.interferences()).backend).toBe('gpu');
  // Two backends that answer would report progress twice, so this question waits for the kernels.
  asked.clear();
  expect((await scene.interferences({ progress() {} })).backend).toBe('gpu');
  // A question that takes the CPU longer than compiling takes a GPU waits, too.
  took.gpu = 1e6;
  for (let i = 0; i < 12; i++) await scene.interferences({ detail: 'any' });
  expect((await scene.interferences({ detail: 'any' })).backend).toBe('cpu');
  Object.assign(took, { cpu: 3e6, gpu: 1 });
  for (let i = 0; i < 12; i++) await scene.interferences({ detail: 'any' });
  asked.clear();
  expect((await scene.interferences({ detail: 'any' })).backend).toBe('gpu');
  close();
});

it("does not take a million triangles at once on a page's main thread", async () => {
  const { scene, took, state, close } = await sceneWith({ isReady: false });
  Object.assign(took, { cpu: 1, gpu: 50 });
  scene.add(icosphere({ frequency: 224 }), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 50, 0, 0, 1] });
  Object.assign(globalThis, { document: {} });
  try {
    expect((await scene.interferences()).backend).toBe('gpu');
    state.isReady = true;
    for (let i = 0; i < 3; i++) expect((await scene.interferences()).backend).toBe('gpu');
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
  for (let i = 0; i < 3; i++) await scene.interferences();
  expect((await scene.interferences()).backend).toBe('cpu');
  close();
});
