// What every backend must do besides finding pairs: filters, moving and deforming bodies, removal, closing,
// cancelling, and clear errors. One spec for every backend.

import {
  type DeformOptions,
  type InterferenceOptions,
  mesh,
  type Nearfield,
  NearfieldError,
  type Pair,
  shapes,
} from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const names = (answer: Iterable<Pair>): string[] =>
  [...answer].map(pair => `${pair.a.name} ${pair.relation} ${pair.b.name}`);

export function lifecycleSpec(open: () => Promise<Nearfield>): void {
  describe('scenes and bodies', () => {
    let nf: Nearfield;
    beforeAll(async () => {
      nf = await open();
    });
    afterAll(() => nf.close());

    /** Unit cubes in a row: 0 and 1 cross, 1 and 2 touch, 3 is away, 4 is inside 0. */
    function row() {
      const scene = nf.scene();
      const cube = shapes.box({ size: [1, 1, 1] });
      const bodies = [at(0, 0, 0), at(0.5, 0.25, 0.25), at(1.5, 0.25, 0.25), at(9, 0, 0)].map((pose, i) =>
        scene.add(cube, { pose, name: `${i}`, group: i % 2 ? 'odd' : 'even' }),
      );
      bodies.push(
        scene.add(shapes.box({ size: [0.125, 0.125, 0.125] }), { pose: at(-0.25, -0.25, 0), name: '4' }),
      );
      return { scene, bodies };
    }

    it('finds crossing, touching and inside, in order', async () => {
      const { scene } = row();
      const answer = await scene.interferences();
      expect(names(answer)).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
      expect(answer.length).toBe(3);
      expect(answer.pairs[1].triangleCount).toBe(0);
      expect(answer.backend).toBe(nf.backend);
      expect(answer.method).toBe('hierarchy');
      if (nf.backend === 'gpu') expect(answer.stats.dispatches).toBeGreaterThan(0);
    });

    it("answers 'count' and 'any' with the same pairs", async () => {
      const { scene } = row();
      const list = await scene.interferences();
      const count = await scene.interferences({ detail: 'count' });
      const any = await scene.interferences({ detail: 'any' });
      expect(count.pairs.map(p => p.triangleCount)).toEqual(list.pairs.map(p => p.triangleCount));
      expect(any.pairs.map(p => p.triangleCount)).toEqual([undefined, undefined, undefined]);
      for (const answer of [count, any]) {
        expect(names(answer)).toEqual(names(list));
        expect(answer.pairs.map(p => [...p.triangles])).toEqual(list.pairs.map(p => [...p.triangles]));
      }
    });

    it('gives the same lists level by level and without trees', async () => {
      const { scene } = row();
      const list = await scene.interferences();
      for (const traversal of ['walk', 'breadth-first', 'brute-force'] as const) {
        const other = await scene.interferences({ traversal });
        expect(other.pairs.map(p => [...p.triangles])).toEqual(list.pairs.map(p => [...p.triangles]));
      }
      const unknown = { traversal: 'sideways' } as unknown as InterferenceOptions;
      await expect(scene.interferences(unknown)).rejects.toMatchObject({ code: 'bad-option' });
    });

    it('filters pairs', async () => {
      const { scene, bodies } = row();
      const ask = async (filter: Parameters<typeof scene.interferences>[0]) =>
        names(await scene.interferences(filter));
      expect(await ask({ between: [[bodies[0]], [bodies[1], bodies[2]]] })).toEqual(['0 crossing 1']);
      expect(await ask({ groups: 'different' })).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
      expect(await ask({ allowed: [[bodies[1], bodies[0]]] })).toEqual(['0 contains 4', '1 touching 2']);
      expect(await ask({ keep: (a, b) => a.index + b.index > 2 })).toEqual(['0 contains 4', '1 touching 2']);
      expect(await ask({ keep: () => false })).toEqual([]);
    });

    it('gives the candidates of the broad phase', () => {
      const { scene, bodies } = row();
      const indices = (filter = {}) => [...scene.candidates(filter)].map(([a, b]) => `${a.index} ${b.index}`);
      expect(indices()).toEqual(['0 1', '0 4', '1 2']);
      expect(indices({ allowed: [[bodies[1], bodies[0]]] })).toEqual(['0 4', '1 2']);
    });

    it('does not pair bodies of one group on request', async () => {
      const scene = nf.scene();
      const cube = shapes.box({ size: [1, 1, 1] });
      for (const group of ['a', 'a', 'b', undefined, undefined])
        scene.add(cube, group === undefined ? {} : { group });
      const pairs = [...(await scene.interferences({ groups: 'different' }))].map(p =>
        [p.a.index, p.b.index].join(),
      );
      expect(pairs).toEqual(['0,2', '0,3', '0,4', '1,2', '1,3', '1,4', '2,3', '2,4', '3,4']);
    });

    it('follows poses, and an old answer stays about the old poses', async () => {
      const { scene, bodies } = row();
      const before = await scene.interferences();
      bodies[1].pose = at(40, 0, 0);
      expect(names(await scene.interferences())).toEqual(['0 contains 4']);
      expect(names(before)).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
    });

    it('follows deformation of one body among several of the same mesh', async () => {
      const { scene, bodies } = row();
      const before = await scene.interferences();
      const moved = Float64Array.from(bodies[1].mesh.positions, (c, i) => (i % 3 === 0 ? c + 40 : c));
      bodies[1].deform(moved);
      expect(names(await scene.interferences())).toEqual(['0 contains 4']);
      bodies[1].deform(bodies[1].mesh.positions);
      expect(names(await scene.interferences())).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
      expect(names(before)).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
    });

    it('rebuilds a tree on request', async () => {
      const ball = shapes.icosphere({ frequency: 16 });
      const long = Float64Array.from(ball.positions, (c, i) => (i % 3 === 0 ? 1.5 * c : c));
      const asked = async (options: DeformOptions) => {
        const scene = nf.scene();
        const body = scene.add(ball);
        scene.add(ball, { pose: at(2, 0, 0) });
        body.deform(ball.positions);
        await scene.interferences();
        body.deform(long, options);
        const { pairs, stats } = await scene.interferences();
        return { triangles: pairs[0].triangles, stats };
      };
      const refitted = await asked({});
      const rebuilt = await asked({ rebuild: true });
      expect(refitted.triangles.length).toBeGreaterThan(0);
      expect(rebuilt.triangles).toEqual(refitted.triangles);
      if (nf.backend === 'gpu') expect(rebuilt.stats.dispatches).toBeGreaterThan(refitted.stats.dispatches);
      else expect(rebuilt.stats.boxTests).not.toBe(refitted.stats.boxTests);
    });

    it('treats a soup as open once its corners separate', async () => {
      const scene = nf.scene();
      const cube = shapes.box({ size: [1, 1, 1] });
      const corners = [...cube.indices].flatMap(v => [...cube.positions.subarray(3 * v, 3 * v + 3)]);
      const soup = new Float64Array(corners);
      const body = scene.add(mesh(soup), { name: 'soup' });
      expect(body.solid).toBe(true);
      body.deform(soup.map((c, i) => (i === 0 ? c + 1 : c)));
      expect(body.solid).toBe(false);
      await expect(scene.inside(body, new Float64Array(3))).rejects.toThrow('soup is open');
      body.deform(soup);
      expect(body.solid).toBe(true);
    });

    it('is not affected by changes while it waits', async () => {
      const { scene, bodies } = row();
      const asked = scene.interferences();
      bodies[0].pose = at(100, 0, 0);
      bodies[1].deform(Float64Array.from(bodies[1].mesh.positions, c => c * 50));
      scene.remove(bodies[2]);
      expect(names(await asked)).toEqual(['0 crossing 1', '0 contains 4', '1 touching 2']);
    });

    it('removes bodies and never reuses their index', async () => {
      const { scene, bodies } = row();
      scene.remove(bodies[0]);
      expect(scene.bodies.length).toBe(4);
      expect(names(await scene.interferences())).toEqual(['1 touching 2']);
      expect(scene.add(bodies[1].mesh).index).toBe(5);
      expect(() => scene.remove(bodies[0])).toThrow('0 is not in this scene');
      expect(() => {
        bodies[0].pose = at(0, 0, 0);
      }).toThrow(NearfieldError);
    });

    it('tells which points are inside', async () => {
      const { scene, bodies } = row();
      const points = new Float64Array([0, 0, 0, 0.5, 0, 0, 0.6, 0, 0, 0.5, 0.5, 0.5]);
      expect([...(await scene.inside(bodies[0], points))]).toEqual([1, 2, 0, 2]);
    });

    it('gives curves where surfaces cross', async () => {
      const { scene, bodies } = row();
      const curves = await scene.curves(bodies[0], bodies[1]);
      expect(curves.length).toBe(1);
      expect(curves[0].closed).toBe(true);
      expect(await scene.curves(bodies[0], bodies[3])).toEqual([]);
    });

    it('finds self-intersections', async () => {
      const scene = nf.scene();
      const body = scene.add(shapes.box({ size: [1, 1, 1] }));
      const clean = await scene.selfIntersections(body);
      expect([...clean.triangles]).toEqual([]);
      // One corner pulled through the opposite face.
      const pulled = Float64Array.from(body.mesh.positions);
      const corner = pulled.findIndex((_, i) => i % 3 === 0 && pulled.slice(i, i + 3).every(c => c === -0.5));
      pulled.set([0.25, 0.3125, 2], corner);
      body.deform(pulled);
      expect((await scene.selfIntersections(body)).triangles.length).toBeGreaterThan(0);
    });

    it('respects a signal that was aborted before the question, however small', async () => {
      const { scene, bodies } = row();
      const [a, b, , far] = bodies;
      const answer = await scene.interferences();
      const reason = { words: 'not needed any more' };
      const limits = { signal: AbortSignal.abort(reason) };
      const asked: Record<string, () => Promise<unknown>> = {
        interferences: () => scene.interferences(limits),
        'interferences, none': () => scene.interferences({ ...limits, between: [[a], [far]] }),
        relations: () => answer.relations(limits),
        selfIntersections: () => scene.selfIntersections(a, limits),
        curves: () => scene.curves(a, b, limits),
        distance: () => scene.distance(a, far, limits),
        within: () => scene.within(0.1, limits),
        closest: () => scene.closest(a, new Float64Array([9, 9, 9]), limits),
        contacts: () => scene.contacts(a, b, limits),
        penetration: () => scene.penetration(a, b, limits),
        intersectionVolume: () => scene.intersectionVolume([a, b], limits),
        'intersectionVolume, none': () => scene.intersectionVolume([a, far], limits),
        field: () => scene.field(a, { resolution: 4, ...limits }),
        fieldSlabs: () => scene.fieldSlabs(a, { resolution: 4, ...limits }),
      };
      for (const [question, ask] of Object.entries(asked)) {
        await expect(ask(), question).rejects.toBe(reason);
      }
    });

    it('rejects with the reason of a signal aborted while the question waits, closed afterwards or not', async () => {
      for (const closes of [false, true]) {
        const library = closes ? await open() : undefined;
        const scene = library?.scene() ?? row().scene;
        if (library) for (const size of [1, 2]) scene.add(shapes.box({ size: [size, size, size] }));
        const cancel = new AbortController();
        const reason = new Error('enough');
        const asked = scene.interferences({ signal: cancel.signal });
        cancel.abort(reason);
        library?.close();
        // Small questions may be answered before they check the signal again.
        await asked.catch(error => expect(error).toBe(reason));
      }
    });

    it('stops when aborted, and rejects', async () => {
      const { scene } = row();
      await expect(scene.interferences({ signal: AbortSignal.abort() })).rejects.toMatchObject({
        name: 'AbortError',
      });
    });

    it('reports progress up to 1', async () => {
      const { scene } = row();
      const seen: number[] = [];
      await scene.interferences({ progress: done => seen.push(done) });
      expect(seen.at(-1)).toBe(1);
      expect(seen).toEqual(seen.toSorted((p, q) => p - q));
    });

    it('answers an empty scene, a single body and a body without triangles', async () => {
      const scene = nf.scene();
      expect((await scene.interferences()).length).toBe(0);
      const empty = scene.add(mesh(new Float64Array(0)));
      expect((await scene.interferences()).length).toBe(0);
      expect([...(await scene.selfIntersections(empty)).triangles]).toEqual([]);
      scene.add(shapes.box({ size: [1, 1, 1] }));
      expect((await scene.interferences()).length).toBe(0);
    });

    it('refuses what it cannot do', async () => {
      const { scene, bodies } = row();
      await expect(scene.interferences({ method: 'guess' as 'auto' })).rejects.toMatchObject({
        code: 'unsupported',
      });
      await expect(scene.interferences({ detail: 'some' as 'any' })).rejects.toMatchObject({
        code: 'bad-option',
      });
      await expect(scene.inside(bodies[0], new Float64Array(4))).rejects.toMatchObject({ code: 'bad-array' });
      expect(() => bodies[0].deform(new Float64Array(3))).toThrow('0: deform takes');
      const stranger = nf.scene().add(bodies[0].mesh, { name: 'stranger' });
      await expect(scene.curves(bodies[0], stranger)).rejects.toThrow('stranger is not in this scene');
    });

    it('refuses questions after close, and may be closed twice', async () => {
      const other = await open();
      const scene = other.scene();
      scene.add(shapes.box({ size: [1, 1, 1] }));
      other.close();
      other.close();
      expect(() => other.scene()).toThrow(NearfieldError);
      await expect(scene.interferences()).rejects.toMatchObject({ code: 'closed' });
    });
  });
}
