// Levels of detail: coarse approximations reject candidates before rays are cast at the full models, and only those that
// have no common point.

import { mesh, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { holdToBounds, keyOf } from '../spec/sampled/bounds.ts';
import { boxBetween, joined, solidParts, star } from '../spec/sampled/solids.ts';
import { rigid, subdivided, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const both = openBoth();
const method = 'raycast';
const resolution = 48;

test('rejects candidates of rings and other solids, and none that meet', async () => {
  for (let seed = 1; seed <= (slow ? 30 : 3); seed++) {
    const random = shapes.createRandom(seed);
    const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.08, majorSegments: 24, minorSegments: 5 });
    const parts =
      seed % 3 === 0
        ? solidParts(random, 12, 1.8)
        : Array.from({ length: 14 }, () => ({ mesh: ring, pose: rigid(random, 1.2) }));
    const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
    for (const { mesh: part, pose } of parts) {
      scene.add(part, { pose });
      oracle.add(part, { pose });
    }
    const exact = new Set(oracle.interferencesSync({ detail: 'any' }).pairs.map(keyOf));
    let rejected = 0;
    for (const levels of [1, 4, 8]) {
      const about = `seed ${seed}, ${levels} levels`;
      const answer = await scene.sampledInterferences({ method, resolution, levels });
      expect(answer.raycast.rejected!, about).toBeGreaterThanOrEqual(rejected);
      rejected = answer.raycast.rejected!;
      const left = oracle.candidates().length - rejected;
      expect(left, about).toBeGreaterThanOrEqual(exact.size);
      expect(answer.complete, about).toBe(true);
      for (const pair of answer.pairs) {
        if (!exact.has(keyOf(pair))) {
          const [a, b] = [oracle.bodies[pair.a.index], oracle.bodies[pair.b.index]];
          expect(oracle.distanceSync(a, b).distance, about).toBeLessThanOrEqual(answer.mayReportWithin);
        }
      }
    }
    expect(rejected, `seed ${seed}`).toBeGreaterThan(0);
    scene.close();
    oracle.close();
  }
});

test('keeps bodies inside others, shells inside solids, and bodies that touch', async () => {
  const outer = boxBetween([0, 0, 0], [4, 4, 4]);
  const inner = boxBetween([1.5, 1.5, 1.5], [2, 2, 2]);
  const far = boxBetween([9, 9, 9], [10, 10, 10]);
  const cases = [
    [outer, inner],
    // One of two shells lies in the other body.
    [outer, joined(far, inner)],
    [outer, boxBetween([4, 1, 1], [5, 2, 2])],
    [star(4, 0.2), star(4, 0.2)],
  ] as const;
  for (const counting of ['lists', 'stencil'] as const) {
    for (const [one, other] of cases) {
      const answer = await both
        .sceneOf([one], [other])
        .sampledInterferences({ method, counting, resolution, levels: 8 });
      expect(answer.raycast.rejected).toBe(0);
    }
  }
  const within = both.sceneOf([outer], [inner]);
  expect((await within.sampledInterferences({ method, resolution, levels: 8 })).length).toBe(1);
});

test('a ring around a ball: proven apart, so nothing can be missed', async () => {
  const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.3, majorSegments: 24, minorSegments: 12 });
  const ball = shapes.icosphere({ radius: 0.4, frequency: 3 });
  const scene = both.sceneOf([ring], [ball, translation(0.1, 0, 0)]);
  const answer = await scene.sampledInterferences({ method, resolution, levels: 6 });
  expect(answer).toMatchObject({ length: 0, complete: true, mayMissBelow: 0, mayReportWithin: 0 });
  expect(answer.raycast).toMatchObject({ rejected: 1, tiles: 0 });
  const without = await scene.sampledInterferences({ method, resolution });
  expect([without.length, without.raycast.rejected]).toEqual([0, undefined]);
});

