// Where particles are without impacts: ticks, generations, hashes, starts, places and turns, compared with exact
// fractions and stored numbers, and tested for invariance.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import { type CpuNearfield, open } from '../../nearfield.ts';
import { createRandom } from '../../shapes/random.ts';
import type { CompiledMotion } from '../compiled.ts';
import { compileSetup } from '../setup.ts';
import { compileMotion, toOwn, toWorld, turnsAtBirth, velocityAt } from './rigid.ts';
import { placeOn } from './segment.ts';
import { turnBy, turned } from './sine.ts';
import { hash } from './start/hash.ts';
import { startOf } from './start/start.ts';
import { birthTicksOf, exponentOf, generationAt, lifeTicksOf, spreadTicks } from './ticks.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

/** A double as a whole number of 2^-1100. */
function exactly(value: number): bigint {
  const words = new DataView(new ArrayBuffer(8));
  words.setFloat64(0, value);
  const bits = words.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = (bits & (2n ** 52n - 1n)) | (exponent > 0 ? 2n ** 52n : 0n);
  const size = fraction << BigInt(Math.max(exponent, 1) - 1075 + 1100);
  return value < 0 ? -size : size;
}

describe('ticks', () => {
  it('have exponents with 2^e at least a life, and half of it less', () => {
    const random = createRandom(1);
    for (let i = 0; i < 2000; i++) {
      const life = i < 40 ? 2 ** (i - 20) * (i % 2 === 0 ? 1 : 1 + 2 ** -52) : 10 ** random.between(-9, 9);
      const e = exponentOf(life);
      expect(2 ** e >= life && 2 ** (e - 1) < life, `life ${life}`).toBe(true);
    }
  });

  it('give the right generation at its borders, one double before, and a million lives on', () => {
    const random = createRandom(2);
    for (let i = 0; i < 2000; i++) {
      const life = 1 + random.integer(2 ** 30);
      const birth = random.integer(2 ** 31) - 2 ** 30;
      const k = random.integer(10 ** random.integer(7));
      const start = birth + k * life;
      const before = start - (start === 0 ? 2 ** -1074 : Math.abs(start) * 2 ** -53);
      expect(generationAt(start, birth, life), `seed 2/${i}`).toBe(k);
      if (before < start) expect(generationAt(before, birth, life), `seed 2/${i}`).toBe(k - 1);
      expect(generationAt(start + life - 0.25, birth, life), `seed 2/${i}`).toBe(k);
    }
  });

  it('are distributed by whole numbers, as in integers of any size', () => {
    const random = createRandom(3);
    for (let i = 0; i < 2000; i++) {
      const range = Math.floor(2 ** random.between(0, 50));
      const base = random.integer(1000);
      const h = BigInt(hash(9, i, 0, 11) >>> 8);
      const exact = base + Number((BigInt(range) * h) >> 24n);
      expect(spreadTicks({ base, range, channel: 11 }, 9, i), `seed 3/${i}`).toBe(exact);
    }
  });

  it('keep births and lives of a setup within half a tick of those asked for', () => {
    const life = Float64Array.from({ length: 100 }, (_, i) => 0.5 + i / 37);
    const birth = Float64Array.from({ length: 100 }, (_, i) => i / 7 - 3);
    const zeros = new Float64Array(300);
    const setup = compileSetup({
      count: 100,
      start: { position: zeros, velocity: zeros, life, birth },
      colliders: [],
    });
    expect(2 ** setup.timeExponent).toBeGreaterThanOrEqual(Math.max(...life));
    for (let i = 0; i < 100; i++) {
      expect(Math.abs(lifeTicksOf(setup, i) * setup.tick - life[i])).toBeLessThanOrEqual(setup.tick / 2);
      expect(Math.abs(birthTicksOf(setup, i) * setup.tick - birth[i])).toBeLessThanOrEqual(setup.tick / 2);
    }
  });
});

/** A number in [0, 1) as starts use it. */
const uniform = (seed: number, particle: number, generation: number, channel: number): number =>
  (hash(seed, particle, generation, channel) >>> 8) * 2 ** -24;

describe('hashes', () => {
  it('are the same on every machine', () => {
    expect([0, 1, 2].map(i => hash(1, i, 0, 0))).toMatchInlineSnapshot(`
      [
        3696427742,
        1170950253,
        3171574805,
      ]
    `);
    expect([0, 1, 2].map(i => hash(7, 1000, i, 5))).toMatchInlineSnapshot(`
      [
        1247151050,
        2991009666,
        2739439057,
      ]
    `);
  });

  it('are uniform and independent', () => {
    const count = 1 << 14;
    for (const of of [
      (i: number, channel: number) => uniform(5, i, 0, channel),
      (i: number, channel: number) => uniform(5, 0, i, channel),
      (i: number, channel: number) => uniform(i, 3, 1, channel),
    ]) {
      const cells = new Uint32Array(256);
      for (let i = 0; i < count; i++) cells[Math.floor(of(i, 0) * 16) + 16 * Math.floor(of(i, 1) * 16)]++;
      const expected = count / 256;
      const chi = cells.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
      // 255 degrees of freedom: beyond 350 once in ten thousand times.
      expect(chi).toBeLessThan(350);
    }
  });
});

