// What a system of particles is made of and what it answers, as applications see it (Knott, chapter 3).

import type { Grid } from '../sampled/field/grid.ts';
import type { Collider, Range, Response, Vector } from './colliders/shapes.ts';

export interface ParticleOptions {
  /** 1 to 2^26. */
  readonly count: number;
  /** 32 bits; 1 unless given. */
  readonly seed?: number | undefined;
  readonly start: StartArrays | StartRule;
  /** Of all particles; 0 0 0 unless given: they move in straight lines. */
  readonly acceleration?: Vector | undefined;
  /** Motion that is no formula: stepped. In closed form unless given. */
  readonly motion?: SteppedMotion | undefined;
  /** Up to 65,535. Impacts name them by their place here. */
  readonly colliders: readonly Collider[];
  /** Of colliders that have none of their own; { kind: 'vanish' } unless given. */
  readonly response?: Response | undefined;
  /** Lives of each particle, one after the other; Infinity unless given. */
  readonly generations?: number | undefined;
}

export type Numbers = Float32Array | Float64Array;

/** Given starts, used in every generation. The arrays are kept, not copied: do not change them afterwards. */
export interface StartArrays {
  /** Three numbers a particle. */
  readonly position: Numbers;
  readonly velocity: Numbers;
  /** In place of that of all. */
  readonly acceleration?: Numbers | undefined;
  /** Seconds, of all or of each. */
  readonly life: number | Float64Array;
  /** When the first life begins, seconds; 0 unless given. */
  readonly birth?: number | Float64Array | undefined;
  /** A change of the start, another for each particle and generation from the second on. */
  readonly vary?: Vary | undefined;
}

/** Half widths of the boxes that changes are spread over evenly. */
export interface Vary {
  readonly position?: Vector | undefined;
  readonly velocity?: Vector | undefined;
}

/** Starts made from seed, particle and generation alone: nothing is stored. */
export interface StartRule {
  readonly from: Region;
  readonly velocity: Region;
  /** Seconds; a range is spread over the particles, each of which keeps its own. */
  readonly life: Range | number;
  /** Spread over the longest life unless given. */
  readonly birth?: Range | number | undefined;
}

/** Where starts are spread evenly. */
export type Region =
  | { readonly point: Vector }
  /** Low and high corner. */
  | { readonly box: readonly [Vector, Vector] }
  | { readonly disc: { readonly centre: Vector; readonly normal: Vector; readonly radius: number } }
  | { readonly ball: { readonly centre: Vector; readonly radius: number } }
  /** Of velocities: directions up to `angle` (radians) from the axis, times a speed. */
  | { readonly cone: { readonly axis: Vector; readonly angle: number; readonly speed: Range } };

export interface SteppedMotion {
  /** Seconds. */
  readonly step: number;
  /** Share of the velocity against the wind that is lost, a second; 0 unless given. */
  readonly drag?: number | undefined;
  /** The air's velocity in each cell, three numbers; still outside of the grid. */
  readonly wind?: { readonly grid: Grid; readonly velocity: Float32Array } | undefined;
}

/** What becomes of a particle at an impact. */
export const outcomes = ['vanish', 'bounce', 'rest'] as const;
export type Outcome = (typeof outcomes)[number];

export interface Impact {
  /** Seconds. */
  readonly time: number;
  readonly particle: number;
  readonly generation: number;
  /** Impacts of this life before it. */
  readonly bounce: number;
  readonly collider: number;
  readonly place: Vector;
  /** Before the impact, in the world. */
  readonly velocity: Vector;
  /** Of length 1, towards the side the particle came from. */
  readonly normal: Vector;
  /** Relative to the collider. */
  readonly speed: number;
  /** Of that along the normal, at least 0. */
  readonly normalSpeed: number;
  readonly outcome: Outcome;
  /** Of meshes; undefined of others. */
  readonly triangle: number | undefined;
  /** Where on the collider's map, each 0 to 1. */
  readonly parameter: readonly [number, number];
  /** The collider's own data there. */
  readonly data: Float32Array | undefined;
}

/** How a window was answered. */
export interface ImpactStats {
  readonly backend: 'gpu' | 'cpu';
  /** First impacts of lives. */
  readonly first: number;
  /** Impacts that single precision could not decide, and how many of them first impacts; 0 on the CPU. */
  readonly unsure: number;
  readonly unsureFirst: number;
  /** Impacts whose place in or out of the window was decided in double precision. */
  readonly border: number;
  /** Particles that had to be followed; the others had nothing to tell. */
  readonly due: number;
  readonly dispatches: number;
  readonly growths: number;
}

/** Sums over all windows so far. */
export interface ParticleStats extends ImpactStats {
  readonly windows: number;
  readonly impacts: number;
}

export interface ParticleState {
  /** Three numbers a particle, as are velocities. Of those unborn or gone: where they start, or where they were last. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  /** 0 unborn or gone, 1 flying, 2 resting. */
  readonly alive: Uint8Array;
  readonly generation: Uint32Array;
  /** Impacts of this life so far. */
  readonly bounces: Uint32Array;
}
