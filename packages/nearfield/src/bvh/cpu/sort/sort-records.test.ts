// Records sorted by the kernels against JavaScript's own sort, for all kinds of lists that answers have, and for some
// that they never have.

import { expect, it } from 'vitest';
import { randomFrom } from '../../../../../../test/oracle/triangles/generators.ts';
import { toEnd } from '../../../core/waiting.ts';
import { CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { groupInSteps, groupRecords, sortRecords } from './records.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
type Random = () => number;
type Row = [number, number, number];

const below = (random: Random, end: number) => Math.floor(random() * end);
const listOf = (count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i));
const inOrder = (rows: Row[]) => rows.sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);

function shuffled(random: Random, rows: Row[]): Row[] {
  for (let i = rows.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  return rows;
}

/** Records as threads append them: short runs of neighbours from all over two bodies. */
function runs(random: Random, count: number, candidates: number, triangles: number): Row[] {
  let [candidate, a, b] = [0, 0, 0];
  return listOf(count, i => {
    if (i === 0 || random() < 0.15) {
      candidate = below(random, candidates);
      a = below(random, triangles);
      b = below(random, triangles);
    }
    a += below(random, 2);
    b += below(random, 3);
    return [candidate, a, b];
  });
}

/** Kinds of lists: the number of candidates, and about `count` records. */
const shapes: Record<string, (random: Random, count: number) => [groups: number, rows: Row[]]> = {
  'two bodies that meet': (random, count) => [1, runs(random, count, 1, 200_000)],
  'many candidates of few records': (random, count) => {
    const groups = Math.ceil(count / 10);
    const rows = listOf(count, () => [below(random, groups), below(random, 12), below(random, 12)]);
    return [groups, rows];
  },
  'a few candidates among others': (random, count) => {
    const rows = listOf(count, () => [40 + below(random, 15), below(random, 20_000), below(random, 20_000)]);
    return [100, rows];
  },
  'in order': (random, count) => [15, inOrder(runs(random, count, 15, 100_000))],
  backwards: (random, count) => [15, inOrder(runs(random, count, 15, 100_000)).reverse()],
  'all of one triangle': (random, count) => [
    8,
    shuffled(
      random,
      listOf(count, i => [5, 777, i]),
    ),
  ],
  'all against one triangle': (random, count) => [
    1,
    shuffled(
      random,
      listOf(count, i => [0, i, 777]),
    ),
  ],
  'all the same': (_, count) => [4, listOf(count, () => [3, 70_000, 4_000_000_000])],
  'the highest bits': (random, count) => {
    const high = () => below(random, 4) * 2 ** 30;
    return [2, listOf(count, () => [below(random, 2), high(), high()])];
  },
  'one that is far from all others': (random, count) => {
    const rows = listOf(count, () => [0, below(random, 100), below(random, 100)] as Row);
    if (count > 0) rows[below(random, count)] = [0, 2 ** 32 - 1, 2 ** 32 - 1];
    return [1, rows];
  },
  'all bits of triangles': (random, count) => {
    return [1, listOf(count, () => [0, below(random, 2 ** 32), below(random, 2 ** 32)])];
  },
  'a bit more than a key holds': (random, count) => {
    return [2, listOf(count, () => [below(random, 2), below(random, 2 ** 32), below(random, 2 ** 32)])];
  },
  'digits in which nearly all agree': (random, count) => {
    const digit = () => 2 ** below(random, 32);
    return [3, listOf(count, () => [below(random, 3), digit(), digit()])];
  },
};

/** Up to 64 records are sorted by insertion; more are processed four at a time. */
const counts = [0, 1, 2, 3, 4, 5, 63, 64, 65, 66, 67, 68, 200, 1050, 5000];

function checkGrouped(engine: CpuEngine, random: Random, groups: number, rows: Row[], name: string): void {
  const records = Uint32Array.from(rows.flat());
  const middle = 3 * below(random, rows.length + 1);
  const [first, second] = [records.subarray(0, middle), records.subarray(middle)];
  const { start, pairs } = groupRecords(engine, first, second, groups);
  // In steps of a few records, and with all records in one list.
  const perStep = 1 + below(random, 100);
  const inSteps = toEnd(groupInSteps(engine, first, second, groups, perStep));
  const ofOne = toEnd(groupInSteps(engine, records, new Uint32Array(0), groups, perStep));
  const sorted = inOrder(rows.slice());
  const expected = Uint32Array.from(sorted.flatMap(([, a, b]) => [a, b]));
  const ends = new Uint32Array(groups + 1);
  for (const [first] of rows) ends[first + 1]++;
  for (let group = 0; group < groups; group++) ends[group + 1] += ends[group];
  for (const [how, grouped] of Object.entries({ 'at once': { start, pairs }, inSteps, ofOne })) {
    expect(Buffer.compare(bytes(grouped.pairs), bytes(expected)), `pairs of ${name}, ${how}`).toBe(0);
    expect(Buffer.compare(bytes(grouped.start), bytes(ends)), `groups of ${name}, ${how}`).toBe(0);
  }
}

function checkSorted(engine: CpuEngine, rows: Row[], name: string): void {
  const records = Uint32Array.from(rows.flat());
  sortRecords(engine, records);
  const expected = Uint32Array.from(inOrder(rows.slice()).flat());
  expect(Buffer.compare(bytes(records), bytes(expected)), `records of ${name}`).toBe(0);
}

const bytes = ({ buffer, byteOffset, byteLength }: Uint32Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

for (const [name, make] of Object.entries(shapes)) {
  it(`sorts and groups: ${name}`, async () => {
    const engine = await createCpuEngine();
    for (const count of slow ? [...counts, 300_000] : counts) {
      for (let seed = 1; seed <= (count > 5000 ? 1 : slow ? 10 : 1); seed++) {
        const random = randomFrom(seed);
        const [groups, rows] = make(random, count);
        const what = `${name}, ${count} records, seed ${seed}`;
        checkGrouped(engine, random, groups, rows, what);
        checkSorted(engine, rows, what);
      }
    }
    engine.close();
  });
}

it('also sorts by first numbers of 32 bits', async () => {
  const engine = await createCpuEngine();
  for (const count of counts) {
    const random = randomFrom(count + 1);
    const word = () => below(random, 2 ** 32);
    const rows = listOf(count, () => [word(), word(), word()]);
    checkSorted(engine, rows, `random words, ${count} records, seed ${count + 1}`);
  }
  engine.close();
});

it('groups the maximum number of candidates of a question', async () => {
  const engine = await createCpuEngine();
  const random = randomFrom(24);
  const groups = 2 ** 24;
  const rows = listOf(300, () => [below(random, groups), below(random, 1000), below(random, 1000)]);
  rows[17][0] = groups - 1;
  checkGrouped(engine, random, groups, rows, 'many groups, seed 24');
  engine.close();
});

it('sorts in memory that has to grow, also beyond two gigabytes', async () => {
  for (const before of [0, 2.2e9]) {
    const engine = new CpuEngine({ shared: before > 0 });
    if (before > 0) engine.memory.allocate(before, 'something large');
    const random = randomFrom(5);
    for (const count of [3, 700, 60_000]) {
      const rows = runs(random, count, 3, 100_000);
      checkGrouped(engine, random, 3, rows, `${count} records after ${before} bytes, seed 5`);
      checkSorted(engine, rows, `${count} records after ${before} bytes, seed 5`);
      const wide = listOf(count, () => [below(random, 3), below(random, 2 ** 32), below(random, 2 ** 32)]);
      checkGrouped(engine, random, 3, wide, `${count} wide records after ${before} bytes, seed 5`);
    }
    engine.close();
  }
});

it('groups many records in steps of at most 131,072, and reports how much is done', async () => {
  const engine = await createCpuEngine();
  const count = 700_000;
  const groups = 1000;
  const records = new Uint32Array(3 * count);
  for (let i = 0; i < count; i++) records.set([(i * 7919) % groups, (i * 31) % 977, i], 3 * i);
  const first = records.subarray(0, 3 * 400_000);
  const second = records.subarray(3 * 400_000);
  const work = groupInSteps(engine, first, second, groups);
  const shares: number[] = [];
  let step = work.next();
  for (; !step.done; step = work.next()) shares.push(step.value);
  expect(shares.length).toBeGreaterThanOrEqual(3 * Math.floor(count / 131_072));
  expect(shares).toEqual(shares.toSorted((p, q) => p - q));
  expect(shares.at(-1)).toBe(1);
  const { start, pairs } = step.value;
  expect(start).toEqual(Uint32Array.from({ length: groups + 1 }, (_, group) => (group * count) / groups));
  // Each group is in order and has the records of that group, which their last number tells.
  let wrong = 0;
  for (let group = 0; group < groups; group++) {
    for (let p = start[group]; p < start[group + 1]; p++) {
      const [a, i] = [pairs[2 * p], pairs[2 * p + 1]];
      if ((i * 7919) % groups !== group || (i * 31) % 977 !== a) wrong++;
      const [before, last] = p > start[group] ? [pairs[2 * p - 2], pairs[2 * p - 1]] : [-1, -1];
      if (a < before || (a === before && i <= last)) wrong++;
    }
  }
  expect(wrong).toBe(0);
  engine.close();
});
