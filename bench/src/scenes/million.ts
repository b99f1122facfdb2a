// Two displaced spheres of a million triangles each.

import type { Case, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { bumpySphere, overlapping } from './meshes/generated.ts';

export const million: SceneFile = {
  name: 'million',
  about: 'two models of a million triangles overlapping',
  caseCount: 2,
  seconds: { each: 11, peers: 40 },
  *cases(): Generator<Case> {
    const bodies = overlapping(bumpySphere(1_000_000), 0.3);
    const name = 'bumpy sphere, shifted by 0.3';
    yield { scene: 'million', name, question: 'pairs', bodies, frames: still };
    yield { scene: 'million', name, question: 'any', bodies, frames: still };
  },
};
