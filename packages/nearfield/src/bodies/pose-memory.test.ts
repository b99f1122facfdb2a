// Tables whose poses lie in an engine's memory: the kernel's check of poses agrees with that of math/pose.ts, memory is
// freed, and candidates outlive the poses they were found at.

import { expect, test } from 'vitest';
import { createCpuEngine } from '../cpu/engine.ts';
import { CpuScene } from '../cpu-scene.ts';
import { ownPoseMemory } from '../gpu/pose-memory.ts';
import { fakeEngine } from '../gpu/testing/fake-engine.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import { exact, narrowSync } from '../interferences/stages.ts';
import { checkPoses, identity } from '../math/pose.ts';
import { Scene } from '../scene.ts';
import { box, createRandom } from '../shapes/index.ts';
import type { Engine } from './engine.ts';

const engine = await createCpuEngine();
const memory = engine.poseMemory!;

/** Random poses: ordinary ones, and now and then one that is singular, huge, tiny, has a NaN or a wrong last row. */
function somePoses(seed: number, count: number): Float64Array {
  const random = createRandom(seed);
  const poses = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) {
    const pose = poses.subarray(16 * i, 16 * i + 16);
    pose.set(identity());
    for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14]) pose[k] = random.between(-2, 2);
    const kind = random.integer(40);
    const scale = kind === 0 ? 1e40 : kind === 1 ? 1e-40 : 1;
    for (let k = 0; k < 12; k++) pose[k] *= scale;
    if (kind === 2) pose.copyWithin(8, 0, 3);
    if (kind === 3) pose[random.integer(16)] = Number.NaN;
    if (kind === 4) pose[3 + 4 * random.integer(4)] = 0.5;
    if (kind === 5) pose[12 + random.integer(3)] = 1e70;
    if (kind === 6) for (let k = 0; k < 3; k++) pose[8 + k] = pose[k] + pose[4 + k] + 1e-14 * pose[8 + k];
  }
  return poses;
}

test.each([
  ['memory of the CPU engine', memory, 0],
  ['separate memory, for a GPU', ownPoseMemory, 1024],
] as const)('%s: the kernel accepts exactly the poses that checkPoses finds ordinary', (_, memory, spare) => {
  let good = 0;
  for (let seed = 1; seed <= 300; seed++) {
    const count = 1 + (seed % 9);
    const poses = somePoses(seed, count);
    let ordinary = true;
    try {
      ordinary = checkPoses(poses, count, () => 'a body');
    } catch {
      ordinary = false;
    }
    const rows = memory.allocate(spare + count)!;
    expect(memory.copy(poses, rows), `seed ${seed}`).toBe(ordinary);
    expect(rows.poses.subarray(0, 16 * count), `seed ${seed}`).toEqual(poses);
    memory.free(rows);
    if (ordinary) good++;
  }
  expect(good).toBeGreaterThan(50);
  expect(good).toBeLessThan(250);
});

test('closing a scene frees the memory of its poses, however often the table grew and was written to', async () => {
  const cube = box();
  const use = async () => {
    const scene = new CpuScene(engine, engine);
    for (let i = 0; i < 100; i++) scene.add(cube);
    const poses = new Float64Array(16 * 100);
    for (let i = 0; i < 100; i++) poses.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3 * i, 0, 0, 1], 16 * i);
    scene.setPoses(poses);
    const waiting = [scene.interferences(), scene.interferences()];
    scene.setPoses(poses);
    scene.bodies[0].pose = identity();
    waiting.push(scene.interferences());
    scene.setPoses(poses);
    for (let i = 0; i < 100; i++) scene.add(cube);
    scene.interferencesSync();
    await Promise.all(waiting);
    scene.close();
  };
  // Jobs keep their buffers, so use grows until every job has once had its largest work; how many jobs run at once
  // depends on thread timing. A leak would grow with every use, and never stay the same over four uses.
  for (let i = 0; i < 8; i++) await use();
  let [before, after] = [0, 0];
  for (let round = 0; round < 10; round++) {
    before = engine.usedBytes;
    for (let i = 0; i < 4; i++) await use();
    after = engine.usedBytes;
    if (after === before) break;
  }
  expect(after).toBe(before);
});

test('candidates are about the bodies as they were, even if all have moved since', () => {
  const scene = new CpuScene(engine, engine);
  const random = createRandom(5);
  const cube = box();
  const place = () => {
    const poses = new Float64Array(16 * 60);
    for (let i = 0; i < 60; i++) {
      poses.set(identity(), 16 * i);
      for (let k = 12; k < 15; k++) poses[16 * i + k] = random.between(0, 5);
    }
    return poses;
  };
  for (let i = 0; i < 60; i++) scene.add(cube);
  for (let round = 0; round < 4; round++) {
    const poses = place();
    scene.setPoses(poses);
    // Only a few candidates, so that they keep the poses of their own bodies, not of all.
    const found = scene.candidates({ between: [scene.bodies.slice(0, 8), scene.bodies.slice(8, 40)] });
    const then = exact(narrowSync(found));
    expect(then.length, `round ${round}`).toBeGreaterThan(0);
    scene.setPoses(place());
    const later = exact(narrowSync(found));
    expect(later.indices, `round ${round}`).toEqual(then.indices);
    expect(JSON.stringify(later.pairs)).toBe(JSON.stringify(then.pairs));
    scene.setPoses(poses);
    const again = scene.interferencesSync({ between: [scene.bodies.slice(0, 8), scene.bodies.slice(8, 40)] });
    expect(again.indices, `round ${round}`).toEqual(then.indices);
  }
  scene.close();
});

