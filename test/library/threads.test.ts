// Answers do not depend on how many threads work on them, nor on threads that fail.

import { type CpuNearfield, type CpuScene, mesh, open } from 'nearfield';
import { icosphere } from 'nearfield/shapes';
import { afterAll, describe, expect, it } from 'vitest';
import type { CpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { allReady, countResults } from '../../packages/nearfield/src/cpu/threads/testing.ts';
import { coreOf } from '../../packages/nearfield/src/questions/bare-scene.ts';
import { randomFrom } from '../oracle/triangles/generators.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;

// The calling thread imports the jobs when it first shares: so that questions of a fraction of a second are shared, do it now.
await import(new URL('../../packages/nearfield/src/cpu/threads/jobs.js', import.meta.url).href);

/** How many questions were asked of several libraries. */
let asked = 0;

/**
 * Asks libraries with 1, 2, 3 and 8 threads the same; outside of the full run with 1, with 2 or 3 in turn, and with 5. With `jobs`, asks until other
 * threads have answered items: on a busy machine the calling thread may be first.
 */
async function sameFor(ask: (nf: CpuNearfield) => Promise<ArrayBufferView[]>, jobs = false): Promise<void> {
  const one = await libraryWith(1);
  const expected = bytesOf(await ask(one.nf));
  for (const threads of slow ? [2, 3, 8] : [2 + (asked++ % 2), 5]) {
    const { nf, resultCount } = await libraryWith(threads);
    const before = resultCount();
    const results = () => resultCount() - before;
    const isEnough = (round: number) => round >= (slow ? 10 : 1) && (!jobs || results() > 0 || round === 50);
    for (let round = 0; !isEnough(round); round++) {
      const answers = bytesOf(await ask(nf));
      const isSame = answers.every((answer, i) => answer.equals(expected[i]));
      expect(isSame, `${threads} threads`).toBe(true);
    }
    if (jobs) expect(results()).toBeGreaterThan(0);
  }
}

interface Library {
  readonly nf: CpuNearfield;
  /** How many results its other threads have given. */
  readonly resultCount: () => number;
}

/** By their numbers of threads. Each thread loads what it runs, so all tests share these. */
const libraries = new Map<number, Library>();

async function libraryWith(threads: number): Promise<Library> {
  const before = libraries.get(threads);
  if (before !== undefined) return before;
  const nf = await open({ backend: 'cpu', threads });
  await allReady(engineOf(nf));
  const library = { nf, resultCount: countResults(engineOf(nf)) };
  libraries.set(threads, library);
  return library;
}

afterAll(() => {
  for (const { nf } of libraries.values()) nf.close();
});

const engineOf = (nf: CpuNearfield): CpuEngine => coreOf(nf.scene()).cpu;

const bytesOf = (arrays: ArrayBufferView[]): Buffer[] =>
  arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));

const box = mesh(
  new Float64Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]),
  new Uint32Array([
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4,
    7,
  ]),
);

/** Boxes, spheres in single precision and open boxes; half of them on a grid, so that they touch, coincide or lie in each other. */
function addParts(nf: CpuNearfield, count: number): CpuScene {
  const random = randomFrom(33);
  const scene = nf.scene();
  const sphere = icosphere({ frequency: 4 });
  const single = mesh(Float32Array.from(sphere.positions), sphere.indices);
  const openBox = mesh(Float32Array.from(box.positions), Uint16Array.from(box.indices.subarray(6)));
  const size = Math.cbrt(count);
  for (let i = 0; i < count; i++) {
    const at = () => (i % 2 === 0 ? Math.round(random() * 2 * size) / 2 : random() * size);
    const scale = i % 5 === 0 ? 0.5 : 1;
    const body = scene.add(i % 20 === 0 ? single : i % 20 === 10 ? openBox : box, {
      pose: [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, at(), at(), at(), 1],
    });
    if (i % 50 === 1) body.deform(Float64Array.from(box.positions, x => 1.25 * x));
  }
  return scene;
}

const relationCodes = (relations: readonly string[]): Uint8Array =>
  Uint8Array.from(relations, relation => 'stcincr'.indexOf(relation[0]) * 16 + relation.length);

