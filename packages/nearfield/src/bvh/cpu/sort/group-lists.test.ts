// Records of several lists, grouped on threads, against the sort of one thread: another algorithm.

import { afterAll, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { allStarted } from '../../../cpu/threads/testing.ts';
import { createRandom } from '../../../shapes/index.ts';
import { groupLists, type ListInMemory } from './group-lists.ts';
import { type GroupedRecords, groupRecords, mergeGroups } from './records.ts';

const engines = [createCpuEngine({ threads: 1 }), createCpuEngine({ threads: 4 })];
afterAll(() => {
  for (const engine of engines) engine.close();
});
const seed = 77;
const none = new Uint32Array(0);

/** Lists of records in runs of one group. All records are distinct. */
function listsOf(counts: readonly number[], groups: number, triangles: number): Uint32Array[] {
  const random = createRandom(seed);
  const known = new Set<string>();
  return counts.map(count => {
    const list = new Uint32Array(3 * count);
    let [group, left] = [0, 0];
    for (let i = 0; i < count; ) {
      if (left-- <= 0) [group, left] = [random.integer(groups), random.integer(200)];
      const record = [group, random.integer(triangles), random.integer(triangles)];
      if (known.size < 50_000 && known.has(`${record}`)) continue;
      known.add(`${record}`);
      list.set(record, 3 * i++);
    }
    return list;
  });
}

/** The grouped records; waits until all threads have been started. */
async function grouped(
  engine: CpuEngine,
  lists: readonly Uint32Array[],
  groups: number,
  atOnce?: number,
): Promise<GroupedRecords | undefined> {
  const { memory, threads } = engine;
  await allStarted(engine);
  const used = memory.usedBytes;
  const inMemory = lists.map((list): ListInMemory => {
    const at = memory.allocate(Math.max(4, list.byteLength), 'a list');
    memory.u32.set(list, at / 4);
    return { at, count: list.length / 3 };
  });
  try {
    const steps = groupLists(engine, inMemory, groups, threads.count > 1, atOnce);
    let step = steps.next();
    while (!step.done) {
      await new Promise(resolve => setImmediate(resolve));
      step = steps.next();
    }
    return step.value;
  } finally {
    for (const { at } of inMemory) memory.free(at);
    expect(memory.usedBytes).toBe(used);
    expect(threads.ready).toBe(threads.count - 1);
  }
}

const bytes = ({ buffer, byteOffset, byteLength }: Uint32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

const joined = (lists: readonly Uint32Array[]): Uint32Array =>
  Uint32Array.from(lists.flatMap(list => [...list]));

it.each<[string, number[], number, number]>([
  ['one list', [120_000], 500, 400],
  ['lists of very different lengths', [100_000, 0, 7, 33_000], 3000, 60],
  ['few groups of many records', [60_000, 60_000], 3, 2000],
  ['numbers of all 32 bits', [40_000, 40_000], 900, 2 ** 32 - 1],
  ['more groups than records', [400, 300], 100_000, 10],
  ['groups of one triangle', [5000, 4000], 4, 5000],
  ['nothing', [0, 0], 10, 10],
])('%s', async (_, counts, groups, triangles) => {
  const lists = listsOf(counts, groups, triangles);
  const expected = groupRecords(engines[0], joined(lists), none, groups);
  for (const engine of engines) {
    // All pairs at once, and range by range: a range has at least the pairs of one group.
    for (const atOnce of [undefined, 1, 20_000]) {
      const what = `seed ${seed}, ${atOnce} at once`;
      const found = (await grouped(engine, lists, groups, atOnce))!;
      expect(Buffer.compare(bytes(found.start), bytes(expected.start)), what).toBe(0);
      expect(Buffer.compare(bytes(found.pairs), bytes(expected.pairs)), what).toBe(0);
      expect(found.pairs.length).toBe(expected.pairs.length);
      expect(found.pairs.buffer instanceof SharedArrayBuffer).toBe(engine.threads.count > 1);
    }
  }
});

it('sorts one very large group on one thread', async () => {
  const count = (1 << 20) + 1;
  const list = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) list[3 * i + 1] = count - i;
  for (const engine of engines) {
    const { start, pairs } = (await grouped(engine, [list], 1))!;
    expect([...start]).toEqual([0, count]);
    const wrong = pairs.findIndex((word, i) => word !== (i % 2 ? 0 : i / 2 + 1));
    expect([wrong, pairs.length]).toEqual([-1, 2 * count]);
  }
});

it('leaves it to others if there is no memory', async () => {
  const engine = createCpuEngine({ threads: 1, maxMemory: 2 ** 24 });
  expect(await grouped(engine, listsOf([200_000], 2_000_000, 10), 2_000_000)).toBeUndefined();
  engine.close();
});

it('frees threads and memory if it is given up', () => {
  const [, engine] = engines;
  const { memory, threads } = engine;
  const used = memory.usedBytes;
  const [list] = listsOf([200_000], 800, 400);
  const at = memory.allocate(list.byteLength, 'a list');
  memory.u32.set(list, at / 4);
  for (let steps = 0; steps < 12; steps++) {
    const work = groupLists(engine, [{ at, count: list.length / 3 }], 800, true);
    for (let i = 0; i < steps; i++) work.next();
    work.return(undefined);
    expect(threads.ready).toBe(threads.count - 1);
  }
  memory.free(at);
  expect(memory.usedBytes).toBe(used);
});

it('merges records by group, as if they had been grouped together', () => {
  const [engine] = engines;
  const lists = listsOf([90_000, 300], 2000, 300);
  const expected = groupRecords(engine, lists[0], lists[1], 2000);
  const parts = lists.map(list => groupRecords(engine, list, none, 2000));
  for (const [first, second] of [parts, [...parts].reverse()]) {
    const steps = mergeGroups(first, second);
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value).toEqual(expected);
  }
});
