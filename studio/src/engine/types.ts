// What the page and its engines say to each other: plain data, so that it can cross into a worker. Bodies are known by
// number; poses go over as doubles, so that answers are those of the command line for the same poses.

import type { Relation } from 'nearfield';
import type { BenchTasks } from '../bench/types.ts';

/** Never given to a second body. */
export type BodyId = number;

export interface BodyData {
  readonly id: BodyId;
  readonly name: string;
  readonly file?: string | undefined;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint16Array | Uint32Array;
  /** Where its file has it. */
  readonly pose: Float64Array;
  readonly closed: boolean;
  /** Closed and consistently oriented: it has an inside. */
  readonly solid: boolean;
  readonly drawn: DrawnData;
}

/** A body as it is drawn, made where it was read: for a million triangles that takes a moment. */
export interface DrawnData {
  /** The corners of every triangle, one after the other, in single precision; and its normal at each. */
  readonly corners: Float32Array;
  readonly normals: Float32Array;
  /** Around the corners: least x, y, z, greatest x, y, z. */
  readonly box: readonly number[];
}

/** A body and where it is: the order of a list of these is the order of the answer. */
export interface Placement {
  readonly id: BodyId;
  readonly pose: Float64Array;
}

/** Two bodies that meet, or are nearer than the clearance; a comes before b in the list that was placed. */
export interface PairRow {
  readonly a: BodyId;
  readonly b: BodyId;
  /** From a's side. */
  readonly relation: Relation;
  readonly triangleCount: number;
  /** (in a, in b) of every pair of triangles that meet, where asked for. */
  readonly triangles?: Uint32Array | undefined;
  /** Of two that are separate but too close. */
  readonly distance?: number | undefined;
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
}

export interface PairsQuestion {
  readonly placed: readonly Placement[];
  /** Separate bodies nearer than this are told too. */
  readonly clearance?: number | undefined;
  /** Only pairs with one of these. */
  readonly only?: readonly BodyId[] | undefined;
  readonly triangles?: boolean | undefined;
  /** What a GPU found of the same bodies at the same poses, to be decided. */
  readonly found?: FoundOnGpu | undefined;
}

/** Pairs of triangles as a GPU leaves them: those that certainly meet, and those that may. */
export interface FoundOnGpu {
  /** The two bodies of each pair of bodies that was looked at. */
  readonly bodies: Uint32Array;
  /** Records of three: place of the pair of bodies, triangle of its first, triangle of its second. */
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
  /** Milliseconds to spend, where more time gives a closer answer. */
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
  /** x, y, z of two ends for each segment. */
  readonly ends: Float64Array;
}

export interface ReadAnswer {
  readonly bodies: readonly BodyData[];
  /** A line for each file that could not be read, or not wholly. */
  readonly messages: readonly string[];
}

/** The bodies of the document as they stand, for what is written of them. */
export interface Written {
  readonly bodies: readonly {
    readonly id: BodyId;
    readonly name: string;
    readonly file?: string | undefined;
    readonly pose: Float64Array;
  }[];
  /** Separate bodies nearer than this are told too; undefined: only what meets. */
  readonly clearance: number | undefined;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** The work of the worker: reading files, and everything that needs trees on the CPU. */
export interface Tasks extends BenchTasks {
  /** The CPU engine and its threads, in words. */
  hello(): Promise<string>;
  read(files: readonly File[], limits?: Limits): Promise<ReadAnswer>;
  sample(limits?: Limits): Promise<ReadAnswer>;
  /** Bodies that nothing in the page can bring back. */
  forget(ids: readonly BodyId[]): Promise<void>;
  pairs(question: PairsQuestion, limits?: Limits): Promise<PairsAnswer>;
  distance(two: TwoBodies, limits?: Limits): Promise<DistanceData>;
  depth(two: TwoBodies, limits?: Limits): Promise<DepthData>;
  curves(two: TwoBodies, limits?: Limits): Promise<CurvesData>;
  /** What `nearfield check --json --triangles` writes. */
  json(written: Written, limits?: Limits): Promise<Blob>;
  /** What `nearfield check --report` writes. */
  report(written: Written, limits?: Limits): Promise<Blob>;
}
