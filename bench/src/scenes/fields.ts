// Signed distance fields of a box, of a knot, and of a smooth body of many triangles. Most samples around the box have
// several nearest triangles. Resolutions are along the longest side of the grid.

import { identity, shapes } from 'nearfield';
import { type Case, type SceneFile, still } from '../case.ts';
import { bumpySphere, single } from './generated.ts';

export const fields: SceneFile = {
  name: 'fields',
  about: 'distance, sign, nearest triangle and feature at every sample of a grid',
  caseCount: 3,
  seconds: { each: 12, peers: 0 },
  *cases(): Generator<Case> {
    const knot = single(shapes.torusKnot({ tubeRadius: 0.4, segments: 120, sides: 12 }));
    const bodies = [
      { of: 'box', mesh: single(shapes.box()), resolution: 32 },
      { of: 'knot', mesh: knot, resolution: 64 },
      { of: 'bumpy sphere', mesh: bumpySphere(20_000).mesh, resolution: 64 },
    ];
    for (const { of, mesh, resolution } of bodies) {
      const name = `${of} of ${mesh.triangleCount.toLocaleString('en')}, resolution ${resolution}`;
      const images = { resolution };
      yield {
        ...{ scene: 'fields', name, question: 'field', images },
        ...{ bodies: [{ mesh, pose: identity() }], frames: still },
      };
    }
  },
};
