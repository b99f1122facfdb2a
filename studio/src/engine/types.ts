// The messages between the page and its engines: plain data that can cross into a worker. Bodies have numbers. Poses
// are doubles, so that answers equal those of the command line for the same poses.

import type { JointValues, Robot } from '@nearfield/io';
import type { Relation } from 'nearfield';
import type { BenchTasks } from '../bench/types.ts';
import type {
  AppliedRows,
  Groups,
  GroupsQuestion,
  Measured,
  MeasureQuestion,
  PairsAnswer,
  PairsQuestion,
  StatusesQuestion,
  Touched,
  TouchedQuestion,
} from './review/types.ts';

/** A number is never reused. */
export type BodyId = number;

/** A body as it was read, with what its file says about it. */
export interface BodyData {
  readonly id: BodyId;
  readonly name: string;
  /** The name of its file. */
  readonly file?: string | undefined;
  /** Its number among the bodies of its file. */
  readonly index: number;
  /** The way from the root of the file's structure down to it, its own name last. */
  readonly path?: readonly string[] | undefined;
  /** Per name in the path, a number that tells equal names apart, if the reader has them. */
  readonly pathNodes?: readonly number[] | undefined;
  /** An identity in the file, such as an IFC GlobalId. */
  readonly part?: string | undefined;
  /** The kind of part, such as IfcWall. */
  readonly type?: string | undefined;
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint16Array | Uint32Array;
  /** The pose in its file, in the unit of the file. */
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

/** A body and its pose. */
export interface Placement {
  readonly id: BodyId;
  readonly pose: Float64Array;
}

/** Bodies and their poses. The order is the order of the answer. */
export interface Placed {
  readonly ids: Uint32Array;
  /** 16 numbers per body. */
  readonly poses: Float64Array;
}

/** A file that the user gave by its text. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/** The document as the engines need it: bodies at their poses, and what is asked about them. */
export interface Assembly {
  readonly placed: Placed;
  /** Bodies that the user renamed. */
  readonly names: ReadonlyMap<BodyId, string>;
  /** The unit of all lengths, in metres; undefined if nobody said. */
  readonly unit: number | undefined;
  /** Separate bodies closer than this are reported too. */
  readonly clearance: number | undefined;
  /** The depth that is forgiven; 'file' for the rounding of the files. */
  readonly tolerance: number | 'file' | undefined;
  /** The user's rules file. */
  readonly rules: TextFile | undefined;
}

export interface TwoBodies {
  readonly a: Placement;
  readonly b: Placement;
}

export interface DistanceData {
  readonly distance: number;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
}

export interface CurvesData {
  /** x, y, z of both ends per segment. */
  readonly ends: Float64Array;
}

/** A file that was read. */
export interface FileData {
  /** As the user named it; for a dropped folder, with the folders. */
  readonly name: string;
  /** SHA-256 of its bytes, as hexadecimal text. */
  readonly hash: string;
  /** Its unit of length, in metres, if it states one. */
  readonly unit: number | undefined;
  /** How it was turned and moved to common coordinates, in its unit; undefined if it stays as it is. */
  readonly move?: Float64Array | undefined;
  /** The files that it refers to, by name and hash. */
  readonly beside: readonly { readonly name: string; readonly hash: string }[];
  /** The joints, if it is a robot. */
  readonly robot: Robot | undefined;
}

/** A pair to look at. */
export interface PairViewQuestion {
  /** As seen from a. */
  readonly relation: Relation;
  /** The nearest points of two bodies that are too close. */
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
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
  readonly files: readonly FileData[];
  readonly bodies: readonly BodyData[];
  /** One line per file that could not be read. */
  readonly messages: readonly string[];
  /** What is good to know about those that were. */
  readonly notes: readonly string[];
}

/** What is written: the assembly, with what people have said, in one of the formats of the command line. */
export interface Written {
  readonly assembly: Assembly;
  readonly format: 'json' | 'csv' | 'junit' | 'bcf' | 'glb' | 'report';
  /** The text of a statuses file. */
  readonly statuses: string | undefined;
  readonly group: 'part' | 'place' | 'test' | undefined;
  /** Poses per frame, if a motion is loaded: per frame, bodies and their poses. */
  readonly frames: readonly Placed[] | undefined;
}

/** A motion to be checked: poses per frame. */
export interface MotionQuestion {
  readonly assembly: Assembly;
  readonly frames: readonly Placed[];
}

/** A motion to be followed between its frames. */
export interface ContactsQuestion extends MotionQuestion {
  /** If the frames have joint values: they say how the links move from one frame to the next. */
  readonly joints: JointPaths | undefined;
}

export interface JointPaths {
  readonly robots: readonly { readonly robot: Robot; readonly first: number; readonly scale: number }[];
  /** The bodies of all robots; undefined for those that were removed. */
  readonly links: readonly (BodyId | undefined)[];
  /** Per frame, the values of each robot. */
  readonly frames: readonly (readonly JointValues[])[];
}

/** When two bodies first meet. Between two frames, a time has a fraction. */
export interface MotionContact {
  readonly a: BodyId;
  readonly b: BodyId;
  readonly time: number;
  /** False if the two only touch, or pass each other closer than can be told. */
  readonly certain: boolean;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number) => void) | undefined;
}

/** The tasks of the worker: reading files, and everything that needs trees on the CPU. */
export interface Tasks extends BenchTasks {
  /** The CPU engine and its threads, in words. */
  hello(): Promise<string>;
  read(files: readonly NamedFile[], limits?: Limits): Promise<ReadAnswer>;
  sample(limits?: Limits): Promise<ReadAnswer>;
  /** Bodies that undo can no longer bring back. */
  forget(ids: readonly BodyId[]): Promise<void>;
  /** Every pair that meets or is too close, with verdicts as far as they are known without measuring depths. */
  pairs(question: PairsQuestion, limits?: Limits): Promise<PairsAnswer>;
  /** Depths, and verdicts by them, of some pairs of the last answer. */
  measure(question: MeasureQuestion, limits?: Limits): Promise<Measured>;
  /** Where pairs of the last answer meet. */
  touched(question: TouchedQuestion, limits?: Limits): Promise<Touched>;
  /** What people have said, applied to the last answer. */
  statuses(question: StatusesQuestion, limits?: Limits): Promise<AppliedRows>;
  /** Groups of the clashes of the last answer. */
  groups(question: GroupsQuestion, limits?: Limits): Promise<Groups>;
  distance(two: TwoBodies, limits?: Limits): Promise<DistanceData>;
  curves(two: TwoBodies, limits?: Limits): Promise<CurvesData>;
  /** How far each place of either surface is from the other body. */
  clearance(two: TwoBodies, limits?: Limits): Promise<ClearanceData>;
  /** From where a pair is seen best, and where it meets. */
  pairView(question: PairViewQuestion, limits?: Limits): Promise<PairViewData>;
  /** How many pairs fail the check in each frame of a motion. */
  motion(question: MotionQuestion, limits?: Limits): Promise<Uint32Array>;
  /** When pairs first meet in a motion, also between its frames: in order of time, as `nearfield motion` finds them. */
  contacts(question: ContactsQuestion, limits?: Limits): Promise<readonly MotionContact[]>;
  /** What `nearfield check --out` writes. */
  write(written: Written, limits?: Limits): Promise<Blob>;
}

/** A file and its name, which may have folders. */
export interface NamedFile {
  readonly name: string;
  readonly file: Blob;
}
