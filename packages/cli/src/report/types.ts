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

/** Whether one state of a pair is worse than another: by relation, then by how many triangles meet. */
export function isWorse(p: PairState, q: PairState): boolean {
  const difference = severity.indexOf(p.relation) - severity.indexOf(q.relation);
  return difference < 0 || (difference === 0 && p.triangleCount > q.triangleCount);
}

interface PairState {
  readonly relation: Relation;
  readonly triangleCount: number;
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
  /** In a motion: the frame that all this is of, the pair's worst, and every frame in which the two meet. */
  when?: { frame: number; frames: readonly number[] } | undefined;
}

export interface ReportMotion {
  frameCount: number;
  /** The frame that the report's bodies stand in, which the picture of the whole shows. */
  frame: number;
  /** The frames in which something meets, in order. */
  frames: readonly { frame: number; pairs: readonly Omit<ReportPair, 'triangles' | 'when'>[] }[];
  bodyAt(index: number, frame: number): ReportBody;
}

export interface ReportInput {
  title?: string | undefined;
  bodies: readonly ReportBody[];
  /** Every pair of bodies that meet; in a motion once each, at its worst. */
  pairs: readonly ReportPair[];
  motion?: ReportMotion | undefined;
  backend: { kind: 'cpu' | 'gpu'; name: string };
  method: string;
  /** Milliseconds. */
  timing: { read?: number | undefined; build?: number | undefined; query: number };
  version: string;
}

/** What pictures are drawn from. */
export type PictureInput = Pick<ReportInput, 'bodies' | 'pairs'>;
