// Which triangles make up one polygon? Its fan, if that is right. If not, and the polygon is simple, the triangles of
// a sweep. If it only touches itself, as at the bridge to a hole, ears.
// Polygons need not be planar. They are projected along the axis nearest to their normal (Newell's sum), which drops
// a coordinate and rounds nothing, and every orientation is decided exactly. That alone makes a triangulation right:
// if n - 2 triangles all turn as the polygon does and together have the polygon as their border, they cover every
// point as often as the polygon winds around it. A simple polygon winds once around its inside and never around its
// outside.

import { sweepWithoutBridges } from './bridges.ts';
import { clipEars } from './ears.ts';
import { exactly, orient } from './orient.ts';
import { sweep } from './sweep.ts';

/**
 * Up to this many corners, ears are clipped first, because they give rounder triangles. For more, sweeps are much
 * faster.
 */
const mostClipped = 1024;

export class Triangulator {
  /** The projected corners of the current polygon, and per corner the corners before and after it. */
  x = new Float64Array(64);
  y = new Float64Array(64);
  before = new Uint32Array(64);
  after = new Uint32Array(64);
  count = 0;
  private readonly normal = new Float64Array(3);

  constructor(private readonly positions: ArrayLike<number>) {}

  /**
   * Corrects `fan`, the triangles (0, i, i + 1) of a polygon, if it is wrong. It stays as it is if the polygon
   * crosses itself or has no area, or if the search would take too long.
   */
  triangulate(fan: Uint32Array): 'done' | 'crossing' | 'tooLarge' {
    this.count = fan.length / 3 + 2;
    if (!this.findNormal(fan)) return 'crossing';
    // A polygon that is small in area compared with its size may have none along the first axis, whose sum is all
    // rounding.
    for (let tries = 0; tries < 3; tries++) {
      this.lookAlong(this.takeLargest(), fan);
      if (this.isFanRight()) return 'done';
      const sense = this.sense();
      if (sense === 0) continue;
      this.linkCorners(sense);
      const triangles = this.findTriangles(fan);
      if (typeof triangles === 'string') return triangles;
      const corners = new Uint32Array(this.count);
      for (let i = 0; i < this.count; i++) corners[i] = cornerOf(fan, i);
      // Counter-clockwise triangles; of a polygon that turns the other way if `sense` is -1.
      const [second, third] = sense > 0 ? [1, 2] : [2, 1];
      for (let i = 0; i < triangles.length; i += 3) {
        fan[i] = corners[triangles[i]];
        fan[i + 1] = corners[triangles[i + second]];
        fan[i + 2] = corners[triangles[i + third]];
      }
      return 'done';
    }
    return 'crossing';
  }

  private findTriangles(fan: Uint32Array): Uint32Array | 'crossing' | 'tooLarge' {
    const swept = sweep(this);
    if (swept !== 'touching') return swept;
    if (this.repeatsAnEdge(fan)) return 'crossing';
    if (this.count > mostClipped) return sweepWithoutBridges(this) ?? clipEars(this);
    const ears = clipEars(this);
    return ears === 'tooLarge' ? (sweepWithoutBridges(this) ?? ears) : ears;
  }

  /**
   * Newell's sum over the fan, from differences to the first corner, so that large coordinates do not drown it.
   * Writes the magnitudes to `normal`. False if a coordinate is not finite, or all corners are one point.
   */
  private findNormal(fan: Uint32Array): boolean {
    const { positions, normal } = this;
    const first = 3 * fan[0];
    const px = positions[first];
    const py = positions[first + 1];
    const pz = positions[first + 2];
    // In units of twice the largest difference nothing overflows, and only what is negligible beside it vanishes.
    let largest = 0;
    for (let i = 0; i < this.count; i++) {
      const at = 3 * cornerOf(fan, i);
      const dx = Math.abs(positions[at] / 2 - px / 2);
      const dy = Math.abs(positions[at + 1] / 2 - py / 2);
      const dz = Math.abs(positions[at + 2] / 2 - pz / 2);
      if (!(dx + dy + dz < Infinity)) return false;
      largest = Math.max(largest, dx, dy, dz);
    }
    if (largest === 0) return false;
    const scale = Math.min(1 / largest, 2 ** 1000);
    let sumX = 0;
    let sumY = 0;
    let sumZ = 0;
    for (let i = 0; i < fan.length; i += 3) {
      const b = 3 * fan[i + 1];
      const c = 3 * fan[i + 2];
      const bx = (positions[b] / 2 - px / 2) * scale;
      const by = (positions[b + 1] / 2 - py / 2) * scale;
      const bz = (positions[b + 2] / 2 - pz / 2) * scale;
      const cx = (positions[c] / 2 - px / 2) * scale;
      const cy = (positions[c + 1] / 2 - py / 2) * scale;
      const cz = (positions[c + 2] / 2 - pz / 2) * scale;
      sumX += by * cz - bz * cy;
      sumY += bz * cx - bx * cz;
      sumZ += bx * cy - by * cx;
    }
    normal[0] = Math.abs(sumX);
    normal[1] = Math.abs(sumY);
    normal[2] = Math.abs(sumZ);
    return true;
  }

