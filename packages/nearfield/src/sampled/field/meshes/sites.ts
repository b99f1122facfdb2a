// The Voronoi sites of a body: its faces, edges and corners (Hoff et al., section 5.2), with what a distance mesh needs
// to know about each. Coordinates are in cells of the grid, from its origin. Directions are computed in doubles, so that
// slivers have them right (proof.md, section 2).
//
// An edge is nearest only where none of its faces has a nearer point: outside all of them. For two faces that is a wedge
// on the edge's convex side, and a mesh is built for the wedge alone (culling by site). A corner is nearest only where no
// edge from it leads nearer: in a cone, which is thin or empty on smooth surfaces.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose } from '../../../math/pose.ts';
import type { Grid } from '../grid.ts';
import { type SiteTopology, topologyOf } from './topology.ts';

/** The kinds of sites. */
export const SiteKinds = { face: 0, edge: 1, point: 2 } as const;

/** Numbers per site, and where each is. The kernels have the same places (gpu/meshes/layouts.ts). */
export const siteNumbers = 48;
export const At = {
  /** A point of the site, to which everything else is relative. */
  place: 0,
  /** A face's unit normal. An edge's is the middle of its wedge: a unit vector perpendicular to the edge. */
  normal: 4,
  /** An edge's tan(h/2), with h half the angle of its wedge: at most 1. */
  spread: 7,
  /** An edge's unit vector perpendicular to the edge and to `normal`. */
  across: 8,
  low: 12,
  high: 16,
  /**
   * Half-spaces m·P + c ≥ 0 (m of unit length, P relative to `place`) outside which the site is not nearest: the sides of
   * a face and the ends of its longest side, the ends of an edge, a corner's cone. Four numbers per half-space.
   */
  spaces: 20,
} as const;
export const mostSpaces = 6;

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

/** A face whose height is below this part of its longest side is left to its edges, which lie as near. */
const flattest = 2 ** -26;

/**
 * Sites of triangles that are nowhere within `reach` cells of the grid are left out. They lie in the memory of `room` until
 * the next ones are asked for with it: a body that moves would otherwise leave megabytes of garbage per frame.
 */
export function sitesOf(body: Placed, grid: Grid, reach: number, room = new SiteRoom()): Sites {
  const { mesh } = body.shape;
  const topology = topologyOf(mesh);
  const { starts, sides, collapsed, firstCorners, firstUses } = topology;
  const corners = cornersInCells(body, grid, room);
  const isNear = nearTriangles(corners, grid, reach);
  const list = new SiteList(corners, isNear, room);
  for (let t = 0; t < mesh.triangleCount; t++) if (isNear[t]) list.addFace(t);
  const triangleOf = (i: number) => Math.floor(i / 3);
  for (let e = 0; e + 1 < starts.length; e++) {
    let [near, together] = [false, true];
    for (let at = starts[e]; at < starts[e + 1]; at++) {
      near ||= isNear[triangleOf(sides[at])] === 1;
      // Vertices that had one position may have been deformed apart: then each triangle has an edge of its own.
      together &&= sameSide(corners, sides[starts[e]], sides[at]);
    }
    if (!near) continue;
    if (together) list.addEdge(sides, starts[e], starts[e + 1]);
    else for (let at = starts[e]; at < starts[e + 1]; at++) list.addWholeEdge(sides[at]);
  }
  for (const side of collapsed) if (isNear[triangleOf(side)]) list.addWholeEdge(side);
  const isKnown = new Uint8Array(firstCorners.length);
  for (let i = 0; i < firstCorners.length; i++) {
    if (!isNear[triangleOf(i)]) continue;
    // Corners deformed apart are sites of their own.
    const first = samePlace(corners, 3 * i, 3 * firstCorners[i]) ? firstCorners[i] : firstUses[i];
    if (isKnown[first]) continue;
    isKnown[first] = 1;
    list.addPoint(i, topology);
  }
  return list.finish();
}

