// Lives of several bounces against brute force: the oracle searches each leg from the end of the last one, takes
// normals as differences of the collider's function, and has its own implementation of the response.

import { type Collider, type CpuNearfield, open, shapes, type Vector } from 'nearfield';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Candidate, candidatesOf, type Trajectory } from '../oracle/motion/trajectories.ts';
import { dot, type Surface, surfaceOf } from '../oracle/surfaces.ts';
import { randomPaths, slow } from '../spec/particle-paths.ts';

if (slow) vi.setConfig({ testTimeout: 600_000 });

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const colliders: readonly Collider[] = [
  { plane: { point: [0, 0, -1.5], normal: [0, 0, 1] } },
  { sphere: { centre: [0.8, 0.2, 0], radius: 0.6 } },
  { quadric: [3, 3, 0, 0, 0, 0, 2.4, 0, 0, 0.9], bounds: [{ normal: [0, 0, 1], offset: 0.8 }] },
  { mesh: shapes.box({ size: [0.9, 0.8, 0.7], center: [0.2, -1, -0.6] }) },
  {
    plane: { point: [0, 1.2, 0], normal: [0.2, -1, 0.3], right: [1, 0, 0] },
    within: { rectangle: [1.5, 1] },
    motion: { pivot: [0, 1.2, 0], turn: [0, 0, 0.7], velocity: [0, -0.1, 0.1] },
  },
  { plane: { point: [0, 0, 2.6], normal: [0, 0, -1] } },
];
const surfaces = colliders.map(surfaceOf);
const [restitution, friction, legs] = [0.7, 0.15, 5];
const life = 4;

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a: Vector, s: number): Vector => [a[0] * s, a[1] * s, a[2] * s];
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** The normal in world coordinates, in either direction. */
function normalAt(surface: Surface, { place, time, triangle }: Candidate): Vector {
  if (surface.kind === 'triangles') {
    const c = surface.corners.subarray(9 * triangle, 9 * triangle + 9);
    const [u, v] = [
      [c[3] - c[0], c[4] - c[1], c[5] - c[2]],
      [c[6] - c[0], c[7] - c[1], c[8] - c[2]],
    ];
    const n: Vector = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    return scaled(n, 1 / Math.hypot(...n));
  }
  const value = (p: Vector) => {
    const own = Float64Array.from(p);
    surface.enter(own, time);
    return surface.value(own[0], own[1], own[2]);
  };
  const h = 1e-5;
  const slope = (k: number) => {
    const step: Vector = [0, 1, 2].map(i => (i === k ? h : 0)) as unknown as Vector;
    return (value(plus(place, step)) - value(minus(place, step))) / (2 * h);
  };
  const n: Vector = [slope(0), slope(1), slope(2)];
  return scaled(n, 1 / Math.hypot(...n));
}

/** The velocity of the collider at a point. */
function surfaceVelocity({ motion }: Collider, p: Vector, t: number): Vector {
  if (motion === undefined) return [0, 0, 0];
  const { pivot = [0, 0, 0], turn = [0, 0, 0], velocity = [0, 0, 0], at = 0 } = motion;
  const arm = minus(minus(p, pivot), scaled(velocity, t - at));
  return plus(velocity, [
    turn[1] * arm[2] - turn[2] * arm[1],
    turn[2] * arm[0] - turn[0] * arm[2],
    turn[0] * arm[1] - turn[1] * arm[0],
  ]);
}

test('agrees on every leg of every life', () => {
  const count = slow ? 5000 : 400;
  const paths = randomPaths({ count, seed: 90_001, order: 2, start: 1.4, life, births: 2 }).filter(
    ({ position }) => surfaces.slice(1, 4).every(surface => isOutside(surface, position)),
  );
  const numbers = (key: 'position' | 'velocity' | 'acceleration') =>
    Float64Array.from({ length: 3 * paths.length }, (_, i) => paths[Math.floor(i / 3)][key][i % 3]);
  const particles = nf.particlesSync({
    count: paths.length,
    start: {
      position: numbers('position'),
      velocity: numbers('velocity'),
      acceleration: numbers('acceleration'),
      life,
      birth: Float64Array.from(paths, ({ birth }) => birth),
    },
    colliders,
    response: { kind: 'bounce', restitution, friction, restSpeed: 1e-3 },
    generations: 1,
  });
  const found: { time: number; collider: number; place: Vector; bounce: number }[][] = paths.map(() => []);
  for (const impact of particles.impactsSync(0, 2 * life + 2)) found[impact.particle].push(impact);
  particles.close();
  let checked = 0;
  for (const [i, path] of paths.entries()) {
    let leg: Trajectory = path;
    let last: Candidate | undefined;
    let tolerance = 1e-9;
    for (let bounce = 0; bounce < legs; bounce++) {
      const left = last;
      const candidates = candidatesOf(leg, surfaces, 256).filter(
        ({ collider, time, triangle }) =>
          left === undefined ||
          collider !== left.collider ||
          (triangle !== left.triangle && triangle >= 0) ||
          time > left.time + 1e-5,
      );
      // A doubtful leg ends the comparison.
      if (candidates.some(({ sure }) => !sure)) break;
      const [next] = candidates;
      const impact = found[i][bounce];
      const told = `seed 90001, particle ${i}, bounce ${bounce}: ${JSON.stringify(impact)} and ${JSON.stringify(next)}`;
      if (next === undefined) {
        expect(impact, told).toBeUndefined();
        break;
      }
      expect(impact, told).toBeDefined();
      expect([impact.collider, impact.bounce], told).toEqual([next.collider, bounce]);
      expect(Math.abs(impact.time - next.time), told).toBeLessThan(tolerance);
      expect(Math.hypot(...minus(impact.place, next.place)), told).toBeLessThan(10 * tolerance);
      checked++;
      const s = next.time - leg.birth;
      const v = plus(leg.velocity, scaled(leg.acceleration, s));
      const moving = surfaceVelocity(colliders[next.collider], next.place, next.time);
      const w = minus(v, moving);
      let n = normalAt(surfaces[next.collider], next);
      if (dot(n, w) > 0) n = scaled(n, -1);
      const across = dot(w, n);
      const along = minus(w, scaled(n, across));
      const speed = Math.hypot(...along);
      const kept = Math.max(0, 1 - (friction * (1 + restitution) * -across) / Math.max(speed, 1e-300));
      const after = plus(moving, plus(scaled(along, kept), scaled(n, -restitution * across)));
      leg = {
        position: next.place,
        velocity: after,
        acceleration: leg.acceleration,
        birth: next.time,
        life: path.birth + life - next.time,
      };
      last = next;
      // Rounding grows by the distance over the radius, and by slow approaches.
      tolerance *= 40 / Math.min(1, Math.max(0.05, -across));
    }
  }
  expect(checked).toBeGreaterThan(2 * paths.length);
});

function isOutside(surface: Surface, [x, y, z]: Vector): boolean {
  if (surface.kind === 'implicit') return surface.value(x, y, z) > 0;
  return !(Math.abs(x - 0.2) < 0.5 && Math.abs(y + 1) < 0.45 && Math.abs(z + 0.6) < 0.4);
}
