// Prepared pairs, generated in the worker.

import {
  createBunnies,
  createHeart,
  createRotating,
  createTori,
  jawParts,
  type Part,
} from '@nearfield/samples';
import { multiplyPoses, type Nearfield } from 'nearfield';
import type { PairName, Shape, Two } from './types.ts';

export function preparePair(nf: Nearfield, name: PairName): Two {
  if (name === 'jaws') {
    const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 24_000 });
    return [shapeOf(upper), shapeOf({ ...lower, pose: poseAt('closed') })];
  }
  const sample = sampleOf(nf, name);
  const [a, b] = sample.parts().map(shapeOf);
  sample.close();
  if (name !== 'rotating') return [a, b];
  // Rotated a little against each other, so that the boxes of B visibly rotate with it.
  const [cos, sin] = [Math.cos(0.5), Math.sin(0.5)];
  const turn = Float64Array.of(1, 0, 0, 0, 0, cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1);
  return [a, { ...b, pose: multiplyPoses(turn, b.pose) }];
}

function sampleOf(nf: Nearfield, name: Exclude<PairName, 'jaws'>) {
  switch (name) {
    case 'tori':
      return createTori(nf);
    case 'heart':
      return createHeart(nf);
    case 'bunnies':
      return createBunnies(nf, { triangles: 12_000 });
    default:
      return createRotating(nf, { distance: 1.35, triangles: 12_000 });
  }
}

const shapeOf = ({ name, mesh: { positions, indices }, pose }: Part): Shape => ({
  name,
  positions,
  indices,
  pose,
});
