// Compares distance maps with exact ray casting, analytic shapes and each other.

import { afterAll, describe, expect, it, vi } from 'vitest';
import { RayCaster, stretchesOf } from '../../../../../test/oracle/ray-cast.ts';
import { at, turned } from '../../contacts/testing.ts';
import { identity, type Pose } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { open } from '../../nearfield.ts';
import * as shapes from '../../shapes/index.ts';
import { randomRotation } from '../raster/testing/poses.ts';
import type { DistanceMap } from './map.ts';
import type { DistanceMapOptions } from './options.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
if (slow) vi.setConfig({ testTimeout: 1_000_000 });
const seeds = Array.from({ length: slow ? 200 : 3 }, (_, i) => i + 1);

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

interface Part {
  readonly mesh: Mesh;
  readonly pose: Pose;
}

function mapOf(a: Part, b: Part, options: DistanceMapOptions = {}): DistanceMap {
  const scene = nf.scene();
  const bodies = [a, b].map(({ mesh, pose }) => scene.add(mesh, { pose }));
  const map = scene.distanceMapSync(bodies[0], bodies[1], options);
  scene.close();
  return map;
}

const part = (mesh: Mesh, pose: Pose = identity()): Part => ({ mesh, pose });
const rotated = (random: () => number, x: number, y: number, z: number): Pose => {
  const pose = identity();
  const linear = randomRotation(random);
  for (let column = 0; column < 3; column++) pose.set(linear.slice(3 * column, 3 * column + 3), 4 * column);
  pose.set([x, y, z], 12);
  return pose;
};
const box = (x: number, y: number, z: number): Mesh => shapes.box({ size: [x, y, z] });

/** The rule of maps for exact stretches: minus the common length, else the least gap. */
function exactDistance(caster: RayCaster, map: DistanceMap, column: number, row: number): number {
  const [a, b] = caster.cast(map.view.toWorld(column + 0.5, row + 0.5, 0)).map(stretchesOf);
  let [common, gap] = [0, Infinity];
  for (const p of a) {
    for (const q of b) {
      const [from, to] = [Math.max(p.from.depth, q.from.depth), Math.min(p.to.depth, q.to.depth)];
      if (to > from) common += to - from;
      else gap = Math.min(gap, from - to);
    }
  }
  return common > 0 ? -common : gap < Infinity ? gap : Number.NaN;
}

function compareWithRays(map: DistanceMap, a: Part, b: Part, what: string): void {
  const caster = new RayCaster([a, b], map.view, 4 * map.pixel);
  let both = 0;
  for (let row = 0; row < map.rows; row++) {
    for (let column = 0; column < map.columns; column++) {
      const own = map.distance[row * map.columns + column];
      const exact = exactDistance(caster, map, column, row);
      const where = `${what}, pixel ${column}, ${row}`;
      if (Number.isNaN(exact)) expect(own, where).toBeNaN();
      else expect(Math.abs(own - exact), where).toBeLessThanOrEqual(map.error);
      if (!Number.isNaN(exact)) both++;
    }
  }
  expect(both).toBeGreaterThan(0);
  expect(map.statistics.both).toBe(both);
}

