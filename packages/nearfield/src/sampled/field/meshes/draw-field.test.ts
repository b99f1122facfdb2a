// Distance meshes against measuring every triangle: distances within the stated error, owners no farther than it allows,
// and the pieces themselves against the functions they approximate.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { toEnd } from '../../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus, torusKnot } from '../../../shapes/index.ts';
import { type FieldOptions, fieldTask, sampleField } from '../distance/sample-field.ts';
import { noOwner, type RawField } from '../field.ts';
import { samplePosition } from '../grid.ts';
import { place } from '../testing/bodies.ts';
import { nearestByHand } from '../testing/nearest.ts';
import { slivers } from '../testing/slivers.ts';
import { drawField } from './draw-field.ts';
import { At, SiteKinds, siteNumbers } from './site.ts';
import { sitesOf } from './sites.ts';
import { tessellate } from './tessellate.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

function drawn(body: Placed, options: FieldOptions): [RawField, RawField] {
  const task = fieldTask(body, { ...options, form: 'distance-meshes' });
  const slab = { first: 0, end: task.grid.dimensions[2] };
  return [toEnd(drawField(engine, body, task, slab)), toEnd(sampleField(engine, body, task, slab))];
}

/** Every distance within the error of the exact one, every owner within twice that of the nearest. */
function expectWithinError(body: Placed, field: RawField, exact: RawField, where: string): void {
  const { error } = field.meshes!;
  const corners = new Float64Array(9);
  const [nx, ny] = field.grid.dimensions;
  for (let i = 0; i < field.distance.length; i++) {
    const [own, right] = [Math.abs(field.distance[i]), Math.abs(exact.distance[i])];
    const at = [i % nx, Math.floor(i / nx) % ny, field.firstSlice + Math.floor(i / (nx * ny))];
    const point = at.map((index, axis) => samplePosition(field.grid, axis, index));
    if (field.owner[i] !== noOwner) placeCorners(body, field.owner[i], corners, 0);
    const far = field.owner[i] === noOwner ? Infinity : nearestByHand(point, corners).distance;
    if (Math.abs(own - right) <= error && far - right <= 2 * error) continue;
    expect.fail(`${where}, sample ${i}: ${own} for ${right}, owner at ${far}, error ${error}`);
  }
}

