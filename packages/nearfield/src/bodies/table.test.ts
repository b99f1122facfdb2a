// The table of bodies: setting many poses at once, adding and removing bodies in between, and what questions and
// answers keep of the bodies they saw.

import { afterAll, describe, expect, it } from 'vitest';
import { randomFrom, whole } from '../../../../test/oracle/triangles/generators.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { CpuScene } from '../cpu-scene.ts';
import { fakeEngine } from '../gpu/testing/fake-engine.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import type { InterfereRequest, RawAnswer } from '../interferences/request.ts';
import { Scene } from '../scene.ts';
import { box, icosphere } from '../shapes/index.ts';
import type { Body } from './body.ts';
import type { Engine } from './engine.ts';
import type { SnapshotSource } from './snapshot/snapshot.ts';

const engine = await createCpuEngine();
afterAll(() => engine.close());

const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const names = (answer: Iterable<{ a: Body; b: Body }>): string[] =>
  [...answer].map(({ a, b }) => `${a.index} ${b.index}`);

/** A scene of unit cubes at these x coordinates. */
function cubesAt(...places: readonly number[]): CpuScene {
  const scene = new CpuScene(engine, engine);
  const cube = box();
  for (const x of places) scene.add(cube, { pose: at(x) });
  return scene;
}

describe('setPoses', () => {
  it('moves all bodies or the given ones, and copies the array', () => {
    const scene = cubesAt(0, 10, 20);
    const poses = Float64Array.from([at(1), at(2), at(3)].flat());
    scene.setPoses(poses);
    poses.fill(7);
    expect(scene.bodies.map(body => body.pose[12])).toEqual([1, 2, 3]);
    const [first, , third] = scene.bodies;
    scene.setPoses([...at(30), ...at(40)], [third, first]);
    expect(scene.bodies.map(body => body.pose[12])).toEqual([40, 2, 30]);
    scene.setPoses(new Float32Array([at(0.5), at(0.25), at(9)].flat()));
    expect(scene.bodies.map(body => body.pose[12])).toEqual([0.5, 0.25, 9]);
    expect(names(scene.interferencesSync())).toEqual(['0 1']);
    scene.close();
  });

  it('has the same effect as setting every pose', () => {
    const random = randomFrom(3);
    const [bulk, single] = [cubesAt(), cubesAt()];
    const sphere = icosphere({ radius: 0.5, frequency: 2 });
    for (let i = 0; i < 80; i++) for (const scene of [bulk, single]) scene.add(i % 3 === 0 ? sphere : box());
    for (let frame = 0; frame < 10; frame++) {
      const poses = Array.from({ length: 80 }, () => at(random() * 4, random() * 4, random() * 4));
      bulk.setPoses(poses.flat());
      poses.forEach((pose, i) => {
        single.bodies[i].pose = pose;
      });
      const [a, b] = [bulk.interferencesSync(), single.interferencesSync()];
      expect([...a.indices], `frame ${frame}`).toEqual([...b.indices]);
      expect(a.pairs.map(pair => [...pair.triangles])).toEqual(b.pairs.map(pair => [...pair.triangles]));
      expect(names(a)).toEqual(
        Array.from({ length: a.length }, (_, p) => a.indices.slice(2 * p, 2 * p + 2).join(' ')),
      );
    }
    bulk.close();
    single.close();
  });

  it.each([
    ['pose[12] is NaN', [at(1), at(Number.NaN), at(2)].flat()],
    ['pose[0] is Infinity', [at(1), [Infinity, ...at(1).slice(1)], at(2)].flat()],
    ['the last row', [at(1), [...at(1).slice(0, 15), 2], at(2)].flat()],
    ['singular', [at(1), [0, ...at(1).slice(1)], at(2)].flat()],
  ])('names the body and moves nothing if a pose is bad: %s', (what, poses) => {
    const scene = new CpuScene(engine, engine);
    for (const name of ['bolt', 'gear', 'case']) scene.add(box(), { name });
    expect(() => scene.setPoses(poses)).toThrow(what);
    expect(() => scene.setPoses(poses)).toThrow(/^gear: /);
    expect(() => scene.setPoses(poses.slice(0, 32), scene.bodies.slice(1))).toThrow(/^case: |^gear: /);
    expect(scene.bodies.map(body => body.pose[12])).toEqual([0, 0, 0]);
    scene.close();
  });

  it('refuses a wrong length, bodies of other scenes and closed scenes', () => {
    const scene = cubesAt(0, 5);
    const [, gone] = scene.bodies;
    expect(() => scene.setPoses(at(0))).toThrow('32 for 2 bodies, not 16');
    scene.remove(gone);
    expect(() => scene.setPoses(at(1), [gone])).toThrow('not in this scene');
    expect(() => scene.setPoses(at(1), [cubesAt(1).bodies[0]])).toThrow('not in this scene');
    scene.setPoses(at(1));
    expect(scene.bodies[0].pose[12]).toBe(1);
    scene.close();
    expect(() => scene.setPoses([])).toThrow('closed');
  });

  it('accepts extraordinary poses, and reports world positions that do not fit in doubles', () => {
    const scene = cubesAt(0, 0.5);
    const vast = [1e200, 0, 0, 0, 0, 1e200, 0, 0, 0, 0, 1e200, 0, 0, 0, 0, 1];
    scene.setPoses([...vast, ...at(0)]);
    expect(names(scene.interferencesSync({ detail: 'any' }))).toEqual(['0 1']);
    scene.setPoses(
      [...vast.slice(0, 12), 1.7e308, 1.7e308, 1.7e308, 1, ...at(0)].map(x => (x === 1e200 ? 1e308 : x)),
    );
    expect(() => scene.interferencesSync()).toThrow(/body 0/);
    scene.setPoses([...at(0), ...at(0.5)]);
    expect(names(scene.interferencesSync())).toEqual(['0 1']);
    scene.close();
  });
});