describe('distances', () => {
  it('equal those of exact rays', () => {
    for (const seed of seeds) {
      const random = shapes.createRandom(seed).next;
      const a = part(shapes.torus({ majorSegments: 20, minorSegments: 8 }), rotated(random, 0, 0, 0));
      const b = part(
        shapes.icosphere({ radius: 0.9, frequency: 4 }),
        rotated(random, 0.4, 0, 1.5 * random()),
      );
      compareWithRays(mapOf(a, b, { resolution: 40 }), a, b, `seed ${seed}`);
    }
  });

  it('add up the common parts if there are several', () => {
    // Three teeth through a slab, seen along the slab.
    const comb = new shapes.SolidBuilder();
    for (const x of [-2, 0, 2]) comb.add(box(1, 4, 4), [x, 0, 0]);
    const [a, b] = [part(comb.mesh()), part(box(8, 1, 1))];
    const map = mapOf(a, b, { direction: [1, 0, 0], resolution: 32 });
    expect(map.at(0, 0.1, 0.1)).toBe(-3);
    compareWithRays(map, a, b, 'comb');
  });

  it('are exact between boxes, at the places of the boxes', () => {
    const [a, b] = [part(box(4, 4, 1)), part(box(2, 2, 1), at(0.25, 0, 1.5))];
    const map = mapOf(a, b, { pixel: 1 / 16 });
    expect([...map.view.direction]).toEqual([0, 0, 1]);
    expect(new Set(map.distance)).toEqual(new Set([Number.NaN, 0.5]));
    expect(map.at(0.25, 0.5, 7)).toBe(0.5);
    expect(map.at(0.25, 1.01, 7)).toBeNaN();
    expect(map.at(0.25, 100, 7)).toBeNaN();
    const { least, greatest, both, onlyA, onlyB, penetrationArea, deepest } = map.statistics;
    expect([least, greatest, both, onlyB, penetrationArea, deepest]).toEqual([
      0.5,
      0.5,
      32 * 32,
      0,
      0,
      undefined,
    ]);
    expect(onlyA).toBe(map.columns * map.rows - both - map.coverage.filter(x => x === 0).length);
    const pixel = map.distance.findIndex(x => !Number.isNaN(x));
    expect(map.pointOf(pixel)[2]).toBe(0.5);
    expect([map.coverage[pixel], map.mayReportWithin]).toEqual([3, map.error]);
  });

  it('are the same with the bodies exchanged', () => {
    const random = shapes.createRandom(9).next;
    const a = part(shapes.icosphere({ frequency: 3 }), rotated(random, 0, 0, 0));
    const b = part(box(1, 2, 1), rotated(random, 0.3, 0.2, 1.1));
    const [map, back] = [mapOf(a, b, { resolution: 32 }), mapOf(b, a, { resolution: 32 })];
    expect(back.view.direction.map(x => 0 - x)).toEqual([...map.view.direction]);
    expect(back.columns).toBe(map.columns);
    // Seen from the other side, left and right are exchanged.
    for (let row = 0; row < map.rows; row++) {
      for (let column = 0; column < map.columns; column++) {
        const here = map.distance[row * map.columns + column];
        const [x, y, z] = map.view.toWorld(column + 0.5, row + 0.5, 0);
        const there = back.at(x, y, z);
        if (Number.isNaN(here)) expect(there).toBeNaN();
        else expect(Math.abs(here - there)).toBeLessThan(1e-6);
      }
    }
  });

  it('do not change far from the origin', () => {
    const far = (z: number) => at(1e6 + 0.25, -2e6, 3e6 + z);
    const map = mapOf(part(box(4, 4, 1), far(0)), part(box(2, 2, 1), far(1.25)), { pixel: 1 / 8 });
    expect(map.statistics.least).toBe(0.25);
    expect(map.statistics.both).toBe(16 * 16);
    expect(map.error).toBeLessThan(1e-6);
  });

  it('end at the last pixel, however far bodies extend', () => {
    // Walls seven thousand million pixels away.
    const map = mapOf(part(box(1e6, 1e6, 1), at(0.3, 0.1, -2)), part(box(1e-3, 1e-3, 1), at(0, 0, 0.25)), {
      direction: [0, 0, 1],
      resolution: 16,
    });
    expect(map.statistics.least).toBe(1.25);
  });

  it('have a sign between open surfaces', () => {
    // Two sheets of 2 × 2, the second tilted through the first.
    const sheet = mesh(
      Float64Array.of(-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0),
      Uint32Array.of(0, 1, 2, 0, 2, 3),
    );
    const slope = [1, 0, 0.5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.125, 1];
    const map = mapOf(part(sheet), part(sheet, Float64Array.from(slope)), {
      direction: [0, 0, 1],
      resolution: 33,
    });
    for (let pixel = 0; pixel < map.distance.length; pixel++) {
      const [x] = map.view.toWorld((pixel % map.columns) + 0.5, 0, 0);
      if (!Number.isNaN(map.distance[pixel])) expect(map.distance[pixel]).toBeCloseTo(0.125 + x / 2, 6);
    }
    expect(map.statistics.both).toBeGreaterThan(900);
    expect(map.statistics.penetrationArea).toBeCloseTo(1.5, 1);
  });
});

