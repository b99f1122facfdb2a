// Items that several threads answer: every answer where its item is, whatever becomes of the threads; cancelling; progress.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rawMemory } from '../../core/raw-memory.ts';
import { CpuEngine } from '../engine.ts';
import { answerItems, Given, type SharedItems, type Sharing } from './shared-items.ts';
import { allStarted } from './testing.ts';
import { shareItems } from './together.ts';

/** What the calling thread imports with the jobs; these ones need no packing. */
Object.assign(globalThis, {
  shareInTests: <R>(sharing: Sharing<R>) =>
    shareItems(sharing, function* (given) {
      yield 0;
      return given as object;
    }),
});

/** A module of jobs whose threads run `body` per chunk, with the items from, to and the function `answer` for the result. */
const jobsThat = (body: string): string =>
  `data:text/javascript,${encodeURIComponent(`
    export const share = globalThis.shareInTests;
    export function work({ data: [seven], count, words }, reply) {
      const busy = until => { while (performance.now() < until); };
      for (let taken = 0; ; taken++) {
        const size = Math.max(1, Math.floor((count - Atomics.load(words, 0)) / 24));
        const from = Atomics.add(words, 0, size);
        if (from >= count) return;
        const to = Math.min(count, from + size);
        const answer = () => reply({ from, to, result: Array.from({ length: to - from }, (_, i) => seven * (from + i)) });
        ${body}
      }
    }`)}`;

const good = jobsThat('busy(performance.now() + 0.2 * (to - from)); answer();');

/** How often each item was answered, by whom, and all answers. */
class Sevenfold implements SharedItems<number[]> {
  readonly given = new Given('sevenfold', () => this.pack());
  readonly answers: number[] = [];
  readonly here = new Set<number>();
  readonly elsewhere = new Set<number>();
  packs = 0;

  constructor(
    readonly count: number,
    readonly milliseconds = 0.2,
  ) {}

  item(i: number): Iterator<unknown, unknown> | undefined {
    const until = performance.now() + this.milliseconds;
    while (performance.now() < until);
    this.answers[i] = 7 * i;
    this.here.add(i);
    return undefined;
  }
  /** Counted, since items that are shared are packed. */
  pack(): number[] {
    this.packs++;
    return [7];
  }
  take(from: number, to: number, result: number[]): void {
    result.forEach((answer, i) => {
      this.answers[from + i] = answer;
      this.elsewhere.add(from + i);
    });
    expect(result).toHaveLength(to - from);
  }

  check(): void {
    expect(this.answers).toEqual(Array.from({ length: this.count }, (_, i) => 7 * i));
  }
}

let engine: CpuEngine;
beforeEach(async () => {
  engine = new CpuEngine({ threads: 3 });
  engine.threads.jobs = good;
  await allStarted(engine);
});
afterEach(() => engine.close());

