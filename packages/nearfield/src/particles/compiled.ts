// What options are compiled into, once: times in ticks, regions and colliders as numbers. Engines and the evaluator in
// lives/ work with these alone.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { Box } from '../math/box.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Grid } from '../sampled/field/grid.ts';
import type { Collider, Vector } from './colliders/shapes.ts';
import type { ForceProgram, Numbers } from './options.ts';

/**
 * Whole ticks distributed over particles: base + floor(range·(hash >>> 8) / 2^24) of hash(seed, particle, 0, channel),
 * in integers. `base` and `range` are below 2^53 (motion/ticks.ts has the product in two halves).
 */
export interface SpreadTicks {
  readonly base: number;
  readonly range: number;
  readonly channel: number;
}

/**
 * A region as numbers. u0, u1, … are those of channels channel, channel + 1, …: (hash >>> 8)·2^−24.
 * - point: x y z
 * - box: low 3, size 3: low + size·u0, u1, u2
 * - disc: centre 3, right·radius 3, up·radius 3: r = max(u0, u1), at u2 turns: centre + right·(r·cos) + up·(r·sin)
 * - ball: centre 3, radius: r = radius·max(u0, u1, u2), z = 2·u3 − 1, at u4 turns
 * - cone: axis 3, right 3, up 3, 1 − cos(angle), low speed, range of speed: d = u0·(1 − cos), sine = √(d·(2 − d)), at
 * u1 turns, speed = low + range·u2: speed·(axis·(1 − d) + right·(sine·cos) + up·(sine·sin))
 */
export interface CompiledRegion {
  readonly kind: 'point' | 'box' | 'disc' | 'ball' | 'cone';
  readonly numbers: Float64Array;
  /** The first of five. */
  readonly channel: number;
  /** The box of all points that it can give. */
  readonly box: Box;
}

export type CompiledStart =
  | {
      readonly kind: 'arrays';
      readonly position: Numbers;
      readonly velocity: Numbers;
      readonly acceleration: Numbers | undefined;
      /** Half widths: position 3, velocity 3; channels 0 to 2 and 5 to 7, generations from 1 on: + (2·u − 1)·width. */
      readonly vary: Float64Array | undefined;
    }
  | { readonly kind: 'rule'; readonly from: CompiledRegion; readonly velocity: CompiledRegion };

/** Channels of the hash. Positions use 0 to 4, velocities 5 to 9. */
export const positionChannel = 0;
export const velocityChannel = 5;
export const lifeChannel = 10;
export const birthChannel = 11;

/** Vectors at the middles of cells, in integers (motion/stepped/sampled-grid.ts). */
export interface CompiledGrid {
  /** The middle of the first cell, and the size of a cell, in units. */
  readonly low: Int32Array;
  readonly cell: number;
  readonly dimensions: Vector;
  /** Three per cell, x fastest. */
  readonly values: Int32Array;
  readonly multiplier: number;
  readonly shift: number;
  /** The most that a component changes per unit along an axis. */
  readonly slope: number;
}

/** A force as WGSL and TypeScript (options.ts, `ForceProgram`), checked. */
export interface CompiledProgram {
  readonly wgsl: string;
  readonly acceleration: ForceProgram['acceleration'];
  readonly greatest: number;
  readonly slopes: ForceProgram['slopes'];
  readonly error: number;
  readonly about: Vector;
}

/** Stepped motion in integers (motion/stepped/stepped.ts). */
export interface CompiledStepped {
  readonly order: 1 | 2;
  /** A step in ticks and in seconds, and the most steps per life. */
  readonly stepTicks: number;
  readonly step: number;
  readonly mostSteps: number;
  /** The length of one unit of the i32 coordinates, a power of two. Coordinates are relative to the setup's origin. */
  readonly unit: number;
  /** Velocities are in units·2^−shift per step; `perStep` of these make a velocity of 1. */
  readonly shift: number;
  readonly perStep: number;
  /**
   * What velocities gain per step. If arrays have their own accelerations, each particle has its own:
   * round(a·gainTime·perStep).
   */
  readonly gain: Int32Array;
  /** How long an acceleration acts in a step, less what drag takes of it (with order 2). */
  readonly gainTime: number;
  /** The share of the velocity relative to the wind that is lost per step, times 2^31. */
  readonly drag: number;
  /** With order 2: the wind's velocities, and what velocities gain per step by forces. */
  readonly blowing: CompiledGrid | undefined;
  readonly pushing: CompiledGrid | undefined;
  /** The force given as a program, if there is one. */
  readonly program: CompiledProgram | undefined;
  /**
   * With order 1: velocities, three per cell, x fastest; and the grid in units: low corner, size of a cell, cells along the
   * axes.
   */
  readonly wind:
    | {
        readonly velocity: Int32Array;
        readonly low: Int32Array;
        readonly cell: number;
        readonly dimensions: Vector;
      }
    | undefined;
}

export interface CompiledMotion {
  readonly velocity: Vector;
  readonly acceleration: Vector;
  readonly pivot: Vector;
  /** A unit vector; any if it does not turn. */
  readonly axis: Vector;
  /** At least 0. The angle in turns is turnsPerSecond·(t − at). */
  readonly turnsPerSecond: number;
  readonly at: number;
  readonly turns: boolean;
  /** Whether it moves besides turning. */
  readonly translates: boolean;
}

