// Parts that fit exactly: a wall of boxes that share whole faces, edges and corners, every contact coplanar.
// Coordinates are small dyadic numbers, so every contact is exact and none may be lost.

import { type Mesh, shapes } from 'nearfield';
import { type Case, movedTo, type Placement, type SceneFile } from '../../case.ts';
import { shiftBy } from '../../poses.ts';
import { single } from '../meshes/generated.ts';

export const flush: SceneFile = {
  name: 'flush',
  about: 'many parts that touch face to face',
  caseCount: 1,
  seconds: { each: 4, peers: 20 },
  *cases(): Generator<Case> {
    yield wall(12);
  },
};

/** side³ unit cubes on a grid. Each touches the up to 26 around it. */
export function wall(side: number): Case {
  const mesh: Mesh = single(shapes.box());
  const bodies: Placement[] = [];
  for (let x = 0; x < side; x++)
    for (let y = 0; y < side; y++)
      for (let z = 0; z < side; z++) bodies.push({ mesh, pose: shiftBy(x, y, z) });
  // The wall moves to and fro on its own grid, so that no engine answers from memory and every contact stays exact.
  const frames = [0, 1].map(step =>
    movedTo(bodies.map(({ pose }) => shiftBy(pose[12] + step, pose[13], pose[14]))),
  );
  const name = `${side}³ cubes`;
  return { scene: 'flush', name, question: 'bodies', bodies, frames, boxes: 'axis-aligned' };
}
