// A sphere of 80,000 triangles laid exactly upon itself: each triangle meets its copy and every neighbour of it,
// a million pairs, all of them coplanar or sharing vertices. No filter decides them; the exact stage must.

import { identity, type Mesh, shapes } from 'nearfield';
import type { Case, SceneFile } from '../case.ts';
import { still } from '../case.ts';
import { single } from './models.ts';

export const coincident: SceneFile = {
  name: 'coincident',
  about: 'a sphere of 80,000 triangles laid upon itself',
  caseCount: 1,
  seconds: { each: 25, peers: 35 },
  *cases(): Generator<Case> {
    const mesh: Mesh = single(shapes.icosphere({ frequency: 64 }));
    const bodies = [identity(), identity()].map(pose => ({ mesh, pose }));
    const name = `sphere of ${mesh.triangleCount.toLocaleString('en')}`;
    yield { scene: 'coincident', name, question: 'pairs', bodies, frames: still };
  },
};
