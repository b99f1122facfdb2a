// What is seen under the hood: two bodies, a method, and its steps, each with a sentence, something in three dimensions and a
// flat picture. Bodies and what was asked of them cross into a worker; steps are made of that in the page.

import type { Grid, HierarchySteps } from 'nearfield';
import type { Limits } from '../engine/types.ts';

export type PairName = 'rotating' | 'tori' | 'heart' | 'bunnies' | 'jaws';

export interface Shape {
  readonly name: string;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint16Array | Uint32Array;
  readonly pose: Float64Array;
}

/** A and B. */
export type Two = readonly [Shape, Shape];

/** What `scene.steps` of the field method gives, as plain data. */
export interface FieldData {
  readonly method: 'field';
  readonly grid: Grid;
  /** Signed distances to either surface, x fastest, then y, then z. */
  readonly distances: readonly [Float32Array, Float32Array];
  /** Samples in both, and from each its way out. */
  readonly points: Float32Array;
  readonly ways: Float32Array;
  readonly volume: number;
  readonly deepest: number;
}

export type WorkerSteps = HierarchySteps | FieldData;
export type WorkerMethod = WorkerSteps['method'];

export interface HoodTasks {
  prepare(name: PairName, limits?: Limits): Promise<Two>;
  steps(what: { readonly two: Two; readonly method: WorkerMethod }, limits?: Limits): Promise<WorkerSteps>;
}

/** A picture of squares: RGBA, rows from below. */
export interface FlatPicture {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Uint8ClampedArray<ArrayBuffer>;
  readonly legend: readonly { readonly colour: string; readonly text: string }[];
  /** What the axes are, for those who do not see the picture. */
  readonly label: string;
  /** What is at a square, in words. */
  at(column: number, row: number): string;
  /** Columns run from right to left, as someone sees it who looks along the view. */
  readonly mirrored?: boolean;
}

/** Where a picture stands in the world: its first corner, and both sides from there. */
export interface Sheet {
  readonly corner: readonly number[];
  readonly right: readonly number[];
  readonly up: readonly number[];
}

export interface StepView {
  readonly sentence: string;
  readonly facts: readonly (readonly [label: string, value: number | string])[];
  /** Lines around boxes of A, of B, or around what is looked at: x, y, z of two ends each. */
  readonly boxes?: readonly [Float32Array, Float32Array] | undefined;
  readonly frame?: Float32Array | undefined;
  /** Triangles of A and B that are lit. */
  readonly lit?: readonly [ArrayLike<number>, ArrayLike<number>] | undefined;
  readonly points?: Float32Array | undefined;
  readonly ways?: Float32Array | undefined;
  readonly pointSize?: number | undefined;
  readonly picture?: FlatPicture | undefined;
  /** The picture stands here, too. */
  readonly sheet?: Sheet | undefined;
}

/** Made when it is looked at. */
export type MakeStep = () => StepView;

export interface MethodInfo {
  readonly name: string;
  readonly title: string;
  readonly sentence: string;
  readonly paper: string;
  /** Whether it is asked of a GPU. */
  readonly needsGpu: boolean;
}
