// A sphere of 82,000 triangles that folds through itself as it deforms: new positions every frame, then every
// pair of its triangles that meet.

import { elementary } from '@nearfield/samples';
import { identity, shapes } from 'nearfield';
import type { Case, Frame, SceneFile } from '../case.ts';
import { single } from './meshes/generated.ts';

const { unitAt } = elementary;

const frameCount = 8;

export const deform: SceneFile = {
  name: 'deform',
  about: 'a deforming sphere of 82,000 triangles with all its self-intersections',
  caseCount: 1,
  seconds: { each: 4, peers: 15 },
  *cases(): Generator<Case> {
    yield foldingSphere(64);
  },
};

/** 20·frequency² triangles. Three seeded noises displace each vertex, far enough to fold the surface. */
export function foldingSphere(frequency: number, amplitude = 0.28): Case {
  const mesh = single(shapes.icosphere({ frequency }));
  const noises = [3, 4, 5].map(seed => shapes.createNoise(seed, 2));
  const frames: Frame[] = Array.from({ length: frameCount }, (_, frame) => {
    // The noise field is sampled along a circle in two extra dimensions, so the motion is periodic.
    const [dx, dz] = unitAt((2 * Math.PI * frame) / frameCount).map(part => 0.3 * part);
    const positions = new Float32Array(mesh.positions.length);
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = [mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]];
      for (let axis = 0; axis < 3; axis++) {
        const push = noises[axis](3 * x + dx, 3 * y, 3 * z + dz);
        positions[v + axis] = mesh.positions[v + axis] + amplitude * push;
      }
    }
    return { positions };
  });
  const triangles = mesh.triangleCount.toLocaleString('en');
  return {
    scene: 'deform',
    name: `sphere of ${triangles} folding`,
    question: 'self',
    bodies: [{ mesh, pose: identity() }],
    frames,
  };
}
