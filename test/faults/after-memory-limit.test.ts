// After a question that did not fit in the engine's memory, every question is answered as by an engine that never failed: no
// fault is injected, the memory is full. Trees do not fit, or what is found does not.

import { type Body, type CpuNearfield, type CpuScene, mesh, open } from 'nearfield';
import { box, createRandom, icosphere } from 'nearfield/shapes';
import { expect, it } from 'vitest';

const maxMemory = 2 ** 24;
const random = createRandom(5);
const near = (reach: number) => [
  ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
  ...[0, 1, 2].map(() => random.between(-reach, reach)),
  1,
];
const small = [
  box(),
  icosphere({ frequency: 3 }),
  box({ size: [2, 0.5, 0.25] }),
  icosphere({ frequency: 6 }),
];
const places = Array.from({ length: 24 }, () => near(2));
const large = icosphere({ frequency: 120 });
const brick = box();
const crowd = Array.from({ length: 900 }, () => near(0.1));
/** The same as one mesh. */
const heap = mesh(
  Float64Array.from(
    crowd.flatMap(pose => Array.from(brick.positions, (x: number, i) => x + pose[12 + (i % 3)])),
  ),
  Uint32Array.from(crowd.flatMap((_, k) => Array.from(brick.indices, v => v + k * brick.vertexCount))),
);

/** Questions that may need much memory, by name. */
const questions: Readonly<Record<string, (scene: CpuScene, a: Body, b: Body) => unknown>> = {
  interferences: async scene => (await scene.interferences()).triangleCounts,
  interferencesSync: scene => scene.interferencesSync().pairs.map(({ triangles }) => [...triangles]),
  relations: async scene => (await scene.interferences({ detail: 'relation' })).relations(),
  counts: scene => scene.interferencesSync({ detail: 'count' }).triangleCounts,
  distance: async (scene, a, b) => (await scene.distance(a, b, { surface: true })).distance,
  distanceSync: (scene, a, b) => scene.distanceSync(a, b, { surface: true }).pointA,
  within: async scene =>
    (await scene.within(0.25)).pairs.map(({ a, b, distance }) => [a.name, b.name, distance]),
  withinSync: scene => scene.withinSync(0.25).pairs.map(({ distance }) => distance),
  self: async (scene, a) => [...(await scene.selfIntersections(a)).triangles],
  selfSync: (scene, a) => [...scene.selfIntersectionsSync(a).triangles],
};

const fill = (scene: CpuScene): Body[] =>
  places.map((pose, i) => scene.add(small[i % small.length], { name: `${i}`, pose }));

async function answers(scene: CpuScene): Promise<unknown> {
  const [a, b] = scene.bodies;
  const found: Record<string, unknown> = {};
  for (const [name, ask] of Object.entries(questions)) found[name] = await ask(scene, a, b);
  return found;
}

/** Adds bodies, expects that each of the questions fails for them, and removes them. */
async function overfill(scene: CpuScene, names: readonly string[], add: () => Body[]): Promise<void> {
  for (const name of names) {
    const added = add();
    const asking = async () => questions[name](scene, added[0], scene.bodies[0]);
    await expect(asking(), name).rejects.toMatchObject({ code: 'out-of-memory' });
    for (const body of added) scene.remove(body);
  }
}

async function withMemory<T>(
  memory: number,
  threads: number,
  ask: (nf: CpuNearfield, scene: CpuScene) => Promise<T>,
): Promise<T> {
  const nf = await open({ backend: 'cpu', maxMemory: memory, threads });
  try {
    const scene = nf.scene();
    fill(scene);
    return await ask(nf, scene);
  } finally {
    nf.close();
  }
}

const right = withMemory(2 ** 28, 1, (_, scene) => answers(scene));

it.each([1, 2])(
  'trees that do not fit: each question fails, all are answered next, with %i threads',
  async threads => {
    await withMemory(maxMemory, threads, async (nf, scene) => {
      for (const name of Object.keys(questions)) {
        await overfill(scene, [name], () => [scene.add(large), scene.add(large, { pose: near(0.01) })]);
        expect(await answers(scene), `after ${name}`).toEqual(await right);
      }
      // Another scene of the same engine is not affected either.
      const other = nf.scene();
      fill(other);
      expect(await answers(other)).toEqual(await right);
    });
  },
);

it.each([1, 2])('lists that do not fit: the same, with %i threads', async threads => {
  await withMemory(maxMemory, threads, async (_, scene) => {
    const long = ['interferences', 'interferencesSync', 'relations'];
    await overfill(scene, long, () => crowd.map(pose => scene.add(brick, { pose })));
    expect(await answers(scene)).toEqual(await right);
    await overfill(scene, ['self', 'selfSync'], () => [scene.add(heap)]);
    expect(await answers(scene), 'after self').toEqual(await right);
  });
});
