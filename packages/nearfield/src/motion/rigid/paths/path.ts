// Where is a rigid body at each time from 0 to 1? Its path is stated so that every answer is about something definite, and its
// bounds are proven.
//
// The path. P₀ and P₁ are the world positions, in doubles, of a vertex at the two given poses; c₀ and c₁ those of the reference
// point, the centre of the box around the local positions. The turn from one pose to the other has an axis u and an angle θ from
// 0 to π, which are doubles (turn.ts); R(φ) is the exact rotation about the direction of u by φ. The vertex is at
//
//   x(t) = y(t) + t·(P₁ − y(1)),    y(t) = c(t) + R(tθ)·(P₀ − c₀).
//
// For 'turn', c(t) = c₀ + t·(c₁ − c₀). For 'screw', the reference point follows the helix about the axis u from c₀ to c₁: with
// c₁ − c₀ = h·u + d, d normal to u, c(t) = c₀ + t·h·u + sin(tθ/2)/sin(θ/2)·R((t − 1)·θ/2)·d. Points within triangles follow
// their corners. So x(0) = P₀ and x(1) = P₁ exactly, and a body that only translates moves every vertex linearly. The last term
// corrects what rounding, or few digits in a file, makes of a rotation. It is at most `tolerance` of the body's size: poses that
// differ by more than a rotation are refused.
//
// The slack. A pose M(t) in doubles is computed for times between: linear part R(tθ)·L₀ + t·E, E = L₁ − R(θ)·L₀, translation
// c(t) − M·q for the local reference point q. The world positions that `applyPose` makes with it differ from x(t). Let u be
// 2^-53, B = √3·‖L₀‖·|q|max (a bound of the products in a row of a pose, ‖ ‖ the Frobenius norm), and C the largest
// coordinate of c(t). Entries of R are off by 16u (turn.ts), so R·L₀·q by 31u·B, E·q by 34u·B, the translation by
// 35u·B + 5u·C + 20u·C (the helix), `applyPose` by 8u·B + 4u·C, and the rounding of P₀ and P₁ adds twice as much. Together less
// than 124u·B + 41u·C per coordinate, times √3 for a length: 2^-45·(B + C). Where entries or positions are so small that
// products lose digits to underflow, each of fewer than 2^10 operations adds 2^-1074, times an entry or a coordinate at most
// once: 2^-1060·(1 + ‖L₀‖ + |q|max + C).

import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../../../bodies/snapshot/snapshot-body.ts';
import { usedVertices } from '../../../bodies/snapshot/world.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { type Box, isEmptyBox, placeBox } from '../../../math/box.ts';
import { sine } from '../../../math/elementary/angles.ts';
import { applyPose, type Pose } from '../../../math/pose.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import { crossMatrix, type Frames, type Turning, turningFrames } from './frames.ts';
import {
  lengthOf,
  linearOf,
  multiply3,
  normOf,
  quotient3,
  type Turn,
  turnMatrix,
  turnOf,
  unitFor,
} from './turn.ts';

/** A body's path from time 0 to time 1. Lengths are in world units. */
export interface BodyPath {
  /** Writes the pose in doubles at a time: at 0 and 1 the poses given. */
  poseAt(t: number, out: Pose): void;
  /** World positions by `poseAt` are this near to the path's at every time. */
  readonly slack: number;
  /** From t to t + h no point of the body is faster than this. */
  speed(t: number, h: number): number;
  /** Writes the derivative of the pose by time: applied to a local point like a pose, it gives the point's velocity. */
  derivativeAt(t: number, out: Float64Array): void;
  /** Velocities by `derivativeAt` are this near to the path's. */
  readonly velocitySlack: number;
  /** No point of the body has a larger acceleration at any time. */
  readonly acceleration: number;
  /** Whether the body stays where it is. */
  readonly rests: boolean;
  /** About the diameter: twice the largest distance of a vertex from the reference point, or the diagonal of the box. */
  readonly size: number;
  /** No coordinate of the body, nor of its reference point, is larger at any time. */
  readonly reach: number;
  /**
   * Places single corners precisely wherever the body stands, with lengths times a power of two. Undefined if an angle is too
   * large for that.
   */
  frames(unit: number): Frames | undefined;
  /** Set if the body deforms: then poses alone do not place it. */
  readonly deforming?: Deforming | undefined;
}

