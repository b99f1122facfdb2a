// Windows of time, however split, give every impact once: joined, longer than lives, backwards, ahead.

import {
  type Collider,
  type CpuNearfield,
  type CpuParticles,
  type Impacts,
  open,
  type ParticleOptions,
} from 'nearfield';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRandom } from '../../packages/nearfield/src/shapes/random.ts';
import { slow } from '../spec/particle-paths.ts';

if (slow) vi.setConfig({ testTimeout: 600_000 });

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const colliders: readonly Collider[] = [
  { plane: { point: [0, 0, 0], normal: [0, 0, 1] } },
  { sphere: { centre: [0.5, 0.3, 0.8], radius: 0.6 } },
  { plane: { point: [-0.6, 0, 1], normal: [1, 0, 1], right: [0, 1, 0] }, within: { disc: 0.7 } },
  {
    quadric: [4, 4, 0, 0, 0, 0, 0, 0, 0, -1],
    bounds: [
      { normal: [0, 0, 1], offset: 1.2 },
      { normal: [0, 0, -1], offset: 0 },
    ],
  },
];

const options: ParticleOptions = {
  count: slow ? 20_000 : 2500,
  seed: 5,
  start: {
    from: {
      box: [
        [-1.5, -1.5, 2],
        [1.5, 1.5, 3],
      ],
    },
    velocity: {
      box: [
        [-0.5, -0.5, -2],
        [0.5, 0.5, 0],
      ],
    },
    life: [1.2, 2.3],
  },
  acceleration: [0, 0, -9.81],
  colliders,
  response: { kind: 'bounce', restitution: 0.6, friction: 0.2, restSpeed: 0.2 },
};

/** Numbers per impact in a row: time, particle, generation and bounce first. */
const width = 14;

/** All numbers of all impacts, row after row. */
function rowsOf(...all: readonly Impacts[]): Float64Array {
  const rows = new Float64Array(width * all.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const impacts of all) {
    const { time, particle, generation, bounce, collider, place, velocity, speed, normalSpeed, outcome } =
      impacts;
    for (let i = 0; i < impacts.count; i++, at += width) {
      rows[at] = time[i];
      rows[at + 1] = particle[i];
      rows[at + 2] = generation[i];
      rows[at + 3] = bounce[i];
      rows[at + 4] = collider[i];
      for (let k = 0; k < 3; k++) {
        rows[at + 5 + k] = place[3 * i + k];
        rows[at + 8 + k] = velocity[3 * i + k];
      }
      rows[at + 11] = speed[i];
      rows[at + 12] = normalSpeed[i];
      rows[at + 13] = outcome[i];
    }
  }
  return rows;
}

/** Fails at the first row that differs; compares bits, except for the sign of 0. */
function expectSame(rows: Float64Array, expected: Float64Array, what = ''): void {
  const first = rows.findIndex((value, i) => value !== expected[i]);
  if (first >= 0) {
    const row = Math.floor(first / width);
    const at = (all: Float64Array) => all.subarray(width * row, width * (row + 1)).join(' ');
    expect.fail(`${what}: impact ${row} is ${at(rows)} and not ${at(expected)}`);
  }
  expect(rows.length / width, what).toBe(expected.length / width);
}

function reversed(rows: Float64Array): Float64Array {
  const out = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at += width) {
    out.set(rows.subarray(at, at + width), rows.length - width - at);
  }
  return out;
}

const make = (count = options.count): CpuParticles => nf.particlesSync({ ...options, count });
/** Enough where many systems are made, or much is asked of one. */
const few = options.count / 5;
const end = 6.5;

/** Borders of uneven windows from 0 to the end: some are a millionth of a second, some several lives long. */
function borders(seed: number, count: number): number[] {
  const random = createRandom(seed);
  const inner = Array.from({ length: count }, () => random.next() * end);
  for (let i = 0; i < count / 10; i++) inner.push(Math.min(end, inner[i] + 1e-6));
  return [0, ...inner.sort((a, b) => a - b), end];
}

