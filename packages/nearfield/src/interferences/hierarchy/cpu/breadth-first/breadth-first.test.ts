// The breadth-first traversal on the CPU against every pair of triangles by exact predicates, with every bounding volume and
// every kind of temporal coherence, while bodies move; how many tests each saves; and what happens around it.

import { open } from 'nearfield';
import { useBreadthFirst } from 'nearfield/breadth-first';
import { openCpu } from 'nearfield/cpu';
import { interferences, interferencesSync } from 'nearfield/interferences';
import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom, whole } from '../../../../../../../test/oracle/triangles/generators.ts';
import type { CpuScene } from '../../../../cpu-scene.ts';
import { multiplyPoses, type Pose } from '../../../../math/pose.ts';
import { type Mesh, mesh } from '../../../../mesh/mesh.ts';
import { hostCoreOf } from '../../../../questions/host.ts';
import { box, icosphere } from '../../../../shapes/index.ts';
import type { InterferenceOptions } from '../../../interferences.ts';
import { giveLevelSearch, loadLevelSearchBy } from '../level-search.ts';
import {
  exactPairs,
  hardPair,
  hardPoses,
  place,
  randomMesh,
  rotation,
  worldTriangles,
} from '../testing/scenes.ts';

useBreadthFirst();
const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const engineBytes = () => hostCoreOf(nf).cpu.usedBytes;
const rounds = process.env.NEARFIELD_SLOW ? 100 : 2;
const frames = 5;

const ways = (['boxes', '18-dops'] as const).flatMap(volumes =>
  (['none', 'level', 'front'] as const).map(
    coherence => ({ traversal: 'breadth-first', volumes, coherence }) as const,
  ),
);

/** The triangles of the one pair of a scene, as "i j". */
function found(scene: CpuScene, options: InterferenceOptions): Set<string> {
  const pairs = new Set<string>();
  for (const { triangles } of scene.interferencesSync(options)) {
    for (let i = 0; i < triangles.length; i += 2) pairs.add(`${triangles[i]} ${triangles[i + 1]}`);
  }
  return pairs;
}

/** A small motion, or now and then a large one. */
function moved(pose: Pose, random: () => number): Pose {
  const next = pose.slice();
  const step = random() < 0.2 ? 0.5 : 0.01;
  for (let row = 0; row < 3; row++)
    next[12 + row] += (random() - 0.5) * step * Math.abs(next[4 * row + row] || 1);
  return next;
}