/** The changing shape of a body that deforms. */
export interface Deforming {
  /** The body with its positions at a time, at the pose it has at time 0. The next call overwrites it. */
  bodyAt(t: number): SnapshotBody;
  /** A box around its local positions at a time. */
  boundsAt(t: number): Box;
  /** What engines know its tree by. */
  readonly shape: Shape;
}

/** Up to this share of a body's size, its pose at time 1 may differ from a rotation and translation of that at time 0. */
export const tolerance = 1e-5;

/** Rounds a bound up: it was computed with fewer than 2^12 roundings. */
export const up = 1 + 2 ** -40;

/** The path of a body that does not move. */
export function restingPath({ pose, positions, mesh }: SnapshotBody): BodyPath {
  const fixed = pose.slice();
  const box = boundsOf(positions, mesh.indices);
  const size = isEmptyBox(box)
    ? 0
    : lengthOf([0, 1, 2].map(i => (box[i + 3] - box[i]) * scaleOf(pose, i))) * up;
  const reach = isEmptyBox(box) ? 0 : Math.max(...placeBox(pose, box, new Float64Array(6)).map(Math.abs));
  const centre = new Float64Array(3);
  if (!isEmptyBox(box))
    applyPose(
      pose,
      ...([0, 1, 2].map(i => 0.5 * box[i] + 0.5 * box[i + 3]) as [number, number, number]),
      centre,
      0,
    );
  const turning: Turning = {
    ...{ positions, poses: [fixed, fixed], c0: centre, c1: centre, turn: noTurn, isHelical: false },
    // Half the diagonal bounds the distance from the centre; the rounding of world positions is far below the other half.
    ...{ radius: size + 2 ** -50 * reach, most: reach },
  };
  return {
    poseAt: (_, out) => out.set(fixed),
    slack: 0,
    speed: () => 0,
    derivativeAt: (_, out) => out.fill(0),
    velocitySlack: 0,
    acceleration: 0,
    rests: true,
    size,
    reach,
    frames: unit => turningFrames(turning, unit),
  };
}

const noTurn: Turn = { axis: [0, 0, 1], angle: 0 };

/** How long a pose makes a unit along a local axis. */
const scaleOf = (pose: Pose, axis: number): number => lengthOf(pose.subarray(4 * axis, 4 * axis + 3));

/** How far the vertices are from the reference point, and from the axis through it in world coordinates. */
export interface Extent {
  /** The reference point in local coordinates: the centre of the box. */
  readonly centre: Float64Array;
  /** The largest distance from it, in world units. */
  readonly radius: number;
  /** The same in local units. */
  readonly localRadius: number;
  /** The largest distance from the line through the centre along the axis, in world units. */
  readonly reach: number;
  /** The largest coordinate, in local units. */
  readonly most: number;
}

/** Measures the vertices that triangles use. `linear` is the linear part of the pose. */
export function extentOf(
  positions: SnapshotBody['positions'],
  indices: SnapshotBody['mesh']['indices'],
  linear: Float64Array,
  axis: readonly number[] = [0, 0, 0],
): Extent {
  const box = boundsOf(positions, indices);
  if (isEmptyBox(box)) return { centre: new Float64Array(3), radius: 0, localRadius: 0, reach: 0, most: 0 };
  const centre = Float64Array.from([0, 1, 2], i => 0.5 * box[i] + 0.5 * box[i + 3]);
  const localRadius = localRadiusOf(positions, indices, centre);
  const radius = localRadius * stretchOf(linear);
  // No vertex is farther from the axis than the farthest corner of the box: the distance from a line is convex.
  let farthest = 0;
  const [ux, uy, uz] = axis;
  for (let corner = 0; corner < 8; corner++) {
    const [x, y, z] = [0, 1, 2].map(i => box[i + 3 * ((corner >> i) & 1)] - centre[i]);
    const wx = linear[0] * x + linear[3] * y + linear[6] * z;
    const wy = linear[1] * x + linear[4] * y + linear[7] * z;
    const wz = linear[2] * x + linear[5] * y + linear[8] * z;
    farthest = Math.max(farthest, lengthOf([uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx]));
  }
  let most = 0;
  for (let i = 0; i < 6; i++) most = Math.max(most, Math.abs(box[i]));
  return {
    centre,
    radius: radius * up,
    localRadius,
    reach: Math.min(radius, farthest) * up,
    most,
  };
}

