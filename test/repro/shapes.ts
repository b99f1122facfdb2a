import { type Mesh, mesh } from 'nearfield';

/** The twelve triangles of a box; the bits of a corner's number are its sides along x, y and z. */
export const boxSides = Uint32Array.of(
  ...[0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4],
  ...[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
);

function corners(size: number): Float64Array {
  const positions: number[] = [];
  for (const z of [0, size]) for (const y of [0, size]) for (const x of [0, size]) positions.push(x, y, z);
  return new Float64Array(positions);
}

/** A closed box of twelve triangles with a corner at the origin. */
export const cornerBox = (size = 1): Mesh => mesh(corners(size), boxSides);

/** The same with one more triangle, which names one corner three times. */
export const pointTriangleBox = (size = 1): Mesh =>
  mesh(corners(size), new Uint32Array([...boxSides, 0, 0, 0]));
