// A dragon: two wings, four legs, a crest from head to tail; one connected solid with the requested number of
// triangles. It faces +x, is about 2.5 m tall and stands on the floor z = 0.

import { type Mesh, shapes } from 'nearfield';
import { length, type Vector } from '../rigid/vector.ts';
import { type Blob, type Clay, cone, curved, ellipsoid, type Joint, limb, plate } from './blobs.ts';
import { polygonise } from './polygonise.ts';

export interface CreatureOptions {
  /** About. */
  readonly triangles?: number;
  readonly seed?: number;
}

export function dragon({ triangles = 112_000, seed = 1 }: CreatureOptions = {}): Mesh {
  return polygonise(dragonClay(seed), triangles);
}

/** Half of it. */
const skinThickness = 0.027;

const spine = curved([
  [-1.3, 0.95, 0.1, 0.02],
  [-1.75, 0.5, 0.14, 0.055],
  [-1.6, -0.1, 0.2, 0.085],
  [-1.05, -0.22, 0.42, 0.13],
  [-0.5, 0, 0.78, 0.25],
  [0, 0, 0.9, 0.29],
  [0.42, 0, 1.02, 0.28],
  [0.74, 0, 1.34, 0.18],
  [0.78, 0, 1.7, 0.13],
  [0.86, 0, 2.0, 0.115],
  [1.12, 0, 2.16, 0.14],
]);

function dragonClay(seed: number): Clay {
  const noise = shapes.createNoise(seed, 2);
  const grainHeight = 0.012;
  return {
    blobs: [
      ...limb(spine),
      ...crest(),
      ...head(),
      ...[-1, 1].flatMap(side => [...legs(side), ...wing(side)]),
    ],
    rounding: 0.06,
    grain: (x, y, z) => grainHeight * noise(9 * x, 9 * y, 9 * z),
    grainHeight,
    trianglesArea: 51.9,
    min: [-1.95, -1.75, -0.12],
    max: [1.75, 1.75, 2.75],
  };
}

/** Spikes that lean towards the tail, higher where the body is thicker. */
function crest(): Blob[] {
  return spine.slice(4, -3).flatMap(([x, y, z, radius], i): Blob[] => {
    if (i % 2 === 1) return [];
    const [bx, by, bz] = spine[i + 3];
    const [ax, ay, az] = spine[i + 5];
    const along: Vector = [ax - bx, ay - by, az - bz];
    const size = length(along);
    // At right angles to the spine in its vertical plane. The neck is vertical itself, so there the plane is that of
    // x and z.
    const flat = Math.sqrt(along[0] * along[0] + along[1] * along[1]);
    const [hx, hy] = x > 0.6 ? [1, 0] : [along[0] / flat, along[1] / flat];
    const [up, back] = [(along[0] * hx + along[1] * hy) / size, -along[2] / size];
    const place = (out: number, lean: number): Vector => [
      x + (out * back - lean) * hx,
      y + (out * back - lean) * hy,
      z + out * up - lean * 0.3,
    ];
    const height = 0.07 + 0.3 * radius;
    return [cone(place(0.85 * radius, 0), 0.3 * radius + 0.015, place(radius + height, 0.4 * height), 0.01)];
  });
}

function head(): Blob[] {
  const sides = [-1, 1].flatMap(side => [
    // Horns, ears, brows and nostrils.
    ...limb(
      curved([
        [1.06, 0.08 * side, 2.24, 0.05],
        [0.9, 0.15 * side, 2.42, 0.038],
        [0.66, 0.2 * side, 2.5, 0.012],
      ]),
    ),
    cone([1.04, 0.11 * side, 2.14], 0.045, [0.84, 0.26 * side, 2.16], 0.012),
    cone([1.2, 0.085 * side, 2.25], 0.035, [1.3, 0.07 * side, 2.21], 0.03),
    ellipsoid([1.52, 0.045 * side, 2.1], [0.035, 0.025, 0.03]),
  ]);
  return [
    ...sides,
    cone([1.12, 0, 2.16], 0.14, [1.5, 0, 2.05], 0.075),
    cone([1.14, 0, 2.06], 0.09, [1.44, 0, 1.88], 0.042),
  ];
}

function legs(side: number): Blob[] {
  const toes = (x: number, y: number): Blob[] =>
    [-0.09, 0, 0.09].map(spread =>
      cone([x, y + 0.5 * spread, 0.06], 0.045, [x + 0.17, y + 1.3 * spread, 0.03], 0.022),
    );
  const front: Joint[] = [
    [0.42, 0.2 * side, 0.95, 0.17],
    [0.36, 0.4 * side, 0.58, 0.105],
    [0.56, 0.42 * side, 0.3, 0.07],
    [0.52, 0.42 * side, 0.06, 0.065],
  ];
  const rear: Joint[] = [
    [-0.5, 0.2 * side, 0.78, 0.23],
    [-0.24, 0.42 * side, 0.52, 0.13],
    [-0.52, 0.46 * side, 0.28, 0.075],
    [-0.46, 0.46 * side, 0.06, 0.07],
  ];
  return [...limb(front), ...toes(0.58, 0.42 * side), ...limb(rear), ...toes(-0.4, 0.46 * side)];
}

/** An arm, three fingers and the skin between them. */
function wing(side: number): Blob[] {
  const at = (x: number, y: number, z: number): Vector => [x, y * side, z];
  const [shoulder, wrist] = [at(0.3, 0.16, 1.2), at(0.28, 0.72, 1.95)];
  const tips = [at(-0.62, 1.6, 2.2), at(-0.98, 1.25, 1.55), at(-0.86, 0.75, 1.22), at(-0.55, 0.2, 1.05)];
  const bones = tips.slice(0, 3).map((tip, i) => cone(wrist, 0.05 - 0.006 * i, tip, 0.026));
  const skin = tips.slice(1).map((tip, i) => {
    // The rim hangs back between two fingers: two plates with a corner between them.
    const [p, q] = [tips[i], tip];
    const between = at(
      0.42 * (p[0] + q[0]) + 0.16 * wrist[0],
      (0.42 * (p[1] + q[1]) + 0.16 * wrist[1]) * side,
      0.42 * (p[2] + q[2]) + 0.16 * wrist[2],
    );
    return [plate(wrist, p, between, skinThickness), plate(wrist, between, q, skinThickness)];
  });
  return [
    cone(shoulder, 0.1, wrist, 0.055),
    cone(wrist, 0.04, at(0.46, 0.78, 2.1), 0.012),
    plate(shoulder, wrist, tips[3], skinThickness),
    ...bones,
    ...skin.flat(),
  ];
}
