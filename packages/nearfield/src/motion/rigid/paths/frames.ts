// Where are single corners of a moving body, to 2^-45 of its size, however far from the origin it stands? Poses in doubles place
// them to 2^-45 of their largest coordinate: enough for trees, too little for a proof about a gap of 2^-40 of the size. A frame
// has the body's reference point c(t) with twice the precision of doubles, and corners relative to it.
//
// With P₀ and P₁ the world positions of a vertex at the two ends, in doubles, every path (path.ts, joints.ts, deforming.ts) has the
// form
//
//   x(t) = c(t) + M(t)·w + (1 − t)·e₀ + t·e₁,   e₀ = P₀ − c(0) − M(0)·w,   e₁ = P₁ − c(1) − M(1)·w,
//
// where w does not depend on time: P₀ − c₀ for a turn (then e₀ = 0), the vertex less the reference point in local coordinates for
// joints, and M = 0 for a body that deforms. All terms but c(t) are as small as the body. Only differences of two bodies' reference
// points are rounded to doubles.
//
// The slack. Let u be 2^-53, r the largest distance of a vertex from c(t), and s the vector between the reference points of the two
// bodies. w is one rounded difference: u·r. M has entries off by 16u: 48u·r in Frobenius' norm, 6u·r more for the product. P − c(i) takes
// two roundings of at most r each, so each e is off by 3u·r + 55u·r + u·r, and their mean by 62u·r. The last three sums
// round numbers up to r + |s|, and s is rounded once. Together less than 120u·r per body and 4u·|s| once. While |s| is at most
// 4·(r_A + r_B), that is less than 2^-45·(r_A + r_B); if it is more, corners are far apart, and approach.ts takes 2^-47 of their
// distance for such roundings. c(t) itself is off by fewer than 2^8 operations of 2^-100 each, of numbers as large as the
// largest coordinate C and the way: 2^-90·(C + way).
//
// Velocities are off by as much, the turning part times the rate ω of turning: 2^-45·r·(1 + ω).

import { wideUnitAt } from '../../../math/elementary/wide-angles.ts';
import {
  dotOf,
  minus,
  negated,
  one,
  over,
  plus,
  ratio,
  sumOf,
  times,
  unitVector,
  type Wide,
  type WideVector,
  wide,
} from '../../../math/exact/wide.ts';
import { applyPose, type Pose } from '../../../math/pose.ts';
import type { Vector } from '../../../math/vector.ts';
import { multiply3, type Turn, turnMatrix } from './turn.ts';

/** A body at one time. Matrices are 3×3, column by column. */
export interface BodyAtTime {
  /** The reference point c, and its velocity. */
  readonly centre: WideVector;
  readonly velocity: WideVector;
  /** M, and its derivative. */
  readonly linear: Float64Array;
  readonly turning: Float64Array;
}

/** The frames of a body on its path. */
export interface Frames {
  at(t: Wide): BodyAtTime;
  /** Writes w of a vertex. */
  offsetOf(vertex: number, out: Float64Array): void;
  /** Writes the world position of a vertex at time 0 or 1, as doubles. */
  endOf(time: 0 | 1, vertex: number, out: Float64Array): void;
  /** Corners, and their velocities, are this near to the path's. */
  readonly slack: number;
  readonly velocitySlack: number;
}

/** What the slacks of frames depend on: the radius r, the rate of turning, and the largest coordinate and way. */
export const frameSlacks = (
  radius: number,
  rate: number,
  most: number,
): Pick<Frames, 'slack' | 'velocitySlack'> => ({
  slack: 2 ** -45 * radius + 2 ** -90 * most,
  velocitySlack: 2 ** -45 * radius * (1 + rate) + 2 ** -90 * most * (1 + rate),
});

/** The same frames in reversed time. 1 − t is exact. */
export const reversedFrames = (frames: Frames): Frames => ({
  ...frames,
  at(t) {
    const { centre, velocity, linear, turning } = frames.at(minus(one, t));
    const back = velocity.map(negated) as unknown as WideVector;
    return { centre, velocity: back, linear, turning: turning.map(x => -x) };
  },
  endOf: (time, vertex, out) => frames.endOf(time === 0 ? 1 : 0, vertex, out),
});

