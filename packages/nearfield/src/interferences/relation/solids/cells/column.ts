// The winding numbers on the two sides of a triangle at a point of it, for each part of both bodies. Like probe.ts, but
// for many points of one triangle. The other triangles that a line along the axis may cross are collected once. For
// each of them, the line in which the two planes meet tells where the other triangle lies above and where below.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { cornersBox, placeCorners, worldBox } from '../../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../../bvh/cpu/walk/finder.ts';
import type { Side } from '../kinds.ts';
import { crossingAt, estimatedHeight, placeProbe, probedCorners as probed, type Sides } from '../probe.ts';
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
}

// Levels relative to the facet's plane: not known; up the axis; in the plane; down the axis; on both sides.
const unknown = 0;
const up = 1;
const inPlane = 2;
const down = 3;
const across = 4;

/** If there are more candidates, the engine is asked at every point instead. */
const mostCandidates = 400;

export class Column {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
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
    const { p, axis } = cut.facet;
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
    return { triangles, corners, groups, boxes, levels: new Uint8Array(triangles.length) };
  }

  /** The level of triangle t of a body, which is in the probe's scratch memory. */
  #level(side: Side, t: number): number {
    const { axis, turn } = this.cut.facet;
    if (Math.min(probed[9 + axis], probed[12 + axis], probed[15 + axis]) > this.#high) return up;
    // A positive sign means below, which is down the axis if the facet's normal points up.
    const h0 = this.cut.cornerSign(probed, side, t, 0, 9);
    const h1 = this.cut.cornerSign(probed, side, t, 1, 12);
    const h2 = this.cut.cornerSign(probed, side, t, 2, 15);
    const hasBelow = h0 > 0 || h1 > 0 || h2 > 0;
    const hasAbove = h0 < 0 || h1 < 0 || h2 < 0;
    if (hasBelow && hasAbove) return across;
    if (!hasBelow && !hasAbove) return inPlane;
    return hasAbove === turn > 0 ? up : down;
  }

  /**
   * The winding numbers on both sides of the facet at a point strictly inside it. Undefined if the line through the
   * point meets an edge, or another triangle that crosses the facet exactly there.
   */
  at(spot: Spot): CellSample | undefined {
    const { facet } = this.cut;
    const { axis } = facet;
    placeProbe(facet, spot.x, spot.y);
    const isDouble = spot.errorX === 0 && spot.errorY === 0;
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
        if (candidates) {
          const { boxes, levels, corners } = candidates;
          if (boxes[4 * i] > right || boxes[4 * i + 2] < left) continue;
          if (boxes[4 * i + 1] > over || boxes[4 * i + 3] < under) continue;
          if (levels[i] === down) continue;
          for (let k = 0; k < 9; k++) probed[9 + k] = corners[9 * i + k];
        } else placeCorners(this.#bodies[side], t, probed, 9);
        const crossing = isDouble
          ? crossingAt((axis + 1) % 3, (axis + 2) % 3)
          : this.cut.crossingAt(side, t, probed, 9, spot);
        if (crossing === 0) continue;
        if (crossing === undefined) return undefined;
        let level = candidates ? candidates.levels[i] : unknown;
        if (level === unknown) {
          level = this.#level(side, t);
          if (candidates) candidates.levels[i] = level;
        }
        if (level === down) continue;
        const height =
          level === up
            ? 1
            : level === inPlane
              ? 0
              : (isDouble && estimatedHeight(facet, spot.x, spot.y, this.#low, this.#high)) ||
                this.cut.heightAt(side, t, spot);
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
    return facet.turn > 0
      ? { sides: { above: far, below: near }, above: farOf, below: nearOf, at: spot }
      : { sides: { above: near, below: far }, above: nearOf, below: farOf, at: spot };
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