describe('any number of threads', () => {
  it('finds the same nearest points', async () => {
    const random = randomFrom(31);
    const sphere = icosphere({ frequency: 12 });
    // Around the sphere, on it, in its centre (every triangle is as near), and on its corners.
    const points = Float64Array.from({ length: 3 * 9000 }, () => 3 * random() - 1.5);
    points.set(sphere.positions.subarray(0, 3 * 300), 3 * 2000);
    points.fill(0, 3 * 7000, 3 * 7001);
    // So many that threads sort them together.
    const many = Float64Array.from({ length: 3 * 70_000 }, () => 3 * random() - 1.5);
    await sameFor(async nf => {
      const scene = nf.scene();
      const body = scene.add(sphere, { pose: [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0, 0, 1] });
      const answers = [
        await scene.closest(body, points),
        await scene.closest(body, many, { upTo: 0.05 }),
        scene.closestSync(body, points, { upTo: 0.4 }),
      ];
      scene.close();
      return answers.flatMap(({ distances, points, triangles, features }) => [
        distances,
        points,
        triangles,
        features,
      ]);
    });
  });

  it('finds the same pairs, triangles and counts', async () => {
    const random = randomFrom(32);
    const sphere = icosphere({ frequency: 12 });
    // Half of the boxes are on a grid, so that they touch, coincide or lie in each other.
    const poses = Array.from({ length: 1500 }, (_, i) => {
      const at = () => (i % 2 === 0 ? Math.round(random() * 32) / 2 : random() * 16);
      return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, at(), at(), at(), 1];
    });
    await sameFor(async nf => {
      const scene = nf.scene();
      poses.forEach((pose, i) => {
        scene.add(i % 50 === 0 ? sphere : box, { pose });
      });
      const list = await scene.interferences();
      const counted = scene.interferencesSync({ detail: 'count' });
      const answers = [
        list.indices,
        ...list.pairs.map(pair => pair.triangles),
        Uint32Array.from(counted, pair => pair.triangleCount!),
        (await scene.interferences({ detail: 'relation' })).triangleCounts!,
        (await scene.interferences({ detail: 'any' })).indices,
      ];
      scene.close();
      return answers;
    });
  });

  it('finds the same relations and common points', async () => {
    await sameFor(async nf => {
      const scene = addParts(nf, 300);
      const answers: ArrayBufferView[] = [];
      for (const detail of ['list', 'relation', 'any'] as const) {
        const answer = await scene.interferences({ detail });
        // Bodies that move and deform do not change the answer.
        const some = scene.bodies.slice(0, 10);
        for (const body of some) body.deform(Float64Array.from(body.mesh.positions, x => x / 2));
        answers.push(relationCodes(await answer.relations()), await answer.points());
        for (const body of some) body.deform(Float64Array.from(body.mesh.positions));
      }
      scene.close();
      return answers;
    }, true);
  });
});

