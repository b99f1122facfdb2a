// Which pixels of a distance map overlap, touch and are shown, against exact lines: flush faces, overlaps of a few
// last places, gaps exactly as wide as the contact limit, borders on the middles of pixels.

import {
  type DistanceMap,
  type DistanceMapOptions,
  type Mesh,
  mesh,
  type Nearfield,
  shapes,
} from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, fraction, toNumber, ViewLines } from '../../oracle/view-lines.ts';
import { gridPose, rigid, translation } from '../scenes.ts';
import { boxBetween } from './solids.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const timeLimit = slow ? 900_000 : 60_000;

interface Part {
  readonly mesh: Mesh;
  readonly pose: readonly number[];
}

const part = (mesh: Mesh, pose: readonly number[] = translation(0, 0, 0)): Part => ({ mesh, pose });

/** `cases`: the number of random scenes in the usual run. */
export function mapVerdictSpec(start: () => Promise<Nearfield>, cases: number): void {
  let nf: Nearfield;
  beforeAll(async () => {
    nf = await start();
  }, 120_000);
  afterAll(() => nf.close());

  const ask = async (a: Part, b: Part, options: DistanceMapOptions): Promise<DistanceMap> => {
    const scene = nf.scene();
    const [first, second] = [a, b].map(({ mesh, pose }) =>
      scene.add(mesh, { pose: Float64Array.from(pose) }),
    );
    const map = await scene.distanceMap(first, second, options);
    scene.close();
    return map;
  };

  /** Compares every pixel, or some of them, with exact lines. Returns how many were compared. */
  const compareWithLines = async (
    a: Part,
    b: Part,
    options: DistanceMapOptions,
    what: string,
    every = 1,
  ): Promise<number> => {
    const map = await ask(a, b, options);
    const lines = new ViewLines(map.view, [a, b]);
    const { contact = map.pixel / 10, within = Infinity } = options;
    const [limit, farthest] = [fraction(contact), within < Infinity ? fraction(within) : undefined];
    let [overlapping, touching, compared] = [0, 0, 0];
    for (let pixel = 0; pixel < map.distance.length; pixel++) {
      if (pixel % every !== 0) {
        overlapping += map.penetrating[pixel];
        continue;
      }
      compared++;
      const [column, row] = [pixel % map.columns, Math.floor(pixel / map.columns)];
      const exact = map.surfaces === 'solids' ? lines.distance(column, row) : lines.facing(column, row);
      const where = `${what}, pixel ${column}, ${row}`;
      const own = map.distance[pixel];
      const isShown = exact !== undefined && (farthest === undefined || compare(exact, farthest) <= 0);
      expect(Number.isNaN(own), where).toBe(!isShown);
      const isDeep = isShown && exact.numerator < 0n;
      expect([map.penetrating[pixel], own < 0], where).toEqual([isDeep ? 1 : 0, isDeep]);
      if (!isShown) continue;
      expect(Math.abs(own - toNumber(exact)), where).toBeLessThanOrEqual(map.error);
      const size = { ...exact, numerator: isDeep ? -exact.numerator : exact.numerator };
      if (compare(size, limit) <= 0) touching++;
      if (isDeep) overlapping++;
    }
    const area = map.pixel ** 2;
    expect(map.statistics.penetrationArea, what).toBe(overlapping * area);
    if (every === 1) expect(map.statistics.contactArea, what).toBe(touching * area);
    return compared;
  };

  describe('the counts of a map', () => {
    it(
      'agree with exact lines for solids on a grid, whose faces, edges and corners lie on lines and on each other',
      async () => {
        const total = slow ? 300 : cases;
        for (let seed = 1; seed <= total; seed++) {
          const random = shapes.createRandom(seed);
          const whole = (least: number, most: number) => least + random.integer(most - least + 1);
          // Symmetries of the cube, mirrors included: prisms lie on their sides too.
          const place = (reach: number) =>
            gridPose(random, 0).map((x, i) => (i > 11 && i < 15 ? whole(-reach, reach) / 4 : x));
          const [a, b] = [part(gridSolid(random), place(0)), part(gridSolid(random), place(5))];
          const along = random.integer(3);
          const sign = random.integer(2) === 0 ? 1 : -1;
          const direction = [0, 1, 2].map(k => (k === along ? sign : 0)) as unknown as [
            number,
            number,
            number,
          ];
          const limits = random.integer(2) === 0 ? { contact: 0.25 } : { contact: 0, within: 0.25 };
          await compareWithLines(a, b, { direction, pixel: 0.25, ...limits }, `seed ${seed}`);
        }
      },
      timeLimit,
    );

    it(
      'agree with exact lines for open surfaces that touch and cross, by which comes first',
      async () => {
        const total = slow ? 200 : cases;
        for (let seed = 1; seed <= total; seed++) {
          const random = shapes.createRandom(seed);
          const [a, b] = [gridSheet(random), gridSheet(random)].map(sheet => part(sheet));
          const contact = random.integer(3) / 4;
          const options = { direction: [0, 0, 1], pixel: 0.25, contact } as const;
          await compareWithLines(a, b, options, `seed ${seed}`);
        }
      },
      timeLimit,
    );

    it(
      'agree with exact lines for faces that a pose makes flush up to rounding',
      async () => {
        const total = slow ? 60 : Math.ceil(cases / 4);
        let deep = 0;
        for (let seed = 1; seed <= total; seed++) {
          const random = shapes.createRandom(seed);
          const pose = [...rigid(random, 3)];
          const normal = [pose[8], pose[9], pose[10]] as [number, number, number];
          const gap = [0, 0, 2 ** -50, -(2 ** -50), 0.125][random.integer(5)];
          const [a, b] = [
            part(boxBetween([0, 0, 0], [2, 2, 1]), pose),
            part(boxBetween([0.5, 0.25, 1 + gap], [1.5, 1.75, 2]), pose),
          ];
          const options = { direction: normal, resolution: 9, contact: Math.abs(gap) };
          await compareWithLines(a, b, options, `seed ${seed}`, slow ? 1 : 3);
          deep += (await ask(a, b, options)).statistics.penetrationArea > 0 ? 1 : 0;
        }
        if (slow) expect(deep).toBeGreaterThan(0);
      },
      timeLimit,
    );

    it('agree with the exact relation for overlaps of any thickness', async () => {
      const thin = [0.1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 2 ** -52, 0, -(2 ** -52), -1e-12];
      for (const overlap of thin) {
        const [a, b] = [
          part(boxBetween([0, 0, 0], [1, 1, 1])),
          // Not by its middle and size, which would round.
          part(stretched(boxBetween([0.25, 0.25, 0], [0.75, 0.75, 1]), 1 - overlap)),
        ];
        const scene = nf.scene();
        for (const { mesh } of [a, b]) scene.add(mesh);
        const [pair] = await scene.interferences();
        scene.close();
        const { statistics } = await ask(a, b, { direction: [0, 0, 1], pixel: 1 / 16 });
        const expected = overlap > 0 ? 'crossing' : overlap === 0 ? 'touching' : undefined;
        expect([pair?.relation, statistics.penetrationArea], `${overlap}`).toEqual([
          expected,
          overlap > 0 ? 0.25 : 0,
        ]);
      }
      // The classic: 0.1 + 0.2 is more than 0.3.
      const [low, high] = [boxBetween([0, 0, 0], [1, 1, 1]), boxBetween([0, 0, 0], [1, 1, 1])];
      for (const [z, area] of [
        [0.1 + 0.2, 1],
        [0.3, 0],
      ]) {
        const map = await ask(part(stretched(low, -1, z)), part(stretched(high, 0.3, 2)), {
          direction: [0, 0, 1],
          pixel: 0.1,
        });
        expect(map.statistics.penetrationArea, `${z}`).toBeCloseTo(area, 12);
      }
    });
  });

  describe('areas', () => {
    it(
      'the areas of a unit square are 1 within the stated error, for any pixel size and position',
      async () => {
        const floor = boxBetween([-4, -4, -1], [5, 5, 0.5]);
        const pixels = [0.1, 0.2, 0.25, 0.5, 0.125, 0.05, 0.3, 0.07, 1 / 3, 0.0999, 0.1001];
        const random = shapes.createRandom(8);
        for (const pixel of pixels) {
          const places = [0, 0.1, 0.3, 0.5, 1 / 3, 2 ** -40, 1e-12, random.next(), random.next()];
          for (const x of slow ? places : places.slice(pixels.indexOf(pixel) % 3, 9).slice(0, 4)) {
            const y = places[(places.indexOf(x) + 2) % places.length];
            const cube = part(boxBetween([0, 0, 0], [1, 1, 1]), translation(x, y, 0.25));
            for (const other of [floor, boxBetween([x, y, 0], [x + 1, y + 1, 0.5])]) {
              const map = await ask(cube, part(other), { direction: [0, 0, -1], pixel });
              const { penetrationArea } = map.statistics;
              const where = `pixels of ${pixel} at ${x}, ${y}`;
              expect(Math.abs(penetrationArea - 1), where).toBeLessThanOrEqual(2 * pixel + pixel ** 2);
              const isWhole = Math.abs(1 / pixel - Math.round(1 / pixel)) < 1e-9;
              if (isWhole) expect(penetrationArea, where).toBeCloseTo(1, 9);
            }
          }
        }
      },
      timeLimit,
    );
  });
}

