// What is on the two sides of a triangle at a point of it, for each part of both bodies? Like probe.ts, but for many points of
// one triangle. The other triangles that a line along the axis may cross are collected once. The line in which the planes of two
// triangles meet says where the other one lies above and where below.

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
  /** Those of the parts that cut the facet, by their places among its groups. */
  readonly above: readonly number[];
  readonly below: readonly number[];
  /** The point, seen along the facet's axis. */
  readonly at: Spot;
}

/** Triangles of a body over the facet, and those that reach its height. */
interface Candidates {
  readonly triangles: Uint32Array;
  readonly corners: Float64Array;
  /** The place of the group of each, −1 if its part does not cut the facet. */
  readonly groups: Int32Array;
  /** The box of each, seen along the axis: the least coordinates along the next two axes, then the greatest. */
  readonly boxes: Float64Array;
  /** How each lies to the facet's plane, once that is needed. */
  readonly levels: Uint8Array;
}

// Levels: not known; up the axis from the facet's plane; in it; down from it; on both sides.
const unknown = 0;
const up = 1;
const inPlane = 2;
const down = 3;
const across = 4;

/** Where there are more, the engine is asked at every point. */
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
    // What lies lower than all of the facet is not counted.
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

  /** How triangle t of a body, which is probed, lies to the facet's plane. */
  #level(side: Side, t: number): number {
    const { axis, turn } = this.cut.facet;
    if (Math.min(probed[9 + axis], probed[12 + axis], probed[15 + axis]) > this.#high) return up;
    // Positive is below, which is down the axis if the facet's normal leads up.
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
   * Both sides of the facet at a point strictly inside it; undefined if the line through it meets an edge, or another triangle
   * that crosses the facet right there.
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
          : this.cut.crossingAt(probed, 9, spot);
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
                this.cut.heightAt(side, t, probed, 9, spot);
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