describe('adding and removing bodies', () => {
  it('leaves the other bodies as they are, at any time', () => {
    const random = randomFrom(9);
    const scene = new CpuScene(engine, engine);
    const cube = box();
    const kept = new Map<Body, number>();
    for (let step = 0; step < 300; step++) {
      const choice = random();
      const some = [...kept.keys()][whole(random, 0, Math.max(0, kept.size - 1))];
      if (choice < 0.45 || kept.size < 2) {
        const x = whole(random, 0, 40);
        kept.set(scene.add(cube, { pose: at(x) }), x);
      } else if (choice < 0.7) {
        scene.remove(some);
        kept.delete(some);
        expect(() => {
          some.pose = at(0);
        }).toThrow('no longer in its scene');
      } else if (choice < 0.85) {
        const x = whole(random, 0, 40);
        some.pose = at(x);
        kept.set(some, x);
      } else {
        const places = [...kept.keys()].map(() => whole(random, 0, 40));
        scene.setPoses(places.flatMap(x => at(x)));
        [...kept.keys()].forEach((body, i) => {
          kept.set(body, places[i]);
        });
      }
      if (step % 3 > 0) continue;
      expect(scene.bodies, `step ${step}`).toEqual([...kept.keys()]);
      expect(scene.bodies.map(body => body.pose[12])).toEqual([...kept.values()]);
      const expected: string[] = [];
      const list = [...kept];
      list.forEach(([a, x], i) => {
        for (const [b, y] of list.slice(i + 1))
          if (Math.abs(x - y) <= 1) expected.push(`${a.index} ${b.index}`);
      });
      expect(names(scene.interferencesSync({ detail: 'any' })), `step ${step}`).toEqual(expected);
    }
    scene.close();
  });

  it('lets a removed body keep its last pose', () => {
    const scene = cubesAt(3, 4);
    const [first, second] = scene.bodies;
    scene.remove(first);
    expect([first.pose[12], second.pose[12]]).toEqual([3, 4]);
    expect(scene.bodies).toEqual([second]);
    scene.close();
    expect(second.pose[12]).toBe(4);
  });
});

/** An engine that answers only when the test calls `finish`. */
function createSlow(): { slow: Engine; finish: (() => void)[] } {
  const finish: (() => void)[] = [];
  const slow: Engine = fakeEngine({
    interferences: {
      interfere: async (bodies: SnapshotSource, request: InterfereRequest): Promise<RawAnswer> => {
        await new Promise<void>(resolve => finish.push(resolve));
        return cpuPairs(engine).interfereSync(bodies, request);
      },
    },
  });
  return { slow, finish };
}

