// The Voronoi sites of a body: its faces, edges and corners (Hoff et al., section 5.2), with what a distance mesh needs
// to know about each. Coordinates are in cells of the grid, from its origin. Directions are computed in doubles, so that
// slivers have them right (proof.md, section 2).
//
// An edge is nearest only where none of its faces has a nearer point: outside all of them. For two faces that is a wedge
// on the edge's convex side, and a mesh is built for the wedge alone (culling by site).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import type { Grid } from '../grid.ts';

/** The kinds of sites. */
export const SiteKinds = { face: 0, edge: 1, point: 2 } as const;

/** Numbers per site, and where each is. */
export const siteNumbers = 36;
export const At = {
  /** A point of the site, to which everything else is relative. */
  place: 0,
  /** A face's unit normal; of an edge, the middle of its wedge: a unit vector perpendicular to the edge. */
  normal: 3,
  /** Of an edge, tan(h/2), with h half the angle of its wedge: at most 1. */
  spread: 6,
  /** Of an edge, the unit vector perpendicular to the edge and to `normal`. */
  across: 7,
  low: 10,
  high: 13,
  /**
   * Half-spaces m·P + c ≥ 0 (m of unit length, P relative to `place`) outside which the site is not nearest: the sides of
   * a face and the ends of its longest side, the ends of an edge. Four numbers per half-space.
   */
  spaces: 16,
} as const;
export const mostSpaces = 5;

/** The sites of a body, faces first, then edges, then corners. */
export interface Sites {
  readonly count: number;
  readonly numbers: Float64Array;
  readonly kinds: Uint32Array;
  readonly spaceCounts: Uint32Array;
  /** The lowest triangle that has the site, and the site's feature in the upper three bits. */
  readonly owners: Uint32Array;
  /** The largest coordinate of any site. */
  readonly size: number;
}

type Vector = readonly [number, number, number];

/** A face whose height is below this part of its longest side is left to its edges, which lie as near. */
const flattest = 2 ** -26;

/** Sites of triangles that are nowhere within `reach` cells of the grid are left out. */
export function sitesOf(body: Placed, grid: Grid, reach: number): Sites {
  const list = new SiteList();
  const { mesh } = body.shape;
  const count = mesh.triangleCount;
  const corners = cornersInCells(body, grid);
  const isNear = nearTriangles(corners, grid, reach);
  const isFace = new Uint8Array(count);
  for (let t = 0; t < count; t++) isFace[t] = isNear[t] && list.addFace(corners, t) ? 1 : 0;
  addEdges(list, body, corners, isNear, isFace);
  addPoints(list, body, corners, isNear);
  return list.finish();
}

/** Which triangles have boxes within `reach` cells of the grid. */
function nearTriangles(corners: Float64Array, { dimensions }: Grid, reach: number): Uint8Array {
  const isNear = new Uint8Array(corners.length / 9).fill(1);
  if (reach === Infinity) return isNear;
  for (let t = 0; t < isNear.length; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [corners[9 * t + axis], corners[9 * t + 3 + axis], corners[9 * t + 6 + axis]];
      const gap = Math.max(Math.min(a, b, c) - dimensions[axis], -Math.max(a, b, c));
      if (gap > reach) isNear[t] = 0;
    }
  }
  return isNear;
}

/** Nine numbers per triangle. */
function cornersInCells(body: Placed, grid: Grid): Float64Array {
  const count = body.shape.mesh.triangleCount;
  const corners = new Float64Array(9 * count);
  const [x, y, z] = grid.origin;
  for (let t = 0; t < count; t++) {
    const at = 9 * t;
    placeCorners(body, t, corners, at);
    for (let i = at; i < at + 9; i += 3) {
      corners[i] = (corners[i] - x) / grid.cell;
      corners[i + 1] = (corners[i + 1] - y) / grid.cell;
      corners[i + 2] = (corners[i + 2] - z) / grid.cell;
    }
  }
  return corners;
}

