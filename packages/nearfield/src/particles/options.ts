// The options of a system of particles and its answers, as applications see them (Knott, chapter 3).

import type { Limits } from '../core/limits.ts';
import type { Grid } from '../sampled/field/grid.ts';
import type { Collider, Range, Response, Vector } from './colliders/shapes.ts';

/** Where particles start, what moves them, and what stands in their way. Times are in seconds, lengths in the user's units. */
export interface ParticleOptions {
  /** The number of particles, 1 to 2^26. */
  readonly count: number;
  /** What random numbers follow from, a whole number of 32 bits; default 1. */
  readonly seed?: number | undefined;
  /** Where particles begin: as given in arrays, or by a rule. */
  readonly start: StartArrays | StartRule;
  /** The acceleration of all particles, length per second squared; default 0 0 0, so that they move in straight lines. */
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
  /** Three numbers per particle, length per second. */
  readonly velocity: Numbers;
  /** Three numbers per particle, length per second squared; replaces the acceleration of all particles. */
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
  /** Half the box in which places differ; default 0 0 0. */
  readonly position?: Vector | undefined;
  /** Half the box in which velocities differ; default 0 0 0. */
  readonly velocity?: Vector | undefined;
}

/** Starts computed from seed, particle and generation only: nothing is stored. */
export interface StartRule {
  /** The places of starts. */
  readonly from: Region;
  /** The velocities of starts, length per second. */
  readonly velocity: Region;
  /** Seconds. A range is distributed over the particles; each keeps its own. */
  readonly life: Range | number;
  /** When first lives begin, in seconds; default: distributed over the longest life. */
  readonly birth?: Range | number | undefined;
}

/** Where starts are uniformly distributed. */
export type Region =
  | {
      /** One point for all particles: a place in the world, or a velocity (length per second). */
      readonly point: Vector;
    }
  | {
      /** A box along the axes: its low and its high corner. */
      readonly box: readonly [Vector, Vector];
    }
  | {
      /** A disc across a normal. */
      readonly disc: {
        /** The disc's centre: a place in the world, or a velocity. */
        readonly centre: Vector;
        /** Perpendicular to the disc; any length but 0. */
        readonly normal: Vector;
        /** A length, or a speed; at least 0. */
        readonly radius: number;
      };
    }
  | {
      /** A ball, its inside included. */
      readonly ball: {
        /** The ball's centre: a place in the world, or a velocity. */
        readonly centre: Vector;
        /** A length, or a speed; at least 0. */
        readonly radius: number;
      };
    }
  | {
      /** For velocities: a direction near an axis, times a speed. */
      readonly cone: {
        /** The middle of all directions; any length but 0. */
        readonly axis: Vector;
        /** How far from the axis directions may be, in radians: 0 to π. */
        readonly angle: number;
        /** The least and the greatest length per second. */
        readonly speed: Range;
      };
    };

/** An acceleration that depends on the place: a function, or one of those that are often wanted. */
export type Force =
  /** Any function of a place in the world; length per second squared. */
  | ((place: Vector) => Vector)
  | {
      /** Pulls towards a centre by strength·r / (r² + radius²)^1.5; pushes away if the strength is below 0. */
      readonly well: {
        /** Where it pulls to. */
        readonly centre: Vector;
        /** Length cubed per second squared: G times the mass. */
        readonly strength: number;
        /** Within about this distance it weakens; above 0. */
        readonly radius: number;
      };
    }
  | {
      /** Pushes around an axis, as the right hand's fingers point, by strength·r / (r² + radius²). */
      readonly vortex: {
        /** A point of the axis. */
        readonly centre: Vector;
        /** Any length but 0. */
        readonly axis: Vector;
        /** Length squared per second squared. */
        readonly strength: number;
        /** Within about this distance it weakens; above 0. */
        readonly radius: number;
      };
    };

/** Forces, sampled at the middles of a grid's cells and interpolated linearly between them; beyond those they stay the same. */
export interface ForceField {
  /** The cells, in the world. Where a force changes fast, they must be small. */
  readonly grid: Grid;
  /**
   * Three numbers per cell, length per second squared: x runs fastest, then y, then z. Or a force or several, whose sum is
   * sampled when the particles are made.
   */
  readonly acceleration: Float32Array | Force | readonly Force[];
}

/**
 * A force that depends on place, velocity and time, in two languages: a GPU runs the WGSL, in single precision, and
 * the CPU decides with the TypeScript what that leaves open. So both give the same impacts, as long as what is stated
 * here of the two is true. Along the paths of a few particles that is tried when the system is made.
 */
