// Files to drop on the page: a ball in a ring, a corner between them, and a distant box.

import { shapes } from 'nearfield';
import { boxObj } from '../../../packages/cli/src/testing.ts';
import type { Dropped } from '../rig.ts';

/** A mesh as text, in doubles. */
export function objOf(
  { positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> },
  name: string,
): string {
  const lines = [`o ${name}`];
  for (let i = 0; i < positions.length; i += 3)
    lines.push(`v ${positions[i]} ${positions[i + 1]} ${positions[i + 2]}`);
  for (let i = 0; i < indices.length; i += 3)
    lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
  return `${lines.join('\n')}\n`;
}

/** A tetrahedron as binary STL. */
function tetrahedronStl(): Uint8Array {
  const corners = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const faces = [
    [0, 2, 1],
    [0, 1, 3],
    [1, 2, 3],
    [0, 3, 2],
  ];
  const bytes = Buffer.alloc(84 + 50 * faces.length);
  bytes.writeUInt32LE(faces.length, 80);
  for (const [i, face] of faces.entries()) {
    for (const [j, corner] of face.entries()) {
      for (const [axis, value] of corners[corner].entries()) {
        bytes.writeFloatLE(value, 84 + 50 * i + 12 + 12 * j + 4 * axis);
      }
    }
  }
  return bytes;
}

export const tetrahedronPly = `ply
format ascii 1.0
element vertex 4
property double x
property double y
property double z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 2 1
3 0 1 3
3 1 2 3
3 0 3 2
`;

export const files: readonly Dropped[] = [
  { name: 'ball.obj', content: objOf(shapes.icosphere({ frequency: 6 }), 'ball') },
  { name: 'ring.obj', content: objOf(shapes.torus(), 'ring') },
  { name: 'corner.stl', content: tetrahedronStl() },
  { name: 'far.obj', content: boxObj(5, 0, 0, 1, 'far') },
];
