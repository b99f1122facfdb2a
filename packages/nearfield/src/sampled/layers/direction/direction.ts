// Along which direction are two bodies best viewed? (Myszkowski et al., section 7.) First across the largest faces of
// the common part of their boxes, each box in its own body's frame. Then a coarse map along that direction refines it:
// by the normals of the triangles that face each other where the bodies are nearest, each weighted by the area seen.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import type { Box } from '../../../math/box.ts';
import { applyPose, type Pose } from '../../../math/pose.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import { noTriangle } from '../../raster/exact/measure-line.ts';
import type { RawLines } from '../../raster/sampling.ts';
import type { Triple, View } from '../../raster/view.ts';

type Vector = [number, number, number];

/** The direction leads from a towards b: b's middle lies ahead of a's. */
export function directionOfBoxes(a: Placed, b: Placed): Vector {
  const first = wallNormal(a, b);
  const second = wallNormal(b, a);
  const sign = dot(first, second) < 0 ? -1 : 1;
  const mean: Vector = [0, 1, 2].map(k => first[k] + sign * second[k]) as Vector;
  return aheadOf(a, b, rounded(mean));
}

/**
 * The normal of the largest face of the common part of two bodies' boxes, in the frame of `own`: across its least
 * extent. If the boxes are apart along an axis, the extent there is negative.
 */
function wallNormal(own: Placed, other: Placed): Vector {
  const box = boundsOf(own.shape.positions, own.shape.mesh.indices);
  const theirs = boxInFrame(own.pose, cornersOf(other));
  let best: Vector = [0, 0, 1];
  let least = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const normal = normalOf(own.pose, axis);
    const extent = Math.min(box[axis + 3], theirs[axis + 3]) - Math.max(box[axis], theirs[axis]);
    // The length along the axis, measured perpendicular to the faces.
    const world = extent * Math.abs(dot(unit(normal), columnOf(own.pose, axis)));
    if (world < least) {
      least = world;
      best = unit(normal);
    }
  }
  return best;
}

const columnOf = (pose: Pose, axis: number): Vector => [
  pose[4 * axis],
  pose[4 * axis + 1],
  pose[4 * axis + 2],
];

/** The direction perpendicular to the other two columns. */
const normalOf = (pose: Pose, axis: number): Vector =>
  cross(columnOf(pose, (axis + 1) % 3), columnOf(pose, (axis + 2) % 3));

/** World corners of a body's own box. */
function cornersOf({ shape, pose }: Placed): Float64Array {
  const box = boundsOf(shape.positions, shape.mesh.indices);
  const corners = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    applyPose(pose, box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2], corners, 3 * i);
  }
  return corners;
}

/** Coordinates along a pose's columns, by the rows of its inverse. */
function boxInFrame(pose: Pose, corners: Float64Array): Box {
  const out = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    const normal = normalOf(pose, axis);
    const scale = dot(normal, columnOf(pose, axis));
    let [low, high] = [Infinity, -Infinity];
    for (let at = 0; at < 24; at += 3) {
      const from: Vector = [corners[at] - pose[12], corners[at + 1] - pose[13], corners[at + 2] - pose[14]];
      const x = dot(normal, from) / scale;
      low = Math.min(low, x);
      high = Math.max(high, x);
    }
    out[axis] = low;
    out[axis + 3] = high;
  }
  return out;
}

/** The direction or its opposite, whichever leads from a's middle to b's. */
function aheadOf(a: Placed, b: Placed, direction: Vector): Vector {
  const [middleA, middleB] = [middleOf(a), middleOf(b)];
  const way: Vector = [middleB[0] - middleA[0], middleB[1] - middleA[1], middleB[2] - middleA[2]];
  return dot(way, direction) < 0 ? (direction.map(x => 0 - x) as Vector) : direction;
}

/** The middle of a body's own box, as it is placed. */
function middleOf({ shape, pose }: Placed): Float64Array {
  const box = boundsOf(shape.positions, shape.mesh.indices);
  const [x, y, z] = [0, 1, 2].map(k => box[k] / 2 + box[k + 3] / 2);
  const middle = new Float64Array(3);
  applyPose(pose, x, y, z, middle, 0);
  return middle;
}

/** A triangle seen at a slant represents more area than its pixel: at most this many times. */
const mostSlant = 4;
/** If the mean of the normals is shorter than this, they point every way, and no direction is better than another. */
const leastMean = 0.25;

export interface MeanNormal {
  /** The view's own direction if normals point every way. */
  readonly direction: Triple;
  /** The length of the mean normal: 1 if all are equal, 0 if they point every way. */
  readonly agreement: number;
}

/** The mean normal of the triangles that face each other in the nearer half of a map's pixels. */
export function directionOfNormals(a: Placed, b: Placed, view: View, lines: RawLines): MeanNormal {
  const { distance, triangleA, triangleB } = lines;
  const known = distance.filter(x => !Number.isNaN(x)).sort();
  if (known.length === 0) return { direction: view.direction, agreement: 1 };
  const zone = known[known.length >> 1];
  const sum: Vector = [0, 0, 0];
  let weights = 0;
  const corners = new Float64Array(9);
  const add = (body: Placed, triangle: number) => {
    if (triangle === noTriangle) return;
    placeCorners(body, triangle, corners, 0);
    const edge = (at: number): Vector => [
      corners[at] - corners[0],
      corners[at + 1] - corners[1],
      corners[at + 2] - corners[2],
    ];
    const normal = cross(edge(3), edge(6));
    const length = Math.hypot(...normal);
    if (length === 0) return;
    const lean = dot(normal, view.direction) / length;
    const weight = Math.min(mostSlant, 1 / Math.abs(lean));
    for (let k = 0; k < 3; k++) sum[k] += (Math.sign(lean) * weight * normal[k]) / length;
    weights += weight;
  };
  for (let pixel = 0; pixel < distance.length; pixel++) {
    if (!(distance[pixel] <= zone)) continue;
    add(a, triangleA[pixel]);
    add(b, triangleB[pixel]);
  }
  const agreement = weights > 0 ? Math.hypot(...sum) / weights : 1;
  const isClear = weights > 0 && agreement > leastMean;
  return { direction: isClear ? aheadOf(a, b, rounded(sum)) : view.direction, agreement };
}

const dot = (u: Triple, v: Triple): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

const cross = (u: Triple, v: Triple): Vector => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

/**
 * A unit vector along one whose largest component is 1 and whose others are rounded to 2^-24. The rounding hides the
 * order in which sums were taken, so a and b may be exchanged.
 */
function rounded(v: Triple): Vector {
  const size = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  return unit(v.map(x => Math.round((x / size) * 2 ** 24)) as Vector);
}

function unit(v: Triple): Vector {
  const size = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  if (size === 0) return [0, 0, 1];
  const scaled: Vector = [v[0] / size, v[1] / size, v[2] / size];
  const length = Math.hypot(...scaled);
  return [scaled[0] / length, scaled[1] / length, scaled[2] / length];
}
