// The specs of interference with the visibility method, and tests that need a scene.

import {
  type CpuNearfield,
  type InterferenceOptions,
  type Nearfield,
  open,
  type Proximities,
  shapes,
} from 'nearfield';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { treesOf } from '../../packages/nearfield/src/bvh/cpu/build/trees.ts';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { coreOf } from '../../packages/nearfield/src/questions/bare-scene.ts';
import { interferenceSpec } from '../spec/interference.ts';
import { rigid, translation } from '../spec/scenes.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 40, triangles: 40 } : { scenes: 1, triangles: 16 };
const gpu = async () => open({ device: (await testDevice()).device });
const method = 'visibility';
/** Pixels per side if clearances fill the images. */
const fine = process.env.NEARFIELD_SLOW ? 64 : 24;

interferenceSpec(gpu, { ...size, options: { method, resolution: 64 } });
if (process.env.NEARFIELD_SLOW)
  interferenceSpec(gpu, { ...size, options: { method, resolution: 64, survivors: 'sweep' } });

let nf: Nearfield;
/** The expected answer, from trees without images. */
let cpu: CpuNearfield;
beforeAll(async () => {
  nf = await gpu();
  cpu = await open({ backend: 'cpu' });
});
afterAll(() => {
  nf.close();
  cpu.close();
});

/** Bodies within a clearance and how far apart they are. */
const listed = (answer: Proximities): number[][] =>
  [...answer].map(({ a, b, distance }) => [a.index, b.index, distance]);

test('finds solids that contain others although no surfaces meet', async () => {
  const scene = nf.scene();
  const sphere = shapes.icosphere({ frequency: 3 });
  const shrunk = (by: number, x = 0) => [by, 0, 0, 0, 0, by, 0, 0, 0, 0, by, 0, x, 0, 0, 1];
  scene.add(sphere);
  scene.add(sphere, { pose: shrunk(0.5) });
  scene.add(sphere, { pose: shrunk(0.1, 0.2) });
  scene.add(sphere, { pose: translation(0, 3, 0) });
  for (const stages of ['boxes-first', 'published'] as const) {
    const answer = await scene.interferences({ method, stages });
    expect(answer.method).toBe('visibility');
    expect(answer.complete).toBe(true);
    expect([...answer].map(({ a, b, relation }) => `${a.index} ${relation} ${b.index}`)).toEqual([
      '0 contains 1',
      '0 contains 2',
      '1 contains 2',
    ]);
    expect(answer.stats.visibility?.bodies).toEqual({ boxesMeet: 3, kept: 3 });
  }
});

test('bodies come, go, move and deform between questions', async () => {
  const scene = nf.scene();
  const sphere = shapes.icosphere({ frequency: 3 });
  const a = scene.add(sphere);
  const b = scene.add(sphere, { pose: translation(1.5, 0.1, 0) });
  const agree = async (note: string) => {
    const [seen, trees] = [await scene.interferences({ method }), await scene.interferences()];
    const list = (answer: typeof seen) => [...answer].map(p => [p.a.index, p.b.index, [...p.triangles]]);
    expect(list(seen), note).toEqual(list(trees));
    return seen.length;
  };
  expect(await agree('two')).toBe(1);
  a.deform(sphere.positions.map(x => 0.4 * x));
  expect(await agree('one smaller')).toBe(0);
  a.deform(sphere.positions.map((x, i) => (i % 3 === 0 ? 1.2 * x : x)));
  expect(await agree('one longer')).toBe(1);
  const c = scene.add(shapes.box({ size: [3, 0.2, 0.2] }));
  expect(await agree('one more')).toBe(3);
  b.pose = translation(0, 5, 0);
  expect(await agree('one moved away')).toBe(1);
  scene.remove(c);
  expect(await agree('one removed')).toBe(0);
});

test('a way that may miss says so in the answer', async () => {
  const scene = nf.scene();
  scene.add(shapes.box());
  scene.add(shapes.box(), { pose: translation(0.5, 0.25, 0.125) });
  const answer = await scene.interferences({ method, culling: 'may-miss', resolution: 32 });
  expect(answer.complete).toBe(false);
});

