// The relation of two small solids at extremes: eight overlapping tetrahedra inside the same eight and eight more, so that every
// triangle lies on one of the other body and only exact arithmetic can decide. As they are, stretched along the axes up to the
// ends of the range of doubles, and sheared until they are nearly flat. One row per extreme: none should take much longer than
// the first.

import { type Mesh, mesh, shapes } from 'nearfield';
import { type Case, type SceneFile, still } from '../case.ts';

/** By columns: what becomes of the directions of the three axes. */
const extremes: Readonly<Record<string, readonly number[]>> = {
  'as they are': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'times 2^-1060': [2 ** -1060, 0, 0, 0, 2 ** -1060, 0, 0, 0, 2 ** -1060],
  'times 2^1000': [2 ** 1000, 0, 0, 0, 2 ** 1000, 0, 0, 0, 2 ** 1000],
  'times 2^-1000, 1, 2^1000 along the axes': [2 ** -1000, 0, 0, 0, 1, 0, 0, 0, 2 ** 1000],
  'sheared by 10^8 and 10^15': [1, 0, 0, 1e8, 1, 0, 1e15, 0, 1],
  'turned, then 2^-900, 1, 2^900 along the axes': [
    ...[0.36 * 2 ** -900, 0.48, -0.8 * 2 ** 900],
    ...[-0.8 * 2 ** -900, 0.6, 0],
    ...[0.48 * 2 ** -900, 0.64, 0.6 * 2 ** 900],
  ],
};

export const relations: SceneFile = {
  name: 'relations',
  about: 'how two solids of under 100 triangles lie to one another, at extreme scales and shears',
  caseCount: Object.keys(extremes).length,
  seconds: { each: 10, peers: 0 },
  *cases(): Generator<Case> {
    const [inner, outer] = overlappingTetrahedra(8);
    for (const [name, m] of Object.entries(extremes)) {
      const pose = Float64Array.of(...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6), 0, 0, 0, 0, 1);
      const bodies = [inner, outer].map(mesh => ({ mesh, pose }));
      yield { scene: 'relations', name, question: 'relation', bodies, frames: still };
    }
  },
};

/** Some tetrahedra on a grid, and the same with as many more. */
export function overlappingTetrahedra(count: number): [Mesh, Mesh] {
  const random = shapes.createRandom(46);
  const all: number[][] = [];
  while (all.length < 2 * count) {
    const [a, b, c, d] = Array.from({ length: 4 }, () =>
      [0, 1, 2].map(() => Math.floor(random.between(-4, 5))),
    );
    const [u, v, w] = [b, c, d].map(corner => corner.map((x, axis) => x - a[axis]));
    const volume =
      u[0] * (v[1] * w[2] - v[2] * w[1]) -
      u[1] * (v[0] * w[2] - v[2] * w[0]) +
      u[2] * (v[0] * w[1] - v[1] * w[0]);
    if (volume > 0) all.push([a, c, b, a, b, d, b, c, d, a, d, c].flat());
  }
  const solid = (tetrahedra: readonly number[][]): Mesh => mesh(Float32Array.from(tetrahedra.flat()));
  return [solid(all.slice(0, count)), solid(all)];
}
