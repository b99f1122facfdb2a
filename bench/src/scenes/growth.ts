// How the cost of all pairs grows: one shape at nine resolutions from 10,000 to 1,000,000 triangles, and one of
// 20 triangles that shows the fixed cost of a question.

import type { Case, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { bumpySphere, overlapping } from './meshes/generated.ts';

const growthSizes = [10_000, 18_000, 32_000, 56_000, 100_000, 180_000, 320_000, 560_000, 1_000_000];

export const growth: SceneFile = {
  name: 'growth',
  about: 'all pairs from 10,000 to 1,000,000 triangles',
  caseCount: 10,
  seconds: { each: 50, peers: 60 },
  *cases(): Generator<Case> {
    for (const size of [20, ...growthSizes]) {
      const bodies = overlapping(bumpySphere(size), 0.3);
      const name = `2 × ${bodies[0].mesh.triangleCount.toLocaleString('en')}`;
      yield { scene: 'growth', name, question: 'pairs', bodies, frames: still };
    }
  },
};
