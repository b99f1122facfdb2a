// Bounces compared with closed forms: what a hundred of them conserve, what restitution and friction take, corners,
// rest, and that no particle ever gets through a surface.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mesh } from '../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom } from '../../shapes/random.ts';
import type { Collider, Response, Vector } from '../colliders/shapes.ts';
import { compileMotion, toOwn } from '../motion/rigid.ts';
import type { ParticleOptions } from '../options.ts';
import type { Impacts } from '../windows/impacts.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
const manyLives = slow ? 20_000 : 80;

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const elastic: Response = { kind: 'bounce', restitution: 1, restSpeed: 1e-6 };
const bounce = (restitution: number, friction = 0): Response => ({
  kind: 'bounce',
  restitution,
  friction,
  restSpeed: 1e-6,
});
const ground: Collider = { plane: { point: [0, 0, 0], normal: [0, 0, 1] } };

/** All impacts of one particle in one life. */
function life(position: Vector, velocity: Vector, life: number, more: Partial<ParticleOptions>): Impacts {
  const particles = nf.particlesSync({
    count: 1,
    start: { position: Float64Array.from(position), velocity: Float64Array.from(velocity), life },
    colliders: [ground],
    generations: 1,
    ...more,
  });
  const impacts = particles.impactsSync(0, life);
  particles.close();
  return impacts;
}

const energyAt = (impacts: Impacts, i: number, g: number): number => {
  const [vx, vy, vz] = impacts.velocity.subarray(3 * i, 3 * i + 3);
  return 0.5 * (vx * vx + vy * vy + vz * vz) + g * impacts.place[3 * i + 2];
};