describe('shared items', () => {
  it('are all answered, by several threads', async () => {
    const items = new Sevenfold(2000);
    const seen: number[] = [];
    await answerItems(engine, items, { progress: done => seen.push(done) });
    items.check();
    expect(items.elsewhere.size).toBeGreaterThan(0);
    // At the end, two threads may answer the same item.
    expect(new Set([...items.here, ...items.elsewhere]).size).toBe(2000);
    expect(seen.every((done, i) => done >= (seen[i - 1] ?? 0) && done <= 1)).toBe(true);
    expect(seen.at(-1)).toBe(1);
    while (engine.threads.ready < 2) await new Promise(resolve => setTimeout(resolve, 5));
  });

  it('do not wait for threads that take much longer', async () => {
    engine.threads.jobs = jobsThat('busy(performance.now() + 1e9);');
    const items = new Sevenfold(400);
    await answerItems(engine, items, {});
    items.check();
    expect(items.elsewhere.size).toBe(0);
    expect(items.here.size).toBe(400);
  });

  it('are answered by the calling thread if they are few, or there is no other thread', async () => {
    const few = new Sevenfold(1);
    await answerItems(engine, few, {});
    few.check();
    expect(few.packs).toBe(0);
    const alone = new CpuEngine({ threads: 1 });
    const items = new Sevenfold(200);
    await answerItems(alone, items, {});
    items.check();
    expect(items.packs).toBe(0);
    const none = new Sevenfold(0);
    await answerItems(engine, none, {});
    alone.close();
  });

  it.each([
    ['fails at its second chunk', jobsThat("if (taken === 1) throw new Error('bad'); answer();")],
    [
      'fails at once',
      "data:text/javascript,export const share = globalThis.shareInTests; export const work = () => { throw new Error('bad') }",
    ],
    ['ends at its second chunk', jobsThat('if (taken === 1) process.exit(1); answer();')],
    ['ends after an answer', jobsThat('answer(); process.exit(1);')],
    ['has no such job', 'data:text/javascript,export const other = 1'],
    ['cannot import the jobs', 'file:///nowhere/jobs.js'],
    ['cannot parse the jobs', 'data:text/javascript,(('],
  ])('are all answered if a thread %s', async (_, jobs) => {
    engine.threads.jobs = jobs;
    const items = new Sevenfold(400);
    await answerItems(engine, items, {});
    items.check();
    // The next question is answered too.
    const again = new Sevenfold(300);
    await answerItems(engine, again, {});
    again.check();
  });

  it('are not shared again if the jobs cannot be imported', async () => {
    engine.threads.jobs = 'file:///nowhere/jobs.js';
    await answerItems(engine, new Sevenfold(500), {});
    expect(engine.threads.jobs).toBeUndefined();
    const items = new Sevenfold(500);
    await answerItems(engine, items, {});
    items.check();
    expect(items.packs).toBe(0);
    expect(engine.threads.ready).toBe(2);
  });

  it('are answered by the calling thread if they cannot be packed', async () => {
    const items = new Sevenfold(500);
    items.pack = () => [rawMemory(2 ** 53, true).byteLength];
    await answerItems(engine, items, {});
    items.check();
    expect(items.elsewhere.size).toBe(0);
  });

  it('reject with a RangeError of packing them that is not a failed allocation', async () => {
    const items = new Sevenfold(500);
    items.pack = () => [1, 2].with(7, 0);
    await expect(answerItems(engine, items, {})).rejects.toThrow(RangeError);
  });

  it('are answered by the calling thread if a list of the round cannot be copied', async () => {
    const list = new Uint32Array(2);
    // More than any memory has.
    Object.defineProperty(list, 'byteLength', { value: 2 ** 53 });
    const items = Object.assign(new Sevenfold(500), { round: { list } });
    await answerItems(engine, items, {});
    items.check();
    expect(items.elsewhere.size).toBe(0);
  });

  it('throw what progress throws, though it throws once and threads share', async () => {
    let thrown = 0;
    const progress = (done: number) => {
      if (done > 0.2 && thrown++ === 0) throw new Error('enough');
    };
    await expect(answerItems(engine, new Sevenfold(2000), { progress })).rejects.toThrow('enough');
  });

  it('throw what the first failing item throws, on whichever thread it runs', async () => {
    for (let run = 0; run < 5; run++) {
      const items = new Sevenfold(1000);
      const { item } = items;
      items.item = i => {
        if (i >= 400 + run && i % 50 === run) throw new Error(`item ${i}`);
        return item.call(items, i);
      };
      engine.threads.jobs = jobsThat(
        `for (let i = from; i < to; i++) if (i >= ${400 + run} && i % 50 === ${run}) throw new Error('bad');
         busy(performance.now() + 0.2 * (to - from)); answer();`,
      );
      await expect(answerItems(engine, items, {})).rejects.toThrow(`item ${400 + run}`);
      while (engine.threads.ready < 2) await new Promise(resolve => setTimeout(resolve, 5));
    }
  });

  it('are given up when they are cancelled, though a thread is busy', async () => {
    // A thread that goes on for a while after nobody waits for it.
    engine.threads.jobs = jobsThat(
      'while (Atomics.load(words, 1) === 0); busy(performance.now() + 500); answer(); return;',
    );
    const controller = new AbortController();
    const reason = new Error('enough');
    const items = new Sevenfold(100_000);
    const asked = answerItems(engine, items, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 100);
    await expect(asked).rejects.toBe(reason);
    // The question did not wait for the threads, and what they find is not taken.
    expect(engine.threads.ready).toBe(0);
    while (engine.threads.ready < 2) await new Promise(resolve => setTimeout(resolve, 5));
    expect(items.elsewhere.size).toBe(0);
  });

  it('reject with closed if the engine is closed, though other threads are at work', async () => {
    engine.threads.jobs = jobsThat('busy(performance.now() + 1e9);');
    const items = new Sevenfold(5000, 2);
    const asked = answerItems(engine, items, {});
    setTimeout(() => engine.close(), 300);
    await expect(asked).rejects.toMatchObject({ code: 'closed' });
  });

  it('are answered in steps, and steps end when they are cancelled', async () => {
    let ended = 0;
    const items = new Sevenfold(10);
    items.item = function* () {
      try {
        for (let step = 0; ; step++) {
          const until = performance.now() + 1;
          while (performance.now() < until);
          yield step;
        }
      } finally {
        ended++;
      }
    };
    engine.threads.jobs = jobsThat('busy(performance.now() + 200); if (words[1]) return;');
    const signal = AbortSignal.timeout(60);
    await expect(answerItems(engine, items, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(ended).toBe(1);
  });
});
