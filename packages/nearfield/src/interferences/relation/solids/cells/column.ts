// The winding numbers on the two sides of a triangle at a point of it, for each part of both bodies. Like probe.ts, but
// for many points of one triangle. The other triangles that a line along the axis may cross are collected once. For
// each of them, its sides and its plane have values at the facet's corners (flat-view.ts), which tell where a line along
// the axis crosses it, and where it lies above and where below.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, worldBox } from '../../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../../bvh/cpu/walk/finder.ts';
import type { Sign } from '../../../../math/exact/orient.ts';
import type { Side } from '../kinds.ts';
import type { Sides } from '../probe.ts';
import type { CutFacet } from './cut-facet.ts';
import type { Spot } from './flat-view.ts';

/** The winding numbers on both sides of a facet at one point of it. */
export interface CellSample {
  readonly sides: Sides;
  /** Winding numbers of the parts that cut the facet, by the index of their group. */
  readonly above: readonly number[];
  readonly below: readonly number[];
  /** The point, projected along the facet's axis. */
  readonly at: Spot;
}

/** Triangles of a body over the facet, including those that reach its height. */
interface Candidates {
  readonly triangles: Uint32Array;
  readonly corners: Float64Array;
  /** Per triangle, the index of its group, or −1 if its part does not cut the facet. */
  readonly groups: Int32Array;
  /** Per triangle, its box projected along the axis: minimum along the next two axes, then maximum. */
  readonly boxes: Float64Array;
  /** Per triangle, its level relative to the facet's plane, computed when first needed. */
  readonly levels: Uint8Array;
  /** Per triangle, the values of its sides at the facet's corners, and whether they have been computed. */
  readonly sides: Float64Array;
  readonly hasSides: Uint8Array;
}

// Levels relative to the facet's plane: not known; up the axis; in the plane; down the axis; on both sides.
const unknown = 0;
const up = 1;
const inPlane = 2;
const down = 3;
const across = 4;

/** Scratch memory: the facet's corners at 0, those of another triangle at 9. */
const probed = new Float64Array(18);

/** Numbers per triangle: three sides with three values and their errors. And scratch memory for one triangle. */
const sideNumbers = 18;
const probedSides = new Float64Array(sideNumbers);

/** If there are more candidates, the engine is asked at every point instead. */
const mostCandidates = 400;

export class Column {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  /** The facet's turn, and the range of its corners along the axis. */
  readonly #turn: Sign;
  readonly #low: number;
  readonly #high: number;
  readonly #candidates: (Candidates | undefined)[];

  constructor(
    engine: TriangleFinder,
    bodies: readonly [Placed, Placed],
    readonly cut: CutFacet,
  ) {
    this.#engine = engine;
    this.#bodies = bodies;
    const { p, axis, turn } = cut.facet;
    this.#turn = turn;
    this.#low = Math.min(p[axis], p[axis + 3], p[axis + 6]);
    this.#high = Math.max(p[axis], p[axis + 3], p[axis + 6]);
    this.#candidates = [this.#collect(0), this.#collect(1)];
  }

  #collect(side: Side): Candidates | undefined {
    const body = this.#bodies[side];
    const { p, axis } = this.cut.facet;
    const box = cornersBox(p, 0);
    // Triangles entirely below the facet are not counted.
    box[axis + 3] = Math.max(this.#high, worldBox(body)[axis + 3]);
    const triangles = this.#engine.trianglesInBox(body, box).slice();
    if (triangles.length > mostCandidates) return undefined;
    const corners = new Float64Array(9 * triangles.length);
    const boxes = new Float64Array(4 * triangles.length);
    for (let i = 0; i < triangles.length; i++) {
      placeCorners(body, triangles[i], corners, 9 * i);
      for (let k = 0; k < 2; k++) {
        const at = 9 * i + ((axis + 1 + k) % 3);
        boxes[4 * i + k] = Math.min(corners[at], corners[at + 3], corners[at + 6]);
        boxes[4 * i + 2 + k] = Math.max(corners[at], corners[at + 3], corners[at + 6]);
      }
    }
    const groups = Int32Array.from(triangles, t => this.cut.groupOf(side, t));
    const sides = new Float64Array(sideNumbers * triangles.length);
    const [levels, hasSides] = [new Uint8Array(triangles.length), new Uint8Array(triangles.length)];
    return { triangles, corners, groups, boxes, levels, sides, hasSides };
  }