/** A reference point that moves linearly from one point to another. */
export function straightWay(from: ArrayLike<number>, to: ArrayLike<number>) {
  const way = map3(i => sumOf(to[i], -from[i]));
  return (t: Wide): Pick<BodyAtTime, 'centre' | 'velocity'> => ({
    centre: map3(i => plus(wide(from[i]), times(t, way[i]))),
    velocity: way,
  });
}

/**
 * A reference point on a helix (path.ts): from + t·h·u + sin(tθ/2)/sin(θ/2)·R((t − 1)·θ/2)·d. Its velocity is h·u and the tangent,
 * d turned by (t − ½)·θ, times (θ/2)/sin(θ/2).
 */
export function helicalWay(from: ArrayLike<number>, to: ArrayLike<number>, { axis, angle }: Turn) {
  const u = unitVector(axis);
  const way = map3(i => sumOf(to[i], -from[i]));
  const along = dotOf(way, u);
  const d = map3(i => minus(way[i], times(along, u[i])));
  const half = over(wide(angle), 2);
  const sine = wideUnitAt(half)[1];
  return (t: Wide): Pick<BodyAtTime, 'centre' | 'velocity'> => {
    const part = ratio(wideUnitAt(times(t, half))[1], sine);
    const chord = turned(u, times(minus(t, one), half), d);
    const tangent = turned(u, times(minus(t, wide(0.5)), wide(angle)), d);
    const rate = ratio(half, sine);
    return {
      centre: map3(i => plus(plus(wide(from[i]), times(times(t, along), u[i])), times(part, chord[i]))),
      velocity: map3(i => plus(times(along, u[i]), times(rate, tangent[i]))),
    };
  };
}

/** A vector normal to an axis of length 1, turned about it. */
function turned(u: WideVector, angle: Wide, v: WideVector): WideVector {
  const [c, s] = wideUnitAt(angle);
  const across = map3(i => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return minus(times(u[j], v[k]), times(u[k], v[j]));
  });
  return map3(i => plus(times(c, v[i]), times(s, across[i])));
}

export const map3 = <T>(each: (i: number) => T): [T, T, T] => [each(0), each(1), each(2)];

/** The linear part of a body that turns about an axis at a constant rate, and its derivative. */
export function turningPart({ axis, angle }: Turn) {
  const axes = crossMatrix(axis);
  return ([t]: Wide): Pick<BodyAtTime, 'linear' | 'turning'> => {
    const linear = new Float64Array(9);
    const turning = new Float64Array(9);
    turnMatrix(axis, t * angle, linear);
    multiply3(axes, linear, turning);
    for (let i = 0; i < 9; i++) turning[i] *= angle;
    return { linear, turning };
  };
}

/** The matrix of the cross product with a vector. */
export const crossMatrix = ([x, y, z]: Vector): Float64Array => Float64Array.of(0, z, -y, -z, 0, x, y, -x, 0);

/** A body that turns while its reference point goes from c₀ to c₁, or rests. */
export interface Turning {
  readonly positions: ArrayLike<number>;
  /** The poses at both ends. */
  readonly poses: readonly [Pose, Pose];
  readonly c0: ArrayLike<number>;
  readonly c1: ArrayLike<number>;
  readonly turn: Turn;
  readonly isHelical: boolean;
  /** Bounds as in `frameSlacks`. */
  readonly radius: number;
  readonly most: number;
}

/** Its frames, with lengths times a power of two. */
export function turningFrames(body: Turning, unit: number): Frames {
  const { positions, poses, turn, isHelical, radius, most } = body;
  const [c0, c1] = [map3(i => body.c0[i] * unit), map3(i => body.c1[i] * unit)];
  const way = isHelical ? helicalWay(c0, c1, turn) : straightWay(c0, c1);
  const part = turningPart(turn);
  const endOf: Frames['endOf'] = (time, vertex, out) => {
    const at = 3 * vertex;
    applyPose(poses[time], positions[at], positions[at + 1], positions[at + 2], out, 0);
    for (let i = 0; i < 3; i++) out[i] *= unit;
  };
  return {
    at: t => ({ ...way(t), ...part(t) }),
    offsetOf(vertex, out) {
      endOf(0, vertex, out);
      for (let i = 0; i < 3; i++) out[i] -= c0[i];
    },
    endOf,
    ...frameSlacks(radius * unit, turn.angle, most * unit),
  };
}