describe('the answer is that of testing every pair of triangles', () => {
  it.each(hardPoses)('while bodies move: %s', kind => {
    for (let round = 0; round < rounds; round++) {
      const seed = round * 7919 + hardPoses.indexOf(kind);
      const random = randomFrom(seed);
      // Trees of unequal depth as well.
      const meshes = [randomMesh(random, whole(random, 1, 90)), randomMesh(random, whole(random, 1, 40))];
      const poses = hardPair(random, kind);
      const scenes = ways.map(way => {
        const scene = nf.scene();
        for (const [i, given] of meshes.entries()) scene.add(given, { pose: poses[i] });
        return { way, scene };
      });
      for (let frame = 0; frame < frames; frame++) {
        const [a, b] = meshes.map((given, i) => place(given, poses[i]));
        const exact = exactPairs(a, b);
        for (const { way, scene } of scenes) {
          const note = `seed ${seed}, frame ${frame}, ${way.volumes}, ${way.coherence}`;
          scene.bodies[1].pose = poses[1];
          expect([...found(scene, way)].sort(), note).toEqual([...exact].sort());
          const counted = scene.interferencesSync({ ...way, detail: 'count' }).pairs;
          expect(
            counted.reduce((sum, pair) => sum + pair.triangleCount!, 0),
            note,
          ).toBe(exact.size);
          const any = scene.interferencesSync({ ...way, detail: 'any' });
          const usual = scene.interferencesSync({ detail: 'any' });
          expect(
            any.pairs.map(({ relation }) => relation),
            note,
          ).toEqual(usual.pairs.map(({ relation }) => relation));
        }
        poses[1] = moved(poses[1], random);
      }
      for (const { scene } of scenes) scene.close();
    }
  });

  it('where corners touch triangles to the last bit', () => {
    const kinds = ['rigid', 'scaled', 'sheared', 'mirrored', 'far 1e6'] as const;
    for (let seed = 0; seed < 10 * rounds; seed++) {
      const random = randomFrom(seed);
      const size = 10 ** whole(random, -8, 1);
      const a = place(randomMesh(random, 40), hardPair(random, kinds[seed % kinds.length])[0]);
      const world = worldTriangles(a);
      // A corner of each of the second body's triangles lies on one of the first's, as nearly as doubles allow.
      const positions = new Float64Array(40 * 9);
      for (let t = 0; t < 40; t++) {
        const from = 9 * whole(random, 0, 39);
        const [u, v] = [random(), random()].sort();
        for (let i = 0; i < 9; i++) {
          const axis = i % 3;
          const on =
            world[from + axis] * u + world[from + 3 + axis] * (v - u) + world[from + 6 + axis] * (1 - v);
          positions[9 * t + i] =
            i < 3 ? on * (1 + whole(random, -2, 2) * 2 ** -52) : on + (random() - 0.5) * size;
        }
      }
      const b = place(mesh(positions));
      const exact = exactPairs(a, b);
      for (const way of ways) {
        const scene = nf.scene();
        for (const { shape, pose } of [a, b]) scene.add(shape.mesh, { pose });
        expect([...found(scene, way)].sort(), `seed ${seed}, ${way.volumes}`).toEqual([...exact].sort());
        scene.close();
      }
    }
  });

  it('for bodies too flat for a frame of their own, without testing all', () => {
    const flat = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2 ** -60, 0, 0, 0, 0, 1);
    const [fine, coarse] = [icosphere({ frequency: 6 }), icosphere({ frequency: 5 })];
    for (const way of ways) {
      const scene = nf.scene();
      scene.add(fine, { pose: flat });
      const other = scene.add(coarse, { pose: flat });
      for (const x of [0.7, 0.71]) {
        const pose = flat.slice();
        pose[12] = x;
        other.pose = pose;
        const exact = exactPairs(place(fine, flat), place(coarse, pose));
        expect(found(scene, way), way.coherence).toEqual(exact);
        const { triangleTests } = scene.interferencesSync(way).stats;
        expect(triangleTests).toBeLessThan(0.1 * fine.triangleCount * coarse.triangleCount);
      }
      scene.close();
    }
  });

  it('after bodies deform, other bodies take their rows, and while questions wait', async () => {
    const sphere = icosphere({ frequency: 5 });
    for (const way of ways) {
      const scene = nf.scene();
      const [a, b] = [scene.add(sphere), scene.add(icosphere({ frequency: 4 }))];
      b.pose = rotation(randomFrom(1));
      const same = () =>
        expect(found(scene, way), `${way.volumes}, ${way.coherence}`).toEqual(found(scene, {}));
      same();
      const waiting = scene.interferences(way);
      const before = found(scene, {});
      a.deform(sphere.positions.map(v => 1.1 * v));
      const late = new Set<string>();
      for (const { triangles } of await waiting)
        for (let i = 0; i < triangles.length; i += 2) late.add(`${triangles[i]} ${triangles[i + 1]}`);
      expect(late).toEqual(before);
      same();
      scene.remove(a);
      scene.add(icosphere({ frequency: 3 }));
      same();
      scene.close();
    }
  });
});

