// The interface between particles and the engines that find their impacts. An engine is given the compiled options
// (compiled.ts), and gives records of impacts. It never decides what it cannot prove; the evaluator in lives/ does, in
// double precision, and tells the engine the segments that it found.

import type { Limits } from '../core/limits.ts';
import type { DriverKey } from '../gpu/engine.ts';
import type { Setup } from './compiled.ts';
import type { ImpactStats } from './options.ts';

/** An impact found: particle, generation, collider | bounce << 16, flags. */
export const recordWords = 4;
/** Undecided: the records contain nothing of this particle from this generation and bounce on. */
export const unsureFlag = 1;
/** The impact happens, but it is undecided whether it is in the window. The records contain what follows it. */
export const borderFlag = 2;
/** The collider of records that name none. */
export const noCollider = 0xffff;

/**
 * The columns of certain impacts, in single precision: one word per impact each, three for a place. Where each begins, in
 * columns. Times are in seconds since the window began, places relative to the setup's origin, both in world units.
 */
export const columnsAt = {
  time: 0,
  place: 1,
  speed: 4,
  normalSpeed: 5,
  /** Bounds of how far time, place (as a vector) and both speeds may be from the evaluator's. */
  timeError: 6,
  placeError: 7,
  speedError: 8,
  particle: 9,
  generation: 10,
  collider: 11,
  bounce: 12,
  /** For maps that the GPU paints: which texel of all maps, and the number for it. */
  texel: 13,
  value: 14,
} as const;
export type ColumnName = keyof typeof columnsAt;
export const columnWords = 15;
export const columnNames = Object.keys(columnsAt) as readonly ColumnName[];
export const wordsOfColumn = (name: ColumnName): number => (name === 'place' ? 3 : 1);
/** The texel of impacts that no map shows. */
export const noTexel = 0xffffffff;

/** Columns as they were read: the words of each, in the order of the certain records. */
export type Columns = { readonly [Name in ColumnName]?: Uint32Array };

/** Whether certain impacts get columns: none, kept on the GPU for painting, or read back. */
export type ColumnsWanted = 'none' | 'kept' | 'read';

/** What an engine found in a window. Each record in `toDecide` has at least one flag set. */
export interface Found {
  readonly certain: Uint32Array;
  readonly toDecide: Uint32Array;
  readonly stats: ImpactStats;
  /** If they were to be read; or if they were to be kept, but the window was found in several parts. */
  readonly columns?: Columns | undefined;
  /** Whether the columns of all certain records are still on the device, for painting. */
  readonly isKept?: boolean | undefined;
}

/** Impacts to paint: those kept from the last window, and others whose columns are given here. */
export interface Points {
  /** How many were kept, or 0. */
  readonly kept: number;
  /** `columnWords` columns of as many words each; only those that painting needs are filled. */
  readonly others: Uint32Array<ArrayBuffer>;
  readonly otherCount: number;
  /** Whether the window was asked for backwards, and how many seconds it has. */
  readonly backwards: boolean;
  readonly span: number;
}

/**
 * A segment tells an engine about a particle that was decided in double precision. With stepped motion it begins at a
 * birth or an impact, from where steps are counted; position and velocity are then the integers of motion/stepped/stepped.ts.
 */
export const segmentNumbers = 16;
export const segmentRow = {
  particle: 0,
  generation: 1,
  /** The number of impacts of this life so far. */
  bounce: 2,
  /** One of `segmentStates`. */
  state: 3,
  /** When the segment begins, in seconds since birth. */
  since: 4,
  /**
   * Three numbers each, in the world. For resting particles: the place in the collider's own coordinates (those of the
   * time `at`).
   */
  position: 5,
  velocity: 8,
  /** The collider that it left last or rests on; −1 if there was none. */
  collider: 11,
  /** No impact happens before this, in seconds since birth: the time of the next impact, or the life. */
  until: 12,
  /** The collider of that next impact; −1 if the life ends first. */
  next: 13,
  /** Its triangle if the collider is a mesh; −1 for others. */
  triangle: 14,
  /** With stepped motion: the chord of the segment in which that next impact is, from 0 on. */
  chord: 15,
} as const;
export const segmentStates = { flying: 0, resting: 1, gone: 2 } as const;

/** All numbers of an impact. */
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
  /** An index into `outcomes`. */
  outcome: 16,
  /** −1 if the collider is not a mesh. */
  triangle: 17,
} as const;

/** An engine that finds impacts by itself. The CPU has none: its lives give finished rows (lives/cpu-lives.ts). */
export interface ParticleEngine {
  /** Impacts with from ≤ time < to, from < to, in any order. */
  find(from: number, to: number, limits: Limits, columns?: ColumnsWanted): Promise<Found>;
  /**
   * Exact segments of particles that were decided, as of the end of the last window found. The next find or draw uses
   * them.
   */
  put(segments: Float64Array): void;
  draw(t: number, encoder?: object): void;
  /** A GPUBuffer (options.ts, `Particles.positions`). */
  readonly positions: object;
  /** Writes texels of a collider's map: their indices, and four numbers per texel. */
  paint(collider: number, texels: Uint32Array, values: Float32Array): void;
  /** A GPUTexture. */
  textureOf(collider: number): object;
  /** Paints impacts into the maps of single precision. Each of them is in one collider's part of all texels. */
  paintPoints(points: Points): void;
  /** Where the texels of such a map begin among those of all maps. */
  firstTexelOf(collider: number): number;
  /** Reads such a map back. Rejects with 'gpu-lost' if its contents were lost, until it is cleared. */
  readMap(collider: number): Promise<Float32Array>;
  clearMap(collider: number): void;
  /** Replaces the colliders: everything known about lives is forgotten. */
  setColliders(setup: Setup): Promise<void>;
  close(): void;
}

/** Creates systems of particles on a GPU. */
export interface ParticleDriver {
  particles(setup: Setup): Promise<ParticleEngine>;
}

export const gpuParticleDriver: DriverKey<ParticleDriver> = { name: 'particles' };
