// Makes the sites of a body one by one (sites.ts). Directions are computed in doubles, so that slivers have them right
// (proof.md, section 2). Corners are nine numbers per triangle, in cells of the grid.

import { featureShift } from '../field.ts';
import { At, mostSpaces, SiteKinds, type Sites, siteNumbers } from './site.ts';
import type { SiteTopology } from './topology.ts';

/** A face whose height is below this part of its longest side is left to its edges, which lie as near. */
const flattest = 2 ** -26;

/** The triangle of a side or corner. */
export const triangleOf = (i: number): number => (i / 3) | 0;

/** Where a side begins and ends among the corners' numbers. */
export const startOf = (side: number): number => 3 * side;
export const endOf = (side: number): number => (side % 3 === 2 ? 3 * (side - 2) : 3 * (side + 1));

export const samePlace = (corners: Float64Array, p: number, q: number): boolean =>
  corners[p] === corners[q] && corners[p + 1] === corners[q + 1] && corners[p + 2] === corners[q + 2];

/** Vectors in use, three numbers each; the loops below allocate nothing. */
const scratch = new Float64Array(15);
const [along, middle, across, normal, sum] = [0, 3, 6, 9, 12];

/** Where the directions into the faces of the current edge are. */
const edgeFaces: [number, number] = [0, 0];

/** Collects sites and what each needs: its frame, its box and its half-spaces. */
export class SiteList {
  readonly #corners: Float64Array;
  readonly #isNear: Uint8Array;
  /** Which triangles have a face among the sites. */
  readonly #isFace: Uint8Array;
  /**
   * Per side of a triangle, its direction, and in the triangle the direction away from it: unit vectors. And its
   * length.
   */
  readonly #alongs: Float64Array;
  readonly #inwards: Float64Array;
  readonly #lengths: Float64Array;
  #numbers = new Float64Array(0);
  #kinds = new Uint32Array(0);
  #spaceCounts = new Uint32Array(0);
  #owners = new Uint32Array(0);
  /** Where the current site's half-spaces begin and end so far. */
  #firstSpace = 0;
  #spaces = 0;
  #count = 0;
  #size = 0;

  constructor(corners: Float64Array, isNear: Uint8Array) {
    this.#corners = corners;
    this.#isNear = isNear;
    this.#isFace = new Uint8Array(isNear.length);
    this.#alongs = new Float64Array(corners.length);
    this.#inwards = new Float64Array(corners.length);
    this.#lengths = new Float64Array(corners.length / 3);
    let near = 0;
    for (let t = 0; t < isNear.length; t++) near += isNear[t];
    // A closed mesh has one and a half times as many edges as faces, and half as many corners.
    this.#reserve(16 + 3 * near);
  }

