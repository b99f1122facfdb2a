// Temporal coherence (G5): a traversal that remembers where each pair of bodies was entered finds the same pairs as
// one without a memory, with fewer box tests while bodies move smoothly.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../../../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../../../../gpu/engine.ts';
import { testDevice } from '../../../../../gpu/testing/test-device.ts';
import { createGpuEngine } from '../../../../../open-gpu.ts';
import { createRandom, displacedSphere, icosphere, torusKnot } from '../../../../../shapes/index.ts';
import { interfere, selfIntersect } from '../../../../driver.ts';
import type { LevelOptions, RawAnswer } from '../../../../request.ts';
import {
  exactPairs,
  exactSelfPairs,
  expectSound,
  keysOf,
  place,
  poseOf,
  rotation,
} from '../../test-answers.ts';

let device: GPUDevice;
let engine: GpuEngine;
beforeAll(async () => {
  device = (await testDevice()).device;
  engine = await createGpuEngine({ device });
  engine.settings.traversal = 'breadth-first';
}, 120_000);
afterAll(() => engine.close());

const seed = 1117;

/** Asks the same question of a new engine. */
async function askedAnew(bodies: readonly Placed[]): Promise<RawAnswer> {
  const fresh = await createGpuEngine({ device });
  try {
    return await interfere(fresh, bodies, { detail: 'list', traversal: 'breadth-first' });
  } finally {
    fresh.close();
  }
}

const found = (answer: RawAnswer): string[][] => [
  keysOf(answer, answer.certain).sort(),
  keysOf(answer, answer.unsure).sort(),
];

/** Bodies on a ring that rotate in place, and per frame one that flies through the ring and is sometimes away. */
function motion(count: number) {
  const random = createRandom(seed);
  const meshes = [displacedSphere({ triangles: 300, seed: 2 }), icosphere({ frequency: 3 })];
  const shapes = meshes.map(mesh => place(mesh).shape);
  const movers = Array.from({ length: count }, (_, i) => ({
    shape: shapes[i % 2],
    axis: random.direction(),
    phase: random.between(0, 6),
    at: [1.6 * Math.cos((2 * Math.PI * i) / count), 1.6 * Math.sin((2 * Math.PI * i) / count), 0],
  }));
  return (frame: number): Placed[] =>
    movers.map(({ shape, axis, phase, at: [x, y, z] }, i) => {
      const away = i === 0 && frame % 12 >= 6 ? 40 : 0;
      const pose = poseOf(rotation(phase + 0.01 * frame, axis), x, y + 0.005 * frame, z + away);
      return { shape, pose, poseRevision: frame };
    });
}

test('bodies move smoothly, and one comes and goes', async () => {
  const bodiesAt = motion(5);
  const most = (await askedAnew(bodiesAt(0))).candidates.length;
  let tests = 0;
  let testsAnew = 0;
  for (let frame = 0; frame < 19; frame++) {
    const bodies = bodiesAt(frame);
    const context = `seed ${seed}, frame ${frame}`;
    const answer = await interfere(engine, bodies, { detail: 'list' });
    const anew = await askedAnew(bodies);
    const gone = frame % 12 >= 6;
    expect(answer.candidates.length < most, context).toBe(gone);
    expect(found(answer), context).toEqual(found(anew));
    if (frame % 9 === 0) expectSound(answer, exactPairs(bodies), context);
    // If nothing came or went for a while, the levels have settled.
    if (frame % 6 === 5) expect(answer.stats.boxTests, context).toBeLessThan(anew.stats.boxTests);
    tests += answer.stats.boxTests;
    testsAnew += anew.stats.boxTests;
  }
  expect(tests).toBeLessThan(testsAnew);
}, 120_000);