/** Nine numbers per triangle. Each vertex is placed once. */
function cornersInCells({ shape, pose }: Placed, grid: Grid, room: SiteRoom): Float64Array {
  const { positions, mesh } = shape;
  const { indices } = mesh;
  room.corners = withRoom(room.corners, 3 * indices.length);
  room.vertices = withRoom(room.vertices, positions.length);
  const { corners, vertices } = room;
  const [x, y, z] = grid.origin;
  const { cell } = grid;
  for (let at = 0; at < positions.length; at += 3) {
    applyPose(pose, positions[at], positions[at + 1], positions[at + 2], vertices, at);
    vertices[at] = (vertices[at] - x) / cell;
    vertices[at + 1] = (vertices[at + 1] - y) / cell;
    vertices[at + 2] = (vertices[at + 2] - z) / cell;
  }
  for (let i = 0; i < indices.length; i++) {
    const from = 3 * indices[i];
    corners[3 * i] = vertices[from];
    corners[3 * i + 1] = vertices[from + 1];
    corners[3 * i + 2] = vertices[from + 2];
  }
  return corners.subarray(0, 3 * indices.length);
}

/** The memory of sites, which grows. */
export class SiteRoom {
  vertices = new Float64Array(0);
  corners = new Float64Array(0);
  numbers = new Float64Array(0);
  kinds = new Uint32Array(0);
  spaceCounts = new Uint32Array(0);
  owners = new Uint32Array(0);
}

const withRoom = (values: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> =>
  values.length >= count ? values : new Float64Array(count);

/** Which triangles have boxes within `reach` cells of the grid. */
function nearTriangles(corners: Float64Array, { dimensions }: Grid, reach: number): Uint8Array {
  const isNear = new Uint8Array(corners.length / 9).fill(1);
  if (reach === Infinity) return isNear;
  for (let t = 0; t < isNear.length; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = 9 * t + axis;
      const low = Math.min(corners[at], corners[at + 3], corners[at + 6]);
      const high = Math.max(corners[at], corners[at + 3], corners[at + 6]);
      if (low - dimensions[axis] > reach || -high > reach) isNear[t] = 0;
    }
  }
  return isNear;
}

const samePlace = (corners: Float64Array, p: number, q: number): boolean =>
  corners[p] === corners[q] && corners[p + 1] === corners[q + 1] && corners[p + 2] === corners[q + 2];

/** Where a side begins and ends among the corners' numbers. */
const startOf = (side: number): number => 3 * side;
const endOf = (side: number): number => (side % 3 === 2 ? 3 * (side - 2) : 3 * (side + 1));

function sameSide(corners: Float64Array, a: number, b: number): boolean {
  if (a === b) return true;
  const [from, to] = [startOf(b), endOf(b)];
  if (samePlace(corners, startOf(a), from)) return samePlace(corners, endOf(a), to);
  return samePlace(corners, startOf(a), to) && samePlace(corners, endOf(a), from);
}

/** Vectors in use, three numbers each; the loops below allocate nothing. */
const scratch = new Float64Array(27);
const [sideA, sideB, sideC, along, middle, across, normal, inward, sum] = [0, 3, 6, 9, 12, 15, 18, 21, 24];

class SiteList {
  readonly #corners: Float64Array;
  /** Which triangles have a face among the sites. */
  readonly #isFace: Uint8Array;
  readonly #room: SiteRoom;
  /** That of the room, at hand. */
  #numbers: Float64Array;
  #count = 0;
  #size = 0;

  constructor(corners: Float64Array, isNear: Uint8Array, room: SiteRoom) {
    this.#corners = corners;
    this.#isFace = new Uint8Array(isNear.length);
    this.#room = room;
    let near = 0;
    for (let t = 0; t < isNear.length; t++) near += isNear[t];
    // A closed mesh has one and a half times as many edges as faces, and half as many corners.
    this.#reserve(16 + 3 * near);
    this.#numbers = room.numbers;
  }

