// How do two solids lie to one another? The surfaces of both cut space into cells, each in A or not and in B or
// not. Which of the three kinds `both`, `onlyA` and `onlyB` occur decides the relation. Every cell that is in a
// solid is bounded by pieces of surface, so it is enough to look at both sides of every piece (probe.ts).
//
// Pieces are found lazily. A piece of A is at first a cell of a triangle cut by B alone, or a whole connected
// region of triangles that do not meet B: B's winding numbers on its two sides are constant, A's may still change
// where A cuts itself. One look at a piece tells most; only where it leaves a question open that nothing else has
// answered is the piece cut by its own body too.

import { fromDoubles, mix } from '../../math/rational.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import type { Placed } from '../engine.ts';
import { seededRandom, windingNumber } from '../winding.ts';
import { type Cell, type Cut, cutCells, Facet, findCuts, isInside } from './cells.ts';
import { copyOf } from './copies.ts';
import { crossingSamples } from './crossing-samples.ts';
import { Probe, type Sides } from './probe.ts';
import type { Relation } from './relation.ts';
import {
  boxesShareNoVolume,
  cornersBox,
  cornersMeetBox,
  placeCorners,
  type TriangleFinder,
  worldBox,
} from './world.ts';

// Kinds of cells of space, as bits.
const both = 1;
const onlyA = 2;
const onlyB = 4;
const everyKind = both | onlyA | onlyB;

/** Body 0 is A, body 1 is B. */
type Side = 0 | 1;
const onlyOf = (side: Side): number => (side === 0 ? onlyA : onlyB);
const kindOf = (inA: boolean, inB: boolean): number => (inA ? (inB ? both : onlyA) : inB ? onlyB : 0);

/** Triangles that do not meet the other body, connected to one another; or one cell of one triangle. */
interface Piece {
  readonly side: Side;
  readonly triangles: readonly number[];
  readonly cell: Cell | undefined;
  /** Kinds of cells that the piece might bound and that no look at it has shown. */
  open: number;
}

/** The relation of two solid bodies, given every pair of triangles that meet. */
export function relationOfSolids(
  engine: TriangleFinder,
  a: Placed,
  b: Placed,
  triangles: Uint32Array,
): Relation {
  const pair = new SolidPair(engine, a, b, triangles);
  if (pair.crossAtSamples()) return 'crossing';
  if (boxesShareNoVolume(worldBox(a), worldBox(b))) return triangles.length > 0 ? 'touching' : 'separate';
  return pair.relation();
}

class SolidPair {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  readonly #probe: Probe;
  readonly #triangles: Uint32Array;
  /** For each body, the triangles of the other that each of its triangles meets. */
  readonly #partners: readonly [Map<number, number[]>, Map<number, number[]>] = [new Map(), new Map()];
  readonly #pieces: Piece[] = [];
  #lastOwnCuts: { readonly side: Side; readonly t: number; readonly cuts: readonly Cut[] } | undefined;
  /** Kinds of cells known to exist. */
  #found = 0;
  /** A part of one surface lies in the other's solid, whether or not it bounds anything. */
  #partContained = false;

  constructor(engine: TriangleFinder, a: Placed, b: Placed, triangles: Uint32Array) {
    this.#engine = engine;
    this.#bodies = [a, b];
    this.#probe = new Probe(engine, a, b);
    this.#triangles = triangles;
  }