describe('a hundred bounces conserve', () => {
  it('energy and the tangential velocity, on a plane under gravity', () => {
    const impacts = life([0, 0, 2], [0.3, -0.7, 0], 128, { acceleration: [0, 0, -9.81], response: elastic });
    expect(impacts.count).toBeGreaterThan(95);
    const before = energyAt(impacts, 0, 9.81);
    for (let i = 0; i < impacts.count; i++) {
      expect(Math.abs(energyAt(impacts, i, 9.81) / before - 1)).toBeLessThan(100 * 2 ** -50);
      expect(Array.from(impacts.velocity.subarray(3 * i, 3 * i + 2))).toEqual([0.3, -0.7]);
      expect(impacts.bounce[i]).toBe(i);
      expect(impacts.outcome[i]).toBe(1);
    }
  });

  it('speed between two plates, with equal times between hits', () => {
    const plates: Collider[] = [0, 1].map(z => ({ plane: { point: [0, 0, z], normal: [0.6, 0, 0.8] } }));
    const impacts = life([0, 0, 0.5], [0.1, 0.2, 2], 80, { colliders: plates, response: elastic });
    expect(impacts.count).toBeGreaterThan(100);
    const gaps = [...impacts.time].map((time, i) => time - (i > 0 ? impacts.time[i - 1] : 0)).slice(1);
    for (const gap of gaps) expect(gap).toBeCloseTo(gaps[0], 11);
    for (const speed of impacts.speed)
      expect(Math.abs(speed / Math.hypot(0.1, 0.2, 2) - 1)).toBeLessThan(100 * 2 ** -50);
    for (let i = 1; i < impacts.count; i++) expect(impacts.collider[i]).toBe(1 - impacts.collider[i - 1]);
  });

  it('speed, angular momentum and the length of chords, within a sphere', () => {
    const impacts = life([0.2, 0.1, -0.3], [1, 0.5, 0.2], 200, {
      colliders: [{ sphere: { centre: [0, 0, 0], radius: 1 } }],
      response: elastic,
    });
    expect(impacts.count).toBeGreaterThan(100);
    const momentum = (i: number) => {
      const [x, y, z] = impacts.place.subarray(3 * i, 3 * i + 3);
      const [vx, vy, vz] = impacts.velocity.subarray(3 * i, 3 * i + 3);
      return [y * vz - z * vy, z * vx - x * vz, x * vy - y * vx];
    };
    const first = momentum(0);
    for (let i = 1; i < impacts.count; i++) {
      const now = momentum(i);
      for (let axis = 0; axis < 3; axis++) expect(Math.abs(now[axis] - first[axis])).toBeLessThan(1e-12);
      const gap = impacts.time[i] - impacts.time[i - 1];
      if (i > 1) expect(gap).toBeCloseTo(impacts.time[1] - impacts.time[0], 10);
      expect(Math.hypot(...impacts.place.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1, 13);
    }
  });
});

describe('restitution and friction', () => {
  it('heights fall as e², e⁴, …, and the total time has its closed form', () => {
    const [e, g, h] = [0.8, 9.81, 3];
    const impacts = life([0, 0, h], [0, 0, 0], 64, { acceleration: [0, 0, -g], response: bounce(e) });
    const fall = Math.sqrt((2 * h) / g);
    for (let j = 0; j < 40; j++) {
      expect(impacts.normalSpeed[j] / (g * fall * e ** j)).toBeCloseTo(1, 12);
      // fall + 2·fall·(e + e² + … + e^j)
      const time = fall * (1 + (2 * e * (1 - e ** j)) / (1 - e));
      expect(impacts.time[j]).toBeCloseTo(time, 11);
    }
    // At rest after the sum of all.
    const last = impacts.count - 1;
    expect(impacts.outcome[last]).toBe(2);
    expect(impacts.time[last]).toBeCloseTo(fall * (1 + (2 * e) / (1 - e)), 4);
  });

  it('friction takes part of the tangential speed while sliding, all of it when sticking', () => {
    const [e, mu] = [0.5, 0.25];
    const slides = life([0, 0, 1], [4, 3, -2], 4, {
      response: bounce(e, mu),
      colliders: [ground, { ...ground, plane: { point: [0, 0, 2], normal: [0, 0, -1] } }],
    });
    const kept = 1 - (mu * (1 + e) * 2) / 5;
    expect(slides.velocity[3]).toBeCloseTo(4 * kept, 14);
    expect(slides.velocity[4]).toBeCloseTo(3 * kept, 14);
    expect(slides.velocity[5]).toBe(1);
    const sticks = life([0, 0, 1], [0.3, 0.2, -2], 4, {
      response: bounce(e, mu),
      colliders: [ground, { ...ground, plane: { point: [0, 0, 2], normal: [0, 0, -1] } }],
    });
    expect(Array.from(sticks.velocity.subarray(3, 6))).toEqual([0, 0, 1]);
  });

  it('a moving plate adds twice its speed if the bounce is elastic', () => {
    const plate: Collider = {
      plane: { point: [0, 0, 0], normal: [0, 0, 1] },
      motion: { velocity: [0, 0, 3] },
    };
    const lid: Collider = { plane: { point: [0, 0, 100], normal: [0, 0, -1] } };
    const impacts = life([0, 0, 8], [0, 0, -1], 30, { colliders: [plate, lid], response: elastic });
    expect(impacts.time[0]).toBe(2);
    expect(impacts.speed[0]).toBe(4);
    expect(impacts.velocity[5]).toBe(7);
  });
});

describe('corners', () => {
  const floorAndWall = (tilt: number): Collider[] => [
    ground,
    { plane: { point: [1, 0, 0], normal: [-Math.cos(tilt), 0, Math.sin(tilt)] } },
  ];

  it('exactly into a corner there are two impacts at one time, and the particle returns the way it came', () => {
    const impacts = life([0, 0, 1], [1, 0, -1], 3, { colliders: floorAndWall(0), response: elastic });
    expect(Array.from(impacts.time)).toEqual([1, 1]);
    expect(Array.from(impacts.collider)).toEqual([0, 1]);
    const particles = nf.particlesSync({
      count: 1,
      start: { position: Float64Array.of(0, 0, 1), velocity: Float64Array.of(1, 0, -1), life: 3 },
      colliders: floorAndWall(0),
      response: elastic,
      generations: 1,
    });
    expect(Array.from(particles.stateSync(2).velocity)).toEqual([-1, 0, 1]);
    expect(Array.from(particles.stateSync(2).position)).toEqual([0, 0, 1]);
    particles.close();
  });

  it('a wedge is never crossed, however narrow and wherever it is hit', () => {
    const random = createRandom(11);
    for (let i = 0; i < manyLives; i++) {
      const tilt = random.between(-1.2, 1.2);
      const colliders = floorAndWall(tilt);
      const aim = i % 3 === 0 ? 1 : random.between(0, 1);
      const from = [random.between(-2, 0.5), random.between(-1, 1), random.between(0.2, 1)] as const;
      const normal = [-Math.cos(tilt), 0, Math.sin(tilt)];
      const away = (p: ArrayLike<number>) => normal[0] * (p[0] - 1) + normal[2] * p[2];
      if (away(from) <= 0.01) continue;
      const velocity = [aim - from[0], -from[1], -from[2]] as const;
      const particles = nf.particlesSync({
        count: 1,
        start: { position: Float64Array.from(from), velocity: Float64Array.from(velocity), life: 4 },
        acceleration: [0, 0, -1],
        colliders,
        response: {
          kind: 'bounce',
          restitution: random.between(0.3, 1),
          friction: random.between(0, 0.5),
          restSpeed: 1e-3,
        },
        generations: 1,
      });
      const impacts = particles.impactsSync(0, 4);
      expect(impacts.count, `seed 11/${i}`).toBeGreaterThan(0);
      for (let k = 0; k <= 40; k++) {
        const { position } = particles.stateSync(k / 10.001);
        expect(position[2], `seed 11/${i}: floor`).toBeGreaterThan(-1e-12);
        expect(away(position), `seed 11/${i}: wall`).toBeGreaterThan(-1e-12);
      }
      particles.close();
    }
  });

  it('the inside of a box mesh is never left, even when edges and corners are hit', () => {
    const corners = Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap(i => [i & 1, (i >> 1) & 1, i >> 2]));
    const faces = [
      0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7,
      3,
    ];
    const box: Collider = { mesh: mesh(corners, Uint32Array.from(faces)) };
    const random = createRandom(12);
    for (let i = 0; i < manyLives; i++) {
      const from = [random.next(), random.next(), random.next()];
      const target = [0, 1, 2].map(() => (i % 2 === 0 ? random.integer(2) : random.integer(3) / 2));
      const speed = random.between(1, 4);
      const particles = nf.particlesSync({
        count: 1,
        start: {
          position: Float64Array.from(from),
          velocity: Float64Array.from(target, (at, axis) => speed * (at - from[axis])),
          life: 4,
        },
        colliders: [box],
        response: elastic,
        generations: 1,
      });
      for (let k = 1; k <= 16; k++) {
        const { position } = particles.stateSync(k / 4.001);
        for (const x of position) expect(Math.abs(x - 0.5), `seed 12/${i}`).toBeLessThan(0.5 + 1e-12);
      }
      particles.close();
    }
  });
});

