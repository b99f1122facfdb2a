// What penetration asks of the CPU engine: questions about one solid, or about two, in the frames of their trees
// (kernels/model.as.ts). Lengths and points are in those frames; `penetration/kernels/kernels.ts` answers.

import type { Shape } from '../bodies/snapshot/snapshot.ts';

/** The frame of a tree: u = (x − centre)·scale. */
export interface TreeFrame {
  readonly centre: Float64Array;
  readonly scale: number;
  /** Half extents of the mesh, and its largest coordinates in size, in its own units. */
  readonly half: Float64Array;
  readonly reach: Float64Array;
}

/** Where two solids overlap most. In A's frame. */
export interface Deepest {
  /** Depth in A plus depth in B, rounded down; negative where they do not overlap, −Infinity where boxes do not. */
  readonly sum: number;
  readonly point: Float64Array;
  readonly depthA: number;
  readonly depthB: number;
  readonly nearA: Float64Array;
  readonly nearB: Float64Array;
}

/** Where a sweep ends: how far it went, and the unit normal of the contact that points to the free side. */
export interface SweepContact {
  readonly time: number;
  readonly normal: Float64Array;
}

export interface SolidKernels {
  /**
   * Makes sure that the shape has a tree as it is now, in steps: whoever stops in between goes on from there the next time.
   * Without one, the first question about it takes longer.
   */
  makeReady(shape: Shape): Generator<undefined, void>;
  frameOf(shape: Shape): TreeFrame;
  /** The farthest vertex in a unit direction, into `out`; its product with the direction. */
  support(shape: Shape, x: number, y: number, z: number, out: Float64Array): number;
  /** How far vertices reach beyond the planes of some faces, `count` from `from` on; Infinity where more than the tolerance. */
  convexExcess(shape: Shape, sign: number, tolerance: number, from: number, count: number): number;
  /** Points within the solid and their distances from its surface, four numbers each. */
  sampleInside(shape: Shape, budget: number): Float64Array;
  /** The centre and the radius of a large ball near a point of the solid. */
  growBall(shape: Shape, x: number, y: number, z: number): Float64Array;
  /** Planes (unit normal, height) around a convex piece of the solid that holds the point, or undefined. */
  carve(shape: Shape, x: number, y: number, z: number): Float64Array | undefined;
  /** The pair that the questions below are about: B's frame into A's by R (nine numbers, by rows), and back. */
  setPair(a: Shape, b: Shape, r: Float64Array, inverse: Float64Array, stretch: number): void;
  /** Where B's frame has its origin in A's. */
  setPlace(x: number, y: number, z: number): void;
  /** With about so many evaluations, everywhere or in a box of A's frame. */
  deepest(budget: number, box?: Float64Array): Deepest;
  /** How deep a point lies in A, or in B: negative outside, 0 where that is not decided; rounded towards 0. */
  depthOf(x: number, y: number, z: number, inB: boolean): number;
  /** The last time B, moving along a unit direction, meets A; undefined where never after 0. Stops above `enough`. */
  sweepOut(x: number, y: number, z: number, enough: number): SweepContact | undefined;
  /** The first time it does, up to `until`. */
  sweepIn(x: number, y: number, z: number, until: number): SweepContact | undefined;
}