test('contradictory options, and a question without a GPU, are errors', async () => {
  const scene = nf.scene();
  for (const options of [{ resolution: 0 }, { resolution: 1.5 }, { views: 4 }, { culling: 'sometimes' }]) {
    const asked = { method, ...options } as InterferenceOptions;
    await expect(scene.interferences(asked)).rejects.toMatchObject({ code: 'bad-option' });
  }
  const onCpu = cpu.scene();
  await expect(onCpu.interferences({ method })).rejects.toMatchObject({ code: 'no-gpu' });
  expect(() => onCpu.interferencesSync({ method })).toThrow(/GPU/);
  await expect(onCpu.within(1, { method })).rejects.toMatchObject({ code: 'no-gpu' });
});

test('a sweep builds no tree on either engine, not even for solids within solids', async () => {
  const [scene, exact] = [nf.scene(), cpu.scene()];
  const random = shapes.createRandom(3);
  for (const each of [scene, exact]) each.add(shapes.icosphere({ frequency: 4, radius: 4 }));
  // More boxes within the sphere than the searches after which the CPU builds a tree; some of them meet.
  for (let i = 0; i < 24; i++) {
    const pose = rigid(random, 2);
    for (const each of [scene, exact]) each.add(shapes.box({ size: [0.6, 0.6, 0.6] }), { pose });
  }
  const answer = await scene.interferences({ method, resolution: fine, survivors: 'sweep' });
  const expected = exact.interferencesSync();
  expect([...answer].map(({ a, b, triangles }) => [a.name, b.name, ...triangles])).toEqual(
    [...expected].map(({ a, b, triangles }) => [a.name, b.name, ...triangles]),
  );
  expect([...answer].filter(({ triangleCount }) => triangleCount === 0).length).toBeGreaterThan(16);
  expect(answer.stats.visibility!.treesBuilt).toBe(0);
  const onCpu = treesOf(coreOf(scene).cpu);
  for (const { shape } of coreOf(scene).questionAboutAll().seen.shapeStates) {
    expect(onCpu.has(shape)).toBe(false);
  }
  // Trees give the same, and are counted.
  const byTrees = await scene.interferences({ method, resolution: fine });
  expect(byTrees.stats.visibility!.treesBuilt).toBe(25);
  expect(byTrees.length).toBe(answer.length);
  for (const each of [scene, exact]) each.close();
});

test('pairs closer than a clearance are those found without images', async () => {
  for (let seed = 1; seed <= (process.env.NEARFIELD_SLOW ? 20 : 1); seed++) {
    const [scene, exact] = [nf.scene(), cpu.scene()];
    const random = shapes.createRandom(seed);
    const parts = [shapes.box({ size: [1, 0.3, 0.2] }), shapes.icosphere({ frequency: 2 })];
    for (let i = 0; i < 10; i++) {
      const pose = rigid(random, 3);
      for (const each of [scene, exact]) each.add(parts[i % 2], { pose });
    }
    for (const clearance of [1e-3, 0.3]) {
      const expected = listed(exact.withinSync(clearance));
      for (const options of [{ resolution: fine }, { queries: 'occlusion', resolution: fine / 2 }] as const) {
        const answer = await scene.within(clearance, { method, ...options });
        expect([answer.method, answer.backend]).toEqual(['visibility', 'gpu']);
        const context = `seed ${seed}, clearance ${clearance}, ${JSON.stringify(options)}`;
        expect(listed(answer), context).toEqual(expected);
      }
    }
    for (const each of [scene, exact]) each.close();
  }
});

