// Motions of bodies from time 0 to time 1, and first contacts during them.

import type { Body } from '../bodies/body.ts';
import type { PairFilter } from '../candidates/filter.ts';
import type { Limits } from '../core/limits.ts';
import type { Relation } from '../interferences/relation/relation.ts';

/** A body that keeps its shape and moves from its pose, at time 0, to another pose, at time 1. */
export interface PoseMotion {
  /** The body that moves. */
  readonly body: Body;
  /**
   * Its pose at time 1: 16 numbers, column-major, last row 0 0 0 1. If the linear part is that of the body's pose, every
   * vertex moves linearly from its world position to that at time 1, both as doubles.
   */
  readonly to: ArrayLike<number>;
  /**
   * How the poses are joined. 'turn' (default): the centre of the mesh's box moves linearly while the body turns about it
   * at a constant rate. 'screw': a constant screw motion. It makes no difference if the body only translates.
   */
  readonly path?: 'turn' | 'screw' | undefined;
}

/** One joint of a chain that carries a body. */
export interface JointStep {
  /** The pose of the joint in the link that carries it: a rotation and a translation, 16 numbers, column-major. */
  readonly origin: ArrayLike<number>;
  /** What it does to all that follows: 'turn' about the axis, by radians, or 'slide' along it, by world units. */
  readonly kind: 'turn' | 'slide';
  /** The direction of the axis, through the joint's origin. Its length does not matter. */
  readonly axis: readonly [x: number, y: number, z: number];
  /** Its value at time 0. In between, values change linearly. */
  readonly from: number;
  /** Its value at time 1. */
  readonly to: number;
}

/**
 * A body that joints carry, like the links of a robot: its pose is the product of the joints' origins and motions, from the root
 * on, and of `local`. At time 0 that must be the body's own pose, up to rounding.
 */
export interface JointMotion {
  /** The body that moves. */
  readonly body: Body;
  /**
   * The joints from the root to the body. If one joint carries several bodies, use the same object for all of them: it then
   * does not count as moving them against each other.
   */
  readonly joints: readonly JointStep[];
  /** The body's pose in the last link: 16 numbers. Default: the identity. */
  readonly local?: ArrayLike<number> | undefined;
}

/** A body that deforms: every vertex moves linearly from its world position to another one. */
export interface DeformingMotion {
  /** The body that deforms. */
  readonly body: Body;
  /** Its positions at time 1: x, y, z per vertex in local coordinates, as `Body.deform` takes them; the body's pose applies. */
  readonly positions: Float32Array | Float64Array;
}

/** How one body moves from time 0 to time 1. */
export type BodyMotion = PoseMotion | JointMotion | DeformingMotion;

/** How bodies move from time 0, where they are now, to time 1. */
export interface Motion {
  /**
   * One entry per body that moves. A body that is not named rests, and so does one whose pose or joint values do not change. Pairs of
   * which both rest are not asked about.
   */
  readonly bodies: readonly BodyMotion[];
}

/** Part of a motion, 0 ≤ from ≤ to ≤ 1. */
export interface TimeInterval {
  /** When it begins. */
  readonly from: number;
  /** When it ends. */
  readonly to: number;
}

/**
 * What is known of a first contact. 'contact': one begins within the time given. 'initial': the two share a point at time
 * 0. 'undecided': from the time given on, the two may touch, or pass each other closer than `gap`.
 */
export type ContactState = 'contact' | 'initial' | 'undecided';

