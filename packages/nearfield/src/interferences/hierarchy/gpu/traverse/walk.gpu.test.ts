// Walks that visit hundreds of nodes are shared among threads, also if there is no room to share them all. The scene
// is a few triangles as large as a sheet of very many small ones; the exact predicate on all pairs is the oracle.
// Limits that a small scene does not reach are lowered by override constants.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../../../gpu/engine.ts';
import { createKernel } from '../../../../gpu/kernel.ts';
import { testDevice } from '../../../../gpu/testing/test-device.ts';
import { mesh } from '../../../../mesh/mesh.ts';
import { createGpuEngine } from '../../../../open-gpu.ts';
import { createRandom } from '../../../../shapes/index.ts';
import { interfere } from '../../../driver.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../test-answers.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const seed = 41;
const random = createRandom(seed);
const about = (size: number) => random.between(-size, size);

function wavySheet(side: number) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) positions.push((2 * i) / side - 1, (2 * j) / side - 1, about(0.02));
  }
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const at = i * (side + 1) + j;
      indices.push(at, at + 1, at + side + 1, at + 1, at + side + 2, at + side + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

/** Triangles larger than the sheet, askew in their own frame, so that their boxes meet all of it. */
function largeTriangles(count: number) {
  return mesh(
    Float64Array.from({ length: 9 * count }, (_, i) => {
      const [x, y] = [
        [-4, -3],
        [4, -3],
        [0, 5],
      ][Math.floor(i / 3) % 3];
      return [x + about(0.5), y + about(0.5), about(0.4)][i % 3];
    }),
  );
}

/** A device that gives the walk other override constants. It shares all other kernels with the device it wraps. */
function withConstants(device: GPUDevice, walkConstants: Record<string, number>): GPUDevice {
  const compile = async ({ label = '', compute }: GPUComputePipelineDescriptor) => {
    const { code } = compute.module as unknown as { code: string };
    const constants = { ...compute.constants, ...(label === 'walk' && walkConstants) };
    const kernel = await createKernel(device, label, [code], constants as Record<string, number>);
    return kernel.pipeline;
  };
  return new Proxy(device, {
    get(_, key) {
      if (key === 'createShaderModule') return (descriptor: GPUShaderModuleDescriptor) => descriptor;
      if (key === 'createComputePipelineAsync') return compile;
      const value = Reflect.get(device, key);
      return typeof value === 'function' ? value.bind(device) : value;
    },
  });
}

const bodies: Placed[] = [place(wavySheet(25))];
// There are so many that no walk gets only a part of the sheet's tree. One has more triangles than a workgroup can
// take.
for (let i = 0; i < 30; i++) {
  const pose = poseOf(rotation(about(3), [0.02, 0.01, 1]), about(0.1), about(0.1), about(0.05));
  bodies.push(place(largeTriangles(i === 7 ? 70 : 2), pose));
}
let exact: ReadonlySet<string>;
beforeAll(() => {
  exact = exactPairs(bodies);
}, 120_000);

test('a few large triangles cross a sheet of many', { timeout: 300_000 }, async () => {
  const ofSheet = [...exact].filter(key => key.startsWith('0 '));
  expect(ofSheet.length, `seed ${seed}`).toBeGreaterThan(1000);
  const answer = await interfere(engine, bodies, { detail: 'list', traversal: 'walk' });
  expectSound(answer, exact, `seed ${seed}`);
  expect(answer.stats.boxTests).toBeGreaterThan(100_000);
  const { certain, candidates } = await interfere(engine, bodies, { detail: 'any', traversal: 'walk' });
  const found = new Set<string>();
  for (let r = 0; r < certain.length; r += 3) {
    found.add(`${candidates[2 * certain[r]]} ${candidates[2 * certain[r] + 1]}`);
  }
  const meeting = new Set([...exact].map(key => key.split(' ', 2).join(' ')));
  for (const pair of found) expect(meeting, `seed ${seed}`).toContain(pair);
  expect(found.size).toBeGreaterThan(0.9 * meeting.size);
});

test('the same holds among triangles that visibility keeps', { timeout: 300_000 }, async () => {
  const visibility = { resolution: 16, views: 1 } as const;
  const answer = await interfere(engine, bodies, { detail: 'list', visibility });
  expectSound(answer, exact, `seed ${seed}`);
  expect(answer.stats.boxTests).toBeGreaterThan(100_000);
});

test('the list of nodes may be full from the first step on', { timeout: 300_000 }, async () => {
  const { device } = await testDevice();
  // In a tree of 11 levels a listed node is at most 10 above the leaves. Four of its five steps down list three more
  // nodes than they take, so 12 are kept spare. With 9, pairs are lost.
  const constants = { ownSteps: 1, mostWaiting: 20, spareWaiting: 12 };
  const cramped = await createGpuEngine({ device: withConstants(device, constants) });
  const answer = await interfere(cramped, bodies, { detail: 'list', traversal: 'walk' });
  expectSound(answer, exact, `seed ${seed}`);
  cramped.close();
});

test('no walk goes on once there are more leaf pairs than a list can hold', {
  timeout: 300_000,
}, async () => {
  const { device, software } = await testDevice();
  const limited = await createGpuEngine({ device: withConstants(device, { tooMany: 64 }) });
  const { stats } = await interfere(limited, bodies, { detail: 'list', traversal: 'walk' });
  // Without the limit there are 167,264 box tests; the threads' first steps alone make 10,645. On hardware all
  // threads go on until they see the limit.
  expect(stats.boxTests).toBeLessThan(software ? 15_000 : 100_000);
  limited.close();
});
