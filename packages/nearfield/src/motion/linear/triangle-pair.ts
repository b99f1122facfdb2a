// When do two triangles first share a point, if their corners move linearly? Exact: the exact test at
// time 0, then the first contact of their features. Two triangles that are apart at time 0 first meet where a corner of
// one reaches the other, or two edges reach each other: see contact.md.

import { trianglesMeet } from '../../math/triangles/triangle-triangle.ts';
import type { TimeInterval } from '../types.ts';
import { edgeMeetsEdge, never, vertexMeetsFace } from './exact/contact.ts';
import { type Kind, surelyFirstCell, unsure } from './filter.ts';

/** The two features that touch first: their four points at time 0, then at time 1. */
export interface Touch {
  kind: Kind;
  readonly points: Float64Array;
}

/** What was done for an answer. */
export interface PairStats {
  /** Pairs of triangles that were compared. */
  pairs: number;
  /** Pairs of features that doubles could not decide. */
  unsure: number;
}

export class MovingTrianglePairs {
  readonly stats: PairStats = { pairs: 0, unsure: 0 };
  /** The features that gave the last cell. Overwritten by the next call. */
  readonly touch: Touch = { kind: 'vertex-face', points: new Float64Array(24) };
  readonly bits: number;
  readonly upTo: number;
  /** The last cell that has times up to `upTo`. */
  readonly lastCell: number;
  #whole: MovingTrianglePairs | undefined;

  /** Times are given in cells of 2^-bits, up to `upTo`. */
  constructor(bits: number, upTo: number) {
    this.bits = bits;
    this.upTo = upTo;
    const n = Math.floor(upTo * 2 ** bits);
    this.lastCell = 2 * n + (n / 2 ** bits === upTo ? 0 : 1);
  }

  /** The same up to time 1, for reversed motions. */
  get whole(): MovingTrianglePairs {
    return (this.#whole ??= this.upTo === 1 ? this : new MovingTrianglePairs(this.bits, 1));
  }

  /** The interval of a cell. */
  intervalOf(cell: number): TimeInterval {
    const n = Math.floor(cell / 2);
    return { from: n / 2 ** this.bits, to: (n + (cell % 2)) / 2 ** this.bits };
  }

  /** The middle of a cell. */
  timeOf(cell: number): number {
    return cell / 2 / 2 ** this.bits;
  }

  /**
   * The cell (`Root.cell`) in which the triangles first meet: 0 if they meet at time 0, `never` if not in a cell up to `limit`, which
   * is at most `lastCell`. `p` has A at time 0, B at time 0, A at time 1 and B at time 1, nine numbers each.
   */
  firstCell(p: Float64Array, limit: number): number {
    this.stats.pairs++;
    for (let i = 0; i < 18; i++) start[i] = p[i];
    if (trianglesMeet(start)) return 0;
    let best = never;
    // The first to reach a cell is kept: corners of A, corners of B, edges.
    for (let feature = 0; feature < 15; feature++) {
      const kind = gather(p, feature);
      const least = Math.min(limit, best - 1);
      let cell = surelyFirstCell(kind, query, this.bits, least);
      // In a cell that ends after `upTo`, only the exact stage can tell before from after.
      if (cell === unsure || (cell === this.lastCell && cell % 2 === 1)) {
        this.stats.unsure++;
        const exactly = kind === 'vertex-face' ? vertexMeetsFace : edgeMeetsEdge;
        cell = exactly(query, this.bits, { upTo: this.upTo, limit: least });
      }
      if (cell > least) continue;
      best = cell;
      this.touch.kind = kind;
      this.touch.points.set(query);
    }
    return best;
  }
}

const start = new Float64Array(18);
const query = new Float64Array(24);

/** Writes a pair of features to `query`: 0 to 2 corners of A and B, 3 to 5 corners of B and A, 6 to 14 edges. */
function gather(p: Float64Array, feature: number): Kind {
  if (feature < 6) {
    // The corners of B follow those of A.
    const vertex = 3 * feature;
    const face = feature < 3 ? 9 : 0;
    copy(p, vertex, 0);
    for (let corner = 0; corner < 9; corner += 3) copy(p, face + corner, 3 + corner);
    return 'vertex-face';
  }
  const a = Math.floor((feature - 6) / 3);
  const b = (feature - 6) % 3;
  copy(p, 3 * a, 0);
  copy(p, a === 2 ? 0 : 3 * a + 3, 3);
  copy(p, 9 + 3 * b, 6);
  copy(p, b === 2 ? 9 : 12 + 3 * b, 9);
  return 'edge-edge';
}

function copy(p: Float64Array, from: number, to: number): void {
  for (let k = 0; k < 3; k++) {
    query[to + k] = p[from + k];
    query[12 + to + k] = p[18 + from + k];
  }
}
