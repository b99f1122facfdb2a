// Systems of particles on the tests' shared device, beside the same systems on the CPU, and colliders of every kind for
// them. Kernels are created once, for all kinds: compiling them is most of what a software GPU does here.

import { expect } from 'vitest';
import type { Session } from '../../../gpu/session.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { open } from '../../../nearfield.ts';
import { icosphere } from '../../../shapes/icosphere.ts';
import { createRandom, type Random } from '../../../shapes/random.ts';
import type { Collider, Vector } from '../../colliders/shapes.ts';
import { CpuParticles } from '../../cpu-particles.ts';
import type { ParticleOptions } from '../../options.ts';
import { Particles } from '../../particles.ts';
import { compileSetup } from '../../setup.ts';
import type { Impacts } from '../../windows/impacts.ts';
import type { LivesRoom } from '../gpu-lives.ts';
import { GpuParticles } from '../gpu-particles.ts';

export interface System {
  readonly gpu: Particles;
  readonly cpu: CpuParticles;
  readonly engine: GpuParticles;
}

export async function systemOf(options: ParticleOptions, room: Partial<LivesRoom> = {}): Promise<System> {
  const opened = await testDevice();
  const host = {
    session: { opened } as Session,
    inTurn: <A>(ask: () => Promise<A>) => ask(),
    check: () => {},
  };
  const setup = compileSetup(options);
  const engine = await GpuParticles.create(host, setup, {
    certain: 4096,
    decide: 1024,
    allKinds: true,
    ...room,
  });
  return {
    gpu: new Particles(options, setup, engine, () => {}),
    cpu: new CpuParticles(options, setup, undefined, () => {}),
    engine,
  };
}

const columns = [
  'time',
  'particle',
  'generation',
  'bounce',
  'collider',
  'place',
  'velocity',
  'normal',
  'speed',
  'outcome',
  'triangle',
  'parameter',
] as const;

/** Compares every column, bit for bit and in order. */
export function expectSame(found: Impacts, expected: Impacts, what: string): void {
  expect(found.count, `${what}: impacts`).toBe(expected.count);
  for (const name of columns) {
    const [a, b] = [found[name], expected[name]];
    expect(a.length, `${what}: ${name}`).toBe(b.length);
    for (let i = 0; i < a.length; i++) {
      if (!Object.is(a[i], b[i])) throw new Error(`${what}: ${name}[${i}] is ${a[i]}, not ${b[i]}`);
    }
  }
}

/** Both go through the same windows. Returns how many impacts there were. */
export async function expectSameWindows(
  { gpu, cpu }: System,
  times: readonly number[],
  what: string,
): Promise<number> {
  let count = 0;
  for (const [i, time] of times.entries()) {
    const expected = cpu.advanceSync(time);
    expectSame(await gpu.advance(time), expected, `${what}, window ${i} to ${time}`);
    count += expected.count;
  }
  expect(gpu.stats.dispatches, `${what}: on the GPU`).toBeGreaterThan(0);
  return count;
}

/** Uneven windows, mostly forwards: from a millionth of a second to several frames. */
export function unevenTimes(random: Random, count: number, longest: number): number[] {
  const times: number[] = [];
  let time = 0;
  for (let i = 0; i < count; i++) {
    const length = longest * 2 ** (-20 * random.next() ** 3);
    time += random.next() < 0.15 ? -0.7 * length : length;
    times.push(time);
  }
  return times;
}

/** Particles that fall from a box over [−2, 2]². Every life has another start. */
export const rain = (
  count: number,
  seed: number,
  colliders: readonly Collider[],
  more: Partial<ParticleOptions> = {},
): ParticleOptions => ({
  count,
  seed,
  start: {
    from: {
      box: [
        [-2, -2, 2.5],
        [2, 2, 3.5],
      ],
    },
    velocity: { cone: { axis: [0, 0, -1], angle: 0.6, speed: [1, 3] } },
    life: [1, 1.6],
  },
  acceleration: [0, 0, -4],
  colliders,
  ...more,
});

export type Kind = 'planes' | 'quadrics' | 'mesh' | 'moving' | 'turning' | 'field' | 'blobs';

