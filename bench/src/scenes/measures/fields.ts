// Signed distance fields of a box, of a knot, and of a smooth body of many triangles. Most samples around the box have
// several nearest triangles. Resolutions are along the longest side of the grid. Two cases are asked again in the form
// that Hoff et al. published, distance meshes.

import { identity, shapes } from 'nearfield';
import { type Case, type SceneFile, still } from '../../case.ts';
import { bumpySphere, single } from '../meshes/generated.ts';

export const fields: SceneFile = {
  name: 'fields',
  about: 'distance, sign, nearest triangle and feature at every sample of a grid',
  caseCount: 5,
  seconds: { each: 12, peers: 0 },
  *cases(): Generator<Case> {
    const knot = single(shapes.torusKnot({ tubeRadius: 0.4, segments: 120, sides: 12 }));
    const bodies = [
      { of: 'box', mesh: single(shapes.box()), resolution: 32 },
      { of: 'knot', mesh: knot, resolution: 64 },
      { of: 'bumpy sphere', mesh: bumpySphere(20_000).mesh, resolution: 64 },
    ];
    const meshed = [
      { ...bodies[0], form: 'distance-meshes' as const },
      { ...bodies[1], resolution: 32, form: 'distance-meshes' as const },
    ];
    for (const { of, mesh, resolution, form } of [
      ...bodies.map(body => ({ ...body, form: undefined })),
      ...meshed,
    ]) {
      const count = mesh.triangleCount.toLocaleString('en');
      const name = `${of} of ${count}, resolution ${resolution}${form ? ', distance meshes' : ''}`;
      const images = { resolution, form };
      yield {
        ...{ scene: 'fields', name, question: 'field', images },
        ...{ bodies: [{ mesh, pose: identity() }], frames: still },
      };
    }
  },
};
