// Which body, triangle and point does a ray meet first? Boxes first, then triangles one by one: a million of them take
// some ten milliseconds, which is soon enough for a pointer and needs no tree.

import type { Matrix4, Plane, Ray } from 'three/webgpu';
import type { BodyId } from '../engine/types.ts';

export interface Pickable {
  readonly id: BodyId;
  /** Three corners per triangle, where the body was read. */
  readonly corners: Float32Array;
  /** To drawn coordinates. */
  readonly matrix: Matrix4;
  /** The bounds in drawn coordinates: smallest x, y, z, greatest x, y, z. */
  readonly box: ArrayLike<number>;
}

export interface Hit {
  readonly id: BodyId;
  readonly triangle: number;
  /** In drawn coordinates. */
  readonly point: readonly [number, number, number];
}

/** The nearest point of all bodies that no plane cuts away. */
export function pick(
  { origin, direction }: Ray,
  bodies: Iterable<Pickable>,
  planes: readonly Plane[],
): Hit | undefined {
  const o = origin.toArray();
  const d = direction.toArray();
  const reached: { readonly body: Pickable; readonly enters: number }[] = [];
  for (const body of bodies) {
    const enters = entryOf(o, d, body.box);
    if (enters !== undefined) reached.push({ body, enters });
  }
  reached.sort((p, q) => p.enters - q.enters);
  let nearest = Infinity;
  let found: Hit | undefined;
  const pointAt = (t: number) => [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]] as const;
  const isKept = (t: number) => {
    const [x, y, z] = pointAt(t);
    return planes.every(({ normal, constant }) => normal.x * x + normal.y * y + normal.z * z + constant >= 0);
  };
  for (const { body, enters } of reached) {
    if (enters >= nearest) break;
    // Where the body was read; the parameter along the ray stays the same.
    const inverse = body.matrix.clone().invert();
    const from = origin.clone().applyMatrix4(inverse).toArray();
    const to = origin.clone().add(direction).applyMatrix4(inverse).toArray();
    const along = to.map((value, axis) => value - from[axis]);
    const { corners } = body;
    for (let at = 0; at < corners.length; at += 9) {
      const t = meets(from, along, corners, at);
      if (t >= 0 && t < nearest && isKept(t)) {
        nearest = t;
        found = { id: body.id, triangle: at / 9, point: pointAt(t) };
      }
    }
  }
  return found;
}

/** Where the ray enters a box; undefined if it does not. */
function entryOf(o: readonly number[], d: readonly number[], box: ArrayLike<number>): number | undefined {
  let [enters, leaves] = [0, Infinity];
  for (let axis = 0; axis < 3; axis++) {
    if (d[axis] === 0) {
      if (o[axis] < box[axis] || o[axis] > box[3 + axis]) return undefined;
      continue;
    }
    const [p, q] = [(box[axis] - o[axis]) / d[axis], (box[3 + axis] - o[axis]) / d[axis]];
    enters = Math.max(enters, Math.min(p, q));
    leaves = Math.min(leaves, Math.max(p, q));
  }
  return enters <= leaves ? enters : undefined;
}

/** Möller and Trumbore (1997): the parameter along the ray, or −1. */
function meets(o: readonly number[], d: readonly number[], c: Float32Array, at: number): number {
  const [ux, uy, uz] = [c[at + 3] - c[at], c[at + 4] - c[at + 1], c[at + 5] - c[at + 2]];
  const [vx, vy, vz] = [c[at + 6] - c[at], c[at + 7] - c[at + 1], c[at + 8] - c[at + 2]];
  const px = d[1] * vz - d[2] * vy;
  const py = d[2] * vx - d[0] * vz;
  const pz = d[0] * vy - d[1] * vx;
  const determinant = ux * px + uy * py + uz * pz;
  if (determinant === 0) return -1;
  const [sx, sy, sz] = [o[0] - c[at], o[1] - c[at + 1], o[2] - c[at + 2]];
  const u = (sx * px + sy * py + sz * pz) / determinant;
  if (u < 0 || u > 1) return -1;
  const qx = sy * uz - sz * uy;
  const qy = sz * ux - sx * uz;
  const qz = sx * uy - sy * ux;
  const v = (d[0] * qx + d[1] * qy + d[2] * qz) / determinant;
  if (v < 0 || u + v > 1) return -1;
  return (vx * qx + vy * qy + vz * qz) / determinant;
}