describe('directions', () => {
  it('lie across the faces of boxes, or along the normals of near surfaces', () => {
    const angle = 0.4;
    const tilt = turned(angle, [1, 0, 0]);
    const normal = [0, -Math.sin(angle), Math.cos(angle)];
    const above = tilt.slice();
    above.set(
      normal.map(x => 1.25 * x),
      12,
    );
    const [a, b] = [part(box(6, 6, 1), tilt), part(box(3, 3, 1), above)];
    for (const direction of ['boxes', 'normals'] as const) {
      const found = mapOf(a, b, { direction, resolution: 16 }).view.direction;
      expect(found[0] * normal[0] + found[1] * normal[1] + found[2] * normal[2]).toBeCloseTo(1, 9);
    }
    // Tilted slabs, baked into meshes whose frames are not tilted: only normals show the tilt.
    const baked = (pose: Pose, source: Mesh) => {
      const positions = Float64Array.from(source.positions);
      for (let i = 0; i < positions.length; i += 3) {
        const [x, y, z] = positions.slice(i, i + 3);
        for (let k = 0; k < 3; k++)
          positions[i + k] = pose[k] * x + pose[4 + k] * y + pose[8 + k] * z + pose[12 + k];
      }
      return part(mesh(positions, source.indices));
    };
    const found = mapOf(baked(tilt, a.mesh), baked(above, b.mesh), { resolution: 16 }).view.direction;
    const cosine = found[0] * normal[0] + found[1] * normal[1] + found[2] * normal[2];
    expect(cosine).toBeGreaterThan(Math.cos((5 / 180) * Math.PI));
  });

  it('lead from a to b', () => {
    const map = mapOf(part(box(1, 1, 1), at(0, 5, 0)), part(box(1, 1, 1)), { resolution: 4 });
    expect(map.view.direction.map(x => x + 0)).toEqual([0, -1, 0]);
    expect(map.statistics.least).toBe(4);
  });
});