test('culls bodies farther than the clearance before measuring distances', async () => {
  // Slanted plates a fifth apart, whose boxes meet.
  const scene = nf.scene();
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  const turned = (z: number) => [1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, z, 1];
  for (const z of [0, 0.3]) scene.add(shapes.box({ size: [2, 2, 0.02] }), { pose: turned(z) });
  const near = await scene.within(0.1, { method });
  expect(near.length).toBe(0);
  expect(near.method).toBe('visibility');
  expect(near.stats.visibility?.bodies).toEqual({ boxesMeet: 2, kept: 0 });
  const far = await scene.within(0.25, { method });
  expect(far.length).toBe(1);
  expect(far.pairs[0].distance).toBeCloseTo(0.3 * c - 0.02, 9);
  expect(far.stats.visibility?.bodies).toEqual({ boxesMeet: 2, kept: 2 });
});

test('culls triangles, and with them pairs, of bodies that no view separates', async () => {
  // Two rings, each through the other, four fifths apart.
  const [scene, exact] = [nf.scene(), cpu.scene()];
  const ring = shapes.torus({ minorRadius: 0.1, majorSegments: 24, minorSegments: 8 });
  for (const each of [scene, exact]) {
    each.add(ring);
    each.add(ring, { pose: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0.02, 0.03, 1] });
  }
  const near = await scene.within(0.1, { method, resolution: 128 });
  expect(near.length).toBe(0);
  expect(near.stats.visibility).toMatchObject({ bodies: { boxesMeet: 2, kept: 2 }, pairsKept: 0 });
  expect(near.stats.visibility!.triangles.kept).toBeLessThan(near.stats.visibility!.triangles.all / 10);
  const far = await scene.within(0.9, { method, resolution: process.env.NEARFIELD_SLOW ? 2 * fine : fine });
  expect(far.length).toBe(1);
  expect(listed(far)).toEqual(listed(exact.withinSync(0.9)));
  expect(far.stats.visibility!.pairsKept).toBe(1);
  for (const each of [scene, exact]) each.close();
});

test('pairs closer than a clearance: nested, far apart, very different in size', {
  timeout: 300_000,
}, async () => {
  for (let seed = 1; seed <= (process.env.NEARFIELD_SLOW ? 30 : 1); seed++) {
    const [scene, exact] = [nf.scene(), cpu.scene()];
    const random = shapes.createRandom(seed);
    const parts = [
      shapes.box(),
      shapes.icosphere({ frequency: 2 }),
      shapes.torus({ majorSegments: 8, minorSegments: 5 }),
    ];
    // From a thousandth to a hundred: smaller ones often lie within larger ones, and far from them compared with
    // their own size.
    for (let i = 0; i < 9; i++) {
      const scale = 10 ** random.between(-3, 2);
      const pose = rigid(random, i < 3 ? 1 : 20).map((x, k) => (k < 12 && k % 4 < 3 ? scale * x : x));
      for (const each of [scene, exact]) each.add(parts[i % 3], { pose });
    }
    for (const [i, clearance] of [1e-4, 0.5, 40, 1e6].entries()) {
      // The usual suite alternates: surfaces of the first and third, solids of the others.
      for (const surface of process.env.NEARFIELD_SLOW ? [false, true] : [i % 2 === 0]) {
        const seen = await scene.within(clearance, { surface, method, resolution: 0.75 * fine });
        const context = `seed ${seed}, clearance ${clearance}, surface ${surface}`;
        expect(listed(seen), context).toEqual(listed(exact.withinSync(clearance, { surface })));
      }
    }
    for (const each of [scene, exact]) each.close();
  }
});

test('pairs closer than a clearance that is many times a body’s thickness', async () => {
  const [scene, exact] = [nf.scene(), cpu.scene()];
  // Its inverse has entries of up to 2^63 of the larger body's unit.
  const [size, thickness] = [2 ** -36, 2 ** -63];
  const pose = [size, 0, 0, 0, 0, size, 0, 0, 0, 0, thickness, 0, 0.1, 0.2, 3, 1];
  for (const each of [scene, exact]) {
    each.add(shapes.box());
    each.add(shapes.box(), { pose });
  }
  for (const clearance of [2.4, 4, 1e30]) {
    const seen = await scene.within(clearance, { method, resolution: fine });
    expect(listed(seen), `clearance ${clearance}`).toEqual(listed(exact.withinSync(clearance)));
  }
  for (const each of [scene, exact]) each.close();
});
