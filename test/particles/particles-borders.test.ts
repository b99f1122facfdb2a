// Bodies made of several pieces: a can of a cylinder and two lids, a roof of two rectangles, a box of polygons. Paths
// are aimed at the borders that pieces share, where rounding decides which piece is hit. Sealed pieces let no path
// through, from outside or from within, standing, moving and far from the origin.

import type { Collider, CpuNearfield, ParticleOptions, Vector } from 'nearfield';
import { open } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../packages/nearfield/src/shapes/random.ts';

const count = process.env['NEARFIELD_SLOW'] === undefined ? 1500 : 300_000;

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

interface Whole {
  readonly pieces: Collider[];
  /** A point on a shared border, and directions from there into the body. */
  readonly border: (random: Random) => { place: Vector; inwards: Vector };
  /** A point well inside. */
  readonly middle: Vector;
  readonly isOut: (place: ArrayLike<number>) => boolean;
}

const add = (a: Vector, b: Vector, share = 1): Vector => [
  a[0] + share * b[0],
  a[1] + share * b[1],
  a[2] + share * b[2],
];

/** Upright, about (x, y), from z to z + height. */
function can([x, y, z]: Vector, radius: number, height: number, more: object): Whole {
  const top = z + height;
  return {
    pieces: [
      {
        quadric: [1, 1, 0, 0, 0, 0, -x, -y, 0, x * x + y * y - radius * radius],
        bounds: [
          { normal: [0, 0, 1], offset: top },
          { normal: [0, 0, -1], offset: -z },
        ],
        ...more,
      },
      { plane: { point: [x, y, top], normal: [0, 0, 1] }, within: { disc: radius }, ...more },
      { plane: { point: [x, y, z], normal: [0, 0, -1] }, within: { disc: radius }, ...more },
    ],
    border: random => {
      const angle = random.between(0, 2 * Math.PI);
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const up = random.next() < 0.5;
      const place: Vector = [x + radius * c, y + radius * s, up ? top : z];
      const turn = random.between(-0.8, 0.8);
      const inwards: Vector = [-c - turn * s, -s + turn * c, random.between(0.1, 2) * (up ? -1 : 1)];
      return { place, inwards };
    },
    middle: [x, y, z + 0.5 * height],
    isOut: place =>
      Math.hypot(place[0] - x, place[1] - y) > radius * (1 + 1e-9) ||
      Math.abs(place[2] - z - 0.5 * height) > 0.5 * height * (1 + 1e-9),
  };
}

/** Two rectangles and two triangles, sloping by no angle that doubles hold, and a floor. */
function roof(at: Vector, more: object): Whole {
  const [half, height, depth] = [1.7, 0.9, 2.3];
  const slope = Math.hypot(half, height);
  const normal = (sign: number): Vector => [(sign * height) / slope, 0, half / slope];
  const side = (sign: number): Collider => ({
    plane: { point: add(at, [0.5 * sign * half, 0, 0.5 * height]), normal: normal(sign), right: [0, 1, 0] },
    within: { rectangle: [depth, 0.5 * slope] },
    ...more,
  });
  const gable = (sign: number): Collider => ({
    plane: { point: add(at, [0, sign * depth, 0]), normal: [0, sign, 0], right: [1, 0, 0] },
    within: {
      polygon: [
        [-half, 0],
        [half, 0],
        // The plane's up is normal × right.
        [0, -sign * height],
      ],
    },
    ...more,
  });
  const floor: Collider = {
    plane: { point: at, normal: [0, 0, -1], right: [1, 0, 0] },
    within: { rectangle: [half, depth] },
    ...more,
  };
  const corners: Vector[] = [-1, 1].flatMap((s): Vector[] => [
    [-half, s * depth, 0],
    [half, s * depth, 0],
    [0, s * depth, height],
  ]);
  const edges = [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 4],
    [4, 5],
    [5, 3],
    [0, 3],
    [1, 4],
    [2, 5],
  ];
  const middle = add(at, [0, 0, 0.3 * height]);
  return {
    pieces: [side(-1), side(1), gable(-1), gable(1), floor],
    border: random => {
      const [a, b] = edges[random.integer(9)];
      const share = random.between(0.02, 0.98);
      const on = add(add([0, 0, 0], corners[a], 1 - share), corners[b], share);
      const place = add(at, on);
      const inwards = add(middle, place, -1);
      return { place, inwards };
    },
    middle,
    isOut: place => {
      const [x, y, z] = [place[0] - at[0], place[1] - at[1], place[2] - at[2]];
      return (
        Math.abs(y) > depth + 1e-9 ||
        z < -1e-9 ||
        (Math.abs(x) * height + z * half) / slope > (half * height) / slope + 1e-9
      );
    },
  };
}