  /** Adds nothing if the triangle is too flat to have a face of its own. */
  addFace(t: number): void {
    const c = this.#corners;
    const s = scratch;
    let [longest, most] = [0, -1];
    for (let side = 0; side < 3; side++) {
      const from = startOf(3 * t + side);
      const to = endOf(3 * t + side);
      const squared =
        (c[to] - c[from]) ** 2 + (c[to + 1] - c[from + 1]) ** 2 + (c[to + 2] - c[from + 2]) ** 2;
      if (squared > most) [longest, most] = [side, squared];
    }
    // The longest side is from a to b.
    const a = 9 * t + 3 * longest;
    const b = 9 * t + 3 * ((longest + 1) % 3);
    const third = 9 * t + 3 * ((longest + 2) % 3);
    difference(c, a, b, sideA);
    difference(c, b, third, sideB);
    difference(c, third, a, sideC);
    cross(sideC, sideA, normal);
    const area = lengthOf(normal);
    if (!(area > flattest * most)) return;
    this.#isFace[t] = 1;
    normalise(normal);
    const at = this.#add(SiteKinds.face, t, 0, a, b, third);
    this.#set(at + At.normal, normal);
    for (let axis = 0; axis < 3; axis++) s[along + axis] = s[sideA + axis];
    normalise(along);
    this.#addEnds(at, Math.sqrt(most));
    for (let side = 0; side < 3; side++) {
      cross(normal, sideA + 3 * side, inward);
      normalise(inward);
      const from = side === 0 ? a : side === 1 ? b : third;
      let offset = 0;
      for (let axis = 0; axis < 3; axis++) offset -= s[inward + axis] * (c[from + axis] - c[a + axis]);
      this.#addSpace(at, inward, 1, offset);
    }
  }

