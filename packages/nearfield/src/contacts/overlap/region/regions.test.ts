// Regions of solids made of unit cubes, with everything flush: volumes, areas and vectors by counting cubes and faces.

import { expect, test } from 'vitest';
import { toEnd } from '../../../core/waiting.ts';
import {
  BruteEngine,
  meetingTriangles,
  placedSoup,
  randomIntegers,
} from '../../../interferences/testing/brute-engine.ts';
import { type GridSolid, randomCubes } from '../../../interferences/testing/grid-solids.ts';
import { commonRegions, contactPatches } from '../../patches.ts';
import { Surface } from '../../surface.ts';
import { flatContacts } from '../../touch/flat.ts';
import { facing, volume } from './regions.ts';

const size = 3;

/** Visits the unit faces across each axis: whether A and B are below, and above. */
function forEachFace(
  a: GridSolid,
  b: GridSolid,
  visit: (axis: number, inA: [boolean, boolean], inB: [boolean, boolean]) => void,
): void {
  for (let axis = 0; axis < 3; axis++) {
    for (let x = -1; x <= size; x++) {
      for (let y = -1; y <= size; y++) {
        for (let z = -1; z <= size; z++) {
          const low = [x, y, z] as const;
          const high = low.map((c, i) => (i === axis ? c + 1 : c)) as [number, number, number];
          visit(axis, [a.inside(...low), a.inside(...high)], [b.inside(...low), b.inside(...high)]);
        }
      }
    }
  }
}

/**
 * How many groups the common cubes form: connected by faces within both, or by any common points of the closed solids.
 * Cubes, faces, edges and corners are points given in halves; each meets those a half away along one axis.
 */
function groupCount(a: GridSolid, b: GridSolid, closed: boolean): number {
  const key = (x: number, y: number, z: number): number => (x * 100 + y) * 100 + z;
  const left = new Map<number, readonly number[]>();
  for (let x = 0; x <= 2 * size; x++) {
    for (let y = 0; y <= 2 * size; y++) {
      for (let z = 0; z <= 2 * size; z++) {
        const odd = (x % 2) + (y % 2) + (z % 2);
        const inner = !a.onSurface(x, y, z) && !b.onSurface(x, y, z);
        if (!a.holds(x, y, z) || !b.holds(x, y, z) || !(closed || odd === 3 || (odd === 2 && inner)))
          continue;
        left.set(key(x, y, z), [x, y, z]);
      }
    }
  }
  let count = 0;
  for (const [first, start] of left) {
    if (!left.delete(first)) continue;
    const group = [start];
    for (const cell of group) {
      for (let axis = 0; axis < 3; axis++) {
        for (const step of [-1, 1]) {
          const [x, y, z] = cell.map((c, i) => (i === axis ? c + step : c));
          if (left.delete(key(x, y, z))) group.push([x, y, z]);
        }
      }
    }
    if (group.some(cell => cell.every(c => c % 2 === 1))) count++;
  }
  return count;
}

test('flush, overlapping and touching cubes have the counted volume, vector area, flat area and number of regions', {
  timeout: 600_000,
}, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 800 : 8;
  let [overlapping, flat] = [0, 0];
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const [a, b] = [randomCubes(random, size), randomCubes(random, size)];
    const [placedA, placedB] = [placedSoup(a.triangles), placedSoup(b.triangles)];
    const pairs = meetingTriangles(placedA, placedB);
    const engine = new BruteEngine();
    const surfaces = [new Surface(engine, placedA), new Surface(engine, placedB)] as const;
    const touching = flatContacts(surfaces, pairs);
    const { regions } = toEnd(commonRegions(engine, surfaces, pairs, touching));
    const sum = [0, 0, 0, 0];
    for (const region of regions) {
      if (!region) continue;
      sum[3] += region.sums[volume];
      for (let axis = 0; axis < 3; axis++) sum[axis] += region.sums[facing + axis];
    }
    const expected = [0, 0, 0, 0];
    let flatArea = 0;
    forEachFace(a, b, (axis, inA, inB) => {
      if (axis === 0 && inA[0] && inB[0]) expected[3]++;
      const [faceA, faceB] = [inA[0] !== inA[1], inB[0] !== inB[1]];
      const out = inA[0] ? 1 : -1;
      // A's faces in B count once; faces of both that face the same way count half.
      if (faceA && inB[0] && inB[1]) expected[axis] += out;
      if (faceA && faceB && inA[0] === inB[0]) expected[axis] += out / 2;
      if (faceA && faceB && inA[0] !== inB[0]) flatArea++;
    });
    sum.forEach((value, i) => {
      expect(value, `seed ${seed}, sum ${i}`).toBeCloseTo(expected[i], 9);
    });
    expect(
      touching.patches.reduce((total, patch) => total + patch.area, 0),
      `seed ${seed}`,
    ).toBeCloseTo(flatArea, 9);
    const count = regions.filter(region => region !== undefined).length;
    // Cubes that share only an edge or a corner, or are connected by a face in which the solids touch, may be one
    // region.
    expect(count, `seed ${seed}`).toBeLessThanOrEqual(groupCount(a, b, false));
    expect(count, `seed ${seed}`).toBeGreaterThanOrEqual(groupCount(a, b, true));
    const patches = contactPatches(engine, placedA, placedB, pairs);
    expect(patches.length > 0, `seed ${seed}`).toBe(pairs.length > 0 || expected[3] > 0);
    for (const { normal, depth, area, points } of patches) {
      expect(Math.hypot(...normal), `seed ${seed}`).toBeCloseTo(1, 12);
      expect(depth >= 0 && area >= 0 && points.length > 0 && points.length <= 4, `seed ${seed}`).toBe(true);
      const total = points.reduce((part, point) => part + point.area, 0);
      expect(total, `seed ${seed}`).toBeCloseTo(area, 9);
    }
    if (expected[3] > 0) overlapping++;
    if (flatArea > 0) flat++;
  }
  expect(Math.min(overlapping, flat)).toBeGreaterThan(rounds / 4);
});
