// Is a polygon simple, and which triangles make it up? One sweep from left to right answers both exactly in O(n log
// n) steps. No two edges meet if no two that are ever neighbours along the sweep line meet (Shamos and Hoey 1976,
// "Geometric intersection problems"). Diagonals to where borders split and join leave monotone polygons (Lee and
// Preparata 1977; de Berg et al., "Computational Geometry", 3.2), which are triangulated as they grow.
// Corners are ordered by x, and those of equal x by y. That is the order of x + εy for a small enough ε. Shearing by
// ε changes no area, so every turn keeps its sign, and no edge is vertical. "Left" and "above" refer to the sheared
// plane.

import { EdgeOrder, none } from './edge-order.ts';
import { type Border, lower, Monotone, upper } from './monotone.ts';
import { orient } from './orient.ts';

/**
 * Corners that go counter-clockwise around the inside, and clockwise around holes. `before` and `after` are the
 * neighbours of each. Edge i goes from corner i to `after[i]`.
 */
export interface Loop {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly count: number;
  readonly before: Uint32Array;
  readonly after: Uint32Array;
}

/**
 * Triangles by corner, counter-clockwise; or the reason why the polygon is not simple, as far as the sweep came:
 * 'crossing' if an edge passes through the interior of another, 'touching' if edges share a point otherwise. A
 * polygon with holes has two more triangles per hole.
 */
export function sweep(loop: Loop, triangleCount = loop.count - 2): Uint32Array | 'crossing' | 'touching' {
  return new Sweep(loop, triangleCount).run();
}

/**
 * The inside between an edge and the next above it. Its corners so far belong to one monotone polygon. If two borders
 * joined at the last corner, they belong to two polygons, which the next corner separates or finishes.
 */
interface Interval {
  low: Monotone;
  high: Monotone;
}

class Sweep {
  private readonly order: EdgeOrder;
  /** Intervals by the edge below. */
  private readonly intervals: (Interval | undefined)[];
  private readonly triangles: Uint32Array;
  private written = 0;
  private problem: 'crossing' | 'touching' | undefined;

  constructor(
    private readonly loop: Loop,
    triangleCount: number,
  ) {
    this.order = new EdgeOrder(loop.count);
    this.intervals = new Array(loop.count);
    this.triangles = new Uint32Array(3 * triangleCount);
  }

