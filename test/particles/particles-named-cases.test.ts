// Paths that touch, graze, start on a surface or meet a border, each with a name, in numbers that are exact in
// binary: rounding does not decide what is an impact.

import { type Collider, type CpuNearfield, mesh, open, shapes, type Vector } from 'nearfield';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exactFirstCrossing } from '../oracle/motion/polynomials.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

interface Path {
  readonly from: Vector;
  readonly velocity: Vector;
  readonly acceleration?: Vector;
  readonly life?: number;
}

/** All impacts of one particle in one life. */
function impactsOf(colliders: Collider | readonly Collider[], path: Path) {
  const { from, velocity, acceleration = [0, 0, 0], life = 8 } = path;
  const particles = nf.particlesSync({
    count: 1,
    start: { position: Float64Array.from(from), velocity: Float64Array.from(velocity), life },
    acceleration,
    colliders: Array.isArray(colliders) ? colliders : [colliders as Collider],
    generations: 1,
  });
  const found = [...particles.impactsSync(0, 2 * life)];
  particles.close();
  return found;
}

const timesOf = (colliders: Collider | readonly Collider[], path: Path) =>
  impactsOf(colliders, path).map(({ time }) => time);

const ground: Collider = { plane: { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] } };
const ball: Collider = { sphere: { centre: [0, 0, 0], radius: 1 } };

describe('touching a plane', () => {
  // z = h − 2s + s² is 0 twice at s = 1 where h = 1.
  const dip = (h: number): Path => ({ from: [0, 0, h], velocity: [0, 0, -2], acceleration: [0, 0, 2] });
  test('with the apex exactly on it: no impact', () => expect(timesOf(ground, dip(1))).toEqual([]));
  test('the last bit higher: none', () => expect(timesOf(ground, dip(1 + 2 ** -52))).toEqual([]));
  test('the last bit lower: an impact, at the first root', () => {
    const [time] = timesOf(ground, dip(1 - 2 ** -53));
    expect(time).toBeCloseTo(exactFirstCrossing([1 - 2 ** -53, -2, 1], 0, 8)!.time, 14);
    expect(time).toBeLessThan(1);
  });
  test('the same from below', () => {
    const rise = (h: number): Path => ({ from: [0, 0, h], velocity: [0, 0, 2], acceleration: [0, 0, -2] });
    expect(timesOf(ground, rise(-1))).toEqual([]);
    expect(timesOf(ground, rise(-1 + 2 ** -53))).toHaveLength(1);
  });
});

describe('touching a sphere', () => {
  // |p|² − 1 = (z² + x² − 1) − 2zs + s², which doubles hold to the last bit for these x and z.
  const beside = (x: number): Path => ({ from: [x, 0, 0.5], velocity: [0, 0, -1] });
  test('a tangent: no impact', () => expect(timesOf(ball, beside(1))).toEqual([]));
  test('outside of the tangent by 2^−26: none', () =>
    expect(timesOf(ball, beside(1 + 2 ** -26))).toEqual([]));
  test('within by 2^−26: an impact, where it enters', () => {
    const x = 1 - 2 ** -26;
    const [time] = timesOf(ball, beside(x));
    expect(time).toBeCloseTo(0.5 - Math.sqrt(2 ** -25 - 2 ** -52), 14);
  });
  test('a parabola that touches from outside: none', () => {
    // (u, 0, 1 + u²), u = s − 2: |p|² = 1 + 3u² + u⁴.
    expect(timesOf(ball, { from: [-2, 0, 5], velocity: [1, 0, -4], acceleration: [0, 0, 2] })).toEqual([]);
  });
  test('a parabola that touches to the fourth order: none', () => {
    // (u, 0, 1 − u²/2), u = s − 2: |p|² = 1 + u⁴/4.
    expect(timesOf(ball, { from: [-2, 0, -1], velocity: [1, 0, 2], acceleration: [0, 0, -1] })).toEqual([]);
  });
  test('a parabola that crosses three times in one: one impact, where it enters', () => {
    // y = 1 − u²/2 + (u shifted): the first of its roots, held against exact arithmetic.
    const path: Path = { from: [-2, 0, -0.75], velocity: [1, 0.125, 2], acceleration: [0, 0, -1] };
    const [x, z, vx, vy, vz, a] = [-2, -0.75, 1, 0.125, 2, -1];
    const coefficients = [
      x * x + z * z - 1,
      2 * (x * vx + z * vz),
      vx * vx + vy * vy + vz * vz + a * z,
      a * vz,
      (a * a) / 4,
    ];
    const exact = exactFirstCrossing(coefficients, 0, 8);
    expect(timesOf(ball, path)).toEqual(exact === undefined ? [] : [expect.closeTo(exact.time, 12)]);
  });
});

