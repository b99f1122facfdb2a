// What is on the two sides of a triangle at a point of it, for each part of both bodies? Like probe.ts, but for many points of
// one triangle. The other triangles that a line along the axis may cross are collected once. The line in which the planes of two
// triangles meet says where the other one lies above and where below.

import { cornersBox, placeCorners, type TriangleFinder, worldBox } from '../../contact/world.ts';
import type { Placed } from '../../engine.ts';
import type { CutFacet } from './cells.ts';
import type { Spot } from './flat-view.ts';
import type { Side } from './kinds.ts';
import type { Parts } from './parts.ts';
import { crossingAt, estimatedHeight, placeProbe, probedCorners, type Sides } from './probe.ts';

/** Winding numbers of parts that are not 0, above and below, by part, for each body. */
export type PartWindings = readonly [Map<number, [number, number]>, Map<number, [number, number]>];

/** The winding numbers on both sides of a facet at one point of it. */
export interface CellSample {
  readonly sides: Sides;
  readonly parts: PartWindings;
  /** The point, seen along the facet's axis. */
  readonly at: Spot;
}

/** Triangles of a body over or under the facet. */
interface Candidates {
  readonly triangles: Uint32Array;
  readonly corners: Float64Array;
  /** The box of each, seen along the axis: the least coordinates along the next two axes, then the greatest. */
  readonly boxes: Float64Array;
}

/** Where there are more, the engine is asked at every point. */
const mostCandidates = 400;

export class Column {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  readonly #parts: readonly [Parts, Parts];
  readonly #low: number;
  readonly #high: number;
  readonly #candidates: (Candidates | undefined)[];

  constructor(
    engine: TriangleFinder,
    bodies: readonly [Placed, Placed],
    parts: readonly [Parts, Parts],
    readonly cut: CutFacet,
  ) {
    this.#engine = engine;
    this.#bodies = bodies;
    this.#parts = parts;
    const { p, axis } = cut.facet;
    this.#low = Math.min(p[axis], p[axis + 3], p[axis + 6]);
    this.#high = Math.max(p[axis], p[axis + 3], p[axis + 6]);
    this.#candidates = bodies.map(body => this.#collect(body));
  }

  #collect(body: Placed): Candidates | undefined {
    const { p, axis } = this.cut.facet;
    const box = cornersBox(p, 0);
    const whole = worldBox(body);
    box[axis] = Math.min(this.#low, whole[axis]);
    box[axis + 3] = Math.max(this.#high, whole[axis + 3]);
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
    return { triangles, corners, boxes };
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
    const parts: PartWindings = [new Map(), new Map()];
    const far: [number, number] = [0, 0];
    const near: [number, number] = [0, 0];
    for (const side of [0, 1] as const) {
      const candidates = this.#candidates[side];
      const triangles = candidates?.triangles ?? this.#onLine(side, spot);
      const { partOf } = this.#parts[side];
      for (let i = 0; i < triangles.length; i++) {
        const t = triangles[i];
        if (candidates) {
          const { boxes } = candidates;
          if (boxes[4 * i] > right || boxes[4 * i + 2] < left) continue;
          if (boxes[4 * i + 1] > over || boxes[4 * i + 3] < under) continue;
          for (let k = 0; k < 9; k++) probedCorners[9 + k] = candidates.corners[9 * i + k];
        } else placeCorners(this.#bodies[side], t, probedCorners, 9);
        const crossing = isDouble
          ? crossingAt((axis + 1) % 3, (axis + 2) % 3)
          : this.cut.crossingAt(probedCorners, 9, spot);
        if (crossing === 0) continue;
        if (crossing === undefined) return undefined;
        const height =
          (isDouble && estimatedHeight(facet, spot.x, spot.y, this.#low, this.#high)) ||
          this.cut.heightAt(side, t, probedCorners, 9, spot);
        if (height === undefined) return undefined;
        if (height < 0) continue;
        // Up the axis: beyond the facet, or in its plane.
        near[side] += crossing;
        if (height > 0) far[side] += crossing;
        const part = parts[side].get(partOf[t]);
        if (part) {
          part[1] += crossing;
          if (height > 0) part[0] += crossing;
        } else parts[side].set(partOf[t], height > 0 ? [crossing, crossing] : [0, crossing]);
      }
    }
    if (facet.turn > 0) return { sides: { above: far, below: near }, parts, at: spot };
    for (const ofBody of parts) for (const part of ofBody.values()) part.reverse();
    return { sides: { above: near, below: far }, parts, at: spot };
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