export interface ForceProgram {
  /**
   * A WGSL module with `fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f`, and whatever that needs
   * besides bindings. It is compiled with the library's kernels: a name that these declare too is refused, and so is
   * a function or type of WGSL's that these use.
   */
  readonly wgsl: string;
  /** The same in TypeScript: place minus `about`, length per second, seconds; returns length per second squared. */
  readonly acceleration: (place: Vector, velocity: Vector, time: number) => Vector;
  /** No acceleration is longer than this wherever particles get. */
  readonly greatest: number;
  /**
   * How much the acceleration may change: per length of a change of place, per length per second of a change of
   * velocity, per second. 0 if it does not depend on them; a force that depends on the velocity is evaluated twice
   * per step.
   */
  readonly slopes: {
    /** Per second squared. */
    readonly place: number;
    /** Per second. */
    readonly velocity: number;
    /** Length per second cubed. */
    readonly time: number;
  };
  /** How far the WGSL's may be from the TypeScript's for the same arguments; default 2^-18 of `greatest`. */
  readonly error?: number | undefined;
  /** The point that places are relative to, since single precision is lost far from it; default 0 0 0. */
  readonly about?: Vector | undefined;
}

/** Motion in steps of equal length, with drag, wind and forces. */
export interface SteppedMotion {
  /** The length of a step in seconds. */
  readonly step: number;
  /**
   * How fast the motion approaches the true one as steps get shorter. 2 (default): its error is proportional to the square
   * of the step; between steps particles move along parabolas without kinks. 1: to the step; between steps they move along
   * chords.
   */
  readonly order?: 1 | 2 | undefined;
  /**
   * Not with `order: 1`. An acceleration besides that of all particles: sampled on a grid, or as WGSL and TypeScript;
   * default none.
   */
  readonly force?: ForceField | ForceProgram | undefined;
  /** The share of the velocity relative to the wind that is lost per second; default 0. */
  readonly drag?: number | undefined;
  /**
   * The air's velocity in the middle of each cell of a grid, interpolated linearly between them; beyond them it stays the
   * same. With `order: 1` it is constant in each cell, and the air is still outside. Default: still everywhere.
   */
  readonly wind?:
    | {
        /** The cells, in the world. */
        readonly grid: Grid;
        /** Three numbers per cell, length per second: x runs fastest, then y, then z. */
        readonly velocity: Float32Array;
      }
    | undefined;
}

/** What happens to a particle at an impact. */
export const outcomes = ['vanish', 'bounce', 'rest'] as const;
/** What becomes of a particle at an impact. */
export type Outcome = (typeof outcomes)[number];

/** One particle that hits one collider. */
export interface Impact {
  /** Seconds. */
  readonly time: number;
  /** Which particle, from 0. */
  readonly particle: number;
  /** Which of its lives, from 0. */
  readonly generation: number;
  /** The number of earlier impacts of this life. */
  readonly bounce: number;
  /** Which collider, as an index into `Particles.colliders`. */
  readonly collider: number;
  /** Where, in the world. */
  readonly place: Vector;
  /** The particle's velocity before the impact, length per second. */
  readonly velocity: Vector;
  /** Unit vector towards the side the particle came from. */
  readonly normal: Vector;
  /** The speed relative to the collider. */
  readonly speed: number;
  /** The component of that speed along the normal, at least 0. */
  readonly normalSpeed: number;
  /** What became of the particle. */
  readonly outcome: Outcome;
  /** The triangle for meshes; undefined for others. */
  readonly triangle: number | undefined;
  /** The place on the collider's map, each 0 to 1. */
  readonly parameter: readonly [number, number];
  /** The collider's own data there; undefined if it has none. */
  readonly data: Float32Array | undefined;
}

/** How a window of impacts is asked for. */
export interface ImpactOptions extends Limits {
  /**
   * 'single': the answer carries the GPU's own times, places and speeds, in single precision with bounds, read back with
   * it: `Impacts.single`. Doubles are computed when they are read, with or without it. Default: doubles only.
   */
  readonly columns?: 'single' | undefined;
}

/** How a window was answered. */
export interface ImpactStats {
  /** Where the window was answered. */
  readonly backend: 'gpu' | 'cpu';
  /** How many impacts were the first of their lives. */
  readonly first: number;
  /** Impacts that single precision could not decide; 0 on the CPU. */
  readonly unsure: number;
  /** How many of those were the first of their lives. */
  readonly unsureFirst: number;
  /** Impacts for which double precision decided whether they are in the window. */
  readonly border: number;
  /** Particles that had to be followed; the others have no impact in the window. */
  readonly due: number;
  /** GPU dispatches; 0 on the CPU. */
  readonly dispatches: number;
  /** How often an output buffer overflowed, so that the work was repeated with a larger one. */
  readonly growths: number;
}

/** Sums over all windows so far. */
export interface ParticleStats extends ImpactStats {
  /** The number of windows. */
  readonly windows: number;
  /** The number of impacts. */
  readonly impacts: number;
}

/** Where particles are at a time. */
export interface ParticleState {
  /** World x, y, z per particle. For particles unborn or gone: where they start, or where they were last. */
  readonly position: Float64Array;
  /** Three numbers per particle, length per second. */
  readonly velocity: Float64Array;
  /** 0 unborn or gone, 1 flying, 2 resting. */
  readonly alive: Uint8Array;
  /** Which of its lives each particle is in, from 0. */
  readonly generation: Uint32Array;
  /** The number of impacts of this life so far. */
  readonly bounces: Uint32Array;
}