describe('other surfaces', () => {
  const cylinder: Collider = { quadric: [1, 1, 0, 0, 0, 0, 0, 0, 0, -1] };
  const cone: Collider = { quadric: [1, 1, -1, 0, 0, 0, 0, 0, 0, 0] };
  test('along a line of a cylinder: no impact', () =>
    expect(timesOf(cylinder, { from: [1, 0, -3], velocity: [0, 0, 1] })).toEqual([]));
  test('along a line beside it: none; across it: one', () => {
    expect(timesOf(cylinder, { from: [1.5, 0, -3], velocity: [0, 0, 1] })).toEqual([]);
    expect(timesOf(cylinder, { from: [3, 0, -3], velocity: [-1, 0, 1] })).toEqual([2]);
  });
  test("through a cone's apex along its axis, across it and on a line of it: none", () => {
    expect(timesOf(cone, { from: [0, 0, 3], velocity: [0, 0, -1] })).toEqual([]);
    expect(timesOf(cone, { from: [3, 0, 0], velocity: [-1, 0, 0] })).toEqual([]);
    expect(timesOf(cone, { from: [3, 0, 3], velocity: [-1, 0, -1] })).toEqual([]);
  });
  test('beside the apex: one', () =>
    expect(timesOf(cone, { from: [3, 0, 0.5], velocity: [-1, 0, 0] })).toEqual([2.5]));
  test('two planes as one quadric: no crossing at the line where they meet', () => {
    const planes: Collider = { quadric: [0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0] };
    expect(timesOf(planes, { from: [2, 2, 0], velocity: [-1, -1, 0] })).toEqual([]);
    expect(timesOf(planes, { from: [2, 3, 0], velocity: [-1, -1, 0] })).toEqual([2]);
  });
});

describe('meshes', () => {
  const box: Collider = { mesh: shapes.box({ size: [2, 2, 2] }) };
  const drop = (x: number, y: number): Path => ({ from: [x, y, 4], velocity: [0, 0, -1] });
  const lowest = (x: number, y: number, z: number): number => {
    const { positions, indices } = shapes.box({ size: [2, 2, 2] });
    const corner = (t: number, k: number) => 3 * indices[3 * t + k];
    for (let t = 0; t < indices.length / 3; t++) {
      const all = [0, 1, 2].map(k => corner(t, k));
      if (!all.every(at => positions[at + 2] === z)) continue;
      const side = (a: number, b: number) =>
        (positions[b] - positions[a]) * (y - positions[a + 1]) -
        (positions[b + 1] - positions[a + 1]) * (x - positions[a]);
      const signs = [side(all[0], all[1]), side(all[1], all[2]), side(all[2], all[0])];
      if (signs.every(s => s >= 0) || signs.every(s => s <= 0)) return t;
    }
    return -1;
  };
  test('on an edge that two triangles share: once, the lower one', () => {
    for (const at of [-0.5, 0, 0.25]) {
      for (const y of [at, -at]) {
        const found = impactsOf(box, drop(at, y));
        expect(found.map(({ time }) => time)).toEqual([3]);
        expect(found[0].triangle).toBe(lowest(at, y, 1));
      }
    }
  });
  test('on a vertex of many: once, the lowest', () => {
    const octahedron = { mesh: shapes.icosphere({ radius: 1, frequency: 1 }) };
    const { positions, indices } = octahedron.mesh;
    for (let vertex = 0; vertex < positions.length / 3; vertex++) {
      const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
      const found = impactsOf(octahedron, { from: [2 * x, 2 * y, 2 * z], velocity: [-x, -y, -z] });
      expect(found.map(({ time }) => time)).toEqual([expect.closeTo(1, 12)]);
      const around = [...indices.keys()].filter(i => indices[i] === vertex).map(i => Math.floor(i / 3));
      expect(around).toContain(found[0].triangle);
    }
  });
  test('in the plane of a sheet: none; along a face of a box: on the edge of the side, which is closed', () => {
    const sheet = mesh(
      Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0),
      Uint32Array.of(0, 1, 2, 0, 2, 3),
    );
    expect(timesOf({ mesh: sheet }, { from: [-3, 0, 0], velocity: [1, 0, 0] })).toEqual([]);
    const [side, ...more] = impactsOf(box, { from: [-3, 0, 1], velocity: [1, 0, 0] });
    expect([side.time, [...side.normal], more]).toEqual([2, [-1, 0, 0], []]);
  });
});

