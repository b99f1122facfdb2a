// Every order in which a line can pass two solids, through every algorithm of the layers method, against the
// definition applied to the order itself: cells of a grid hold slabs, one order per cell.

import { CollisionCase, type CollisionMap, type Mesh, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, joined } from '../spec/sampled/solids.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const longest = slow ? 12 : 8;
const timeLimit = slow ? 600_000 : 60_000;
const { sceneOf } = openBoth();
const algorithms = ['auto', 'extended', 'simplified', 'general', 'convex'] as const;

/** All orders of up to this many layers in which each body is entered as often as it is left. */
function* ordersUpTo(length: number): Generator<string> {
  for (let count = 2; count <= length; count += 2) {
    for (let bits = 0; bits < 2 ** count; bits++) {
      const order = Array.from({ length: count }, (_, i) => ((bits >> i) & 1 ? 'B' : 'A')).join('');
      if (order.split('B').length % 2 === 1) yield order;
    }
  }
}

/** Two layers closer than this cannot be distinguished in single precision. */
const thin = 2 ** -30;
const thick = 1 / 16;

interface Line {
  readonly order: string;
  /** The depth of each layer. */
  readonly depths: readonly number[];
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Walks along the line and lists the stretches in both bodies. */
function commonStretches(order: string): Stretch[] {
  const inside = { A: false, B: false };
  const found: Stretch[] = [];
  let start = -1;
  [...order].forEach((name, i) => {
    const who = name as 'A' | 'B';
    inside[who] = !inside[who];
    if (inside.A && inside.B) start = i;
    else if (start >= 0) {
      found.push({ start, end: i });
      start = -1;
    }
  });
  return found;
}

/**
 * The definition: they meet if their common stretch is longer than the depth error, or if one body enters and leaves
 * within it. If one is left that soon after the other is entered, they touch. A layer of one body that is that thin,
 * and that close to a layer of the other, may count as either.
 */
function verdictOf({ order, depths }: Line): 'meets' | 'clear' | 'either' {
  let verdict: 'clear' | 'either' = 'clear';
  for (const { start, end } of commonStretches(order)) {
    if (depths[end] - depths[start] > thick / 2) return 'meets';
    if (order[start] !== order[end]) continue;
    const isAlone = depths.every(
      (depth, i) =>
        order[i] === order[start] || depth < depths[start] - thick / 2 || depth > depths[end] + thick / 2,
    );
    if (isAlone) return 'meets';
    verdict = 'either';
  }
  return verdict;
}

const readsAsMeeting = (order: string): boolean => commonStretches(order).length > 0;

/** Slabs of both bodies, and posts that give them equal boxes. */
function snapshotOf(lines: readonly Line[], width: number): Mesh[] {
  return (['A', 'B'] as const).map(name => {
    const slabs = lines.flatMap(({ order, depths }, cell) => {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      const own = depths.filter((_, i) => order[i] === name);
      return Array.from({ length: own.length / 2 }, (_, k) =>
        boxBetween([x + 0.125, y + 0.125, own[2 * k]], [x + 0.875, y + 0.875, own[2 * k + 1]]),
      );
    });
    const post = (x: number, y: number) => boxBetween([x, y, -1], [x + 0.5, y + 0.5, 2]);
    const from = name === 'A' ? 0 : 0.5;
    return joined(...slabs, post(-1 + from, -1), post(width - from, width + from));
  });
}

async function compareAll(lines: readonly Line[], what: string): Promise<number> {
  const width = Math.ceil(Math.sqrt(lines.length));
  const [a, b] = snapshotOf(lines, width);
  let compared = 0;
  for (const algorithm of algorithms) {
    const scene = sceneOf([a], [b]);
    const options = { method: 'layers', direction: [0, 0, 1], spikes: false } as const;
    const answer = await scene.sampledInterferences({ ...options, algorithm, resolution: 3 * (width + 3) });
    const [map] = answer.mapsOf({ a: scene.bodies[0], b: scene.bodies[1] });
    const seen = new Set<number>();
    const wrong: string[] = [];
    for (let pixel = 0; pixel < map.cases.length; pixel++) {
      const line = lineAt(lines, width, map, pixel);
      if (line === undefined || map.cases[pixel] === CollisionCase.leftOut) continue;
      const { cell, order } = line;
      const [column, row] = [pixel % map.columns, Math.floor(pixel / map.columns)];
      const known = map.orderAt(column, row);
      const meets = map.meetsAt(column, row);
      const isRead = known === undefined || readsAsMeeting(known) === meets;
      const expected = verdictOf(line);
      if ((expected !== 'either' && meets !== (expected === 'meets')) || !isRead) {
        wrong.push(`${algorithm}: ${order} at ${line.depths}: case ${map.cases[pixel]}, read as ${known}`);
      }
      seen.add(cell);
    }
    expect(wrong, what).toEqual([]);
    if (algorithm !== 'convex') expect(seen.size, what).toBe(lines.length);
    compared += seen.size;
    scene.close();
  }
  return compared;
}

/** The order along the line of a pixel, if the line is well inside a cell. */
function lineAt(lines: readonly Line[], width: number, { view, columns }: CollisionMap, pixel: number) {
  const [x, y] = view.toWorld((pixel % columns) + 0.5, Math.floor(pixel / columns) + 0.5, 0);
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const within = Math.abs(x - i - 0.5) < 0.37 && Math.abs(y - j - 0.5) < 0.37;
  const cell = j * width + i;
  if (!within || i < 0 || j < 0 || i >= width || cell >= lines.length) return undefined;
  return { cell, ...lines[cell] };
}

/** Consecutive layers at this distance. */
function lineOf(order: string, gap: (i: number) => number): Line {
  let depth = 0;
  return { order, depths: Array.from(order, (_, i) => (depth += gap(i))) };
}

describe('orders of layers', () => {
  const orders = [...ordersUpTo(longest)];

  test(
    'far apart',
    async () => {
      await compareAll(
        orders.map(order => lineOf(order, () => thick)),
        `up to ${longest} layers`,
      );
    },
    timeLimit,
  );

  test(
    'closer than single precision can distinguish, all of them or some',
    async () => {
      const seed = 5;
      const random = shapes.createRandom(seed);
      await compareAll(
        orders.map(order => lineOf(order, () => thin)),
        'thin',
      );
      await compareAll(
        orders.map(order => lineOf(order, () => (random.integer(2) === 0 ? thin : thick))),
        `seed ${seed}`,
      );
    },
    timeLimit,
  );

  test('reads a clear pixel as clear: BBBABAAA, if B is left as A is entered', async () => {
    const line = { order: 'BBBABAAA', depths: [0, 1, 2, 3, 3 + 16 * thin, 5, 6, 7].map(x => x / 8) };
    const [a, b] = snapshotOf([line], 1);
    const scene = sceneOf([a], [b]);
    const options = { method: 'layers', direction: [0, 0, 1], spikes: false, algorithm: 'general' } as const;
    const answer = await scene.sampledInterferences({ ...options, resolution: 16 });
    const [map] = answer.mapsOf({ a: scene.bodies[0], b: scene.bodies[1] });
    const pixel = [...map.cases.keys()].find(at => lineAt([line], 1, map, at) !== undefined)!;
    const [column, row] = [pixel % map.columns, Math.floor(pixel / map.columns)];
    expect([map.cases[pixel], map.orderAt(column, row)]).toEqual([CollisionCase.clear, 'BBBBAAAA']);
    scene.close();
  });
});
