// The roundings of bodies in the frames of a motion, against a search through all frames.

import { roundingAt } from '@nearfield/io';
import { box, createRandom } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import { finish } from '../steps/steps.ts';
import { BodiesInFrames } from './bodies-in-frames.ts';
import type { Frame } from './poses.ts';

const shifted = (x: number, y: number) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1);

const random = createRandom(5);
const bodies = Array.from({ length: 12 }, (_, i) => ({
  ...{ name: `part ${i}`, file: 'parts.obj', mesh: box() },
  // Some formats do not say how they round.
  rounding: i % 5 === 4 ? undefined : 1e-7 * (1 + i),
  pose: i % 3 === 0 ? undefined : shifted(i, 0),
}));
// A body is in all frames, in some, in none, or stands in one as its file has it.
const frames: Frame[] = Array.from({ length: 7 }, (_, frame) => {
  const place = (i: number) => (i === 1 && frame === 2 ? shifted(1, 0) : shifted(1e3 * random.next(), i));
  const named = bodies.flatMap((__, i) =>
    i < 3 || (i < 9 && (frame + i) % 3 === 0) ? [[i, place(i)] as const] : [],
  );
  return new Map(named);
});

const roundingIn = (frame: number, i: number): number | undefined => {
  const pose = frames[frame].get(i);
  const own = bodies[i].pose ?? shifted(0, 0);
  return pose === undefined || pose.every((value, k) => value === own[k])
    ? bodies[i].rounding
    : roundingAt(bodies[i], pose);
};

describe('roundings of bodies in frames', () => {
  it('are those of where each frame places them, in any order of frames', () => {
    const placed = new BodiesInFrames(bodies, frames);
    for (const frame of [3, 0, 6, 6, 1, 2, 5, 4]) {
      const given = placed.at(frame);
      expect(given.map(({ rounding }) => rounding)).toEqual(bodies.map((_, i) => roundingIn(frame, i)));
      expect(given.map(({ mesh, name }) => ({ mesh, name }))).toEqual(
        bodies.map(({ mesh, name }) => ({ mesh, name })),
      );
    }
    expect(bodies[0].rounding).toBe(1e-7);
  });

  it('have a least one among all frames', () => {
    const least = bodies.map((_, i) => {
      const all = frames.map((__, frame) => roundingIn(frame, i));
      return all[0] === undefined ? undefined : Math.min(...(all as number[]));
    });
    expect(finish(new BodiesInFrames(bodies, frames).leastRoundings())).toEqual(least);
    // The file's own place counts only in frames that leave a body there.
    expect(least[2]).toBeGreaterThan(bodies[2].rounding!);
  });
});
