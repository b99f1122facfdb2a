// What the engine does around its kernels: memory, growing lists, asynchronous questions, cancellation.

import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { groupRecords, sortRecords } from '../../../bvh/cpu/sort/records.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { broadSync } from '../../../candidates/cpu/pair-front.ts';
import { CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { KernelMemory } from '../../../cpu/memory.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { interfere, selfIntersect } from '../../driver.ts';
import { cpuPairs } from './driver.ts';
import { pairKernels } from './kernels.ts';
import { selfIntersectSync } from './self/driver.ts';
import { place, randomMesh, rotation } from './testing/scenes.ts';

/** Long triangles nearly all of which meet: many pairs and much work. */
function tangle(seed: number, count: number): Placed {
  const random = randomFrom(seed);
  return place(mesh(Float64Array.from({ length: 9 * count }, () => random() * 2 - 1)));
}

/** Comparison without vitest's matcher, which is slow for long arrays. */
const same = (a: Uint32Array, b: Uint32Array) => a.length === b.length && a.every((v, i) => v === b[i]);

/** Records come in any order. */
const sorted = (engine: CpuEngine, records: Uint32Array): Uint32Array => {
  sortRecords(engine, records);
  return records;
};

describe('the memory', () => {
  it('never allocates a byte twice, and merges freed blocks', () => {
    for (let seed = 0; seed < (process.env.NEARFIELD_SLOW ? 100 : 8); seed++) {
      const random = randomFrom(seed);
      const memory = new KernelMemory();
      memory.start(1024);
      const blocks: { at: number; bytes: number }[] = [];
      for (let step = 0; step < 300; step++) {
        if (blocks.length > 0 && random() < 0.45) {
          const [block] = blocks.splice(Math.floor(random() * blocks.length), 1);
          memory.free(block.at);
          continue;
        }
        const bytes = Math.floor(random() * (random() < 0.1 ? 3_000_000 : 5000));
        const at = memory.allocate(bytes, 'a test');
        expect(at % 64, `seed ${seed}`).toBe(0);
        const twice = blocks.find(other => at + bytes > other.at && other.at + other.bytes > at);
        expect(twice, `seed ${seed}`).toBeUndefined();
        expect(at + bytes).toBeLessThanOrEqual(memory.memory.buffer.byteLength);
        blocks.push({ at, bytes });
      }
      for (const block of blocks) memory.free(block.at);
      expect(memory.usedBytes).toBe(0);
      const whole = memory.memory.buffer.byteLength - 1024;
      expect(memory.allocate(whole, 'a test')).toBe(1024);
      expect(memory.memory.buffer.byteLength).toBe(whole + 1024);
    }
  });

  it('keeps the contents of a block it enlarges', () => {
    const memory = new KernelMemory();
    memory.start(1024);
    const at = memory.allocate(4000, 'a test');
    for (let i = 0; i < 1000; i++) memory.u32[at / 4 + i] = i;
    const to = memory.enlarge(at, 9_000_000, 'a test');
    for (let i = 0; i < 1000; i++) expect(memory.u32[to / 4 + i]).toBe(i);
  });

  it('throws out-of-memory if it cannot grow', () => {
    const memory = new KernelMemory();
    memory.start(1024);
    expect(() => memory.allocate(5e9, 'a tree')).toThrow(expect.objectContaining({ code: 'out-of-memory' }));
    expect(memory.allocate(64, 'a test')).toBe(1024);
  });
});

describe('a question', () => {
  it('whose answer outgrows its lists is answered in full', async () => {
    const engine = await createCpuEngine();
    const bodies = [tangle(1, 300), tangle(2, 300)];
    const answer = cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
    const counted = cpuPairs(engine).interfereSync(bodies, { detail: 'count' });
    expect(answer.certain.length / 3).toBeGreaterThan(5000);
    expect(answer.stats.growths).toBeGreaterThan(0);
    expect(counted.counts?.[0]).toBe(answer.certain.length / 3);
    const crowd = Array.from({ length: 120 }, (_, i) => tangle(i, 12));
    expect(broadSync(engine, crowd).length / 2).toBe((120 * 119) / 2);
    engine.close();
  });

  it('has the same answer synchronously and asynchronously, and reports progress that grows to 1', async () => {
    const engine = await createCpuEngine();
    const bodies = [tangle(3, 1200), tangle(4, 1200)];
    const seen: number[] = [];
    const waited = await interfere(engine, bodies, { detail: 'list', progress: share => seen.push(share) });
    const at = cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
    expect(same(sorted(engine, waited.certain), sorted(engine, at.certain))).toBe(true);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toBe(1);
    for (let i = 1; i < seen.length; i++) expect(seen[i]).toBeGreaterThanOrEqual(seen[i - 1]);
    const self = await selfIntersect(engine, bodies[0], {});
    const again = selfIntersectSync(engine, bodies[0], {});
    expect(same(sorted(engine, self.certain), sorted(engine, again.certain))).toBe(true);
    engine.close();
  });

  it('can be cancelled while it waits, and leaves nothing behind', async () => {
    const engine = await createCpuEngine();
    const bodies = [tangle(5, 3000), tangle(6, 3000)];
    cpuPairs(engine).interfereSync([bodies[0]], { detail: 'list' });
    cpuPairs(engine).interfereSync([bodies[1]], { detail: 'list' });
    const controller = new AbortController();
    const waiting = interfere(engine, bodies, {
      detail: 'count',
      signal: controller.signal,
      progress: () => controller.abort(),
    });
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    const before = engine.usedBytes;
    await expect(
      interfere(engine, bodies, { detail: 'any', signal: controller.signal }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(engine.usedBytes).toBe(before);
    engine.close();
  });

  it('answers about the bodies as they were when it was asked', async () => {
    const engine = await createCpuEngine();
    const bodies = [tangle(7, 800), tangle(8, 800)];
    const before = cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
    const waiting = interfere(engine, bodies, { detail: 'list' });
    const { shape } = bodies[1];
    shape.positions = Float64Array.from(shape.positions, v => v + 5);
    shape.revision++;
    expect(cpuPairs(engine).interfereSync(bodies, { detail: 'list' }).candidates.length).toBe(0);
    const answer = await waiting;
    expect(same(sorted(engine, answer.certain), sorted(engine, before.certain))).toBe(true);
    engine.close();
  });

  it('to a closed engine is refused', async () => {
    const engine = await createCpuEngine();
    const waiting = interfere(engine, [tangle(9, 3000), tangle(10, 3000)], { detail: 'count' });
    engine.close();
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    expect(() => cpuPairs(engine).interfereSync([], { detail: 'list' })).toThrow(
      expect.objectContaining({ code: 'closed' }),
    );
    expect(() => finderOf(engine).trianglesInBox(tangle(1, 1), [0, 0, 0, 1, 1, 1])).toThrow(/closed/);
  });
});

describe('a long question', () => {
  const long = process.env.NEARFIELD_SLOW ? 1600 : 900;
  it('has the same answer from 1, 2, 3 and 8 threads', async () => {
    const one = new CpuEngine({ threads: 1 });
    const bodies = [tangle(11, long), tangle(12, long), tangle(13, 40), tangle(14, 300)];
    // Many candidates, of which a few take long.
    const crowd = [...bodies, ...Array.from({ length: 150 }, (_, i) => tangle(20 + i, 12))];
    const ask = (engine: CpuEngine) => {
      const any = cpuPairs(engine).interfereSync(crowd, { detail: 'any', stopAtFirst: true });
      return {
        list: sorted(engine, cpuPairs(engine).interfereSync(bodies, { detail: 'list' }).certain),
        crowd: sorted(engine, cpuPairs(engine).interfereSync(crowd, { detail: 'list' }).certain),
        counts: cpuPairs(engine).interfereSync(crowd, { detail: 'count' }).counts!,
        any: sorted(engine, any.certain),
        known: any.known!,
        self: sorted(engine, selfIntersectSync(engine, bodies[0], {}).certain),
      };
    };
    const expected = ask(one);
    expect(one.threads.ready).toBe(0);
    for (const threads of [2, 3, 8]) {
      const engine = new CpuEngine({ threads });
      for (let round = 0; round < (process.env.NEARFIELD_SLOW ? 10 : 1); round++) {
        const answers = ask(engine);
        for (const key of Object.keys(expected) as (keyof typeof expected)[]) {
          expect(same(answers[key], expected[key]), `${key}, ${threads} threads`).toBe(true);
        }
        await ready(engine, threads - 1);
        // Two at once: one gets the threads, the other works without them.
        const [a, b] = await Promise.all([
          interfere(engine, bodies, { detail: 'list' }),
          selfIntersect(engine, bodies[0], {}),
        ]);
        expect(same(sorted(engine, a.certain), expected.list)).toBe(true);
        expect(same(sorted(engine, b.certain), expected.self)).toBe(true);
        const controller = new AbortController();
        let isUnderWay = false;
        const cancelled = interfere(engine, bodies, {
          detail: 'list',
          signal: controller.signal,
          progress: share => {
            if (share === 1) return;
            isUnderWay = true;
            controller.abort();
          },
        });
        const ended = await cancelled.then(
          () => 'answered',
          error => error.name,
        );
        // On a busy machine the others may have done everything before the first progress.
        expect(ended).toBe(isUnderWay ? 'AbortError' : 'answered');
        expect(engine.threads.ready).toBe(threads - 1);
      }
      engine.close();
    }
    one.close();
  });

  it('is shared by threads that become ready while it is answered', () => {
    const engine = new CpuEngine({ threads: 2 });
    const bodies = [tangle(11, 3 * long), tangle(12, 3 * long)];
    // The first question starts the thread; without other tasks in between, it joins this one or the next.
    const latest = performance.now() + 30_000;
    while (performance.now() < latest && engine.threads.ready === 0) {
      cpuPairs(engine).interfereSync(bodies, { detail: 'count' });
    }
    expect(engine.threads.ready).toBe(1);
    engine.close();
  });

  it('is answered by the calling thread alone if the others fail', async () => {
    const bodies = [tangle(11, long), tangle(12, long)];
    // A module whose runTasks is `unreachable`.
    const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];
    const section = (id: number, ...content: number[]) => [id, content.length, ...content];
    const bytes = Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, 1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 1, 0x7f),
      ...section(2, 1, ...text('env'), ...text('memory'), 2, 3, 16, 0x80, 0x80, 4),
      ...section(3, 1, 0),
      ...section(7, 1, ...text('runTasks'), 0, 0),
      ...section(10, 1, 3, 0, 0, 0x0b),
    ]);
    const module = await WebAssembly.compile(bytes);
    const one = new CpuEngine({ threads: 1 });
    for (const waits of [false, true]) {
      const engine = brokenThread(module);
      const ask = async (detail: 'list' | 'count') =>
        waits ? interfere(engine, bodies, { detail }) : cpuPairs(engine).interfereSync(bodies, { detail });
      const exact = sorted(engine, cpuPairs(one).interfereSync(bodies, { detail: 'list' }).certain);
      await ready(engine, 2);
      expect((await ask('count')).counts).toEqual(Uint32Array.of(exact.length / 3));
      expect(engine.threads.ready).toBe(0);
      expect(same(sorted(engine, (await ask('list')).certain), exact)).toBe(true);
      engine.close();
    }
  });
});

