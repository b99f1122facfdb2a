// Compares intersection volumes by slices with other ways to know them: counting by hand, analytic lenses, exact
// winding numbers at every sample. Also checks that localisation, the order of bodies and exact translation do not
// matter.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { pointsInside, windingNumber } from '../../../inside/winding.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus, uvSphere } from '../../../shapes/index.ts';
import { samplePosition, wholeWindow } from '../grid.ts';
import { joined, place, volumeOf as volumeOnCpu } from '../testing/bodies.ts';
import type { IntersectionVolume } from '../volume.ts';
import { localise } from './localise.ts';
import { surroundings, type VolumeRequest } from './slices.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

const numbers = (seed: number) => {
  const random = createRandom(seed);
  return () => random.next();
};

const volumeOf = (bodies: readonly Placed[], request: VolumeRequest) =>
  volumeOnCpu(finderOf(engine), bodies, request);

const cube = (size: number) => box({ size: [size, size, size] });

describe('intersection volume', () => {
  it('counts two boxes on the grid exactly', () => {
    const a = place(cube(2));
    const b = place(cube(2), 1, 1, 1);
    const answer = volumeOf([a, b], { resolution: 8 });
    expect(answer.count).toBe(512);
    expect(answer.volume).toBe(1);
    expect(Array.from(answer.bounds)).toEqual([0.0625, 0.0625, 0.0625, 0.9375, 0.9375, 0.9375]);
    expect(answer.regions.length).toBe(1);
  });

  it('decides samples on faces, edges and corners once, whichever side the body lies on', () => {
    // Samples at multiples of 1: two half-open boxes side by side share none and leave none out.
    const grid = { box: [-3.5, -3.5, -3.5, 3.5, 3.5, 3.5], resolution: 7 };
    const whole = place(cube(4));
    const counts = [-1, 1].map(side => volumeOf([whole, place(cube(4), 2 * side)], grid).count);
    expect(counts[0] + counts[1]).toBe(volumeOf([whole, place(cube(8))], grid).count);
    expect(volumeOf([whole, place(cube(8))], grid).count).toBe(64);
  });

  it('finds the lens of two spheres within the volume of a shell of the tolerance', () => {
    const sphere = icosphere({ radius: 1, frequency: 32 });
    const answer = volumeOf([place(sphere), place(sphere, 1)], { tolerance: 0.02 });
    const lens = (Math.PI * 5) / 12;
    const area = 2 * Math.PI;
    // The faceted spheres lie within 0.001 of the round ones.
    expect(Math.abs(answer.volume - lens)).toBeLessThan(area * (answer.tolerance + 0.001));
    expect(Math.abs(answer.volume - lens) / lens).toBeLessThan(0.01);
  });

  it('counts bodies, not windings, if more than two overlap', () => {
    const flipped = [-1, 0, 0, 0, 1, 0, 0, 0, 1];
    const three = [place(cube(2)), place(cube(2), 0.5), place(cube(2), 1, 0, 0, flipped)];
    const answer = volumeOf(three, { resolution: 20 });
    // At least two of [-1, 1], [-0.5, 1.5], [0, 2] along x: from -0.5 to 1.5.
    expect(answer.volume).toBeCloseTo(2 * 2 * 2, 10);
  });

  it('finds where one body overlaps itself', () => {
    const answer = volumeOf([place(joined(cube(2), cube(2), 1))], { resolution: 12 });
    expect(answer.volume).toBeCloseTo(1 * 2 * 2, 10);
  });

  it('separates connected regions', () => {
    const ring = torus({ majorRadius: 2, minorRadius: 0.5 });
    const bar = box({ size: [8, 0.8, 0.8] });
    const answer = volumeOf([place(ring), place(bar)], { tolerance: 0.05 });
    expect(answer.regions.length).toBe(2);
    expect(answer.regions.reduce((sum, region) => sum + region.volume, 0)).toBeCloseTo(answer.volume, 10);
    for (const { bounds } of answer.regions) expect(bounds[0] * bounds[3]).toBeGreaterThan(0);
  });

  it('samples fewer points the more often boxes are narrowed', () => {
    // A ring and a bar through it: two regions far apart, in a box that is nearly empty.
    const bodies = [
      place(torus({ majorSegments: 24, minorSegments: 12 })),
      place(box({ size: [4, 0.3, 0.3] }), 0.1, 0.05, 0.02),
    ];
    const { grid, count } = volumeOf(bodies, { resolution: 48 });
    const sampled = [0, 1, 2, 4, 8].map(depth =>
      localise(bodies, grid, wholeWindow(grid), depth, surroundings(finderOf(engine))).reduce(
        (sum, { low, high }) => sum + [0, 1, 2].reduce((cells, i) => cells * (high[i] - low[i]), 1),
        0,
      ),
    );
    for (let i = 1; i < sampled.length; i++) expect(sampled[i]).toBeLessThanOrEqual(sampled[i - 1]);
    expect(sampled[4]).toBeLessThan(0.6 * sampled[0]);
    expect(sampled[4]).toBeGreaterThanOrEqual(count);
  });

  it('finds nothing if boxes are apart or only touch', () => {
    expect(volumeOf([place(cube(2)), place(cube(2), 5)], { resolution: 8 }).count).toBe(0);
    expect(volumeOf([place(cube(2)), place(cube(2), 2)], { resolution: 8 }).volume).toBe(0);
  });

  it.each([
    [{ tolerance: 1, resolution: 3 }, 'not both'],
    [{ tolerance: 0 }, 'tolerance'],
    [{ resolution: 1.5 }, 'resolution'],
    [{ box: [0, 0, 0, 0, 1, 1] }, 'box'],
    [{ localisation: -1 }, 'localisation'],
    [{ tolerance: 1e-9 }, 'samples'],
  ])('refuses %j', (request, word) => {
    expect(() => volumeOf([place(cube(2)), place(cube(2), 1)], request)).toThrow(word);
  });
});