/** The CPU engine's questions behind an engine that lends separate memory for poses. */
const lending: Engine = fakeEngine(
  { interferences: cpuPairs(engine) },
  { poseMemory: ownPoseMemory, forget: shape => engine.forget(shape) },
);

/** One scene of `count` cubes per engine, and a function that gives new random poses for them at every call. */
function cubes(count: number, ...engines: readonly Engine[]): { scenes: Scene[]; place: () => Float64Array } {
  const cube = box();
  const scenes = engines.map(each => new Scene(each, engine));
  for (const scene of scenes) for (let i = 0; i < count; i++) scene.add(cube, { name: `cube ${i}` });
  const random = createRandom(count);
  const place = () => {
    const poses = new Float64Array(16 * count);
    for (let i = 0; i < count; i++) {
      poses.set(identity(), 16 * i);
      for (let k = 12; k < 15; k++) poses[16 * i + k] = random.between(0, 20);
    }
    return poses;
  };
  return { scenes, place };
}

const any = (scene: Scene) => scene.interferences({ detail: 'any' });

test('many poses in separate memory: copied, kept for waiting questions, and a bad one is named and moves nothing', async () => {
  const { scenes, place } = cubes(1300, lending, { ...lending, poseMemory: undefined });
  const [scene, plain] = scenes;
  for (let round = 0; round < 3; round++) {
    const poses = place();
    for (const each of scenes) each.setPoses(poses);
    const waiting = scenes.map(any);
    const wrong = place();
    wrong[16 * 1299 + 13] = Number.NaN;
    expect(() => scene.setPoses(wrong)).toThrow(/^cube 1299: pose\[13\] is NaN/);
    expect(scene.bodies[1298].pose, `round ${round}`).toEqual(poses.slice(16 * 1298, 16 * 1299));
    // Both scenes move on while the questions wait.
    const next = place();
    for (const each of scenes) each.setPoses(next);
    poses.fill(0);
    const [a, b] = await Promise.all(waiting);
    expect(a.length).toBeGreaterThan(50);
    expect(a.indices, `round ${round}`).toEqual(b.indices);
    scene.bodies[round].pose = plain.bodies[round].pose = identity();
    const [c, d] = await Promise.all(scenes.map(any));
    expect(c.indices, `round ${round}`).toEqual(d.indices);
    expect(c.indices).not.toEqual(a.indices);
  }
  scene.close();
  plain.close();
});

test.each([
  ['many, which are adopted', 1300, lending, true],
  ['few, which are copied', 40, lending, false],
  ['many, which the CPU engine copies', 1300, engine, false],
] as const)('poses written into a borrowed array: %s', async (_, count, asked, takenOver) => {
  const { scenes, place } = cubes(count, asked, { ...lending, poseMemory: undefined });
  const [scene, plain] = scenes;
  for (let round = 0; round < 4; round++) {
    const poses = place();
    const room = scene.borrowPoses();
    expect(room.length).toBe(16 * count);
    room.set(poses);
    room[16 * (count - 1) + 5] = Number.NaN;
    const before = scene.bodies[3].pose;
    expect(() => scene.setPoses(room)).toThrow(`cube ${count - 1}: pose[5] is NaN`);
    expect(scene.bodies[3].pose, `round ${round}`).toEqual(before);
    // Repair the pose in place.
    room[16 * (count - 1) + 5] = 1;
    scene.setPoses(room);
    expect(room.length, `round ${round}`).toBe(takenOver ? 0 : 16 * count);
    for (let i = 0; i < 32; i++) room[i] = 7;
    plain.setPoses(poses);
    const waiting = scenes.map(any);
    // The next poses are written while questions wait; every other round they are not set.
    const next = place();
    scene.borrowPoses().set(next);
    if (round % 2 === 0) for (const each of scenes) each.setPoses(each === scene ? each.borrowPoses() : next);
    else for (const each of scenes) each.bodies[round].pose = next.subarray(0, 16);
    const [a, b] = await Promise.all(waiting);
    expect(a.indices, `round ${round}`).toEqual(b.indices);
    const [c, d] = await Promise.all(scenes.map(any));
    expect(c.indices, `round ${round}`).toEqual(d.indices);
    expect(scene.bodies.map(body => body.pose[13])).toEqual(plain.bodies.map(body => body.pose[13]));
  }
  // The array was borrowed for fewer bodies than there are by now.
  const room = scene.borrowPoses();
  scene.add(box());
  expect(() => scene.setPoses(room)).toThrow(`16 numbers per body: ${16 * (count + 1)} for ${count + 1}`);
  for (let i = 0; i < count; i++) scene.add(box());
  for (let i = 0; i <= count; i++) scene.remove(scene.bodies[scene.bodies.length - 1]);
  // The table has grown and shrunk since, so the array is copied.
  room.set(place());
  scene.setPoses(room);
  expect(scene.bodies[5].pose).toEqual(room.slice(80, 96));
  for (const each of scenes) each.close();
});