it('a question is answered in full if threads end in the middle of it', async () => {
  const bodies = [tangle(11, 900), tangle(12, 900)];
  const one = new CpuEngine({ threads: 1 });
  const exact = sorted(one, cpuPairs(one).interfereSync(bodies, { detail: 'list' }).certain);
  for (const ended of [1, 3]) {
    const engine = new CpuEngine({ threads: 4 });
    await ready(engine, 3);
    const threads = engine.threads.take();
    for (const thread of threads) thread.release();
    let left = ended;
    const progress = () => {
      for (const thread of threads) {
        if (left === 0 || !thread.isWorking) continue;
        left--;
        thread.end();
      }
    };
    // On a busy machine a question may end before any progress: then there is another one, until a thread ends in the middle.
    for (let tries = 0; tries < 500 && left === ended; tries++) {
      const answer = await interfere(engine, bodies, { detail: 'list', progress });
      expect(same(sorted(engine, answer.certain), exact)).toBe(true);
    }
    expect(left).toBeLessThan(ended);
    expect(engine.threads.ready).toBe(3 - (ended - left));
    engine.close();
  }
  one.close();
});

describe('a shape', () => {
  it('that is forgotten frees its memory', async () => {
    const engine = await createCpuEngine();
    const random = randomFrom(1);
    cpuPairs(engine).interfereSync([place(randomMesh(random, 8))], { detail: 'list' });
    const bodies = Array.from({ length: 12 }, () => place(randomMesh(random, 50), rotation(random)));
    cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
    for (const body of bodies) selfIntersectSync(engine, body, {});
    for (const body of bodies) engine.forget(body.shape);
    const settled = engine.usedBytes;
    for (let round = 0; round < 5; round++) {
      cpuPairs(engine).interfereSync(bodies, { detail: 'list' });
      for (const body of bodies) selfIntersectSync(engine, body, {});
      for (const body of bodies) engine.forget(body.shape);
    }
    expect(engine.usedBytes).toBe(settled);
    engine.close();
  });

  it('deformed a little or a lot gives the same answer as a new shape', async () => {
    const engine = await createCpuEngine();
    const random = randomFrom(2);
    const moving = place(randomMesh(random, 300));
    const still = place(randomMesh(random, 300), rotation(random));
    const start = Float64Array.from(moving.shape.positions);
    for (const amount of [0.01, 0.1, 3, 0.5]) {
      moving.shape.positions = start.map(v => v + (random() - 0.5) * amount);
      moving.shape.revision++;
      const refitted = cpuPairs(engine).interfereSync([moving, still], { detail: 'list' });
      const fresh = place(mesh(moving.shape.positions as Float64Array, moving.shape.mesh.indices));
      const built = cpuPairs(engine).interfereSync([fresh, still], { detail: 'list' });
      expect(same(sorted(engine, refitted.certain), sorted(engine, built.certain))).toBe(true);
    }
    engine.close();
  });
});

