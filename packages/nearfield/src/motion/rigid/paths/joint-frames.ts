// The frames of a body that joints carry: their product in twice the precision of doubles (frames.ts). A motion of one joint, an origin
// and a product of two of them take fewer than 2^7 operations per entry, so n joints place the reference point to
// 2^-90·(n + 1) of how far it may be from the root.

import { mostAngle, wideUnitAt } from '../../../math/elementary/wide-angles.ts';
import {
  minus,
  negated,
  one,
  plus,
  sumOf,
  times,
  unitVector,
  type Wide,
  type WideVector,
  wide,
  zero,
} from '../../../math/exact/wide.ts';
import { applyPose, type Pose } from '../../../math/pose.ts';
import { type BodyAtTime, type Frames, frameSlacks, map3 } from './frames.ts';
import type { Joint } from './joints.ts';
import { unitFor } from './turn.ts';

export interface Jointed {
  /** The body's pose at time 0, its positions, and the product of its joints at time 1. */
  readonly pose: Pose;
  readonly positions: ArrayLike<number>;
  readonly end: Pose;
  readonly joints: readonly Joint[];
  readonly local: Pose;
  /** The reference point in local coordinates. */
  readonly centre: Float64Array;
  /** Lengths are multiplied by this power of two. */
  readonly unit: number;
  /** How far the joints turn, all together. */
  readonly turning: number;
  /** Bounds as in `frameSlacks`, not multiplied. */
  readonly radius: number;
  readonly most: number;
}

/** Undefined if a joint turns too far to be followed in this precision. */
export function jointFrames(body: Jointed): Frames | undefined {
  const { positions, local, centre, unit, joints, turning, radius, most } = body;
  const isFollowed = joints.every(
    ({ kind, from, to }) => kind === 'slide' || Math.max(Math.abs(from), Math.abs(to)) <= mostAngle,
  );
  if (!isFollowed) return undefined;
  const poses = [body.pose.slice(), body.end];
  const axes = joints.map(({ direction: [x, y, z] }) => {
    const factor = unitFor([x, y, z]);
    return unitVector([x * factor, y * factor, z * factor]);
  });
  const origins = joints.map(({ origin }) => widePose(origin, unit));
  const own = widePose(local, unit);
  const q = map3(i => wide(centre[i]));
  const start = applied(
    own,
    map3(i => times(q[i], wide(unit))),
  );
  const at = (t: Wide): BodyAtTime => {
    // What follows each joint: the linear part and the reference point, and their derivatives by its value.
    let moved: Moving = { linear: own.linear, centre: start, turning: noLinear, velocity: noVector };
    for (let j = joints.length - 1; j >= 0; j--) {
      moved = afterJoint(moved, joints[j], axes[j], t, unit);
      moved = afterOrigin(moved, origins[j]);
    }
    return {
      centre: moved.centre,
      velocity: moved.velocity,
      // Offsets are in local units.
      linear: Float64Array.from(moved.linear, ([high]) => high * unit),
      turning: Float64Array.from(moved.turning, ([high]) => high * unit),
    };
  };
  return {
    at,
    offsetOf(vertex, out) {
      for (let i = 0; i < 3; i++) out[i] = positions[3 * vertex + i] - centre[i];
    },
    endOf(time, vertex, out) {
      const from = 3 * vertex;
      applyPose(poses[time], positions[from], positions[from + 1], positions[from + 2], out, 0);
      for (let i = 0; i < 3; i++) out[i] *= unit;
    },
    ...frameSlacks(radius * unit, turning, (joints.length + 1) * most * unit),
  };
}

/** A linear part, column by column, and a point. */
interface WidePose {
  readonly linear: readonly Wide[];
  readonly translation: WideVector;
}

/** A body in the frame of a joint: its linear part and reference point, and their derivatives by time. */
interface Moving {
  readonly linear: readonly Wide[];
  readonly centre: WideVector;
  readonly turning: readonly Wide[];
  readonly velocity: WideVector;
}

const noVector: WideVector = [zero, zero, zero];
const noLinear: readonly Wide[] = new Array<Wide>(9).fill(zero);

const widePose = (pose: Pose, unit: number): WidePose => ({
  linear: [0, 1, 2, 4, 5, 6, 8, 9, 10].map(i => wide(pose[i])),
  translation: map3(i => wide(pose[12 + i] * unit)),
});

const applied = ({ linear, translation }: WidePose, v: WideVector): WideVector => {
  const turned = vectorBy(linear, v);
  return map3(i => plus(turned[i], translation[i]));
};

const vectorBy = (m: readonly Wide[], v: WideVector): WideVector =>
  map3(i => plus(plus(times(m[i], v[0]), times(m[3 + i], v[1])), times(m[6 + i], v[2])));

const matrixBy = (m: readonly Wide[], other: readonly Wide[]): Wide[] =>
  [0, 3, 6].flatMap(column => vectorBy(m, [other[column], other[column + 1], other[column + 2]]));

function afterOrigin({ linear, centre, turning, velocity }: Moving, origin: WidePose): Moving {
  return {
    linear: matrixBy(origin.linear, linear),
    centre: applied(origin, centre),
    turning: matrixBy(origin.linear, turning),
    velocity: vectorBy(origin.linear, velocity),
  };
}

/** The value of a joint is from + t·(to − from). */
function afterJoint(moved: Moving, joint: Joint, axis: WideVector, t: Wide, unit: number): Moving {
  const { kind, from, to } = joint;
  const rate = sumOf(to, -from);
  const value = plus(wide(from), times(t, rate));
  const { linear, centre, turning, velocity } = moved;
  if (kind === 'slide') {
    const scale = wide(unit);
    return {
      ...moved,
      centre: map3(i => plus(centre[i], times(times(axis[i], value), scale))),
      velocity: map3(i => plus(velocity[i], times(times(axis[i], rate), scale))),
    };
  }
  // R(q)·m has the derivative R·m′ + q′·[axis]×·R·m.
  const rotation = rotationAbout(axis, value);
  const across = crossOf(axis).map(entry => times(entry, rate));
  const [turned, place] = [matrixBy(rotation, linear), vectorBy(rotation, centre)];
  const [turnedRate, placeRate] = [matrixBy(rotation, turning), vectorBy(rotation, velocity)];
  const [more, moreRate] = [matrixBy(across, turned), vectorBy(across, place)];
  return {
    linear: turned,
    centre: place,
    turning: turnedRate.map((entry, i) => plus(entry, more[i])),
    velocity: map3(i => plus(placeRate[i], moreRate[i])),
  };
}

/** The matrix of the cross product with a vector. */
const crossOf = ([x, y, z]: WideVector): Wide[] => [
  zero,
  z,
  negated(y),
  negated(z),
  zero,
  x,
  y,
  negated(x),
  zero,
];

/** Rodrigues: cos·I + sin·[u]× + (1 − cos)·u·uᵀ. */
function rotationAbout(u: WideVector, angle: Wide): Wide[] {
  const [c, s] = wideUnitAt(angle);
  const rest = minus(one, c);
  const across = crossOf(u);
  return across.map((entry, i) => {
    const [column, row] = [Math.floor(i / 3), i % 3];
    const outer = times(rest, times(u[row], u[column]));
    const sum = plus(outer, times(s, entry));
    return row === column ? plus(sum, c) : sum;
  });
}
