import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { columnsOf } from '../review/columns.ts';
import type { PairsAnswer, PairsQuestion } from '../review/types.ts';
import { type GpuAnswers, Pairs } from './pairs.ts';

/** Advances the clock by the time that an engine is said to take. */
let clock = 0;
beforeEach(() => {
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const noColumns = columnsOf([], new Uint32Array(0), [], [], new Map());

function engines(takes: Record<'cpu' | 'gpu', number>) {
  const answer = async (backend: 'cpu' | 'gpu'): Promise<PairsAnswer> => {
    clock += takes[backend];
    return { serial: 1, columns: noColumns, tests: [], sets: [], notes: [], time: 0, backend };
  };
  const gpu: GpuAnswers = { ask: () => answer('gpu'), close: vi.fn() };
  return { takes, gpu, askWorker: () => answer('cpu') };
}

const about = (...ids: number[]): PairsQuestion => ({
  assembly: {
    placed: { ids: Uint32Array.from(ids), poses: new Float64Array(16 * ids.length) },
    ...{ names: new Map(), unit: undefined, clearance: undefined, tolerance: undefined, rules: undefined },
  },
});

async function askMany(pairs: Pairs, count: number, question = about(1, 2)): Promise<string> {
  const answers: string[] = [];
  for (let i = 0; i < count; i++) answers.push((await pairs.ask(question, {})).backend);
  return answers.map(name => name[0]).join('');
}

describe('which engine finds pairs', () => {
  it('the worker, if there is no GPU', async () => {
    const { askWorker } = engines({ cpu: 5, gpu: 1 });
    const pairs = new Pairs({ askWorker, openGpu: undefined, isAsked: false, changed: () => {} });
    expect(await askMany(pairs, 4)).toBe('cccc');
    expect(pairs.words('SIMD')).toBe('SIMD in a worker');
    expect((await pairs.ask(about(1, 2), {})).time).toBe(5);
  });

  it('the faster one, measured again for other bodies and now and then', async () => {
    const { gpu, askWorker, takes } = engines({ cpu: 5, gpu: 2 });
    const changed = vi.fn();
    const pairs = new Pairs({ askWorker, openGpu: async () => gpu, isAsked: false, changed });
    expect(pairs.words('SIMD')).toBe('Pairs on the GPU or on SIMD in a worker, whichever is faster');
    // Until its kernels are compiled, no question waits for the GPU.
    expect(await askMany(pairs, 1)).toBe('c');
    const measuring = await askMany(pairs, 8);
    expect(measuring).toMatch(/^(gc)+g?$/);
    expect(await askMany(pairs, 20)).toBe('g'.repeat(20));
    expect(pairs.words('SIMD')).toBe(
      'Pairs on the GPU (2.0 ms; in the worker 5.0 ms), the rest on SIMD in a worker',
    );
    expect(changed).toHaveBeenCalled();
    // The slower one is asked again every fifty questions.
    expect((await askMany(pairs, 100)).replaceAll('g', '')).toBe('cc');
    takes.gpu = 9;
    await askMany(pairs, 8, about(1, 2, 3));
    expect(await askMany(pairs, 20, about(1, 2, 3))).toBe('c'.repeat(20));
    expect(pairs.words('SIMD')).toBe('Pairs on SIMD in a worker (5.0 ms; on the GPU 9.0 ms)');
  });

  it('only the GPU, if the address names it, even while it compiles', async () => {
    const { gpu, askWorker } = engines({ cpu: 1, gpu: 9 });
    const pairs = new Pairs({ askWorker, openGpu: async () => gpu, isAsked: true, changed: () => {} });
    expect(await askMany(pairs, 10)).toBe('g'.repeat(10));
  });

  it('the worker, with the reason, if the GPU has failed; a cancelled question is no failure', async () => {
    const { gpu, askWorker } = engines({ cpu: 1, gpu: 1 });
    const cancelled = AbortSignal.abort();
    const errors: Error[] = [cancelled.reason, new Error('out of buffers')];
    const failing = { ...gpu, ask: () => Promise.reject(errors.shift()!) };
    const pairs = new Pairs({ askWorker, openGpu: async () => failing, isAsked: true, changed: () => {} });
    await expect(pairs.ask(about(1, 2), { signal: cancelled })).rejects.toBe(cancelled.reason);
    expect(await askMany(pairs, 3)).toBe('ccc');
    expect(gpu.close).toHaveBeenCalledTimes(1);
    expect(pairs.words('SIMD')).toBe('SIMD in a worker (the GPU failed: out of buffers)');
  });
});
