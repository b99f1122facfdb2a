import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGpuEngine, type GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/test-device.ts';
import { identity } from '../../../math/pose.ts';
import { box, displacedSphere, icosphere } from '../../../mesh/shapes/index.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from './test-answers.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 60_000);
afterAll(() => engine.close());

const unit = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

test('two spheres that cross', async () => {
  const mesh = displacedSphere({ triangles: 720, seed: 3 });
  const bodies = [place(mesh), place(mesh, poseOf(rotation(0.7, [1, 2, 3]), 1.1, 0.3, 0.2))];
  const answer = await engine.interfere(bodies, { detail: 'list' });
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(20);
  expectSound(answer, exact, 'spheres');
  console.log(exact.size, answer.certain.length / 3, answer.stats);
});

test('boxes on a grid', async () => {
  const mesh = box();
  const bodies = [];
  for (let i = 0; i < 27; i++) {
    bodies.push(
      place(mesh, poseOf(unit, (i % 3) * 0.75, (Math.floor(i / 3) % 3) * 1, Math.floor(i / 9) * 1.25)),
    );
  }
  const answer = await engine.interfere(bodies, { detail: 'list' });
  expectSound(answer, exactPairs(bodies), 'grid');
  console.log(answer.stats);
});

test('identity', async () => {
  const mesh = icosphere({ frequency: 3 });
  const bodies = [place(mesh, identity()), place(mesh, identity())];
  const answer = await engine.interfere(bodies, { detail: 'list' });
  expectSound(answer, exactPairs(bodies), 'coincident');
  console.log(answer.stats);
});
