// Which triangles of one body lie near a ray or in a box, by a linear search over all of them, for shapes that have no
// tree yet. Every vertex gets one bit per half-space that it lies in and that excludes the ray or box (Cohen and
// Sutherland's outcodes, in Newman and Sproull, Principles of Interactive Computer Graphics, 1973). If all corners of a
// triangle share a bit, the triangle is excluded.
//
// World positions equal those of `applyPose` to the bit, so they are compared with a box directly. For a ray o + s·d,
// let k be the largest axis of d and i another axis. On the ray,
//   u = (x_i − o_i) − (x_k − o_k)·d_i/d_k
// is 0. Within a slack of the ray it is at most 2·slack, since |d_i/d_k| ≤ 1. The computed u passes through six
// roundings: it is off by less than 2^-50·(|x_i − o_i| + |x_k − o_k|), plus 2^-1074 if it underflows. Nothing is
// concluded from NaN or infinity, since no comparison with them holds.

import type { Placed, Shape } from '../../../bodies/snapshot/snapshot.ts';
import { boxIsPlaced } from '../../../math/box.ts';
import type { Pose } from '../../../math/pose.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import type { Indices, Positions } from '../../../mesh/mesh.ts';

/**
 * How many linear searches a shape gets before a tree is built. At every size, a build takes as long as ten to fifteen
 * searches. So no shape costs much more than twice what the better way would.
 */
const searchesBeforeTree = 16;

const noise = 2 ** -49;

export class LinearSearch {
  readonly #searches = new WeakMap<Shape, { revision: number; count: number }>();
  #codes = new Uint8Array(1024);
  #found = new Uint32Array(256);

  /**
   * Counts a search of a shape in its current revision. False after enough searches, unless `always`, and for bodies
   * that building a tree refuses.
   */
  maySearch({ shape, pose }: Placed, always = false): boolean {
    const { revision, positions, mesh } = shape;
    if (!boxIsPlaced(pose, boundsOf(positions, mesh.indices))) return false;
    if (always) return true;
    const searches = this.#searches.get(shape);
    if (searches === undefined) this.#searches.set(shape, { revision, count: 1 });
    else if (searches.revision !== revision) {
      searches.revision = revision;
      searches.count = 1;
    } else if (searches.count >= searchesBeforeTree) return false;
    else searches.count++;
    return true;
  }

  /** Triangles whose boxes meet a box. Sorted. The next call overwrites it. */
  inBox({ shape, pose }: Placed, box: ArrayLike<number>): Uint32Array {
    const { positions, mesh } = shape;
    codesOfBox(pose, positions, box, this.#codesFor(positions));
    return this.#without(mesh.indices);
  }

  /** Triangles within `slack` of a ray, and maybe a few others. Sorted. The next call overwrites it. */
  onRay(
    { shape, pose }: Placed,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    slack: number,
  ): Uint32Array {
    const { positions, mesh } = shape;
    codesOfRay(pose, positions, origin, direction, slack, this.#codesFor(positions));
    return this.#without(mesh.indices);
  }

  #codesFor(positions: Positions): Uint8Array {
    const count = positions.length / 3;
    if (this.#codes.length < count) this.#codes = new Uint8Array(2 * count);
    return this.#codes;
  }

  /** Triangles whose corners share no bit. */
  #without(indices: Indices): Uint32Array {
    let count = collect(indices, this.#codes, this.#found);
    if (count > this.#found.length) {
      this.#found = new Uint32Array(2 * count);
      count = collect(indices, this.#codes, this.#found);
    }
    return this.#found.subarray(0, count);
  }
}

function codesOfBox(m: Pose, positions: Positions, box: ArrayLike<number>, codes: Uint8Array): void {
  const m0 = m[0];
  const m1 = m[1];
  const m2 = m[2];
  const m4 = m[4];
  const m5 = m[5];
  const m6 = m[6];
  const m8 = m[8];
  const m9 = m[9];
  const m10 = m[10];
  const m12 = m[12];
  const m13 = m[13];
  const m14 = m[14];
  const lowX = box[0];
  const lowY = box[1];
  const lowZ = box[2];
  const highX = box[3];
  const highY = box[4];
  const highZ = box[5];
  for (let v = 0, at = 0; at < positions.length; v++, at += 3) {
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    const worldX = m0 * x + m4 * y + m8 * z + m12;
    const worldY = m1 * x + m5 * y + m9 * z + m13;
    const worldZ = m2 * x + m6 * y + m10 * z + m14;
    codes[v] =
      (worldX < lowX ? 1 : worldX > highX ? 2 : 0) |
      (worldY < lowY ? 4 : worldY > highY ? 8 : 0) |
      (worldZ < lowZ ? 16 : worldZ > highZ ? 32 : 0);
  }
}

function codesOfRay(
  m: Pose,
  positions: Positions,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  slack: number,
  codes: Uint8Array,
): void {
  const [dx, dy, dz] = [Math.abs(direction[0]), Math.abs(direction[1]), Math.abs(direction[2])];
  const k = dx >= dy && dx >= dz ? 0 : dy >= dz ? 1 : 2;
  const i = k === 2 ? 0 : k + 1;
  const j = k === 0 ? 2 : k - 1;
  const slopeI = direction[i] / direction[k];
  const slopeJ = direction[j] / direction[k];
  const sign = direction[k] < 0 ? -1 : 1;
  const ki = m[i];
  const kj = m[j];
  const kk = m[k];
  const li = m[4 + i];
  const lj = m[4 + j];
  const lk = m[4 + k];
  const ni = m[8 + i];
  const nj = m[8 + j];
  const nk = m[8 + k];
  const ti = m[12 + i];
  const tj = m[12 + j];
  const tk = m[12 + k];
  const originI = origin[i];
  const originJ = origin[j];
  const originK = origin[k];
  const beside = 2.001 * slack + Number.MIN_VALUE;
  for (let v = 0, at = 0; at < positions.length; v++, at += 3) {
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    const a = kk * x + lk * y + nk * z + tk - originK;
    const b = ki * x + li * y + ni * z + ti - originI;
    const c = kj * x + lj * y + nj * z + tj - originJ;
    const along = noise * Math.abs(a) + beside;
    const offB = b - a * slopeI;
    const offC = c - a * slopeJ;
    const mostB = noise * Math.abs(b) + along;
    const mostC = noise * Math.abs(c) + along;
    codes[v] =
      (offB < -mostB ? 1 : offB > mostB ? 2 : 0) |
      (offC < -mostC ? 4 : offC > mostC ? 8 : 0) |
      (sign * a < -along ? 16 : 0);
  }
}

/** The number of triangles whose corners share no bit. As many as fit are written to `found`. */
function collect(indices: Indices, codes: Uint8Array, found: Uint32Array): number {
  let count = 0;
  for (let t = 0, at = 0; at < indices.length; t++, at += 3) {
    if ((codes[indices[at]] & codes[indices[at + 1]] & codes[indices[at + 2]]) !== 0) continue;
    if (count < found.length) found[count] = t;
    count++;
  }
  return count;
}