/** A box or a prism with corners on a grid of quarters. */
function gridSolid(random: shapes.Random): Mesh {
  const size = () => (1 + random.integer(6)) / 4;
  const [x, y, z] = [size(), size(), size()];
  const kind = random.integer(3);
  if (kind === 0) return boxBetween([0, 0, 0], [x, y, z]);
  const outline: [number, number][] = [
    [0, 0],
    [x, 0],
    [kind === 1 ? 0 : x / 2, y],
  ];
  return shapes.extrude({ outline, from: 0, to: z });
}

/** Two triangles over a rectangle, corners on a grid of quarters. */
function gridSheet(random: shapes.Random): Mesh {
  const height = () => random.integer(5) / 4;
  const [x, y] = [(2 + random.integer(6)) / 4, (2 + random.integer(6)) / 4];
  const corners = [0, 0, height(), x, 0, height(), x, y, height(), 0, y, height()];
  return mesh(Float64Array.from(corners), Uint32Array.of(0, 1, 2, 0, 2, 3));
}

/** A box between z = 0 and 1, between other heights. */
function stretched({ positions, indices }: Mesh, low: number, high = 2): Mesh {
  const heights = Float64Array.from(positions, (x, i) => (i % 3 === 2 ? (x === 0 ? low : high) : x));
  return mesh(heights, Uint32Array.from(indices));
}