function addEdges(
  list: SiteList,
  body: Placed,
  corners: Float64Array,
  isNear: Uint8Array,
  isFace: Uint8Array,
): void {
  const { mesh } = body.shape;
  const { edges, indices } = mesh;
  const { vertexOf } = mesh.welds;
  const sideBetween = (t: number, a: number, b: number): number => {
    for (let side = 0; side < 3; side++) {
      const from = vertexOf[indices[3 * t + side]];
      const to = vertexOf[indices[3 * t + ((side + 1) % 3)]];
      if ((from === a && to === b) || (from === b && to === a)) return side;
    }
    return 0;
  };
  const sides: number[] = [];
  for (let e = 0; e < edges.count; e++) {
    let near = false;
    for (let at = edges.start[e]; at < edges.start[e + 1]; at++) near ||= isNear[edges.triangles[at]] === 1;
    if (!near) continue;
    const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    sides.length = 0;
    let [owner, ownSide] = [0xffffffff, 0];
    for (let at = edges.start[e]; at < edges.start[e + 1]; at++) {
      const t = edges.triangles[at];
      const side = sideBetween(t, a, b);
      sides.push(t, side);
      if (t < owner) [owner, ownSide] = [t, side];
    }
    // Vertices that had one position may have been deformed apart: then each triangle has an edge of its own.
    let together = true;
    for (let i = 2; i < sides.length; i += 2) together &&= sameSide(corners, sides, 0, i);
    if (together) list.addEdge(corners, owner, ownSide, sides, isFace);
    else for (let i = 0; i < sides.length; i += 2) list.addEdge(corners, sides[i], sides[i + 1], [], isFace);
  }
  // Sides without length at first have no edge in the mesh; a deformation may have given them one.
  for (let t = 0; t < mesh.triangleCount; t++) {
    if (!isNear[t]) continue;
    for (let side = 0; side < 3; side++) {
      if (vertexOf[indices[3 * t + side]] !== vertexOf[indices[3 * t + ((side + 1) % 3)]]) continue;
      list.addEdge(corners, t, side, [], isFace);
    }
  }
}

function sameSide(corners: Float64Array, sides: readonly number[], i: number, j: number): boolean {
  const from = (at: number) => 9 * sides[at] + 3 * sides[at + 1];
  const to = (at: number) => 9 * sides[at] + 3 * ((sides[at + 1] + 1) % 3);
  const same = (p: number, q: number) =>
    corners[p] === corners[q] && corners[p + 1] === corners[q + 1] && corners[p + 2] === corners[q + 2];
  return (same(from(i), from(j)) && same(to(i), to(j))) || (same(from(i), to(j)) && same(to(i), from(j)));
}

function addPoints(list: SiteList, body: Placed, corners: Float64Array, isNear: Uint8Array): void {
  const { mesh } = body.shape;
  const { indices } = mesh;
  const { vertexOf } = mesh.welds;
  /** Where the corner of a vertex is in `corners`, plus 1; 0 if it has no site yet. */
  const known = new Uint32Array(mesh.vertexCount);
  for (let i = 0; i < indices.length; i++) {
    if (!isNear[Math.floor(i / 3)]) continue;
    const same = known[vertexOf[indices[i]]] - 1;
    const isKnown = same >= 0 && [0, 1, 2].every(axis => corners[3 * same + axis] === corners[3 * i + axis]);
    if (isKnown || known[indices[i]] !== 0) continue;
    known[indices[i]] = i + 1;
    if (same < 0) known[vertexOf[indices[i]]] = i + 1;
    list.addPoint(corners, Math.floor(i / 3), i % 3);
  }
}

class SiteList {
  #numbers = new Float64Array(siteNumbers * 256);
  #kinds: number[] = [];
  #spaceCounts: number[] = [];
  #owners: number[] = [];
  #size = 0;

