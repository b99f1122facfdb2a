// Turned boxes of 16 kinds, so dense that each meets ten others, in any number.

import { elementary } from '@nearfield/samples';
import { type Mesh, shapes } from 'nearfield';
import { single } from './meshes/generated.ts';

/** The boxes of one kind. */
export interface BoxKind {
  readonly mesh: Mesh;
  /** Three numbers per box. */
  readonly translations: Float32Array;
  /** A unit quaternion per box: x, y, z, w. */
  readonly rotations: Float32Array;
}

const kinds = 16;

export function turnedBoxes(count: number): BoxKind[] {
  const random = shapes.createRandom(7);
  // Sides from 0.5 to 1.5. This side of the whole cube leaves five pairs per box.
  const side = 1.08 * elementary.cubeRoot(count);
  const sizes = Array.from({ length: kinds }, () => [0, 1, 2].map(() => random.between(0.5, 1.5)));
  return sizes.map(([x, y, z], kind) => {
    const length = Math.floor((count + kind) / kinds);
    const translations = Float32Array.from({ length: 3 * length }, () => random.between(0, side));
    const rotations = new Float32Array(4 * length);
    for (let i = 0; i < length; i++) {
      const axis = random.direction();
      const half = random.between(0, Math.PI);
      const sine = elementary.sine(half);
      rotations.set([...axis.map(k => k * sine), elementary.sine(half + Math.PI / 2)], 4 * i);
    }
    return { mesh: single(shapes.box({ size: [x, y, z] })), translations, rotations };
  });
}
