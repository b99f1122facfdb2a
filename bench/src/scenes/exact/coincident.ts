// Coincident surfaces, which no filter decides. The first case is a sphere laid upon itself: each triangle meets its
// copy and every neighbour of it, a million pairs, all with a common corner. The second is a tilted plane upon one with
// another triangulation: half a million coplanar pairs, most without a common corner, which only exact arithmetic
// decides.

import { identity, type Mesh, mesh as meshOf, shapes } from 'nearfield';
import type { Case, SceneFile } from '../../case.ts';
import { still } from '../../case.ts';
import { single } from '../meshes/generated.ts';

export const coincident: SceneFile = {
  name: 'coincident',
  about: 'a sphere laid upon itself, and a plane upon one with another triangulation, 80,000 triangles each',
  caseCount: 2,
  seconds: { each: 6, peers: 60 },
  *cases(): Generator<Case> {
    const mesh: Mesh = single(shapes.icosphere({ frequency: 64 }));
    const bodies = [identity(), identity()].map(pose => ({ mesh, pose }));
    const name = `sphere of ${mesh.triangleCount.toLocaleString('en')}`;
    yield { scene: 'coincident', name, question: 'pairs', bodies, frames: still };
    const planes = [tiltedPlane(200, 0), tiltedPlane(200, 0.5)];
    yield {
      scene: 'coincident',
      name: `plane of ${planes[0].triangleCount.toLocaleString('en')}`,
      question: 'pairs',
      bodies: planes.map(plane => ({ mesh: plane, pose: identity() })),
      frames: still,
    };
  },
};

/** side² squares of the plane z = x + 2y, two triangles per square, shifted along it by a share of a square. */
function tiltedPlane(side: number, shift: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row <= side; row++) {
    for (let column = 0; column <= side; column++) {
      // Multiples of 2⁻⁹: single precision holds them, and z, exactly.
      const [x, y] = [(column + shift) / 256, (row + shift) / 256];
      positions.push(x, y, x + 2 * y);
      if (row === side || column === side) continue;
      const at = row * (side + 1) + column;
      indices.push(at, at + 1, at + side + 2, at, at + side + 2, at + side + 1);
    }
  }
  return meshOf(Float32Array.from(positions), Uint32Array.from(indices));
}