  /** False if the triangle is too flat to have a face of its own. */
  addFace(corners: Float64Array, t: number): boolean {
    const p = [0, 3, 6].map(i => vectorAt(corners, 9 * t + i));
    const lengths = p.map((from, i) => lengthOf(minus(p[(i + 1) % 3], from)));
    const longest = lengths.indexOf(Math.max(...lengths));
    const [a, b, c] = [p[longest], p[(longest + 1) % 3], p[(longest + 2) % 3]];
    const product = cross(minus(b, a), minus(c, a));
    const area = lengthOf(product);
    if (!(area > flattest * lengths[longest] ** 2)) return false;
    const normal = times(product, 1 / area);
    const at = this.#add(SiteKinds.face, t, 0, [a, b, c]);
    this.#numbers.set(normal, at + At.normal);
    const along = unit(minus(b, a));
    this.#addSpace(at, along, 0);
    this.#addSpace(at, times(along, -1), lengths[longest]);
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const inward = unit(cross(normal, minus(to, from)));
      this.#addSpace(at, inward, -dot(inward, minus(from, a)));
    }
    return true;
  }

  /** The edge of a triangle's side. `sides`: the triangles that share it, with the number of the side in each. */
  addEdge(
    corners: Float64Array,
    owner: number,
    side: number,
    sides: readonly number[],
    isFace: Uint8Array,
  ): void {
    const a = vectorAt(corners, 9 * owner + 3 * side);
    const b = vectorAt(corners, 9 * owner + 3 * ((side + 1) % 3));
    const length = lengthOf(minus(b, a));
    if (!(length > 0)) return;
    const along = unit(minus(b, a));
    // From the edge into each face, perpendicular to the edge. Two faces are enough to cull most.
    const inward: Vector[] = [];
    for (let i = 0; i < sides.length && inward.length < 2; i += 2) {
      if (!isFace[sides[i]]) continue;
      const third = minus(vectorAt(corners, 9 * sides[i] + 3 * ((sides[i + 1] + 2) % 3)), a);
      inward.push(unit(minus(third, times(along, dot(third, along)))));
    }
    if (inward.length === 0) {
      const middle = anyPerpendicular(along);
      this.#addWedge(a, b, along, length, middle, 1, owner, side);
      this.#addWedge(a, b, along, length, times(middle, -1), 1, owner, side);
      return;
    }
    const sum = inward.length === 1 ? times(inward[0], 2) : plus(inward[0], inward[1]);
    const sine = Math.min(1, lengthOf(sum) / 2);
    // The faces on both sides of a flat edge reach it.
    if (!(sine > 2 ** -30)) return;
    const middle = unit(minus(sum, times(along, dot(sum, along))));
    const spread = sine / (1 + Math.sqrt(1 - sine * sine));
    this.#addWedge(a, b, along, length, times(middle, -1), spread, owner, side);
  }

  addPoint(corners: Float64Array, t: number, corner: number): void {
    this.#add(SiteKinds.point, t, 4 + corner, [vectorAt(corners, 9 * t + 3 * corner)]);
  }

  finish(): Sites {
    return {
      count: this.#kinds.length,
      numbers: this.#numbers.subarray(0, siteNumbers * this.#kinds.length),
      kinds: Uint32Array.from(this.#kinds),
      spaceCounts: Uint32Array.from(this.#spaceCounts),
      owners: Uint32Array.from(this.#owners),
      size: this.#size,
    };
  }

  #addWedge(
    a: Vector,
    b: Vector,
    along: Vector,
    length: number,
    middle: Vector,
    spread: number,
    owner: number,
    side: number,
  ): void {
    const at = this.#add(SiteKinds.edge, owner, 1 + side, [a, b]);
    this.#numbers.set(middle, at + At.normal);
    this.#numbers[at + At.spread] = spread;
    this.#numbers.set(cross(along, middle), at + At.across);
    this.#addSpace(at, along, 0);
    this.#addSpace(at, times(along, -1), length);
  }

  #add(kind: number, owner: number, feature: number, points: readonly Vector[]): number {
    const at = siteNumbers * this.#kinds.length;
    if (at === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#numbers.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#kinds.push(kind);
    this.#spaceCounts.push(0);
    this.#owners.push((owner | (feature << 29)) >>> 0);
    for (let axis = 0; axis < 3; axis++) {
      const values = points.map(point => point[axis]);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      this.#numbers[at + At.place + axis] = points[0][axis];
      this.#numbers[at + At.low + axis] = low;
      this.#numbers[at + At.high + axis] = high;
      this.#size = Math.max(this.#size, Math.abs(low), Math.abs(high));
    }
    return at;
  }

  #addSpace(at: number, direction: Vector, offset: number): void {
    const site = at / siteNumbers;
    const to = at + At.spaces + 4 * this.#spaceCounts[site]++;
    this.#numbers.set(direction, to);
    this.#numbers[to + 3] = offset;
  }
}

const vectorAt = (numbers: Float64Array, at: number): Vector => [
  numbers[at],
  numbers[at + 1],
  numbers[at + 2],
];
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const times = (a: Vector, factor: number): Vector => [factor * a[0], factor * a[1], factor * a[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a));
/** Scaled first, so that the squares of tiny vectors do not vanish. */
const unit = (a: Vector): Vector => {
  const scale = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  const scaled = times(a, 1 / scale);
  return times(scaled, 1 / lengthOf(scaled));
};
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** A unit vector perpendicular to a unit vector. */
const anyPerpendicular = (a: Vector): Vector => unit(cross(a, Math.abs(a[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
