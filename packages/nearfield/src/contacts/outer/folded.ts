// The common part of two bodies, for the case that the surface of one overlaps itself in a way that doubles cannot
// hold. Cut along its own lines and rounded, such a surface would cross itself again, or not close (outer-surface.ts),
// or meet the other in another way (cut-pairs.ts). So nothing is rounded before it is decided. Every triangle is cut
// into cells by all others of both bodies, exactly. The winding numbers of both on the two sides of a cell say what it
// bounds. Cells are joined by the numbers of their exact corners. Coordinates are rounded at the end. This is slower
// than finding crossings of edges and triangles (overlap/), which requires that neither surface crosses itself. One of
// the bodies may be open: then all of its surface counts, and it contains nothing.

import { cornersMeetBox, placeCorners, worldBox } from '../../bodies/snapshot/world.ts';
import { PointNumbers } from '../../interferences/curves/point-numbers.ts';
import { Facet } from '../../interferences/relation/solids/facet.ts';
import { boxesMeet } from '../../math/box.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { type Homogeneous, mix, turn } from '../../math/exact/rational.ts';
import { type Corners, holdsPoint } from '../../math/triangles/triangle-contact.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { type Side, sides } from '../overlap/crossings.ts';
import { Numbers } from '../overlap/numbers.ts';
import { writeNormal } from '../overlap/plane.ts';
import { type Boundary, lineLength, type Parts } from '../overlap/region/boundary.ts';
import type { Surface } from '../surface.ts';
import { type FlatContacts, type FlatOverlap, flatFrom } from '../touch/flat.ts';
import { CellSides } from './cell-sides.ts';
import { type Cell, type Cut, cutCells, findCuts, wholeCell } from './exact-cells.ts';
import { type SelfFinder, selfPartners } from './self-partners.ts';
import { triangulated } from './triangulated.ts';

export interface FoldedContacts {
  readonly boundary: Boundary;
  readonly flat: FlatContacts;
  /**
   * The numbers of points at which a line where the surfaces cross may end, because it continues along a part of a
   * surface that bounds no solid.
   */
  readonly ends: ReadonlySet<number>;
  /** Tells whether a part of a body's triangle that bounds its own solid contains a point of the triangle. */
  isBounding(side: Side, triangle: number, point: Homogeneous): boolean;
  /**
   * Tells whether a triangle of a solid body faces into the solid where it bounds it; undefined if it does not bound
   * it.
   */
  isTurned(side: Side, triangle: number): boolean | undefined;
}

type CellCorners = readonly Homogeneous[];

/** Tells whether a convex polygon, seen along an axis, contains a point of its plane. */
function holds(along: Homogeneous, corners: CellCorners, point: Homogeneous): boolean {
  const turns = corners.map((corner, i) => turn(along, corner, corners[(i + 1) % corners.length], point));
  return !(turns.includes(1) && turns.includes(-1));
}

/** A piece of the boundary: the numbers of its corners, counter-clockwise seen from outside. */
interface Piece {
  readonly corners: readonly number[];
  readonly side: Side;
  readonly triangle: number;
  /** 1 if the triangle as given faces outwards there, else −1. */
  readonly facing: 1 | -1;
  /** Whether the other body has the same face there. */
  readonly shared: boolean;
}

