import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { box, createRandom, displacedSphere, plate, torusKnot } from '../../../shapes/index.ts';
import { interfere, selfIntersect } from '../../driver.ts';
import type { RawAnswer } from '../../request.ts';
import { exactPairs, exactSelfPairs, expectSound, place, poseOf, rotation } from './test-answers.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const seed = 15111889;
const random = createRandom(seed);
const whole = (count: number) => random.integer(count);
const pose = poseOf(rotation(1, [1, 2, 3]), 1, 2, 3);

const shuffledCorners = (vertices: number, triangles: number, coordinate: () => number) =>
  mesh(
    Float64Array.from({ length: 3 * vertices }, coordinate),
    Uint32Array.from({ length: 3 * triangles }, () => whole(vertices)),
  );

function sheet(side: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) for (let j = 0; j <= side; j++) positions.push(i, j, 0);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const at = i * (side + 1) + j;
      indices.push(at, at + 1, at + side + 1, at + 1, at + side + 2, at + side + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

const bodies: Record<string, () => Placed> = {
  'a box': () => place(box()),
  'a plate with holes': () => place(plate(), pose),
  'a flat sheet': () => place(sheet(6), pose),
  'corners at random, many shared': () =>
    place(
      shuffledCorners(60, 120, () => random.next()),
      pose,
    ),
  'corners on a grid, many shared, many twice': () => place(shuffledCorners(40, 100, () => whole(4))),
  'triangles of a soup that share positions, not indices': () => place(mesh(shuffledSoup(90, 3)), pose),
  'a knot that runs into itself': () => place(torusKnot({ tubeRadius: 0.5, segments: 40, sides: 8 }), pose),
};

function shuffledSoup(triangles: number, side: number) {
  return Float64Array.from({ length: 9 * triangles }, () => whole(side));
}

for (const [name, make] of Object.entries(bodies)) {
  test(`a mesh against itself: ${name}`, async () => {
    const body = make();
    const exact = exactSelfPairs(body);
    for (const traversal of ['walk', 'breadth-first'] as const) {
      engine.settings.traversal = traversal;
      expectSound(await selfIntersect(engine, body, {}), exact, `${name}, seed ${seed}, ${traversal}`);
    }
    engine.settings.traversal = 'walk';
    engine.forget(body.shape);
  });
}

test('a sphere and a flat sheet have no unsure neighbours', async () => {
  for (const shape of [displacedSphere({ triangles: 2000, seed: 4 }), sheet(8)]) {
    const body = place(shape, pose);
    const answer = await selfIntersect(engine, body, {});
    expect(answer.stats.triangleTests).toBeGreaterThan(shape.triangleCount);
    expect(answer.stats.unsure).toBe(0);
    expect(answer.certain.length).toBe(0);
    engine.forget(body.shape);
  }
});

test('a question between bodies keeps the welds of an earlier one', async () => {
  const body = place(displacedSphere({ triangles: 500 }), pose);
  await interfere(engine, [body, place(box(), pose)], { detail: 'list' });
  expect((await selfIntersect(engine, body, {})).stats.unsure).toBe(0);
  // The deformed body is refitted, and still welded.
  body.shape.positions = body.shape.positions.map((value, i) => value * (1 + 0.1 * Math.sin(i)));
  body.shape.revision++;
  const answer = await selfIntersect(engine, body, {});
  expectSound(answer, exactSelfPairs(body), 'deformed');
});

test('a body whose leaf order has become bad is sorted again when it deforms next', async () => {
  const body = place(displacedSphere({ triangles: 500, seed: 5 }), pose);
  const { positions, mesh: sphere } = body.shape;
  // Every other vertex moves close to the vertex that is as far from the end of the list.
  const torn = positions.map((value, i) => {
    const vertex = Math.floor(i / 3);
    return vertex % 2 === 0 ? 0.99 * positions[positions.length - 3 - 3 * vertex + (i % 3)] : value;
  });
  // Makes room for everything that will be found.
  await selfIntersect(engine, place(mesh(torn, sphere.indices), pose), {});
  const deform = async (to: typeof positions) => {
    body.shape.positions = to.slice();
    body.shape.revision++;
    return (await selfIntersect(engine, body, {})).stats;
  };
  await selfIntersect(engine, body, {});
  const kept = await deform(positions);
  const worse = await deform(torn);
  expect(worse.growths).toBe(0);
  expect(worse.dispatches).toBe(kept.dispatches);
  const sorted = await deform(torn);
  expect(sorted.dispatches).toBeGreaterThan(worse.dispatches);
  expect(sorted.boxTests).toBeLessThan(worse.boxTests);
  // The new order is not taken for bad.
  expect((await deform(torn)).dispatches).toBe(kept.dispatches);
  expect((await deform(torn)).dispatches).toBe(kept.dispatches);
  engine.forget(body.shape);
});

test('state kept between questions belongs to the body asked about', async () => {
  const knot = (segments: number, at = pose) => place(torusKnot({ tubeRadius: 0.5, segments, sides: 6 }), at);
  // The first two are at the same place, where the third has been. The fourth is a copy of the first at another
  // place.
  const moved = poseOf(rotation(1, [1, 2, 3]), 1, 2, 5);
  const [first, second, third] = [knot(20), knot(28), knot(24, moved)];
  const fourth = { shape: first.shape, pose: moved, poseRevision: 1 };
  const pairs = [first, place(box(), pose), place(box(), moved)];
  const asked: [Placed, Promise<RawAnswer>][] = [];
  const between: Promise<RawAnswer>[] = [];
  for (const body of [first, second, first, third, fourth, second, first, first]) {
    asked.push([body, selfIntersect(engine, body, {})]);
    // The candidates found here overwrite the one that a question about a single body writes.
    if (asked.length % 3 === 2) between.push(interfere(engine, pairs, { detail: 'list' }));
    if (asked.length === 5) {
      const given = new Uint32Array([0, 2, 0, 1]);
      between.push(interfere(engine, pairs, { detail: 'list', candidates: given }));
    }
  }
  for (const [body, answer] of asked) expectSound(await answer, exactSelfPairs(body), 'asked at once');
  for (const answer of between) expectSound(await answer, exactPairs(pairs), 'in between');
  // The body deforms where it is, and so does another; then it moves with its new shape.
  for (let frame = 1; frame < 5; frame++) {
    for (const { shape } of [first, third]) {
      shape.positions = shape.positions.map((value, i) => value * (1 + 0.02 * frame * Math.sin(i)));
      shape.revision++;
    }
    const at = frame < 3 ? pose : poseOf(rotation(frame, [1, 2, 3]), 0, 1e3 * frame, 0);
    const body = { shape: first.shape, pose: at, poseRevision: frame };
    expectSound(await selfIntersect(engine, body, {}), exactSelfPairs(body), `frame ${frame}`);
    if (frame === 2) expectSound(await selfIntersect(engine, third, {}), exactSelfPairs(third), 'third');
  }
  for (const { shape } of [...pairs, second, third]) engine.forget(shape);
}, 120_000);
