// Tiles against brute force: boxes hold every world double, every pair whose boxes meet belongs to one tile that has both
// bodies, and the work is shared out.

import { applyPose, mesh, type Pose } from 'nearfield';
import { createRandom, icosphere } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import { worldPositions } from '../severity/rounding/drawn-in.ts';
import { boxSize, writeBox } from './boxes.ts';
import { makespan } from './schedule.ts';
import { type Divided, divideInto, owns } from './tiles.ts';

const shapes = [1, 2, 3].map(frequency => icosphere({ radius: 0.4 * frequency, frequency }));
const empty = mesh(new Float64Array(0), new Uint32Array(0));

function randomPose(random: ReturnType<typeof createRandom>, reach: number): Pose {
  const pose = Float64Array.from({ length: 16 }, () => random.between(-1, 1));
  for (const i of [3, 7, 11]) pose[i] = 0;
  pose[15] = 1;
  for (const i of [12, 13, 14]) pose[i] = random.between(-reach, reach);
  return pose;
}

function randomDivided(seed: number, count: number, clearance: number, frameCount = 0): Divided {
  const random = createRandom(seed);
  const bodies = Array.from({ length: count }, (_, i) => ({
    mesh: i % 17 === 5 ? empty : shapes[random.integer(3)],
    ...(i % 7 === 0 ? {} : { pose: randomPose(random, 6) }),
  }));
  const frames = Array.from(
    { length: frameCount },
    () => new Map(bodies.flatMap((_, i) => (random.next() < 0.3 ? [[i, randomPose(random, 6)]] : []))),
  );
  return { bodies, clearance, ...(frameCount > 0 && { motion: { isMotion: true, frames } }) };
}

describe('boxes', () => {
  it('hold every world position, at all magnitudes', () => {
    const random = createRandom(7);
    const box = new Float64Array(boxSize);
    const out: string[] = [];
    for (let round = 0; round < 400; round++) {
      const scale = 2 ** random.between(-300, 300);
      const pose = randomPose(random, 10 ** random.between(-3, 9)).map((value, i) =>
        i % 4 === 3 ? value : value * scale,
      );
      const shape = shapes[round % 3];
      writeBox(shape, pose, 0, box, 0);
      worldPositions(shape, pose).forEach((value, i) => {
        if (!(box[i % 3] <= value && value <= box[(i % 3) + 3])) out.push(`round ${round}, number ${i}`);
      });
    }
    expect(out).toEqual([]);
  });

  it('meet if the bodies are closer than the clearance', () => {
    const random = createRandom(8);
    const [p, q] = [new Float64Array(boxSize), new Float64Array(boxSize)];
    const point = mesh(new Float64Array(9), new Uint32Array([0, 1, 2]));
    const out: number[] = [];
    for (let round = 0; round < 2000; round++) {
      const at = Float64Array.from({ length: 3 }, () => random.between(-1, 1) * 10 ** random.between(-9, 9));
      const clearance = 10 ** random.between(-12, 6);
      // Just closer, along one axis.
      const to = at.slice();
      to[round % 3] += clearance * (1 - 2 ** -40);
      const poseAt = (x: Float64Array) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...x, 1);
      if (!(to[round % 3] - at[round % 3] < clearance)) continue;
      writeBox(point, poseAt(at), clearance / 2, p, 0);
      writeBox(point, poseAt(to), clearance / 2, q, 0);
      if (![0, 1, 2].every(axis => p[axis] <= q[axis + 3] && q[axis] <= p[axis + 3])) out.push(round);
    }
    expect(out).toEqual([]);
  });
});

describe('tiles', () => {
  const cases: readonly [number, number, number, number, number][] = [
    [11, 60, 0, 0, 1],
    [12, 60, 0.5, 0, 2],
    [13, 90, 0, 0, 7],
    [14, 90, 1, 0, 16],
    [15, 40, 0.3, 6, 5],
    [16, 40, 0, 3, 9],
    [17, 4, 20, 0, 16],
  ];

  it.each(cases)('seed %i: every pair that may meet has one tile with both bodies', (...given) => {
    const [seed, count, clearance, frameCount, tileCount] = given;
    const divided = randomDivided(seed, count, clearance, frameCount);
    const tiles = divideInto(divided, tileCount);
    expect(tiles.length).toBe(tileCount);
    const wrong: string[] = [];
    let meeting = 0;
    for (let frame = 0; frame < Math.max(frameCount, 1); frame++) {
      const boxes = divided.bodies.map(({ mesh: shape, pose }, i) => {
        const box = new Float64Array(boxSize);
        writeBox(shape, divided.motion?.frames[frame].get(i) ?? pose, clearance / 2, box, 0);
        return box;
      });
      const inFrame = tiles.filter(({ firstFrame, endFrame }) => firstFrame <= frame && frame < endFrame);
      for (let a = 0; a < count; a++) {
        for (let b = a + 1; b < count; b++) {
          const [p, q] = [boxes[a], boxes[b]];
          if (![0, 1, 2].every(axis => p[axis] <= q[axis + 3] && q[axis] <= p[axis + 3])) continue;
          meeting++;
          const owners = inFrame.filter(({ space }) => owns(space, p, q));
          if (owners.length !== 1) wrong.push(`${a} ${b}: ${owners.length} owners in frame ${frame}`);
          if (inFrame.some(({ space }) => owns(space, p, q) !== owns(space, q, p)))
            wrong.push(`${a} ${b}: order`);
          for (const { bodies } of owners)
            if (!bodies.includes(a) || !bodies.includes(b)) wrong.push(`${a} ${b}: not members`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(meeting).toBeGreaterThan(0);
  });

  it('share out the work: 16 tiles of a grid of equal parts differ by less than a third', () => {
    const bodies = Array.from({ length: 16 ** 3 }, (_, i) => ({
      mesh: shapes[0],
      pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i % 16, (i >> 4) % 16, i >> 8, 1),
    }));
    const work = divideInto({ bodies, clearance: 0 }, 16).map(tile => tile.work);
    expect(Math.max(...work)).toBeLessThan((4 / 3) * Math.min(...work));
  });

  it('are the same whatever ran before', () => {
    const divided = randomDivided(21, 80, 0.2, 4);
    const once = JSON.stringify(divideInto(divided, 12));
    divideInto(randomDivided(22, 50, 0), 3);
    expect(JSON.stringify(divideInto(randomDivided(21, 80, 0.2, 4), 12))).toBe(once);
  });
});

/** The world positions that tests compare with are those of the library's own function. */
it('compares with the doubles that every question is about', () => {
  const out = new Float64Array(3);
  const pose = randomPose(createRandom(5), 3);
  const { positions } = shapes[0];
  applyPose(pose, positions[0], positions[1], positions[2], out, 0);
  expect([...worldPositions(shapes[0], pose).subarray(0, 3)]).toEqual([...out]);
});

it('schedules tiles as the queue gives them out', () => {
  expect(makespan([3, 3, 2, 2, 2], 2)).toBe(7);
  expect(makespan([5, 1, 1], 8)).toBe(5);
  expect(makespan([], 4)).toBe(0);
});