/** Takes the surfaces of the bodies as they are, uncut, and every pair of their triangles that meets. */
export function foldedContacts(
  engine: SelfFinder,
  surfaces: readonly [Surface, Surface],
  found: Uint32Array,
): FoldedContacts {
  const finder = new CellFinder(engine, surfaces);
  const across = [partnersAcross(found, 0), partnersAcross(found, 1)] as const;
  for (const side of sides) finder.add(side, across[side]);
  const { numbers, pieces, overlaps, ends, bounds, partial, turned } = finder;
  const flat = flatFrom(overlaps, surfaces, numbers);
  const isWhole = (side: Side, triangle: number): boolean =>
    bounds[side].has(triangle) && !partial[side].has(triangle);
  const isBounding = (side: Side, triangle: number, point: Homogeneous): boolean => {
    if (!surfaces[side].solid || isWhole(side, triangle)) return true;
    const { along } = finder.facet(side, triangle);
    return bounds[side].get(triangle)?.some(corners => holds(along, corners, point)) ?? false;
  };
  const isTurned = (side: Side, triangle: number): boolean | undefined =>
    bounds[side].has(triangle) ? turned[side].has(triangle) : undefined;
  return { boundary: boundaryOf(surfaces, pieces, numbers), flat, ends, isBounding, isTurned };
}

function partnersAcross(found: Uint32Array, side: Side): Map<number, number[]> {
  const partners = new Map<number, number[]>();
  for (let i = 0; i < found.length; i += 2) {
    const list = partners.get(found[i + side]);
    if (list) list.push(found[i + 1 - side]);
    else partners.set(found[i + side], [found[i + 1 - side]]);
  }
  return partners;
}

class CellFinder {
  readonly numbers = new PointNumbers();
  readonly pieces: Piece[] = [];
  readonly overlaps: FlatOverlap[] = [];
  /** If one surface is open and crosses the other: corners of bounding cells, at which lines that count may end. */
  readonly ends = new Set<number>();
  /** Per body and triangle, its cells that bound its own solid. */
  readonly bounds = [new Map<number, CellCorners[]>(), new Map<number, CellCorners[]>()] as const;
  /** Triangles with cells that do not bound. */
  readonly partial = [new Set<number>(), new Set<number>()] as const;
  /** Triangles with bounding cells that face into the solid. */
  readonly turned = [new Set<number>(), new Set<number>()] as const;
  readonly #engine: SelfFinder;
  readonly #surfaces: readonly [Surface, Surface];
  readonly #facets = [new Map<number, Facet>(), new Map<number, Facet>()] as const;
  /** Per body, its own winding numbers and then those of the other. */
  readonly #sides: readonly [CellSides, CellSides];

  constructor(engine: SelfFinder, surfaces: readonly [Surface, Surface]) {
    this.#engine = engine;
    this.#surfaces = surfaces;
    const [a, b] = [surfaces[0].source, surfaces[1].source];
    this.#sides = [new CellSides(engine, a, b), new CellSides(engine, b, a)];
  }