test('each pair has an entrance of its own', async () => {
  const sphere = place(icosphere({ frequency: 5 })).shape;
  const at = (x: number): Placed => ({
    shape: sphere,
    pose: poseOf(rotation(0.3, [1, 2, 3]), x),
    poseRevision: 0,
  });
  // The first pair overlaps deeply and is best entered far below the roots. The second barely touches and is not.
  const [deep, shallow] = [
    [at(0), at(0.02)],
    [at(10), at(11.96)],
  ];
  const settledTests = async (bodies: Placed[]) => {
    const own = await createGpuEngine({ device });
    own.settings.traversal = 'breadth-first';
    const tests: number[] = [];
    for (let i = 0; i < 6; i++) tests.push((await interfere(own, bodies, { detail: 'list' })).stats.boxTests);
    own.close();
    expect(tests[5]).toBeLessThan(tests[0]);
    return tests[5];
  };
  const apart = (await settledTests(deep)) + (await settledTests(shallow));
  // If both are asked together, neither takes the level of the other: as many tests as if asked apart.
  expect(await settledTests([...deep, ...shallow])).toBe(apart);
}, 60_000);

test('without coherence every traversal begins at the roots, and what only the CPU has is refused', async () => {
  const { shape } = place(icosphere({ frequency: 5 }));
  const at = (x: number): Placed => ({ shape, pose: poseOf(rotation(0.3, [1, 2, 3]), x), poseRevision: 0 });
  const own = await createGpuEngine({ device });
  const ask = (levels: LevelOptions) =>
    interfere(own, [at(0), at(0.02)], { detail: 'list', traversal: 'breadth-first', levels });
  const tests: number[] = [];
  for (let i = 0; i < 4; i++) tests.push((await ask({ coherence: 'none' })).stats.boxTests);
  expect(new Set(tests).size).toBe(1);
  for (let i = 0; i < 4; i++) await ask({});
  expect((await ask({})).stats.boxTests).toBeLessThan(tests[0]);
  expect((await ask({ coherence: 'none' })).stats.boxTests).toBe(tests[0]);
  for (const levels of [{ volumes: '18-dops' }, { coherence: 'front' }] as const) {
    expect(() => ask(levels)).toThrow(expect.objectContaining({ code: 'unsupported' }));
  }
  own.close();
}, 60_000);

test('unneeded steps are left out until a new pair needs them', async () => {
  const own = await createGpuEngine({ device });
  own.settings.traversal = 'breadth-first';
  const shape = place(icosphere({ frequency: 6 })).shape;
  const at = (x: number): Placed => ({ shape, pose: poseOf(rotation(0.3, [1, 2, 3]), x), poseRevision: 0 });
  const two = [at(0), at(0.1), at(50)];
  const first = await interfere(own, two, { detail: 'list' });
  let last = first;
  for (let i = 0; i < 16; i++) last = await interfere(own, two, { detail: 'list' });
  expect(last.stats.growths).toBe(0);
  expect(last.stats.dispatches).toBeLessThan(first.stats.dispatches);
  const three = [at(0), at(0.1), at(1.2)];
  const answer = await interfere(own, three, { detail: 'list' });
  expect(answer.stats.growths).toBeGreaterThan(0);
  expectSound(answer, exactPairs(three), 'a third body has come');
  const again = await interfere(own, three, { detail: 'list' });
  expect(again.stats.growths).toBe(0);
  expect(found(again)).toEqual(found(answer));
  own.close();
}, 60_000);

test('a deforming body is tested against itself', async () => {
  const { shape } = place(torusKnot({ tubeRadius: 0.5, segments: 40, sides: 8 }));
  const rest = shape.positions;
  for (let frame = 0; frame < 6; frame++) {
    shape.positions = rest.map((value, i) => value * (1 + 0.002 * frame * Math.sin(i)));
    shape.revision++;
    const body = { shape, pose: poseOf(rotation(1, [1, 2, 3])), poseRevision: 0 };
    expectSound(await selfIntersect(engine, body, {}), exactSelfPairs(body), `frame ${frame}`);
  }
  engine.forget(shape);
}, 60_000);