/**
 * Records whose numbers differ much, little, in few bits or not at all, so that there are short and long runs of equal
 * ones.
 */
function mixedRecords(seed: number, count: number): Uint32Array {
  const random = randomFrom(seed);
  const ranges = [1, 3, 40, 5000, 2 ** 20, 2 ** 32];
  const most = [0, 1, 2].map(() => ranges[Math.floor(random() * ranges.length)]);
  return Uint32Array.from({ length: 3 * count }, (_, i) => random() * (random() < 0.9 ? most[i % 3] : 2));
}

const rowsOf = (records: Uint32Array): number[][] =>
  Array.from({ length: records.length / 3 }, (_, i) => [...records.subarray(3 * i, 3 * i + 3)]).sort(
    (p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2],
  );

const recordCounts = [0, 1, 2, 15, 16, 17, 40, 300, 1000, 20_000];

it('sorts records by all three numbers', async () => {
  const engine = await createCpuEngine();
  for (const count of recordCounts) {
    for (let seed = 0; seed < (process.env.NEARFIELD_SLOW ? 40 : count > 1000 ? 2 : 12); seed++) {
      const records = mixedRecords(seed, count);
      const rows = rowsOf(records);
      sortRecords(engine, records);
      expect(same(records, Uint32Array.from(rows.flat())), `${count} records, seed ${seed}`).toBe(true);
    }
  }
  engine.close();
});