describe('outlines', () => {
  const plane = { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] } as const;
  const drop = (x: number, y: number): Path => ({ from: [x, y, 1], velocity: [0, 0, -1] });
  const hits = (within: NonNullable<Extract<Collider, { plane: unknown }>['within']>, x: number, y: number) =>
    timesOf({ plane, within }, drop(x, y)).length;
  const above = (x: number) => x * (1 + 2 ** -52);
  test('a corner of a rectangle belongs to it, points beyond do not', () => {
    expect(hits({ rectangle: [1, 2] }, 1, 2)).toBe(1);
    expect(hits({ rectangle: [1, 2] }, above(1), 2)).toBe(0);
    expect(hits({ rectangle: [1, 2] }, -1, above(-2))).toBe(0);
  });
  test('the border of a disc and both borders of a ring belong to it', () => {
    expect([hits({ disc: 1 }, 1, 0), hits({ disc: 1 }, 0, -1), hits({ disc: 1 }, above(1), 0)]).toEqual([
      1, 1, 0,
    ]);
    const ring = { ring: [0.5, 2] } as const;
    expect([0.5, 2, 0.5 - 2 ** -54, above(2)].map(x => hits(ring, x, 0))).toEqual([1, 1, 0, 0]);
  });
  test('corners and edges of polygons and of holes belong to them', () => {
    const within = {
      polygon: [
        [-2, -1],
        [2, -1],
        [0, 3],
      ],
      holes: [
        [
          [-0.5, 0],
          [0.5, 0],
          [0, 1],
        ],
      ],
    } as const;
    const cases = [
      [0, 3],
      [2, -1],
      [0, -1],
      [1, 1],
      [-0.5, 0],
      [0, 1],
      [0, 0],
      [0.25, 0.5],
    ] as const;
    expect(cases.map(([x, y]) => hits(within, x, y))).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect([hits(within, 0, 0.5), hits(within, 0, above(3)), hits(within, 0, above(-1))]).toEqual([0, 0, 0]);
  });
});

describe('starting on the surface', () => {
  const on = (velocity: Vector, acceleration: Vector = [0, 0, 0]): Path => ({
    from: [0, 0, 0],
    velocity,
    acceleration,
  });
  test('leaving, entering and sliding: no impact', () => {
    for (const velocity of [
      [0, 0, 1],
      [0, 0, -1],
      [1, 0, 0],
      [0, 0, 0],
    ] as const) {
      expect(timesOf(ground, on(velocity)), `${velocity}`).toEqual([]);
    }
  });
  test('thrown up from it: an impact where it comes down, at that time to the last bit', () => {
    expect(timesOf(ground, on([0, 0, 2], [0, 0, -2]))).toEqual([2]);
    expect(timesOf(ground, on([1, 0, 3], [0, 0, -2]))).toEqual([3]);
  });
  test('at rest on it, then accelerated: none', () => {
    expect(timesOf(ground, on([0, 0, 0], [0, 0, -2]))).toEqual([]);
    expect(timesOf(ground, on([0, 0, 0], [2, 0, 0]))).toEqual([]);
  });
  test('on a sphere: out of it none; through it one, on the other side', () => {
    expect(timesOf(ball, { from: [1, 0, 0], velocity: [1, 0, 0] })).toEqual([]);
    expect(timesOf(ball, { from: [1, 0, 0], velocity: [-1, 0, 0] })).toEqual([2]);
    expect(timesOf(ball, { from: [1, 0, 0], velocity: [0, 1, 0] })).toEqual([]);
  });
});

describe('the rest', () => {
  test('a resting particle hits nothing; an accelerated one falls', () => {
    expect(timesOf(ground, { from: [0, 0, 1], velocity: [0, 0, 0] })).toEqual([]);
    expect(timesOf(ground, { from: [0, 0, 4], velocity: [0, 0, 0], acceleration: [0, 0, -2] })).toEqual([2]);
  });
  test('accelerated along the surface: none', () =>
    expect(timesOf(ground, { from: [0, 0, 1], velocity: [1, 0, 0], acceleration: [1, 1, 0] })).toEqual([]));
  test('at the end of the life: none; just before: one', () => {
    const fall = (life: number): Path => ({ from: [0, 0, 4], velocity: [0, 0, -1], life });
    expect(timesOf(ground, fall(4))).toEqual([]);
    expect(timesOf(ground, fall(4.5))).toEqual([4]);
  });
  test('two surfaces in one place: hits the one with the lower number', () => {
    const found = impactsOf([ball, ground, { ...ground, name: 'again' }], {
      from: [3, 0, 1],
      velocity: [0, 0, -1],
    });
    expect(found.map(({ collider, time }) => [collider, time])).toEqual([[1, 1]]);
  });
  test('front side only: paths from behind pass', () => {
    const front: Collider = { ...ground, sides: 'front' };
    expect(timesOf(front, { from: [0, 0, 1], velocity: [0, 0, -1] })).toEqual([1]);
    expect(timesOf(front, { from: [0, 0, -1], velocity: [0, 0, 1] })).toEqual([]);
  });
});