describe('starts', () => {
  it('lie in their regions and cover them', () => {
    const regions = {
      box: {
        box: [
          [-1, 2, 3],
          [1, 2.5, 9],
        ],
      },
      disc: { disc: { centre: [1, 2, 3], normal: [1, -1, 0.5], radius: 2 } },
      ball: { ball: { centre: [-1, 0, 1], radius: 3 } },
    } as const;
    const start = new Float64Array(9);
    const failures = new Failures();
    for (const [name, from] of Object.entries(regions)) {
      const setup = compileSetup({
        count: 4000,
        start: { from, velocity: { cone: { axis: [1, 1, 0], angle: 0.4, speed: [2, 3] } }, life: 1 },
        colliders: [],
      });
      const sum = [0, 0, 0];
      let halfway = 0;
      for (let i = 0; i < 4000; i++) {
        startOf(setup, i, i % 3, start);
        const [x, y, z, vx, vy, vz] = start;
        const where = () => `${name}, particle ${i}: ${start.join()}`;
        const speed = Math.hypot(vx, vy, vz);
        failures.check(speed >= 2 - 1e-12 && speed <= 3 + 1e-12, where);
        failures.check((vx + vy) / (Math.SQRT2 * speed) > Math.cos(0.4) - 1e-9, where);
        for (let axis = 0; axis < 3; axis++) sum[axis] += start[axis] / 4000;
        if (name === 'disc') {
          failures.check(Math.abs((x - 1) * 1 - (y - 2) + (z - 3) * 0.5) < 1e-12, where);
          const r = Math.hypot(x - 1, y - 2, z - 3);
          failures.check(r < 2 + 1e-12, where);
          if (r < 2 / Math.SQRT2) halfway++;
        } else if (name === 'ball') {
          const r = Math.hypot(x + 1, y, z - 1);
          failures.check(r < 3 + 1e-12, where);
          if (r < 3 / Math.cbrt(2)) halfway++;
        } else if (x < 0) halfway++;
      }
      const middle = name === 'box' ? [0, 2.25, 6] : name === 'disc' ? [1, 2, 3] : [-1, 0, 1];
      for (let axis = 0; axis < 3; axis++) expect(Math.abs(sum[axis] - middle[axis])).toBeLessThan(0.15);
      // Half of them lie in half of the area or volume.
      expect(Math.abs(halfway / 4000 - 0.5), name).toBeLessThan(0.03);
    }
    expect(failures.list).toEqual([]);
  });

  it('from arrays are as given, and change by no more than `vary` from the second generation on', () => {
    const position = Float32Array.from({ length: 30 }, (_, i) => i / 3);
    const velocity = Float64Array.from({ length: 30 }, (_, i) => -i / 7);
    const vary = { position: [0.5, 0, 1], velocity: [0, 2, 0] } as const;
    const setup = compileSetup({ count: 10, start: { position, velocity, life: 2, vary }, colliders: [] });
    const [first, later] = [new Float64Array(9), new Float64Array(9)];
    const seen = new Set<number>();
    for (let i = 0; i < 10; i++) {
      startOf(setup, i, 0, first);
      for (let k = 0; k < 3; k++) {
        expect(first[k]).toBe(position[3 * i + k]);
        expect(first[3 + k]).toBe(velocity[3 * i + k]);
      }
      for (let generation = 1; generation < 50; generation++) {
        startOf(setup, i, generation, later);
        const widths = [0.5, 0, 1, 0, 2, 0, 0, 0, 0];
        for (let k = 0; k < 9; k++)
          expect(Math.abs(later[k] - first[k])).toBeLessThanOrEqual(widths[k] + 1e-12);
        seen.add(later[0]);
      }
    }
    expect(seen.size).toBeGreaterThan(450);
  });
});

