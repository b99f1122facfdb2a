// Other bounding volumes in the published traversal, the paper's future work (G6): what they cull, and in what time.

import { fitLine } from '../../run/linear.ts';
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

/** A scene on the GPU: box tests and milliseconds per step. And on the CPU: what 18-DOPs leave of the tests, at which price. */
interface OnGpu {
  readonly size: number;
  readonly time: number;
  readonly share: number;
  readonly price: number;
}

/** Tests, leaf pairs and times of boxes and of 18-DOPs. */
export async function culling(lab: Lab, all: readonly Model[], at: readonly number[]): Promise<Findings> {
  const rows: (string | number)[][] = [];
  const ratios: number[] = [];
  const onGpu: OnGpu[] = [];
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
      if (lab.gpu && !lab.isSoftware) {
        const options = { traversal: 'breadth-first', coherence: 'none' } as const;
        const run = twoCopies({ name: 'boxes', nf: lab.gpu, options }, mesh, turn(distance, stepCount));
        const [time] = await timesOf(lab, [run]);
        const { boxTests } = await run.count();
        run.close();
        const share = counts[1].boxTests / counts[0].boxTests;
        onGpu.push({ size: boxTests, time, share, price: perStep[1] / perStep[0] / share });
      }
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
      `18-DOPs take ${least.toFixed(2)} to ${most.toFixed(2)} of the boxes' time. They have three times the numbers per node.`,
      ...(onGpu.length > 0 ? [whyNotOnGpu(onGpu)] : ["The GPU's trees have boxes alone."]),
    ],
  };
}

/** What 18-DOPs could save on the GPU, if their tests cost there what they cost on the CPU, in tests of boxes. */
function whyNotOnGpu(scenes: readonly OnGpu[]): string {
  const { slope, fixed, rSquared } = fitLine(scenes);
  const price = scenes.reduce((sum, { price }) => sum + price, 0) / scenes.length;
  const ratios = scenes.map(({ size, time, share }) => 1 + (slope * size * (share * price - 1)) / time);
  const [least, most] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
  return `The GPU's trees have boxes alone. Its breadth-first traversal takes ${fixed.toFixed(3)} ms per step whatever the number of tests, and ${(1e6 * slope).toFixed(2)} ns more per box test (R² ${rSquared.toFixed(3)}). On the CPU a test of 18-DOPs costs ${price.toFixed(2)} times one of boxes; at that price a step on the GPU would take ${least} to ${most} of its time.`;
}