  /** The edge of some sides, all of which have the same ends. */
  addEdge(sides: Uint32Array, start: number, end: number): void {
    const s = scratch;
    if (!this.#beginEdge(sides[start])) return;
    // From the edge into each face, perpendicular to the edge. Two faces are enough to cull most.
    let faces = 0;
    s.fill(0, sum, sum + 3);
    for (let at = start; at < end && faces < 2; at++) {
      const t = Math.floor(sides[at] / 3);
      if (!this.#isFace[t]) continue;
      difference(this.#corners, startOf(sides[at]), 9 * t + 3 * ((sides[at] + 2) % 3), inward);
      perpendicular(inward, along);
      normalise(inward);
      for (let axis = 0; axis < 3; axis++) s[sum + axis] += s[inward + axis];
      faces++;
    }
    if (faces === 0) {
      this.#addCircle(sides[start]);
      return;
    }
    const sine = Math.min(1, lengthOf(sum) / faces);
    // The faces on both sides of a flat edge reach it.
    if (!(sine > 2 ** -30)) return;
    perpendicular(sum, along);
    normalise(sum);
    for (let axis = 0; axis < 3; axis++) s[middle + axis] = -s[sum + axis];
    this.#addWedge(sides[start], sine / (1 + Math.sqrt(1 - sine * sine)));
  }

  /** A side by itself, whatever lies beside it. */
  addWholeEdge(side: number): void {
    if (this.#beginEdge(side)) this.#addCircle(side);
  }

  /** A corner: three times the triangle, plus its number. */
  addPoint(corner: number, { vertices, aroundStarts, around }: SiteTopology): void {
    const from = 3 * corner;
    const at = this.#add(SiteKinds.point, Math.floor(corner / 3), 4 + (corner % 3), from, from, from);
    const start = aroundStarts[vertices[corner]];
    const count = aroundStarts[vertices[corner] + 1] - start;
    // One side of each triangle around it: of a closed mesh, every edge once. Of many edges, some all around.
    for (let k = 0; k < Math.min(count, mostSpaces); k++) {
      const side = around[start + Math.floor((k * count) / Math.min(count, mostSpaces))];
      if (!samePlace(this.#corners, from, startOf(side))) continue;
      difference(this.#corners, from, endOf(side), along);
      if (!(lengthOf(along) > 0)) continue;
      normalise(along);
      this.#addSpace(at, along, -1, 0);
    }
  }

  finish(): Sites {
    const count = this.#count;
    const { numbers, kinds, spaceCounts, owners } = this.#room;
    return {
      ...{ count, size: this.#size, numbers: numbers.subarray(0, siteNumbers * count) },
      kinds: kinds.subarray(0, count),
      spaceCounts: spaceCounts.subarray(0, count),
      owners: owners.subarray(0, count),
    };
  }

  /** Sets `along`. False if the side has no length. */
  #beginEdge(side: number): boolean {
    difference(this.#corners, startOf(side), endOf(side), along);
    if (!(lengthOf(along) > 0)) return false;
    normalise(along);
    return true;
  }

  /** Two wedges of half a turn each. */
  #addCircle(side: number): void {
    const s = scratch;
    // Perpendicular to the edge: across an axis that it does not follow.
    s.fill(0, inward, inward + 3);
    s[inward + (Math.abs(s[along]) < 0.6 ? 0 : 1)] = 1;
    cross(along, inward, middle);
    normalise(middle);
    this.#addWedge(side, 1);
    for (let axis = 0; axis < 3; axis++) s[middle + axis] *= -1;
    this.#addWedge(side, 1);
  }

  #addWedge(side: number, spread: number): void {
    const [from, to] = [startOf(side), endOf(side)];
    const at = this.#add(SiteKinds.edge, Math.floor(side / 3), 1 + (side % 3), from, to, to);
    cross(along, middle, across);
    this.#set(at + At.normal, middle);
    this.#numbers[at + At.spread] = spread;
    this.#set(at + At.across, across);
    difference(this.#corners, from, to, sideA);
    this.#addEnds(at, lengthOf(sideA));
  }

  /** A site with one to three points, given by their places among the corners. */
  #add(kind: number, owner: number, feature: number, a: number, b: number, c: number): number {
    if (this.#count === this.#room.kinds.length) this.#reserve(2 * this.#count);
    const { kinds, spaceCounts, owners } = this.#room;
    const site = this.#count++;
    const at = siteNumbers * site;
    const n = this.#numbers;
    const p = this.#corners;
    kinds[site] = kind;
    spaceCounts[site] = 0;
    owners[site] = owner | (feature << 29);
    for (let axis = 0; axis < 3; axis++) {
      const low = Math.min(p[a + axis], p[b + axis], p[c + axis]);
      const high = Math.max(p[a + axis], p[b + axis], p[c + axis]);
      n[at + At.place + axis] = p[a + axis];
      n[at + At.low + axis] = low;
      n[at + At.high + axis] = high;
      this.#size = Math.max(this.#size, -low, high);
    }
    return at;
  }

  #reserve(sites: number): void {
    const room = this.#room;
    if (room.kinds.length >= sites) return;
    const larger = <T extends Float64Array | Uint32Array>(values: T, length: number): T => {
      const copy = new (values.constructor as new (length: number) => T)(length);
      copy.set(values);
      return copy;
    };
    room.numbers = larger(room.numbers, siteNumbers * sites);
    room.kinds = larger(room.kinds, sites);
    room.spaceCounts = larger(room.spaceCounts, sites);
    room.owners = larger(room.owners, sites);
    this.#numbers = room.numbers;
  }

  #set(at: number, vector: number): void {
    for (let axis = 0; axis < 3; axis++) this.#numbers[at + axis] = scratch[vector + axis];
  }

  /** The half-spaces at both ends of `along`. */
  #addEnds(at: number, length: number): void {
    this.#addSpace(at, along, 1, 0);
    this.#addSpace(at, along, -1, length);
  }

  #addSpace(at: number, direction: number, sign: number, offset: number): void {
    const to = at + At.spaces + 4 * this.#room.spaceCounts[at / siteNumbers]++;
    for (let axis = 0; axis < 3; axis++) this.#numbers[to + axis] = sign * scratch[direction + axis];
    this.#numbers[to + 3] = offset;
  }
}

/** The vector from one corner to another. */
function difference(corners: Float64Array, from: number, to: number, out: number): void {
  for (let axis = 0; axis < 3; axis++) scratch[out + axis] = corners[to + axis] - corners[from + axis];
}

function cross(a: number, b: number, out: number): void {
  const s = scratch;
  s[out] = s[a + 1] * s[b + 2] - s[a + 2] * s[b + 1];
  s[out + 1] = s[a + 2] * s[b] - s[a] * s[b + 2];
  s[out + 2] = s[a] * s[b + 1] - s[a + 1] * s[b];
}

const dot = (a: number, b: number): number =>
  scratch[a] * scratch[b] + scratch[a + 1] * scratch[b + 1] + scratch[a + 2] * scratch[b + 2];

const lengthOf = (a: number): number => Math.sqrt(dot(a, a));

/** Takes away the part along a unit vector. */
function perpendicular(a: number, unit: number): void {
  const part = dot(a, unit);
  for (let axis = 0; axis < 3; axis++) scratch[a + axis] -= part * scratch[unit + axis];
}

/** Scaled first, so that the squares of tiny vectors do not vanish. */
function normalise(a: number): void {
  const s = scratch;
  const scale = Math.max(Math.abs(s[a]), Math.abs(s[a + 1]), Math.abs(s[a + 2]));
  for (let axis = 0; axis < 3; axis++) s[a + axis] /= scale;
  const length = lengthOf(a);
  for (let axis = 0; axis < 3; axis++) s[a + axis] /= length;
}
