// Levels of detail: coarse approximations reject candidates before rays are cast at the full models, and only those that
// have no common point.

import { mesh, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { keyOf } from '../spec/sampled/bounds.ts';
import { boxBetween, joined, solidParts, star } from '../spec/sampled/solids.ts';
import { rigid, translation } from '../spec/scenes.ts';

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
