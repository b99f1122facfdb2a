// Numbers for exact points: equal points get the same number, however they were computed. Corners of triangles are
// doubles. They are converted to integers only if they must be compared with a point that is not a double.

import { orient2dAt, type Sign } from '../../math/exact/orient.ts';
import { comparePoints, type Homogeneous, pointAt, samePoint, toDoubles } from '../../math/exact/rational.ts';
import { onSegment } from '../../math/triangles/triangle-contact.ts';

export class PointNumbers {
  /** Three correctly rounded coordinates per number. */
  #rounded = new Float64Array(3 * 64);
  /** Exact points by number. Undefined for a point whose coordinates are doubles, until it is needed. */
  readonly #exact: (Homogeneous | undefined)[] = [];
  /** Whether the rounded coordinates are known to be exact. */
  readonly #isDouble: boolean[] = [];
  /**
   * A hash table with chains: the first number per hash, and per number the next with the same hash. −1 ends a chain.
   */
  #first = new Int32Array(128).fill(-1);
  readonly #next: number[] = [];

  get count(): number {
    return this.#exact.length;
  }

  /** The rounded coordinates of a point. */
  coordinates(number: number): Float64Array {
    return this.#rounded.slice(3 * number, 3 * number + 3);
  }

  /** The number of the point at p[at…]. */
  ofDoubles(p: Float64Array, at: number): number {
    // −0 becomes 0.
    const [x, y, z] = [p[at] + 0, p[at + 1] + 0, p[at + 2] + 0];
    const hash = hashOf(x, y, z) & (this.#first.length - 1);
    for (let number = this.#first[hash]; number >= 0; number = this.#next[number]) {
      if (!this.#isAt(number, x, y, z)) continue;
      if (this.#isDouble[number] || samePoint(this.exact(number), pointAt(p, at))) return number;
    }
    return this.#add(x, y, z, undefined);
  }

  ofExact(point: Homogeneous): number {
    const [x, y, z] = toDoubles(point);
    const hash = hashOf(x, y, z) & (this.#first.length - 1);
    for (let number = this.#first[hash]; number >= 0; number = this.#next[number]) {
      if (this.#isAt(number, x, y, z) && samePoint(this.exact(number), point)) return number;
    }
    return this.#add(x, y, z, point);
  }

  exact(number: number): Homogeneous {
    return (this.#exact[number] ??= pointAt(this.#rounded, 3 * number));
  }

  /** Whether a point's coordinates are known to be doubles, so that the rounded coordinates are exact. */
  isDouble(number: number): boolean {
    return this.#isDouble[number];
  }

  /** The order by x, then y, then z. Rounding keeps the order, or makes coordinates equal. */
  compare(m: number, n: number): Sign {
    const rounded = this.#rounded;
    for (let axis = 0; axis < 3; axis++) {
      const [x, y] = [rounded[3 * m + axis], rounded[3 * n + axis]];
      if (x === y && !(this.#isDouble[m] && this.#isDouble[n])) {
        return comparePoints(this.exact(m), this.exact(n));
      }
      if (x !== y) return x < y ? -1 : 1;
    }
    return 0;
  }

  /** Whether a point lies on the segment between two others. */
  isBetween(number: number, from: number, to: number): boolean {
    if (!this.#mayLieBetween(number, from, to)) return false;
    const isDouble = this.#isDouble;
    if (isDouble[number] && isDouble[from] && isDouble[to]) {
      // The point lies in the segment's box: mayLieBetween compared the exact coordinates. Test collinearity along each
      // axis.
      const [x, u, v] = [3 * number, 3 * from, 3 * to];
      const p = this.#rounded;
      return (
        orient2dAt(p, u, v, x, 0, 1) === 0 &&
        orient2dAt(p, u, v, x, 1, 2) === 0 &&
        orient2dAt(p, u, v, x, 2, 0) === 0
      );
    }
    return onSegment(this.exact(from), this.exact(to), this.exact(number));
  }

  /** Whether a point lies in the box of a segment and near its line, judged by rounded coordinates. */
  #mayLieBetween(number: number, from: number, to: number): boolean {
    const p = this.#rounded;
    const [x, u, v] = [3 * number, 3 * from, 3 * to];
    for (let i = 0; i < 3; i++) {
      if (p[x + i] < p[u + i] && p[x + i] < p[v + i]) return false;
      if (p[x + i] > p[u + i] && p[x + i] > p[v + i]) return false;
    }
    for (let i = 0; i < 3; i++) {
      const j = i === 2 ? 0 : i + 1;
      const [di, dj] = [p[v + i] - p[u + i], p[v + j] - p[u + j]];
      const [left, right] = [(p[x + i] - p[u + i]) * dj, (p[x + j] - p[u + j]) * di];
      // Coordinates are off by 2^-53 of themselves, differences by twice that plus their own rounding.
      const size = Math.abs(p[u + i]) + Math.abs(p[v + i]) + Math.abs(p[u + j]) + Math.abs(p[v + j]);
      const length = Math.abs(di) + Math.abs(dj);
      if (Math.abs(left - right) > 2 ** -48 * size * (length + 2 ** -50 * size) + 2 ** -1000) return false;
    }
    return true;
  }

  #isAt(number: number, x: number, y: number, z: number): boolean {
    const [p, at] = [this.#rounded, 3 * number];
    return p[at] === x && p[at + 1] === y && p[at + 2] === z;
  }

  #add(x: number, y: number, z: number, exact: Homogeneous | undefined): number {
    const number = this.#exact.push(exact) - 1;
    if (3 * number === this.#rounded.length) {
      const larger = new Float64Array(2 * this.#rounded.length);
      larger.set(this.#rounded);
      this.#rounded = larger;
    }
    this.#rounded[3 * number] = x;
    this.#rounded[3 * number + 1] = y;
    this.#rounded[3 * number + 2] = z;
    this.#isDouble.push(exact === undefined);
    this.#next.push(-1);
    if (number >= this.#first.length) this.#rehash();
    else this.#link(number);
    return number;
  }

  #rehash(): void {
    this.#first = new Int32Array(4 * this.#first.length).fill(-1);
    for (let number = 0; number < this.count; number++) this.#link(number);
  }

  #link(number: number): void {
    const [p, at] = [this.#rounded, 3 * number];
    const hash = hashOf(p[at], p[at + 1], p[at + 2]) & (this.#first.length - 1);
    this.#next[number] = this.#first[hash];
    this.#first[hash] = number;
  }
}

const hashed = new Float64Array(3);
const hashedBits = new Int32Array(hashed.buffer);

function hashOf(x: number, y: number, z: number): number {
  hashed[0] = x;
  hashed[1] = y;
  hashed[2] = z;
  let hash = 0;
  for (let i = 0; i < 6; i++) hash = Math.imul(hash ^ hashedBits[i], 0x9e3779b1) ^ (hash >>> 15);
  return (hash ^ (hash >>> 16)) >>> 0;
}
