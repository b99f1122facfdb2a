// Compares random particles with brute force (test/oracle/motion/trajectories.ts): whether, when, where and on which
// collider each first hits.

import type { Collider, CpuNearfield, Vector } from 'nearfield';
import { createRandom } from '../../packages/nearfield/src/shapes/random.ts';
import { candidatesOf, faultOf, type Hit, type Trajectory } from '../oracle/motion/trajectories.ts';
import { surfaceOf } from '../oracle/surfaces.ts';

export const slow = process.env.NEARFIELD_SLOW !== undefined;

export interface PathOptions {
  readonly count: number;
  readonly seed: number;
  /** 1: straight lines; 2: parabolas, each with its own acceleration; 0: no motion. */
  readonly order: 0 | 1 | 2;
  /** Paths are aimed at points of this ball. */
  readonly aim?: number;
  readonly start?: number;
  /** Each is born at its own time below this; default 0. */
  readonly births?: number;
  readonly life?: number;
}

/** From a shell around the origin towards points near it. Lives and births are whole ticks for any tick. */
export function randomPaths(options: PathOptions): Trajectory[] {
  const { count, seed, order, aim = 1.3, start = 3, births = 0, life = 4 } = options;
  const random = createRandom(seed);
  const inBall = (radius: number): Vector => {
    const [x, y, z] = random.direction();
    const r = radius * Math.cbrt(random.next());
    return [r * x, r * y, r * z];
  };
  return Array.from({ length: count }, () => {
    const position = order === 0 ? inBall(start) : inBall(start);
    const target = inBall(aim);
    const when = random.between(0.2, 0.9) * life;
    const a: Vector = order === 2 ? inBall(8 / life) : [0, 0, 0];
    const speed = (k: 0 | 1 | 2) => (target[k] - position[k] - 0.5 * a[k] * when * when) / when;
    const velocity: Vector = order === 0 ? [0, 0, 0] : [speed(0), speed(1), speed(2)];
    const birth = births === 0 ? 0 : Math.floor(random.next() * births * 1024) / 1024;
    return { position, velocity, acceleration: a, birth, life };
  });
}

/** The first hit of each, by the library. */
export function firstHits(
  nf: CpuNearfield,
  colliders: readonly Collider[],
  paths: readonly Trajectory[],
): (Hit | undefined)[] {
  const numbers = (key: 'position' | 'velocity' | 'acceleration') => {
    const all = new Float64Array(3 * paths.length);
    paths.forEach((path, i) => {
      all.set(path[key], 3 * i);
    });
    return all;
  };
  const particles = nf.particlesSync({
    count: paths.length,
    start: {
      ...{
        position: numbers('position'),
        velocity: numbers('velocity'),
        acceleration: numbers('acceleration'),
      },
      life: Float64Array.from(paths, ({ life }) => life),
      birth: Float64Array.from(paths, ({ birth }) => birth),
    },
    colliders,
    generations: 1,
  });
  const hits = new Array<Hit | undefined>(paths.length).fill(undefined);
  const end = Math.max(...paths.map(({ birth, life }) => birth + life));
  const impacts = particles.impactsSync(0, end + 1);
  const { time, place, collider, triangle, particle, outcome } = impacts;
  for (let i = 0; i < impacts.count; i++) {
    const own = particle[i];
    if (hits[own] !== undefined) throw new Error(`particle ${own} hits twice`);
    if (outcome[i] !== 0) throw new Error(`particle ${own} does not vanish`);
    const hit = { time: time[i], place: place.subarray(3 * i, 3 * i + 3), collider: collider[i] };
    hits[own] = triangle[i] === 0xffffffff ? hit : { ...hit, triangle: triangle[i] };
  }
  particles.close();
  return hits;
}

export interface Tally {
  readonly hits: number;
  readonly doubtful: number;
}

/** Fails with the first path that differs. */
export function checkPaths(
  nf: CpuNearfield,
  colliders: readonly Collider[],
  options: PathOptions,
  samples: number,
): Tally {
  const paths = randomPaths(options);
  const surfaces = colliders.map(surfaceOf);
  const hits = firstHits(nf, colliders, paths);
  let [sure, doubtful] = [0, 0];
  for (const [i, path] of paths.entries()) {
    const candidates = candidatesOf(path, surfaces, samples);
    const fault = faultOf(candidates, hits[i], path.life, 2 * (options.start ?? 3));
    if (fault !== undefined) {
      throw new Error(`seed ${options.seed}, particle ${i}: ${fault}; ${JSON.stringify(path)}`);
    }
    if (hits[i] !== undefined) sure++;
    if (candidates.some(candidate => !candidate.sure)) doubtful++;
  }
  return { hits: sure / paths.length, doubtful: doubtful / paths.length };
}
