// Pairs that are ready to be looked at, made in the worker.

import { createRotating, createTori, jawParts, type Part } from '@nearfield/samples';
import { multiplyPoses, type Nearfield } from 'nearfield';
import type { PairName, Shape, Two } from './types.ts';

export function preparePair(nf: Nearfield, name: PairName): Two {
  if (name === 'jaws') {
    const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 24_000 });
    return [shapeOf(upper), shapeOf({ ...lower, pose: poseAt('closed') })];
  }
  if (name === 'tori') {
    const tori = createTori(nf);
    const [a, b] = tori.parts().map(shapeOf);
    tori.close();
    return [a, b];
  }
  const rotating = createRotating(nf, { distance: 1.35, triangles: 12_000 });
  const [a, b] = rotating.parts().map(shapeOf);
  rotating.close();
  // Turned a little against each other, so that boxes of B are seen to be turned with it.
  const [cos, sin] = [Math.cos(0.5), Math.sin(0.5)];
  const turn = Float64Array.of(1, 0, 0, 0, 0, cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1);
  return [a, { ...b, pose: multiplyPoses(turn, b.pose) }];
}

const shapeOf = ({ name, mesh: { positions, indices }, pose }: Part): Shape => ({
  name,
  positions,
  indices,
  pose,
});
