// A distance field of a body (Hoff et al., sections 5.2 and 5.3): at every sample of a grid the distance to the
// surface, the nearest triangle, and ways to differentiate the field.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { wholeNumber, wrong } from '../../core/arguments.ts';
import type { EngineStats } from '../../core/stats.ts';
import { centralGradient, directGradient, oneSidedGradient } from './distance/gradient.ts';
import { type Grid, toleranceOf } from './grid.ts';

/** The samples that an engine computes, for the slices from `firstSlice` on; x runs fastest, then y, then z. */
export interface RawField {
  readonly grid: Grid;
  readonly firstSlice: number;
  readonly sliceCount: number;
  readonly distance: Float32Array;
  readonly owner: Uint32Array;
  readonly feature: Uint8Array;
  /** Samples (by their index in the arrays) whose sign is not certain; ascending. */
  readonly unsure: Uint32Array;
  readonly stats: EngineStats;
  readonly meshes?: MeshWork | undefined;
}

/** What drawing by distance meshes took, and how right it is. */
export interface MeshWork {
  /** Distances are off by at most this, in the user's units: the meshes' own error, drawing and rounding. */
  readonly error: number;
  /** Faces, edges and corners of the body. */
  readonly sites: number;
  /**
   * Distance meshes drawn: one per site and slice that it can be nearest in; on a GPU, per site and slice of a block of
   * samples.
   */
  readonly meshes: number;
  /** The pieces of meshes that were drawn: on the CPU those convex ones that reach samples, on a GPU all triangles. */
  readonly pieces: number;
  /** How often a sample was filled. Undefined on a GPU, whose rasteriser does not count. */
  readonly fill: number | undefined;
}

/** The `owner` of samples that are not near enough to any triangle. */
export const noOwner = 0xffffffff;
/** Where an owner and its feature are one word, the feature is above these bits. */
export const featureShift = 29;
export const ownerMask = 2 ** featureShift - 1;

/** How a gradient is computed. */
export type GradientForm = 'central' | 'one-sided' | 'direct';

/** Distances to the surface of a body at the samples of a grid, in the user's units. */
export class DistanceField {
  /** Fields are sampled by this method (Hoff et al.). */
  readonly method = 'field';
  /** Where samples lie: the grid of the whole field, slabs included. */
  readonly grid: Grid;
  /** Samples along x, y and z: of the whole grid, or of this slab of it. */
  readonly dimensions: readonly [number, number, number];
  /** The first slice of the grid that this field has. */
  readonly firstSlice: number;
  /** Half the diagonal of a cell: the surface where the sign changes is nowhere farther off than this. */
  readonly tolerance: number;
  /**
   * The distance at sample i + nx·(j + ny·k). Negative inside, if the field is signed. ±Infinity if the surface is not
   * within `upTo`. On the CPU each is right to 2^-23 of itself, however near the surface (distances below
   * 2^-126 to 2^-149). On a GPU it is off by at most 2^-17 of the distance from the sample to the farthest corner of its owner, plus 2^-22 of the longest side of body
   * and grid. Beside small triangles that is single precision of the distance itself; close to large ones it is not
   * (`closest` is). In the form 'distance-meshes' it is off by at most `meshes.error`.
   */
  readonly distance: Float32Array;
  /**
   * The nearest triangle (the Voronoi diagram of the triangles), decided exactly: among equally near ones the lowest,
   * on every backend. In the form 'distance-meshes' it is a triangle at most 2·`meshes.error` farther away than the
   * nearest. 2^32 − 1 if none is near enough.
   */
  readonly owner: Uint32Array;
  /**
   * The part of the owner that is nearest: 0 its face, 1 to 3 its edges from corner 0 to 1, from 1 to 2 and from 2 to
   * 0, 4 to 6 its corners. `closest` only distinguishes face, edge and vertex: 0, 1 and 2.
   */
  readonly feature: Uint8Array;
  /**
   * Samples whose sign is a guess: a surface that is not closed winds around them about half a time. Empty if the body
   * is solid: then every sign is exact.
   */
  readonly unsure: Uint32Array;
  /** How much work it was. */
  readonly stats: EngineStats;
  /** The error bound and the work of the form 'distance-meshes'; undefined in the other forms. */
  readonly meshes: MeshWork | undefined;
  readonly #body: SnapshotBody;

  constructor(
    raw: RawField,
    body: SnapshotBody,
    /** Whether distances inside are negative. */
    readonly signed: boolean,
    /** Where it was computed. */
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
    this.meshes = raw.meshes;
    this.#body = body;
  }

  /** The world position of a sample, by its index in the arrays. Throws 'bad-option' if there is no such sample. */
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
   * The gradient at every sample, three numbers per sample.
   *
   * - `central`: differences of the samples on both sides, of one side at the border. Wrong if they straddle a crease.
   * - `one-sided`: along each axis a difference to one side only, of two or three samples. The combination whose length
   * is nearest to 1 is taken, so none reaches across a crease of the field (section 5.3). Around a box of 2 × 1 × 1,
   * with samples 1/64 of the longest side apart, the length of 0.1 % is off by more than 5 %, and of none by more than
   * 10 %; all of these lie within two cells of an edge or corner, where distances are strongly curved.
   * - `direct`: away from the nearest point of the owner, exactly; towards it inside, if the field is signed. 0 0 0 on
   * the surface.
   *
   * NaN if a distance that it needs is infinite.
   */
  gradient(form: GradientForm): Float32Array {
    if (form === 'central') return centralGradient(this);
    if (form === 'one-sided') return oneSidedGradient(this);
    if (form === 'direct') return directGradient(this, this.#body);
    throw wrong('form of a gradient', `'central', 'one-sided' or 'direct'`, form);
  }
}
