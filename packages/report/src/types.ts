// What a report is made from: plain data, so that any answer can be put in it.

export type Relation = 'separate' | 'touching' | 'coincident' | 'inside' | 'contains' | 'crossing';

/** What matters most comes first. */
export const severity: readonly Relation[] = [
  'crossing',
  'inside',
  'contains',
  'coincident',
  'touching',
  'separate',
];

/**
 * The order in which pairs are listed and pictured: parts that touch are mostly meant to, and there are many of them; what is
 * too close was asked about.
 */
export const listing: readonly Relation[] = [
  ...severity.filter(relation => relation !== 'touching'),
  'touching',
];

/** Whether one state of a pair is worse than another: by relation, then by how many triangles meet, or how near they are. */
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
  /** Where it came from, if from a file. */
  file?: string | undefined;
  triangles: number;
  vertices: number;
  closed: boolean;
  /** Closed and consistently oriented. */
  solid: boolean;
  /** In the world, x, y, z a vertex. */
  positions: Float64Array;
  indices: Uint16Array | Uint32Array;
}

export interface ReportPair {
  /** Indices of two bodies. */
  a: number;
  b: number;
  /** From a's side. */
  relation: Relation;
  /** Triangles that meet: (in a, in b), two a pair. May be empty when only the count is known. */
  triangles: Uint32Array;
  triangleCount: number;
  /** Of two that are separate but too close: how near, and the points of a and of b where they are. */
  distance?: number | undefined;
  pointA?: Float64Array | undefined;
  pointB?: Float64Array | undefined;
  /** In a motion: the frame that all this is of, the pair's worst, and every frame in which the two are found. */
  when?: { frame: number; frames: readonly number[] } | undefined;
}

export interface ReportMotion {
  frameCount: number;
  /** The frame that the report's bodies stand in, which the picture of the whole shows. */
  frame: number;
  /** The frames in which something meets or is too close, in order. */
  frames: readonly { frame: number; pairs: readonly Omit<ReportPair, 'triangles' | 'when'>[] }[];
  bodyAt(index: number, frame: number): ReportBody;
}

export interface ReportInput {
  title?: string | undefined;
  bodies: readonly ReportBody[];
  /** Every pair of bodies that meet or are too close; in a motion once each, at its worst. */
  pairs: readonly ReportPair[];
  motion?: ReportMotion | undefined;
  /** What two bodies should keep of each other. */
  clearance?: number | undefined;
  backend: { kind: 'cpu' | 'gpu'; name: string };
  method: string;
  /** Milliseconds. */
  timing: { read?: number | undefined; build?: number | undefined; query: number };
  version: string;
}

/** What pictures are drawn from. */
export type PictureInput = Pick<ReportInput, 'bodies' | 'pairs'>;