describe('distance meshes', () => {
  it('give distances within the stated error, which is the tolerance', () => {
    for (let seed = 1; seed <= (slow ? 60 : 4); seed++) {
      const random = createRandom(seed);
      const linear = Array.from({ length: 9 }, () => random.between(-1, 1));
      const shape = seed % 2 ? torus({ majorSegments: 12, minorSegments: 7 }) : icosphere({ frequency: 3 });
      const body = place(shape, 3, -2, 1, linear);
      const [field, exact] = drawn(body, { resolution: 14 });
      expect(field.meshes!.error).toBeLessThanOrEqual((1 + 2 ** -10) * field.grid.cell * Math.sqrt(0.75));
      expectWithinError(body, field, exact, `seed ${seed}`);
      expect(field.distance.map(Math.sign)).toEqual(exact.distance.map(Math.sign));
    }
  });

  it('come as near as asked, at the cost of pieces', () => {
    const body = place(torus({ majorSegments: 12, minorSegments: 7 }));
    let pieces = 0;
    for (const meshTolerance of [0.1, 0.01, 0.001]) {
      const [field, exact] = drawn(body, { resolution: 16, meshTolerance });
      expectWithinError(body, field, exact, `mesh tolerance ${meshTolerance}`);
      expect(field.meshes!.error).toBeLessThan(meshTolerance + 2 ** -14);
      expect(field.meshes!.pieces).toBeGreaterThan(pieces);
      pieces = field.meshes!.pieces;
    }
  });

  it('hold for slivers and triangles without area', () => {
    for (let seed = 1; seed <= (slow ? 60 : 3); seed++) {
      const body = place(slivers(createRandom(seed), 30));
      const [field, exact] = drawn(body, { resolution: 11, signed: false, meshTolerance: 0.004 });
      expectWithinError(body, field, exact, `seed ${seed}`);
    }
  });

  it('hold far from the body, and far from the origin', () => {
    const body = place(icosphere({ frequency: 2 }), 1e6, 0, 0);
    const far = { box: [1e6 + 1000, 500, 0, 1e6 + 1010, 510, 10], resolution: 6 };
    const [field, exact] = drawn(body, { ...far, meshTolerance: 0.05 });
    expectWithinError(body, field, exact, 'far');
    const [beside, right] = drawn(body, { resolution: 10 });
    expectWithinError(body, beside, right, 'beside');
  });

  it('are drawn only where their site can be nearest: few samples more than once', () => {
    const body = place(icosphere({ frequency: 8 }));
    const { meshes, distance } = drawn(body, { resolution: 24, signed: false })[0];
    // Faces beside each other overlap at their borders; the cones of corners and the wedges of edges are thin.
    expect(meshes!.fill! / distance.length).toBeLessThan(2.5);
    // A mesh is built for the blocks around its site alone, not for all that lies within the largest bound of a slice.
    const knot = place(torusKnot({ tubeRadius: 0.4, segments: 60, sides: 8 }));
    const around = drawn(knot, { resolution: 24, signed: false })[0];
    expect(around.meshes!.fill! / around.distance.length).toBeLessThan(4);
    expect(around.meshes!.pieces! / around.distance.length).toBeLessThan(3);
  });

  it('touch the surface where samples lie on it', () => {
    const body = place(box({ size: [4, 4, 4] }));
    const [field, exact] = drawn(body, { box: [-3.5, -3.5, -3.5, 3.5, 3.5, 3.5], resolution: 7 });
    expectWithinError(body, field, exact, 'box');
    exact.distance.forEach((distance, i) => {
      if (distance === 0) expect(Math.abs(field.distance[i])).toBeLessThan(2 ** -12);
    });
  });

  it('stop at upTo', () => {
    const body = place(icosphere({ frequency: 4 }));
    const [field, exact] = drawn(body, { resolution: 20, upTo: 0.3 });
    const whole = drawn(body, { resolution: 20, box: [-1.3, -1.3, -1.3, 1.3, 1.3, 1.3] })[0];
    const { error, meshes } = field.meshes!;
    expect(meshes).toBeLessThanOrEqual(whole.meshes!.meshes);
    exact.distance.forEach((distance, i) => {
      if (Math.abs(distance) < 0.3 - error) expect(field.owner[i], `sample ${i}`).not.toBe(noOwner);
      if (Math.abs(distance) === Infinity) {
        expect(field.distance[i] === distance || 0.3 - Math.abs(field.distance[i]) < error).toBe(true);
      }
    });
  });

  it('give distances within the stated error however far the body is, in no more pieces', () => {
    const body = place(icosphere({ frequency: 3 }));
    const piecesOf = (far: number): number => {
      const box = [far, -far / 2, 0.5, far + 2, 2 - far / 2, 2.5];
      const [field, exact] = drawn(body, { resolution: 6, box });
      expectWithinError(body, field, exact, `${far} away`);
      return field.meshes!.pieces;
    };
    const near = piecesOf(1);
    for (const far of [10, 1e3, 1e5, 1e6, 1e8]) expect(piecesOf(far)).toBeLessThan(4 * near);
  });

  it('follow vertices that were deformed apart', () => {
    const cube = box({ size: [2, 2, 2] });
    const positions = Float64Array.from({ length: 3 * cube.indices.length }, (_, i) => {
      const corner = cube.indices[Math.floor(i / 3)];
      return cube.positions[3 * corner + (i % 3)];
    });
    const apart = positions.map((x, i) => x * (1 + 0.05 * (Math.floor(i / 9) % 5)));
    const body = place(mesh(positions));
    const moved: Placed = { ...body, shape: { ...body.shape, positions: apart, revision: 1 } };
    const [field, exact] = drawn(moved, { resolution: 12, signed: false, meshTolerance: 0.005 });
    expectWithinError(moved, field, exact, 'apart');
  });
});

