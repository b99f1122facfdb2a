// The messages between the page and its engines: plain data that can cross into a worker. Bodies have numbers. Poses
// are doubles, so that answers equal those of the command line for the same poses.

import type { Relation } from 'nearfield';
import type { BenchTasks } from '../bench/types.ts';

/** A number is never reused. */
export type BodyId = number;

export interface BodyData {
  readonly id: BodyId;
  readonly name: string;
  readonly file?: string | undefined;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint16Array | Uint32Array;
  /** The pose in its file. */
  readonly pose: Float64Array;
  readonly closed: boolean;
  /** Closed and consistently oriented: it has an inside. */
  readonly solid: boolean;
  readonly drawn: DrawnData;
}

/** A body for rendering, computed where it was read, because a million triangles take a moment. */
export interface DrawnData {
  /** The corners of every triangle in single precision. */
  readonly corners: Float32Array;
  /** Four numbers per corner: the normal, of which 127 is 1, and a zero. */
  readonly normals: Int8Array;
  /** Both ends of every edge where the surface is not smooth. */
  readonly edges: Float32Array;
  /** The bounds of the corners: smallest x, y, z, greatest x, y, z. */
  readonly box: readonly number[];
}

/** A body and its pose. The order of a list of these is the order of the answer. */
export interface Placement {
  readonly id: BodyId;
  readonly pose: Float64Array;
}

/** Two bodies that meet or are closer than the clearance. `a` comes before `b` in the placed list. */
export interface PairRow {
  readonly a: BodyId;
  readonly b: BodyId;
  /** As seen from a. */
  readonly relation: Relation;
  readonly triangleCount: number;
  /** (in a, in b) per pair of triangles that meet, if requested. */
  readonly triangles?: Uint32Array | undefined;
  /** For two bodies that are separate but too close. */
  readonly distance?: number | undefined;
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
}

export interface PairsQuestion {
  readonly placed: readonly Placement[];
  /** Separate bodies closer than this are reported too. */
  readonly clearance?: number | undefined;
  /** Only pairs with one of these bodies. */
  readonly only?: readonly BodyId[] | undefined;
  readonly triangles?: boolean | undefined;
  /** The GPU's result for the same bodies at the same poses, still to be decided exactly. */
  readonly found?: FoundOnGpu | undefined;
}

/** Pairs of triangles from a GPU: those that certainly meet, and those that may. */
export interface FoundOnGpu {
  /** The two bodies of each pair of bodies that was tested. */
  readonly bodies: Uint32Array;
  /** Three numbers per record: index of the pair of bodies, triangle of the first, triangle of the second. */
  readonly certain: Uint32Array;
  readonly unsure: Uint32Array;
}

export interface PairsAnswer {
  readonly rows: readonly PairRow[];
  /** Milliseconds from question to answer. */
  readonly time: number;
  readonly backend: 'cpu' | 'gpu';
}

export interface TwoBodies {
  readonly a: Placement;
  readonly b: Placement;
  /** Milliseconds to spend, if more time gives a closer answer. */
  readonly timeLimit?: number | undefined;
}

export interface DistanceData {
  readonly distance: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
}

export interface DepthData {
  readonly lower: number;
  readonly upper: number;
  /** The translation of b that was verified to separate the two. */
  readonly translation: Float64Array;
}

export interface CurvesData {
  /** x, y, z of both ends per segment. */
  readonly ends: Float64Array;
}

/** A pair to look at. */
export interface PairViewQuestion extends Pick<PairRow, 'relation' | 'pointA' | 'pointB'> {
  readonly a: Placement;
  readonly b: Placement;
  readonly up: 'y' | 'z';
  /** Width of the view over its height. */
  readonly aspect: number;
}

/** A view that shows both bodies and where they meet. Positions are in the world, in doubles. */
export interface PairViewData {
  /** The direction towards the eye, a unit vector, and the point in the middle of the view. */
  readonly toward: readonly number[];
  readonly target: readonly number[];
  /** How much of the world the view shows there. */
  readonly width: number;
  readonly height: number;
  /** The body to draw as glass, because it would hide the other or the contact. */
  readonly glass: 'a' | 'b' | undefined;
  /** The middle of the contact. */
  readonly contact: readonly number[];
  /** Both ends per segment in which the surfaces cross, in plain doubles; or the line between the nearest points. */
  readonly segments: Float64Array;
  /** The triangles of the first body that meet the second, nine numbers each. */
  readonly corners: Float64Array;
}

/** A surface with a distance at each corner, negative within the other body, Infinity beyond the range. */
export interface MappedSurface {
  /** Nine numbers per triangle, in the world. */
  readonly corners: Float64Array;
  readonly distances: Float32Array;
}

export interface ClearanceData {
  readonly a: MappedSurface;
  readonly b: MappedSurface;
  /** The farthest distance that is measured. */
  readonly range: number;
}

export interface ReadAnswer {
  readonly bodies: readonly BodyData[];
  /** One line per file that could not be read, or not completely. */
  readonly messages: readonly string[];
}

/** The bodies of the document in their current state, for the exports. */
export interface Written {
  readonly bodies: readonly {
    readonly id: BodyId;
    readonly name: string;
    readonly file?: string | undefined;
    readonly pose: Float64Array;
  }[];
  /** Separate bodies closer than this are listed too; undefined lists only pairs that meet. */
  readonly clearance: number | undefined;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** The tasks of the worker: reading files, and everything that needs trees on the CPU. */
export interface Tasks extends BenchTasks {
  /** The CPU engine and its threads, in words. */
  hello(): Promise<string>;
  read(files: readonly File[], limits?: Limits): Promise<ReadAnswer>;
  sample(limits?: Limits): Promise<ReadAnswer>;
  /** Bodies that undo can no longer bring back. */
  forget(ids: readonly BodyId[]): Promise<void>;
  pairs(question: PairsQuestion, limits?: Limits): Promise<PairsAnswer>;
  distance(two: TwoBodies, limits?: Limits): Promise<DistanceData>;
  depth(two: TwoBodies, limits?: Limits): Promise<DepthData>;
  curves(two: TwoBodies, limits?: Limits): Promise<CurvesData>;
  /** How far each place of either surface is from the other body. */
  clearance(two: TwoBodies, limits?: Limits): Promise<ClearanceData>;
  /** From where a pair is seen best, and where it meets. */
  pairView(question: PairViewQuestion, limits?: Limits): Promise<PairViewData>;
  /** The output of `nearfield check --json --triangles`. */
  json(written: Written, limits?: Limits): Promise<Blob>;
  /** The output of `nearfield check --report`. */
  report(written: Written, limits?: Limits): Promise<Blob>;
}
