// If the question is only whether bodies meet, the search ends early. The stats say by how much, and no decision is
// wrong.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Engine } from '../../../bodies/engine.ts';
import type { Placed, Snapshot, SnapshotSource } from '../../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../../bodies/snapshot/snapshot-of.ts';
import { treesIn } from '../../../bvh/gpu/ask.ts';
import type { GpuTrees } from '../../../bvh/gpu/trees.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { CpuScene } from '../../../cpu-scene.ts';
import { wrapDevice } from '../../../gpu/device/device.ts';
import { Session } from '../../../gpu/session.ts';
import { fakeEngine } from '../../../gpu/testing/fake-engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { Scene } from '../../../scene.ts';
import { box, icosphere } from '../../../shapes/index.ts';
import { hierarchyIn } from '../../gpu-driver.ts';
import type { InterfereRequest, RawAnswer } from '../../request.ts';
import type { Hierarchy } from './hierarchy.ts';
import type { HierarchyOptions } from './options.ts';
import { exactPairs, keysOf, place, poseOf, rotation } from './test-answers.ts';

let session: Session;
let trees: GpuTrees;
let hierarchy: Hierarchy;
let cpu: CpuEngine;
beforeAll(async () => {
  session = new Session(wrapDevice((await testDevice()).device), {});
  trees = await treesIn(session);
  hierarchy = await hierarchyIn(session);
  cpu = await createCpuEngine();
}, 120_000);
afterAll(() => {
  session.destroyParts();
  cpu.close();
});

const unit = rotation(0, [0, 0, 1]);

function ask(bodies: Snapshot, options: HierarchyOptions): Promise<RawAnswer> {
  const preparation = trees.prepare(new Set(bodies.shapeStates.map(({ shape }) => shape)), false);
  return hierarchy.run(bodies, { ...options, preparation });
}

test.each(['walk', 'breadth-first'] as const)(
  'one pair is enough: %s',
  async traversal => {
    const sphere = icosphere({ frequency: 8 });
    const bodies = [place(sphere), place(sphere, poseOf(rotation(1, [1, 2, 3]), 0.2, 0.1, 0))];
    const [all, count, any] = [
      await ask(snapshotOf(bodies), { detail: 'list', traversal }),
      await ask(snapshotOf(bodies), { detail: 'count', traversal }),
      await ask(snapshotOf(bodies), { detail: 'any', traversal }),
    ];
    expect(all.certain.length / 3).toBeGreaterThan(100);
    expect(count.counts![0]).toBe(all.certain.length / 3);
    expect(count.certain.length).toBe(0);
    expect(any.certain.length).toBe(3);
    expect(keysOf(all, all.certain)).toContain(keysOf(any, any.certain)[0]);
    expect(any.stats.triangleTests).toBeGreaterThan(0);
    // A device that runs all tests at once has none left to skip.
    const most = session.opened.software ? all.stats.triangleTests / 2 : all.stats.triangleTests;
    expect(any.stats.triangleTests).toBeLessThanOrEqual(most);
    for (const { shape } of bodies) trees.forget(shape);
  },
  60_000,
);

test('one pair is enough if every triangle is tested against every triangle', async () => {
  const sphere = icosphere({ frequency: 4 });
  const bodies = [place(sphere), place(sphere, poseOf(rotation(1, [1, 2, 3]), 0.2, 0.1, 0))];
  const any = await ask(snapshotOf(bodies), { detail: 'any', traversal: 'brute-force' });
  expect(any.certain.length).toBe(3);
  expect(any.stats.triangleTests).toBeGreaterThan(0);
  expect(any.stats.triangleTests).toBeLessThan(sphere.triangleCount ** 2);
  for (const { shape } of bodies) trees.forget(shape);
}, 60_000);

test('if there is no pair, all of them are tested', async () => {
  const sphere = icosphere({ frequency: 4 });
  const bodies = [place(sphere), place(sphere, poseOf(unit, 1.5, 1.4, 0))];
  expect(exactPairs(bodies).size).toBe(0);
  const all = await ask(snapshotOf(bodies), { detail: 'list', traversal: 'walk' });
  const any = await ask(snapshotOf(bodies), { detail: 'any', traversal: 'walk', stopAtFirst: true });
  expect(any.stats.triangleTests).toBe(all.stats.triangleTests);
  expect([...any.certain, ...any.unsure]).toEqual([]);
});

/** An engine that answers a scene's questions by the hierarchy method, which may stop at the first pair. */
const stoppingEngine = (asked: RawAnswer[]): Engine =>
  fakeEngine(
    {
      interferences: {
        async interfere(list: SnapshotSource, { detail, candidates, stopAtFirst }: InterfereRequest) {
          const answer = await ask(snapshotOf(list), { detail, candidates, stopAtFirst, traversal: 'walk' });
          asked.push(answer);
          return answer;
        },
      },
    },
    { forget: shape => trees.forget(shape) },
  );

test('for touching cubes, a few unsure pairs each are enough', async () => {
  const asked: RawAnswer[] = [];
  const [stopping, exact] = [new Scene(stoppingEngine(asked), cpu), new CpuScene(cpu, cpu)];
  const cube = box();
  for (let i = 0; i < 27; i++) {
    const pose = poseOf(unit, i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9));
    for (const scene of [stopping, exact]) scene.add(cube, { pose });
  }
  const answer = await stopping.interferences({ detail: 'any' });
  expect([...answer.indices]).toEqual([...exact.interferencesSync({ detail: 'any' }).indices]);
  // Six faces, twelve edges and eight corners make 26 neighbours, within the grid.
  expect(answer.length).toBe(158);
  const all = await stopping.interferences({ detail: 'list' });
  expect(answer.stats.unsure).toBeLessThanOrEqual(4 * 158);
  expect(answer.stats.unsure).toBeLessThan(all.stats.unsure / 2);
  expect(asked[0].stoppedAtFirst).toEqual(expect.any(Uint8Array));
  for (const scene of [stopping, exact]) scene.close();
}, 60_000);

/** A sheet of squares at a height, with one inner corner lowered to 0. */
function sheet(side: number, height: number, lowered = -1) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) {
    for (let j = 0; j <= side; j++) positions.push(i, j, i === lowered && j === lowered ? 0 : height);
  }
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const at = i * (side + 1) + j;
      indices.push(at, at + 1, at + side + 1, at + 1, at + side + 2, at + side + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

test.each([
  ['that meet nowhere', -1, 0],
  ['that meet at one corner', 7, 1],
])('sheets too near for single precision %s are decided exactly', async (_, lowered, expected) => {
  const asked: RawAnswer[] = [];
  const scene = new Scene(stoppingEngine(asked), cpu);
  const pose = poseOf(unit, 0.3, 0.4, 0);
  const lower: Placed = place(sheet(8, 0));
  const upper: Placed = place(sheet(8, 1e-12, lowered), pose);
  expect(exactPairs([lower, upper]).size > 0 ? 1 : 0).toBe(expected);
  scene.add(lower.shape.mesh);
  scene.add(upper.shape.mesh, { pose });
  const answer = await scene.interferences({ detail: 'any' });
  // The few unsure pairs that ended the search do not decide the question: the CPU searches all pairs.
  expect([...(asked[0].stoppedAtFirst as Uint8Array)]).toEqual([1]);
  expect(asked[0].unsure.length / 3).toBeLessThanOrEqual(4);
  expect(answer.length).toBe(expected);
  scene.close();
});
