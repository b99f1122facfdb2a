// Distances against exact brute force, known shapes, and what must not change an answer. Every backend runs it.

import { type Body, mesh, type Nearfield, type Scene, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bruteDistance, nearestOnTriangle, worldCorners } from '../oracle/brute-distance.ts';
import { compareFractions, type Fraction, fractionOf } from '../oracle/least-difference.ts';
import { affine, cubes, gridPose, type Part, rigid, soup, subdivided, translation } from './scenes.ts';

export interface ProximitySize {
  /** Random scenes of each kind, and triangles a soup. */
  readonly scenes: number;
  readonly triangles: number;
  /** Bodies of the scenes for clearances. */
  readonly bodies?: number;
}

/** Whether a double is the square root of a fraction, rounded to nearest: the root lies within half an ulp. */
function isRootOf(distance: number, squared: Fraction): boolean {
  if (distance === 0 || squared.numerator === 0n) return distance === 0 && squared.numerator === 0n;
  const ulp = 2 ** (Math.floor(Math.log2(distance)) - 52);
  const bound = (x: number) => {
    const { numerator, denominator } = fractionOf(x);
    return { numerator: numerator * numerator, denominator: denominator * denominator };
  };
  return (
    compareFractions(bound(distance - ulp), squared) < 0 &&
    compareFractions(bound(distance + ulp), squared) > 0
  );
}

interface Pairs {
  readonly name: string;
  parts(random: shapes.Random, triangles: number): Part[];
}

const two = (part: () => Part): Part[] => [part(), part()];

const kinds: readonly Pairs[] = [
  {
    name: 'soups in general position',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: rigid(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, random.between(0, 6)) }];
    },
  },
  {
    name: 'soups under shear, scale and mirrors',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: affine(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, random.between(1, 6)) }];
    },
  },
  {
    name: 'soups on a grid, full of ties',
    parts: (random, size) =>
      two(() => ({ mesh: soup(random, size, () => random.integer(4)), pose: gridPose(random, 9) })),
  },
  {
    name: 'the same far from the origin',
    parts: (random, size) =>
      two(() => {
        const pose = gridPose(random, 9);
        for (let axis = 0; axis < 3; axis++) pose[12 + axis] += 1e6;
        return { mesh: soup(random, size, () => random.integer(4)), pose };
      }),
  },
  {
    name: 'very far from each other',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: rigid(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, 10 ** random.integer(9)) }];
    },
  },
  {
    name: 'huge and tiny',
    parts: (random, size) => {
      const scale = random.integer(2) === 0 ? 1e290 : 1e-290;
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1) * scale),
        pose: translation(0, 0, 0),
      }));
      return [parts[0], { ...parts[1], pose: translation(3 * scale, 0, 0) }];
    },
  },
  {
    name: 'needles and specks',
    parts: (random, size) =>
      two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1) * 2 ** -random.integer(30)),
        pose: translation(0, 0, random.integer(3)),
      })),
  },
];