test('meshes that share their positions, and deformed bodies, have their own parts', async () => {
  const box = boxBetween([0, 0, 0], [1, 1, 1]);
  const two = joined(box, boxBetween([5, 5, 5], [6, 6, 6]));
  const half = mesh(two.positions as Float64Array, two.indices.slice(0, 36));
  const scene = both.sceneOf([two], [half], [box, translation(5.2, 5.1, 5.3)]);
  const ask = { method, resolution, levels: 4 } as const;
  expect((await scene.sampledInterferences(ask)).indices).toEqual(Uint32Array.from([0, 1, 0, 2]));
  scene.bodies[2].deform(box.positions.map(x => x - 5));
  expect((await scene.sampledInterferences(ask)).indices).toEqual(Uint32Array.from([0, 1, 0, 2, 1, 2]));
});

test('casts rays only where parts meet, in finer pixels, and misses no more than it says', async () => {
  let narrowed = 0;
  for (let seed = 11; seed <= (slow ? 40 : 14); seed++) {
    const random = shapes.createRandom(seed);
    // Rings and crossed bars have much of their boxes in common and little of themselves.
    const makers = [
      () => shapes.torus({ majorRadius: 1, minorRadius: 0.12, majorSegments: 24, minorSegments: 6 }),
      () => shapes.torusKnot({ segments: 60, sides: 5 }),
      () => subdivided(subdivided(shapes.box({ size: [3, 0.2, 0.2] }))),
    ];
    const parts = Array.from({ length: 8 }, () => ({
      mesh: makers[random.integer(3)](),
      pose: rigid(random, 0.9),
    }));
    const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
    for (const { mesh: part, pose } of parts) {
      scene.add(part, { pose });
      oracle.add(part, { pose });
    }
    for (const views of [1, 3] as const) {
      const about = `seed ${seed}, ${views} views`;
      const answer = await scene.sampledInterferences({ method, resolution, views, levels: 8 });
      holdToBounds(oracle, answer, random, about);
      if (views === 1) {
        const whole = await scene.sampledInterferences({ method, resolution, views });
        expect(answer.raycast.pixel, about).toBeLessThanOrEqual(whole.raycast.pixel);
        expect(answer.mayMissBelow, about).toBeLessThanOrEqual(whole.mayMissBelow);
      }
      narrowed += answer.raycast.narrowed!;
    }
    scene.close();
    oracle.close();
  }
  expect(narrowed).toBeGreaterThan(20);
});

test('looks into the common part of bodies that pierce each other in a thin place', async () => {
  // A ball on a needle, thinner than a pixel. The surfaces meet at the needle alone, and the ball lies in the block.
  const needle = boxBetween([-0.001, -0.001, -2], [0.001, 0.001, 0]);
  const onNeedle = joined(subdivided(subdivided(needle)), shapes.icosphere({ radius: 0.3, frequency: 3 }));
  const block = subdivided(subdivided(subdivided(boxBetween([-1, -1, -1], [1, 1, 1]))));
  const scene = both.sceneOf([onNeedle], [block]);
  const answer = await scene.sampledInterferences({ method, resolution, levels: 8 });
  expect([answer.length, answer.raycast.narrowed]).toEqual([1, 0]);
});

test('cuts the window to where crossed bars meet, with every way of counting', async () => {
  let bar = boxBetween([-2, -0.1, -0.1], [2, 0.1, 0.1]);
  for (let i = 0; i < 4; i++) bar = subdivided(bar);
  const turn = Math.SQRT1_2;
  const crossed = [turn, turn, 0, 0, -turn, turn, 0, 0, 0, 0, 1, 0, 0.03, 0.04, 0.05, 1];
  for (const counting of ['lists', 'stencil', 'pixels'] as const) {
    const scene = both.sceneOf([bar], [bar, crossed]);
    const answer = await scene.sampledInterferences({ method, counting, resolution: 256, levels: 8 });
    const whole = await scene.sampledInterferences({ method, counting, resolution: 256 });
    expect([answer.length, whole.length, answer.raycast.narrowed], counting).toEqual([1, 1, 1]);
    expect(answer.raycast.pixel, counting).toBeLessThan(0.75 * whole.raycast.pixel);
  }
});