describe('a mesh of one site', () => {
  it('lies above the distance by at most its tolerance, within its borders', () => {
    const random = createRandom(5);
    for (let round = 0; round < (slow ? 2000 : 60); round++) {
      const body = place(slivers(random, 1));
      const grid = { origin: [-1, -1, -1], cell: 0.1, dimensions: [20, 20, 20] } as const;
      const sites = sitesOf(body, grid, Infinity);
      const [site, z] = [Math.floor(random.next() * sites.count), 20 * random.next()];
      const [tolerance, reach] = [10 ** random.between(-2, 0), random.between(1, 30)];
      const numbers = sites.numbers.subarray(siteNumbers * site, siteNumbers * (site + 1));
      tessellate(sites, site, z, reach, { tolerance, margin: 0 }, (borders, count, x, y, c) => {
        const point = [random.between(-reach, reach), random.between(-reach, reach)];
        for (let b = 0; b < 3 * count; b += 3) {
          if (borders[b] * point[0] + borders[b + 1] * point[1] + borders[b + 2] < 0) return;
        }
        const right = distanceOf(numbers, sites.kinds[site], [...point, z - numbers[At.place + 2]]);
        if (right > reach) return;
        const over = Math.abs(x * point[0] + y * point[1] + c) - right;
        expect(over, `round ${round}`).toBeLessThanOrEqual(tolerance * (1 + 1e-9) + 1e-9);
        expect(over, `round ${round}`).toBeGreaterThanOrEqual(-1e-9);
      });
    }
  });

  it('covers every point within its borders and its reach', () => {
    const random = createRandom(6);
    let tried = 0;
    for (let round = 0; round < (slow ? 20_000 : 1000); round++) {
      const body = place(slivers(random, 1));
      const grid = { origin: [-1, -1, -1], cell: 0.1, dimensions: [20, 20, 20] } as const;
      const sites = sitesOf(body, grid, Infinity);
      const [site, z] = [Math.floor(random.next() * sites.count), 20 * random.next()];
      const [tolerance, reach] = [10 ** random.between(-2, 1), random.between(1, 30)];
      const numbers = sites.numbers.subarray(siteNumbers * site, siteNumbers * (site + 1));
      const angle = random.between(0, 2 * Math.PI);
      const way = [Math.cos(angle), Math.sin(angle), (z - numbers[At.place + 2]) / reach];
      // Half of the points are about as far away as the mesh reaches.
      const far = reach * (round % 2 ? random.between(0, 1) : random.between(0.9, 1));
      const point = [far * way[0], far * way[1], reach * way[2]];
      const spaces = Array.from({ length: sites.spaceCounts[site] }, (_, i) => At.spaces + 4 * i);
      const isWithin = spaces.every(at => alongOf(numbers, at, point) + numbers[at + 3] > 1e-9);
      const kind = sites.kinds[site];
      if (!isWithin || !(distanceOf(numbers, kind, point) < reach)) continue;
      // An edge without faces has a site for each half of the way around.
      if (kind === SiteKinds.edge && alongOf(numbers, At.normal, point) < 1e-9) continue;
      tried++;
      let isCovered = false;
      tessellate(sites, site, z, reach, { tolerance, margin: 1e-9 }, (borders, count) => {
        let isIn = true;
        for (let b = 0; b < 3 * count; b += 3)
          isIn &&= borders[b] * point[0] + borders[b + 1] * point[1] + borders[b + 2] >= 0;
        isCovered ||= isIn;
      });
      expect(isCovered, `seed 6, round ${round}, kind ${kind}`).toBe(true);
    }
    expect(tried).toBeGreaterThan(100);
  });

  it('is the same over a disc if sectors that do not meet it are left out, which are nearly all if it is far away', () => {
    const random = createRandom(7);
    const drawn = { all: 0, over: 0 };
    for (let round = 0; round < (slow ? 5000 : 300); round++) {
      const body = place(slivers(random, 1));
      const grid = { origin: [-1, -1, -1], cell: 0.1, dimensions: [20, 20, 20] } as const;
      const sites = sitesOf(body, grid, Infinity);
      const [site, z] = [Math.floor(random.next() * sites.count), 20 * random.next()];
      const away = 10 ** random.between(-1, 6);
      const radius = Math.min(away, 10 ** random.between(-1, 3));
      const direction = random.between(0, 2 * Math.PI);
      const disc = { x: away * Math.cos(direction), y: away * Math.sin(direction), radius };
      const meshing = { tolerance: 10 ** random.between(-2, 1), margin: 10 ** random.between(-9, -1) };
      const points = Array.from({ length: 20 }, () => {
        const [angle, share] = [random.between(0, 2 * Math.PI), random.next()];
        return [disc.x + share * radius * Math.cos(angle), disc.y + share * radius * Math.sin(angle)];
      });
      /** The least distance at each point. */
      const least = (only: typeof disc | undefined, kind: keyof typeof drawn) => {
        const distances = points.map(() => Infinity);
        tessellate(
          ...([sites, site, z, 2 * (away + radius) + 50, meshing] as const),
          (borders, count, x, y, c) => {
            drawn[kind]++;
            points.forEach(([px, py], i) => {
              for (let b = 0; b < 3 * count; b += 3)
                if (borders[b] * px + borders[b + 1] * py + borders[b + 2] < 0) return;
              distances[i] = Math.min(distances[i], Math.abs(x * px + y * py + c));
            });
          },
          only,
        );
        return distances;
      };
      expect(least(disc, 'over'), `seed 7, round ${round}`).toEqual(least(undefined, 'all'));
    }
    expect(drawn.over).toBeLessThan(drawn.all / 4);
  });

  /** The distance from the plane of a face, the line of an edge, or a corner. */
  function distanceOf(numbers: Float64Array, kind: number, point: readonly number[]): number {
    if (kind === SiteKinds.point) return Math.hypot(...point);
    if (kind === SiteKinds.face) return Math.abs(alongOf(numbers, At.normal, point));
    return Math.hypot(alongOf(numbers, At.normal, point), alongOf(numbers, At.across, point));
  }

  const alongOf = (numbers: Float64Array, at: number, point: readonly number[]): number =>
    point.reduce((sum, x, axis) => sum + x * numbers[at + axis], 0);
});
