// Generated meshes of the scenes, in single precision, and two overlapping copies of one. Works without Node, because
// a page uses it too.

import { identity, type Mesh, mesh, shapes } from 'nearfield';
import type { Placement } from '../../case.ts';
import { turnAbout } from '../../poses.ts';

export interface Model {
  readonly name: string;
  readonly mesh: Mesh;
}

/** Closed, with seeded bumps; approximately as many triangles as requested. */
export function bumpySphere(triangles: number): Model {
  return { name: 'bumpy sphere', mesh: single(shapes.displacedSphere({ triangles, seed: 1 })) };
}

/**
 * Closes each hole with triangles from its rim to its middle, whatever its shape: the solid may overlap itself there.
 */
export function filled({ positions, indices, edges }: Mesh): Mesh {
  const next = new Map<number, number>();
  for (let e = 0; e < edges.count; e++) {
    if (edges.forward[e] === edges.backward[e]) continue;
    const [low, high] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    // The rim runs against the triangle's own side.
    if (edges.forward[e] > edges.backward[e]) next.set(high, low);
    else next.set(low, high);
  }
  const points = Array.from(positions);
  const corners = Array.from(indices);
  for (const start of next.keys()) {
    const rim: number[] = [];
    for (let v = start; next.has(v); ) {
      rim.push(v);
      const to = next.get(v)!;
      next.delete(v);
      v = to;
    }
    if (rim.length === 0) continue;
    const middle = points.length / 3;
    for (let axis = 0; axis < 3; axis++) {
      points.push(rim.reduce((sum, v) => sum + positions[3 * v + axis], 0) / rim.length);
    }
    rim.forEach((v, i) => {
      corners.push(v, rim[(i + 1) % rim.length], middle);
    });
  }
  return mesh(Float32Array.from(points), Uint32Array.from(corners));
}

/** The same mesh with positions rounded to single precision. */
export function single({ positions, indices }: Mesh): Mesh {
  return mesh(Float32Array.from(positions), indices);
}

/** The mesh scaled and moved into the cube from −1 to 1, its longest side filling it. */
export function fitted({ positions, indices, bounds }: Mesh): Mesh {
  const { size, center } = extent(bounds);
  const scale = 2 / Math.max(...size);
  return mesh(positions.map((value, i) => (value - center[i % 3]) * scale) as Float32Array, indices);
}

export function extent(bounds: Mesh['bounds']): { size: number[]; center: number[] } {
  const axes = [0, 1, 2];
  return {
    size: axes.map(axis => bounds[3 + axis] - bounds[axis]),
    center: axes.map(axis => (bounds[axis] + bounds[3 + axis]) / 2),
  };
}

/** The second copy is rotated about the middle of its box and moved along x by a share of the box's length. */
export function overlapping({ mesh }: Model, share: number, degrees = 20): Placement[] {
  const { size, center } = extent(mesh.bounds);
  const pose = turnAbout([1, 1, 0], (degrees * Math.PI) / 180, center, [share * size[0], 0, 0]);
  return [
    { mesh, pose: identity() },
    { mesh, pose },
  ];
}

/**
 * The smallest shifts, in lengths of the box, beyond which the copies no longer meet, found by bisection with the
 * exact answer. The scene adds a thousandth.
 */
export const touchingShares: Readonly<Record<string, number>> = {
  bunny: 0.88589,
  'bumpy sphere': 0.96869,
  'bumpy sphere 70K': 0.9676,
};