describe('figures', () => {
  it('give the volume, area and depth of overlaps', () => {
    const radius = 1;
    const sphere = part(shapes.icosphere({ radius, frequency: 24 }));
    const floor = part(box(4, 4, 2), at(0, 0, 1.5));
    const map = mapOf(sphere, floor, { direction: [0, 0, 1], pixel: 1 / 64 });
    // A cap of height h has the volume πh²(3r − h)/3; the mesh is inscribed.
    const exact = (Math.PI * 0.25 * (3 - 0.5)) / 3;
    const { penetrationVolume, penetrationArea, deepest, least, contactArea } = map.statistics;
    expect(penetrationVolume / exact).toBeCloseTo(1, 1.9);
    expect(penetrationArea / (Math.PI * 0.75)).toBeCloseTo(1, 1.9);
    expect(least).toBeCloseTo(-0.5, 3);
    expect(deepest!.distance).toBe(least);
    expect(Math.hypot(...deepest!.point)).toBeCloseTo(1, 2);
    expect(contactArea).toBeLessThan(penetrationArea / 8);
    // The edge of the cap: a circle of radius √0.75 in the plane z = 0.5.
    expect(map.border).toHaveLength(1);
    const [{ points, closed }] = map.border;
    expect(closed).toBe(true);
    for (let i = 0; i < points.length; i += 3) {
      expect(Math.abs(Math.hypot(points[i], points[i + 1]) - Math.sqrt(0.75))).toBeLessThan(map.pixel);
      expect(Math.abs(points[i + 2] - 0.5)).toBeLessThan(map.pixel);
    }
  });

  it('have borders around overlaps and their holes, up to the rim of the bodies', () => {
    // A ring stuck into a slab: an outer and an inner border.
    const ring = part(shapes.torus({ majorSegments: 48, minorSegments: 24 }));
    const slab = part(box(6, 6, 2), at(0, 0, 1.2));
    const map = mapOf(ring, slab, { direction: [0, 0, 1], resolution: 64 });
    expect(map.border).toHaveLength(2);
    const area = map.border.map(({ points }) => signedArea(map, points)).reduce((sum, x) => sum + x, 0);
    expect(area / map.statistics.penetrationArea).toBeCloseTo(1, 1);
    // Straight walls end abruptly: the border runs half a pixel outside.
    const post = mapOf(part(box(1, 1, 3)), part(box(4, 4, 1)), { direction: [0, 0, 1], pixel: 1 / 8 });
    expect(post.border).toHaveLength(1);
    expect(signedArea(post, post.border[0].points)).toBeCloseTo(1, 1);
    expect(post.statistics.penetrationVolume).toBe(1);
    expect(mapOf(part(box(1, 1, 1)), part(box(1, 1, 1), at(0, 0, 2)), { resolution: 8 }).border).toEqual([]);
  });

  it('have borders where the surfaces cross, and the enclosed part lies in both', () => {
    const random = shapes.createRandom(21).next;
    const scene = nf.scene();
    const a = scene.add(shapes.displacedSphere({ triangles: 2000, seed: 3 }), {
      pose: rotated(random, 0, 0, 0),
    });
    const b = scene.add(shapes.displacedSphere({ triangles: 2000, seed: 4 }), {
      pose: rotated(random, 0.1, 0, 1.7),
    });
    const map = scene.distanceMapSync(a, b, { resolution: 96 });
    // No rim is visible here: all of the border is where surfaces cross.
    const crossings = scene.curvesSync(a, b).map(({ points, closed }) => {
      const seen = Array.from({ length: points.length / 3 }, (_, i) =>
        map.view.toImage(points.subarray(3 * i, 3 * i + 3)),
      );
      return closed ? [...seen, seen[0]] : seen;
    });
    expect(map.border.length).toBeGreaterThan(0);
    for (const { points } of map.border) {
      for (let i = 0; i < points.length; i += 3) {
        const [x, y] = map.view.toImage(points.subarray(i, i + 3));
        const off = Math.min(
          ...crossings.flatMap(curve => curve.slice(1).map((end, k) => toSegment(x, y, curve[k], end))),
        );
        expect(off, `seed 21, point ${i / 3}`).toBeLessThan(1);
      }
    }
    // Half way along a common stretch a point is inside both; half way across a gap it is inside neither.
    const { distance, depth, penetrating } = map;
    const middles: number[] = [];
    const signs: number[] = [];
    for (let pixel = 0; pixel < distance.length; pixel += 3) {
      if (!(Math.abs(distance[pixel]) > 4 * map.error)) continue;
      const [column, row] = [pixel % map.columns, Math.floor(pixel / map.columns)];
      middles.push(...map.view.toWorld(column + 0.5, row + 0.5, depth[pixel] + distance[pixel] / 2));
      signs.push(penetrating[pixel]);
    }
    expect(new Set(signs)).toEqual(new Set([0, 1]));
    for (const body of [a, b]) {
      expect([...scene.insideSync(body, Float64Array.from(middles))]).toEqual(signs);
    }
    scene.close();
  });

  it('show touching faces as neither gaps nor overlaps', () => {
    const map = mapOf(part(box(2, 2, 1)), part(box(1, 1, 1), at(0, 0, 1)), { resolution: 16 });
    const { least, greatest, penetrationArea, contactArea, both } = map.statistics;
    expect([least, greatest, penetrationArea]).toEqual([0, 0, 0]);
    expect(contactArea).toBe(both * map.pixel ** 2);
    expect(both).toBeGreaterThan(0);
  });

  it('have regions that add up to the whole', () => {
    const teeth = new shapes.SolidBuilder();
    for (const x of [-2, 0, 2]) teeth.add(box(1, 1, 1), [x, 0, 0.25 * x]);
    const a = part(teeth.mesh());
    const b = part(box(8, 8, 1), at(0, 0, 1.5));
    const options = { direction: [0, 0, 1], pixel: 1 / 8 } as const;
    const { regions, statistics } = mapOf(a, b, { ...options, regions: 'parts' });
    const own = regions.filter(({ body }) => body === 'a');
    expect(own.map(({ label }) => label)).toEqual([0, 1, 2]);
    expect(own.map(({ least }) => least)).toEqual([1, 0.5, 0]);
    expect(own.map(({ both }) => both)).toEqual([64, 64, 64]);
    expect(own.reduce((sum, { both }) => sum + both, 0)).toBe(statistics.both);
    expect([...own[0].box]).toEqual([-2.4375, -0.4375, 0, -1.5625, 0.4375, 0]);
    const labels = Uint16Array.from({ length: a.mesh.triangleCount }, (_, t) => (t < 12 ? 46 : 47));
    const labelled = mapOf(a, b, { ...options, regions: { a: labels } }).regions;
    expect(labelled.map(({ label, body, both }) => [label, body, both])).toEqual([
      [46, 'a', 64],
      [47, 'a', 128],
    ]);
    expect(mapOf(a, b, options).regions).toEqual([]);
  });

  it('leave out distances beyond `within`', () => {
    const [a, b] = [part(box(4, 4, 1)), part(box(4, 4, 1), turned(0.25, [1, 0, 0]))];
    b.pose[14] = 2;
    const options = { direction: [0, 0, 1], resolution: 32 } as const;
    const [all, near] = [mapOf(a, b, options), mapOf(a, b, { ...options, within: 1 })];
    expect(all.statistics.greatest).toBeGreaterThan(1);
    expect(near.statistics.greatest).toBeLessThanOrEqual(1);
    expect(near.statistics.least).toBe(all.statistics.least);
    expect(near.statistics.both).toBe(all.statistics.both);
    expect(near.distance.filter(Number.isFinite).length).toBe(all.distance.filter(x => x <= 1).length);
  });
});

