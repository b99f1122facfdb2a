// Building the tree of one mesh, and refitting it when the positions change.

import { identity, type Mesh } from 'nearfield';
import type { Case, Frame, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { bumpySphere } from './meshes/generated.ts';
import { pairModels } from './meshes/models.ts';

export const trees: SceneFile = {
  name: 'trees',
  about: 'build and refit of one mesh',
  caseCount: 6,
  seconds: { each: 21, peers: 75 },
  async *cases(): AsyncGenerator<Case> {
    const models = [...(await pairModels()), bumpySphere(1_000_000)];
    for (const { name: model, mesh } of models) {
      const name = `${model} of ${mesh.triangleCount.toLocaleString('en')}`;
      const bodies = [{ mesh, pose: identity() }];
      yield { scene: 'trees', name, question: 'build', bodies, frames: still };
      yield { scene: 'trees', name, question: 'refit', bodies, frames: swaying(mesh) };
    }
  },
};

/** Four frames of a gentle shear, so that a refitted tree stays a good one. */
function swaying({ positions }: Mesh): Frame[] {
  return [0.01, 0.02, 0.01, 0].map(amount => {
    const moved = Float32Array.from(positions);
    for (let v = 0; v < moved.length; v += 3) moved[v] += amount * moved[v + 1];
    return { positions: moved };
  });
}
