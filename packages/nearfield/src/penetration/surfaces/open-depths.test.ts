// Depths of pairs with an open body, on shapes whose depth is known by hand: sheets, tubes, boxes that miss triangles or
// wind in any order. Each in both orders, at several scales, turned exactly, and subdivided.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identity } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom } from '../../shapes/index.ts';
import type { PairDepth } from '../depths/depths.ts';
import { type Cuboid, cuboids, subdivided } from '../testing/solids.ts';

const slow = process.env.NEARFIELD_SLOW === '1';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

type Vector = readonly [number, number, number];

/** A rectangle from a corner along two sides. */
function sheet([x, y, z]: Vector, u: Vector, v: Vector): Mesh {
  const corner = (s: number, t: number): number[] => [
    x + s * u[0] + t * v[0],
    y + s * u[1] + t * v[1],
    z + s * u[2] + t * v[2],
  ];
  const positions = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)].flat();
  return mesh(Float64Array.from(positions), Uint32Array.of(0, 1, 2, 0, 2, 3));
}

/** A block with a step: from −1 to 1 on every axis, and for x > 0 up to z = 2. */
const step = ((): Mesh => {
  const outline = [-1, -1, 1, -1, 1, 2, 0, 2, 0, 1, -1, 1];
  const positions = [-1, 1].flatMap(y =>
    Array.from({ length: 6 }, (_, i) => [outline[2 * i], y, outline[2 * i + 1]]).flat(),
  );
  const cap = [0, 1, 4, 0, 4, 5, 1, 2, 4, 2, 3, 4];
  const sides = Array.from({ length: 6 }, (_, i) => [
    i,
    6 + i,
    (i + 1) % 6,
    (i + 1) % 6,
    6 + i,
    6 + ((i + 1) % 6),
  ]).flat();
  const back = Array.from({ length: 4 }, (_, t) =>
    [cap[3 * t], cap[3 * t + 2], cap[3 * t + 1]].map(v => v + 6),
  ).flat();
  return mesh(Float64Array.from(positions), Uint32Array.from([...cap, ...sides, ...back]));
})();

/** A tube along z without ends. */
function tube(radius: number, low: number, high: number, segments: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < segments; i++) {
    const angle = (2 * Math.PI * i) / segments;
    for (const z of [low, high]) positions.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
    const next = (i + 1) % segments;
    indices.push(2 * i, 2 * next, 2 * next + 1, 2 * i, 2 * next + 1, 2 * i + 1);
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

const box = (...sides: Cuboid): Mesh => cuboids([sides]);

/** The mesh without some triangles, and with others turned over. */
function spoiled({ positions, indices }: Mesh, missing: readonly number[], turned: readonly number[]): Mesh {
  const kept: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) {
    if (missing.includes(t)) continue;
    const corners = [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]];
    kept.push(...(turned.includes(t) ? corners.reverse() : corners));
  }
  return mesh(positions, Uint32Array.from(kept));
}

/** Every face of a box as a mesh of its own: no two triangles of different faces share a position. */
function fallenApart([x0, y0, z0, x1, y1, z1]: Cuboid, gap: number): Mesh {
  const faces = cuboids([[x0, y0, z0, x1, y1, z1]]);
  const middle = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
  const positions: number[] = [];
  for (let i = 0; i < faces.indices.length; i++) {
    const face = Math.floor(i / 6);
    const v = faces.indices[i];
    const axis = [0, 0, 1, 1, 2, 2][face];
    for (let k = 0; k < 3; k++) {
      const p = faces.positions[3 * v + k];
      positions.push(k === axis ? p : p + gap * (middle[k] - p));
    }
  }
  return mesh(Float64Array.from(positions));
}

