// If one pair of triangles is enough, the walk dives for the most promising pairs of nodes (pairs.as.ts). It must give
// the same answer as the list of all pairs, also when its stack is long, and find the first pair with few box tests.

import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { identity } from '../../../math/pose.ts';
import { createRandom, displacedSphere } from '../../../shapes/index.ts';
import { cpuPairs } from './driver.ts';
import { place, rotation } from './testing/scenes.ts';

const engine = await createCpuEngine();
const candidates = new Uint32Array([0, 1]);

const found = (bodies: Placed[], detail: 'any' | 'list') => {
  const { certain, unsure, stats } = cpuPairs(engine).interfereSync(bodies, { detail, candidates });
  return { meets: certain.length > 0, open: unsure.length > 0, stats };
};

test('dives agree with the list of all pairs, and need few box tests where surfaces run side by side', () => {
  const random = createRandom(17);
  const bumpy = displacedSphere({ triangles: 20_000 });
  let boxTests = 0;
  let meeting = 0;
  const count = 60;
  for (let i = 0; i < count; i++) {
    const pose = rotation(() => random.between(0, 1));
    // From nearly coincident to overlapping at a corner, and now and then one within the other.
    const scale = i % 6 === 5 ? 0.3 : 1;
    for (let k = 0; k < 12; k++) pose[k] *= k % 4 < 3 ? scale : 1;
    for (let k = 12; k < 15; k++) pose[k] = random.between(-0.3, 0.3) * (i % 3);
    const bodies = [place(bumpy), place(bumpy, pose)];
    const any = found(bodies, 'any');
    const all = found(bodies, 'list');
    if (!any.meets && any.open) continue;
    expect(any.meets, `placement ${i}`).toBe(all.meets);
    if (!all.meets) continue;
    meeting++;
    boxTests += any.stats.boxTests;
  }
  expect(meeting).toBeGreaterThan(30);
  // 232 when this was written. The walk before, which continued where the last dive had ended, took 723.
  expect(boxTests / meeting).toBeLessThan(350);
});

test('a walk whose stack is too long for dives still visits everything', () => {
  // A star-shaped surface never meets a slightly smaller copy of itself, but every pair of adjacent boxes is promising.
  const bumpy = displacedSphere({ triangles: 20_000 });
  for (const shrink of [1e-1, 1e-2, 1e-3, 1e-4]) {
    const pose = identity();
    for (const k of [0, 5, 10]) pose[k] = 1 - shrink;
    const apart = found([place(bumpy), place(bumpy, pose)], 'any');
    expect(apart.meets, `smaller by ${shrink}`).toBe(false);
    expect(apart.open, `smaller by ${shrink}`).toBe(false);
    pose[12] = 4 * shrink;
    expect(found([place(bumpy), place(bumpy, pose)], 'any').meets, `moved by ${4 * shrink}`).toBe(true);
  }
});
