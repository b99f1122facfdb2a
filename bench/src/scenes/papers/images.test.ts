// Tests the scenes of the two papers on image methods: closed, with the papers' numbers of polygons, and meeting or
// apart as intended.

import { identity } from 'nearfield';
import { afterAll, describe, expect, it } from 'vitest';
import { RayCaster } from '../../../../test/oracle/ray-cast.ts';
import { type Case, triangleCount } from '../../case.ts';
import { createNearfield } from '../../peers/nearfield.ts';
import { readCase, writeCase } from '../../run/case-file.ts';
import { exactAnswers } from '../../run/round.ts';
import { scenes } from '../index.ts';
import { bar, comb, cutInto, cutTo } from '../meshes/polyhedra.ts';
import { teeth } from './jaws.ts';
import { figures, polygonCounts as layerCounts, twoPolyhedra } from './layers.ts';
import {
  earlySizes,
  linkedTori,
  manyBoxes,
  objectCounts,
  pixelsAndQueries,
  polygonCounts,
  twoKnots,
} from './raycast.ts';
import { growingSizes, growing as series } from './series.ts';

const nearfield = await createNearfield('cpu');
afterAll(() => nearfield.close?.());

const meets = async (job: Case): Promise<boolean> => (await exactAnswers(job, nearfield))![0].length > 0;
const closed = ({ bodies }: Case): boolean => bodies.every(({ mesh }) => mesh.solid);

describe('series measured in turn', () => {
  it('have eight evenly spaced sizes of one name', () => {
    // Boxes only: the other series are too large for a test.
    const [jobs] = series.get('raycast')!(true);
    expect(new Set(jobs.map(job => `${job.scene}: ${job.series!.name}`)).size).toBe(1);
    expect(jobs.map(job => job.series!.size)).toEqual([250, 500, 750, 1000, 1250, 1500, 1750, 2000]);
    expect([...series.keys()].every(name => scenes.some(scene => scene.name === name))).toBe(true);
    for (const sizes of [growingSizes(true), growingSizes(false)]) {
      expect(sizes.length).toBeGreaterThanOrEqual(8);
      expect(sizes.every((size, i) => size === (i + 1) * sizes[0])).toBe(true);
    }
  });
});

describe('polyhedra', () => {
  it('stay closed and keep their volume, however they are subdivided', () => {
    for (const shape of [bar(), comb()]) {
      for (const count of [1, 2, 3, 7]) {
        const cut = cutInto(shape, count);
        expect(cut.triangleCount).toBe(shape.triangleCount * count * count);
        expect([cut.solid, cut.adjacency.componentCount]).toEqual([true, 1]);
        expect(cut.volume).toBeCloseTo(shape.volume, 5);
      }
      expect(Math.abs(cutTo(shape, 10_000).triangleCount / 10_000 - 1)).toBeLessThan(0.05);
    }
  });

  it('have as many layers as the paper says: two, and six', () => {
    const layersOf = (mesh: ReturnType<typeof bar>): number => {
      const axes = { direction: [1, 0, 0], right: [0, 1, 0], up: [0, 0, 1] } as const;
      const caster = new RayCaster([{ mesh, pose: identity() }], axes, 0.25);
      let most = 0;
      for (let y = -1; y <= 1; y += 1 / 32) most = Math.max(most, caster.cast([-4, y, 0.1])[0].length);
      return most;
    };
    expect([layersOf(bar()), layersOf(comb())]).toEqual([2, 6]);
  });
});

describe('raycast', () => {
  it('has the polygon counts of both tables', () => {
    for (const resolution of [640, 256]) expect(triangleCount(pixelsAndQueries(resolution))).toBe(3614);
    expect(earlySizes.map(size => triangleCount(linkedTori(size, true)))).toEqual([606, 1076, 1734, 2580]);
  });

  it('has solids that meet, or that are linked and do not', async () => {
    for (const job of [
      pixelsAndQueries(256),
      twoKnots(2500),
      ...earlySizes.map(size => linkedTori(size, true)),
    ]) {
      expect([job.name, closed(job), await meets(job)]).toEqual([job.name, true, true]);
    }
    for (const size of earlySizes) {
      const job = linkedTori(size, false);
      expect([job.name, closed(job), await meets(job)]).toEqual([job.name, true, false]);
    }
  });

  it('grows over at least eight sizes of one shape', () => {
    expect(Math.min(objectCounts.length, polygonCounts.length, layerCounts.length)).toBeGreaterThanOrEqual(8);
    expect([objectCounts.at(-1), polygonCounts.at(-1), layerCounts.at(-1)]).toEqual([
      100_000, 160_000, 160_000,
    ]);
    for (const polygons of [1250, 20_000]) {
      const { size } = twoKnots(polygons).series!;
      expect(Math.abs(size / polygons - 1)).toBeLessThan(0.03);
    }
    expect(manyBoxes(100).series).toMatchObject({ size: 100 });
  });
});

describe('layers', () => {
  it.each(figures)('$name: closed, meeting, at the size asked for', async figure => {
    const job = twoPolyhedra(figure, 4000);
    expect([closed(job), await meets(job)]).toEqual([true, true]);
    expect(Math.abs(triangleCount(job) / 4000 - 1)).toBeLessThan(0.1);
    expect(job.paper).toBeUndefined();
  });
});

describe('jaws', () => {
  it('are apart in the first stage and meet in the others', async () => {
    const found: boolean[] = [];
    for (const stage of ['apart', 'touching', 'closed', 'crossed'] as const) {
      found.push(await meets(teeth('five', stage, 'any', 6000)));
    }
    expect(found).toEqual([false, true, true, true]);
  });
});

it('announces the right number of cases', async () => {
  // Complete, these take minutes; so the counts of their inputs are checked.
  expect(
    scenes.filter(({ name }) => ['raycast', 'layers', 'jaws'].includes(name)).map(scene => scene.caseCount),
  ).toEqual([
    objectCounts.length + polygonCounts.length + 2 + 2 * earlySizes.length,
    figures.length * layerCounts.length,
    7,
  ]);
});

it('is written to a file and read again', () => {
  for (const job of [manyBoxes(20), twoPolyhedra(figures[0], 1000)]) {
    const read = readCase(writeCase({ job, truth: [] })).job;
    expect([read.images, read.series, read.paper]).toEqual([job.images, job.series, job.paper]);
  }
});