describe('paths', () => {
  it('are within four roundings of exact fractions', () => {
    const random = createRandom(5);
    const path = new Float64Array(9);
    const place = new Float64Array(3);
    for (let i = 0; i < 2000; i++) {
      for (let k = 0; k < 9; k++) path[k] = random.between(-8, 8);
      const sigma = random.between(0, 4);
      placeOn(path, sigma, place);
      for (let axis = 0; axis < 3; axis++) {
        const s = exactly(sigma);
        const unit = 1n << 1100n;
        const a = exactly(0.5 * path[6 + axis]);
        const exact =
          exactly(path[axis]) + (exactly(path[3 + axis]) * s) / unit + (((a * s) / unit) * s) / unit;
        const size =
          Math.abs(path[axis]) + Math.abs(path[3 + axis]) * sigma + Math.abs(path[6 + axis]) * sigma * sigma;
        const off = exactly(place[axis]) - exact;
        expect((off < 0n ? -off : off) <= exactly(4 * 2 ** -53 * size), `seed 5/${i}`).toBe(true);
      }
    }
  });

  it('give the state at any time without stepping, a million lives on too', () => {
    const position = Float64Array.of(1, 2, 3);
    const velocity = Float64Array.of(4, -1, 0.5);
    const particles = nf.particlesSync({
      count: 1,
      start: { position, velocity, life: 2, birth: 0.5 },
      acceleration: [0, 0, -8],
      colliders: [],
    });
    for (const lives of [0, 3, 1_000_000]) {
      const state = particles.stateSync(0.5 + 2 * lives + 1.25);
      expect(Array.from(state.position)).toEqual([6, 0.75, 3 + 0.625 - 6.25]);
      expect(Array.from(state.velocity)).toEqual([4, -1, -9.5]);
      expect(state.generation[0]).toBe(lives);
      expect(state.alive[0]).toBe(1);
    }
    const unborn = particles.stateSync(0.25);
    expect([unborn.alive[0], ...unborn.position]).toEqual([0, 1, 2, 3]);
    particles.close();
  });
});

describe('turns', () => {
  it('have sines and cosines to 2^-52, and exact quarters', () => {
    const random = createRandom(7);
    const failures = new Failures();
    for (let i = 0; i < 5000; i++) {
      const turns = random.between(-2, 2) * (i % 2 === 0 ? 1 : 2 ** -20);
      turnBy(turns);
      const where = () => `seed 7/${i}: ${turns} turns`;
      failures.check(Math.abs(turned[0] - Math.sin(turns * 2 * Math.PI)) < 2e-15, where);
      failures.check(Math.abs(turned[1] - Math.cos(turns * 2 * Math.PI)) < 2e-15, where);
      failures.check(Math.abs(turned[0] * turned[0] + turned[1] * turned[1] - 1) < 2 ** -51, where);
    }
    expect(failures.list).toEqual([]);
    for (let quarter = -8; quarter < 8; quarter++) {
      turnBy(quarter / 4);
      expect(Math.abs(turned[0]) + Math.abs(turned[1])).toBe(1);
    }
  });

  it('take places to the world and back, and move them as their velocity says', () => {
    const random = createRandom(8);
    const motion = compileMotion(
      { velocity: [1, 2, -1], acceleration: [0, -1, 0.5], pivot: [0.5, 1, 2], turn: [1, 2, -0.5], at: 0.3 },
      'this',
    ) as CompiledMotion;
    const [own, world, back, later, velocity] = Array.from({ length: 5 }, () => new Float64Array(3));
    for (let i = 0; i < 500; i++) {
      for (let axis = 0; axis < 3; axis++) own[axis] = random.between(-3, 3);
      const [birth, since] = [random.integer(1000) / 8, random.between(0, 4)];
      toWorld(motion, birth, since, own, world);
      toOwn(motion, birth, since, world, back);
      velocityAt(motion, birth, since, world, velocity);
      toWorld(motion, birth, since + 1e-6, own, later);
      for (let axis = 0; axis < 3; axis++) {
        const size = 1 + Math.abs(world[axis]) + birth * birth;
        expect(Math.abs(back[axis] - own[axis])).toBeLessThan(1e-14 * size);
        expect(Math.abs((later[axis] - world[axis]) / 1e-6 - velocity[axis])).toBeLessThan(
          1e-8 * size + 1e-4,
        );
      }
    }
    // As given at the time `at`.
    toWorld(motion, 0.3, 0, own, world);
    for (let axis = 0; axis < 3; axis++) expect(world[axis]).toBeCloseTo(own[axis], 14);
  });

  it('are as precise late as early', () => {
    const motion = compileMotion({ turn: [0, 0, 2 * Math.PI * 0.7], at: 0 }, 'this') as CompiledMotion;
    const rate = motion.turnsPerSecond;
    for (const birth of [3, 1e6, 2 ** 40]) {
      const unit = 1n << 1100n;
      const turns = (exactly(rate) * exactly(birth)) / unit;
      const exact = Number(((turns % unit) * (1n << 60n)) / unit) * 2 ** -60;
      const off = Math.abs(turnsAtBirth(motion, birth) - exact);
      expect(Math.min(off, Math.abs(1 - off))).toBeLessThan(2 ** -51);
    }
  });
});