it('splits sorted records by their first number', async () => {
  const engine = await createCpuEngine();
  for (const count of recordCounts) {
    const records = mixedRecords(count, count).map((value, i) => (i % 3 === 0 ? value % 70 : value));
    const middle = 3 * Math.floor(count / 3);
    const { start, pairs } = groupRecords(engine, records.slice(0, middle), records.slice(middle), 70);
    const rows = rowsOf(records);
    const before = (group: number) => rows.filter(([first]) => first < group).length;
    expect(
      same(
        start,
        Uint32Array.from({ length: 71 }, (_, group) => before(group)),
      ),
      `${count}`,
    ).toBe(true);
    expect(same(pairs, Uint32Array.from(rows.flatMap(row => row.slice(1)))), `${count}`).toBe(true);
  }
  engine.close();
});

/** Starts threads, and waits until so many are ready. */
async function ready(engine: CpuEngine, count: number): Promise<void> {
  for (let i = 0; i < 500 && engine.threads.ready < count; i++) {
    for (const thread of engine.threads.take()) thread.release();
    await new Promise(done => setTimeout(done, 20));
  }
  expect(engine.threads.ready).toBe(count);
}

/** An engine whose other threads get another module. */
function brokenThread(module: WebAssembly.Module): CpuEngine {
  const engine = new CpuEngine({ threads: 3 });
  Object.assign(engine.kernels(pairKernels), { module });
  return engine;
}
