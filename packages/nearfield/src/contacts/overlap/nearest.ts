// The point of a region of two solids that is nearest to a given one. It lies on the region's boundary: in a piece of a
// triangle, or on a line around one.
//
// Bound: every element lies within 2^-44 of the size of its triangles of both solids (crossings.ts). A point between
// two elements, or in the plane between the lines of a piece, is off by no more than that and the rounding of a few
// sums, so within 2^-42 of the size of the triangles and 2^-50 of its coordinates. If a triangle is so narrow that the
// direction of its normal is rounded by more than 2^-32, only the lines around it are used.

import { growBox } from '../../math/box.ts';
import { dot, plus, type Vector } from '../../math/vector.ts';
import { planeOf } from './plane.ts';
import { type Boundary, lineLength } from './region/boundary.ts';
import type { Region } from './region/regions.ts';

/** A point, and its distance from the given one. */
export interface Nearest {
  readonly point: Vector;
  readonly distance: number;
}

/** Searches some parts and whole triangles of a region. Positions are relative to the boundary's origin. */
export function nearestInRegion(
  region: Pick<Region, 'parts' | 'whole'>,
  number: number,
  boundary: Boundary,
  regionOf: Int32Array,
  point: Vector,
): Nearest {
  const search = new NearestSearch(point);
  const { parts, whole, elements } = boundary;
  const lines = parts.lines.values;
  const corners = whole.corners.values;
  // Corners first: most pieces then lie farther away than one of them.
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
      const from = lines[lineLength * i];
      if (regionOf[from] === number) search.addPoint(elements, 3 * from);
    }
  }
  for (const i of region.whole) for (let k = 0; k < 9; k += 3) search.addPoint(corners, 9 * i + k);
  const plane = new Float64Array(6);
  const p = new Float64Array(9);
  const box = new Float64Array(6);
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    box.fill(Infinity, 0, 3);
    box.fill(-Infinity, 3, 6);
    for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
      const from = lines[lineLength * i];
      if (regionOf[from] === number)
        growBox(box, elements[3 * from], elements[3 * from + 1], elements[3 * from + 2]);
    }
    if (search.isBeyond(box)) continue;
    boundary.corners(parts.side[part], parts.triangle[part], p);
    for (let i = 0; i < 9; i++) p[i] -= boundary.origin[i % 3];
    planeOf(p, 0, plane);
    search.begin(plane, 0);
    for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
      const line = lineLength * i;
      if (regionOf[lines[line]] !== number) continue;
      search.addLine(elements, 3 * lines[line], elements, 3 * lines[line + 1]);
    }
    search.end();
  }
  for (const i of region.whole) {
    box.fill(Infinity, 0, 3);
    box.fill(-Infinity, 3, 6);
    for (let k = 9 * i; k < 9 * i + 9; k += 3) growBox(box, corners[k], corners[k + 1], corners[k + 2]);
    if (search.isBeyond(box)) continue;
    planeOf(corners, 9 * i, plane);
    search.begin(plane, 0);
    for (let k = 0; k < 9; k += 3) search.addLine(corners, 9 * i + k, corners, 9 * i + ((k + 3) % 9));
    search.end();
  }
  return search;
}

/** Searches convex polygons, each with its unit normal; zero if only the lines around it are to be used. */
export function nearestInPolygons(
  polygons: readonly (readonly Vector[])[],
  normals: readonly Vector[],
  point: Vector,
): Nearest {
  const search = new NearestSearch(point);
  polygons.forEach((polygon, i) => {
    search.begin(Float64Array.of(...polygon[0], ...normals[i]), 0);
    addLoop(search, polygon);
    search.end();
  });
  return search;
}

/** Searches segments; a segment of length 0 is a point. */
export function nearestOnLines(lines: readonly (readonly [Vector, Vector])[], point: Vector): Nearest {
  const search = new NearestSearch(point);
  for (const line of lines) {
    search.begin(new Float64Array(6), 0);
    addLoop(search, line);
  }
  return search;
}

