// The input of a report: plain data, so that any answer can be shown.

export type Relation = 'separate' | 'touching' | 'coincident' | 'inside' | 'contains' | 'crossing';

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

/**
 * Whether one state of a pair is worse than another: by relation, then by the number of triangles that meet, or by
 * distance.
 */
export function isWorse(p: PairState, q: PairState): boolean {
  const difference = severity.indexOf(p.relation) - severity.indexOf(q.relation);
  if (difference !== 0) return difference < 0;
  return p.triangleCount > q.triangleCount || (p.distance ?? Infinity) < (q.distance ?? Infinity);
}

interface PairState {
  readonly relation: Relation;
  readonly triangleCount: number;
  readonly distance?: number | undefined;
}

export interface ReportBody {
  name: string;
  /** The file it came from, if any. */
  file?: string | undefined;
  triangles: number;
  vertices: number;
  closed: boolean;
  /** Closed and consistently oriented. */
  solid: boolean;
  /** In the world, x, y, z per vertex. */
  positions: Float64Array;
  indices: Uint16Array | Uint32Array;
}

export interface ReportPair {
  /** Indices of two bodies. */
  a: number;
  b: number;
  /** As seen from a. */
  relation: Relation;
  /** Triangles that meet: (in a, in b), two numbers per pair. May be empty if only the count is known. */
  triangles: Uint32Array;
  triangleCount: number;
  /** For two bodies that are separate but too close: the distance, and the nearest points of a and of b. */
  distance?: number | undefined;
  pointA?: Float64Array | undefined;
  pointB?: Float64Array | undefined;
  /** In a motion: the pair's worst frame, which all this describes, and every frame in which the pair is found. */
  when?: { frame: number; frames: readonly number[] } | undefined;
}

export interface ReportMotion {
  frameCount: number;
  /** The frame of the overview picture. */
  frame: number;
  /** The frames in which something meets or is too close, in order. */
  frames: readonly { frame: number; pairs: readonly Omit<ReportPair, 'triangles' | 'when'>[] }[];
  bodyAt(index: number, frame: number): ReportBody;
}

export interface ReportInput {
  title?: string | undefined;
  bodies: readonly ReportBody[];
  /** Every pair of bodies that meet or are too close; in a motion once each, in its worst state. */
  pairs: readonly ReportPair[];
  motion?: ReportMotion | undefined;
  /** The clearance between two bodies. */
  clearance?: number | undefined;
  backend: { kind: 'cpu' | 'gpu'; name: string };
  method: string;
  /** Milliseconds. */
  timing: { read?: number | undefined; build?: number | undefined; query: number };
  version: string;
}

/** The input of pictures. */
export type PictureInput = Pick<ReportInput, 'bodies' | 'pairs'>;
