// The published form of the layers method (depth test, stencil counts and blending on the rasteriser) against the computed
// form, which agrees with exact lines, and against exact relations.

import { type Body, CollisionCase, type CollisionMap, type Mesh, type Scene, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { boxBetween, comb, joined, star, type Triple } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

const both = openBoth();
const { sceneOf } = both;
const method = 'layers';
type Algorithm = 'auto' | 'convex' | 'extended' | 'simplified' | 'general';

const isMeeting = (value: number): boolean =>
  (value >= CollisionCase.b && value <= CollisionCase.e) || value === CollisionCase.meets;
/** What the published map tells: whether the two meet. */
const told = (value: number): string =>
  value === CollisionCase.leftOut ? 'left out' : isMeeting(value) ? 'meets' : 'clear';

async function ask(scene: Scene, algorithm: Algorithm, direction: Triple, resolution = 40) {
  const asked = { method, algorithm, direction, resolution, spikes: false } as const;
  const drawn = await scene.sampledInterferences({ ...asked, form: 'drawn' });
  const computed = await scene.sampledInterferences({ ...asked, algorithm: 'general' });
  const [a, b] = scene.bodies as [Body, Body];
  return { drawn, computed, map: drawn.mapsOf({ a, b })[0], exact: computed.mapsOf({ a, b })[0] };
}

/**
 * The rasteriser moves vertices by a fraction of a pixel. So the two agree wherever the nine pixels around have the same
 * finding. Returns how many pixels of each kind were compared.
 */
function compare(
  map: CollisionMap,
  exact: CollisionMap,
  what: string,
): { meets: number; clear: number; orders: number } {
  expect([map.columns, map.rows], what).toEqual([exact.columns, exact.rows]);
  const seen = { meets: 0, clear: 0, orders: 0 };
  const { columns, rows } = map;
  for (let row = 1; row + 1 < rows; row++) {
    for (let column = 1; column + 1 < columns; column++) {
      const around = [-1, 0, 1].flatMap(y => [-1, 0, 1].map(x => [column + x, row + y] as const));
      const kinds = new Set(around.map(([x, y]) => told(exact.cases[y * columns + x])));
      const value = told(map.cases[row * columns + column]);
      if (kinds.size > 1 || value === 'left out') continue;
      expect(value, `${what}, pixel ${column}, ${row}`).toBe([...kinds][0]);
      seen[value as 'meets' | 'clear']++;
      const orders = new Set(around.map(([x, y]) => exact.orderAt(x, y)));
      const own = map.orderAt(column, row);
      if (orders.size > 1 || own === undefined) continue;
      expect(own, `${what}, pixel ${column}, ${row}`).toBe([...orders][0]);
      seen.orders++;
    }
  }
  return seen;
}

describe('the published passes', () => {
  const ball = shapes.icosphere({ radius: 1, frequency: 4 });
  test.each([
    ['apart', [1.2, 1.2, 1.2], 1, 0],
    ['A before B', [0.2, 0.1, 1.4], 1, 1],
    ['B before A', [0.2, 0.1, -1.4], 2, 1],
  ] as const)('two convex bodies, %s', async (what, place, passes, found) => {
    const scene = sceneOf([ball], [ball, translation(place[0], place[1], place[2])]);
    const { drawn, map, exact } = await ask(scene, 'convex', [0, 0, 1]);
    const seen = compare(map, exact, what);
    expect(seen.meets + seen.clear).toBeGreaterThan(100);
    expect([drawn.layers.passes, drawn.length, drawn.complete]).toEqual([passes, found, true]);
    expect(drawn.mayMissBelow).toBe(Infinity);
    expect(drawn.layers.phases.length).toBe(passes);
    for (const { graphics, software } of drawn.layers.phases) {
      expect(graphics).toBeGreaterThan(0);
      expect(software).toBeGreaterThan(0);
    }
    scene.close();
  });

  test('one convex body needs two passes, whatever the other', async () => {
    const random = shapes.createRandom(4);
    const scene = sceneOf([ball, translation(1.5, 0.8, 0.3)], [comb(3, 2), rigid(random, 0.3)]);
    for (const algorithm of ['auto', 'extended'] as const) {
      const { drawn, map, exact } = await ask(scene, algorithm, [0.8, 0.1, 0.2]);
      expect(compare(map, exact, algorithm).meets).toBeGreaterThan(50);
      expect([drawn.layers.general, drawn.length]).toEqual([0, 1]);
      expect(drawn.layers.passes).toBe(2);
    }
    scene.close();
  });

  test('two concave bodies have their layers blended in order', async () => {
    const scene = sceneOf([comb(4, 2)], [comb(4, 2), [...turn, 1.05, 0.4, 0.35, 1]]);
    for (const algorithm of ['extended', 'simplified', 'general'] as const) {
      const { drawn, map, exact } = await ask(scene, algorithm, [1, 0.15, 0.1], 64);
      const { orders, meets, clear } = compare(map, exact, algorithm);
      expect([orders > 20, meets > 20, clear > 20], `${orders} ${meets} ${clear}`).toEqual([
        true,
        true,
        true,
      ]);
      expect(drawn.layers.passes).toBe(3);
      expect(drawn.layers.phases.length).toBe(algorithm === 'general' ? 2 : 3);
      expect(drawn.length).toBe(1);
    }
    scene.close();
  });

  test('more layers than colours hold are left out, and the answer is not complete', async () => {
    const plates = (shift: number): Mesh =>
      joined(
        ...Array.from({ length: 9 }, (_, k) =>
          boxBetween([2 * k + shift, 0, 0], [2 * k + shift + 0.8, 1, 1]),
        ),
      );
    const scene = sceneOf([plates(0)], [plates(1)]);
    const { drawn, map } = await ask(scene, 'extended', [1, 0, 0], 12);
    expect([drawn.complete, drawn.length, drawn.layers.overflows]).toEqual([false, 0, 1]);
    expect(drawn.layers.mostLayers).toBe(36);
    expect(map.counts[CollisionCase.leftOut]).toBe(drawn.layers.leftOut);
    expect(drawn.layers.leftOut).toBeGreaterThan(50);
    scene.close();
  });
});

test('random solids: a pair that is reported is as near as the bound says', async () => {
  const seed = 91;
  const random = shapes.createRandom(seed);
  for (let i = 0; i < 8; i++) {
    const made = [
      star(5, random.between(0.3, 0.6)),
      comb(2, 1),
      shapes.torus({ majorSegments: 12, minorSegments: 8 }),
    ];
    const [p, q] = [made[random.integer(3)], made[random.integer(3)]];
    const scene = sceneOf([p, rigid(random, 0.4)], [q, rigid(random, 0.4)]);
    const { drawn, map, exact } = await ask(scene, 'auto', random.direction() as Triple, 32);
    const what = `seed ${seed}, number ${i}`;
    compare(map, exact, what);
    const cpu = both.cpu.scene();
    const [a, b] = scene.bodies.map(({ mesh, pose }) => cpu.add(mesh, { pose }));
    if (drawn.length === 1)
      expect(cpu.distanceSync(a, b).distance, what).toBeLessThanOrEqual(drawn.mayReportWithin);
    cpu.close();
    scene.close();
  }
});

test('cannot be combined with reuse', async () => {
  const scene = sceneOf([shapes.box()], [shapes.box()]);
  const { LayersKeep } = await import('nearfield');
  const asked = () => scene.sampledInterferences({ method, form: 'drawn', reuse: new LayersKeep() });
  await expect((async () => asked())()).rejects.toThrow("form 'drawn'");
  scene.close();
});

/** A rotation about the x axis, in the first twelve numbers of a pose. */
const turn = [1, 0, 0, 0, 0, Math.cos(0.4), Math.sin(0.4), 0, 0, -Math.sin(0.4), Math.cos(0.4), 0];