  /** The level of triangle t of a body, whose corners are q[at…]. */
  #level(side: Side, t: number, q: Float64Array, at: number): number {
    const { p, axis } = this.cut.facet;
    if (Math.min(q[at + axis], q[at + 3 + axis], q[at + 6 + axis]) > this.#high) return up;
    for (let k = 0; k < 9; k++) {
      probed[k] = p[k];
      probed[9 + k] = q[at + k];
    }
    // A positive sign means below, which is down the axis if the facet's normal points up.
    const h0 = this.cut.cornerSign(probed, side, t, 0, 9);
    const h1 = this.cut.cornerSign(probed, side, t, 1, 12);
    const h2 = this.cut.cornerSign(probed, side, t, 2, 15);
    const hasBelow = h0 > 0 || h1 > 0 || h2 > 0;
    const hasAbove = h0 < 0 || h1 < 0 || h2 < 0;
    if (hasBelow && hasAbove) return across;
    if (!hasBelow && !hasAbove) return inPlane;
    return hasAbove === this.#turn > 0 ? up : down;
  }

  /**
   * The winding numbers on both sides of the facet at a point strictly inside it. Undefined if the line through the
   * point meets an edge, or another triangle that crosses the facet exactly there.
   */
  at(spot: Spot): CellSample | undefined {
    const [left, right] = [spot.x - spot.errorX, spot.x + spot.errorX];
    const [under, over] = [spot.y - spot.errorY, spot.y + spot.errorY];
    const groupCount = this.cut.groups.length;
    const farOf: number[] = [];
    const nearOf: number[] = [];
    for (let group = 0; group < groupCount; group++) {
      farOf.push(0);
      nearOf.push(0);
    }
    const far: [number, number] = [0, 0];
    const near: [number, number] = [0, 0];
    for (const side of [0, 1] as const) {
      const candidates = this.#candidates[side];
      const triangles = candidates?.triangles ?? this.#onLine(side, spot);
      for (let i = 0; i < triangles.length; i++) {
        const t = triangles[i];
        // One by one: an array of them would be allocated per triangle.
        let q: Float64Array = probed;
        let first = 9;
        let sides: Float64Array = probedSides;
        let at = 0;
        let level = unknown;
        if (candidates) {
          const { boxes, levels, corners, hasSides } = candidates;
          if (boxes[4 * i] > right || boxes[4 * i + 2] < left) continue;
          if (boxes[4 * i + 1] > over || boxes[4 * i + 3] < under) continue;
          level = levels[i];
          if (level === down) continue;
          q = corners;
          first = 9 * i;
          sides = candidates.sides;
          at = sideNumbers * i;
          if (hasSides[i] === 0) this.cut.sideValues(side, t, q, first, sides, at);
          hasSides[i] = 1;
        } else {
          placeCorners(this.#bodies[side], t, q, first);
          this.cut.sideValues(side, t, q, first, sides, at);
        }
        const crossing = this.#crossing(side, t, sides, at, spot);
        if (crossing === 0) continue;
        if (crossing === undefined) return undefined;
        if (level === unknown) {
          level = this.#level(side, t, q, first);
          if (candidates) candidates.levels[i] = level;
        }
        if (level === down) continue;
        const height =
          level === up ? 1 : level === inPlane ? 0 : this.cut.heightAt(side, t, q, first, spot, crossing);
        if (height === undefined) return undefined;
        if (height < 0) continue;
        // Up the axis: beyond the facet, or in its plane.
        near[side] += crossing;
        if (height > 0) far[side] += crossing;
        const group = candidates ? candidates.groups[i] : this.cut.groupOf(side, t);
        if (group < 0) continue;
        nearOf[group] += crossing;
        if (height > 0) farOf[group] += crossing;
      }
    }
    return this.#turn > 0
      ? { sides: { above: far, below: near }, above: farOf, below: nearOf, at: spot }
      : { sides: { above: near, below: far }, above: nearOf, below: farOf, at: spot };
  }

  /**
   * Whether the line along the axis through a point crosses a triangle with its normal (1), against it (−1), not at all
   * (0), or meets its edges (undefined). A triangle that projects to a point bounds nothing and can be ignored: if a line
   * meets it, the corners of its neighbours show that.
   */
  #crossing(side: Side, t: number, sides: Float64Array, at: number, spot: Spot): Sign | undefined {
    if (sides[at + 3] === 0 && sides[at + 9] === 0) return 0;
    const s0 = this.cut.turnAt(sides, at, side, t, 0, spot);
    const s1 = this.cut.turnAt(sides, at + 6, side, t, 1, spot);
    if (s0 * s1 < 0) return 0;
    const s2 = this.cut.turnAt(sides, at + 12, side, t, 2, spot);
    if (s0 * s2 < 0 || s1 * s2 < 0) return 0;
    return s0 === 0 || s1 === 0 || s2 === 0 ? undefined : s0;
  }

  #onLine(side: Side, { x, y, errorX, errorY }: Spot): Uint32Array {
    const { axis } = this.cut.facet;
    const [origin, direction] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    origin[(axis + 1) % 3] = x;
    origin[(axis + 2) % 3] = y;
    origin[axis] = this.#low;
    direction[axis] = 1;
    return this.#engine.trianglesOnRay(this.#bodies[side], origin, direction, Math.max(errorX, errorY));
  }
}
