import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGpuEngine, type GpuEngine } from '../gpu/engine.ts';
import { testDevice } from '../gpu/test-device.ts';
import { mesh } from '../mesh/mesh.ts';
import { box, icosphere } from '../mesh/shapes/index.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../methods/hierarchy/gpu/test-answers.ts';

// Local frames of large meshes are chosen from a sample and from the revision before; what the choice missed is seen on
// the GPU, and the question run again.

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const sphere = icosphere({ frequency: 30 });
const other = place(box(), poseOf(rotation(1, [1, 2, 3]), 0.9, 0.1, 0));

/** The answer's growths; the answer itself is held against exact arithmetic. */
async function growths(body: ReturnType<typeof place>, context: string): Promise<number> {
  const answer = await engine.interfere([body, other], { detail: 'list' });
  expectSound(answer, exactPairs([body, other]), context);
  expect(answer.certain.length, context).toBeGreaterThan(0);
  expect(answer.stats.unsure, context).toBeLessThanOrEqual(0.01 * answer.stats.triangleTests + 2);
  return answer.stats.growths;
}

test('a vertex that the sample misses', async () => {
  expect(sphere.vertexCount).toBeGreaterThan(2 * 4096);
  for (const kind of [Float32Array, Float64Array]) {
    const positions = new kind(sphere.positions);
    for (let axis = 0; axis < 3; axis++) positions[3 * 4001 + axis] *= 40;
    const body = place(mesh(positions, sphere.indices));
    expect(await growths(body, kind.name)).toBe(1);
    expect(await growths(body, `${kind.name}, again`)).toBe(0);
    engine.forget(body.shape);
  }
});

test('a vertex that no triangle uses and the sample sees', async () => {
  const positions = new Float64Array([1e12, 0, 0, ...sphere.positions]);
  const indices = sphere.indices.map(v => v + 1);
  const body = place(mesh(positions, indices));
  expect(await growths(body, 'far and unused')).toBe(1);
  expect(await growths(body, 'again')).toBe(0);
  engine.forget(body.shape);
});

test('revisions that grow, shrink, move and change their kind', async () => {
  const body = place(mesh(new Float32Array(sphere.positions), sphere.indices));
  await growths(body, 'at first');
  const bend = (value: number, i: number) => value + (i % 3 === 0 ? 0.2 : 0) + 0.1 * Math.sin(i);
  const revisions: [string, Float32Array | Float64Array, number][] = [
    ['a little', Float32Array.from(sphere.positions, bend), 0],
    ['doubles', Float64Array.from(sphere.positions, bend), 0],
    ['larger', Float64Array.from(sphere.positions, value => 50 * value), 1],
    ['singles again', Float32Array.from(sphere.positions, bend), 1],
    ['the same', Float32Array.from(sphere.positions, bend), 0],
  ];
  for (const [name, positions, expected] of revisions) {
    body.shape.positions = positions;
    body.shape.revision++;
    const answer = await engine.interfere([body, other], { detail: 'list' });
    expectSound(answer, exactPairs([body, other]), name);
    expect(answer.stats.growths, name).toBe(expected);
  }
  engine.forget(body.shape);
});
