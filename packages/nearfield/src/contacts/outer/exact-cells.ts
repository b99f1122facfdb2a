// Into which convex cells do other triangles of a body cut one of its triangles? Decided exactly: the triangle is cut
// by the segments in which others meet its plane, one after the other. A cell is split along a segment's whole line,
// but only if the segment itself passes through the inside of the cell. Corners of cells are intersections of three of
// the planes that the input spans, so that the integers do not grow with the number of cuts.
//
// All cells are computed, with exact corners in space, because a mesh is made of them. Relations need less: they cut
// only until they know enough, and in the plane of the triangle (interferences/relation/solids/cells/cell.ts).

import {
  boxAround,
  compareNear,
  longestAxis,
  type Near,
  nearDoubles,
} from '../../interferences/curves/near.ts';
import type { Facet } from '../../interferences/relation/solids/facet.ts';
import { type Box, boxesMeet } from '../../math/box.ts';
import { orient2dAt, orient3dAt, type Sign } from '../../math/exact/orient.ts';
import {
  compareAlong,
  type Homogeneous,
  linePlane,
  type Plane,
  planeThrough,
  pointAt,
  sideOf,
} from '../../math/exact/rational.ts';
import { unitDirections } from '../../math/triangles/triangle-contact.ts';

/** A segment in the plane of a triangle, and a plane through it that crosses the triangle's. */
export interface Cut {
  readonly plane: Plane;
  readonly from: Homogeneous;
  readonly to: Homogeneous;
  /** Approximate ends in doubles. */
  readonly near: readonly [Near, Near];
  /** A box around the segment. */
  readonly box: Box;
}

/** A convex polygon in the plane of a triangle. */
export interface Cell {
  readonly corners: readonly Homogeneous[];
  /** planes[i] holds the side from corner i to corner i + 1 and crosses the plane of the triangle in it. */
  readonly planes: readonly Plane[];
  /** Approximate corners in doubles. */
  readonly near: readonly Near[];
  /** A box around the cell. */
  readonly box: Box;
}

const cellOf = (part: Omit<Cell, 'box'>): Cell => ({ ...part, box: boxAround(part.near) });

const pair = new Float64Array(18);

/** The uncut triangle as a cell. */
export function wholeCell({ corners, along, p }: Facet): Cell {
  const planes = corners.map((corner, i) => planeThrough(corner, corners[(i + 1) % 3], along));
  return cellOf({ corners, planes, near: [0, 3, 6].map(i => [p[i], p[i + 1], p[i + 2]]) });
}

/**
 * Appends to `cuts` the segments in which the triangle at q[0…] may cut the inside of the facet. Triangles that stay on
 * one side of the facet's plane, or have the facet on one side of theirs, are ruled out by signs of doubles. Degenerate
 * triangles have no area and separate nothing: they do not cut.
 */
export function findCuts(facet: Facet, q: Float64Array, cuts: Cut[]): void {
  pair.set(facet.p);
  pair.set(q, 9);
  const h0 = orient3dAt(pair, 0, 3, 6, 9);
  const h1 = orient3dAt(pair, 0, 3, 6, 12);
  const h2 = orient3dAt(pair, 0, 3, 6, 15);
  if (h0 === 0 && h1 === 0 && h2 === 0) {
    findCoplanarCuts(facet, q, cuts);
    return;
  }
  if (h0 !== 0 && h0 === h1 && h1 === h2) return;
  const g0 = orient3dAt(pair, 9, 12, 15, 0);
  const g1 = orient3dAt(pair, 9, 12, 15, 3);
  const g2 = orient3dAt(pair, 9, 12, 15, 6);
  if (!straddle(g0, g1, g2)) return;
  const heights = [h0, h1, h2];
  const corners = [pointAt(q, 0), pointAt(q, 3), pointAt(q, 6)];
  const ends: Homogeneous[] = [];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    if (heights[i] === 0) ends.push(corners[i]);
    if (heights[i] * heights[j] < 0) ends.push(linePlane(corners[i], corners[j], facet.plane));
  }
  // One end: the triangle touches the plane in a corner.
  if (ends.length < 2) return;
  const [from, to] = ends;
  const near = [nearDoubles(from), nearDoubles(to)] as const;
  cuts.push({
    plane: planeThrough(corners[0], corners[1], corners[2]),
    from,
    to,
    near,
    box: boxAround(near),
  });
}

const straddle = (a: Sign, b: Sign, c: Sign): boolean =>
  (a > 0 || b > 0 || c > 0) && (a < 0 || b < 0 || c < 0);

