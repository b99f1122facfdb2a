// The input of a report: the answer, with the bodies at their places in the world.

import type { Relation } from 'nearfield';
import type { AssemblyAnswer, AssemblyBody, AssemblyPair } from '../assembly/types.ts';

/** The most important relations come first. */
export const severity: readonly Relation[] = [
  'crossing',
  'inside',
  'contains',
  'coincident',
  'touching',
  'separate',
];

/**
 * The order in which pairs are listed and pictured. Parts that touch are mostly meant to, and there are many of them.
 * Pairs that are too close come before them, because the user asked about those.
 */
export const listing: readonly Relation[] = [
  ...severity.filter(relation => relation !== 'touching'),
  'touching',
];

/** What a report says about the check as a whole. */
export type CheckFacts = Pick<
  AssemblyAnswer,
  | 'version'
  | 'backend'
  | 'method'
  | 'unitName'
  | 'tolerance'
  | 'clearance'
  | 'tests'
  | 'sets'
  | 'warnings'
  | 'matrix'
  | 'groups'
  | 'history'
  | 'failOn'
  | 'unmeasured'
  | 'files'
> & { timing: Partial<AssemblyAnswer['timing']> & { query: number } };

/** A body of the answer and its shape. */
export interface ReportBody
  extends Omit<AssemblyBody, 'index' | 'name' | 'properties' | 'fingerprint' | 'rounding'> {
  /** For people: with its file if bodies of several files have the same name. */
  name: string;
  /** In the world, x, y, z per vertex. */
  positions: Float64Array;
  indices: Uint16Array | Uint32Array;
}

/** `pointA` and `pointB` are in the axes of the pictures. */
export interface ReportPair extends AssemblyPair {
  /** Triangles that meet: (in a, in b), two numbers per pair. May be empty if only the count is known. */
  readonly triangles: Uint32Array;
  /** Where it is, in the axes of the files. */
  readonly place?: Float64Array | undefined;
  /** In a motion: the pair's worst frame, which all this describes, and every frame in which the pair is found. */
  readonly when?: { frame: number; frames: readonly number[] } | undefined;
}

export interface ReportMotion {
  frameCount: number;
  /** The frame of the overview picture. */
  frame: number;
  /** The frames in which something meets or is too close, in order. */
  frames: readonly { frame: number; pairs: readonly AssemblyPair[] }[];
  bodyAt(index: number, frame: number): ReportBody;
}

export interface ReportInput extends CheckFacts {
  title?: string | undefined;
  /** When the check was made, as ISO 8601: 2026-11-18T09:30:00Z. */
  date?: string | undefined;
  bodies: readonly ReportBody[];
  /** Every pair of bodies that meet or are too close; in a motion once each, in its worst state. */
  pairs: readonly ReportPair[];
  motion?: ReportMotion | undefined;
}

/** What a picture needs of a body, and of a pair. */
export type PictureBody = Pick<ReportBody, 'positions' | 'indices' | 'triangles'>;
export type PicturePair = Pick<ReportPair, 'a' | 'b' | 'relation' | 'triangles' | 'pointA' | 'pointB'>;

/** The input of pictures. */
export type PictureInput = Pick<ReportInput, 'bodies' | 'pairs'>;
