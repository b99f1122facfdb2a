// Particles that fall through a field of colliders onto a floor, each hitting something once per life. The cases vary
// the number of particles, the number and kinds of colliders, and the impacts per frame. Everything is seeded.

import { elementary } from '@nearfield/samples';
import { type Collider, type ParticleOptions, shapes, type Vector } from 'nearfield';
import type { SceneFile } from '../case.ts';

const { cubeRoot } = elementary;

export type ColliderKinds = 'planes' | 'quadrics' | 'mixed';

export interface ParticleCase {
  readonly particles: number;
  readonly colliders: number;
  readonly kinds: ColliderKinds;
  /** Seconds. Shorter lives give more impacts per frame. */
  readonly life: number;
  /** The target row: ten million particles, 64 colliders. */
  readonly target?: boolean;
}

/** Frames per second. */
export const frameRate = 60;

const sizes: readonly number[] = [1e4, 3e4, 1e5, 3e5, 1e6, 2e6, 3e6, 5e6, 1e7];
const colliderCounts: readonly number[] = [1, 8, 64, 512];

/** Growing numbers of particles; then of colliders of each kind; then the target row at three rates of impacts. */
export const particleCases: readonly ParticleCase[] = [
  ...sizes.map(particles => ({ particles, colliders: 64, kinds: 'mixed', life: 4 }) as const),
  // A hundred thousand for a CPU, a million for a GPU.
  ...[1e5, 1e6].flatMap(particles =>
    (['planes', 'quadrics', 'mixed'] as const).flatMap(kinds =>
      colliderCounts.map(colliders => ({ particles, colliders, kinds, life: 4 })),
    ),
  ),
  ...[40, 10, 4].map(
    life => ({ particles: 1e7, colliders: 64, kinds: 'mixed', life, target: true }) as const,
  ),
];

/** Listed among the scenes. Its figures are separate rows (measure.ts), not cases. */
export const particles: SceneFile = {
  name: 'particles',
  about:
    'particles in closed form that hit planes, quadrics, meshes: 10,000 to 10,000,000, 1 to 512 colliders',
  caseCount: 0,
  seconds: { each: 90, peers: 0 },
  *cases() {},
};

const [half, top] = [8, 10];

export function particleOptions({ particles: count, colliders, kinds, life }: ParticleCase): ParticleOptions {
  // A particle falls from the top to below the floor in two thirds to nine tenths of its life, however long that is.
  const [slow, fast, pull] = [9 / life, 13 / life, 8 / (life * life)];
  return {
    count,
    seed: 1,
    start: {
      from: {
        box: [
          [-half, -half, top - 2],
          [half, half, top],
        ],
      },
      velocity: {
        box: [
          [-1 / life, -1 / life, -fast],
          [1 / life, 1 / life, -slow],
        ],
      },
      life,
    },
    acceleration: [0, 0, -pull],
    colliders: collidersOf(kinds, colliders, life),
  };
}

/** The first is a floor under all. The others are spread between it and the top, and are smaller the more there are. */
export function collidersOf(kinds: ColliderKinds, count: number, life: number): Collider[] {
  const random = shapes.createRandom(count);
  const size = 2.5 / cubeRoot(count);
  const place = (): Vector => [
    random.between(-half, half),
    random.between(-half, half),
    random.between(1.5, top - 3.5),
  ];
  const plane = (): Collider => ({
    plane: { point: place(), normal: upward(random.direction()), right: [1, 0.1, 0] },
    within: random.next() < 0.5 ? { disc: size } : { rectangle: [size, 0.7 * size] },
  });
  const sphere = (): Collider => ({ sphere: { centre: place(), radius: random.between(0.5, 1) * size } });
  const quadric = (): Collider => ellipsoid(place(), [size, random.between(0.4, 1) * size, 0.5 * size]);
  const moving = (): Collider => ({
    ...sphere(),
    motion: { velocity: sideways(random.direction(), 0.5 / life) },
  });
  const mesh = (): Collider => ({
    mesh: shapes.icosphere({ radius: size, frequency: 6 }),
    pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place(), 1),
  });
  const floor: Collider =
    kinds === 'quadrics'
      ? ellipsoid([0, 0, 0], [2 * half, 2 * half, 0.5])
      : {
          plane: { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] },
          within: { rectangle: [2 * half, 2 * half] },
        };
  // 64 mixed colliders are 24 planes (with the floor), 16 spheres, 16 quadrics, 4 moving ones and 4 meshes of 720
  // triangles.
  const mixed = [plane, plane, plane, sphere, sphere, quadric, quadric];
  const makers = { planes: [plane], quadrics: [quadric, sphere], mixed }[kinds];
  return Array.from({ length: count }, (_, i) => {
    if (i === 0) return floor;
    if (kinds === 'mixed' && i % 16 === 15) return mesh();
    if (kinds === 'mixed' && i % 16 === 14) return moving();
    return makers[i % makers.length]();
  });
}

const upward = ([x, y, z]: Vector): Vector => [0.4 * x, 0.4 * y, 0.6 + 0.4 * Math.abs(z)];
const sideways = ([x, y]: Vector, speed: number): Vector => [speed * x, speed * y, 0];

const ellipsoid = ([x, y, z]: Vector, [a, b, c]: Vector): Collider => {
  const [p, q, r] = [1 / (a * a), 1 / (b * b), 1 / (c * c)];
  return { quadric: [p, q, r, 0, 0, 0, -p * x, -q * y, -r * z, p * x * x + q * y * y + r * z * z - 1] };
};
