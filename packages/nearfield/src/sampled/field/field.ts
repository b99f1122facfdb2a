// A distance field of a body (Hoff et al., sections 5.2 and 5.3): at every sample of a grid the distance to the surface,
// the triangle it comes from, and ways to differentiate it.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { wholeNumber, wrong } from '../../core/arguments.ts';
import type { EngineStats } from '../../core/stats.ts';
import { centralGradient, directGradient, oneSidedGradient } from './distance/gradient.ts';
import { type Grid, toleranceOf } from './grid.ts';

/** What an engine finds, for samples of the slices from `firstSlice` on; x runs fastest, then y, then z. */
export interface RawField {
  readonly grid: Grid;
  readonly firstSlice: number;
  readonly sliceCount: number;
  readonly distance: Float32Array;
  readonly owner: Uint32Array;
  readonly feature: Uint8Array;
  /** Samples (by their place in the arrays) whose sign is not certain; ascending. */
  readonly unsure: Uint32Array;
  readonly stats: EngineStats;
}

/** `owner` of samples that nothing is near enough to. */
export const noOwner = 0xffffffff;

/** How a gradient is taken. */
export type GradientForm = 'central' | 'one-sided' | 'direct';

export class DistanceField {
  readonly method = 'field';
  readonly grid: Grid;
  /** Samples along x, y and z: those of the grid, or of the slab of it that this is. */
  readonly dimensions: readonly [number, number, number];
  /** The first slice of the grid that it has. */
  readonly firstSlice: number;
  /** Half the diagonal of a cell: the surface where the sign changes is nowhere farther off than this. */
  readonly tolerance: number;
  /**
   * At sample i + nx·(j + ny·k). Negative inside, where the field is signed. ±Infinity where the surface is not within
   * `upTo`. On the CPU each is right to 2^-23 of itself, however near the surface. On a GPU it is off by at most 2^-17 of the way
   * from the sample to the farthest corner of its owner, and 2^-22 of the longest side of body and grid: beside small
   * triangles that is single precision of the distance itself, close to large ones it is not (`scene.closest` is).
   */
  readonly distance: Float32Array;
  /**
   * The nearest triangle (the Voronoi diagram of the triangles), decided exactly: of several as near, the lowest, on every backend
   * and in every form. 2^32 − 1 where none is near enough.
   */
  readonly owner: Uint32Array;
  /**
   * Which part of the owner is nearest: 0 its face, 1 to 3 its edges from corner 0 to 1, from 1 to 2 and from 2 to 0,
   * 4 to 6 its corners. `scene.closest` says only face, edge or vertex: 0, 1 and 2.
   */
  readonly feature: Uint8Array;
  /**
   * Samples whose sign is a guess: around them a surface that is not closed winds about half a time. None where the body
   * is solid: there every sign is exact.
   */
  readonly unsure: Uint32Array;
  readonly stats: EngineStats;
  readonly #body: SnapshotBody;

  constructor(
    raw: RawField,
    body: SnapshotBody,
    readonly signed: boolean,
    readonly backend: 'cpu' | 'gpu',
  ) {
    this.grid = raw.grid;
    this.firstSlice = raw.firstSlice;
    this.dimensions = [raw.grid.dimensions[0], raw.grid.dimensions[1], raw.sliceCount];
    this.tolerance = toleranceOf(raw.grid.cell);
    this.distance = raw.distance;
    this.owner = raw.owner;
    this.feature = raw.feature;
    this.unsure = raw.unsure;
    this.stats = raw.stats;
    this.#body = body;
  }

  /** World position of a sample, by its place in the arrays. */
  position(sample: number): [number, number, number] {
    wholeNumber(0, this.distance.length - 1)(sample, 'sample');
    const [nx, ny] = this.dimensions;
    const { origin, cell } = this.grid;
    const i = sample % nx;
    const j = Math.floor(sample / nx) % ny;
    const k = this.firstSlice + Math.floor(sample / (nx * ny));
    return [origin[0] + (i + 0.5) * cell, origin[1] + (j + 0.5) * cell, origin[2] + (k + 0.5) * cell];
  }

  /**
   * The gradient at every sample, three numbers each.
   *
   * - `central`: differences of the samples on both sides, of one side at the border. Off where they straddle a crease.
   * - `one-sided`: along each axis a difference to one side only, of two or three samples, the ones that together come nearest
   *   to length 1: so none reaches across a crease of the field (section 5.3). Around a box of 2 × 1 × 1, of samples 1/64 of the
   *   longest side apart, the length of 0.1 % is off by more than 5 %, and of none by more than 10 %; all of these lie within two
   *   cells of an edge or corner, where distances are strongly curved.
   * - `direct`: away from the nearest point of the owner, exactly; towards it inside, where the field is signed. 0 0 0 on
   *   the surface.
   *
   * Not a number where a distance it is made of is infinite.
   */
  gradient(form: GradientForm): Float32Array {
    if (form === 'central') return centralGradient(this);
    if (form === 'one-sided') return oneSidedGradient(this);
    if (form === 'direct') return directGradient(this, this.#body);
    throw wrong('form of a gradient', `'central', 'one-sided' or 'direct'`, form);
  }
}
