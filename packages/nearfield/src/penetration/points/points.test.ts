// How deep vertices lie: needles, both forms of the question, bodies that change while it waits. The depths themselves
// are tested in test/spec/proximity/penetration-points.ts, for every backend.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { box, createRandom, displacedSphere } from '../../shapes/index.ts';
import { posed } from '../testing/solids.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

/** A prism over a convex polygon, fanned from its first corner, from z = 0 up. */
function prism(outline: readonly (readonly [number, number])[], height: number): Mesh {
  const n = outline.length;
  const positions = [0, height].flatMap(z => outline.flatMap(([x, y]) => [x, y, z]));
  const indices: number[] = [];
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    indices.push(i, j, n + j, i, n + j, n + i);
    if (i > 0 && j > 0) indices.push(0, j, i, n, n + i, n + j);
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

describe('below needles', () => {
  it.each([1e-3, 1e-6, 1e-9, 1e-12])('%f wide, the way out is straight up', width => {
    // The top is fanned from the origin: from its first corner a needle runs across to two corners that are close
    // together.
    const slab = prism(
      [
        [0, 0],
        [4, 0],
        [4, 2 - width / 2],
        [4, 2 + width / 2],
        [4, 4],
        [0, 4],
      ],
      1,
    );
    const scene = nf.scene();
    const a = scene.add(slab);
    // The lowest corner of a box stands in the slab, below the needle's axis, 2^-4 and much less below the top.
    for (const depth of [2 ** -4, 2 ** -20, 2 ** -40]) {
      const b = scene.add(box({ size: [1, 1, 1] }), { pose: posed(2, 1, 1 - depth, [1, 1, 0], 0.7) });
      const low = b.mesh.positions;
      const poses = b.pose;
      // Turned about (1, 1, 0) one edge is lowest: shifted so that one of its ends lies on the needle's axis.
      let [lowest, at] = [Infinity, 0];
      const world = (v: number, axis: number) =>
        poses[axis] * low[3 * v] + poses[4 + axis] * low[3 * v + 1] + poses[8 + axis] * low[3 * v + 2];
      for (let v = 0; v < low.length / 3; v++) {
        if (world(v, 2) < lowest) [lowest, at] = [world(v, 2), v];
      }
      b.pose = posed(2 - world(at, 0), 1 - world(at, 1), 1 - depth - lowest, [1, 1, 0], 0.7);
      const { points } = scene.penetrationSync(a, b, { points: true, stopAtRatio: Infinity });
      expect(points!.b.vertices.length).toBeGreaterThan(0);
      points!.b.vertices.forEach((_, i) => {
        // The pose rounds; the answer is about the rounded positions.
        expect(points!.b.depths[i]).toBe(1 - points!.b.points[3 * i + 2]);
        expect([...points!.b.directions.subarray(3 * i, 3 * i + 3)].map(x => x + 0)).toEqual([0, 0, 1]);
      });
      scene.remove(b);
    }
    scene.close();
  });
});

describe('both forms of the question', () => {
  const solid = displacedSphere({ triangles: 3000, amplitude: 0.3 });
  it('give the same, including samples', async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const random = createRandom(seed);
      const scene = nf.scene();
      const a = scene.add(solid);
      const b = scene.add(solid, { pose: posed(random.next(), 0.5, 0.2, random.direction(), seed) });
      const options = { points: { resolution: 12 }, stopAtRatio: Infinity };
      const [now, later] = [scene.penetrationSync(a, b, options), await scene.penetration(a, b, options)];
      const plain = ({ samples, ...vertices }: NonNullable<typeof now.points>) => ({
        ...vertices,
        places: samples!.points,
        depths: samples!.depths,
      });
      expect(plain(later.points!), `seed ${seed}`).toEqual(plain(now.points!));
      expect(now.points!.b.vertices.length, `seed ${seed}`).toBeGreaterThan(20);
      const back = scene.penetrationSync(b, a, options);
      expect([back.points!.a, back.points!.b], `seed ${seed}`).toEqual([now.points!.b, now.points!.a]);
      scene.close();
    }
  });

  it('answer for the bodies as they were when it was asked', async () => {
    const scene = nf.scene();
    const a = scene.add(mesh(solid.positions, solid.indices));
    const b = scene.add(solid, { pose: posed(0.6, 0.5, 0.2) });
    const options = { points: { resolution: 10 }, stopAtRatio: Infinity };
    const then = scene.penetrationSync(a, b, options);
    const waiting = scene.penetration(a, b, options);
    b.pose = posed(9, 0, 0);
    a.deform(solid.positions.map(x => 0.01 * x) as Float64Array);
    const { points } = await waiting;
    expect([points!.a, points!.b]).toEqual([then.points!.a, then.points!.b]);
    expect(points!.samples!.points).toEqual(then.points!.samples!.points);
    scene.close();
  });

  it('count vertices at one position once, and skip vertices that no triangle uses', () => {
    const cube = box({ size: [1, 1, 1] });
    const soup = Array.from(cube.indices).flatMap(v => [...cube.positions.subarray(3 * v, 3 * v + 3)]);
    // One more vertex in the middle that no triangle uses.
    const loose = mesh(
      Float64Array.from([0, 0, 0, ...soup]),
      Uint32Array.from({ length: soup.length / 3 }, (_, i) => i + 1),
    );
    const scene = nf.scene();
    const [a, b] = [scene.add(box({ size: [3, 3, 3] })), scene.add(loose)];
    const { vertices } = scene.penetrationSync(a, b, { points: true }).points!.b;
    expect(vertices.length).toBe(8);
    expect([...vertices]).toEqual([...vertices].sort((p, q) => p - q));
    expect(vertices[0]).toBe(1);
    scene.close();
  });
});
