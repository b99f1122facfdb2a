// Two copies of a model of about 70,000 triangles, the second rotated by 20° about (1, 1, 0) and shifted by a share of
// its box, from nearly coincident to a shared corner: all triangle pairs, and yes or no.

import type { Case, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { overlapping } from './meshes/generated.ts';
import { pairModels } from './meshes/models.ts';

export const pair: SceneFile = {
  name: 'pair',
  about: 'two models of 70,000 triangles overlapping',
  caseCount: 12,
  seconds: { each: 48, peers: 80 },
  async *cases(): AsyncGenerator<Case> {
    for (const model of await pairModels()) {
      for (const share of [0.1, 0.3, 0.6]) {
        const bodies = overlapping(model, share);
        const name = `${model.name}, shifted by ${share}`;
        yield { scene: 'pair', name, question: 'pairs', bodies, frames: still };
        yield { scene: 'pair', name, question: 'any', bodies, frames: still };
      }
    }
  },
};
