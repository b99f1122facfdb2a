// When do two triangles first share a point, if their corners move linearly? Exact: a separating direction in doubles, the exact
// test at time 0, then the first contact of their features. Two triangles that are apart at time 0 first meet where a corner of
// one reaches the other, or two edges reach each other: see contact.md.
//
// A direction n separates two triangles at all times if n · (b − a) > 0 for all corners a, b at time 0 and at time 1: it is linear
// in time. Corners are taken relative to the first corner of A at the same time, in doubles. Their products with n pass through 4
// roundings: the error is below 2^-50·Σ|nₖ|·mₖ, where m has the greatest magnitudes. Any n will do, exact or not.

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

export class TrianglePairs {
  readonly stats: PairStats = { pairs: 0, unsure: 0 };
  /** The features that gave the last cell. Overwritten by the next call. */
  readonly touch: Touch = { kind: 'vertex-face', points: new Float64Array(24) };
  readonly #bits: number;
  readonly #upTo: number;
  /** The last cell that has times up to `upTo`. */
  readonly lastCell: number;

  /** Times are told in cells of 2^-bits, up to `upTo`. */
  constructor(bits: number, upTo: number) {
    this.#bits = bits;
    this.#upTo = upTo;
    const n = Math.floor(upTo * 2 ** bits);
    this.lastCell = 2 * n + (n / 2 ** bits === upTo ? 0 : 1);
  }

  /** The interval of a cell. */
  intervalOf(cell: number): TimeInterval {
    const n = Math.floor(cell / 2);
    return { from: n / 2 ** this.#bits, to: (n + (cell % 2)) / 2 ** this.#bits };
  }

  /** The middle of a cell. */
  timeOf(cell: number): number {
    return cell / 2 / 2 ** this.#bits;
  }

  /**
   * The cell (`Root.cell`) in which the triangles first meet: 0 if they meet at time 0, `never` if not in a cell up to `limit`, which
   * is at most `lastCell`. `p` has A at time 0, B at time 0, A at time 1 and B at time 1, nine numbers each.
   */
  firstCell(p: Float64Array, limit: number): number {
    this.stats.pairs++;
    if (areSeparate(p)) return never;
    for (let i = 0; i < 18; i++) start[i] = p[i];
    if (trianglesMeet(start)) return 0;
    let best = never;
    // The first to reach a cell is kept: corners of A, corners of B, edges.
    for (let feature = 0; feature < 15; feature++) {
      const kind = gather(p, feature);
      const least = Math.min(limit, best - 1);
      let cell = surelyFirstCell(kind, query, this.#bits, least);
      // In a cell that ends after `upTo`, only the exact stage can tell before from after.
      if (cell === unsure || (cell === this.lastCell && cell % 2 === 1)) {
        this.stats.unsure++;
        const exactly = kind === 'vertex-face' ? vertexMeetsFace : edgeMeetsEdge;
        cell = exactly(query, this.#bits, { upTo: this.#upTo, limit: least });
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

/**
 * Corners 1 and 2 of A and all of B relative to corner 0 of A: five vectors at time 0, then at time 1, then the greatest
 * magnitudes of x, y and z. (Numbers in variables of a module would be allocated at every change.)
 */
const relative = new Float64Array(33);

/** Whether some direction certainly separates the triangles at all times. Directions along the axes are tried before. */
function areSeparate(p: Float64Array): boolean {
  const q = relative;
  for (let k = 0; k < 3; k++) {
    const first = p[k];
    const last = p[18 + k];
    q[k] = p[3 + k] - first;
    q[3 + k] = p[6 + k] - first;
    q[6 + k] = p[9 + k] - first;
    q[9 + k] = p[12 + k] - first;
    q[12 + k] = p[15 + k] - first;
    q[15 + k] = p[21 + k] - last;
    q[18 + k] = p[24 + k] - last;
    q[21 + k] = p[27 + k] - last;
    q[24 + k] = p[30 + k] - last;
    q[27 + k] = p[33 + k] - last;
    let size = Math.abs(q[k]);
    for (let at = 3 + k; at < 30; at += 3) size = Math.max(size, Math.abs(q[at]));
    q[30 + k] = size;
  }
  // The normal of each at time 0, and the directions across its edges within its plane.
  return (
    separateBy(q[0], q[1], q[2], q[3], q[4], q[5]) ||
    separateBy(q[9] - q[6], q[10] - q[7], q[11] - q[8], q[12] - q[6], q[13] - q[7], q[14] - q[8])
  );
}

/** Whether the normal of a triangle with these two edges, or a direction across an edge, separates. */
function separateBy(ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): boolean {
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  if (separates(nx, ny, nz)) return true;
  if (separates(ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux)) return true;
  if (separates(ny * vz - nz * vy, nz * vx - nx * vz, nx * vy - ny * vx)) return true;
  const wx = vx - ux;
  const wy = vy - uy;
  const wz = vz - uz;
  return separates(ny * wz - nz * wy, nz * wx - nx * wz, nx * wy - ny * wx);
}

/** Whether B is certainly beyond A along this direction, or against it, at both times. NaN proves nothing. */
function separates(nx: number, ny: number, nz: number): boolean {
  const q = relative;
  const size = Math.abs(nx) * q[30] + Math.abs(ny) * q[31] + Math.abs(nz) * q[32];
  const bound = 2 ** -50 * size + 2 ** -1000;
  let sign = 0;
  for (let at = 0; at < 30; at += 15) {
    const a1 = nx * q[at] + ny * q[at + 1] + nz * q[at + 2];
    const a2 = nx * q[at + 3] + ny * q[at + 4] + nz * q[at + 5];
    const b0 = nx * q[at + 6] + ny * q[at + 7] + nz * q[at + 8];
    const b1 = nx * q[at + 9] + ny * q[at + 10] + nz * q[at + 11];
    const b2 = nx * q[at + 12] + ny * q[at + 13] + nz * q[at + 14];
    const above = Math.min(b0, b1, b2) - Math.max(0, a1, a2);
    const below = Math.min(0, a1, a2) - Math.max(b0, b1, b2);
    if (above > 2 * bound && sign >= 0) sign = 1;
    else if (below > 2 * bound && sign <= 0) sign = -1;
    else return false;
  }
  return true;
}
