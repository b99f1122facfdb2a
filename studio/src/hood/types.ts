// The data of "Under the hood": two bodies, a method, and its steps, each with a sentence, a 3D view and a flat
// picture. Bodies and answers cross into a worker; the page makes steps of them.

import type { EdgePicture, Grid, HierarchySteps, VisibilitySteps } from 'nearfield';
import type { Limits } from '../engine/types.ts';

/** Pixels along the longer side of a picture. */
export const resolution = 256;

export type PairName = 'rotating' | 'tori' | 'heart' | 'bunnies' | 'jaws';

export interface Shape {
  readonly name: string;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint16Array | Uint32Array;
  readonly pose: Float64Array;
}

/** A and B. */
export type Two = readonly [Shape, Shape];

/** The result of `scene.steps` for the field method, as plain data. */
export interface FieldData {
  readonly method: 'field';
  readonly grid: Grid;
  /** Signed distances to either surface, x fastest, then y, then z. */
  readonly distances: readonly [Float32Array, Float32Array];
  /** Samples in both bodies, and per sample its way out. */
  readonly points: Float32Array;
  readonly ways: Float32Array;
  readonly volume: number;
  readonly deepest: number;
}

/** A parallel view, as plain data: see the library's `View`. */
export interface ViewData {
  /** World position of the outer corner of the first pixel, at depth 0. */
  readonly origin: readonly number[];
  /** Unit vectors of the world: along rows, along columns, along the lines. */
  readonly right: readonly number[];
  readonly up: readonly number[];
  readonly direction: readonly number[];
  /** The side of a pixel. */
  readonly pixel: number;
  readonly columns: number;
  readonly rows: number;
  /** The least and greatest depth in view. */
  readonly near: number;
  readonly far: number;
}

/** Lines through both bodies, drawn by the CPU. Without a map, the boxes of the bodies do not meet. */
export interface LinesData {
  readonly method: 'layers';
  readonly map?: {
    readonly view: ViewData;
    /** One `CollisionCase` per pixel. */
    readonly cases: Uint8Array;
    /** 1 if test 2, test 3 left the line open. */
    readonly farSide: Uint8Array;
    readonly nearSide: Uint8Array;
    /** Per pixel, the order of the layers: 'AABB'. */
    readonly orders: readonly string[];
  };
}

/** The nearest edge per pixel, drawn by the CPU. Without a picture, the boxes of the bodies do not meet. */
export interface EdgesData {
  readonly method: 'raycast';
  readonly picture?: EdgesPicture;
}

export type EdgesPicture = Omit<EdgePicture, 'view'> & { readonly view: ViewData };

export type WorkerSteps = HierarchySteps | FieldData | LinesData | EdgesData | VisibilitySteps;
export type WorkerMethod = WorkerSteps['method'];

export interface HoodTasks {
  prepare(name: PairName, limits?: Limits): Promise<Two>;
  steps(what: { readonly two: Two; readonly method: WorkerMethod }, limits?: Limits): Promise<WorkerSteps>;
}

/** A picture of squares: RGBA, rows from bottom to top. */
export interface FlatPicture {
  readonly columns: number;
  readonly rows: number;
  readonly colours: Uint8ClampedArray<ArrayBuffer>;
  readonly legend: readonly { readonly colour: string; readonly text: string }[];
  /** Describes the axes, for people who do not see the picture. */
  readonly label: string;
  /** Describes one square. */
  at(column: number, row: number): string;
  /** Columns run from right to left, as seen along the view. */
  readonly mirrored?: boolean;
}

/** The position of a picture in the world: its first corner and its two sides. */
export interface Sheet {
  readonly corner: readonly number[];
  readonly right: readonly number[];
  readonly up: readonly number[];
}

export interface StepView {
  readonly sentence: string;
  readonly facts: readonly (readonly [label: string, value: number | string])[];
  /** Lines around boxes of A, of B, or around the viewed region: x, y, z of both ends per line. */
  readonly boxes?: readonly [Float32Array, Float32Array] | undefined;
  readonly frame?: Float32Array | undefined;
  /** Highlighted triangles of A and B. */
  readonly lit?: readonly [ArrayLike<number>, ArrayLike<number>] | undefined;
  readonly points?: Float32Array | undefined;
  readonly ways?: Float32Array | undefined;
  readonly pointSize?: number | undefined;
  readonly picture?: FlatPicture | undefined;
  /** The position at which the picture is also shown in 3D. */
  readonly sheet?: Sheet | undefined;
}

/** Made when the step is shown. */
export type MakeStep = () => StepView;

export interface MethodInfo {
  readonly name: string;
  readonly title: string;
  readonly sentence: string;
  readonly paper: string;
  /** Whether the method draws on a GPU. Without one, the CPU draws its pictures. */
  readonly needsGpu: boolean;
}
