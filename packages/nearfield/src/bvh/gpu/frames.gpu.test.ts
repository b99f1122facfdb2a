import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { interfere } from '../../interferences/driver.ts';
import {
  exactPairs,
  expectSound,
  place,
  poseOf,
  rotation,
} from '../../interferences/hierarchy/gpu/test-answers.ts';
import { mesh, type Positions } from '../../mesh/mesh.ts';
import { boundsOfVertices } from '../../mesh/vertices.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { box, icosphere } from '../../shapes/index.ts';

// Local frames of large meshes are chosen from a sample and from the previous revision. If the choice missed a vertex,
// the GPU notices, and the question is run again.

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const sphere = icosphere({ frequency: 30 });
const other = place(box(), poseOf(rotation(1, [1, 2, 3]), 0.9, 0.1, 0));

/** Returns the answer's growths, and compares the answer itself with exact arithmetic. */
async function growths(body: ReturnType<typeof place>, context: string): Promise<number> {
  const answer = await interfere(engine, [body, other], { detail: 'list' });
  expectSound(answer, exactPairs([body, other]), context);
  expect(answer.certain.length, context).toBeGreaterThan(0);
  expect(answer.stats.unsure, context).toBeLessThanOrEqual(0.01 * answer.stats.triangleTests + 2);
  return answer.stats.growths;
}

test('a vertex that the sample misses is noticed', async () => {
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

test('a vertex that the sample sees and no triangle uses does not coarsen the frame', async () => {
  const positions = new Float64Array([1e12, 0, 0, ...sphere.positions]);
  const indices = sphere.indices.map(v => v + 1);
  const body = place(mesh(positions, indices));
  expect(await growths(body, 'far and unused')).toBe(1);
  expect(await growths(body, 'again')).toBe(0);
  engine.forget(body.shape);
});

test('revisions may grow, shrink, move and change between singles and doubles', async () => {
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
    const answer = await interfere(engine, [body, other], { detail: 'list' });
    expectSound(answer, exactPairs([body, other]), name);
    expect(answer.stats.growths, name).toBe(expected);
  }
  engine.forget(body.shape);
});

/** New positions as bodies supply them: with the box of all vertices. */
function deform({ shape }: ReturnType<typeof place>, positions: Positions): void {
  shape.positions = positions;
  shape.extent = boundsOfVertices(positions);
  shape.revision++;
}

test('no revision is run again if its box is known', async () => {
  const body = place(mesh(new Float32Array(sphere.positions), sphere.indices));
  const stretched = (factor: number) =>
    sphere.positions.map((value, i) => (i % 3 === 2 ? factor * value : value));
  // The first tree may belong to a body that was deformed before any question.
  for (const asked of [false, true]) {
    if (asked) await growths(body, 'at first');
    for (const factor of [1.1, 40, 1.02, 0.2]) {
      deform(body, stretched(factor));
      expect(await growths(body, `${factor}`), `${factor}`).toBe(0);
      deform(body, Float32Array.from(stretched(factor)));
      expect(await growths(body, `${factor}, singles`), `${factor}, singles`).toBe(0);
    }
    engine.forget(body.shape);
  }
});

test('vertices that no triangle uses do not coarsen the frame of a revision', async () => {
  for (const frequency of [4, 30]) {
    const { positions, indices } = icosphere({ frequency });
    const own = mesh(
      new Float64Array([0, 0, 0, ...positions]),
      indices.map(v => v + 1),
    );
    const body = place(own);
    await growths(body, `${frequency} at first`);
    for (const far of [1e3, 1e12, 0, 1e12, -1e15]) {
      deform(
        body,
        new Float64Array([far, far, 0, ...positions.map(value => value * (1 + 1e-3 * Math.cos(far)))]),
      );
      await growths(body, `${frequency}, ${far}`);
    }
    engine.forget(body.shape);
  }
});
