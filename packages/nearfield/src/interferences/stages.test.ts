import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { broad } from '../candidates/candidates.ts';
import type { CpuScene } from '../cpu-scene.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { box, cloth } from '../shapes/index.ts';
import { createRandom } from '../shapes/random.ts';
import type { Interferences } from './answer/answer.ts';
import type { TrianglePairs } from './narrow-phase.ts';
import { exact, exactOf, narrow, narrowSync } from './stages.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const seed = 11;
const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** Unit cubes at multiples of one half: many touch, cross or coincide. */
function cubes(count: number): CpuScene {
  const random = createRandom(seed);
  const scene = nf.scene();
  const mesh = box();
  const place = () => random.integer(8) / 2;
  for (let i = 0; i < count; i++) {
    scene.add(mesh, { pose: at(place(), place(), place()), group: i % 3 });
  }
  return scene;
}

const plain = (answer: Interferences) =>
  [...answer].map(({ a, b, relation, triangleCount, triangles }) => {
    return [a.index, b.index, relation, triangleCount, [...triangles]];
  });

const recordsOf = ({ certain, unsure, backend }: TrianglePairs) => ({ certain, unsure, backend });

describe('stage by stage', () => {
  it.each(['list', 'relation', 'count', 'any'] as const)(
    `gives the answer of the scene, with detail '%s'`,
    async detail => {
      const scene = cubes(30);
      for (const filter of [{}, { groups: 'different' as const }]) {
        const whole = plain(await scene.interferences({ ...filter, detail }));
        expect(whole.length, `seed ${seed}`).toBeGreaterThan(20);
        const candidates = broad(scene, filter);
        expect(candidates.length).toBeGreaterThanOrEqual(whole.length);
        expect(plain(exact(await narrow(candidates, { detail })))).toEqual(whole);
        expect(plain(exact(narrowSync(candidates, { detail })))).toEqual(whole);
        expect(plain(scene.interferencesSync({ ...filter, detail }))).toEqual(whole);
      }
      const whole = plain(await scene.interferences({ detail }));
      expect(plain(exact(await narrow(scene, { detail })))).toEqual(whole);
      scene.close();
    },
  );

  it.each(['list', 'relation', 'count', 'any'] as const)(
    "also if there are so many candidates that the engine chooses their order, with detail '%s'",
    async detail => {
      const random = createRandom(seed);
      const scene = nf.scene();
      const [mesh, open] = [box(), cloth({ length: 1, width: 1, triangles: 8 })];
      const place = () => random.between(0, 6);
      const add = () => scene.add(random.next() < 0.9 ? mesh : open, { pose: at(place(), place(), place()) });
      for (let i = 0; i < 1200; i++) add();
      for (let i = 0; i < 50; i++) scene.remove(scene.bodies[random.integer(scene.bodies.length)]);
      const candidates = broad(scene);
      expect(candidates.length, `seed ${seed}`).toBeGreaterThan(1 << 14);
      const sorted = exact(await narrow(candidates, { detail }));
      for (const answer of [await scene.interferences({ detail }), scene.interferencesSync({ detail })]) {
        expect(answer.indices).toEqual(sorted.indices);
        expect(answer.triangleCounts).toEqual(sorted.triangleCounts);
        expect(await answer.relations()).toEqual(await sorted.relations());
        const triangles = (of: Interferences) => of.pairs.slice(0, 2000).map(pair => [...pair.triangles]);
        expect(triangles(answer)).toEqual(triangles(sorted));
      }
      scene.close();
    },
  );

  it('shows intermediate results: candidates, certain and unsure pairs', async () => {
    const scene = nf.scene();
    const bodies = [at(0, 0, 0), at(0.5, 0.25, 0.125), at(1, 0.25, 0.125), at(9, 0, 0)].map(pose =>
      scene.add(box(), { pose }),
    );
    const candidates = scene.candidates();
    expect([...candidates]).toEqual([
      [bodies[0], bodies[1]],
      [bodies[0], bodies[2]],
      [bodies[1], bodies[2]],
    ]);
    expect([...candidates.indices]).toEqual([0, 1, 0, 2, 1, 2]);
    const few = candidates.filter({ allowed: [[bodies[1], bodies[2]]] });
    expect(few.length).toBe(2);
    const pairs = await narrow(few);
    expect([...pairs.candidates.indices]).toEqual([0, 1, 0, 2]);
    // Coplanar faces that overlap without a common corner cannot be decided by arithmetic with an error bound.
    expect(pairs.certain.length).toBeGreaterThan(0);
    expect(pairs.unsure.length).toBeGreaterThan(0);
    expect(pairs.stats.unsure).toBe(pairs.unsure.length / 3);
    expect(plain(exact(pairs)).map(([a, b, relation]) => [a, b, relation])).toEqual([
      [0, 1, 'crossing'],
      [0, 2, 'touching'],
    ]);
    scene.close();
  });

  it('is about the bodies as the broad phase saw them', async () => {
    const scene = cubes(20);
    const whole = plain(await scene.interferences());
    const candidates = broad(scene);
    for (const body of scene.bodies) body.pose = at(10 * body.index, 0, 0);
    const pairs = await narrow(candidates);
    scene.setPoses(Float64Array.from(scene.bodies.flatMap(() => at(0, 0, 0))));
    await scene.interferences({ detail: 'any' });
    for (const body of scene.bodies) body.pose = at(0, 10 * body.index, 0);
    expect(plain(exact(pairs))).toEqual(whole);
    // The pairs keep positions, too.
    scene.bodies[0].deform(box({ size: [9, 9, 9] }).positions);
    scene.remove(scene.bodies[1]);
    expect(plain(exact(pairs))).toEqual(whole);
    scene.close();
  });

  it('reports bodies that were deformed or removed before the narrow phase', async () => {
    const scene = cubes(4);
    const candidates = broad(scene);
    const [first, second] = scene.bodies;
    scene.add(box());
    expect(narrowSync(candidates).candidates.length).toBe(candidates.length);
    first.deform(box({ size: [2, 2, 2] }).positions);
    await expect(narrow(candidates)).rejects.toMatchObject({
      code: 'stale',
      message: /^body 0 was deformed/,
    });
    const later = broad(scene);
    scene.remove(second);
    expect(() => narrowSync(later)).toThrow(/^body 1 was removed/);
    scene.close();
    await expect(narrow(candidates)).rejects.toMatchObject({ code: 'closed' });
    expect(() => broad(scene)).toThrow('closed');
  });

  it('decides records that another thread found for the same bodies, and refuses impossible ones', async () => {
    const [here, there] = [cubes(40), cubes(40)];
    const { certain, unsure, backend } = structuredClone({ ...recordsOf(await narrow(broad(there))) });
    const candidates = broad(here);
    expect(unsure.length, `seed ${seed}`).toBeGreaterThan(0);
    const found = await exactOf(candidates, { certain, unsure, backend });
    expect(plain(found)).toEqual(plain(await here.interferences()));
    expect(found.backend).toBe('cpu');
    const signal = AbortSignal.abort();
    await expect(exactOf(candidates, { certain, unsure, backend }, { signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const none = new Uint32Array(0);
    for (const [wrong, message] of [
      [[0, 1], /3 numbers per record/],
      [[candidates.length, 0, 0], /there is no candidate \d+: there are \d+/],
      [[0, 12, 0], /has no triangle 12: it has 12/],
      [[0, 0, 4e9], /has no triangle 4000000000: it has 12/],
    ] as const) {
      const records = { certain: none, unsure: Uint32Array.from(wrong), backend };
      await expect(exactOf(candidates, records)).rejects.toMatchObject({ code: 'bad-array', message });
    }
    here.close();
    there.close();
  });

  it('refuses unknown options', async () => {
    const scene = cubes(2);
    const detail = 'some' as 'any';
    await expect(narrow(broad(scene), { detail })).rejects.toMatchObject({ code: 'bad-option' });
    await expect(scene.interferences({ detail })).rejects.toMatchObject({ code: 'bad-option' });
    scene.close();
  });
});

describe('the exact stage in slices', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** The answer without its relations, which take long. */
  const triangles = (answer: Interferences) =>
    [...answer].map(pair => [pair.a.index, pair.b.index, pair.triangleCount, [...pair.triangles]]);

  /** From now on every look at the clock finds a slice over. */
  function everySlice(): void {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  }

  it.each(['list', 'relation', 'count', 'any'] as const)(
    'pauses at least once per 4,096 candidates, and answers as of the call: %s',
    async detail => {
      const scene = cubes(250);
      const expected = triangles(scene.interferencesSync({ detail }));
      const candidates = broad(scene).rows.length / 2;
      expect(candidates).toBeGreaterThan(4096);
      everySlice();
      const shares: number[] = [];
      const answer = await scene.interferences({
        detail,
        progress: done => {
          shares.push(done);
          // The narrow phase is over. What moves or deforms now is not what was asked about.
          if (done <= 0.85) return;
          scene.bodies.forEach((body, i) => {
            body.pose = at(3 * i, done, 0);
          });
          scene.bodies[0].deform(new Float64Array(scene.bodies[0].mesh.positions.length).fill(done));
        },
      });
      expect(shares.filter(done => done > 0.85 && done < 1).length).toBeGreaterThanOrEqual(
        Math.floor(candidates / 4096),
      );
      expect(shares).toEqual(shares.toSorted((p, q) => p - q));
      expect(triangles(answer)).toEqual(expected);
      scene.close();
    },
  );

  it('stops at a signal', async () => {
    const scene = cubes(150);
    everySlice();
    const stop = new AbortController();
    const progress = (done: number) => {
      if (done > 0.85) stop.abort();
    };
    await expect(scene.interferences({ signal: stop.signal, progress })).rejects.toThrow(/abort/);
    const pairs = await narrow(broad(scene));
    const again = new AbortController();
    const late = (done: number) => {
      if (done > 0.9) again.abort();
    };
    const limits = { signal: again.signal, progress: late };
    await expect(exactOf(broad(scene), recordsOf(pairs), limits)).rejects.toThrow(/abort/);
    vi.restoreAllMocks();
    expect(triangles(await scene.interferences())).toEqual(triangles(scene.interferencesSync()));
    scene.close();
  });
});
