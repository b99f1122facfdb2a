// The layers method against exact lines and exact relations (Myszkowski, Okunev and Kunii): cases, convexity, ordered
// layers.

import { type Body, CollisionCase, type CollisionMap, type Mesh, mesh, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { orderOf, RayCaster } from '../oracle/ray-cast.ts';
import { openBoth } from '../spec/both-engines.ts';
import { holdToBounds } from '../spec/sampled/bounds.ts';
import { boxBetween, comb, joined, solidParts, type Triple } from '../spec/sampled/solids.ts';
import { kinds, type Part, rigid, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const { sceneOf } = both;
const method = 'layers';
const alongZ: Triple = [0, 0, 1];

/** 'AABB' of every pixel, by exact ray casting. */
function ordersOf({ view }: CollisionMap, a: Body, b: Body): string[] {
  const caster = new RayCaster([a, b], view, 4 * view.pixel);
  return Array.from({ length: view.columns * view.rows }, (_, pixel) => {
    const [column, row] = [pixel % view.columns, Math.floor(pixel / view.columns)];
    const [ofA, ofB] = caster.cast(view.toWorld(column + 0.5, row + 0.5, 0));
    return orderOf(ofA, ofB);
  });
}

const letters: Readonly<Record<string, number>> = {
  AABB: CollisionCase.a,
  ABAB: CollisionCase.b,
  BAAB: CollisionCase.c,
  ABBA: CollisionCase.d,
  BABA: CollisionCase.e,
  BBAA: CollisionCase.f,
  '': CollisionCase.neither,
};

/** Whether two bodies meet along a line, by walking along it. */
function isMeeting(order: string): boolean {
  let [a, b] = [false, false];
  for (const name of order) {
    if (name === 'A') a = !a;
    else b = !b;
    if (a && b) return true;
  }
  return false;
}

function expectedCase(order: string): number {
  if (order in letters) return letters[order];
  if (!order.includes('B')) return CollisionCase.onlyA;
  if (!order.includes('A')) return CollisionCase.onlyB;
  return isMeeting(order) ? CollisionCase.meets : CollisionCase.clear;
}

/** Compares every pixel of a map, and every known order, with exact lines: those given, or cast now. Returns them. */
function compare(
  map: CollisionMap,
  a: Body,
  b: Body,
  what: string,
  orders: string[] = ordersOf(map, a, b),
): string[] {
  expect(orders.length, what).toBe(map.cases.length);
  const wrong = orders.flatMap((order, pixel) => {
    const known = map.orderAt(pixel % map.columns, Math.floor(pixel / map.columns));
    if (map.cases[pixel] === expectedCase(order) && (known === undefined || known === order)) return [];
    return [`pixel ${pixel}: exact lines give ${order}, but case ${map.cases[pixel]}, ${known}`];
  });
  expect(wrong, what).toEqual([]);
  return orders;
}

describe('two convex bodies (M1)', () => {
  const base = (low: number, high: number) => boxBetween([0, 0, low], [1, 1, high]);
  const other = (low: number, high: number) => boxBetween([0.3, 0.2, low], [1.4, 1.3, high]);
  // Depths of A and of B.
  const orders = {
    a: [0, 1, 1.2, 2],
    b: [0, 1, 0.5, 2],
    c: [0, 1, -0.5, 2],
    d: [0, 2, 0.5, 1],
    e: [0, 1, -0.5, 0.5],
    f: [0, 1, -1.5, -0.5],
  } as const;
  test.each(Object.entries(orders))('case %s', async (letter, [a0, a1, b0, b1]) => {
    // A thin post makes the boxes meet where the bodies do not.
    const post = joined(other(b0, b1), boxBetween([1.2, 1.2, a0], [1.3, 1.25, a1]));
    const scene = sceneOf([base(a0, a1)], [post]);
    const answer = await scene.sampledInterferences({
      method,
      direction: alongZ,
      resolution: 16,
      spikes: false,
    });
    const [a, b] = scene.bodies;
    const [map] = answer.mapsOf({ a, b });
    expect(map.cases.length).toBeGreaterThan(100);
    compare(map, a, b, letter);
    const both = map.cases.filter(value => value >= CollisionCase.a && value <= CollisionCase.f);
    expect(both.length).toBe(answer.layers.overlapped);
    expect(both.length).toBeGreaterThan(100);
    expect(new Set(both)).toEqual(new Set([CollisionCase[letter as keyof typeof orders]]));
    expect(answer.layers.passes).toBe('abc'.includes(letter) ? 1 : 2);
    expect(answer.layers.second).toBe('abc'.includes(letter) ? 0 : answer.layers.overlapped);
    expect(answer.length).toBe('af'.includes(letter) ? 0 : 1);
    expect(answer.complete).toBe(true);
    expect(answer.mayMissBelow).toBeGreaterThan(answer.layers.pixel);
  });

  test('balls seen obliquely: every pixel agrees with exact lines, in either order of the bodies', async () => {
    for (const [seed, z] of [
      [1, 1.5],
      [2, -1.2],
      [3, 0.1],
    ]) {
      const random = shapes.createRandom(seed);
      const ball = shapes.icosphere({ radius: 1, frequency: 4 });
      const scene = sceneOf(
        [ball, rigid(random, 0)],
        [ball, [...rigid(random, 0).slice(0, 12), 0.2, 0.3, z, 1]],
      );
      const direction = random.direction() as Triple;
      const [a, b] = scene.bodies;
      const answer = await scene.sampledInterferences({
        method,
        algorithm: 'convex',
        direction,
        resolution: 32,
      });
      compare(answer.mapsOf({ a, b })[0], a, b, `seed ${seed}`);
      expect([answer.complete, answer.layers.leftOut, answer.length]).toEqual([true, 0, 1]);
      expect(answer.pairs[0].relation).toBe('crossing');
      scene.close();
    }
  });

  test('the basic algorithm reports where bodies are not convex, and is not complete', async () => {
    const scene = sceneOf([plates(0, 3)], [boxBetween([-1, -1, 0.2], [8, 1, 0.4])]);
    const answer = await scene.sampledInterferences({
      method,
      algorithm: 'convex',
      direction: [1, 0, 0],
      resolution: 16,
    });
    expect(answer.complete).toBe(false);
    expect(answer.layers.leftOut).toBe(answer.layers.overlapped);
    expect(answer.layers.leftOut).toBeGreaterThan(0);
  });
});

/** Plates one behind the other along x, each 0.8 thick, from 2k + shift on. */
const plates = (shift: number, count: number): Mesh =>
  joined(
    ...Array.from({ length: count }, (_, k) =>
      boxBetween([2 * k + shift, 0, 0], [2 * k + shift + 0.8, 1 + 0.01 * k, 1]),
    ),
  );

describe('convexity along lines (M2)', () => {
  const alongX: Triple = [1, 0, 0];
  test('is detected, and one convex body is enough', async () => {
    const random = shapes.createRandom(4);
    const scene = sceneOf(
      [comb(3, 2), rigid(random, 0.3)],
      [shapes.icosphere({ radius: 0.9, frequency: 4 }), translation(1.5, 0.8, 0.3)],
    );
    const [a, b] = scene.bodies;
    for (const direction of [[0.8, 0.1, 0.2] as Triple, [0.9, -0.5, 0.1] as Triple]) {
      const asked = { method, direction, resolution: 32, spikes: false } as const;
      const answer = await scene.sampledInterferences({ ...asked, algorithm: 'auto' });
      const orders = compare(answer.mapsOf({ a, b })[0], a, b, String(direction));
      const both = orders.filter(order => order.includes('A') && order.includes('B'));
      const convex = (name: string) => both.filter(order => order.split(name).length === 3).length;
      const { layers } = answer;
      const [ofA, ofB] = [convex('A'), convex('B')];
      // Lines that single precision cannot decide are counted on the CPU.
      const off = layers.rays;
      const own = layers.order === 'ab' ? [layers.convexA, layers.convexB] : [layers.convexB, layers.convexA];
      expect(Math.abs(own[0] - ofA)).toBeLessThanOrEqual(off);
      expect(Math.abs(own[1] - ofB)).toBeLessThanOrEqual(off);
      expect(ofB).toBe(both.length);
      expect(layers.general).toBe(0);
      const given = await scene.sampledInterferences({ ...asked, algorithm: 'extended' });
      compare(given.mapsOf({ a, b })[0], a, b, 'as given', orders);
      expect(given.layers.order).toBe('ab');
      // With the comb as A, its lines have to be sorted, or cast if they are few; exchanged, they need not.
      const left = ({ general, rays }: typeof layers) => general + rays;
      if (ofA < both.length) expect(left(given.layers)).toBeGreaterThan(left(layers));
    }
  });

  test('equal counts show a body of many layers wholly in front of a convex one', async () => {
    const slab = boxBetween([9, -0.5, 0.2], [10, 1.5, 0.7]);
    // The post makes boxes meet.
    const many = joined(plates(0, 3), boxBetween([0, -0.45, 0.3], [9.5, -0.4, 0.4]));
    const scene = sceneOf([slab], [many]);
    const [a, b] = scene.bodies;
    const asked = { method, direction: alongX, resolution: 64, spikes: false } as const;
    const answer = await scene.sampledInterferences({ ...asked, algorithm: 'extended' });
    const orders = compare(answer.mapsOf({ a, b })[0], a, b, 'before');
    expect(orders.filter(order => order === 'BBBBBBAA').length).toBeGreaterThan(300);
    expect([answer.layers.general, answer.layers.passes]).toEqual([0, 2]);
  });

  test('a body of many layers within a convex one meets it without sorting', async () => {
    const scene = sceneOf([boxBetween([-1, -0.5, -0.5], [10, 1.5, 1.5])], [plates(0, 3)]);
    const [a, b] = scene.bodies;
    const answer = await scene.sampledInterferences({
      method,
      algorithm: 'extended',
      direction: alongX,
      resolution: 24,
      spikes: false,
    });
    const orders = compare(answer.mapsOf({ a, b })[0], a, b, 'within');
    expect(orders.filter(order => order === 'ABBBBBBA').length).toBeGreaterThan(300);
    expect([answer.layers.general, answer.layers.rays]).toEqual([0, answer.stats.unsure]);
    expect(answer.stats.unsure).toBeLessThan(50);
  });

  test('parity alone leaves more lines to sort, and gives the same map', async () => {
    // Plates between plates, and beside them a block wholly in front of another.
    const scene = sceneOf(
      [joined(plates(0, 4), boxBetween([0, 1.5, 0], [2, 2.5, 1]))],
      [joined(plates(1, 2), plates(4.9, 2), boxBetween([5, 1.6, 0], [6, 2.4, 1]))],
    );
    const [a, b] = scene.bodies;
    const asked = { method, direction: alongX, resolution: 32, spikes: false } as const;
    const extended = await scene.sampledInterferences({ ...asked, algorithm: 'extended' });
    const simplified = await scene.sampledInterferences({ ...asked, algorithm: 'simplified' });
    const general = await scene.sampledInterferences({ ...asked, algorithm: 'general' });
    const maps = [extended, simplified, general].map(answer => answer.mapsOf({ a, b })[0]);
    const orders = ordersOf(maps[0], a, b);
    for (const map of maps) compare(map, a, b, 'plates', orders);
    const ordered = (map: CollisionMap) =>
      new Set([...map.cases.keys()].filter(p => map.orderAt(p % map.columns, Math.floor(p / map.columns))));
    const [first, second, all] = maps.map(ordered);
    expect([...first].filter(pixel => !second.has(pixel))).toEqual([]);
    expect([...second].filter(pixel => !all.has(pixel))).toEqual([]);
    expect(first.size).toBeLessThan(second.size);
    expect(all.size).toBe(general.layers.overlapped);
  });
});

describe('sorted layers (M3)', () => {
  test.each([
    [10, 40],
    [25, 100],
  ])('%i plates between as many: %i layers', async (count, layers) => {
    for (const shift of [1, 1.3]) {
      const scene = sceneOf([plates(0, count)], [plates(shift, count)]);
      const [a, b] = scene.bodies;
      const answer = await scene.sampledInterferences({ method, direction: [1, 0, 0], resolution: 12 });
      const orders = compare(answer.mapsOf({ a, b })[0], a, b, `${count} plates, ${shift}`);
      expect(Math.max(...orders.map(({ length }) => length))).toBe(layers);
      expect(answer.layers.mostLayers).toBe(layers);
      expect(answer.layers.passes).toBe(3);
      // 32 at first, and then as many as needed.
      expect(answer.layers.overflows).toBe(1);
      expect(answer.length).toBe(shift === 1 ? 0 : 1);
      const roomy = await scene.sampledInterferences({
        method,
        direction: [1, 0, 0],
        resolution: 12,
        layers: 128,
      });
      expect(roomy.layers.overflows).toBe(0);
      expect(roomy.mapsOf({ a, b })[0].cases).toEqual(answer.mapsOf({ a, b })[0].cases);
    }
  });

  test('points around which a solid winds more than once are inside', async () => {
    const twice = joined(boxBetween([0, 0, 0], [3, 3, 3]), boxBetween([0, 0.1, 0.1], [3.5, 3.2, 3.1]));
    const scene = sceneOf([boxBetween([1, 1, 1], [2, 2, 2])], [twice]);
    for (const algorithm of ['auto', 'simplified', 'general'] as const) {
      const asked = { method, direction: [1, 0, 0] as Triple, algorithm, resolution: 12, spikes: false };
      expect((await scene.sampledInterferences({ ...asked, method })).length, algorithm).toBe(1);
    }
  });
});

describe('effort only if needed (M9)', () => {
  /** Two walls apart, with plates between plates in one corner. */
  const wall = (x: number, shift: number, size: number) =>
    joined(
      boxBetween([x, 0, 0], [x + 0.5, 8, 8]),
      ...[0, 1].map(k => boxBetween([2 * k + shift, 6, 5], [2 * k + shift + 0.8, 6 + size, 5 + size])),
    );
  test('remaining lines are drawn again in their own rectangle', async () => {
    const scene = sceneOf([wall(-2, 0, 1.7)], [wall(6, 1, 1.6)]);
    const [a, b] = scene.bodies;
    const answer = await scene.sampledInterferences({
      method,
      direction: [1, 0, 0],
      resolution: 64,
      spikes: false,
    });
    const [map] = answer.mapsOf({ a, b });
    const orders = compare(map, a, b, 'walls');
    const left = [...orders.keys()].filter(p => map.orderAt(p % map.columns, Math.floor(p / map.columns)));
    const [columns, rows] = [left.map(p => p % map.columns), left.map(p => Math.floor(p / map.columns))];
    const extent = (places: number[]) => Math.max(...places) - Math.min(...places) + 1;
    expect(answer.layers.general).toBeGreaterThan(64);
    expect(answer.layers.window).toBe(extent(columns) * extent(rows));
    expect(answer.layers.window).toBeLessThan(0.1 * map.cases.length);
  });
  test('few remaining lines are cast on the CPU, and agree with sorted layers', async () => {
    const scene = sceneOf([wall(-2, 0, 0.8)], [wall(6, 1, 0.9)]);
    const [a, b] = scene.bodies;
    const asked = { method, direction: [1, 0, 0], resolution: 64, spikes: false } as const;
    const cast = await scene.sampledInterferences(asked);
    const ordered = await scene.sampledInterferences({ ...asked, algorithm: 'general' });
    expect(cast.layers.general).toBe(0);
    expect(cast.layers.rays).toBeGreaterThan(10);
    expect(ordered.layers.general).toBeGreaterThan(1000);
    expect(cast.mapsOf({ a, b })[0].cases).toEqual(ordered.mapsOf({ a, b })[0].cases);
    compare(cast.mapsOf({ a, b })[0], a, b, 'walls');
  });
});

/** Asks, and checks the answer against its own bounds. */
async function heldToBounds(
  parts: readonly Part[],
  random: shapes.Random,
  direction: 'boxes' | 'normals' | 'several',
  about: string,
) {
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  for (const { mesh: part, pose } of parts) {
    scene.add(part, { pose });
    oracle.add(part, { pose });
  }
  const answer = await scene.sampledInterferences({ method, resolution: 48, direction });
  holdToBounds(oracle, answer, random, about);
  scene.close();
  oracle.close();
}

const directions = ['boxes', 'normals', 'several'] as const;

describe('all scenes: solids are within the bounds, soups are refused by name', () => {
  for (const { name, parts } of kinds(16)) {
    test(name, async () => {
      for (let seed = 1; seed <= (slow ? 20 : 1); seed++) {
        const random = shapes.createRandom(seed);
        const given = parts(random);
        if (given.every(part => part.mesh.solid)) {
          await heldToBounds(given, random, directions[seed % 3], `${name}, seed ${seed}`);
          continue;
        }
        const scene = sceneOf(...given.map(({ mesh: part, pose }) => [part, pose] as const));
        if (scene.candidates().length > 0) {
          const refused = { code: 'not-solid', message: expect.stringContaining('body ') };
          await expect(scene.sampledInterferences({ method })).rejects.toMatchObject(refused);
        }
        scene.close();
      }
    });
  }
});

describe('random solids against exact relations', () => {
  const seeds = Array.from({ length: slow ? 40 : 2 }, (_, i) => 200 + i);
  test.each(seeds)('seed %i', async seed => {
    const random = shapes.createRandom(seed);
    const parts = solidParts(random, 2 + random.integer(slow ? 6 : 2), 1);
    await heldToBounds(parts, random, directions[seed % 3], `seed ${seed}`);
  });

  test('empty questions, and refused ones', async () => {
    const empty = mesh(new Float64Array(0), new Uint32Array(0));
    const none = await sceneOf([empty], [shapes.box()]).sampledInterferences({ method });
    expect([none.length, none.mayMissBelow, none.complete]).toEqual([0, 0, true]);
    const sheet = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2));
    const open = sceneOf([sheet], [shapes.box()]);
    await expect(open.sampledInterferences({ method })).rejects.toMatchObject({ code: 'not-solid' });
    const scene = sceneOf([shapes.box()], [shapes.box()]);
    for (const bad of [
      { algorithm: 'best' as 'auto' },
      { resolution: 0 },
      { layers: 0.5 },
      { direction: [0, 0, 0] as Triple },
      { direction: 'up' as 'boxes' },
    ]) {
      await expect(scene.sampledInterferences({ method, ...bad })).rejects.toMatchObject({
        code: 'bad-option',
      });
    }
    const aborted = scene.sampledInterferences({ method, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    const [first, second] = scene.bodies;
    const filtered = await scene.sampledInterferences({ method, resolution: 16, allowed: [[first, second]] });
    expect([filtered.length, filtered.layers.directions]).toEqual([0, 0]);
    const cpu = both.cpu.scene();
    await expect(cpu.sampledInterferences({ method })).rejects.toMatchObject({ code: 'no-gpu' });
    const same = await scene.sampledInterferences({ method, resolution: 16 });
    expect([...same].map(({ relation }) => relation)).toEqual(['coincident']);
  });
});
