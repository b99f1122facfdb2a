// A few points that represent a contact. Its area, seen along the normal, is divided into four quarters about its
// middle, each with the centre of its area and the mean depth there. All are integrals, so they change little when the
// bodies move little, and not at all when triangles are divided; corners or deepest points would jump.
//
// Every piece of surface counts with its area as seen, whichever way it faces, A's and B's half each. So no sum that is
// used as a divisor can cancel, and a centre is a mean of points of the contact with positive weights: it lies among
// them. If each line along the normal crosses A's surface once and B's once, both have the same area in every quarter.
//
// A quarter's integrals are sums over the lines around the pieces of surface (Green): with x and y across the normal,
// ∫∫ f dx dy = ∮ F dy for F = ∫₀ˣ f. F vanishes on the line x = 0 and dy on y = 0, so the lines along which quarters
// are cut add nothing: it is enough to cut each line where it passes from one quarter to the next.

import { dot, normalOf, plus, type Vector } from '../math/vector.ts';
import { type Boundary, lineLength } from './overlap/region/boundary.ts';
import type { Region } from './overlap/region/regions.ts';

/** Unit vectors across the normal, and the point where x = y = height = 0. */
export interface Frame {
  readonly u: Vector;
  readonly v: Vector;
  readonly normal: Vector;
  readonly middle: Vector;
}

/**
 * A direction along which faces rarely lie, and two across it. Any choice of a frame for all normals breaks somewhere.
 */
const reference: Vector = [0.48, 0.6, 0.64];
const first: Vector = [0.8, 0, -0.6];
const second: Vector = [-0.36, 0.8, -0.48];

/**
 * Two unit vectors across a normal: `first` and `second`, rotated by the shortest rotation from `reference` to the
 * normal.
 */
export function acrossNormal(normal: Vector): { u: Vector; v: Vector } {
  const denominator = 1 + dot(normal, reference);
  if (denominator < 1e-6) return { u: first, v: [-second[0], -second[1], -second[2]] };
  const bisector = plus(normal, reference);
  const turned = (x: Vector): Vector => plus(x, bisector, -dot(normal, x) / denominator);
  return { u: turned(first), v: turned(second) };
}

// Sums over an area seen along the normal: of 1, x, y and heights; and the volume between A's surface and B's, which is
// the sum of heights where pieces that face along the normal count positive and those that face against it negative.
const sumCount = 5;

export interface Sums {
  readonly area: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly volume: number;
}

/** If a normal's component along the contact's is below this, the piece is upright: its area as seen is nothing. */
const upright = 1e-8;

/** Sums over the whole contact, or over its quarters, from lines and triangles added one by one. */
export class Manifold {
  readonly #frame: Frame;
  readonly #sums: Float64Array;
  readonly #quarters: boolean;
  /** The line to add: x and y of its ends, how often it counts; and the height of its plane: base, slopes. */
  readonly #line = new Float64Array(8);
  /** 1 if the current piece faces along the normal, −1 if it faces against it. */
  #facing = 1;

  constructor(frame: Frame, quarters: boolean) {
    this.#frame = frame;
    this.#quarters = quarters;
    this.#sums = new Float64Array(quarters ? 4 * sumCount : sumCount);
  }

  /** One, or four: for x > 0 and y > 0, x < 0 and y > 0, x < 0 and y < 0, x > 0 and y < 0. */
  get sums(): Sums[] {
    return Array.from({ length: this.#sums.length / sumCount }, (_, i) => {
      const [area, x, y, height, volume] = this.#sums.subarray(sumCount * i, sumCount * i + sumCount);
      return { area, x, y, height, volume };
    });
  }