describe('corners of curved and of moving surfaces', () => {
  /** One life: its impacts, and where it is at some times. */
  const follow = (
    from: number[],
    target: readonly number[],
    speed: number,
    more: Partial<ParticleOptions>,
  ) => {
    const particles = nf.particlesSync({
      count: 1,
      start: {
        position: Float64Array.from(from),
        velocity: Float64Array.from(target, (at, axis) => speed * (at - from[axis])),
        life: 3,
      },
      colliders: [],
      generations: 1,
      ...more,
    });
    const places = [0.5, 1.1, 2.3, 2.9].map(time => ({ time, place: particles.stateSync(time).position }));
    particles.close();
    return places;
  };

  it('an eighth of a ball is never left, even where planes meet the sphere', () => {
    const random = createRandom(13);
    const planes = [0, 1, 2].map(axis => ({
      plane: { point: [0, 0, 0] as const, normal: [+(axis === 0), +(axis === 1), +(axis === 2)] as const },
    }));
    const targets = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0.6, 0.8, 0],
      [0, 0.28, 0.96],
    ];
    for (let i = 0; i < manyLives; i++) {
      const from = [random.between(0.05, 0.55), random.between(0.05, 0.55), random.between(0.05, 0.55)];
      const places = follow(from, targets[i % 5], random.between(1, 4), {
        acceleration: [0, 0, i % 2 === 0 ? 0 : -2],
        colliders: [{ sphere: { centre: [0, 0, 0], radius: 1 } }, ...planes],
        response: { kind: 'bounce', restitution: 0.8, friction: i % 4 === 0 ? 0.3 : 0, restSpeed: 1e-4 },
      });
      for (const { place } of places) {
        expect(Math.min(...place), `seed 13/${i}`).toBeGreaterThan(-1e-11);
        expect(Math.hypot(...place), `seed 13/${i}`).toBeLessThan(1 + 1e-11);
      }
    }
  });

  it('a box that turns and flies is never left, even at its corners and edges', () => {
    const random = createRandom(14);
    const corners = Float64Array.from([0, 1, 2, 3, 4, 5, 6, 7].flatMap(i => [i & 1, (i >> 1) & 1, i >> 2]));
    const faces = [
      0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7,
      3,
    ];
    const box = mesh(corners, Uint32Array.from(faces));
    const own = new Float64Array(3);
    for (let i = 0; i < manyLives / 2; i++) {
      const motion = {
        turn: [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)] as const,
        pivot: [0.5, 0.5, 0.5] as const,
        velocity: [0.1, 0, -0.2] as const,
      };
      const from = [random.between(0.05, 0.95), random.between(0.05, 0.95), random.between(0.05, 0.95)];
      const target = [random.integer(3) / 2, random.integer(3) / 2, random.integer(3) / 2];
      const places = follow(from, target, random.between(1, 4), {
        colliders: [{ mesh: box, motion }],
        response: { kind: 'bounce', restitution: i % 3 === 0 ? 1 : 0.8, restSpeed: 1e-4 },
      });
      for (const { time, place } of places) {
        toOwn(compileMotion(motion, 'box')!, 0, time, place, own);
        for (const x of own) expect(Math.abs(x - 0.5), `seed 14/${i}`).toBeLessThan(0.5 + 1e-11);
      }
    }
  });
});