/** The number of paths aimed at borders that have no impact there. */
function lost(whole: Whole, seed: number, bend: Vector, motion: Vector = [0, 0, 0]): number {
  const random = createRandom(seed);
  const position = new Float64Array(3 * count);
  const velocity = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const { place, inwards } = whole.border(random);
    const speed = random.between(0.3, 3);
    for (let axis = 0; axis < 3; axis++) {
      // At the border after a second, with the velocity v + a·1 there.
      const there = speed * inwards[axis] + motion[axis];
      velocity[3 * i + axis] = there - bend[axis];
      position[3 * i + axis] = place[axis] + motion[axis] - there + 0.5 * bend[axis];
    }
  }
  const particles = nf.particlesSync({
    count,
    start: { position, velocity, life: 4 },
    acceleration: bend,
    colliders: whole.pieces,
    generations: 1,
  });
  const hit = new Uint8Array(count);
  for (const { particle, time } of particles.impactsSync(0, 1 + 1e-6)) if (time > 0) hit[particle] = 1;
  particles.close();
  return hit.reduce((sum, each) => sum + 1 - each, 0);
}

const sealed = { sealed: true };
const places: readonly Vector[] = [
  [0, 0, 0],
  [0.3, -0.7, 1.1],
  [713.37, -259.1, 88.8],
];

describe('borders that pieces share', () => {
  it('of unsealed pieces let some paths through', () => {
    expect(lost(can([0.3, -0.7, 1.1], 0.36, 0.85, {}), 1, [0, 0, 0])).toBeGreaterThan(0);
  });

  it.each(places.map(place => [place.join(' '), place] as const))('let no path in, at %s', (_, place) => {
    for (const bend of [
      [0, 0, 0],
      [0.1, 0.2, -0.3],
    ] as const) {
      expect(lost(can(place, 0.36, 0.85, sealed), 2, bend), 'can, seed 2').toBe(0);
      expect(lost(roof(place, sealed), 3, bend), 'roof, seed 3').toBe(0);
    }
  });

  it('let no path in while the body moves and turns', () => {
    const velocity: Vector = [0.4, -0.3, 0.2];
    const still = can([0.3, -0.7, 1.1], 0.36, 0.85, sealed);
    const moves = { ...sealed, motion: { velocity } };
    expect(lost(can([0.3, -0.7, 1.1], 0.36, 0.85, moves), 4, [0, 0, 0], velocity)).toBe(0);
    // About its own axis: the same places.
    const turn = { velocity, pivot: still.middle, turn: [0, 0, 1.3] as const };
    expect(lost(can([0.3, -0.7, 1.1], 0.36, 0.85, { ...sealed, motion: turn }), 5, [0, 0, 0], velocity)).toBe(
      0,
    );
  });

  it('let no path out, bounce after bounce', () => {
    const lives = Math.ceil(count / 10);
    const gravity: Vector = [0, 0, -1];
    for (const [name, whole] of [
      ['can', can([0.3, -0.7, 1.1], 0.36, 0.85, sealed)],
      ['roof', roof([0.3, -0.7, 1.1], sealed)],
    ] as const) {
      const random = createRandom(6);
      const position = new Float64Array(3 * lives);
      const velocity = new Float64Array(3 * lives);
      for (let i = 0; i < lives; i++) {
        const { place } = whole.border(random);
        const way = add(place, whole.middle, -1);
        for (let axis = 0; axis < 3; axis++) {
          position[3 * i + axis] = whole.middle[axis];
          velocity[3 * i + axis] = way[axis] - 0.5 * gravity[axis];
        }
      }
      const options: ParticleOptions = {
        count: lives,
        start: { position, velocity, life: 12 },
        acceleration: gravity,
        colliders: whole.pieces,
        response: { kind: 'bounce', restitution: 0.9, friction: 0.1, restSpeed: 1e-3 },
        generations: 1,
      };
      const particles = nf.particlesSync(options);
      for (const time of [1.1, 3, 7, 11.9]) {
        const { position: at } = particles.stateSync(time);
        for (let i = 0; i < lives; i++) {
          const place = at.subarray(3 * i, 3 * i + 3);
          expect(whole.isOut(place), `${name}, seed 6/${i}, at ${time}: ${place}`).toBe(false);
        }
      }
      particles.close();
    }
  });

  it('sealed is refused if there is no border', () => {
    const make = (collider: object) => () =>
      nf.particlesSync({
        count: 1,
        start: { position: new Float64Array(3), velocity: new Float64Array(3), life: 1 },
        colliders: [collider as Collider],
      });
    expect(make({ blobs: [{ at: [0, 0, 0], radius: 1 }], sealed: true })).toThrow(/a blobs has no sealed/);
    expect(make({ sphere: { centre: [0, 0, 0], radius: 1 }, sealed: 1 })).toThrow(
      /sealed must be true or false/,
    );
  });
});