/** Some colliders of a kind, in [−2, 2]² × [0, 2]. */
export async function collidersOf(kind: Kind, seed: number): Promise<Collider[]> {
  const random = createRandom(seed);
  const place = (): Vector => [
    random.between(-1.7, 1.7),
    random.between(-1.7, 1.7),
    random.between(0.3, 1.8),
  ];
  const tilted = (): Vector => [random.between(-0.5, 0.5), random.between(-0.5, 0.5), 1];
  switch (kind) {
    case 'planes':
      return [
        { plane: { point: [0, 0, 0], normal: [0.05, 0, 1] } },
        { plane: { point: place(), normal: tilted() }, within: { disc: 0.6 } },
        { plane: { point: place(), normal: tilted() }, within: { rectangle: [0.7, 0.4] }, sides: 'front' },
        { plane: { point: place(), normal: tilted() }, within: { ring: [0.2, 0.7] } },
        {
          plane: { point: place(), normal: tilted() },
          within: {
            polygon: [
              [-0.8, -0.7],
              [0.9, -0.5],
              [0.1, 0],
              [0.8, 0.8],
              [-0.6, 0.7],
            ],
            holes: [
              [
                [-0.4, -0.2],
                [-0.1, -0.2],
                [-0.2, 0.3],
              ],
            ],
          },
        },
        {
          plane: { point: place(), normal: tilted() },
          bounds: [{ ball: { centre: [0, 0, 1], radius: 1.5 } }, { normal: [1, 0, 0], offset: 0.3 }],
        },
      ];
    case 'quadrics': {
      const about = ([x, y, z]: Vector, a: number, b: number, c: number, j: number) => [
        ...[a, b, c, 0, 0, 0, -a * x, -b * y, -c * z],
        a * x * x + b * y * y + c * z * z + j,
      ];
      const boxAbout = ([x, y, z]: Vector, r: number): [Vector, Vector] => [
        [x - r, y - r, z - r],
        [x + r, y + r, z + r],
      ];
      const [cylinder, cone] = [place(), place()];
      return [
        { sphere: { centre: place(), radius: 0.5 } },
        {
          sphere: { centre: place(), radius: 0.6 },
          bounds: [{ normal: [0, 0, 1], offset: 1 }],
        },
        { quadric: about(place(), 1, 2, 3, -0.3) },
        { quadric: about(cylinder, 1, 1, 0, -0.1), box: boxAbout(cylinder, 0.6) },
        { quadric: about(cone, 1, 1, -1, 0), box: boxAbout(cone, 0.5) },
        { quadric: [1, 1, 0, 0, 0, 0, 0, 0, -0.5, 0.1] },
      ];
    }
    case 'mesh':
      return [
        { mesh: icosphere({ radius: 0.8, frequency: 4 }), pose: moved([-0.7, -0.5, 0.9]) },
        { mesh: icosphere({ radius: 0.5, frequency: 3 }), pose: moved([0.9, 0.8, 1.2]) },
      ];
    case 'moving':
      return [
        { plane: { point: [0, 0, 0], normal: [0, 0, 1] }, motion: { velocity: [0, 0, 0.05] } },
        { sphere: { centre: place(), radius: 0.7 }, motion: { velocity: [0.2, -0.1, 0.05] } },
        {
          sphere: { centre: place(), radius: 0.4 },
          motion: { velocity: [0.3, 0, 0], acceleration: [0, 0, -0.2] },
        },
        {
          mesh: icosphere({ radius: 0.6, frequency: 3 }),
          pose: moved(place()),
          motion: { velocity: [0, 0.2, 0] },
        },
      ];
    case 'turning':
      return [
        {
          plane: { point: [0, 0, 0.8], normal: [0, 0.3, 1] },
          within: { rectangle: [1.2, 0.3] },
          motion: { pivot: [0, 0, 0.8], turn: [0, 0, 3] },
        },
        {
          quadric: [1, 4, 9, 0, 0, 0, 0, 0, 0, -1],
          motion: { pivot: [0, 0, 0], turn: [0.4, 1, 0], velocity: [0.1, 0, 0] },
        },
        {
          mesh: icosphere({ radius: 0.5, frequency: 3 }),
          pose: moved([1.2, 0, 1.3]),
          motion: { pivot: [0, 0, 1], turn: [0, 0, -2] },
        },
      ];
    case 'blobs':
      return [
        {
          blobs: [
            { at: [-0.3, 0, 1], radius: 0.9 },
            { at: [0.5, 0.2, 1.2], radius: 0.8, weight: 0.8 },
            { from: [-1.2, -0.8, 0.5], to: [1, -1, 0.8], radius: 0.5 },
          ],
        },
      ];
    default: {
      const nf = await open({ backend: 'cpu' });
      const scene = nf.scene();
      const body = scene.add(icosphere({ radius: 0.9, frequency: 6 }));
      const field = scene.fieldSync(body, { resolution: 14 });
      nf.close();
      return [{ field, pose: moved([0.1, -0.2, 1]) }];
    }
  }
}

const moved = ([x, y, z]: Vector) => Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