function depthOf(a: Mesh, b: Mesh, pose = identity()): PairDepth {
  const scene = nf.scene();
  const [p, q] = [scene.add(a, { pose }), scene.add(b, { pose })];
  const [found] = scene.depthsSync([{ a: p, b: q }], { stopAtRatio: 1.02 }).pairs;
  const [mirrored] = scene.depthsSync([{ a: q, b: p }], { stopAtRatio: 1.02 }).pairs;
  expect(mirrored.depth).toEqual(found.depth);
  expect([...mirrored.translation]).toEqual([...found.translation].map(x => 0 - x));
  for (const [off, answer] of [
    [0.9, 'deeper'],
    [1.1, 'not-deeper'],
  ] as const) {
    const given = scene.deeperThanSync(p, q, off * found.depth.upper);
    if (found.ratio < 1.05 && found.depth.upper > 0) expect(given).toBe(answer);
  }
  scene.close();
  return found;
}

const turns: readonly Float64Array[] = [
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
  Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 8, -4, 2, 1),
  Float64Array.of(0, 0, -(2 ** 20), 0, 0, 2 ** 20, 0, 0, 2 ** 20, 0, 0, 0, 0, 0, 0, 1),
  Float64Array.of(2 ** -20, 0, 0, 0, 0, 0, 2 ** -20, 0, 0, -(2 ** -20), 0, 0, 0, 0, 0, 1),
];

/** The bracket holds the depth and is narrow, however the two are placed. */
function expectDepth(a: Mesh, b: Mesh, depth: number, slack = 1e-9): void {
  turns.forEach((pose, i) => {
    const scale = Math.max(...pose.slice(0, 3).map(Math.abs));
    for (const [p, q] of [
      [a, b],
      [subdivided(a), subdivided(subdivided(b))],
    ]) {
      const found = depthOf(p, q, pose);
      const what = `turn ${i}, ${p.triangleCount} triangles`;
      expect(found.depth.lower, what).toBeLessThanOrEqual(scale * depth * (1 + slack));
      expect(found.depth.upper, what).toBeGreaterThanOrEqual(scale * depth * (1 - slack));
      expect(found.ratio, what).toBeLessThan(1.05);
    }
  });
}

describe('sheets', () => {
  const ground = sheet([-1, -1, 0], [2, 0, 0], [0, 2, 0]);

  it('are as deep as the shorter way out', () => {
    expectDepth(ground, sheet([0.25, -0.5, -0.125], [0, 1, 0], [0, 0, 2]), 0.125);
    expectDepth(ground, sheet([0.25, -0.5, -1], [0, 1, 0], [0, 0, 2]), 0.75);
    expectDepth(ground, sheet([-0.5, 0.75, -1], [2, 0.25, 0], [0, 0, 2]), 0.25);
  });

  it('that reach through one another by 2^-20 are that deep', () => {
    expectDepth(ground, sheet([0.25, -0.5, -(2 ** -20)], [0, 1, 0], [0, 0, 2]), 2 ** -20);
  });

  it('that only touch have no depth', () => {
    const { depth } = depthOf(ground, sheet([0.25, -0.5, 0], [0, 1, 0], [0, 0, 2]));
    expect(depth).toEqual({ lower: 0, upper: 0 });
  });

  it('in a solid that touch its surface from within are never called shallow', () => {
    // Its corners lie on the solid, all else is within.
    const cube = box(-1, -1, -1, 1, 1, 1);
    expect(depthOf(cube, sheet([-1, -1, 0.5], [2, 0, 0], [0, 2, 0])).depth.upper).toBeGreaterThanOrEqual(0.5);
    // Half of it lies flush on a step, the other half within what rises behind it.
    expect(depthOf(step, sheet([-0.5, -0.5, 1], [1, 0, 0], [0, 1, 0])).depth.upper).toBeGreaterThanOrEqual(
      0.5,
    );
    // Flush on a face from outside.
    expect(depthOf(cube, sheet([-1, -1, 1], [2, 0, 0], [0, 2, 0])).depth).toEqual({ lower: 0, upper: 0 });
  });

  it('in a solid must leave it', () => {
    const cube = box(-1, -1, -1, 1, 1, 1);
    expectDepth(cube, sheet([-0.25, -0.25, 0.5], [0.5, 0, 0], [0, 0.5, 0]), 0.5);
    expectDepth(cube, sheet([0.5, -0.25, -0.25], [1, 0, 0], [0, 0.5, 0]), 0.5);
    // Nearly all of it is inside: the way out is long, the way in is short.
    expectDepth(cube, sheet([0.125, -0.5, 0], [1, 0, 0], [0, 1, 0]), 0.875);
  });
});

