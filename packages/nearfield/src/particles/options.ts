// The options of a system of particles and its answers, as applications see them (Knott, chapter 3).

import type { Grid } from '../sampled/field/grid.ts';
import type { Collider, Range, Response, Vector } from './colliders/shapes.ts';

/** Where particles start, what moves them, and what stands in their way. Times are in seconds, lengths in the user's units. */
export interface ParticleOptions {
  /** 1 to 2^26. */
  readonly count: number;
  /** 32 bits; default 1. */
  readonly seed?: number | undefined;
  readonly start: StartArrays | StartRule;
  /** The acceleration of all particles; default 0 0 0, so that they move in straight lines. */
  readonly acceleration?: Vector | undefined;
  /** Stepped motion, for what no formula describes. By default motion is in closed form. */
  readonly motion?: SteppedMotion | undefined;
  /** Up to 65,535. Impacts name a collider by its index here. */
  readonly colliders: readonly Collider[];
  /** For colliders without a response of their own; default { kind: 'vanish' }. */
  readonly response?: Response | undefined;
  /** How many lives each particle has, one after the other; default Infinity. */
  readonly generations?: number | undefined;
}

/** Three numbers per particle. */
export type Numbers = Float32Array | Float64Array;

/** Given starts, used in every generation. The arrays are kept, not copied: do not change them afterwards. */
export interface StartArrays {
  /** Three numbers per particle. */
  readonly position: Numbers;
  readonly velocity: Numbers;
  /** Replaces the acceleration of all particles. */
  readonly acceleration?: Numbers | undefined;
  /** Seconds, one number for all particles or one per particle. */
  readonly life: number | Float64Array;
  /** When the first life begins, in seconds; default 0. */
  readonly birth?: number | Float64Array | undefined;
  /** A random change of the start, different for each particle and generation from the second on. */
  readonly vary?: Vary | undefined;
}

/** Half widths of the boxes in which changes are uniformly distributed. */
export interface Vary {
  readonly position?: Vector | undefined;
  readonly velocity?: Vector | undefined;
}

/** Starts computed from seed, particle and generation only: nothing is stored. */
export interface StartRule {
  readonly from: Region;
  readonly velocity: Region;
  /** Seconds. A range is distributed over the particles; each keeps its own. */
  readonly life: Range | number;
  /** Default: distributed over the longest life. */
  readonly birth?: Range | number | undefined;
}

/** Where starts are uniformly distributed. */
export type Region =
  | { readonly point: Vector }
  /** Low and high corner. */
  | { readonly box: readonly [Vector, Vector] }
  | { readonly disc: { readonly centre: Vector; readonly normal: Vector; readonly radius: number } }
  | { readonly ball: { readonly centre: Vector; readonly radius: number } }
  /** For velocities: directions up to `angle` (radians) from the axis, times a speed. */
  | { readonly cone: { readonly axis: Vector; readonly angle: number; readonly speed: Range } };

/** Motion in steps of equal length, with drag and wind. */
export interface SteppedMotion {
  /** Seconds. */
  readonly step: number;
  /** The share of the velocity relative to the wind that is lost per second; default 0. */
  readonly drag?: number | undefined;
  /** The air's velocity in each cell, three numbers per cell; still outside the grid. */
  readonly wind?: { readonly grid: Grid; readonly velocity: Float32Array } | undefined;
}

/** What happens to a particle at an impact. */
export const outcomes = ['vanish', 'bounce', 'rest'] as const;
/** What becomes of a particle at an impact. */
export type Outcome = (typeof outcomes)[number];

/** One particle that hits one collider. */
export interface Impact {
  /** Seconds. */
  readonly time: number;
  readonly particle: number;
  readonly generation: number;
  /** The number of earlier impacts of this life. */
  readonly bounce: number;
  readonly collider: number;
  readonly place: Vector;
  /** Before the impact, in the world. */
  readonly velocity: Vector;
  /** Unit vector towards the side the particle came from. */
  readonly normal: Vector;
  /** The speed relative to the collider. */
  readonly speed: number;
  /** The component of that speed along the normal, at least 0. */
  readonly normalSpeed: number;
  readonly outcome: Outcome;
  /** The triangle for meshes; undefined for others. */
  readonly triangle: number | undefined;
  /** The place on the collider's map, each 0 to 1. */
  readonly parameter: readonly [number, number];
  /** The collider's own data there. */
  readonly data: Float32Array | undefined;
}

/** How a window was answered. */
export interface ImpactStats {
  readonly backend: 'gpu' | 'cpu';
  /** How many impacts were the first of their lives. */
  readonly first: number;
  /** Impacts that single precision could not decide, and how many of them are first impacts; 0 on the CPU. */
  readonly unsure: number;
  readonly unsureFirst: number;
  /** Impacts for which double precision decided whether they are in the window. */
  readonly border: number;
  /** Particles that had to be followed; the others have no impact in the window. */
  readonly due: number;
  readonly dispatches: number;
  readonly growths: number;
}

/** Sums over all windows so far. */
export interface ParticleStats extends ImpactStats {
  readonly windows: number;
  readonly impacts: number;
}

/** Where particles are at a time. */
export interface ParticleState {
  /**
   * Three numbers per particle; velocities too. For particles unborn or gone: where they start, or where they were
   * last.
   */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  /** 0 unborn or gone, 1 flying, 2 resting. */
  readonly alive: Uint8Array;
  readonly generation: Uint32Array;
  /** The number of impacts of this life so far. */
  readonly bounces: Uint32Array;
}
