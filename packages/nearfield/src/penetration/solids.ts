// The interface to the CPU engine's penetration kernels: questions about one solid, or about two, in the frames of
// their trees (kernels/model.as.ts). Lengths and points are in those frames. `penetration/kernels/kernels.ts`
// implements it.

import type { Shape } from '../bodies/snapshot/snapshot.ts';

/** The frame of a tree: u = (x − centre)·scale. */
export interface TreeFrame {
  readonly centre: Float64Array;
  readonly scale: number;
  /** Half extents of the mesh, and the largest magnitudes of its coordinates, in its own units. */
  readonly half: Float64Array;
  readonly reach: Float64Array;
}

/** Where two solids overlap most, in A's frame. */
export interface Deepest {
  /** Depth in A plus depth in B, rounded down; negative if they do not overlap, −Infinity if their boxes do not. */
  readonly sum: number;
  readonly point: Float64Array;
  readonly depthA: number;
  readonly depthB: number;
  readonly nearA: Float64Array;
  readonly nearB: Float64Array;
}

/** The end of a sweep: how far it went, and the unit normal of the contact, which points to the free side. */
export interface SweepContact {
  readonly time: number;
  readonly normal: Float64Array;
}

export interface SolidKernels {
  /**
   * Builds the shape's current tree, in steps. A caller that stops in between goes on from there the next time. Without
   * this call, the first question about the shape takes longer.
   */
  makeReady(shape: Shape): Generator<undefined, void>;
  frameOf(shape: Shape): TreeFrame;
  /** Writes the farthest vertex in a unit direction to `out`. Returns its product with the direction. */
  support(shape: Shape, x: number, y: number, z: number, out: Float64Array): number;
  /** How far vertices reach beyond the planes of `count` faces from `from` on; Infinity if more than the tolerance. */
  convexExcess(shape: Shape, sign: number, tolerance: number, from: number, count: number): number;
  /** Points inside the solid and their distances from its surface, four numbers per point. */
  sampleInside(shape: Shape, budget: number): Float64Array;
  /** The centre and the radius of a large ball near a point of the solid. */
  growBall(shape: Shape, x: number, y: number, z: number): Float64Array;
  /** Planes (unit normal, height) around a convex piece of the solid that holds the point, or undefined. */
  carve(shape: Shape, x: number, y: number, z: number): Float64Array | undefined;
  /** Selects the pair for the questions below. R maps B's frame into A's (nine numbers, by rows), `inverse` back. */
  setPair(a: Shape, b: Shape, r: Float64Array, inverse: Float64Array, stretch: number): void;
  /** Sets the place of B's origin in A's frame. */
  setPlace(x: number, y: number, z: number): void;
  /** Searches with about `budget` evaluations, everywhere or in a box of A's frame. */
  deepest(budget: number, box?: Float64Array): Deepest;
  /** How deep a point lies in A, or in B: negative outside, 0 if undecided; rounded towards 0. */
  depthOf(x: number, y: number, z: number, inB: boolean): number;
  /**
   * The last time that B, moving along a unit direction, meets A; undefined if it never does after 0. Stops above
   * `enough`.
   */
  sweepOut(x: number, y: number, z: number, enough: number): SweepContact | undefined;
  /** The first time that it does, up to `until`. */
  sweepIn(x: number, y: number, z: number, until: number): SweepContact | undefined;
}
