// Solids modelled like clay: cones, ellipsoids and plates that merge. A solid is where a field is negative. The field
// of a shape is approximately its distance, and fields are joined by a minimum that is rounded where two are near
// (quadratic, so that shapes farther away than the rounding have no influence at all).

import { cross, dot, length, plus, times, type Vector } from '../rigid/vector.ts';

export type Field = (x: number, y: number, z: number) => number;

/** A shape: its field, whose slope is at most about 1. */
export type Blob = Field;

/** A rod with round ends whose radius goes from one to the other. */
export function cone(from: Vector, startRadius: number, to: Vector, endRadius: number): Blob {
  const [ax, ay, az] = from;
  const [dx, dy, dz] = plus(to, from, -1);
  const perLength = 1 / Math.max(dx * dx + dy * dy + dz * dz, 1e-30);
  return (x, y, z) => {
    const px = x - ax;
    const py = y - ay;
    const pz = z - az;
    const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) * perLength));
    const ex = px - t * dx;
    const ey = py - t * dy;
    const ez = pz - t * dz;
    return Math.sqrt(ex * ex + ey * ey + ez * ez) - (startRadius + t * (endRadius - startRadius));
  };
}

/** A point on a limb, and its thickness there. */
export type Joint = readonly [x: number, y: number, z: number, radius: number];

/** Cones from joint to joint. */
export function limb(joints: readonly Joint[]): Blob[] {
  return joints.slice(1).map((to, i) => {
    const from = joints[i];
    return cone([from[0], from[1], from[2]], from[3], [to[0], to[1], to[2]], to[3]);
  });
}

/**
 * The same with a smooth curve through the joints (Catmull and Rom 1974), with several cones from each to the next.
 */
export function curved(joints: readonly Joint[], pieces = 6): Joint[] {
  const at = (i: number): Joint => joints[Math.max(0, Math.min(joints.length - 1, i))];
  const places: Joint[] = [];
  for (let i = 0; i + 1 < joints.length; i++) {
    for (let k = 0; k < pieces; k++) places.push(between(at(i - 1), at(i), at(i + 1), at(i + 2), k / pieces));
  }
  return [...places, joints[joints.length - 1]];
}

function between(p: Joint, q: Joint, r: Joint, s: Joint, t: number): Joint {
  const value = (k: number): number =>
    q[k] +
    (t / 2) *
      (r[k] - p[k] + t * (2 * p[k] - 5 * q[k] + 4 * r[k] - s[k]) + t * t * (3 * (q[k] - r[k]) + s[k] - p[k]));
  return [value(0), value(1), value(2), value(3)];
}

/** About its middle, along the axes. The value is |p/r|·(|p/r| − 1)/|p/r²|, near the distance close to the surface. */
export function ellipsoid([cx, cy, cz]: Vector, [rx, ry, rz]: Vector): Blob {
  const least = Math.min(rx, ry, rz);
  return (x, y, z) => {
    const u = (x - cx) / rx;
    const v = (y - cy) / ry;
    const w = (z - cz) / rz;
    const size = Math.sqrt(u * u + v * v + w * w);
    const slope = length([u / rx, v / ry, w / rz]);
    return slope < 1e-12 ? -least : (size * (size - 1)) / slope;
  };
}

/** A triangle with a thickness, its rim round. */
export function plate(a: Vector, b: Vector, c: Vector, halfThickness: number): Blob {
  const corners = [a, b, c] as const;
  const sides = corners.map((corner, i) => plus(corners[(i + 1) % 3], corner, -1));
  const normal = cross(sides[0], plus(c, a, -1));
  const unit = times(normal, 1 / length(normal));
  const inwards = sides.map(side => cross(unit, side));
  const rims = corners.map((corner, i) => cone(corner, 0, corners[(i + 1) % 3], 0));
  return (x, y, z) => {
    const point: Vector = [x, y, z];
    const over = corners.every((corner, i) => dot(plus(point, corner, -1), inwards[i]) >= 0);
    const away = over
      ? Math.abs(dot(plus(point, a, -1), unit))
      : Math.min(rims[0](x, y, z), rims[1](x, y, z), rims[2](x, y, z));
    return away - halfThickness;
  };
}

/** Joined blobs with rounded seams and a grain on the surface. */
export interface Clay {
  readonly blobs: readonly Blob[];
  /** How wide seams are rounded. */
  readonly rounding: number;
  /** Added to the field: positive removes material. Never more than `grainHeight` in either direction. */
  readonly grain?: Field;
  readonly grainHeight?: number;
  /** Approximate triangles with grid cells of side 1; with side c there are 1/c² times as many. */
  readonly trianglesArea: number;
  /** Minimum and maximum corner of a box that holds all of it. */
  readonly min: Vector;
  readonly max: Vector;
}

/** If the surface is much farther away than the grain reaches, the grain does not matter and is not computed. */
export function joined(blobs: readonly Blob[], rounding: number, grain?: Field, grainHeight = 0): Field {
  return (x, y, z) => {
    let value = Infinity;
    for (const blob of blobs) {
      const other = blob(x, y, z);
      const near = rounding - Math.abs(value - other);
      value = Math.min(value, other);
      if (near > 0) value -= (near * near) / (4 * rounding);
    }
    return grain && Math.abs(value) < 4 * grainHeight ? value + grain(x, y, z) : value;
  };
}
