// Other bounding volumes in the published traversal, the paper's future work (G6): what they cull, and in what time.

import type { Model } from '../../scenes/meshes/generated.ts';
import type { Exhibit, Findings, Lab } from '../paper.ts';
import { howTimed, models, timesOf, turn, twoCopies } from './turning.ts';

const stepCount = 36;
const distances = [1.8, 1.4, 1, 0.4] as const;

export const volumes: Exhibit = {
  name: 'Section 8',
  title: 'other bounding volumes',
  about:
    'Future work of the paper: hierarchies of other bounding volumes. Here: 18-DOPs beside boxes, in the same binary trees over the same order of triangles, on the CPU; an 18-DOP is a box with its twelve edges cut off. A box test compares along six axes, a test of 18-DOPs along eighteen, each volume in the frame of the other. The experiment is that of figure 4 with 36 steps per turn. What a volume culls shows in the number of tests, and in the pairs of leaves that are left for triangle tests.',
  needsGpu: false,
  run: async lab => culling(lab, await models(), distances),
};

/** Tests, leaf pairs and times of boxes and of 18-DOPs. */
export async function culling(lab: Lab, all: readonly Model[], at: readonly number[]): Promise<Findings> {
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  for (const { name, mesh } of all) {
    for (const distance of at) {
      lab.log(`  ${name}, distance ${distance}`);
      const runs = (['boxes', '18-dops'] as const).map(volumes => {
        const options = { traversal: 'breadth-first', coherence: 'none', volumes } as const;
        return twoCopies({ name: volumes, nf: lab.cpu, options }, mesh, turn(distance, stepCount));
      });
      const perStep = await timesOf(lab, runs);
      const counts = [await runs[0].count(), await runs[1].count()];
      for (const { close } of runs) close();
      ratios.push(perStep[1] / perStep[0]);
      counts.forEach(({ boxTests, leafPairs, pairs }, i) => {
        rows.push([
          ...[name, distance, i === 0 ? 'boxes' : '18-DOPs', Math.round(boxTests), Math.round(leafPairs)],
          ...[pairs > 0 ? leafPairs / pairs : '', perStep[i]],
        ]);
      });
    }
  }
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  return {
    tables: [
      {
        heads: [
          ...['model', 'distance', 'volume', 'tests per step', 'leaf pairs per step'],
          ...['leaf pairs per pair that meets', 'milliseconds per step'],
        ],
        rows,
      },
    ],
    notes: [
      howTimed,
      `18-DOPs take ${least.toFixed(2)} to ${most.toFixed(2)} of the boxes' time. They have three times the numbers per node, and a GPU form does not exist: the GPU's trees have boxes alone.`,
    ],
  };
}