  /**
   * Adds the face of a triangle, unless it is too flat to have one of its own. Call this for every near triangle
   * first.
   */
  addFace(t: number): void {
    const c = this.#corners;
    const s = scratch;
    const alongs = this.#alongs;
    let longest = 0;
    for (let side = 3 * t; side < 3 * t + 3; side++) {
      this.#lengths[side] = unitBetween(c, startOf(side), endOf(side), alongs, startOf(side));
      if (this.#lengths[side] > this.#lengths[3 * t + longest]) longest = side - 3 * t;
    }
    // The longest side is from a to b.
    const a = 9 * t + 3 * longest;
    const b = 9 * t + 3 * ((longest + 1) % 3);
    const third = 9 * t + 3 * ((longest + 2) % 3);
    // The area by the directions of two sides, times the length of the shorter one.
    cross(alongs, third, alongs, a, s, normal);
    const sine = Math.sqrt(s[normal] ** 2 + s[normal + 1] ** 2 + s[normal + 2] ** 2);
    const most = this.#lengths[3 * t + longest];
    if (!(sine * this.#lengths[triangleSide(third)] > flattest * most)) return;
    this.#isFace[t] = 1;
    for (let axis = 0; axis < 3; axis++) s[normal + axis] /= sine;
    const at = this.#add(SiteKinds.face, t, 0, a, b, third);
    this.#set(at + At.normal, s, normal, 1);
    this.#addEnds(alongs, a, most);
    const inwards = this.#inwards;
    for (let k = 0; k < 3; k++) {
      const from = k === 0 ? a : k === 1 ? b : third;
      cross(s, normal, alongs, from, inwards, from);
      let offset = 0;
      for (let axis = 0; axis < 3; axis++) offset -= inwards[from + axis] * (c[from + axis] - c[a + axis]);
      this.#addSpace(inwards, from, 1, offset);
    }
    this.#end();
  }

  /** Adds the edge of some sides, all of which have the same ends. */
  addEdge(sides: Uint32Array, start: number, end: number): void {
    const s = scratch;
    const length = this.#beginEdge(sides[start]);
    if (length === 0) return;
    // From the edge into each face, perpendicular to the edge. Two faces are enough to cull most.
    let faces = 0;
    edgeFaces[0] = edgeFaces[1] = 0;
    s[sum] = s[sum + 1] = s[sum + 2] = 0;
    for (let at = start; at < end && faces < 2; at++) {
      if (!this.#isFace[triangleOf(sides[at])]) continue;
      const from = startOf(sides[at]);
      for (let axis = 0; axis < 3; axis++) s[sum + axis] += this.#inwards[from + axis];
      edgeFaces[faces++] = from;
    }
    if (faces === 0) {
      this.#addCircle(sides[start], length);
      return;
    }
    const part = s[sum] * s[along] + s[sum + 1] * s[along + 1] + s[sum + 2] * s[along + 2];
    for (let axis = 0; axis < 3; axis++) s[sum + axis] -= part * s[along + axis];
    const size = Math.sqrt(s[sum] ** 2 + s[sum + 1] ** 2 + s[sum + 2] ** 2);
    const sine = Math.min(1, size / faces);
    // The faces on both sides of a flat edge reach it.
    if (!(sine > 2 ** -30)) return;
    for (let axis = 0; axis < 3; axis++) s[middle + axis] = -s[sum + axis] / size;
    this.#addWedge(sides[start], length, sine / (1 + Math.sqrt(1 - sine * sine)), faces);
  }

  /** Adds a side as an edge, whatever lies beside it. */
  addWholeEdge(side: number): void {
    const length = this.#beginEdge(side);
    if (length > 0) this.#addCircle(side, length);
  }

  /** Adds a corner, given as three times its triangle plus its number. */
  addPoint(corner: number, { vertices, aroundStarts, around }: SiteTopology): void {
    const from = 3 * corner;
    this.#add(SiteKinds.point, triangleOf(corner), 4 + (corner % 3), from, from, from);
    const start = aroundStarts[vertices[corner]];
    const count = aroundStarts[vertices[corner] + 1] - start;
    const taken = Math.min(count, mostSpaces);
    // One side of each triangle around it: in a closed mesh that is every edge once. If there are many, some from all
    // around.
    for (let k = 0; k < taken; k++) {
      const side = around[start + Math.floor((k * count) / taken)];
      if (!samePlace(this.#corners, from, startOf(side))) continue;
      if (this.#beginEdge(side) > 0) this.#addSpace(scratch, along, -1, 0);
    }
    this.#end();
  }

  finish(): Sites {
    const count = this.#count;
    return {
      ...{ count, size: this.#size, numbers: this.#numbers },
      ...{ kinds: this.#kinds, spaceCounts: this.#spaceCounts, owners: this.#owners },
    };
  }

  /** Sets `along`, and returns the length of a side. */
  #beginEdge(side: number): number {
    const from = startOf(side);
    if (!this.#isNear[triangleOf(side)]) return unitBetween(this.#corners, from, endOf(side), scratch, along);
    for (let axis = 0; axis < 3; axis++) scratch[along + axis] = this.#alongs[from + axis];
    return this.#lengths[side];
  }

  /** Adds two wedges of half a turn each. */
  #addCircle(side: number, length: number): void {
    const s = scratch;
    // Perpendicular to the edge: across an axis that it does not follow.
    s[sum] = s[sum + 1] = s[sum + 2] = 0;
    s[sum + (Math.abs(s[along]) < 0.6 ? 0 : 1)] = 1;
    cross(s, along, s, sum, s, middle);
    const size = Math.sqrt(s[middle] ** 2 + s[middle + 1] ** 2 + s[middle + 2] ** 2);
    for (let axis = 0; axis < 3; axis++) s[middle + axis] /= size;
    this.#addWedge(side, length, 1, 0);
    for (let axis = 0; axis < 3; axis++) s[middle + axis] *= -1;
    this.#addWedge(side, length, 1, 0);
  }

  /** Adds a wedge outside the first of `edgeFaces`. */
  #addWedge(side: number, length: number, spread: number, faces: number): void {
    const s = scratch;
    const [from, to] = [startOf(side), endOf(side)];
    const at = this.#add(SiteKinds.edge, triangleOf(side), 1 + (side % 3), from, to, to);
    cross(s, along, s, middle, s, across);
    this.#set(at + At.normal, s, middle, 1);
    this.#numbers[at + At.spread] = spread;
    this.#set(at + At.across, s, across, 1);
    this.#addEnds(s, along, length);
    for (let i = 0; i < faces; i++) this.#addSpace(this.#inwards, edgeFaces[i], -1, 0);
    this.#end();
  }

  /**
   * Begins a site with one to three points, given by their places among the corners. Its half-spaces are added after
   * it.
   */
  #add(kind: number, owner: number, feature: number, a: number, b: number, c: number): number {
    if (this.#count === this.#kinds.length) this.#reserve(2 * this.#count);
    const site = this.#count++;
    const at = siteNumbers * site;
    const n = this.#numbers;
    const p = this.#corners;
    this.#kinds[site] = kind;
    this.#owners[site] = owner | (feature << featureShift);
    this.#spaces = this.#firstSpace = at + At.spaces;
    for (let axis = 0; axis < 3; axis++) {
      const [x, y, z] = [p[a + axis], p[b + axis], p[c + axis]];
      let low = x < y ? x : y;
      let high = x < y ? y : x;
      if (z < low) low = z;
      if (z > high) high = z;
      n[at + At.place + axis] = x;
      n[at + At.low + axis] = low;
      n[at + At.high + axis] = high;
      if (high > this.#size) this.#size = high;
      if (-low > this.#size) this.#size = -low;
    }
    return at;
  }

  /** Ends a site: notes how many half-spaces it has. */
  #end(): void {
    this.#spaceCounts[this.#count - 1] = (this.#spaces - this.#firstSpace) >> 2;
  }

  #reserve(sites: number): void {
    const larger = <T extends Float64Array | Uint32Array>(copy: T, values: T): T => {
      copy.set(values);
      return copy;
    };
    this.#numbers = larger(new Float64Array(siteNumbers * sites), this.#numbers);
    this.#kinds = larger(new Uint32Array(sites), this.#kinds);
    this.#spaceCounts = larger(new Uint32Array(sites), this.#spaceCounts);
    this.#owners = larger(new Uint32Array(sites), this.#owners);
  }

  /** Writes a vector, or its opposite. */
  #set(at: number, from: Float64Array, vector: number, sign: number): void {
    const to = this.#numbers;
    to[at] = sign * from[vector];
    to[at + 1] = sign * from[vector + 1];
    to[at + 2] = sign * from[vector + 2];
  }

  /** Adds the half-spaces at both ends of a site along a direction. */
  #addEnds(directions: Float64Array, direction: number, length: number): void {
    this.#addSpace(directions, direction, 1, 0);
    this.#addSpace(directions, direction, -1, length);
  }

  #addSpace(directions: Float64Array, direction: number, sign: number, offset: number): void {
    this.#set(this.#spaces, directions, direction, sign);
    this.#numbers[this.#spaces + 3] = offset;
    this.#spaces += 4;
  }
}

/** The side that begins at a corner's numbers. */
const triangleSide = (from: number): number => from / 3;

/** Writes the unit vector from one corner to another, and returns their distance: 0 if they are one. */
function unitBetween(corners: Float64Array, from: number, to: number, out: Float64Array, at: number): number {
  let x = corners[to] - corners[from];
  let y = corners[to + 1] - corners[from + 1];
  let z = corners[to + 2] - corners[from + 2];
  // Scaled if the squares of a tiny vector would vanish, or those of a huge one overflow.
  let squared = x * x + y * y + z * z;
  let scale = 1;
  if (!(squared > 2 ** -800 && squared < 2 ** 800)) {
    scale = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    if (scale === 0) {
      out[at] = out[at + 1] = out[at + 2] = 0;
      return 0;
    }
    x /= scale;
    y /= scale;
    z /= scale;
    squared = x * x + y * y + z * z;
  }
  const length = Math.sqrt(squared);
  const inverse = 1 / length;
  out[at] = x * inverse;
  out[at + 1] = y * inverse;
  out[at + 2] = z * inverse;
  return length * scale;
}

function cross(
  a: Float64Array,
  at: number,
  b: Float64Array,
  bt: number,
  out: Float64Array,
  to: number,
): void {
  const [x, y, z] = [a[at], a[at + 1], a[at + 2]];
  const [u, v, w] = [b[bt], b[bt + 1], b[bt + 2]];
  out[to] = y * w - z * v;
  out[to + 1] = z * u - x * w;
  out[to + 2] = x * v - y * u;
}
