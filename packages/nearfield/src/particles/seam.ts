// The seam between particles and the engines that find their impacts: what an engine is given (the setup, compiled once), and
// what it gives back. An engine never decides what it cannot prove; the evaluator in lives/ does, in double precision.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { Limits } from '../core/limits.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { Box } from '../math/box.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Grid } from '../sampled/field/grid.ts';
import type { Collider, Vector } from './colliders/shapes.ts';
import type { ImpactStats, Numbers } from './options.ts';

/**
 * Whole ticks spread over particles: base + floor(range·(hash >>> 8) / 2^24) of hash(seed, particle, 0, channel), in integers.
 * `base` and `range` are below 2^53 (motion/ticks.ts has the product in two halves).
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
 * - cone: axis 3, right 3, up 3, 1 − cos(angle), low speed, range of speed: d = u0·(1 − cos), sine = √(d·(2 − d)), at u1 turns,
 *   speed = low + range·u2: speed·(axis·(1 − d) + right·(sine·cos) + up·(sine·sin))
 */
export interface CompiledRegion {
  readonly kind: 'point' | 'box' | 'disc' | 'ball' | 'cone';
  readonly numbers: Float64Array;
  /** The first of five. */
  readonly channel: number;
  /** Low and high corner of all it can give. */
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

/** Channels of the hash. Positions have 0 to 4, velocities 5 to 9. */
export const positionChannel = 0;
export const velocityChannel = 5;
export const lifeChannel = 10;
export const birthChannel = 11;

/** Stepped motion in integers (motion/stepped.ts). */
export interface CompiledStepped {
  /** A step in ticks, seconds, and how many a life has at most. */
  readonly stepTicks: number;
  readonly step: number;
  readonly mostSteps: number;
  /** Length of one unit of the i32 coordinates, a power of two; they are about the setup's origin. */
  readonly unit: number;
  /** Velocities are in units·2^−shift a step: so many for a velocity of 1. */
  readonly shift: number;
  readonly perStep: number;
  /** What velocities gain a step; of arrays with their own accelerations each particle has its own: round(a·step·perStep). */
  readonly gain: Int32Array;
  /** Share of the velocity against the wind lost in a step, times 2^31. */
  readonly drag: number;
  /** Velocities, three a cell, x fastest; and the grid in units: low corner, size of a cell, cells along the axes. */
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
  /** Of length 1; any where it does not turn. */
  readonly axis: Vector;
  /** At least 0. The angle in turns is turnsPerSecond·(t − at). */
  readonly turnsPerSecond: number;
  readonly at: number;
  readonly turns: boolean;
  /** Moves besides turning. */
  readonly translates: boolean;
}

export interface CompiledResponse {
  readonly bounces: boolean;
  readonly restitution: number;
  readonly friction: number;
  readonly restSpeed: number;
  /** Bounces of a life after which the next impact rests. */
  readonly most: number;
}

/** Constraints, five numbers each: kind (0: n·p ≤ w, 1: |p − c| ≤ w, 2: |p − c| ≥ w), x, y, z, w. All must hold. */
export const boundNumbers = 5;

export interface CompiledOutline {
  readonly kind: 'all' | 'disc' | 'rectangle' | 'ring' | 'polygon';
  /** disc: radius; rectangle: half widths; ring: inner, outer radius; polygon: least and greatest along right, then up. */
  readonly numbers: Float64Array;
  /** Of polygons: the border, then the holes; two numbers a corner. */
  readonly loops: readonly Float64Array[];
}

export interface CompiledPlane {
  readonly point: Vector;
  /** Of length 1 to rounding, as are right and up = normal × right. h = normal·(p − point). */
  readonly normal: Vector;
  readonly right: Vector;
  readonly up: Vector;
  readonly outline: CompiledOutline;
}

export interface CompiledQuadric {
  /**
   * A to J of Knott's equation 3.8 about `centre`: h = A·x² + B·y² + C·z² + 2(D·xy + E·xz + F·yz + G·x + H·y + I·z) + J of
   * (x, y, z) = p − centre.
   */
  readonly q: Float64Array;
  readonly centre: Vector;
  /** Of spheres: then h = |d|² − radius². */
  readonly radius: number | undefined;
}

/** A balanced tree: node 1 is the root, 2h and 2h + 1 are the children of h, leaves are leafCount to 2·leafCount − 1. */
export interface BoxTree {
  readonly leafCount: number;
  /** Six numbers a node; those of empty ones have low > high. */
  readonly nodes: Float64Array;
  /** By leaf the item, 2^32 − 1 where there is none. */
  readonly items: Uint32Array;
}

export interface CompiledMesh {
  readonly mesh: Mesh;
  /** Where the mesh's pose at the time `at` puts it; for trees of engines. */
  readonly placed: Placed;
  /** The same placed triangles: nine numbers each. */
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
  /** The pose's inverse as three rows of four, then minus the first sample and divided by a cell: cell coordinates of p. */
  readonly toCells: Float64Array;
  /** A bound of the gradient's length, per unit of world length. */
  readonly lipschitz: number;
}

export interface CompiledBlobs {
  /** Eight numbers each: from 3, to 3 (equal for balls), radius, weight. */
  readonly rows: Float64Array;
  readonly level: number;
}

export interface CompiledCollider {
  readonly kind: 'plane' | 'quadric' | 'mesh' | 'field' | 'blobs';
  readonly index: number;
  readonly name: string;
  /** As it was given. */
  readonly given: Collider;
  /**
   * In world coordinates where it stays in place (turning ones: around all it sweeps); where it translates, at the time `at`,
   * turned any way. Sides are infinite where it is unbounded.
   */
  readonly box: Box;
  /** Of the collider itself in its own coordinates, those of the time `at`. */
  readonly ownBox: Box;
  readonly bounded: boolean;
  readonly motion: CompiledMotion | undefined;
  readonly response: CompiledResponse;
  readonly sides: 'both' | 'front';
  /** Whether borders reach out by what rounding may move a place. */
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
  /** Over bounded colliders that stay in place; items are indices of colliders. */
  readonly tree: BoxTree;
  /** The others, tried first by every segment. */
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
  /** Times are below this in magnitude, in ticks. */
  readonly mostTicks: number;
  readonly start: CompiledStart;
  readonly acceleration: Vector;
  readonly stepped: CompiledStepped | undefined;
  readonly generations: number;
  readonly colliders: readonly CompiledCollider[];
  readonly tree: ColliderTree;
  /** About the middle of all starts and bounded colliders. */
  readonly origin: Vector;
  /** 2^lengthExponent is at least how far a start, a bounded collider or a path without impacts gets from the origin. */
  readonly lengthExponent: number;
  /** Whether any response bounces. */
  readonly bounces: boolean;
}

/** A found impact: particle, generation, collider | bounce << 16, flags. */
export const recordWords = 4;
/** Not decided: nothing of this particle from this generation and bounce on is among the records. */
export const unsureFlag = 1;
/** It happens, but whether within the window is not decided. What follows it is among the records. */
export const borderFlag = 2;
/** Collider of records that name none. */
export const noCollider = 0xffff;

/** What an engine found in a window. `toDecide` has at least one flag set in each record. */
export interface Found {
  readonly certain: Uint32Array;
  readonly toDecide: Uint32Array;
  readonly stats: ImpactStats;
}

/**
 * A segment: what an engine is told of a particle that was decided in double precision. Of stepped motion it begins at a birth or an
 * impact, from where steps are counted; position and velocity are then the integers of motion/stepped.ts.
 */
export const segmentNumbers = 16;
export const segmentRow = {
  particle: 0,
  generation: 1,
  /** Impacts of this life so far. */
  bounce: 2,
  /** One of `segmentStates`. */
  state: 3,
  /** When the segment begins, seconds since birth. */
  since: 4,
  /** Three numbers each, in the world. Of resting particles: where, in the collider's own coordinates (those of the time `at`). */
  position: 5,
  velocity: 8,
  /** That it left last or rests on, −1 where there was none. */
  collider: 11,
  /** No impact before this, seconds since birth: when the next impact is, or the life. */
  until: 12,
  /** The collider of that next impact, −1 where the life ends first. */
  next: 13,
  /** Its triangle, where the collider is a mesh; −1 of others. */
  triangle: 14,
  /** Of stepped motion: in which chord of the segment that next impact is, from 0 on. */
  chord: 15,
} as const;
export const segmentStates = { flying: 0, resting: 1, gone: 2 } as const;

/** An impact in full. */
export const impactNumbers = 18;
export const impactRow = {
  time: 0,
  particle: 1,
  generation: 2,
  bounce: 3,
  collider: 4,
  place: 5,
  velocity: 8,
  normal: 11,
  speed: 14,
  normalSpeed: 15,
  /** Place in `outcomes`. */
  outcome: 16,
  /** −1 where it is of no mesh. */
  triangle: 17,
} as const;

/** An engine that finds impacts by itself. The CPU has none: its lives give finished rows (lives/cpu-lives.ts). */
export interface ParticleEngine {
  /** Impacts with from ≤ time < to, from < to, in any order. */
  find(from: number, to: number, limits: Limits): Promise<Found>;
  /** Exact segments of particles that were decided, as they are at the end of the last window found; used by the next find or draw. */
  put(segments: Float64Array): void;
  draw(t: number, encoder?: object): void;
  /** A GPUBuffer (options.ts, `Particles.positions`). */
  readonly positions: object;
  /** Writes texels of a collider's map: their places, and four numbers each. */
  paint(collider: number, texels: Uint32Array, values: Float32Array): void;
  /** A GPUTexture. */
  textureOf(collider: number): object;
  /** Other colliders: everything known of lives is forgotten. */
  setColliders(setup: Setup): Promise<void>;
  close(): void;
}

/** What makes systems of particles on a GPU. */
export interface ParticleDriver {
  particles(setup: Setup): Promise<ParticleEngine>;
}

export const gpuParticles: DriverKey<ParticleDriver> = { name: 'particles' };
