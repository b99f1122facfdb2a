// The verdict of a distance map depended on the backend: two jaws overlap by 0.02 mm at eleven pixels; the CPU found
// that, but the GPU found none, because its distances might have been off by as much.

import { jawParts } from '@nearfield/samples';
import type { DistanceMap, DistanceMapOptions } from 'nearfield';
import { expect, test } from 'vitest';
import { openBoth } from '../../spec/both-engines.ts';

const both = openBoth();
const slow = process.env.NEARFIELD_SLOW !== undefined;

const jaws = jawParts({ teeth: 'five', triangles: slow ? 40_000 : 4000 });

async function mapsOf(deeper: number, options: DistanceMapOptions): Promise<DistanceMap[]> {
  const maps: DistanceMap[] = [];
  for (const nf of [both.cpu, both.gpu]) {
    const scene = nf.scene();
    const pose = jaws.poseAt('touching');
    pose[14] += deeper;
    const upper = scene.add(jaws.upper.mesh, { pose: jaws.upper.pose });
    maps.push(await scene.distanceMap(upper, scene.add(jaws.lower.mesh, { pose }), options));
    scene.close();
  }
  return maps;
}

const labels = { a: jaws.upper.labels, b: jaws.lower.labels };

test.each([
  [0.02, { direction: [0, 0, -1] }],
  [0.002, { direction: [0, 0, -1] }],
  [0.03, {}],
  [0.01, { direction: [0.1, -0.2, -1], contact: 0.05, within: 0.5 }],
] as const)(
  'jaws %f mm deeper than touching, %j: counts, areas and border are the same',
  async (deeper, asked) => {
    const [cpu, gpu] = await mapsOf(deeper, { pixel: slow ? 0.1 : 0.2, regions: labels, ...asked });
    expect([cpu.backend, gpu.backend]).toEqual(['cpu', 'gpu']);
    expect(gpu.view).toEqual(cpu.view);
    for (const name of ['coverage', 'penetrating', 'triangleA', 'triangleB'] as const) {
      expect(gpu[name], name).toEqual(cpu[name]);
    }
    const counts = ({ both: met, measured, contactArea, penetrationArea }: DistanceMap['statistics']) => ({
      ...{ met, measured, contactArea, penetrationArea },
    });
    expect(counts(gpu.statistics)).toEqual(counts(cpu.statistics));
    expect(gpu.regions.map(counts)).toEqual(cpu.regions.map(counts));
    expect(cpu.statistics.penetrationArea).toBeGreaterThan(0);
    expect(gpu.border).toEqual(cpu.border);
    for (let pixel = 0; pixel < cpu.distance.length; pixel++) {
      const [own, right] = [gpu.distance[pixel], cpu.distance[pixel]];
      expect(Number.isNaN(own)).toBe(Number.isNaN(right));
      if (!Number.isNaN(own)) expect(Math.abs(own - right)).toBeLessThanOrEqual(gpu.error + cpu.error);
    }
    // It was h/64 for each crossing of a line.
    expect(gpu.error).toBeLessThan(gpu.pixel / 250);
    expect(gpu.unsure).toBeLessThan(0.02 * gpu.distance.length);
  },
);