describe('what is saved', () => {
  /** Box tests and pairs of leaves per frame of a motion, after a few frames. */
  function work(
    meshes: readonly Mesh[],
    poses: (frame: number) => readonly Pose[],
    options: InterferenceOptions,
  ): { boxes: number; leaves: number } {
    const scene = nf.scene();
    for (const given of meshes) scene.add(given);
    let boxes = 0;
    let leaves = 0;
    for (let frame = 0; frame < 12; frame++) {
      poses(frame).forEach((pose, i) => {
        scene.bodies[i].pose = pose;
      });
      const { stats } = scene.interferencesSync({ traversal: 'breadth-first', ...options });
      if (frame < 4) continue;
      boxes += stats.boxTests;
      leaves += stats.triangleTests;
    }
    scene.close();
    return { boxes, leaves };
  }

  const sphere = icosphere({ frequency: 12 });
  const turned = rotation(randomFrom(3));
  const slowly = (frame: number) => [
    Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
    multiplyPoses(Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.8 + 1e-4 * frame, 0, 0, 1), turned),
  ];

  it('18-DOPs leave at most 0.6 of the leaf pairs and volume tests that boxes leave', () => {
    const boxes = work([sphere, sphere], slowly, { coherence: 'none' });
    const dops = work([sphere, sphere], slowly, { coherence: 'none', volumes: '18-dops' });
    expect(dops.leaves).toBeLessThan(0.6 * boxes.leaves);
    expect(dops.boxes).toBeLessThan(0.6 * boxes.boxes);
  });

  it('a front saves at least 15 % of the box tests of a slow motion', () => {
    for (const volumes of ['boxes', '18-dops'] as const) {
      const none = work([sphere, sphere], slowly, { volumes, coherence: 'none' });
      const front = work([sphere, sphere], slowly, { volumes, coherence: 'front' });
      expect(front.boxes).toBeLessThan(0.85 * none.boxes);
      expect(front.leaves).toBe(none.leaves);
    }
  });

  it('a remembered level saves at least 8 % of the box tests of two boxes deep in each other', () => {
    const deep = (frame: number) => [
      slowly(0)[0],
      multiplyPoses(
        Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.05 + 1e-4 * frame, 0, 0, 1),
        turned,
      ),
    ];
    const none = work([box(), box()], deep, { coherence: 'none' });
    const level = work([box(), box()], deep, { coherence: 'level' });
    expect(level.boxes).toBeLessThan(0.92 * none.boxes);
    expect(level.leaves).toBe(none.leaves);
  });
});

describe('around it', () => {
  it('memory is given back when bodies are removed and the scene is closed', () => {
    const used: number[] = [];
    for (let round = 0; round < 3; round++) {
      const scene = nf.scene();
      for (let i = 0; i < 2; i++) scene.add(icosphere({ frequency: 12 }));
      for (const way of ways) scene.interferencesSync(way);
      scene.close();
      used.push(engineBytes());
    }
    // The first round leaves lists for the next questions.
    expect(used[2]).toBe(used[1]);
    expect(used[1]).toBeLessThanOrEqual(used[0]);
  });

  it('a page with single questions has to give it, and so has a synchronous question', async () => {
    const host = await openCpu();
    const scene = host.scene();
    scene.add(box());
    scene.add(box());
    const way = { traversal: 'breadth-first' } as const;
    const refused = expect.objectContaining({
      code: 'unsupported',
      message: expect.stringContaining('useBreadthFirst'),
    });
    giveLevelSearch(undefined);
    loadLevelSearchBy(undefined);
    await expect(interferences(scene, way)).rejects.toEqual(refused);
    expect(() => interferencesSync(scene, way)).toThrow(refused);
    useBreadthFirst();
    expect(interferencesSync(scene, way).pairs.length).toBe(1);
    // The complete library loads it when a question that can wait asks for it.
    giveLevelSearch(undefined);
    const whole = await open({ backend: 'cpu' });
    expect(() => interferencesSync(scene, way)).toThrow(refused);
    expect((await interferences(scene, way)).pairs.length).toBe(1);
    expect(interferencesSync(scene, way).pairs.length).toBe(1);
    whole.close();
    host.close();
  });

  it('its options are for this traversal alone', () => {
    const scene = nf.scene();
    expect(() => scene.interferencesSync({ volumes: '18-dops' })).toThrow(/breadth-first/);
    expect(() => scene.interferencesSync({ traversal: 'walk', coherence: 'front' })).toThrow(/'walk'/);
    scene.close();
  });
});
