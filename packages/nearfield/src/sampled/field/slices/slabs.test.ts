// The sweep by slabs against columns of winding numbers and exact points in solids.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { pointsInside } from '../../../inside/winding.ts';
import { box, createRandom, icosphere, torus, uvSphere } from '../../../shapes/index.ts';
import { joined, place, volumeOf } from '../testing/bodies.ts';
import type { VolumeRequest } from './slices.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

const inBoth = (bodies: readonly Placed[], request: VolumeRequest) =>
  volumeOf(finderOf(engine), bodies, request);

describe('slabs', () => {
  it('find the points of columns, whatever the localisation', () => {
    for (let seed = 1; seed <= (slow ? 300 : 8); seed++) {
      const random = createRandom(seed);
      const turn = () => Array.from({ length: 9 }, () => random.between(-1, 1));
      const bodies = [
        place(torus({ minorRadius: 0.4, majorSegments: 11, minorSegments: 6 }), 0, 0, 0, turn()),
        place(uvSphere({ radius: 0.8 }), random.next(), random.next(), random.between(-0.5, 0.5), turn()),
        place(box({ size: [1, 1, 1] }), random.next(), 0, 0, turn()),
      ].slice(0, seed % 2 ? 2 : 3);
      const columns = inBoth(bodies, { resolution: 17 });
      for (const localisation of [0, 1, 3]) {
        const slabs = inBoth(bodies, { resolution: 17, localisation, form: 'slabs' });
        expect(slabs.points, `seed ${seed}, localisation ${localisation}`).toEqual(columns.points);
        expect(slabs.complete).toBe(true);
      }
      const inside = bodies.map(body => pointsInside(finderOf(engine), body, columns.points));
      for (let i = 0; i < columns.count; i++) {
        expect(inside.filter(places => places[i] === 1).length, `seed ${seed}`).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it('decide samples on faces, edges and corners as columns do', () => {
    const cube = box({ size: [2, 2, 2] });
    for (const shift of [0, 0.5, 1, 1.25]) {
      const bodies = [place(cube), place(cube, shift, 1, -shift)];
      const request = { box: [-2.25, -2.25, -2.25, 2.75, 2.75, 2.75], resolution: 10 };
      const slabs = inBoth(bodies, { ...request, form: 'slabs' });
      expect(slabs.points, `shift ${shift}`).toEqual(inBoth(bodies, request).points);
    }
  });

  it('say that parity leaves out what a body covers twice', () => {
    const twice = place(joined(box({ size: [2, 2, 2] }), box({ size: [2, 2, 2] }), 1));
    const other = place(box({ size: [8, 1, 1] }), 0.05, 0.03, 0.02);
    const request = { resolution: 24 };
    const columns = inBoth([twice, other], request);
    const slabs = inBoth([twice, other], { ...request, form: 'slabs' });
    expect([columns.complete, slabs.complete]).toEqual([true, false]);
    // The middle third, from 0 to 1 along x, has winding number 2.
    const inMiddle = (x: number) => x > 0 && x < 1;
    const kept = Array.from({ length: columns.count }, (_, i) => columns.points.subarray(3 * i, 3 * i + 3));
    expect(slabs.points).toEqual(Float64Array.from(kept.filter(([x]) => !inMiddle(x)).flatMap(p => [...p])));
    expect(kept.some(([x]) => inMiddle(x))).toBe(true);
    // Counting finds it: the body alone (section 5.1.3).
    const alone = inBoth([twice], { ...request, form: 'slabs' });
    expect(alone.points).toEqual(inBoth([twice], request).points);
    expect(alone.complete).toBe(true);
  });

  it('draw each triangle once per slab it passes through', () => {
    const ball = icosphere({ frequency: 6 });
    const bodies = [place(ball), place(ball, 1.2, 0.1, 0.05)];
    const coarse = inBoth(bodies, { resolution: 8, form: 'slabs' }).work;
    const fine = inBoth(bodies, { resolution: 32, form: 'slabs' }).work;
    expect(fine.triangles).toBeGreaterThan(coarse.triangles);
    // Triangles above the window are never drawn, those beside it neither.
    expect(coarse.triangles).toBeLessThan(2 * 2 * ball.triangleCount);
    expect(coarse.samples).toBeLessThan(fine.samples);
  });
});

describe('localisation', () => {
  it('fills fewer samples in several regions, and finds the same points', () => {
    // A ring through a bar: two common parts, far from each other.
    const bodies = [
      place(torus({ majorRadius: 2, minorRadius: 0.3, majorSegments: 40, minorSegments: 12 })),
      place(box({ size: [6, 0.4, 0.4] })),
    ];
    const found = [0, 1, 2, 4].map(localisation =>
      inBoth(bodies, { resolution: 60, localisation, form: 'slabs' }),
    );
    for (const answer of found) expect(answer.points).toEqual(found[0].points);
    const [none, one, two, four] = found.map(({ work }) => work);
    expect(none.regions).toBe(1);
    expect(one.samples).toBeLessThanOrEqual(none.samples);
    expect(two.regions).toBe(2);
    expect(two.samples).toBeLessThan(0.5 * none.samples);
    expect(four.samples).toBeLessThanOrEqual(two.samples);
    expect(found[0].regions.length).toBe(2);
  });
});
