// The cases that the studio runs in a visitor's browser: some of the scenes, by the names under which they are recorded. Without Node.

import { identity } from 'nearfield';
import type { Case } from './case.ts';
import { still } from './case.ts';
import { movingBoxes } from './scenes/boxes.ts';
import { foldingSphere } from './scenes/deform.ts';
import { bumpySphere, type Model, overlapping, touchingShares } from './scenes/generated.ts';
import { caseOf, rings, tori } from './scenes/proximity.ts';

export type { Case, Frame } from './case.ts';
export { quantile } from './run/quantile.ts';
export { extent } from './scenes/generated.ts';

export interface PageCase {
  /** As `keyOf` has it. */
  readonly key: string;
  /** In a few words. */
  readonly title: string;
  make(): Case;
}

/** What a case is recorded under. */
export const keyOf = ({ scene, name, question }: Pick<Case, 'scene' | 'name' | 'question'>): string =>
  `${scene}: ${name}, ${question}`;

const sphere = 'bumpy sphere';
let made: Model | undefined;
/** Made once: it takes longer than what is asked of it. */
const bumpy = (): Model => {
  made ??= bumpySphere(81920);
  return made;
};

export const pageCases: readonly PageCase[] = [
  ...([0.1, 0.3, 0.6] as const).map(share => ({
    key: `pair: ${sphere}, shifted by ${share}, pairs`,
    title: `Two spheres of 82,000 triangles, shifted by ${Math.round(100 * share)} %: all pairs`,
    make(): Case {
      const bodies = overlapping(bumpy(), share);
      const name = `${sphere}, shifted by ${share}`;
      return { scene: 'pair', name, question: 'pairs', bodies, frames: still };
    },
  })),
  {
    key: 'boxes: 10,000 turned, bodies',
    title: '10,000 turned boxes, all moving: which meet',
    make: () => movingBoxes('turned'),
  },
  {
    key: 'deform: sphere of 81,920 folding, self',
    title: 'A sphere of 82,000 triangles folding through itself',
    make: () => foldingSphere(64),
  },
  {
    key: `distance: ${sphere}, 5 % gap, distance`,
    title: 'The distance of two spheres of 82,000 triangles',
    make() {
      const bodies = overlapping(bumpy(), touchingShares[sphere] + 0.05);
      return { scene: 'distance', name: `${sphere}, 5 % gap`, question: 'distance', bodies, frames: still };
    },
  },
  {
    key: 'proximity: tori, d, volume',
    title: 'What two deforming rings have in common, with depths',
    make: () => caseOf(tori(), 'd'),
  },
  {
    key: 'proximity: rings, d, volume',
    title: 'What six moving rings have in common, with depths',
    make: () => caseOf(rings(), 'd'),
  },
  {
    key: `trees: ${sphere} of 81,920, build`,
    title: 'Building the tree of 82,000 triangles',
    make() {
      const { mesh } = bumpy();
      const name = `${sphere} of ${mesh.triangleCount.toLocaleString('en')}`;
      const bodies = [{ mesh, pose: identity() }];
      return { scene: 'trees', name, question: 'build', bodies, frames: still };
    },
  },
];