/** The solid angles of triangles seen from a point, over 4π (Van Oosterom and Strackee, 1983). */
function solidAngles(world: Float64Array, [x, y, z]: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < world.length; t += 9) {
    const [a, b, c] = [0, 3, 6].map(k => [world[t + k] - x, world[t + k + 1] - y, world[t + k + 2] - z]);
    const dot = (p: number[], q: number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    const [la, lb, lc] = [a, b, c].map(p => Math.hypot(...p));
    sum += Math.atan2(dot(a, cross), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * Math.PI);
}

function moved(pose: readonly number[], x: number): number[] {
  const copy = [...pose];
  copy[12] += x;
  return copy;
}

export function proximitySpec(
  open: () => Promise<Nearfield>,
  { scenes, triangles, bodies: bodyCount = 70 }: ProximitySize,
): void {
  let nf: Nearfield;
  beforeAll(async () => {
    nf = await open();
  });
  afterAll(() => nf.close());

  function sceneOf(parts: readonly Part[]): { scene: Scene; bodies: Body[] } {
    const scene = nf.scene();
    return { scene, bodies: parts.map(({ mesh: m, pose }) => scene.add(m, { pose })) };
  }
  async function ask(parts: readonly Part[], options = {}) {
    const { scene, bodies } = sceneOf(parts);
    const answer = await scene.distance(bodies[0], bodies[1], options);
    scene.close();
    return answer;
  }
  const box = (size: [number, number, number]) => shapes.box({ size });
  const boxesAt = (x: number): Part[] => [
    { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
    { mesh: box([1, 1, 1]), pose: translation(x, 0.25, -0.125) },
  ];

  describe('distance, against exact brute force', () => {
    for (const kind of kinds) {
      it(kind.name, { timeout: 600_000 }, async () => {
        for (let seed = 1; seed <= scenes; seed++) {
          const random = shapes.createRandom(100 + seed);
          const parts = kind.parts(random, triangles);
          const expected = bruteDistance(worldCorners(parts[0]), worldCorners(parts[1]))!;
          const found = await ask(parts);
          const { triangleA, triangleB } = expected;
          expect([found.triangleA, found.triangleB], `seed ${seed}`).toEqual([triangleA, triangleB]);
          expect(isRootOf(found.distance, expected.squared), `seed ${seed}`).toBe(true);
          const apart = Math.hypot(...found.pointA.map((value, i) => value - found.pointB[i]));
          const size = Math.max(...[...found.pointA, ...found.pointB].map(Math.abs));
          expect(Math.abs(apart - found.distance), `seed ${seed}`).toBeLessThanOrEqual(
            2 ** -50 * size + 1e-307,
          );
          // The other way round it is the same, exchanged.
          const back = await ask([parts[1], parts[0]]);
          const exact = bruteDistance(worldCorners(parts[1]), worldCorners(parts[0]))!;
          expect(back.distance, `seed ${seed}`).toBe(found.distance);
          expect([back.triangleA, back.triangleB], `seed ${seed}`).toEqual([
            exact.triangleA,
            exact.triangleB,
          ]);
        }
      });
    }
  });

  describe('distance', () => {
    it('is the same asked either way round', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(200 + seed);
        const { scene, bodies } = sceneOf(kinds[seed % 3].parts(random, triangles));
        const there = await scene.distance(bodies[0], bodies[1]);
        const back = await scene.distance(bodies[1], bodies[0]);
        expect(back.distance, `seed ${seed}`).toBe(there.distance);
        expect([back.triangleB, back.triangleA], `seed ${seed}`).toEqual([there.triangleA, there.triangleB]);
        expect([...back.pointB, ...back.pointA], `seed ${seed}`).toEqual([...there.pointA, ...there.pointB]);
        scene.close();
      }
    });

    it('is not changed by an exact translation of both, nor by subdivision', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(300 + seed);
        const parts = two(() => ({ mesh: cubes(random, 3, 3), pose: gridPose(random, 8) }));
        const found = await ask(parts);
        const far = parts.map(({ mesh: m, pose }) => ({
          mesh: m,
          pose: pose.map((value, i) => (i >= 12 && i < 15 ? value + 1e6 : value)),
        }));
        const shifted = await ask(far);
        expect(shifted.distance, `seed ${seed}`).toBe(found.distance);
        expect(shifted.triangleA, `seed ${seed}`).toBe(found.triangleA);
        const finer = parts.map(part => ({ ...part, mesh: subdivided(subdivided(part.mesh)) }));
        expect((await ask(finer)).distance, `seed ${seed}`).toBe(found.distance);
      }
    });

    it('is 0 if and only if bodies meet', async () => {
      for (let seed = 1; seed <= 4 * scenes; seed++) {
        const random = shapes.createRandom(400 + seed);
        const { scene, bodies } = sceneOf(
          two(() => ({ mesh: cubes(random, 2, 3), pose: gridPose(random, 2) })),
        );
        const [pair] = await scene.interferences();
        const found = await scene.distance(bodies[0], bodies[1]);
        expect(found.distance === 0, `seed ${seed}`).toBe(pair !== undefined);
        if (pair && pair.triangles.length > 0) {
          const first = [...pair.triangles.subarray(0, 2)];
          expect([found.triangleA, found.triangleB], `seed ${seed}`).toEqual(first);
          expect([...found.pointA]).toEqual([...found.pointB]);
        }
        scene.close();
      }
    });

    it('of solids within one another is 0, of their surfaces the gap', async () => {
      const parts = [
        { mesh: box([4, 4, 4]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(0.25, 0, 0) },
      ];
      const solid = await ask(parts);
      expect(solid).toMatchObject({ distance: 0, triangleA: -1, triangleB: -1 });
      expect([...solid.pointA]).toEqual([...solid.pointB]);
      for (const value of solid.pointA) expect(Math.abs(value)).toBeLessThanOrEqual(0.75);
      expect((await ask(parts, { surface: true })).distance).toBe(1.25);
      const open = mesh(new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
      expect((await ask([parts[0], { mesh: open, pose: translation(0, 0, 0) }])).distance).toBe(1);
    });

    it('looks no farther than it is told, strictly', async () => {
      expect((await ask(boxesAt(3))).distance).toBe(2);
      const none = await ask(boxesAt(3), { upTo: 2 });
      expect(none).toMatchObject({ distance: Infinity, triangleA: -1, triangleB: -1 });
      expect((await ask(boxesAt(3), { upTo: 2 + 2 ** -51 })).distance).toBe(2);
      expect((await ask(boxesAt(1), { upTo: 5e-324 })).distance).toBe(0);
    });

    it('of known shapes', async () => {
      const sphere = shapes.uvSphere({ radius: 1, segments: 96, rings: 48 });
      const found = await ask([
        { mesh: sphere, pose: translation(0, 0, 0) },
        { mesh: sphere, pose: translation(3, 4, 0) },
      ]);
      expect(found.distance).toBeGreaterThanOrEqual(3);
      // Chords of the sphere lie less than 1 − cos(π/96) within it.
      expect(found.distance).toBeLessThan(3 + 4 * (1 - Math.cos(Math.PI / 48)));
      const slab = await ask([
        { mesh: box([8, 8, 1]), pose: translation(0, 0, 0) },
        { mesh: sphere, pose: translation(0, 0, 2.5) },
      ]);
      expect(slab.distance).toBeCloseTo(1, 12);
    });

    it('of bodies very far apart beside their size', { timeout: 600_000 }, async () => {
      // Single precision cannot tell their triangles apart from there: this took minutes once. A software GPU gets fewer.
      const rings = nf.backend === 'gpu' ? 8 : 48;
      const sphere = shapes.uvSphere({ radius: 1, segments: 2 * rings, rings });
      for (const far of [1e2, 1e4, 1e7]) {
        const found = await ask([
          { mesh: sphere, pose: translation(0, 0, 0) },
          { mesh: sphere, pose: translation(3 * far, 4 * far, 0) },
        ]);
        expect(found.distance).toBeGreaterThanOrEqual(5 * far - 2);
        expect(found.distance).toBeLessThan(5 * far - 2 + 4 * (1 - Math.cos(Math.PI / rings)));
      }
    });

    it('names the lowest of the triangles that share the nearest corner or edge', {
      timeout: 600_000,
    }, async () => {
      // The direction of the search turned in the middle of a leaf once, and took triangles that were as near for farther.
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(500 + seed);
        const parts = Array.from({ length: bodyCount }, () => ({
          mesh: random.integer(2) === 0 ? box([1, 1, 1]) : box([0.5, 2, 1]),
          pose: random.integer(2) === 0 ? rigid(random, 4) : affine(random, 4),
        }));
        const { scene, bodies } = sceneOf(parts);
        const corners = parts.map(worldCorners);
        for (const { a, b, distance, triangleA, triangleB } of await scene.within(0.75)) {
          if (distance === 0) continue;
          const expected = bruteDistance(corners[a.index], corners[b.index])!;
          const lowest = [expected.triangleA, expected.triangleB];
          expect([triangleA, triangleB], `seed ${seed}, ${a.index} and ${b.index}`).toEqual(lowest);
          // One by one a GPU takes its time.
          if (nf.backend === 'gpu') continue;
          const alone = await scene.distance(bodies[a.index], bodies[b.index]);
          expect([alone.triangleA, alone.triangleB], `seed ${seed}, ${a.index} and ${b.index}`).toEqual(
            lowest,
          );
        }
        scene.close();
      }
    });

    it('of flat faces that lie parallel, where thousands of pairs are equally near', async () => {
      const count = 32;
      const positions: number[] = [];
      const indices: number[] = [];
      for (let y = 0; y <= count; y++) for (let x = 0; x <= count; x++) positions.push(x, y, 0.75 * x);
      for (let y = 0; y < count; y++) {
        for (let x = 0; x < count; x++) {
          const v = y * (count + 1) + x;
          indices.push(v, v + 1, v + count + 2, v, v + count + 2, v + count + 1);
        }
      }
      const sheet = mesh(new Float64Array(positions), new Uint32Array(indices));
      // Slanted by 3 to 4: 2 above is 1.6 apart, but 0.25 sideways takes 0.15 off.
      const slanted = await ask([
        { mesh: sheet, pose: translation(0, 0, 0) },
        { mesh: sheet, pose: translation(0.25, 0.25, 2) },
      ]);
      expect(slanted.distance).toBe(1.45);
      // Turned, every corner is rounded on its own: one pair is nearest, or some are, by less than double precision tells.
      const turn = rigid(shapes.createRandom(9), 0);
      const apart = moved(turn, 0).map((value, i) => (i >= 12 && i < 15 ? value + 2 * turn[i - 4] : value));
      const parts = [
        { mesh: sheet, pose: turn },
        { mesh: sheet, pose: apart },
      ];
      const turned = await ask(parts);
      const other = await ask([...parts].reverse());
      expect(other.distance).toBe(turned.distance);
      const exact = bruteDistance(
        worldCorners(parts[0]).subarray(9 * turned.triangleA, 9 * turned.triangleA + 9),
        worldCorners(parts[1]).subarray(9 * turned.triangleB, 9 * turned.triangleB + 9),
      )!;
      expect(isRootOf(turned.distance, exact.squared)).toBe(true);
      expect(Math.abs(turned.distance - 1.6)).toBeLessThan(1e-13);
    });

    it('refuses what means nothing', async () => {
      const { scene, bodies } = sceneOf(boxesAt(3));
      await expect(scene.distance(bodies[0], bodies[0])).rejects.toMatchObject({ code: 'bad-option' });
      for (const upTo of [0, -1, Number.NaN]) {
        await expect(scene.distance(bodies[0], bodies[1], { upTo })).rejects.toMatchObject({
          code: 'bad-option',
        });
      }
      await expect(scene.within(-1)).rejects.toMatchObject({ code: 'bad-option' });
      await expect(scene.within(Number.NaN)).rejects.toMatchObject({ code: 'bad-option' });
      const signal = AbortSignal.abort();
      await expect(scene.distance(bodies[0], bodies[1], { signal })).rejects.toMatchObject({
        code: 'aborted',
      });
      const empty = scene.add(mesh(new Float64Array(0)));
      expect((await scene.distance(bodies[0], empty)).distance).toBe(Infinity);
      scene.close();
    });
  });

  describe('within a clearance', () => {
    it('every pair of a scene, against the distances one by one', { timeout: 600_000 }, async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(500 + seed);
        const parts = Array.from({ length: bodyCount }, () => ({
          mesh: random.integer(2) === 0 ? box([1, 1, 1]) : box([0.5, 2, 1]),
          pose: random.integer(2) === 0 ? rigid(random, 4) : affine(random, 4),
        }));
        const { scene, bodies } = sceneOf(parts);
        const clearance = 0.75;
        const found = await scene.within(clearance);
        const expected: string[] = [];
        for (let i = 0; i < bodies.length; i++) {
          for (let j = i + 1; j < bodies.length; j++) {
            const { distance, triangleA, triangleB } = await scene.distance(bodies[i], bodies[j]);
            if (distance < clearance) expected.push(`${i} ${j} ${distance} ${triangleA} ${triangleB}`);
          }
        }
        const lines = [...found].map(
          ({ a, b, distance, triangleA, triangleB }) =>
            `${a.index} ${b.index} ${distance} ${triangleA} ${triangleB}`,
        );
        expect(lines, `seed ${seed}`).toEqual(expected);
        expect(expected.length).toBeGreaterThan(0);
        scene.close();
      }
    });

    it('means strictly nearer', async () => {
      const { scene } = sceneOf(boxesAt(3));
      expect((await scene.within(2)).length).toBe(0);
      expect((await scene.within(2 + 2 ** -51)).length).toBe(1);
      expect((await scene.within(0)).length).toBe(0);
      expect((await scene.within(Infinity)).length).toBe(1);
      scene.close();
      // 3² + 4² = 5²: no coordinate gives the gap away.
      const corners = sceneOf([
        { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(4, 5, 0) },
      ]).scene;
      expect((await corners.within(5)).length).toBe(0);
      expect((await corners.within(5.000000000000001)).length).toBe(1);
      corners.close();
    });

    it('takes filters, and knows what lies within another', async () => {
      const { scene, bodies } = sceneOf([
        { mesh: box([4, 4, 4]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(3, 0, 0) },
      ]);
      const names = async (options = {}) =>
        [...(await scene.within(0.75, options))].map(
          ({ a, b, distance }) => `${a.index} ${b.index} ${distance}`,
        );
      expect(await names()).toEqual(['0 1 0', '0 2 0.5']);
      expect(await names({ surface: true })).toEqual(['0 2 0.5']);
      expect(await names({ allowed: [[bodies[0], bodies[1]]] })).toEqual(['0 2 0.5']);
      scene.close();
    });

    it('stays true of what was asked when bodies move on', async () => {
      const { scene, bodies } = sceneOf(boxesAt(3));
      const found = await scene.within(3);
      bodies[1].pose = translation(2, 0, 0);
      expect([...found][0].distance).toBe(2);
      const later = scene.distance(bodies[0], bodies[1]);
      bodies[1].pose = translation(9, 0, 0);
      expect((await later).distance).toBe(1);
      scene.close();
    });
  });

  describe('closest points', () => {
    it('against brute force', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(600 + seed);
        const part: Part = {
          mesh: seed % 2 ? soup(random, triangles, () => random.between(-1, 1)) : cubes(random, 3, 3),
          pose: seed % 3 ? rigid(random, 1) : affine(random, 1),
        };
        const { scene, bodies } = sceneOf([part]);
        const points = Float64Array.from({ length: 300 }, () => random.between(-4, 4));
        // Some far away.
        for (let i = 0; i < 30; i++) points[i] *= 10 ** random.integer(8);
        const found = await scene.closest(bodies[0], points);
        const world = worldCorners(part);
        const near = [0, 0, 0];
        for (let i = 0; i < points.length / 3; i++) {
          const [x, y, z] = points.subarray(3 * i, 3 * i + 3);
          let least = Infinity;
          for (let t = 0; t < world.length / 9; t++) {
            nearestOnTriangle(world.subarray(9 * t, 9 * t + 9), x, y, z, near);
            least = Math.min(least, Math.hypot(near[0] - x, near[1] - y, near[2] - z));
          }
          const size = Math.hypot(x, y, z) + 8;
          expect(Math.abs(found.distances[i] - least), `seed ${seed}, point ${i}`).toBeLessThan(1e-14 * size);
          const t = found.triangles[i];
          nearestOnTriangle(world.subarray(9 * t, 9 * t + 9), x, y, z, near);
          for (let k = 0; k < 3; k++) {
            expect(Math.abs(found.points[3 * i + k] - near[k]), `seed ${seed}, point ${i}`).toBeLessThan(
              1e-7 * size,
            );
          }
        }
        scene.close();
      }
    });

    it('of many points as of few', async () => {
      // Many are gone through in another order than they are given in.
      const random = shapes.createRandom(700);
      const part = { mesh: cubes(random, 3, 3), pose: rigid(random, 1) };
      const { scene, bodies } = sceneOf([part]);
      const points = Float64Array.from({ length: 3 * 600 }, () => random.between(-4, 4));
      // On a grid of the mesh's own some are as near to several triangles: decided exactly.
      for (let i = 0; i < 900; i++) points[i] = Math.round(points[i]);
      const all = await scene.closest(bodies[0], points);
      for (let from = 0; from < 600; from += 50) {
        const few = await scene.closest(bodies[0], points.subarray(3 * from, 3 * from + 150));
        expect(all.distances.subarray(from, from + 50)).toEqual(few.distances);
        expect(all.points.subarray(3 * from, 3 * from + 150)).toEqual(few.points);
        expect(all.triangles.subarray(from, from + 50)).toEqual(few.triangles);
        expect(all.features.subarray(from, from + 50)).toEqual(few.features);
      }
      scene.close();
    });

    it('names the lowest triangle and the feature', async () => {
      const { scene, bodies } = sceneOf([{ mesh: box([2, 2, 2]), pose: translation(0, 0, 0) }]);
      const points = new Float64Array([2, 2, 2, 0, 3, 3, 0.25, 0.5, 4, 1, 1, 1, 0, 0, 0]);
      const found = await scene.closest(bodies[0], points, { signed: true });
      const { positions, indices } = bodies[0].mesh;
      const holding = (test: (x: number, y: number, z: number) => boolean) => {
        for (let t = 0; t < indices.length / 3; t++) {
          const hits = [0, 1, 2].filter(k => {
            const v = 3 * indices[3 * t + k];
            return test(positions[v], positions[v + 1], positions[v + 2]);
          });
          if (hits.length > 0) return { t, count: hits.length };
        }
        return undefined;
      };
      expect([...found.features.subarray(0, 3)]).toEqual([2, 1, 0]);
      expect(found.distances[0]).toBe(Math.sqrt(3));
      expect(found.triangles[0]).toBe(holding((x, y, z) => x === 1 && y === 1 && z === 1)!.t);
      expect(found.distances[1]).toBe(Math.sqrt(8));
      expect([...found.points.subarray(3, 6)]).toEqual([0, 1, 1]);
      expect(found.distances[2]).toBe(3);
      expect([found.distances[3], found.features[3]]).toEqual([0, 2]);
      // The middle is as far from all six faces: the lowest triangle, and inside.
      expect([found.distances[4], found.triangles[4]]).toEqual([-1, 0]);
      const near = await scene.closest(bodies[0], points, { upTo: 3 });
      expect([...near.triangles].map(t => t >= 0)).toEqual([true, true, false, true, true]);
      expect(near.distances[2]).toBe(Infinity);
      scene.close();
    });

    it('has a sign for open meshes too', async () => {
      const sphere = shapes.uvSphere({ radius: 1, segments: 32, rings: 16 });
      const open = mesh(sphere.positions, sphere.indices.slice(0, sphere.indices.length - 30));
      const { scene, bodies } = sceneOf([{ mesh: open, pose: translation(0, 0, 0) }]);
      const { distances } = await scene.closest(bodies[0], new Float64Array([0, 0, 0, 0, 0.5, 0, 3, 0, 0]), {
        signed: true,
      });
      expect([...distances].map(Math.sign)).toEqual([-1, -1, 1]);
      scene.close();
    });

    it('has the sign of the solid angles of all triangles', { timeout: 600_000 }, async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(800 + seed);
        const whole = seed % 2 ? shapes.uvSphere({ radius: 1, segments: 12, rings: 6 }) : cubes(random, 3, 3);
        // A third of the triangles missing, here and there.
        const kept = [...whole.indices].filter((_, i) => ((7 * Math.floor(i / 3) + seed) % 11) % 3 !== 0);
        const part: Part = {
          mesh: mesh(whole.positions, new Uint32Array(kept)),
          pose: seed % 3 ? affine(random, 1) : translation(0, 0, 0),
        };
        const { scene, bodies } = sceneOf([part]);
        const world = worldCorners(part);
        const points = Float64Array.from({ length: 600 }, () => random.between(-2, 3));
        // Below and above corners and edges as well.
        for (let i = 0; i < 300; i += 3) {
          points[i] = world[9 * random.integer(world.length / 9)];
          points[i + 1] = world[9 * random.integer(world.length / 9) + 1];
        }
        const { distances } = await scene.closest(bodies[0], points, { signed: true });
        for (let i = 0; i < distances.length; i++) {
          const winding = Math.abs(solidAngles(world, points.subarray(3 * i, 3 * i + 3)));
          if (Math.abs(winding - 0.5) < 1e-9 || distances[i] === 0) continue;
          expect(distances[i] < 0, `seed ${seed}, point ${i}, winding ${winding}`).toBe(winding > 0.5);
        }
        scene.close();
      }
    });

    it('refuses points that are none', async () => {
      const { scene, bodies } = sceneOf(boxesAt(3));
      await expect(scene.closest(bodies[0], new Float64Array(4))).rejects.toMatchObject({
        code: 'bad-array',
      });
      const notNumbers = new Float64Array([0, Number.NaN, 0]);
      await expect(scene.closest(bodies[0], notNumbers)).rejects.toMatchObject({ code: 'not-finite' });
      expect((await scene.closest(bodies[0], new Float64Array(0))).distances.length).toBe(0);
      scene.close();
    });
  });
}