  run(): Uint32Array | 'crossing' | 'touching' {
    const { x, y, count, before, after } = this.loop;
    const corners = Uint32Array.from({ length: count }, (_, i) => i).sort(
      (a, b) => x[a] - x[b] || y[a] - y[b],
    );
    const rank = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const [a, b] = [corners[i], corners[i - 1]];
      if (i > 0 && x[a] === x[b] && y[a] === y[b]) return 'touching';
      rank[a] = i;
    }
    for (const corner of corners) {
      const fromLeft = rank[before[corner]] < rank[corner];
      const toLeft = rank[after[corner]] < rank[corner];
      if (fromLeft && toLeft) this.close(corner);
      else if (fromLeft) this.goOnBelow(corner);
      else if (toLeft) this.goOnAbove(corner);
      else this.open(corner);
      if (this.problem !== undefined) return this.problem;
    }
    return this.written === this.triangles.length ? this.triangles : 'touching';
  }

  turn(a: number, b: number, c: number): number {
    const { x, y } = this.loop;
    return orient(x[a], y[a], x[b], y[b], x[c], y[c]);
  }

  push(a: number, b: number, c: number): void {
    this.triangles[this.written++] = a;
    this.triangles[this.written++] = b;
    this.triangles[this.written++] = c;
  }

  /** Edges that go right have the inside above them, because the loop is counter-clockwise. */
  private intervalAbove(edge: number): Interval | undefined {
    const interval = edge === none ? undefined : this.intervals[edge];
    // The loop goes clockwise around a part of the plane: it is not simple.
    if (interval === undefined) this.problem = 'touching';
    return interval;
  }

  /** Both edges begin here: the inside begins, or an interval splits around the outside. */
  private open(corner: number): void {
    const { loop, order, intervals } = this;
    const bend = this.turn(loop.before[corner], corner, loop.after[corner]);
    const below = order.highestBelow(edge => this.sideOf(corner, edge));
    if (bend === 0 || below === undefined) {
      this.problem = 'touching';
      return;
    }
    // The incoming edge has the inside below it, the outgoing edge above it.
    const [first, second] = bend > 0 ? [corner, loop.before[corner]] : [loop.before[corner], corner];
    if (bend > 0) {
      const polygon = new Monotone(corner, this);
      intervals[corner] = { low: polygon, high: polygon };
    } else {
      const interval = this.intervalAbove(below);
      if (interval === undefined) return;
      const { low, high } = this.split(interval, corner);
      intervals[below] = { low, high: low };
      intervals[corner] = { low: high, high };
    }
    order.insertAbove(first, below);
    order.insertAbove(second, first);
    this.compare(below, first);
    this.compare(second, order.above(second));
  }

  /** A diagonal from the last corner of the interval to this one leaves a monotone polygon on either side. */
  private split({ low, high }: Interval, corner: number): Interval {
    if (low !== high) {
      low.add(corner, upper);
      high.add(corner, lower);
      return { low, high };
    }
    const { last, side } = low;
    const other = new Monotone(last, this);
    low.add(corner, side);
    other.add(corner, side === upper ? lower : upper);
    return side === upper ? { low, high: other } : { low: other, high: low };
  }

  /** Both edges end here: the inside ends, or two intervals join behind the outside. */
  private close(corner: number): void {
    const { loop, order } = this;
    const [lowerEdge, upperEdge] = [loop.before[corner], corner];
    const bend = this.turn(lowerEdge, corner, loop.after[corner]);
    if (bend === 0) {
      this.problem = 'touching';
      return;
    }
    const own = this.intervalAbove(lowerEdge);
    if (own === undefined) return;
    const [first, second] = bend > 0 ? [lowerEdge, upperEdge] : [upperEdge, lowerEdge];
    const [below, above] = [order.below(first), order.above(second)];
    if (bend > 0) {
      own.low.finish(corner);
      if (own.high !== own.low) own.high.finish(corner);
    } else {
      const other = this.intervalAbove(below);
      if (other === undefined) return;
      this.grow(other, corner, upper);
      this.grow(own, corner, lower);
      other.high = own.low;
    }
    this.intervals[lowerEdge] = undefined;
    order.remove(first);
    order.remove(second);
    if (below !== none && above !== none) this.compare(below, above);
  }

  /** The lower border of an interval continues. */
  private goOnBelow(corner: number): void {
    const ended = this.loop.before[corner];
    const interval = this.intervalAbove(ended);
    if (interval === undefined) return;
    this.grow(interval, corner, lower);
    this.intervals[ended] = undefined;
    this.intervals[corner] = interval;
    this.goOn(ended, corner);
  }

  /** The upper border continues: the loop runs to the left there. */
  private goOnAbove(corner: number): void {
    const interval = this.intervalAbove(this.order.below(corner));
    if (interval === undefined) return;
    this.grow(interval, corner, upper);
    this.goOn(corner, this.loop.before[corner]);
  }

  private goOn(ended: number, begun: number): void {
    const { order } = this;
    order.replace(ended, begun);
    this.compare(order.below(begun), begun);
    this.compare(begun, order.above(begun));
  }

  /**
   * Adds a corner of a border. If two borders joined before it, a diagonal to that corner finishes the polygon on its
   * side.
   */
  private grow(interval: Interval, corner: number, side: Border): void {
    if (interval.low !== interval.high) {
      (side === lower ? interval.low : interval.high).finish(corner);
      if (side === lower) interval.low = interval.high;
      else interval.high = interval.low;
    }
    interval.low.add(corner, side);
  }

  /** 1 if a corner lies above an edge that the sweep line crosses. */
  private sideOf(corner: number, edge: number): number {
    const { after } = this.loop;
    const turn = this.turn(edge, after[edge], corner);
    return this.goesRight(edge) ? turn : -turn;
  }

  private goesRight(edge: number): boolean {
    const { x, y, after } = this.loop;
    const end = after[edge];
    return x[edge] < x[end] || (x[edge] === x[end] && y[edge] < y[end]);
  }

  /** Records if two edges that the sweep line crosses share a point that is not a corner of both. */
  private compare(e: number, f: number): void {
    if (e === none || f === none) return;
    const [a, b, c, d] = [e, this.loop.after[e], f, this.loop.after[f]];
    if (b === c || d === a) return;
    const sides = this.turn(a, b, c) * this.turn(a, b, d);
    if (sides > 0) return;
    const otherSides = this.turn(c, d, a) * this.turn(c, d, b);
    if (otherSides > 0) return;
    // For edges on one line both products are 0. They overlap, since the sweep line crosses both.
    this.problem = sides < 0 && otherSides < 0 ? 'crossing' : 'touching';
  }
}