/** The code of a question may still have to be loaded, which promises alone would keep waiting for ever. */
const nextTask = () => new Promise(resolve => setTimeout(resolve));

describe('while a question waits', () => {
  it.each<[string, (scene: Scene) => void]>([
    ['all bodies move at once', scene => scene.setPoses([...at(0), ...at(50), ...at(100)])],
    [
      'all move twice',
      scene => {
        for (const x of [5, 50]) scene.setPoses([...at(0), ...at(x), ...at(2 * x)]);
      },
    ],
    ['some move', scene => scene.setPoses(at(50), [scene.bodies[1]])],
    [
      'one moves',
      scene => {
        scene.bodies[1].pose = at(50);
      },
    ],
    ['one leaves', scene => scene.remove(scene.bodies[1])],
    ['one comes', scene => scene.add(box(), { pose: at(0.25) })],
    ['one deforms', scene => scene.bodies[1].deform(box().positions.map(x => x + 50))],
    [
      'one leaves and another takes its row',
      scene => {
        scene.remove(scene.bodies[0]);
        scene.add(box(), { pose: at(50) });
        scene.setPoses([...at(50), ...at(60), ...at(70)]);
      },
    ],
  ])('it sees the bodies as they were: %s', async (_, change) => {
    const { slow, finish } = createSlow();
    const scene = new Scene(slow, engine);
    for (const x of [0, 0.5, 0.75]) scene.add(box(), { pose: at(x, x / 3, x / 5) });
    const bodies = [...scene.bodies];
    const relations = engineRelations([0, 0.5, 0.75]);
    const early = scene.interferences();
    change(scene);
    const late = scene.interferences();
    while (finish.length < 2) await nextTask();
    for (const go of finish) go();
    const answer = await early;
    expect(names(answer)).toEqual(['0 1', '0 2', '1 2']);
    expect(answer.pairs.map(({ a, b }) => [a, b])).toEqual([
      [bodies[0], bodies[1]],
      [bodies[0], bodies[2]],
      [bodies[1], bodies[2]],
    ]);
    await late;
    // Relations are computed only now, long after the bodies have moved.
    expect(answer.pairs.map(pair => pair.relation)).toEqual(relations);
    scene.close();
  });

  it('a later question sees the bodies as they are by then', async () => {
    const { slow, finish } = createSlow();
    const scene = new Scene(slow, engine);
    for (const x of [0, 10, 20]) scene.add(box(), { pose: at(x) });
    const asked = [
      [0, 10, 20],
      [0, 0.5, 20],
      [0, 10, 10.5],
      [0, 0.5, 0.75],
    ].map(places => {
      scene.setPoses(places.flatMap(x => at(x)));
      return scene.interferences({ detail: 'any' });
    });
    while (finish.length < asked.length) await nextTask();
    for (const go of [...finish].reverse()) go();
    const answers = await Promise.all(asked);
    expect(answers.map(names)).toEqual([[], ['0 1'], ['1 2'], ['0 1', '0 2', '1 2']]);
    scene.close();
  });
});

/** The relations of cubes at these x coordinates, from a scene that does not change. */
function engineRelations(places: readonly number[]): string[] {
  const scene = new CpuScene(engine, engine);
  for (const x of places) scene.add(box(), { pose: at(x, x / 3, x / 5) });
  const relations = scene.interferencesSync().pairs.map(pair => pair.relation);
  scene.close();
  return relations;
}

it('an answer is about the bodies it saw, with few pairs or many, wherever the bodies move', () => {
  for (const places of [
    [0, 0.5, 100, 200, 300, 400],
    [0, 0.5, 0.25, 0.75, 0.125, 0.625],
  ]) {
    const scene = cubesAt(...places);
    const before = scene.interferencesSync({ detail: 'any' });
    const now = scene.interferencesSync({ detail: 'any' }).pairs.map(pair => pair.relation);
    scene.setPoses(places.flatMap((_, i) => at(1000 * i)));
    expect(scene.interferencesSync().length).toBe(0);
    for (const body of [...scene.bodies]) scene.remove(body);
    expect(before.pairs.map(pair => pair.relation)).toEqual(now);
    expect(before.pairs.every(pair => pair.triangles.length > 0)).toBe(true);
    scene.close();
  }
});
