// The depth of vertices of one solid in another, and their shortest way out: boxes and balls with known answers, and
// brute force with solid angles for the inside. Samples are compared with the question that samples alone.

import { applyPose, mesh, type PenetratingVertices, type Scene, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { nearestOnTriangle, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { affine, cubes, gridPose, type Part, rigid, translation } from '../scenes.ts';
import { type Asked, box } from './asked.ts';
import { solidAngles } from './closest-points.ts';

const rows = (values: Float64Array): number[][] =>
  Array.from({ length: values.length / 3 }, (_, i) => [...values.subarray(3 * i, 3 * i + 3)]);

/**
 * Vertices of a body inside another, by solid angles. If several vertices are at one position, only the lowest counts.
 * Vertices on the surface are not inside.
 */
function verticesInside(of: Part, within: Float64Array): number[] {
  const { positions, indices } = of.mesh;
  const used = new Set(indices);
  const seen = new Set<string>();
  const place = new Float64Array(3);
  const inside: number[] = [];
  for (let v = 0; v < positions.length / 3; v++) {
    const at = positions.subarray(3 * v, 3 * v + 3);
    if (!used.has(v) || seen.has(at.join())) continue;
    seen.add(at.join());
    applyPose(Float64Array.from(of.pose), at[0], at[1], at[2], place, 0);
    const winding = solidAngles(within, place);
    if (Math.round(winding) !== 0 && leastDistance(within, place) > 1e-9) inside.push(v);
  }
  return inside;
}

function leastDistance(world: Float64Array, [x, y, z]: Float64Array): number {
  const near = [0, 0, 0];
  let least = Infinity;
  for (let t = 0; t < world.length; t += 9) {
    nearestOnTriangle(world.subarray(t, t + 9), x, y, z, near);
    least = Math.min(least, Math.hypot(near[0] - x, near[1] - y, near[2] - z));
  }
  return least;
}

function expectMeasured(found: PenetratingVertices, of: Part, other: Part, note: string): void {
  const world = worldCorners(other);
  expect([...found.vertices], note).toEqual(verticesInside(of, world));
  const place = new Float64Array(3);
  const near = [0, 0, 0];
  found.vertices.forEach((v, i) => {
    const [px, py, pz] = of.mesh.positions.subarray(3 * v, 3 * v + 3);
    applyPose(Float64Array.from(of.pose), px, py, pz, place, 0);
    expect(found.points.subarray(3 * i, 3 * i + 3), note).toEqual(place);
    expect(Math.abs(found.depths[i] - leastDistance(world, place)), `${note}, ${v}`).toBeLessThan(1e-13);
    // The way out, as long as the depth, leads to the nearest point of the named triangle.
    const t = 9 * found.triangles[i];
    nearestOnTriangle(world.subarray(t, t + 9), place[0], place[1], place[2], near);
    for (let k = 0; k < 3; k++) {
      const end = place[k] + found.depths[i] * found.directions[3 * i + k];
      expect(Math.abs(end - near[k]), `${note}, ${v}`).toBeLessThan(1e-9);
    }
  });
}

export function penetrationPointsSpec(asked: Asked): void {
  const { scenes } = asked;
  const cube = (size: number) => box([size, size, size]);
  const close = async <T>({ scene }: { scene: Scene }, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } finally {
      scene.close();
    }
  };

  describe('depths of points', () => {
    it('a box in a box: every corner, straight to the nearest side', async () => {
      const parts = [
        { mesh: cube(4), pose: translation(0, 0, 0) },
        { mesh: cube(2), pose: translation(0.5, 0.25, 0.125) },
      ];
      const made = asked.sceneOf(parts);
      const [a, b] = made.bodies;
      const { points } = await close(made, made.scene.penetration(a, b, { points: true }));
      expect(points!.a.vertices.length).toBe(0);
      expect(points!.samples).toBe(undefined);
      expect(points!.b.vertices.length).toBe(8);
      rows(points!.b.points).forEach((p, i) => {
        const gaps = p.map(x => 2 - Math.abs(x));
        const axis = gaps.indexOf(Math.min(...gaps));
        expect(points!.b.depths[i]).toBe(gaps[axis]);
        const way = [0, 0, 0];
        way[axis] = Math.sign(p[axis]);
        expect(rows(points!.b.directions)[i].map(x => x + 0)).toEqual(way);
      });
    });

    it('boxes that overlap at a corner: one vertex of each', async () => {
      const made = asked.sceneOf([
        { mesh: cube(2), pose: translation(0, 0, 0) },
        { mesh: cube(2), pose: translation(1.5, 0.5, 0.25) },
      ]);
      const [a, b] = made.bodies;
      const there = await made.scene.penetration(a, b, { points: true });
      const back = await close(made, made.scene.penetration(b, a, { points: true }));
      const { a: ofA, b: ofB } = there.points!;
      expect([...ofA.points, ...ofA.depths]).toEqual([1, 1, 1, 0.25]);
      expect([...ofA.directions].map(x => x + 0)).toEqual([0, 0, 1]);
      expect([...ofB.points, ...ofB.depths]).toEqual([0.5, -0.5, -0.75, 0.25]);
      expect([...ofB.directions].map(x => x + 0)).toEqual([0, 0, -1]);
      expect(back.points).toEqual({ a: ofB, b: ofA });
    });

    it('a ball in a ball: along the radius, up to the facets', async () => {
      const frequency = 8;
      const parts = [
        { mesh: shapes.icosphere({ radius: 1, frequency }), pose: translation(0, 0, 0) },
        { mesh: shapes.icosphere({ radius: 0.5, frequency }), pose: translation(0.7, 0.2, 0.1) },
      ];
      const made = asked.sceneOf(parts);
      const [a, b] = made.bodies;
      const { points } = await close(made, made.scene.penetration(a, b, { points: true }));
      // A facet's middle is no nearer to the centre than this; its normal turns from the radius by no more than its reach.
      const world = worldCorners(parts[0]);
      const least = leastDistance(world, new Float64Array(3));
      const turned = Math.sqrt(1 - least * least);
      const expected = (centre: number[], radius: number, found: PenetratingVertices, of: Part) => {
        let [sure, possible] = [0, 0];
        const place = new Float64Array(3);
        for (let v = 0; v < of.mesh.positions.length; v += 3) {
          const [x, y, z] = of.mesh.positions.subarray(v, v + 3);
          applyPose(Float64Array.from(of.pose), x, y, z, place, 0);
          const r = Math.hypot(...place.map((x, k) => x - centre[k]));
          if (r < least * radius - 1e-12) sure++;
          if (r < radius + 1e-12) possible++;
        }
        expect(found.vertices.length).toBeGreaterThanOrEqual(sure);
        expect(found.vertices.length).toBeLessThanOrEqual(possible);
        expect(sure).toBeGreaterThan(10);
        rows(found.points).forEach((p, i) => {
          const out = p.map((x, k) => x - centre[k]);
          const r = Math.hypot(...out);
          expect(found.depths[i]).toBeLessThanOrEqual(radius - r + 1e-12);
          expect(found.depths[i]).toBeGreaterThanOrEqual(least * radius - r - 1e-12);
          const way = rows(found.directions)[i];
          expect(Math.hypot(...way)).toBeCloseTo(1, 14);
          const along = (way[0] * out[0] + way[1] * out[1] + way[2] * out[2]) / r;
          expect(along).toBeGreaterThan(r < 0.1 * radius ? -1 : Math.cos(3 * turned));
        });
      };
      expected([0, 0, 0], 1, points!.b, parts[1]);
      expected([0.7, 0.2, 0.1], 0.5, points!.a, parts[0]);
    });

    it('by brute force', { timeout: 600_000 }, async () => {
      let count = 0;
      for (let seed = 1; seed <= 3 * scenes; seed++) {
        const random = shapes.createRandom(900 + seed);
        const general = seed % 2 === 1;
        const part = (): Part => {
          if (!general) return { mesh: cubes(random, 4, 3), pose: gridPose(random, 1) };
          const kinds = [
            shapes.displacedSphere({ triangles: 200, amplitude: 0.3 }),
            shapes.torus({ majorSegments: 10, minorSegments: 6 }),
            shapes.icosphere({ frequency: 3 }),
          ];
          const pose = random.integer(2) === 0 ? rigid(random, 0.4) : affine(random, 0.4);
          return { mesh: kinds[random.integer(3)], pose };
        };
        const parts = [part(), part()];
        const made = asked.sceneOf(parts);
        const [a, b] = made.bodies;
        const answer = await close(
          made,
          made.scene.penetration(a, b, { points: true, stopAtRatio: Infinity }),
        );
        const { points, depth } = answer;
        if (depth.upper === 0) {
          expect([points!.a.vertices.length, points!.b.vertices.length], `seed ${seed}`).toEqual([0, 0]);
          continue;
        }
        expectMeasured(points!.a, parts[0], parts[1], `seed ${seed}, a`);
        expectMeasured(points!.b, parts[1], parts[0], `seed ${seed}, b`);
        count += points!.a.vertices.length + points!.b.vertices.length;
      }
      expect(count).toBeGreaterThan(10 * scenes);
    });

    it('shallow and far from the origin', async () => {
      // A tip that pierces a side by 2^-30, and by what remains of that in map coordinates.
      const tip = mesh(
        new Float64Array([1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1]),
        new Uint32Array([0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5]),
      );
      for (const [far, depth] of [
        [0, 2 ** -30],
        [2 ** 20, 2 ** -30],
        [0, 2 ** -48],
      ]) {
        const made = asked.sceneOf([
          { mesh: cube(2), pose: translation(far, far, far) },
          { mesh: tip, pose: translation(far + 2 - depth, far + 0.25, far - 0.125) },
        ]);
        const [a, b] = made.bodies;
        const { points } = await close(made, made.scene.penetration(a, b, { points: true }));
        expect([...points!.b.depths]).toEqual([depth]);
        expect([...points!.b.directions].map(x => x + 0)).toEqual([1, 0, 0]);
        expect(points!.a.vertices.length).toBe(0);
      }
    });

    it('samples: those of the common volume, a first', async () => {
      const made = asked.sceneOf([
        { mesh: cube(2), pose: translation(0, 0, 0) },
        { mesh: cube(2), pose: translation(1.5, 0.5, 0.25) },
      ]);
      const { scene, bodies } = made;
      const [a, b] = bodies;
      const shares: number[] = [];
      const progress = (done: number) => shares.push(done);
      const { points } = await scene.penetration(a, b, { points: { tolerance: 0.1 }, progress });
      const volume = await scene.intersectionVolume([a, b], { tolerance: 0.1, depths: true });
      const { samples } = points!;
      expect(samples!.backend).toBe(asked.backend);
      expect(samples!.points).toEqual(volume.points);
      expect(samples!.depths).toEqual(volume.depths);
      expect(samples!.count).toBeGreaterThan(100);
      // In 0.5…1 × −0.5…1 × −0.75…1: the nearest side of either.
      rows(samples!.points).forEach((p, i) => {
        const gaps = [p[0] - 0.5, 1 - p[0], p[1] + 0.5, 1 - p[1], p[2] + 0.75, 1 - p[2]];
        expect(samples!.depths!.depth[i]).toBeCloseTo(Math.min(...gaps), 6);
        // a's sides are the high ones, b's the low ones.
        const [low, high] = [0, 1].map(side => Math.min(...gaps.filter((_, k) => k % 2 === side)));
        if (Math.abs(low - high) > 1e-6) expect(samples!.depths!.body[i]).toBe(high < low ? 0 : 1);
      });
      const turned = await scene.penetration(b, a, { points: { tolerance: 0.1 } });
      expect(turned.points!.samples!.depths!.depth).toEqual(samples!.depths!.depth);
      expect(shares).toEqual([...shares].sort((p, q) => p - q));
      expect(shares.at(-1)).toBe(1);
      await expect(scene.penetration(a, b, { points: { tolerance: -1 } })).rejects.toMatchObject({
        code: 'bad-option',
      });
      const given = 'yes' as unknown as boolean;
      await expect(scene.penetration(a, b, { points: given })).rejects.toMatchObject({ code: 'bad-option' });
      scene.close();
    });

    it('none for solids without common interior; left out unless requested', async () => {
      const made = asked.sceneOf([
        { mesh: cube(2), pose: translation(0, 0, 0) },
        { mesh: cube(2), pose: translation(2, 0, 0) },
      ]);
      const [a, b] = made.bodies;
      expect((await made.scene.penetration(a, b)).points).toBe(undefined);
      const { points } = await close(made, made.scene.penetration(a, b, { points: { resolution: 8 } }));
      expect([points!.a.vertices.length, points!.b.vertices.length, points!.samples!.count]).toEqual([
        0, 0, 0,
      ]);
    });
  });
}