const knownRadii = new WeakMap<object, { readonly indices: object; readonly radius: number }>();

/** The largest distance of a vertex from the centre of the box, in local units. Kept per positions: motions follow each other. */
function localRadiusOf(
  positions: SnapshotBody['positions'],
  indices: SnapshotBody['mesh']['indices'],
  centre: Float64Array,
): number {
  const known = knownRadii.get(positions);
  if (known?.indices === indices) return known.radius;
  const vertices = usedVertices(indices, positions.length / 3);
  const box = boundsOf(positions, indices);
  const unit = unitFor([0, 1, 2].map(i => box[i + 3] - box[i]));
  let squared = 0;
  for (let i = 0; i < vertices.length; i++) {
    const at = 3 * vertices[i];
    const x = (positions[at] - centre[0]) * unit;
    const y = (positions[at + 1] - centre[1]) * unit;
    const z = (positions[at + 2] - centre[2]) * unit;
    squared = Math.max(squared, x * x + y * y + z * z);
  }
  const radius = (Math.sqrt(squared) / unit) * up;
  knownRadii.set(positions, { indices, radius });
  return radius;
}

/**
 * How much a matrix lengthens a vector at most. Columns that are orthogonal to 2^-20 of their lengths: the longest column,
 * times less than 1 + 2^-18. Else the Frobenius norm.
 */
function stretchOf(matrix: Float64Array): number {
  const unit = unitFor(matrix);
  const m = matrix.map(x => x * unit);
  const lengths = [0, 3, 6].map(i => lengthOf(m.subarray(i, i + 3)));
  const isOrthogonal = [
    [0, 3],
    [3, 6],
    [6, 0],
  ].every(([i, j]) => {
    const dot = m[i] * m[j] + m[i + 1] * m[j + 1] + m[i + 2] * m[j + 2];
    return Math.abs(dot) <= 2 ** -20 * lengths[i / 3] * lengths[j / 3];
  });
  return (isOrthogonal ? Math.max(...lengths) * (1 + 2 ** -18) : normOf(m)) / unit;
}

