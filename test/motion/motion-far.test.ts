// Motions far from the origin: how near two bodies may pass and still be told from touching is a share of their size, not of
// their coordinates. A box of 6 by 8 turns about its centre, so that a corner comes to lie 5 to the right of it for a moment, on
// integers. A wall stands there, or as near to it as doubles can place it.

import { type Body, type CpuScene, type FirstContact, open, shapes } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const box = shapes.box({ size: [6, 8, 2] });
const wall = shapes.box({ size: [2, 12, 12] });
const size = Math.hypot(2, 12, 12);

const at = (x: number, y: number, z: number) =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
/** A quarter turn clockwise about z, then a translation. */
const quarter = (x: number, y: number, z: number) =>
  Float64Array.of(0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, x, y, z, 1);

type Ask<T> = (scene: CpuScene, body: Body, place: readonly [number, number, number]) => Promise<T>;

const ways: Record<string, Ask<FirstContact[]>> = {
  'a turn': (scene, body, place) => scene.firstContact({ bodies: [{ body, to: quarter(...place) }] }),
  'a screw motion': (scene, body, place) =>
    scene.firstContact({ bodies: [{ body, to: quarter(...place), path: 'screw' }] }),
  'a chain of joints': (scene, body, place) => {
    // Out to the place by a long arm that does not turn, and a slide that takes part of the way back.
    const base = {
      origin: at(2 * place[0], place[1], 0),
      kind: 'turn',
      axis: [0, 1, 1],
      from: 0,
      to: 0,
    } as const;
    const rail = { origin: at(0, 0, place[2]), kind: 'slide', axis: [-1, 0, 0] } as const;
    const wrist = { origin: at(0, 0, 0), kind: 'turn', axis: [0, 0, -3] } as const;
    const joints = [base, { ...rail, from: place[0], to: place[0] }, { ...wrist, from: 0, to: Math.PI / 2 }];
    return scene.firstContact({ bodies: [{ body, joints }] });
  },
};

async function ask<T>(distance: number, beside: number, question: Ask<T>): Promise<T> {
  const scene = nf.scene() as CpuScene;
  const place = [distance, 2 * distance, -distance] as const;
  const body = scene.add(box, { pose: at(...place) });
  scene.add(wall, { pose: at(place[0] + 6 + beside, place[1], place[2]) });
  try {
    return await question(scene, body, place);
  } finally {
    scene.close();
  }
}

/** When the corner (3, 4) comes to lie at (5, 0). */
const time = Math.atan2(4, 3) / (Math.PI / 2);

describe.each([0, 1e3, 1e6, 1e9])('%d sizes from the origin', sizes => {
  const distance = Math.round(sizes * size);
  // As near as doubles can place the wall, but not so near that it counts as touching. Doubles there are multiples of the first.
  const finest = 2 ** (Math.floor(Math.log2(distance + 6)) - 52);
  const grid = Math.max(finest, Math.ceil((2 ** -36 * size) / finest) * finest);
  it.each(Object.entries(ways))('%s', async (_, question) => {
    const [touching] = await ask(distance, 0, question);
    expect(touching.state).toBe('undecided');
    expect(touching.gap).toBeGreaterThan(0);
    expect(touching.gap).toBeLessThanOrEqual(2 ** -40 * size);
    expect(touching.time.from).toBeLessThanOrEqual(time);
    expect(touching.time.to).toBeGreaterThan(time - 1e-9);
    const [met] = await ask(distance, -grid, question);
    expect(met.state).toBe('contact');
    expect(met.time.to).toBeLessThan(time);
    // To be g deep in the top of a circle of radius 5, the corner touches √(2g/5) before, as an angle.
    expect(met.time.from).toBeGreaterThan(
      time - (Math.sqrt((2 * grid) / 5) * 1.01) / (Math.PI / 2) - 2 ** -22,
    );
    expect(await ask(distance, grid, question)).toEqual([]);
  });

  it('sweeps end, and nearest approaches are measured, as precisely', async () => {
    const swept = await ask(distance, -grid, (scene, body, place) =>
      scene.sweep({ bodies: [{ body, to: quarter(...place) }] }),
    );
    const [{ intervals }] = swept;
    expect(intervals.map(({ state }) => state)).toEqual(['contact']);
    // The circle is the same before and after.
    const [{ begins, ends }] = intervals;
    expect(0.5 * (begins.from + ends.to)).toBeCloseTo(time, 9);
    expect(ends.from).toBeGreaterThan(begins.to);
    const [near] = await ask(distance, grid, (scene, body, place) =>
      scene.nearestApproach({ bodies: [{ body, to: quarter(...place) }] }),
    );
    expect(near.distance.lower).toBeLessThanOrEqual(grid);
    expect(near.distance.upper).toBeGreaterThanOrEqual(grid);
    expect(near.distance.upper).toBeLessThan(1.001 * grid + 2 ** -40 * size);
    expect(near.time).toBeCloseTo(time, 6);
  });
});