  relation(): Relation {
    if (this.#isCopy()) return 'coincident';
    this.#collectPartners();
    for (const side of [0, 1] as const) {
      this.#lookAtRegions(side);
      if (this.#found === everyKind) return 'crossing';
    }
    for (const side of [0, 1] as const) {
      for (const t of this.#partners[side].keys()) {
        this.#lookAtCells(side, t);
        if (this.#found === everyKind) return 'crossing';
      }
    }
    this.#settle(both);
    if (!(this.#found & both)) {
      return this.#triangles.length > 0 || this.#partContained ? 'touching' : 'separate';
    }
    for (const side of [0, 1] as const) {
      this.#settle(onlyOf(side));
      if (!(this.#found & onlyOf(side))) this.#lookOutside(side);
    }
    if (this.#found === everyKind) return 'crossing';
    if (this.#found === both) return 'coincident';
    return this.#found & onlyA ? 'contains' : 'inside';
  }

  /** Looks at both surfaces right beside places where they cross: most crossing solids show all kinds there. */
  crossAtSamples(): boolean {
    for (const { side, facet, u, v } of crossingSamples(this.#bodies, this.#triangles)) {
      const sides = this.#probe.at(facet, u, v);
      if (sides) this.#record(side, sides);
      if (this.#found === everyKind) return true;
    }
    return false;
  }

  /** Whether both have the same triangles and some volume: winding numbers are then equal or opposite everywhere. */
  #isCopy(): boolean {
    const [a, b] = this.#bodies;
    if (!copyOf(a, b, this.#triangles.length / 2)) return false;
    for (let t = 0; t < a.shape.mesh.triangleCount && !(this.#found & both); t++) {
      const facet = this.#facet(0, t);
      if (facet.axis >= 0) this.#record(0, this.#lookAtWhole(facet));
    }
    return (this.#found & both) !== 0;
  }

  #collectPartners(): void {
    const append = (map: Map<number, number[]>, t: number, partner: number): void => {
      const list = map.get(t);
      if (list) list.push(partner);
      else map.set(t, [partner]);
    };
    for (let i = 0; i < this.#triangles.length; i += 2) {
      append(this.#partners[0], this.#triangles[i], this.#triangles[i + 1]);
      append(this.#partners[1], this.#triangles[i + 1], this.#triangles[i]);
    }
  }

  /**
   * Looks once at each connected region of triangles that do not meet the other body. Triangles apart from its box
   * are left for `lookOutside`: cells in both bodies do not reach there.
   */
  #lookAtRegions(side: Side): void {
    const body = this.#bodies[side];
    const touched = this.#partners[side];
    const near = this.#engine.trianglesInBox(body, worldBox(this.#bodies[1 - side]));
    const free = near.filter(t => !touched.has(t));
    for (const region of connectedRegions(body, free)) {
      if (this.#lookAtTriangles(side, region)) continue;
      // All degenerate: it bounds nothing, but may lie within the other solid.
      if (this.#triangles.length > 0 || this.#partContained) continue;
      const corners = new Float64Array(9);
      placeCorners(body, region[0], corners, 0);
      const { winding } = windingNumber(this.#engine, this.#bodies[1 - side], corners.subarray(0, 3));
      if (winding !== 0) this.#partContained = true;
    }
  }

  /** Looks at one triangle of a region, the first that is not degenerate. False if all are. */
  #lookAtTriangles(side: Side, triangles: readonly number[]): boolean {
    for (const t of triangles) {
      const facet = this.#facet(side, t);
      if (facet.axis < 0) continue;
      const sides = this.#lookAtWhole(facet);
      const seen = this.#record(side, sides);
      this.#pieces.push({ side, triangles, cell: undefined, open: possible(side, sides) & ~seen });
      return true;
    }
    return false;
  }

  /** Cuts a triangle by those of the other body that it meets, and looks at each cell. */
  #lookAtCells(side: Side, t: number): void {
    const facet = this.#facet(side, t);
    if (facet.axis < 0) return;
    const other = this.#bodies[1 - side];
    const cuts: Cut[] = [];
    const corners = new Float64Array(9);
    for (const partner of this.#partners[side].get(t)!) {
      placeCorners(other, partner, corners, 0);
      findCuts(facet, corners, cuts);
    }
    const cells = cuts.length === 0 ? [undefined] : cutCells(facet, [facet.whole()], cuts);
    for (const cell of cells) {
      const sides = cell ? this.#lookAtCell(facet, cell) : this.#lookAtWhole(facet);
      const seen = this.#record(side, sides);
      this.#pieces.push({ side, triangles: [t], cell, open: possible(side, sides) & ~seen });
    }
  }

  /** Cuts pieces by their own body where they might bound a cell of a kind that has not been found. */
  #settle(kind: number): void {
    for (const piece of this.#pieces) {
      if (this.#found & kind) return;
      if (!(piece.open & kind)) continue;
      this.#refine(piece.side, piece.triangles, piece.cell);
      // All its cells have been looked at, whatever they bound.
      piece.open = 0;
    }
  }

  /** Triangles apart from the other body's box: whatever they bound is in their own body alone. */
  #lookOutside(side: Side): void {
    const body = this.#bodies[side];
    const apart: number[] = [];
    const near = this.#engine.trianglesInBox(body, worldBox(this.#bodies[1 - side]));
    for (let t = 0, i = 0; t < body.shape.mesh.triangleCount; t++) {
      if (i < near.length && near[i] === t) i++;
      else apart.push(t);
    }
    for (const t of apart) {
      const facet = this.#facet(side, t);
      if (facet.axis >= 0) this.#record(side, this.#lookAtWhole(facet));
      if (this.#found & onlyOf(side)) return;
    }
    this.#refine(side, apart, undefined);
  }

  /** Looks at every cell into which its own body cuts a piece. */
  #refine(side: Side, triangles: readonly number[], cell: Cell | undefined): void {
    for (const t of triangles) {
      const facet = this.#facet(side, t);
      if (facet.axis < 0) continue;
      const cuts = this.#ownCuts(side, t, facet);
      // A lone triangle or cell that its own body does not cut has been looked at.
      if (cuts.length === 0 && triangles.length === 1) continue;
      for (const part of cutCells(facet, [cell ?? facet.whole()], cuts)) {
        this.#record(side, this.#lookAtCell(facet, part));
        if (this.#found === everyKind) return;
      }
    }
  }

  /** Where its own body cuts a triangle. The cells of one triangle come one after the other: the last is kept. */
  #ownCuts(side: Side, t: number, facet: Facet): readonly Cut[] {
    if (this.#lastOwnCuts?.side === side && this.#lastOwnCuts.t === t) return this.#lastOwnCuts.cuts;
    const body = this.#bodies[side];
    const cuts: Cut[] = [];
    const corners = new Float64Array(9);
    const box = cornersBox(facet.p, 0);
    for (const other of this.#engine.trianglesInBox(body, box)) {
      if (other === t) continue;
      placeCorners(body, other, corners, 0);
      if (cornersMeetBox(corners, 0, box)) findCuts(facet, corners, cuts);
    }
    this.#lastOwnCuts = { side, t, cuts };
    return cuts;
  }

  #facet(side: Side, t: number): Facet {
    const corners = new Float64Array(9);
    placeCorners(this.#bodies[side], t, corners, 0);
    return new Facet(corners);
  }

  /** Both sides of an uncut facet at a point inside it. */
  #lookAtWhole(facet: Facet): Sides {
    const { p } = facet;
    const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
    const random = seededRandom();
    for (let attempt = 0; attempt < doubleAttempts; attempt++) {
      const [r, s] = [0.2 + 0.3 * random(), 0.2 + 0.3 * random()];
      const x = p[u] + r * (p[3 + u] - p[u]) + s * (p[6 + u] - p[u]);
      const y = p[v] + r * (p[3 + v] - p[v]) + s * (p[6 + v] - p[v]);
      if (!facet.holdsProjection(x, y)) continue;
      const sides = this.#probe.at(facet, x, y);
      if (sides) return sides;
    }
    return this.#lookAtCell(facet, facet.whole());
  }

  /** The same for a cell: at a double point if one can be found in it, else at an exact one. */
  #lookAtCell(facet: Facet, cell: Cell): Sides {
    const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
    const random = seededRandom();
    const corners = cell.near;
    const at = [0, 0, 0];
    for (let attempt = 0; attempt < doubleAttempts; attempt++) {
      const weights = corners.map(() => 1 + random());
      const sum = weights.reduce((total, weight) => total + weight, 0);
      at[u] = corners.reduce((total, corner, i) => total + corner[u] * (weights[i] / sum), 0);
      at[v] = corners.reduce((total, corner, i) => total + corner[v] * (weights[i] / sum), 0);
      if (!Number.isFinite(at[u]) || !Number.isFinite(at[v])) break;
      if (!isInside(cell, facet.pointAbove(fromDoubles(at[0], at[1], at[2])))) continue;
      const sides = this.#probe.at(facet, at[u], at[v]);
      if (sides) return sides;
    }
    while (true) {
      // Corners repeated at random: a mean with other weights each time.
      const repeated = cell.corners.flatMap(corner => Array(1 + Math.floor(1000 * random())).fill(corner));
      const sides = this.#probe.atExactly(facet, mix(repeated));
      if (sides) return sides;
    }
  }

  /** Notes the kinds of cells on both sides of a piece of a body's surface, and returns them. */
  #record(side: Side, { far, near }: Sides): number {
    const seen = kindOf(far[0] !== 0, far[1] !== 0) | kindOf(near[0] !== 0, near[1] !== 0);
    this.#found |= seen;
    const other = 1 - side;
    if (far[other] !== 0 || near[other] !== 0) this.#partContained = true;
    return seen;
  }
}

/** How often a double point inside a cell is tried before exact ones are. */
const doubleAttempts = 8;

/**
 * Kinds of cells that a piece of a body's surface may bound, given what the other body has on its two sides:
 * beside it where its own winding number is not 0, and where it is.
 */
function possible(side: Side, { far, near }: Sides): number {
  const other = 1 - side;
  const beside = (winding: number): number => (winding !== 0 ? both | onlyOf(other as Side) : onlyOf(side));
  return beside(far[other]) | beside(near[other]);
}

/** The given triangles in groups that hang together through common positions. */
function connectedRegions({ shape }: Placed, triangles: Uint32Array): number[][] {
  const { indices, welds } = shape.mesh;
  const { vertexOf } = welds;
  const sets = new DisjointSets(vertexOf.length);
  for (const t of triangles) {
    const first = vertexOf[indices[3 * t]];
    sets.join(first, vertexOf[indices[3 * t + 1]]);
    sets.join(first, vertexOf[indices[3 * t + 2]]);
  }
  const regions = new Map<number, number[]>();
  for (const t of triangles) {
    const root = sets.find(vertexOf[indices[3 * t]]);
    const region = regions.get(root);
    if (region) region.push(t);
    else regions.set(root, [t]);
  }
  return [...regions.values()];
}
