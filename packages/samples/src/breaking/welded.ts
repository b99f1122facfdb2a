import { type Mesh, mesh } from 'nearfield';

/**
 * The same surface with one vertex per position that is used, without triangles that have one position twice. A solid
 * is closed by position; what follows edges by their vertices needs this.
 */
export function welded({ positions, indices, welds: { vertexOf, positionCount } }: Mesh): Mesh {
  const numberOf = new Int32Array(vertexOf.length).fill(-1);
  let count = 0;
  const placed = new Float64Array(3 * positionCount);
  const numbered = (vertex: number): number => {
    if (numberOf[vertex] < 0) {
      for (let k = 0; k < 3; k++) placed[3 * count + k] = positions[3 * vertex + k];
      numberOf[vertex] = count++;
    }
    return numberOf[vertex];
  };
  const kept: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [0, 1, 2].map(k => vertexOf[indices[i + k]]);
    const [a, b, c] = corners;
    if (a !== b && b !== c && c !== a) kept.push(...corners.map(numbered));
  }
  return mesh(placed.slice(0, 3 * count), Uint32Array.from(kept));
}