  /** Adds the boundary of a region. */
  addRegion(
    region: Region,
    number: number,
    { parts, whole, elements, projected }: Boundary,
    regionOf: Int32Array,
  ): void {
    const lines = parts.lines.values;
    for (const element of region.elements) this.#project(elements, 3 * element, projected);
    for (const part of region.parts) {
      if (!this.#setPlane(parts.planes.values, 6 * part, parts.planes.values, 6 * part + 3)) continue;
      for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
        const line = lineLength * i;
        if (regionOf[lines[line]] !== number) continue;
        const from = 3 * lines[line];
        const to = 3 * lines[line + 1];
        // Corners of common faces are not elements of the region.
        if (part >= parts.commonFrom) {
          this.#project(elements, from, projected);
          this.#project(elements, to, projected);
        }
        this.#line[0] = projected[from];
        this.#line[1] = projected[from + 1];
        this.#line[2] = projected[to];
        this.#line[3] = projected[to + 1];
        this.#line[4] = lines[line + 2] / 4;
        this.#addLine();
      }
    }
    for (const i of region.whole) {
      this.#addTriangle(whole.corners.values, 9 * i);
    }
  }

  /** Adds a polygon in the plane of the middle. Corners run in either direction. */
  addPolygon(corners: readonly Vector[]): void {
    const { u, v, middle } = this.#frame;
    const flat = corners.map(corner => plus(corner, middle, -1)).map(p => [dot(p, u), dot(p, v)] as const);
    const next = (i: number): readonly [number, number] => flat[(i + 1) % flat.length];
    const twice = flat.reduce((sum, [x, y], i) => sum + x * next(i)[1] - y * next(i)[0], 0);
    this.#facing = 1;
    flat.forEach(([x, y], i) => {
      this.#line.set([x, y, ...next(i), twice < 0 ? -1 : 1, 0, 0, 0]);
      this.#addLine();
    });
  }

