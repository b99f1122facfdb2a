// A cloth of 92,000 triangles that moves by a tenth of an edge per frame: its self-intersections in every frame, and the first
// contacts of its triangles with each other on the way to the next. Both are asked of the same positions, so the ratio is what
// looking between the frames costs.

import { elementary } from '@nearfield/samples';
import { identity, shapes } from 'nearfield';
import type { Case, Frame, SceneFile } from '../case.ts';
import { single } from './generated.ts';

const { sine } = elementary;
const frameCount = 8;

export const motion: SceneFile = {
  name: 'motion',
  about: 'a cloth of 92,000 triangles: self-intersections in frames, and first contacts between them',
  caseCount: 2,
  seconds: { each: 10, peers: 10 },
  *cases(): Generator<Case> {
    const self = movingCloth(92_230);
    yield self;
    yield { ...self, question: 'motion' };
  },
};

/** Folds that meet (steepness 2.2), swaying in waves. */
export function movingCloth(triangles: number): Case {
  const mesh = single(shapes.cloth({ triangles, steepness: 2.2 }));
  // An edge is about as long as a square of the sheet, 4 by 2, that two triangles share.
  const step = Math.sqrt(16 / mesh.triangleCount) / 10;
  const frames: Frame[] = Array.from({ length: frameCount }, (_, frame) => {
    const phase = (2 * Math.PI * frame) / frameCount;
    const positions = Float32Array.from(mesh.positions);
    for (let v = 0; v < positions.length; v += 3) {
      const [x, y, z] = mesh.positions.subarray(v, v + 3);
      positions[v] += step * sine(9 * y + 3 * z + phase);
      positions[v + 1] += step * sine(11 * x + 5 * z + phase);
      positions[v + 2] += step * sine(7 * x + 13 * y + phase);
    }
    return { positions };
  });
  const count = mesh.triangleCount.toLocaleString('en');
  return {
    scene: 'motion',
    name: `cloth of ${count}`,
    question: 'self',
    bodies: [{ mesh, pose: identity() }],
    frames,
  };
}