/** The distance in the picture from a point to a segment, in pixels. */
function toSegment(x: number, y: number, [ax, ay]: readonly number[], [bx, by]: readonly number[]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** The area enclosed by closed lines as the view sees them, counting what lies to their left. */
function signedArea(map: DistanceMap, points: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = map.view.toImage(points.subarray(i, i + 3));
    const j = (i + 3) % points.length;
    const [u, v] = map.view.toImage(points.subarray(j, j + 3));
    sum += (x * v - u * y) / 2;
  }
  return sum * map.pixel ** 2;
}

describe('questions', () => {
  it('without a meaning are refused', async () => {
    const scene = nf.scene();
    const [a, b] = [scene.add(box(1, 1, 1)), scene.add(box(1, 1, 1), { pose: at(0, 0, 2) })];
    const sheet = scene.add(mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)), { name: 'sheet' });
    const refused = (options: DistanceMapOptions, message: RegExp) =>
      expect(() => scene.distanceMapSync(a, b, options)).toThrow(message);
    refused({ direction: [0, 0, 0] }, /direction must be three finite numbers/);
    refused({ direction: [0, Number.NaN, 1] }, /direction must be three finite numbers/);
    refused({ direction: 'up' as never }, /'boxes' or 'normals', not 'up'/);
    refused({ pixel: 0 }, /pixel must be a length above 0, not 0/);
    refused({ pixel: 1, resolution: 8 }, /not both/);
    refused({ resolution: 2.5 }, /whole number above 0, not 2.5/);
    refused({ pixel: 1e-9 }, /too many/);
    refused({ within: Number.NaN }, /within/);
    refused({ contact: -1 }, /contact/);
    refused({ regions: { b: new Uint16Array(3) } }, /one label per triangle of body 1: expected 12, got 3/);
    expect(() => scene.distanceMapSync(a, sheet, { surfaces: 'solids' })).toThrow(/sheet is open/);
    const signal = AbortSignal.abort();
    await expect(scene.distanceMap(a, b, { signal })).rejects.toMatchObject({ name: 'AbortError' });
    const shares: number[] = [];
    const map = await scene.distanceMap(a, b, { resolution: 64, progress: done => shares.push(done) });
    expect(map.distance).toEqual(scene.distanceMapSync(a, b, { resolution: 64 }).distance);
    expect(shares.at(-1)).toBe(1);
    expect(map.backend).toBe('cpu');
    scene.close();
  });

  it('about bodies without triangles, or side by side, give maps without distances', () => {
    const empty = part(mesh(new Float64Array(0)));
    expect(mapOf(empty, part(box(1, 1, 1)), { direction: [0, 0, 1], resolution: 8 }).statistics.both).toBe(0);
    const beside = mapOf(part(box(1, 1, 1)), part(box(1, 1, 1), at(5, 0, 0)), { direction: [0, 0, 1] });
    const { both, onlyA, onlyB, least, mean, median } = beside.statistics;
    expect([both, least, mean, median]).toEqual([0, Number.NaN, Number.NaN, Number.NaN]);
    expect([onlyA > 0, onlyB > 0]).toEqual([true, true]);
  });
});