/** The first contact of two bodies, or of two triangles. */
export interface FirstContact {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index; the same as `a` if the body meets itself. */
  readonly b: Body;
  /** What is known. */
  readonly state: ContactState;
  /**
   * The two share no point before `from`, and share one at a time in [from, to]. Both are 0 if they do at time 0. If the
   * two move linearly, the interval is the smallest that contains the true time among the multiples of `width` and the
   * intervals between them. So one time gives one interval, whatever touches first.
   */
  readonly time: TimeInterval;
  /** How the bodies lie to one another at time 0. Set if the state is 'initial' and the question was about bodies. */
  readonly relation?: Relation | undefined;
  /** An upper bound of the gap that could not be told from a contact, in world units. Set if the state is 'undecided'. */
  readonly gap?: number | undefined;
  /**
   * A triangle of `a` that takes part. Among those that touch within `time`, the one with the lowest index; -1 if the
   * state is 'initial' because one solid lies within the other.
   */
  readonly triangleA: number;
  /** A triangle of `b` that takes part: the one with the lowest index that touches `triangleA` within `time`; -1 as above. */
  readonly triangleB: number;
  /**
   * Where they touch, as a world point: x, y, z. It is computed in doubles, to be shown. Undefined if the state is
   * 'initial'.
   */
  readonly point?: Float64Array | undefined;
}

/** Which pairs of bodies a question about a motion asks about, and for how long. */
export interface MotionOptions extends PairFilter, Limits {
  /** Only what happens up to this time matters: above 0, at most 1. Default: 1. */
  readonly upTo?: number | undefined;
  /**
   * How long the intervals of time may be: a number from 2^-50 to 1, rounded down to a power of two. Default: 2^-40.
   */
  readonly width?: number | undefined;
}

/** Which first contacts to return. */
export interface FirstContactOptions extends MotionOptions {
  /**
   * 'all' (default): one per pair of bodies. 'earliest': only the first of them, or none. 'triangles': one per pair of
   * triangles, for every pair of triangles that touch during the motion.
   */
  readonly which?: 'all' | 'earliest' | 'triangles' | undefined;
  /**
   * Whether a deforming body may also meet itself. Only pairs of triangles without a common position count, where
   * vertices at one position at time 0 are common. Default: false.
   */
  readonly self?: boolean | undefined;
}

/** Which nearest approaches to return, and how precisely. */
export interface NearestApproachOptions extends MotionOptions {
  /** Pairs that are never nearer than this are left out, in world units. Default: Infinity. */
  readonly within?: number | undefined;
  /** The distance is narrowed down until its bounds differ by at most this share of the upper one. Default: 2^-7. */
  readonly precision?: number | undefined;
  /** Into how many parts of equal length the time is cut, for curves: distances at their ends are measured. Default: 8. */
  readonly samples?: number | undefined;
}

/** How near two bodies come during a motion. */
export interface NearestApproach {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  /** The least distance lies between these, in world units. Both are 0 if the two certainly meet. */
  readonly distance: {
    /** They are never nearer. */
    readonly lower: number;
    /** At the time given they are no farther apart. */
    readonly upper: number;
  };
  /** A time at which the distance is at most `upper`. */
  readonly time: number;
  /** The nearest point of `a` at that time, as doubles place it. */
  readonly pointA: Float64Array;
  /** The nearest point of `b` at that time. */
  readonly pointB: Float64Array;
  /** The triangle of `a` that has the point; −1 if one solid lies within the other. */
  readonly triangleA: number;
  /** The triangle of `b` that has the point; −1 as above. */
  readonly triangleB: number;
  /** (time, distance) of every measurement, in order of time: points on the curve of the distance, to be shown. */
  readonly samples: Float64Array;
}

/** A stretch of time in which two bodies meet. */
export interface ContactInterval {
  /** 'contact': the two certainly meet. 'undecided': they touch, or pass each other closer than can be told. */
  readonly state: 'contact' | 'undecided';
  /** When it begins: the two share no point just before `from`, and share one at `to`. Both are 0 if they do at time 0. */
  readonly begins: TimeInterval;
  /** When it ends: the two share a point at `from`, and none just after `to`. Both are 1, or `upTo`, if it lasts to the end. */
  readonly ends: TimeInterval;
  /** Whether the two are known to share a point all the time from `begins.to` to `ends.from`. */
  readonly throughout: boolean;
}

/** When two bodies meet during a motion. Outside of the intervals they are separate. */
export interface SweptPair {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  /** In order of time; at least one. */
  readonly intervals: readonly ContactInterval[];
}