  /** Stores the plane through a corner with a unit normal as heights over x and y. Returns false if it is upright. */
  #setPlane(corners: Float64Array, corner: number, normals: Float64Array, normal: number): boolean {
    const { u, v, normal: up, middle } = this.#frame;
    const [nx, ny, nz] = [normals[normal], normals[normal + 1], normals[normal + 2]];
    const facing = nx * up[0] + ny * up[1] + nz * up[2];
    if (Math.abs(facing) < upright) return false;
    this.#facing = facing < 0 ? -1 : 1;
    const slopeX = -(nx * u[0] + ny * u[1] + nz * u[2]) / facing;
    const slopeY = -(nx * v[0] + ny * v[1] + nz * v[2]) / facing;
    const x = corners[corner] - middle[0];
    const y = corners[corner + 1] - middle[1];
    const z = corners[corner + 2] - middle[2];
    this.#line[5] =
      x * up[0] +
      y * up[1] +
      z * up[2] -
      slopeX * (x * u[0] + y * u[1] + z * u[2]) -
      slopeY * (x * v[0] + y * v[1] + z * v[2]);
    this.#line[6] = slopeX;
    this.#line[7] = slopeY;
    return true;
  }

  /** Writes x and y of the point at p[at…] to the same place of `projected`. */
  #project(p: Float64Array, at: number, projected: Float64Array): void {
    const { u, v, middle } = this.#frame;
    const x = p[at] - middle[0];
    const y = p[at + 1] - middle[1];
    const z = p[at + 2] - middle[2];
    projected[at] = x * u[0] + y * u[1] + z * u[2];
    projected[at + 1] = x * v[0] + y * v[1] + z * v[2];
  }

  /** Adds a whole triangle: at once if it lies in one quarter, else by its lines. */
  #addTriangle(p: Float64Array, at: number): void {
    const { u, v, normal: up, middle } = this.#frame;
    let [sumX, sumY, sumZ, positiveX, positiveY] = [0, 0, 0, 0, 0];
    const flat = triangle;
    for (let k = 0; k < 3; k++) {
      const x = p[at + 3 * k] - middle[0];
      const y = p[at + 3 * k + 1] - middle[1];
      const z = p[at + 3 * k + 2] - middle[2];
      flat[2 * k] = x * u[0] + y * u[1] + z * u[2];
      flat[2 * k + 1] = x * v[0] + y * v[1] + z * v[2];
      sumX += flat[2 * k];
      sumY += flat[2 * k + 1];
      sumZ += x * up[0] + y * up[1] + z * up[2];
      if (flat[2 * k] > 0) positiveX++;
      if (flat[2 * k + 1] > 0) positiveY++;
    }
    if (!this.#quarters || (positiveX % 3 === 0 && positiveY % 3 === 0)) {
      const twice = (flat[2] - flat[0]) * (flat[5] - flat[1]) - (flat[3] - flat[1]) * (flat[4] - flat[0]);
      const half = twice / 4;
      const area = Math.abs(half);
      const sums = this.#sums;
      const to = this.#quarters ? sumCount * quarterOf(sumX, sumY) : 0;
      sums[to] += area;
      sums[to + 1] += (area * sumX) / 3;
      sums[to + 2] += (area * sumY) / 3;
      sums[to + 3] += (area * sumZ) / 3;
      sums[to + 4] += (2 * half * sumZ) / 3;
      return;
    }
    normalOf(p, at, crossed);
    const size = Math.sqrt(crossed[0] ** 2 + crossed[1] ** 2 + crossed[2] ** 2);
    for (let axis = 0; axis < 3; axis++) crossed[axis] /= size;
    if (!(size > 0) || !this.#setPlane(p, at, crossed, 0)) return;
    this.#line[4] = 0.5;
    for (let k = 0; k < 6; k += 2) {
      const next = k === 4 ? 0 : k + 2;
      this.#line[0] = flat[k];
      this.#line[1] = flat[k + 1];
      this.#line[2] = flat[next];
      this.#line[3] = flat[next + 1];
      this.#addLine();
    }
  }

  /** Adds the line, cut where it passes from one quarter to the next. */
  #addLine(): void {
    if (!this.#quarters) {
      this.#addStretch(0, 0, 1);
      return;
    }
    // One by one, because destructuring a typed array goes through an iterator.
    const line = this.#line;
    const px = line[0];
    const py = line[1];
    const qx = line[2];
    const qy = line[3];
    if (px > 0 === qx > 0 && py > 0 === qy > 0) {
      this.#addStretch(sumCount * quarterOf(px, py), 0, 1);
      return;
    }
    // Where it passes x = 0 and y = 0; 1 if it does not.
    const atX = px > 0 === qx > 0 ? 1 : px / (px - qx);
    const atY = py > 0 === qy > 0 ? 1 : py / (py - qy);
    const [near, far] = atX < atY ? [atX, atY] : [atY, atX];
    this.#addIn(0, near);
    if (near < far) this.#addIn(near, far);
    if (far < 1) this.#addIn(far, 1);
  }

  #addIn(from: number, to: number): void {
    const line = this.#line;
    const middle = (from + to) / 2;
    const x = line[0] + middle * (line[2] - line[0]);
    const y = line[1] + middle * (line[3] - line[1]);
    this.#addStretch(sumCount * quarterOf(x, y), from, to);
  }

  /**
   * Adds ∫ F dy over the stretch of the line between two shares of it: F is quadratic, so Gauss's rule with two points
   * is exact.
   */
  #addStretch(at: number, from: number, to: number): void {
    const sums = this.#sums;
    const line = this.#line;
    const dx = line[2] - line[0];
    const dy = line[3] - line[1];
    const half = ((to - from) * dy * line[4] * this.#facing) / 2;
    const near = from + gauss * (to - from);
    const nearX = line[0] + near * dx;
    const nearY = line[1] + near * dy;
    const nearHeight = half * nearX * (line[5] + (line[6] * nearX) / 2 + line[7] * nearY);
    const far = from + (1 - gauss) * (to - from);
    const farX = line[0] + far * dx;
    const farY = line[1] + far * dy;
    const farHeight = half * farX * (line[5] + (line[6] * farX) / 2 + line[7] * farY);
    sums[at] = sums[at] + half * nearX + half * farX;
    sums[at + 1] = sums[at + 1] + (half * nearX * nearX) / 2 + (half * farX * farX) / 2;
    sums[at + 2] = sums[at + 2] + half * nearX * nearY + half * farX * farY;
    sums[at + 3] = sums[at + 3] + nearHeight + farHeight;
    sums[at + 4] = sums[at + 4] + 2 * this.#facing * nearHeight + 2 * this.#facing * farHeight;
  }
}

const triangle = new Float64Array(6);
const crossed = new Float64Array(3);
const gauss = 0.5 - Math.sqrt(3) / 6;
const quarterOf = (x: number, y: number): number => (y > 0 ? (x > 0 ? 0 : 1) : x > 0 ? 3 : 2);
