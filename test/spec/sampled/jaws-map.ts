// The distance map of two jaws (Myszkowski, Okunev and Kunii, section 8) against exact ray casting: five teeth, 0.1
// mm per pixel. The paper had errors of 0.0009 mm (root mean square) and 0.06 mm (the maximum, near edges of the
// chewing surface) against the mean of 16 rays. Here every distance is compared with the exact one along the line
// through the middle of the pixel.

import { type JawStage, type Jaws, jawParts } from '@nearfield/samples';
import { type DistanceMap, type DistanceMapOptions, type Nearfield, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RayCaster, solidDistance, stretchesOf } from '../../oracle/ray-cast.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
const pixel = 0.1;
/** Rays through every pixel of the full size take a while. */
const timeLimit = slow ? 600_000 : 60_000;

/** The paper's figures in millimetres, and the limits of ours. */
const paper = { rms: 0.0009, most: 0.06 };
const ours = { rms: 1e-5, most: 1e-3 };

export function jawsMapSpec(start: () => Promise<Nearfield>, triangles: number): void {
  let nf: Nearfield;
  beforeAll(async () => {
    nf = await start();
  });
  afterAll(() => nf.close());
  const jaws = jawParts({ teeth: 'five', ...(slow ? {} : { triangles }) });
  const mapAt = async (stage: JawStage, options: DistanceMapOptions): Promise<DistanceMap> => {
    const scene = nf.scene();
    const upper = scene.add(jaws.upper.mesh, { pose: jaws.upper.pose });
    const lower = scene.add(jaws.lower.mesh, { pose: jaws.poseAt(stage) });
    const map = await scene.distanceMap(upper, lower, { pixel, ...options });
    scene.close();
    return map;
  };
  const labels = { a: jaws.upper.labels, b: jaws.lower.labels };

  describe('distance map of jaws', () => {
    it.each([
      ['closed', 'normals'],
      ['closed', [0, 0, -1]],
      ['crossed', [0.1, -0.2, -1]],
    ] as const)(
      '%s, along %j: within 0.001 mm of the exact distance, far below the paper',
      async (stage, direction) => {
        const map = await mapAt(stage, { direction, regions: labels });
        expect(map.columns * map.rows).toBeGreaterThan(10_000);
        const seed = 41;
        const pixels = slow ? everyPixel(map) : chosenPixels(map, seed);
        const { rms, most, worst, compared } = errorsOf(map, jaws, stage, pixels);
        const where = `seed ${seed}, pixel ${worst}, of ${compared}`;
        expect(compared, where).toBeGreaterThan(1000);
        expect(most, where).toBeLessThan(Math.min(paper.most, ours.most));
        expect(rms, where).toBeLessThan(Math.min(paper.rms, ours.rms));
        expect(most, where).toBeLessThanOrEqual(map.error);
        expect(map.backend).toBe(nf.backend);
        // The teeth add up to the whole.
        for (const body of ['a', 'b'] as const) {
          const own = map.regions.filter(region => region.body === body);
          const sum = (value: (region: (typeof own)[number]) => number) =>
            own.reduce((s, r) => s + value(r), 0);
          expect(sum(region => region.both)).toBe(map.statistics.both);
          expect(sum(region => region.penetrationArea)).toBeCloseTo(map.statistics.penetrationArea, 6);
          expect(sum(region => region.penetrationVolume)).toBeCloseTo(map.statistics.penetrationVolume, 6);
        }
        expect(map.regions.map(({ label }) => label)).toEqual([15, 16, 17, 46, 47]);
      },
      timeLimit,
    );

    it('shows a few spots where the jaws just touch, and more where they are closed', async () => {
      const areas: number[] = [];
      for (const stage of ['apart', 'touching', 'closed'] as const) {
        const { statistics } = await mapAt(stage, { direction: [0, 0, -1] });
        areas.push(statistics.penetrationArea);
        if (stage === 'apart') expect(statistics.least).toBeGreaterThan(0.45);
      }
      expect(areas[0]).toBe(0);
      expect(areas[1]).toBeGreaterThan(0);
      expect(areas[1]).toBeLessThan(1);
      expect(areas[2]).toBeGreaterThan(2 * areas[1]);
    });
  });
}

const everyPixel = ({ columns, rows }: DistanceMap): Uint32Array =>
  Uint32Array.from({ length: columns * rows }, (_, i) => i);

/** Some thousand at random, and all at the rim of each jaw's outline and of the overlap. */
function chosenPixels(map: DistanceMap, seed: number): Uint32Array {
  const { columns, rows, coverage, penetrating } = map;
  const random = shapes.createRandom(seed);
  const chosen = new Set<number>(Array.from({ length: 3000 }, () => random.integer(columns * rows)));
  const kind = (i: number) => coverage[i] + 4 * penetrating[i];
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const at = j * columns + i;
      for (const next of [i + 1 < columns ? at + 1 : at, j + 1 < rows ? at + columns : at]) {
        if (kind(next) !== kind(at)) chosen.add(at).add(next);
      }
    }
  }
  return Uint32Array.from(chosen).sort();
}

/** In millimetres, over all pixels with a distance; whether there is one must agree at every pixel. */
function errorsOf(map: DistanceMap, jaws: Jaws, stage: JawStage, pixels: Uint32Array) {
  const { view, columns } = map;
  const bodies = [
    { mesh: jaws.upper.mesh, pose: jaws.upper.pose },
    { mesh: jaws.lower.mesh, pose: jaws.poseAt(stage) },
  ];
  const caster = new RayCaster(bodies, view, 2 * pixel);
  let [squares, most, worst, compared] = [0, 0, -1, 0];
  for (const at of pixels) {
    const [a, b] = caster.cast(view.toWorld((at % columns) + 0.5, Math.floor(at / columns) + 0.5, -50));
    const exact = solidDistance(a, b);
    expect([Number.isNaN(map.distance[at]), map.coverage[at]], `pixel ${at}`).toEqual([
      Number.isNaN(exact),
      (stretchesOf(a).length > 0 ? 1 : 0) + (stretchesOf(b).length > 0 ? 2 : 0),
    ]);
    if (Number.isNaN(exact)) continue;
    const error = Math.abs(map.distance[at] - exact);
    squares += error * error;
    compared++;
    if (error > most) [most, worst] = [error, at];
  }
  return { rms: Math.sqrt(squares / compared), most, worst, compared };
}