  /** The axis along which the projection is largest, of those not tried yet. */
  private takeLargest(): number {
    const { normal } = this;
    const axis = normal[0] > normal[1] && normal[0] > normal[2] ? 0 : normal[1] > normal[2] ? 1 : 2;
    normal[axis] = -1;
    return axis;
  }

  /** Loads the corners without the coordinate along the axis. */
  private lookAlong(axis: number, fan: Uint32Array): void {
    const { positions, count } = this;
    if (count > this.x.length) {
      const size = 2 ** Math.ceil(Math.log2(count));
      this.x = new Float64Array(size);
      this.y = new Float64Array(size);
      this.before = new Uint32Array(size);
      this.after = new Uint32Array(size);
    }
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    for (let i = 0; i < count; i++) {
      const at = 3 * cornerOf(fan, i);
      this.x[i] = positions[at + u];
      this.y[i] = positions[at + v];
    }
  }

  /** Links the corners in counter-clockwise order. */
  private linkCorners(sense: number): void {
    const { count } = this;
    const [before, after] = sense > 0 ? [this.before, this.after] : [this.after, this.before];
    for (let i = 0; i < count; i++) {
      before[i] = i === 0 ? count - 1 : i - 1;
      after[i] = i + 1 === count ? 0 : i + 1;
    }
  }

  private orient(a: number, b: number, c: number): number {
    const { x, y } = this;
    return orient(x[a], y[a], x[b], y[b], x[c], y[c]);
  }

  /**
   * Whether no two triangles of the fan turn different ways, and together turn by less than a full turn around the
   * first corner. Every convex polygon keeps its fan, and so do others for which it is right.
   */
  private isFanRight(): boolean {
    const { x, y, count } = this;
    let turn = 0;
    let first = 0;
    let pastHalf = false;
    for (let i = 1; i + 1 < count; i++) {
      const sign = this.orient(0, i, i + 1);
      if (sign === 0) {
        // At the first corner, or past it, a polygon may continue in any direction.
        if (!isSameWay(x[i], x[0], x[i + 1]) || !isSameWay(y[i], y[0], y[i + 1])) return false;
        if (x[i] === x[0] && y[i] === y[0]) return false;
        continue;
      }
      if (turn === 0) {
        turn = sign;
        first = i;
      }
      if (sign !== turn) return false;
      // Beyond half a turn the corner lies on the other side of the first spoke; crossing back makes a full turn.
      if (count > 4 && i > first) {
        const side = this.orient(0, first, i + 1) * turn;
        if (side < 0) pastHalf = true;
        else if (pastHalf) return false;
      }
    }
    return turn !== 0;
  }

  /** Whether an edge is passed twice in the same direction, as when a polygon goes around more than once. */
  private repeatsAnEdge(fan: Uint32Array): boolean {
    const { count } = this;
    // Vertices as whole numbers from 0, so that an edge is one number that fits in a double.
    const vertices = Uint32Array.from({ length: count }, (_, i) => cornerOf(fan, i));
    const known = vertices.slice().sort();
    const rank = new Map<number, number>();
    for (const vertex of known) if (!rank.has(vertex)) rank.set(vertex, rank.size);
    if (rank.size === count) return false;
    const edges = Float64Array.from(vertices, (vertex, i) => {
      const next = vertices[i + 1 === count ? 0 : i + 1];
      return vertex === next ? -i - 1 : rank.get(vertex)! * rank.size + rank.get(next)!;
    }).sort();
    return edges.some((edge, i) => i > 0 && edge === edges[i - 1]);
  }

  /** The sense of the polygon: the sign of its area, 0 if it has none. */
  private sense(): number {
    const { x, y, count } = this;
    let area = 0;
    let size = 0;
    for (let i = 0; i < count; i++) {
      const next = i + 1 === count ? 0 : i + 1;
      const left = (x[i] - x[0]) * (y[next] - y[0]);
      const right = (x[next] - x[0]) * (y[i] - y[0]);
      area += left - right;
      size += Math.abs(left) + Math.abs(right);
    }
    // Each product is off by 3 roundings of itself, their difference by one more, and the sum by one rounding of
    // `size` per term: (count + 4) · 2^-53 · size in total. Twice that also covers the roundings of `size`.
    if (size > 1e-290 && Math.abs(area) > (count + 4) * 2 ** -52 * size && Number.isFinite(area)) {
      return Math.sign(area);
    }
    const values = exactly([...x.subarray(0, count), ...y.subarray(0, count)]);
    let exact = 0n;
    for (let i = 0; i < count; i++) {
      const next = i + 1 === count ? 0 : i + 1;
      exact += values[i] * values[count + next] - values[next] * values[count + i];
    }
    return exact > 0n ? 1 : exact < 0n ? -1 : 0;
  }
}

/** Whether two numbers do not lie on different sides of an origin. */
const isSameWay = (a: number, origin: number, b: number): boolean =>
  a < origin ? b <= origin : a === origin || b >= origin;

/** Corner i of the polygon of this fan. */
const cornerOf = (fan: Uint32Array, i: number): number => (i < 2 ? fan[i] : fan[3 * i - 4]);