describe('rest', () => {
  it('begins if the rebound is slower than restSpeed, and lasts to the end of the life', () => {
    const particles = nf.particlesSync({
      count: 1,
      start: { position: Float64Array.of(0, 0, 1), velocity: Float64Array.of(0.5, 0, 0), life: 8 },
      acceleration: [0, 0, -8],
      colliders: [ground],
      response: { kind: 'bounce', restitution: 0.5, restSpeed: 0.6 },
    });
    // 4, 2, 1 m/s arrive; the rebound of the third is 0.5.
    const impacts = particles.impactsSync(0, 8);
    expect(Array.from(impacts.normalSpeed)).toEqual([4, 2, 1]);
    expect(Array.from(impacts.outcome)).toEqual([1, 1, 2]);
    const state = particles.stateSync(7.9);
    expect([state.alive[0], state.bounces[0], ...state.position, ...state.velocity]).toEqual([
      2, 3, 0.625, 0, 0, 0, 0, 0,
    ]);
    // And the next life begins.
    expect(particles.stateSync(8).alive[0]).toBe(1);
    particles.close();
  });

  it('has a default restSpeed that fits the system, however long lives are and wherever it is', () => {
    const fall = (seconds: number, more: Partial<ParticleOptions> = {}) => {
      const response = { kind: 'bounce', restitution: 0.5 } as const;
      const impacts = life([0, 0, 2], [1, 0, 0], seconds, { acceleration: [0, 0, -10], response, ...more });
      return [impacts.count, impacts.at(impacts.count - 1).outcome] as const;
    };
    // √(2·10·2) = 6.3 m/s at first, 0.1 % of 1 + 6.3 at last: 2^-10 is below that, 2^-9 is not.
    expect(fall(8)).toEqual([10, 'rest']);
    for (const seconds of [100, 1e5]) expect(fall(seconds)).toEqual(fall(8));
    expect(fall(100, { motion: { order: 1, step: 0.01 } })[1]).toBe('rest');
    // From rest onto a plane; and without any colliders.
    expect(
      life([0, 0, 2], [0, 0, 0], 20, { acceleration: [0, 0, -10], response: bounce(0.5) }).count,
    ).toBeGreaterThan(5);
  });

  it('after `most` bounces', () => {
    const impacts = life([0, 0, 1], [0, 0, -1], 100, {
      acceleration: [0, 0, -8],
      response: { kind: 'bounce', restitution: 1, most: 7, restSpeed: 1e-3 },
    });
    expect(Array.from(impacts.outcome)).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  });

  it('rides on a collider that moves and turns', () => {
    const plate: Collider = {
      plane: { point: [0, 0, 0], normal: [0, 0, 1] },
      within: { disc: 5 },
      motion: { velocity: [0, 0, 0.5], turn: [0, 0, Math.PI / 2] },
    };
    const particles = nf.particlesSync({
      count: 1,
      start: { position: Float64Array.of(1, 0, 1), velocity: Float64Array.of(0, 0, -0.5), life: 8 },
      colliders: [plate],
      response: { kind: 'bounce', restitution: 0 },
    });
    const [impact] = particles.impactsSync(0, 8);
    expect(impact.time).toBeCloseTo(1, 14);
    expect(impact.outcome).toBe('rest');
    const { position, velocity } = particles.stateSync(2);
    // It came to rest at 1, 0 when the plate had turned by 90°, and has since turned by another 90°.
    for (const [axis, value] of [0, 1, 1].entries()) expect(position[axis]).toBeCloseTo(value, 12);
    for (const [axis, value] of [-Math.PI / 2, 0, 0.5].entries())
      expect(velocity[axis]).toBeCloseTo(value, 12);
    particles.close();
  });
});
