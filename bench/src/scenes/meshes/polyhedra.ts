// Simple polyhedra with subdivided faces, as Myszkowski, Okunev and Kunii made theirs (section 8): the shape stays,
// the number of polygons varies.

import { mesh as createMesh, type Mesh, shapes } from 'nearfield';

/**
 * Subdivides each triangle into count² equal ones. Corners must be multiples of 2⁻¹⁶ below 2¹⁶: weighted sums of
 * corners are then exact, so triangles with a common edge have the same points on it.
 */
export function cutInto(mesh: Mesh, count: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const found = new Map<string, number>();
  const vertex = (at: readonly number[], weights: readonly number[]): number => {
    const point = [0, 1, 2].map(axis => {
      const sum = weights.reduce((total, weight, k) => total + weight * mesh.positions[at[k] + axis], 0);
      return Math.fround(sum / count);
    });
    const key = point.join();
    const known = found.get(key);
    if (known !== undefined) return known;
    const made = positions.push(...point) / 3 - 1;
    found.set(key, made);
    return made;
  };
  for (let t = 0; t < mesh.indices.length; t += 3) {
    const at = [0, 1, 2].map(k => 3 * mesh.indices[t + k]);
    const place = (i: number, j: number) => vertex(at, [count - i - j, i, j]);
    for (let i = 0; i < count; i++) {
      for (let j = 0; i + j < count; j++) {
        indices.push(place(i, j), place(i + 1, j), place(i, j + 1));
        if (i + j < count - 1) indices.push(place(i + 1, j), place(i + 1, j + 1), place(i, j + 1));
      }
    }
  }
  return createMesh(Float32Array.from(positions), Uint32Array.from(indices));
}

/** Subdivided to approximately the requested number of triangles. */
export const cutTo = (mesh: Mesh, triangles: number): Mesh =>
  cutInto(mesh, Math.max(1, Math.round(Math.sqrt(triangles / mesh.triangleCount))));

/** Twice as long as wide: 12 triangles. Lines across it pass two faces. */
export const bar = (): Mesh => shapes.box({ size: [1, 1, 2] });

/** Three teeth on a back, 2 × 2 × 1: lines along x through the teeth pass six faces. */
export function comb(): Mesh {
  const outline: [number, number][] = [[-1, -1]];
  outline.push([1, -1]);
  for (let tooth = 2; tooth >= 0; tooth--) {
    const [left, right] = [-1 + 0.75 * tooth, -0.5 + 0.75 * tooth];
    outline.push([right, 1], [left, 1]);
    if (tooth > 0) outline.push([left, -0.5], [left - 0.25, -0.5]);
  }
  return shapes.extrude({ outline, from: -0.5, to: 0.5 });
}
