// The boundary of the common part of two solids, as build-boundary.ts makes it: the parts of each body's triangles that lie in
// the other.

import type { Side } from '../crossings.ts';
import type { Numbers } from '../numbers.ts';

/** All positions are in measuring units (surface.ts), and relative to `origin`, which is in these units too. */
export interface Boundary {
  readonly origin: Float64Array;
  /** Three numbers per element: crossing points, then enclosed vertices, then corners of common faces. */
  readonly elements: Float64Array;
  /**
   * Room for x and y of each element in the projection of one region after another (manifold.ts), at the same offsets.
   */
  readonly projected: Float64Array;
  /** The index of the first corner of common faces. */
  readonly cornersFrom: number;
  /** The region of each element, numbered from 0; −1 for elements of no region. */
  readonly regionOf: Int32Array;
  readonly regionCount: number;
  readonly parts: Parts;
  readonly whole: Whole;
  /** Whether it is made of cells that were cut exactly (outer/folded.ts). */
  readonly ofCells: boolean;
  /** The number of an element's point, if it has one: only if not everything is in general position. */
  numberOf(element: number): number | undefined;
  /** Writes the corners of a triangle of a body, scaled, nine numbers. */
  corners(side: Side, triangle: number, out: Float64Array): void;
}

/** Triangles that meet the other body, without those of which nothing lies inside. */
export interface Parts {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  /** 1 if the part is the whole triangle, else 0. */
  readonly full: readonly number[];
  /** A corner and the unit normal out of the solid, six numbers per part. */
  readonly planes: Numbers;
  /** Part i has the lines from start[i] to start[i + 1]. */
  readonly start: readonly number[];
  /** Three numbers per line: the elements from which and to which it runs, and how many halves of it count. */
  readonly lines: Numbers<Int32Array<ArrayBuffer>>;
  /** Parts from here on correct common faces. */
  commonFrom: number;
}
export const lineLength = 3;

/** Triangles that lie entirely inside. */
export interface Whole {
  readonly side: readonly Side[];
  readonly triangle: readonly number[];
  readonly element: readonly number[];
  /** Nine numbers per triangle. */
  readonly corners: Numbers;
  /** Bits for those of the three corners that no earlier triangle has. */
  readonly firsts: readonly number[];
}