test('random windows joined equal one window, in order, none lost and none repeated', () => {
  const whole = make();
  const all = rowsOf(whole.impactsSync(0, end));
  expect(all.length).toBeGreaterThan(3 * options.count * width);
  for (let at = width; at < all.length; at += width) {
    const differs = [0, 1, 2, 3].find(k => all[at - width + k] !== all[at + k]) ?? 0;
    if (!(all[at - width + differs] < all[at + differs])) expect.fail(`impact ${at / width} is out of order`);
  }
  for (const seed of [1, 2]) {
    const cuts = borders(seed, 200);
    const [stepped, asked] = [make(), make()];
    const advanced = cuts.slice(1).map(to => stepped.advanceSync(to));
    expectSame(rowsOf(...advanced), all, `seed ${seed}, advanced`);
    const windows = cuts.slice(1).map((to, i) => asked.impactsSync(cuts[i], to));
    expectSame(rowsOf(...windows), all, `seed ${seed}, windows`);
    expect(windows.every(({ count }, i) => count === advanced[i].count)).toBe(true);
    stepped.close();
    asked.close();
  }
  whole.close();
});

test('windows in any order give the same as alone', () => {
  const particles = make(few);
  const cuts = borders(3, 40);
  const alone = cuts.slice(1).map((to, i) => rowsOf(make(few).impactsSync(cuts[i], to)));
  const random = createRandom(4);
  for (let round = 0; round < (slow ? 200 : 20); round++) {
    const i = random.integer(cuts.length - 1);
    expectSame(rowsOf(particles.impactsSync(cuts[i], cuts[i + 1])), alone[i], `window ${i}`);
  }
  particles.close();
});

test('backwards gives the reverse, by windows and by steps', () => {
  const particles = make(few);
  const all = rowsOf(particles.impactsSync(0, end));
  expectSame(rowsOf(particles.impactsSync(end, 0)), reversed(all), 'backwards');
  const cuts = borders(6, 60).reverse();
  particles.seek(end);
  expect(particles.time).toBe(end);
  const back = cuts.slice(1).map(to => particles.advanceSync(to));
  expectSame(rowsOf(...back), reversed(all), 'back');
  const forth = [...cuts]
    .reverse()
    .slice(1)
    .map(to => particles.advanceSync(to));
  expectSame(rowsOf(...forth), all, 'forth');
  particles.close();
});

test('to and fro: a border belongs to one side', () => {
  const particles = make(few);
  const all = rowsOf(particles.impactsSync(0, end));
  // Windows that end exactly at an impact's time: it belongs to the one that begins there.
  for (const i of [10, 500, 2000]) {
    const time = all[width * i];
    const [before, behind] = [particles.impactsSync(0, time), particles.impactsSync(time, end)];
    expectSame(rowsOf(before, behind), all);
    expect(behind.time[0]).toBe(time);
    expect(before.time[before.count - 1]).toBeLessThan(time);
  }
  particles.close();
});

test('look-ahead gives impacts that much earlier', () => {
  const [now, ahead] = [make(few), make(few)];
  const lookAhead = 0.25;
  ahead.seek(0, { lookAhead });
  const early = ahead.advanceSync(1);
  expectSame(rowsOf(early), rowsOf(now.impactsSync(lookAhead, 1 + lookAhead)));
  expectSame(rowsOf(ahead.advanceSync(1.5)), rowsOf(now.impactsSync(1 + lookAhead, 1.5 + lookAhead)));
  now.close();
  ahead.close();
});

test('seek, then advance', () => {
  const particles = make(few);
  particles.seek(3);
  expectSame(rowsOf(particles.advanceSync(3.5)), rowsOf(particles.impactsSync(3, 3.5)));
  particles.seek(1);
  expectSame(rowsOf(particles.advanceSync(1.125)), rowsOf(particles.impactsSync(1, 1.125)));
  expect(particles.advanceSync(1.125).count).toBe(0);
  particles.close();
});

test('far in the future: no precision is lost after a million lives', () => {
  const particles = make(few);
  const far = 2 ** 21;
  const impacts = particles.impactsSync(far, far + 0.5);
  const near = particles.impactsSync(10, 10.5);
  expect(impacts.count / near.count).toBeGreaterThan(0.8);
  expect(impacts.count / near.count).toBeLessThan(1.25);
  const halves = [particles.impactsSync(far, far + 0.125), particles.impactsSync(far + 0.125, far + 0.5)];
  expectSame(rowsOf(...halves), rowsOf(impacts));
  particles.close();
});
