// Meshes that are hard on distance meshes: slivers in all directions, a box of needles, triangles without area.

import type { Mesh } from '../../../mesh/mesh.ts';
import { mesh } from '../../../mesh/mesh.ts';
import type { Random } from '../../../shapes/index.ts';

/** Triangles with a longest side of about 1 and heights down to 10^-9; every seventh has no area. */
export function slivers(random: Random, count: number): Mesh {
  const positions: number[] = [];
  const triple = (size: number) => Array.from({ length: 3 }, () => random.between(-size, size));
  for (let t = 0; t < count; t++) {
    const a = triple(1);
    const b = a.map((x, axis) => x + triple(0.7)[axis]);
    const share = random.between(-0.1, 1.1);
    const height = t % 7 === 0 ? 0 : 10 ** random.between(-9, 0);
    const off = triple(height);
    const c = a.map((x, axis) => x + share * (b[axis] - x) + off[axis]);
    positions.push(...a, ...b, ...c);
  }
  return mesh(Float64Array.from(positions));
}