describe('tubes', () => {
  it('without ends are as deep in a plate as with ends', () => {
    const plate = box(-2, -2, -0.0625, 2, 2, 0.0625);
    expectDepth(plate, tube(0.5, -0.25, 1, 16), 0.3125);
    expectDepth(plate, tube(0.5, -3, 3, 16), 2.5);
  });
});

describe('boxes', () => {
  const all = (seed: number): { a: Cuboid; b: Cuboid; depth: number } => {
    const random = createRandom(seed);
    const sides = (): Cuboid => {
      const low = [0, 1, 2].map(() => random.integer(16) / 8 - 1);
      const high = low.map(x => x + (1 + random.integer(16)) / 8);
      return [low[0], low[1], low[2], high[0], high[1], high[2]];
    };
    const [a, b] = [sides(), sides()];
    const ways = [0, 1, 2].flatMap(k => [a[k + 3] - b[k], b[k + 3] - a[k]]);
    return { a, b, depth: Math.max(0, Math.min(...ways)) };
  };

  /** Seeds of boxes that overlap. */
  const seeds = Array.from({ length: slow ? 400 : 24 }, (_, i) => i + 1).filter(seed => all(seed).depth > 0);

  it('that miss a triangle or two are as deep as whole ones', { timeout: 600_000 }, () => {
    for (const seed of seeds) {
      const { a, b, depth } = all(seed);
      const random = createRandom(seed);
      const some = (): number[] => Array.from({ length: 1 + random.integer(2) }, () => random.integer(12));
      const [p, q] = [spoiled(cuboids([a]), some(), []), spoiled(cuboids([b]), some(), [])];
      for (const [first, second] of [
        [p, cuboids([b])],
        [p, q],
      ]) {
        const found = depthOf(first, second).depth;
        expect(found.lower, `seed ${seed}`).toBeLessThanOrEqual(depth * (1 + 1e-9));
        expect(found.upper, `seed ${seed}`).toBeGreaterThanOrEqual(depth * (1 - 1e-9));
        expect(found.upper / found.lower, `seed ${seed}`).toBeLessThan(1.05);
      }
    }
  });

  it('that wind in any order are as deep as proper ones', { timeout: 600_000 }, () => {
    for (const seed of seeds) {
      const { a, b, depth } = all(seed);
      const random = createRandom(seed);
      const turned = (): number[] =>
        Array.from({ length: 12 }, (_, i) => i).filter(() => random.integer(2) > 0);
      const [p, q] = [spoiled(cuboids([a]), [], turned()), spoiled(cuboids([b]), [], turned())];
      const found = depthOf(p, q).depth;
      expect(found.lower, `seed ${seed}`).toBeLessThanOrEqual(depth * (1 + 1e-9));
      expect(found.upper, `seed ${seed}`).toBeGreaterThanOrEqual(depth * (1 - 1e-9));
      expect(found.upper / found.lower, `seed ${seed}`).toBeLessThan(1.05);
    }
  });

  it('that coincide are as deep as solids that do', () => {
    const open = spoiled(box(0, 0, 0, 1, 2, 3), [3], [5]);
    expectDepth(open, open, 1);
  });

  it('whose faces have come apart are never called shallower than whole ones', { timeout: 600_000 }, () => {
    for (const seed of seeds) {
      const { a, b, depth } = all(seed);
      const found = depthOf(fallenApart(a, 1e-3), cuboids([b])).depth;
      // The faces are smaller by a thousandth, so nothing is deeper by more than that.
      expect(found.upper, `seed ${seed}`).toBeGreaterThan(0.99 * depth - 0.01);
    }
  });
});

it('of meshes that share their positions are each their own', () => {
  const { positions, indices } = box(0, 0, 0, 2, 2, 2);
  const one = mesh(positions, indices.slice(0, 3));
  const withoutOne = mesh(positions, indices.slice(3));
  const small = box(1, 0.5, 0.5, 1.25, 0.75, 0.75);
  depthOf(one, small);
  expectDepth(withoutOne, small, 0.75);
});