  /** Triangle t of a body. */
  facet(side: Side, t: number): Facet {
    let facet = this.#facets[side].get(t);
    if (facet === undefined) {
      const corners = new Float64Array(9);
      placeCorners(this.#surfaces[side].source, t, corners, 0);
      this.#facets[side].set(t, (facet = new Facet(corners)));
    }
    return facet;
  }

  /** Adds the cells of one body. */
  add(side: Side, across: ReadonlyMap<number, readonly number[]>): void {
    const otherSide = (1 - side) as Side;
    const [own, other] = [this.#surfaces[side].source, this.#surfaces[otherSide].source];
    const within = selfPartners(this.#engine, own);
    const box = worldBox(other);
    if (!boxesMeet(worldBox(own), box)) return;
    for (let t = 0; t < this.#surfaces[side].triangleCount; t++) {
      const facet = this.facet(side, t);
      // Nothing outside the other's box is common.
      if (facet.axis < 0 || !cornersMeetBox(facet.p, 0, box)) continue;
      const [before, others] = [within.get(t) ?? [], across.get(t) ?? []];
      const cuts: Cut[] = [];
      for (const u of before) findCuts(facet, this.facet(side, u).p, cuts);
      for (const u of others) findCuts(facet, this.facet(otherSide, u).p, cuts);
      for (const cell of cutCells(facet, [wholeCell(facet)], cuts)) {
        const middle = mix(cell.corners);
        const isFirst = !before.some(u => u < t && covers(facet, this.facet(side, u), middle));
        this.#addCell(side, t, facet, cell, others, isFirst);
      }
    }
  }

  /** If sheets of a solid body coincide, all bound it, and the first is a piece. */
  #addCell(
    side: Side,
    t: number,
    facet: Facet,
    cell: Cell,
    others: readonly number[],
    isFirst: boolean,
  ): void {
    const [own, other] = [this.#surfaces[side], this.#surfaces[1 - side]];
    const sides = this.#sides[side].at(facet, cell);
    // An open surface is taken as it faces.
    const [above, below] = own.solid ? [sides.above[0] !== 0, sides.below[0] !== 0] : [false, true];
    if (above === below) {
      this.partial[side].add(t);
      return;
    }
    const [otherAbove, otherBelow] = [sides.above[1] !== 0, sides.below[1] !== 0];
    if (own.solid) {
      const cells = this.bounds[side].get(t);
      if (above) this.turned[side].add(t);
      if (cells) cells.push(cell.corners);
      else this.bounds[side].set(t, [cell.corners]);
      if (!isFirst) return;
    }
    const corners = cell.corners.map(corner => this.numbers.ofExact(corner));
    // Counter-clockwise seen from outside its own solid: from above if the solid is below.
    if (runsUp(facet, cell) !== below) corners.reverse();
    if (!own.solid || !other.solid) {
      for (const corner of corners) this.ends.add(corner);
      if (side === 0 && !(other.solid && otherAbove === otherBelow)) {
        // For an open surface, the direction to a solid leads to where the solid is. A pose that mirrors turns the
        // triangle round.
        const isTurned = own.solid || !other.solid ? above : otherBelow !== own.outward < 0;
        this.#addOverlap(t, facet, cell, others, corners, isTurned);
      }
    } else if (above ? otherAbove : otherBelow) {
      const shared = otherAbove !== otherBelow;
      this.pieces.push({ corners, side, triangle: t, facing: below ? 1 : -1, shared });
    } else if (side === 0 && otherAbove !== otherBelow) {
      this.#addOverlap(t, facet, cell, others, corners, above);
    }
  }

  /**
   * Adds the overlap of a cell of A with faces of B in its plane: the first face of a solid, all of an open surface.
   */
  #addOverlap(
    t: number,
    facet: Facet,
    cell: Cell,
    others: readonly number[],
    corners: readonly number[],
    isTurned: boolean,
  ): void {
    const [, { solid }] = this.#surfaces;
    const middle = mix(cell.corners);
    for (const b of others) {
      if (!covers(facet, this.facet(1, b), middle)) continue;
      this.overlaps.push({ corners, a: t, b, isTurned });
      if (solid) return;
    }
  }
}

const pair = new Float64Array(18);

/** Tells whether another triangle lies in the facet's plane over a point of it. */
function covers(facet: Facet, other: Facet, point: Homogeneous): boolean {
  pair.set(facet.p);
  pair.set(other.p, 9);
  for (let i = 9; i < 18; i += 3) if (orient3dAt(pair, 0, 3, 6, i) !== 0) return false;
  return other.axis >= 0 && holdsPoint(other.corners as Corners, point);
}

/** Tells whether a cell runs counter-clockwise seen from where the facet's normal points. */
function runsUp(facet: Facet, { corners }: Cell): boolean {
  for (let i = 2; i < corners.length; i++) {
    const side = turn(facet.along, corners[0], corners[i - 1], corners[i]);
    if (side !== 0) return side === facet.turn;
  }
  return true;
}

/** The boundary made of pieces, each as triangles that meet side to side. */
function boundaryOf(
  surfaces: readonly [Surface, Surface],
  pieces: readonly Piece[],
  numbers: PointNumbers,
): Boundary {
  const { scale } = surfaces[0];
  const origin = new Float64Array(3);
  if (pieces.length > 0) origin.set(numbers.coordinates(pieces[0].corners[0]).map(x => x * scale));
  const elementAt = new Map<number, number>();
  const numberOf: number[] = [];
  const positions: number[] = [];
  const elementOf = (number: number): number => {
    let element = elementAt.get(number);
    if (element === undefined) {
      elementAt.set(number, (element = numberOf.push(number) - 1));
      const [x, y, z] = numbers.coordinates(number);
      positions.push(x * scale - origin[0], y * scale - origin[1], z * scale - origin[2]);
    }
    return element;
  };
  const triangles: { readonly piece: Piece; readonly corners: readonly number[] }[] = [];
  triangulated(
    pieces.map(({ corners }) => corners),
    numbers,
    (i, a, b, c) => triangles.push({ piece: pieces[i], corners: [a, b, c].map(elementOf) }),
  );
  const parts = new PartsBuilder(surfaces, origin);
  // If both bodies have a face, it is A's first; then half of it is moved over to B.
  for (const { piece, corners } of triangles)
    if (piece.side === 0 || !piece.shared) parts.add(piece, corners, 2);
  const commonFrom = parts.count;
  for (const { piece, corners } of triangles) {
    if (piece.shared) parts.add(piece, corners, piece.side === 0 ? -1 : 1);
  }
  const elements = Float64Array.from(positions);
  const sets = new DisjointSets(numberOf.length);
  for (const { corners } of triangles) for (const corner of corners) sets.join(corners[0], corner);
  const regionOf = new Int32Array(numberOf.length);
  const regions = new Map<number, number>();
  for (let i = 0; i < regionOf.length; i++) {
    const root = sets.find(i);
    if (!regions.has(root)) regions.set(root, regions.size);
    regionOf[i] = regions.get(root)!;
  }
  return {
    origin,
    elements,
    projected: new Float64Array(elements.length),
    cornersFrom: numberOf.length,
    regionOf,
    regionCount: regions.size,
    parts: { ...parts.parts, commonFrom },
    whole: { side: [], triangle: [], element: [], corners: new Numbers(0), firsts: [] },
    ofCells: true,
    numberOf: element => numberOf[element],
    corners: (side, triangle, out) => surfaces[side].scaledCorners(triangle, out, 0),
  };
}

class PartsBuilder {
  readonly parts = {
    side: [] as Side[],
    triangle: [] as number[],
    full: [] as number[],
    planes: new Numbers(),
    start: [0],
    lines: new Numbers<Int32Array<ArrayBuffer>>(64, Int32Array),
  } satisfies Omit<Parts, 'commonFrom'>;
  readonly #surfaces: readonly [Surface, Surface];
  readonly #origin: Float64Array;
  readonly #p = new Float64Array(9);

  constructor(surfaces: readonly [Surface, Surface], origin: Float64Array) {
    this.#surfaces = surfaces;
    this.#origin = origin;
  }

  get count(): number {
    return this.parts.triangle.length;
  }

  add({ side, triangle, facing }: Piece, corners: readonly number[], halves: number): void {
    const { parts } = this;
    const p = this.#p;
    parts.side.push(side);
    parts.triangle.push(triangle);
    parts.full.push(0);
    const line = parts.lines.extend(3 * lineLength);
    corners.forEach((corner, k) => {
      parts.lines.values.set([corner, corners[(k + 1) % 3], halves], line + lineLength * k);
    });
    parts.start.push(parts.lines.length / lineLength);
    const { source, scale } = this.#surfaces[side];
    placeCorners(source, triangle, p, 0);
    for (let i = 0; i < 9; i++) p[i] = p[i] * scale - this.#origin[i % 3];
    const plane = parts.planes.extend(6);
    parts.planes.values.set(p.subarray(0, 3), plane);
    writeNormal(p, 0, parts.planes.values, plane + 3);
    for (let axis = 3; axis < 6; axis++) parts.planes.values[plane + axis] *= facing;
  }
}