export interface CompiledResponse {
  readonly bounces: boolean;
  readonly restitution: number;
  readonly friction: number;
  readonly restSpeed: number;
  /** After this many bounces of a life the next impact rests. */
  readonly most: number;
}

/** Constraints, five numbers each: kind (0: n·p ≤ w, 1: |p − c| ≤ w, 2: |p − c| ≥ w), x, y, z, w. All must hold. */
export const boundNumbers = 5;

export interface CompiledOutline {
  readonly kind: 'all' | 'disc' | 'rectangle' | 'ring' | 'polygon';
  /**
   * disc: radius; rectangle: half widths; ring: inner, outer radius; polygon: least and greatest along right, then up.
   */
  readonly numbers: Float64Array;
  /** For polygons: the border, then the holes; two numbers per corner. */
  readonly loops: readonly Float64Array[];
}

export interface CompiledPlane {
  readonly point: Vector;
  /** A unit vector to rounding, as are right and up = normal × right. h = normal·(p − point). */
  readonly normal: Vector;
  readonly right: Vector;
  readonly up: Vector;
  readonly outline: CompiledOutline;
}

export interface CompiledQuadric {
  /**
   * A to J of Knott's equation 3.8 about `centre`: h = A·x² + B·y² + C·z² + 2(D·xy + E·xz + F·yz + G·x + H·y + I·z) + J
   * for (x, y, z) = p − centre.
   */
  readonly q: Float64Array;
  readonly centre: Vector;
  /** For spheres: then h = |d|² − radius². */
  readonly radius: number | undefined;
}

/** A balanced tree: node 1 is the root, 2h and 2h + 1 are the children of h, leaves are leafCount to 2·leafCount − 1. */
export interface BoxTree {
  readonly leafCount: number;
  /** Six numbers per node; empty nodes have low > high. */
  readonly nodes: Float64Array;
  /** The item of each leaf; 2^32 − 1 if there is none. */
  readonly items: Uint32Array;
}

export interface CompiledMesh {
  readonly mesh: Mesh;
  /** The mesh placed by its pose at the time `at`; for the trees of engines. */
  readonly placed: Placed;
  /** The same placed triangles: nine numbers per triangle. */
  readonly triangles: Float64Array;
  readonly tree: BoxTree;
  /** The greatest magnitude of their coordinates. */
  readonly scale: number;
}

export interface CompiledField {
  readonly grid: Grid;
  readonly firstSlice: number;
  /** Samples along x, y and z; x runs fastest. */
  readonly dimensions: readonly [number, number, number];
  readonly values: Float32Array;
  /**
   * The pose's inverse as three rows of four, then minus the first sample and divided by a cell: maps p to cell
   * coordinates.
   */
  readonly toCells: Float64Array;
  /** A bound of the gradient's length, per unit of world length. */
  readonly lipschitz: number;
}

export interface CompiledBlobs {
  /** Eight numbers per blob: from 3, to 3 (equal for balls), radius, weight. */
  readonly rows: Float64Array;
  readonly level: number;
}

export interface CompiledCollider {
  readonly kind: 'plane' | 'quadric' | 'mesh' | 'field' | 'blobs';
  readonly index: number;
  readonly name: string;
  /** The collider as it was given. */
  readonly given: Collider;
  /**
   * In world coordinates if it stays in place (if it turns, around everything it sweeps). If it translates, the box at
   * the time `at`, for any turn. Sides are infinite if it is unbounded.
   */
  readonly box: Box;
  /** The box of the collider itself in its own coordinates, those of the time `at`. */
  readonly ownBox: Box;
  readonly bounded: boolean;
  readonly motion: CompiledMotion | undefined;
  readonly response: CompiledResponse;
  readonly sides: 'both' | 'front';
  /** Whether borders extend by what rounding may move a place. */
  readonly sealed: boolean;
  readonly bounds: Float64Array;
  /** One of these, by kind. */
  readonly plane: CompiledPlane | undefined;
  readonly quadric: CompiledQuadric | undefined;
  readonly mesh: CompiledMesh | undefined;
  readonly field: CompiledField | undefined;
  readonly blobs: CompiledBlobs | undefined;
}

export interface ColliderTree {
  /** A tree over bounded colliders that stay in place; items are indices of colliders. */
  readonly tree: BoxTree;
  /** The others, which every segment tries first. */
  readonly always: Uint32Array;
}

export interface Setup {
  readonly count: number;
  readonly seed: number;
  /** Seconds: 2^(timeExponent − 30); 2^timeExponent is at least the longest life. */
  readonly tick: number;
  readonly timeExponent: number;
  /** Each at most 2^30. */
  readonly lifeTicks: Uint32Array | SpreadTicks;
  /** Whole numbers, maybe negative. */
  readonly birthTicks: Float64Array | SpreadTicks;
  readonly longestLifeTicks: number;
  readonly shortestLifeTicks: number;
  /** The limit of times, in ticks. */
  readonly mostTicks: number;
  readonly start: CompiledStart;
  readonly acceleration: Vector;
  readonly stepped: CompiledStepped | undefined;
  readonly generations: number;
  readonly colliders: readonly CompiledCollider[];
  readonly tree: ColliderTree;
  /** Approximately the middle of all starts and bounded colliders. */
  readonly origin: Vector;
  /** No start, bounded collider or path without impacts gets farther from the origin than 2^lengthExponent. */
  readonly lengthExponent: number;
  /** Whether any response bounces. */
  readonly bounces: boolean;
}