/** Grid-aligned blocks glued into one closed surface, without the faces between two blocks. */
function randomBlocks(random: () => number, size: number): Mesh {
  const filled = new Set<number>();
  const key = (i: number, j: number, k: number) => (i * 8 + j) * 8 + k;
  for (let i = 1; i <= size; i++)
    for (let j = 1; j <= size; j++)
      for (let k = 1; k <= size; k++) if (random() < 0.4) filled.add(key(i, j, k));
  const positions: number[] = [];
  for (const cell of filled) {
    const at = [cell >> 6, (cell >> 3) & 7, cell & 7];
    for (let axis = 0; axis < 3; axis++) {
      for (const side of [0, 1]) {
        const beside = [...at];
        beside[axis] += side === 1 ? 1 : -1;
        if (filled.has(key(beside[0], beside[1], beside[2]))) continue;
        const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        const corner = (du: number, dv: number) => {
          const p = [...at];
          p[axis] += side;
          p[u] += du;
          p[v] += dv;
          return p;
        };
        const quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        if (side === 0) quad.reverse();
        for (const i of [0, 1, 2, 0, 2, 3]) positions.push(...quad[i]);
      }
    }
  }
  return mesh(Float64Array.from(positions));
}

describe('random closed surfaces', () => {
  const rounds = slow ? 400 : 10;

  it('have no leaks if faces, edges and corners lie on samples', () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const random = numbers(seed);
      const [a, b] = [place(randomBlocks(random, 3)), place(randomBlocks(random, 3), 0, 1, -1)];
      if (a.shape.mesh.triangleCount === 0 || b.shape.mesh.triangleCount === 0) continue;
      // Samples at integers and halves: many lie on the surfaces.
      const answer = volumeOf([a, b], { box: [-0.25, -0.25, -1.25, 5.75, 5.75, 5.75], resolution: 14 });
      const moved = new Float64Array(answer.points.length);
      // The rule for ties moves samples along x most, then y, then z. Any such step that is short enough reaches an
      // open region.
      for (let i = 0; i < moved.length; i++) moved[i] = answer.points[i] + 2 ** -(10 + 10 * (i % 3));
      expect(
        pointsInside(finderOf(engine), a, moved).every(place => place === 1),
        `seed ${seed}`,
      ).toBe(true);
      expect(
        pointsInside(finderOf(engine), b, moved).every(place => place === 1),
        `seed ${seed}`,
      ).toBe(true);
      expect(answer.count, `seed ${seed}`).toBe(countByWinding(answer, [a, b], true));
    }
  });

  it('agree with exact winding numbers at every sample', () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const random = numbers(1000 + seed);
      const turn = () => Array.from({ length: 9 }, () => 2 * random() - 1);
      const bodies = [
        place(torus({ minorRadius: 0.4, majorSegments: 9, minorSegments: 5 }), 0, 0, 0, turn()),
        place(uvSphere({ radius: 0.8 }), random(), random(), random() - 0.5, turn()),
      ];
      const answer = volumeOf(bodies, { resolution: 9 });
      expect(answer.count, `seed ${seed}`).toBe(countByWinding(answer, bodies, false));
      for (const localisation of [0, 1, 2, 6]) {
        const other = volumeOf(bodies, { resolution: 9, localisation });
        expect(other.points, `seed ${seed}, localisation ${localisation}`).toEqual(answer.points);
      }
      expect(volumeOf([bodies[1], bodies[0]], { resolution: 9 }).points, `seed ${seed}`).toEqual(
        answer.points,
      );
    }
  });

  it('are the same far from the origin if moved exactly', () => {
    const far = 2 ** 20;
    const near = volumeOf([place(cube(2)), place(torus({}), 0.5, 0.25, 0)], { tolerance: 0.05 });
    const away = volumeOf([place(cube(2), far), place(torus({}), far + 0.5, 0.25, 0)], { tolerance: 0.05 });
    // Positions of the torus are rounded there; the boxes' grids are not the same to the last bit.
    expect(Math.abs(away.count - near.count)).toBeLessThanOrEqual(0.002 * near.count);
  });

  /** With `moved`, samples that may lie on a surface are moved off it, as ties are decided. */
  function countByWinding(answer: IntersectionVolume, bodies: readonly Placed[], moved: boolean): number {
    const [nx, ny, nz] = answer.grid.dimensions;
    let count = 0;
    for (let i = 0; i < nx; i++) {
      for (let j = 0; j < ny; j++) {
        for (let k = 0; k < nz; k++) {
          const step = (axis: number) => (moved ? 2 ** -(10 + 10 * axis) : 0);
          const point = [i, j, k].map((at, axis) => samplePosition(answer.grid, axis, at) + step(axis));
          if (bodies.filter(body => windingNumber(finderOf(engine), body, point).winding !== 0).length >= 2)
            count++;
        }
      }
    }
    return count;
  }
});