function addLoop(search: NearestSearch, corners: readonly Vector[]): void {
  const p = new Float64Array(corners.flat());
  for (let i = 0; i < p.length; i += 3) search.addLine(p, i, p, (i + 3) % p.length);
}

class NearestSearch implements Nearest {
  point: Vector;
  distance = Infinity;
  readonly #from: Vector;
  /** The foot on the current plane, its distance, and the axes of the projection of its piece. */
  #foot: Vector;
  #height = 0;
  #axes: readonly [number, number] = [0, 1];
  #winding = 0;
  /** The squared distance of the nearest corner so far. */
  #cornerSquared = Infinity;

  constructor(point: Vector) {
    this.point = point;
    this.#foot = point;
    this.#from = point;
  }

  /** Tries a corner of a piece. */
  addPoint(p: Float64Array, at: number): void {
    const dx = p[at] - this.#from[0];
    const dy = p[at + 1] - this.#from[1];
    const dz = p[at + 2] - this.#from[2];
    const squared = dx * dx + dy * dy + dz * dz;
    if (!(squared < this.#cornerSquared)) return;
    this.#cornerSquared = squared;
    this.distance = Math.sqrt(squared);
    this.point = [p[at], p[at + 1], p[at + 2]];
  }

  /** Tells whether everything in a box is certainly farther away than the best. */
  isBeyond(box: Float64Array): boolean {
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const x = this.#from[axis];
      const off = x < box[axis] ? box[axis] - x : x > box[axis + 3] ? x - box[axis + 3] : 0;
      squared += off * off;
    }
    // A foot may be off by a few roundings of the box's own coordinates.
    return Math.sqrt(squared) * (1 - 2 ** -40) > this.distance;
  }

  /** Begins a piece in the plane of a point and a unit normal at planes[at…]; all zero if it has no normal. */
  begin(planes: Float64Array, at: number): void {
    const normal: Vector = [planes[at + 3], planes[at + 4], planes[at + 5]];
    const [x, y, z] = this.#from;
    const along =
      (x - planes[at]) * normal[0] + (y - planes[at + 1]) * normal[1] + (z - planes[at + 2]) * normal[2];
    this.#foot = plus(this.#from, normal, -along);
    this.#height = dot(normal, normal) > 0.5 ? Math.abs(along) : Infinity;
    const sizes = normal.map(Math.abs);
    const axis = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
    this.#axes = [(axis + 1) % 3, (axis + 2) % 3];
    this.#winding = 0;
  }

  addLine(p: Float64Array, from: number, q: Float64Array, to: number): void {
    this.#wind(p, from, q, to);
    const [ux, uy, uz] = [q[to] - p[from], q[to + 1] - p[from + 1], q[to + 2] - p[from + 2]];
    const [x, y, z] = this.#from;
    const squared = ux * ux + uy * uy + uz * uz;
    const along = (x - p[from]) * ux + (y - p[from + 1]) * uy + (z - p[from + 2]) * uz;
    const share = squared > 0 ? Math.min(1, Math.max(0, along / squared)) : 0;
    const [dx, dy, dz] = [
      p[from] + share * ux - x,
      p[from + 1] + share * uy - y,
      p[from + 2] + share * uz - z,
    ];
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(distance < this.distance)) return;
    this.distance = distance;
    this.point = [p[from] + share * ux, p[from + 1] + share * uy, p[from + 2] + share * uz];
  }

  /** Ends a piece: its lines wind around the foot or not. */
  end(): void {
    if (this.#winding === 0 || !(this.#height < this.distance)) return;
    this.distance = this.#height;
    this.point = this.#foot;
  }

  #wind(p: Float64Array, from: number, q: Float64Array, to: number): void {
    const [u, v] = this.#axes;
    const [x, y] = [this.#foot[u], this.#foot[v]];
    const [px, py] = [p[from + u], p[from + v]];
    const [qx, qy] = [q[to + u], q[to + v]];
    if (py > y === qy > y) return;
    if (px + ((y - py) / (qy - py)) * (qx - px) > x) this.#winding += qy > py ? 1 : -1;
  }
}