/** The sides of a triangle in the facet's plane, if corners of the facet lie on both sides of their lines. */
function findCoplanarCuts(facet: Facet, q: Float64Array, cuts: Cut[]): void {
  const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
  if (orient2dAt(pair, 9, 12, 15, u, v) === 0) return;
  for (let i = 9; i < 18; i += 3) {
    const j = i === 15 ? 9 : i + 3;
    const s0 = orient2dAt(pair, i, j, 0, u, v);
    const s1 = orient2dAt(pair, i, j, 3, u, v);
    const s2 = orient2dAt(pair, i, j, 6, u, v);
    if (!straddle(s0, s1, s2)) continue;
    const from = pointAt(q, i - 9);
    const to = pointAt(q, j - 9);
    const near = [pair.slice(i, i + 3), pair.slice(j, j + 3)] as const;
    cuts.push({ plane: planeThrough(from, to, facet.along), from, to, near, box: boxAround(near) });
  }
}

/** The cells into which the cuts divide the given ones. */
export function cutCells(facet: Facet, cells: readonly Cell[], cuts: readonly Cut[]): Cell[] {
  let pieces = [...cells];
  for (const cut of cuts) {
    const next: Cell[] = [];
    for (const piece of pieces) splitCell(facet, piece, cut, next);
    pieces = next;
  }
  return pieces;
}

/** Appends the cell, or the two parts of it, to `out`. */
function splitCell(facet: Facet, cell: Cell, cut: Cut, out: Cell[]): void {
  const { corners, planes, near } = cell;
  if (!boxesMeet(cell.box, cut.box)) {
    out.push(cell);
    return;
  }
  const sides = corners.map(corner => sideOf(cut.plane, corner));
  if (!(sides.includes(1) && sides.includes(-1))) {
    out.push(cell);
    return;
  }
  // Walks around the cell and adds its corners to the part on either side of the cut. Where the line of the cut enters
  // and leaves, both parts get the point.
  const parts = { 1: newPart(), [-1]: newPart() };
  const chord: Homogeneous[] = [];
  const nearChord: Near[] = [];
  for (let i = 0; i < corners.length; i++) {
    const j = (i + 1) % corners.length;
    const [side, next] = [sides[i], sides[j]];
    if (side === 0) {
      chord.push(corners[i]);
      nearChord.push(near[i]);
      // The side that follows belongs to the part it leads into; the other part continues along the cut.
      for (const part of [1, -1] as const) {
        parts[part].corners.push(corners[i]);
        parts[part].near.push(near[i]);
        parts[part].planes.push(next === part ? planes[i] : cut.plane);
      }
      continue;
    }
    const own = parts[side];
    own.corners.push(corners[i]);
    own.near.push(near[i]);
    own.planes.push(planes[i]);
    if (side * next < 0) {
      const point = meetingPoint(facet.plane, planes[i], cut.plane);
      const rounded = nearDoubles(point);
      chord.push(point);
      nearChord.push(rounded);
      own.corners.push(point);
      own.near.push(rounded);
      own.planes.push(cut.plane);
      const other = parts[next as 1 | -1];
      other.corners.push(point);
      other.near.push(rounded);
      other.planes.push(planes[i]);
    }
  }
  if (!overlap(chord, nearChord, cut)) {
    out.push(cell);
    return;
  }
  out.push(cellOf(parts[1]), cellOf(parts[-1]));
}

const newPart = (): { corners: Homogeneous[]; planes: Plane[]; near: Near[] } => ({
  corners: [],
  planes: [],
  near: [],
});

/** Tells whether a chord of a cell shares more than a point with the cut along it. */
function overlap(chord: readonly Homogeneous[], nearChord: readonly Near[], cut: Cut): boolean {
  const longest = longestAxis(cut.near[0], cut.near[1]);
  // Different ends may be equal in doubles: then another axis is chosen along which they differ.
  const differs = (along: number): boolean =>
    compareNear(cut.near[0], cut.near[1], along) !== 0 ||
    compareAlong(unitDirections[along], cut.from, cut.to) !== 0;
  const axis = [longest, (longest + 1) % 3, (longest + 2) % 3].find(differs) ?? longest;
  // The order of two points on the line of the cut: by doubles if they decide, else exactly. Any axis will do as long
  // as it is the same throughout.
  const compare = (p: Homogeneous, nearP: Near, q: Homogeneous, nearQ: Near): Sign =>
    compareNear(nearP, nearQ, axis) || compareAlong(unitDirections[axis], p, q);
  const low = compare(chord[0], nearChord[0], chord[1], nearChord[1]) < 0 ? 0 : 1;
  const cutEnds = [cut.from, cut.to];
  const cutLow = compare(cut.from, cut.near[0], cut.to, cut.near[1]) < 0 ? 0 : 1;
  return (
    compare(chord[low], nearChord[low], cutEnds[1 - cutLow], cut.near[1 - cutLow]) < 0 &&
    compare(cutEnds[cutLow], cut.near[cutLow], chord[1 - low], nearChord[1 - low]) < 0
  );
}

/** The point of three planes: orthogonal to all three as vectors of four, which is what planeThrough gives. */
function meetingPoint(a: Plane, b: Plane, c: Plane): Homogeneous {
  const point = planeThrough(a, b, c);
  return point.w > 0n ? point : { x: -point.x, y: -point.y, z: -point.z, w: -point.w };
}
