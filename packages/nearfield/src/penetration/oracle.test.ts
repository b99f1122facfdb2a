// Compares brackets with depths found by other means. Solids made of boxes have a depth that can be read off a grid: B
// + t overlaps A = ∪Aᵢ if and only if t lies in the interior of some Aᵢ − Bⱼ, an axis-aligned box. So the nearest free
// t has coordinates that are 0 or ends of those boxes. For other solids, many translations shorter than the lower bound
// are tried, and none may separate.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mesh } from '../mesh/mesh.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { createRandom, displacedSphere, type Random, torusKnot } from '../shapes/index.ts';
import { type Cuboid, cuboids, posed } from './testing/solids.ts';

const slow = process.env.NEARFIELD_SLOW === '1';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

function exactDepth(a: readonly Cuboid[], b: readonly Cuboid[]): number {
  const forbidden = a.flatMap(p =>
    b.map(q => [0, 1, 2].map(i => [p[i] - q[i + 3], p[i + 3] - q[i]] as const)),
  );
  const ends = [0, 1, 2].map(i => [...new Set([0, ...forbidden.flatMap(box => box[i])])]);
  let best = Infinity;
  for (const x of ends[0]) {
    for (const y of ends[1]) {
      for (const z of ends[2]) {
        const squared = x * x + y * y + z * z;
        if (squared >= best) continue;
        const t = [x, y, z];
        if (!forbidden.some(box => box.every(([low, high], i) => low < t[i] && t[i] < high))) best = squared;
      }
    }
  }
  return Math.sqrt(best);
}

/** A few boxes, each meeting the one before it. */
function randomBoxes(random: Random, count: number): Cuboid[] {
  const boxes: Cuboid[] = [];
  for (let i = 0; i < count; i++) {
    const size = [0, 1, 2].map(() => 1 + random.integer(random.integer(3) === 0 ? 8 : 3));
    const last = boxes[i - 1] ?? [0, 0, 0, 1, 1, 1];
    const low = [0, 1, 2].map(axis => {
      const from = last[axis] - size[axis] + 1;
      return from + random.integer(last[axis + 3] - from);
    });
    boxes.push([low[0], low[1], low[2], low[0] + size[0], low[1] + size[1], low[2] + size[2]]);
  }
  return boxes;
}

const shifted = (boxes: readonly Cuboid[], by: readonly number[]): Cuboid[] =>
  boxes.map(box => box.map((x, i) => x + by[i % 3]) as unknown as Cuboid);

it('holds the depth of solids made of boxes', { timeout: 600_000 }, () => {
  const found: number[] = [];
  // 977: touching and turned; rounding separates boxes of triangles that meet.
  const seeds = [977, ...Array.from({ length: slow ? 3000 : 30 }, (_, i) => i + 1)];
  for (const seed of seeds) {
    const random = createRandom(seed);
    const [a, first] = [
      randomBoxes(random, 1 + random.integer(4)),
      randomBoxes(random, 1 + random.integer(4)),
    ];
    const b = shifted(
      first,
      [0, 1, 2].map(() => random.integer(5) - 2 + random.integer(4) / 4),
    );
    const truth = exactDepth(a, b);
    // The same, turned: rounding moves corners by some 10^-15 of their size.
    const pose = seed % 2 === 0 ? posed(0, 0, 0) : posed(0, 0, 0, [1, 2, 3], random.next());
    const slack = 1e-12;
    const scene = nf.scene();
    const { depth, ratio } = scene.penetrationSync(
      scene.add(cuboids(a), { pose }),
      scene.add(cuboids(b), { pose }),
    );
    scene.close();
    expect(depth.lower, `seed ${seed}`).toBeLessThanOrEqual(truth + slack);
    expect(depth.upper, `seed ${seed}`).toBeGreaterThanOrEqual(truth - slack);
    if (truth > 0) {
      expect(depth.lower, `seed ${seed}`).toBeGreaterThan(0);
      found.push(ratio);
    } else if (seed % 2 === 0) {
      expect(depth, `seed ${seed}`).toEqual({ lower: 0, upper: 0 });
    }
  }
  // Most are found to a few per cent within the default amount of work.
  found.sort((p, q) => p - q);
  expect(found[Math.floor(0.75 * found.length)]).toBeLessThan(1.1);
});

it('does not mistake the corners of the searched cube for all of space', () => {
  // The last cubes left open lay in the corners, beyond the faces: their distance bounds nothing.
  const a: Cuboid[] = [
    [-1, 0, 0, 2, 1, 1],
    [-2, -2, -1, 0, 5, 1],
    [-2, 3, -3, -1, 5, 0],
  ];
  const b: Cuboid[] = [
    [-1.5, -1.25, -0.5, -0.5, 0.75, 1.5],
    [-1.5, -2.25, 0.5, 1.5, 2.75, 1.5],
  ];
  const scene = nf.scene();
  const { depth } = scene.penetrationSync(scene.add(cuboids(a)), scene.add(cuboids(b)));
  scene.close();
  expect(exactDepth(a, b)).toBe(1.5);
  expect(depth.lower).toBeLessThanOrEqual(1.5);
  expect(depth.upper).toBeGreaterThanOrEqual(1.5);
});

it('gives a lower bound that no translation beats', { timeout: 600_000 }, () => {
  const solids: [string, Mesh][] = [
    ['bumpy sphere', displacedSphere({ triangles: 2000, amplitude: 0.4, seed: 3 })],
    ['knot', torusKnot()],
  ];
  for (const [name, solid] of solids) {
    for (let seed = 1; seed <= (slow ? 60 : 3); seed++) {
      const random = createRandom(seed);
      const scene = nf.scene();
      const pose = posed(
        random.between(-0.8, 0.8),
        random.between(-0.8, 0.8),
        random.between(-0.8, 0.8),
        random.direction(),
        random.between(0, 6),
      );
      const [a, b] = [scene.add(solid), scene.add(solid, { pose })];
      const { depth, translation } = scene.penetrationSync(a, b);
      for (let k = 0; k < (slow ? 400 : 60); k++) {
        // Half of them lie around the direction that separates.
        const d = random.direction();
        const toward = k % 2 === 0 ? 0 : random.between(0, 8);
        const t = d.map((x, i) => x + (toward * translation[i]) / depth.upper);
        const length = (depth.lower * 0.999999 * random.next() ** 0.2) / Math.hypot(...t);
        const there = pose.slice();
        for (let i = 0; i < 3; i++) there[12 + i] += t[i] * length;
        b.pose = there;
        const pairs = scene.interferencesSync();
        expect(pairs.length, `${name}, seed ${seed}, translation ${k}`).toBe(1);
        if (pairs.pairs[0].triangleCount! < 50) {
          expect(pairs.pairs[0].relation, `${name}, seed ${seed}, translation ${k}`).not.toBe('touching');
        }
      }
      scene.close();
    }
  }
});
