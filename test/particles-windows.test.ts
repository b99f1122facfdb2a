// Windows of time, however cut, give every impact once: joined, longer than lives, backwards, ahead.

import {
  type Collider,
  type Impacts,
  type Nearfield,
  open,
  type ParticleOptions,
  type Particles,
} from 'nearfield';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../packages/nearfield/src/mesh/shapes/random.ts';
import { slow } from './spec/particle-paths.ts';

let nf: Nearfield;
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
  count: slow ? 20_000 : 5000,
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

/** All numbers of all impacts, one after the other. */
function rowsOf(...all: Impacts[]): number[][] {
  return all.flatMap(impacts =>
    Array.from({ length: impacts.count }, (_, i) => [
      ...[
        impacts.time[i],
        impacts.particle[i],
        impacts.generation[i],
        impacts.bounce[i],
        impacts.collider[i],
      ],
      ...impacts.place.subarray(3 * i, 3 * i + 3),
      ...impacts.velocity.subarray(3 * i, 3 * i + 3),
      ...[impacts.speed[i], impacts.normalSpeed[i], impacts.outcome[i]],
    ]),
  );
}

const make = (): Particles => nf.particlesSync(options);
const end = 6.5;

/** Borders of uneven windows from 0 to the end: some a millionth of a second, some several lives long. */
function borders(seed: number, count: number): number[] {
  const random = createRandom(seed);
  const inner = Array.from({ length: count }, () => random.next() * end);
  for (let i = 0; i < count / 10; i++) inner.push(Math.min(end, inner[i] + 1e-6));
  return [0, ...inner.sort((a, b) => a - b), end];
}

test('random windows joined are one window, in order, none lost and none twice', () => {
  const whole = make();
  const all = rowsOf(whole.impactsSync(0, end));
  expect(all.length).toBeGreaterThan(3 * options.count);
  for (let i = 1; i < all.length; i++) {
    const [p, q] = [all[i - 1], all[i]];
    const order = p[0] - q[0] || p[1] - q[1] || p[2] - q[2] || p[3] - q[3];
    if (!(order < 0)) expect.fail(`impacts ${i - 1} and ${i} are out of order: ${p} and ${q}`);
  }
  for (const seed of [1, 2]) {
    const cuts = borders(seed, 200);
    const [stepped, asked] = [make(), make()];
    const advanced = cuts.slice(1).map(to => stepped.advanceSync(to));
    expect(rowsOf(...advanced), `seed ${seed}`).toEqual(all);
    const windows = cuts.slice(1).map((to, i) => asked.impactsSync(cuts[i], to));
    expect(rowsOf(...windows), `seed ${seed}`).toEqual(all);
    expect(windows.every(({ count }, i) => count === advanced[i].count)).toBe(true);
    stepped.close();
    asked.close();
  }
  whole.close();
});

test('windows in any order give what they give alone', () => {
  const particles = make();
  const cuts = borders(3, 40);
  const alone = cuts.slice(1).map((to, i) => rowsOf(make().impactsSync(cuts[i], to)));
  const random = createRandom(4);
  for (let round = 0; round < 60; round++) {
    const i = random.integer(cuts.length - 1);
    expect(rowsOf(particles.impactsSync(cuts[i], cuts[i + 1]))).toEqual(alone[i]);
  }
  particles.close();
});

test('backwards: the same in reverse, by windows and by steps', () => {
  const particles = make();
  const all = rowsOf(particles.impactsSync(0, end));
  expect(rowsOf(particles.impactsSync(end, 0))).toEqual([...all].reverse());
  const cuts = borders(6, 60).reverse();
  particles.seek(end);
  expect(particles.time).toBe(end);
  const back = cuts.slice(1).map(to => particles.advanceSync(to));
  expect(rowsOf(...back)).toEqual([...all].reverse());
  const forth = [...cuts]
    .reverse()
    .slice(1)
    .map(to => particles.advanceSync(to));
  expect(rowsOf(...forth)).toEqual(all);
  particles.close();
});

test('to and fro: a border is on one side of it', () => {
  const particles = make();
  const all = rowsOf(particles.impactsSync(0, end));
  // Windows that end exactly at an impact's time: it belongs to the one that begins there.
  for (const i of [10, 500, 2000]) {
    const time = all[i][0];
    const before = rowsOf(particles.impactsSync(0, time));
    const behind = rowsOf(particles.impactsSync(time, end));
    expect([...before, ...behind]).toEqual(all);
    expect(behind[0][0]).toBe(time);
    expect(before.every(row => row[0] < time)).toBe(true);
  }
  particles.close();
});

test('look-ahead: what comes is known as much earlier', () => {
  const [now, ahead] = [make(), make()];
  const lookAhead = 0.25;
  ahead.seek(0, { lookAhead });
  const early = ahead.advanceSync(1);
  expect(rowsOf(early)).toEqual(rowsOf(now.impactsSync(lookAhead, 1 + lookAhead)));
  expect(rowsOf(ahead.advanceSync(1.5))).toEqual(rowsOf(now.impactsSync(1 + lookAhead, 1.5 + lookAhead)));
  now.close();
  ahead.close();
});

test('seek, then advance', () => {
  const particles = make();
  particles.seek(3);
  expect(rowsOf(particles.advanceSync(3.5))).toEqual(rowsOf(particles.impactsSync(3, 3.5)));
  particles.seek(1);
  expect(rowsOf(particles.advanceSync(1.125))).toEqual(rowsOf(particles.impactsSync(1, 1.125)));
  expect(particles.advanceSync(1.125).count).toBe(0);
  particles.close();
});

test('far in the future: nothing is lost by a million lives', () => {
  const particles = make();
  const far = 2 ** 21;
  const impacts = particles.impactsSync(far, far + 0.5);
  const near = particles.impactsSync(10, 10.5);
  expect(impacts.count / near.count).toBeGreaterThan(0.8);
  expect(impacts.count / near.count).toBeLessThan(1.25);
  const halves = [particles.impactsSync(far, far + 0.125), particles.impactsSync(far + 0.125, far + 0.5)];
  expect(rowsOf(...halves)).toEqual(rowsOf(impacts));
  particles.close();
});