describe('any number of threads, in batches', () => {
  const ball = icosphere({ frequency: 16 });

  it('finds the same points in a solid', async () => {
    const random = randomFrom(34);
    const points = Float64Array.from({ length: 3 * 90_000 }, () => 2.4 * random() - 1.2);
    points.set(ball.positions.subarray(0, 3 * 500), 3 * 1000);
    await sameFor(async nf => {
      const scene = nf.scene();
      const body = scene.add(ball);
      const answers = [await scene.inside(body, points)];
      scene.close();
      return answers;
    }, true);
  });

  it('finds the same hits of rays', async () => {
    const random = randomFrom(35);
    const rays = Float64Array.from({ length: 6 * 60_000 }, () => 12 * random() - 6);
    await sameFor(async nf => {
      const answers: ArrayBufferView[] = [];
      const scene = addParts(nf, 30);
      for (const [bodies, hits] of [
        [scene.bodies, 'first'],
        [scene.bodies.slice(0, 4), 'all'],
      ] as const) {
        const found = await scene.rays(bodies, rays, { hits });
        answers.push(found.rays, found.bodies, found.triangles, found.times, found.weights, found.firsts);
        answers.push(found.crossings);
      }
      scene.close();
      return answers;
    }, true);
  });

  it('finds what boxes and spheres meet', async () => {
    const random = randomFrom(36);
    const count = 20_000;
    const boxes = Float64Array.from({ length: 6 * count }, (_, i) => 4 * random() + (i % 6 > 2 ? 1 : 0));
    for (let i = 0; i < boxes.length; i += 6)
      for (let k = i; k < i + 3; k++) boxes[k + 3] = boxes[k] + 0.5 * random();
    const balls = Float64Array.from({ length: 4 * count }, (_, i) => (i % 4 === 3 ? 0.3 : 4) * random());
    await sameFor(async nf => {
      const answers: ArrayBufferView[] = [];
      const scene = addParts(nf, 30);
      for (const detail of ['list', 'count', 'any'] as const) {
        for (const found of [
          await scene.inBox(scene.bodies, boxes, { detail }),
          await scene.inSphere(scene.bodies.slice(0, 5), balls, { detail }),
        ]) {
          answers.push(found.regions, found.bodies, found.starts);
          answers.push(found.triangleStarts ?? new Uint8Array(), found.triangles ?? new Uint8Array());
        }
      }
      scene.close();
      return answers;
    }, true);
  });

  it('finds the same pairs within a clearance', async () => {
    await sameFor(async nf => {
      const scene = addParts(nf, 1200);
      const near = await scene.within(0.3);
      const answers = near.pairs.map(({ a, b, distance, pointA, pointB, triangleA, triangleB }) =>
        Float64Array.of(a.index, b.index, distance, ...pointA, ...pointB, triangleA, triangleB),
      );
      scene.close();
      return answers;
    }, true);
  });

  it('gives what the synchronous forms give', async () => {
    const random = randomFrom(37);
    const { nf } = await libraryWith(3);
    const scene = addParts(nf, 40);
    const rays = Float64Array.from({ length: 6 * 20_000 }, () => 12 * random() - 6);
    const balls = Float64Array.from({ length: 4 * 5000 }, (_, i) => (i % 4 === 3 ? 0.3 : 4) * random());
    expect(await scene.rays(scene.bodies, rays)).toEqual(scene.raysSync(scene.bodies, rays));
    expect(await scene.inSphere(scene.bodies, balls)).toEqual(scene.inSphereSync(scene.bodies, balls));
    const [near, nearSync] = [await scene.within(0.4), scene.withinSync(0.4)];
    expect(near.pairs.map(pair => pair.distance)).toEqual(nearSync.pairs.map(pair => pair.distance));
    const solid = scene.add(ball);
    expect(await scene.inside(solid, rays)).toEqual(scene.insideSync(solid, rays));
    scene.close();
  });
});

describe('depths', () => {
  it('are the same from any number of threads', async () => {
    await sameFor(async nf => {
      const scene = addParts(nf, 300);
      const pairs = [...(await scene.interferences())];
      const answers = [
        await scene.depths(pairs, { first: 20, tolerance: 0.25 }),
        await scene.depths(pairs.slice(0, 60), { stopAtRatio: 1.3 }),
        await scene.depths(pairs, { first: 0 }),
      ];
      scene.close();
      return answers.flatMap(({ pairs: found, order, certain }) => [
        Float64Array.from(
          found.flatMap(({ depth, translation }) => [depth.lower, depth.upper, ...translation]),
        ),
        order,
        Uint32Array.of(certain),
      ]);
    }, true);
  });

  it('are the same with and without waiting', async () => {
    const { nf } = await libraryWith(3);
    const scene = addParts(nf, 60);
    const pairs = [...(await scene.interferences())];
    const options = { first: 10, tolerance: 0.25 };
    expect(await scene.depths(pairs, options)).toEqual(scene.depthsSync(pairs, options));
    scene.close();
  });
});

it('threads start while many bodies are added, before anything is asked', async () => {
  const nf = await open({ backend: 'cpu', threads: 3 });
  const scene = nf.scene();
  const { threads } = engineOf(nf);
  for (let i = 0; i < 1 << 14; i++) scene.add(box);
  while (threads.ready < 2) await new Promise(resolve => setTimeout(resolve, 10));
  nf.close();
});

it('relations do not depend on threads that end while they work', async () => {
  const { nf } = await libraryWith(1);
  const whole = addParts(nf, 300);
  const expected = await (await whole.interferences()).relations();
  whole.close();
  const ending = await open({ backend: 'cpu', threads: 4 });
  await allReady(engineOf(ending));
  const scene = addParts(ending, 300);
  const answer = await scene.interferences();
  const { threads } = engineOf(ending);
  const take = threads.take.bind(threads);
  const taken: { end(): void }[] = [];
  threads.take = () => {
    const more = take();
    taken.push(...more);
    return more;
  };
  const relations = await answer.relations({ progress: done => done > 0.1 && taken.pop()?.end() });
  expect(relations).toEqual(expected);
  ending.close();
});
