// What a report is made from: plain data, so that any answer can be put in it.

export type Relation = 'separate' | 'touching' | 'coincident' | 'inside' | 'contains' | 'crossing';

export interface ReportBody {
  name: string;
  /** Where it came from, if from a file. */
  file?: string | undefined;
  triangles: number;
  vertices: number;
  closed: boolean;
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
}

export interface ReportInput {
  title?: string | undefined;
  bodies: readonly ReportBody[];
  pairs: readonly ReportPair[];
  backend: { kind: 'cpu' | 'gpu'; name: string };
  method: string;
  /** Milliseconds. */
  timing: { read?: number | undefined; build?: number | undefined; query: number };
  version: string;
}

/** What pictures are drawn from. */
export type PictureInput = Pick<ReportInput, 'bodies' | 'pairs'>;
