// Two copies of a model just apart, the hardest case of "no": boxes overlap deeply, but surfaces miss each other by
// about a thousandth of the box.

import type { Case, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { overlapping, touchingShares } from './meshes/generated.ts';
import { pairModels } from './meshes/models.ts';

export const near: SceneFile = {
  name: 'near',
  about: 'two models of 70,000 triangles that almost touch',
  caseCount: 2,
  seconds: { each: 6, peers: 17 },
  async *cases(): AsyncGenerator<Case> {
    for (const model of await pairModels()) {
      const bodies = overlapping(model, touchingShares[model.name] + 0.001);
      yield { scene: 'near', name: model.name, question: 'any', bodies, frames: still };
    }
  },
};