/** The path of a body between two poses. Throws 'bad-pose' if they differ by more than a rotation and a translation. */
export function turningPath(
  { pose, positions, mesh }: SnapshotBody,
  to: Pose,
  kind: 'turn' | 'screw',
  who: string,
): BodyPath {
  const [l0, l1] = [linearOf(pose), linearOf(to)];
  const translates = l0.every((value, i) => value === l1[i]);
  const turn: Turn = translates ? noTurn : turnOf(quotient3(l1, l0));
  const { axis, angle } = turn;
  const extent = extentOf(positions, mesh.indices, l0, axis);
  const [c0, c1] = [new Float64Array(3), new Float64Array(3)];
  applyPose(pose, extent.centre[0], extent.centre[1], extent.centre[2], c0, 0);
  applyPose(to, extent.centre[0], extent.centre[1], extent.centre[2], c1, 0);

  const matrix = new Float64Array(9);
  const linear = new Float64Array(9);
  turnMatrix(axis, angle, matrix);
  multiply3(matrix, l0, linear);
  const error = l1.map((value, i) => value - linear[i]);
  const drift = normOf(error) * extent.localRadius;
  if (!(drift <= tolerance * extent.radius)) throw notRigid(who, drift / extent.radius);

  const way = [c1[0] - c0[0], c1[1] - c0[1], c1[2] - c0[2]];
  const helix = kind === 'screw' && angle > 0 ? helixOf(way, turn) : undefined;
  const travel = helix?.length ?? lengthOf(way);
  const place = Math.max(...c0.map(Math.abs)) + travel;
  const slack =
    2 ** -45 * (Math.sqrt(3) * normOf(l0) * extent.most + place) +
    2 ** -1060 * (1 + normOf(l0) + extent.most + place);
  const speed = (travel + angle * extent.reach + drift + slack) * up;
  const c = new Float64Array(3);
  const poseAt = (t: number, out: Pose): void => {
    if (t === 0 || t === 1) {
      out.set(t === 0 ? pose : to);
      return;
    }
    turnMatrix(axis, t * angle, matrix);
    multiply3(matrix, l0, linear);
    for (let i = 0; i < 9; i++) linear[i] += t * error[i];
    if (helix) helix.at(t, c);
    else for (let i = 0; i < 3; i++) c[i] = t * way[i];
    for (let row = 0; row < 3; row++) {
      const moved =
        linear[row] * extent.centre[0] +
        linear[3 + row] * extent.centre[1] +
        linear[6 + row] * extent.centre[2];
      for (let column = 0; column < 3; column++) out[4 * column + row] = linear[3 * column + row];
      out[12 + row] = c0[row] + c[row] - moved;
    }
    out[3] = out[7] = out[11] = 0;
    out[15] = 1;
  };
  const axes = crossMatrix(axis);
  const derivativeAt = (t: number, out: Float64Array): void => {
    turnMatrix(axis, t * angle, matrix);
    multiply3(axes, matrix, linear);
    multiply3(linear, l0, matrix);
    if (helix) helix.velocityAt(t, c);
    else c.set(way);
    out[3] = out[7] = out[11] = out[15] = 0;
    for (let row = 0; row < 3; row++) {
      let moved = 0;
      for (let column = 0; column < 3; column++) {
        const entry = angle * matrix[3 * column + row] + error[3 * column + row];
        out[4 * column + row] = entry;
        moved += entry * extent.centre[column];
      }
      out[12 + row] = c[row] - moved;
    }
  };
  const fixed = pose.every((value, i) => value === to[i]);
  const turning: Turning = {
    ...{ positions, poses: [pose.slice(), to], c0, c1, turn, isHelical: helix !== undefined },
    // World positions are rounded: they may be farther from the reference point than the mesh's.
    ...{ radius: extent.radius + drift + 2 ** -50 * (place + extent.radius), most: place + travel },
  };
  return {
    poseAt,
    slack,
    speed: () => speed,
    derivativeAt,
    // As the slack of positions, with a factor of at most θ or the length of the way, and one product more.
    velocitySlack: 2 * slack * (angle + 1) + 2 ** -45 * travel,
    acceleration: (angle * angle * extent.reach + (helix?.acceleration ?? 0)) * up,
    rests: fixed,
    size: 2 * extent.radius,
    reach: (place + extent.radius + drift) * up,
    frames: unit => turningFrames(turning, unit),
  };
}

/** The way of a point on a helix from 0 to `way`, and its length. */
function helixOf(way: readonly number[], { axis, angle }: Turn) {
  const along = way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
  const d = way.map((value, i) => value - along * axis[i]);
  const half = sine(angle / 2);
  const matrix = new Float64Array(9);
  const at = (t: number, out: Float64Array): void => {
    turnMatrix(axis, ((t - 1) * angle) / 2, matrix);
    const part = sine((t * angle) / 2) / half;
    for (let row = 0; row < 3; row++)
      out[row] =
        t * along * axis[row] + part * (matrix[row] * d[0] + matrix[3 + row] * d[1] + matrix[6 + row] * d[2]);
  };
  // The derivative of the chord sin(tθ/2)/sin(θ/2)·R((t − 1)·θ/2)·d is the tangent, d turned by (t − ½)·θ, times θ/2/sin(θ/2).
  const velocityAt = (t: number, out: Float64Array): void => {
    turnMatrix(axis, (t - 0.5) * angle, matrix);
    const part = (0.5 * angle) / half;
    for (let row = 0; row < 3; row++)
      out[row] =
        along * axis[row] + part * (matrix[row] * d[0] + matrix[3 + row] * d[1] + matrix[6 + row] * d[2]);
  };
  // The chord of an arc of angle θ and radius r is 2r·sin(θ/2), the arc r·θ. A point on it accelerates by θ²·r.
  const length = lengthOf([along, (lengthOf(d) * (angle / 2)) / half]) * up;
  const acceleration = ((angle * angle * lengthOf(d)) / (2 * half)) * up;
  return { at, velocityAt, length, acceleration };
}

function notRigid(who: string, share: number): NearfieldError {
  const differs = Number.isFinite(share)
    ? `by ${Number(share.toPrecision(2))} of the body's size`
    : 'by a reflection or a change of scale';
  return new NearfieldError(
    'bad-pose',
    `${who}: its pose at time 1 is not a rotation and translation of its pose at time 0: it differs ${differs}. Use equal scales, or move it in steps`,
  );
}
