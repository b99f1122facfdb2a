// The relation of two solids. Their surfaces cut space into cells. Each cell is in A or not, and in B or not. The
// relation follows from which of the three kinds `both`, `onlyA` and `onlyB` occur. Every cell in a solid is bounded by
// pieces of surface, so it is enough to test both sides of every piece (probe.ts).
//
// Pieces are refined lazily. At first a piece of A is one of two things: a connected region of triangles that do not
// meet B, along which B's winding number is constant, or a single triangle that meets B. For the latter, sheets.ts
// finds on which of its sides B's winding number is constant and shared with its neighbours. If that leaves a kind
// undecided, the same is done for A's own winding numbers. If that is not enough, the triangle is cut into cells by A
// and B, as far as necessary (search.ts), and only if a line along an axis would enter a region of the wanted kind
// there (entrances.ts).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { boxesShareNoVolume, isOutside, worldBox } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { contactsBetween, contactsWithin, type Partners } from '../../curves/contact-signs.ts';
import { framed } from '../coordinates/rescaled.ts';
import { unsheared } from '../coordinates/unsheared.ts';
import { copyOf } from '../copies.ts';
import type { Relation } from '../relation.ts';
import type { Cell } from './cells/cell.ts';
import type { CellSample, Column } from './cells/column.ts';
import { type KnownCell, searchFacet } from './cells/search.ts';
import { kindsAtCrossings } from './crossing-samples.ts';
import { Entrances } from './entrances.ts';
import { Facets, sampleCell } from './facets.ts';
import {
  both,
  everyKind,
  kindsBeside,
  onlyA,
  onlyB,
  onlyOf,
  possible,
  possibleKinds,
  type Side,
} from './kinds.ts';
import type { Sides } from './probe.ts';
import { connectedRegions, without } from './regions.ts';
import { above, type Face, faces, Sheets } from './sheets.ts';

/** A connected region of triangles that do not meet the other body, or one triangle that does. */
interface Piece {
  readonly side: Side;
  readonly triangles: readonly number[];
  /** For a triangle that meets the other body: its index among those that do. */
  readonly touched: number | undefined;
  /** Kinds of cells that the piece might bound and that no sample of it has found yet. */
  open: number;
}

/**
 * The relation of two solid bodies, given every pair of triangles that meet. Most that cross show it at the first samples, so
 * that only what is left is brought to a frame in which exact arithmetic is cheap.
 */
export function relationOfSolids(
  engine: TriangleFinder,
  a: Placed,
  b: Placed,
  triangles: Uint32Array,
): Relation {
  let found = kindsAtCrossings(engine, a, b, triangles);
  if (found === everyKind) return 'crossing';
  const [first, second] = unsheared(a, b);
  if (first !== a) found |= kindsAtCrossings(engine, first, second, triangles);
  if (found === everyKind) return 'crossing';
  if (boxesShareNoVolume(worldBox(first), worldBox(second)))
    return triangles.length > 0 ? 'touching' : 'separate';
  return new SolidPair(engine, first, second, triangles, found).relation();
}

const none = new Uint32Array(0);

/** Whether two solids whose surfaces do not meet share interior points. */
export function haveCommonInterior(engine: TriangleFinder, a: Placed, b: Placed): boolean {
  const [first, second] = framed(a, b);
  return new SolidPair(engine, first, second, none, 0).haveCommonInterior();
}

class SolidPair {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  readonly #facets: Facets;
  readonly #triangles: Uint32Array;
  /** Per body, its triangles that meet the other body, and the other body's winding numbers along them. */
  #contacts!: readonly [Partners, Partners];
  #sheets!: readonly [Sheets, Sheets];
  /** Per kind of cell and body, the body's own winding numbers along the triangles that may bound such cells. */
  readonly #ownSheets = new Map<number, OwnSheets>();
  readonly #pieces: Piece[] = [];
  #entrancesFound: Entrances | undefined;
  /** The cells into which a search has divided a triangle. The next search, for another kind, goes on with them. */
  readonly #cells = new Map<Column, readonly KnownCell[]>();
  /** Kinds of cells known to exist. */
  #found: number;

  constructor(engine: TriangleFinder, a: Placed, b: Placed, triangles: Uint32Array, found: number) {
    this.#found = found;
    this.#engine = engine;
    this.#bodies = [a, b];
    this.#facets = new Facets(engine, [a, b]);
    this.#triangles = triangles;
  }

  relation(): Relation {
    if (this.#isCopy()) return 'coincident';
    if (!this.haveCommonInterior(everyKind)) return this.#triangles.length > 0 ? 'touching' : 'separate';
    for (const side of [0, 1] as const) {
      if (this.#found === everyKind) return 'crossing';
      this.#settle(onlyOf(side));
      if (!(this.#found & onlyOf(side))) this.#sampleOutside(side);
    }
    if (this.#found === everyKind) return 'crossing';
    if (this.#found === both) return 'coincident';
    return this.#found & onlyA ? 'contains' : 'inside';
  }

  /** Whether the two share interior points. Stops sampling once it has found the wanted kinds of cells. */
  haveCommonInterior(wanted: number = both): boolean {
    const [a, b] = this.#bodies;
    this.#contacts = contactsBetween(a, b, this.#triangles, this.#facets.planes);
    this.#facets.contacts = this.#contacts;
    this.#sheets = [new Sheets(a, b, this.#contacts[0]), new Sheets(b, a, this.#contacts[1])];
    for (const side of [0, 1] as const) {
      this.#sampleRegions(side);
      if ((this.#found & wanted) === wanted) return true;
    }
    for (const side of [0, 1] as const) {
      this.#sampleTouched(side);
      if ((this.#found & wanted) === wanted) return true;
    }
    this.#settle(both);
    return (this.#found & both) !== 0;
  }

  /**
   * Whether both have the same triangles and some volume. Their winding numbers are then equal or opposite everywhere.
   */
  #isCopy(): boolean {
    const [a, b] = this.#bodies;
    if (!copyOf(a, b, this.#triangles.length / 2)) return false;
    for (let t = 0; t < a.shape.mesh.triangleCount && !(this.#found & both); t++) {
      const facet = this.#facets.facet(0, t);
      if (facet.axis >= 0) this.#record(this.#facets.sampleWhole(facet, 0, t));
    }
    return (this.#found & both) !== 0;
  }

  /**
   * Samples each connected region of triangles that do not meet the other body once. Triangles outside the other body's
   * box are left to `sampleOutside`, since cells in both bodies do not reach there.
   */
  #sampleRegions(side: Side): void {
    const body = this.#bodies[side];
    const near = this.#engine.trianglesInBox(body, worldBox(this.#bodies[1 - side]));
    const { regions, regionOf } = connectedRegions(body, without(near, this.#contacts[side].triangles));
    const windings = regions.map(region => this.#sampleTriangles(side, region));
    this.#noteCorners(side, vertex => windings[regionOf[vertex]]);
  }

  /** The other body's winding number at one triangle of a region, the first that is not degenerate. */
  #sampleTriangles(side: Side, triangles: readonly number[]): number | undefined {
    for (const t of triangles) {
      const facet = this.#facets.facet(side, t);
      if (facet.axis < 0) continue;
      const sides = this.#facets.sampleWhole(facet, side, t);
      const seen = this.#record(sides);
      const open = possible(side, sides) & ~seen;
      this.#pieces.push({ side, triangles, touched: undefined, open });
      return sides.above[1 - side];
    }
    return undefined;
  }

  /**
   * Stores known winding numbers at those corners of touched triangles that are not on the other body: in regions, and
   * outside its box.
   */
  #noteCorners(side: Side, windingAt: (vertex: number) => number | undefined): void {
    const { indices, welds } = this.#bodies[side].shape.mesh;
    const { triangles, corners } = this.#contacts[side];
    const box = worldBox(this.#bodies[1 - side]);
    triangles.forEach((t, i) => {
      for (let k = 0; k < 3; k++) {
        const at = 9 * i + 3 * k;
        const winding = isOutside(box, corners, at) ? 0 : windingAt(welds.vertexOf[indices[3 * t + k]]);
        if (winding !== undefined) this.#sheets[side].note(i, winding);
      }
    });
  }

  /** Finds the other body's winding numbers along the triangles that meet it, where they are constant. */
  #sampleTouched(side: Side): void {
    const { triangles, axes } = this.#contacts[side];
    for (let i = 0; i < triangles.length && this.#found !== everyKind; i++) {
      if (axes[i] < 0) continue;
      let open = 0;
      for (const face of faces) open |= possibleKinds(side, undefined, this.#otherAlong(side, i, face));
      this.#pieces.push({ side, triangles: [triangles[i]], touched: i, open });
    }
  }

  /** The other body's winding number along a face of the i-th triangle that meets it; undefined if it may vary. */
  #otherAlong(side: Side, i: number, face: Face): number | undefined {
    return this.#sheets[side].windingAlong(i, face, at => this.#sampleAlong(side, at, face)[1 - side]);
  }

  /** Both bodies' winding numbers at a point of a face of the i-th triangle that meets the other body. */
  #sampleAlong(side: Side, i: number, face: Face): readonly [number, number] {
    const t = this.#contacts[side].triangles[i];
    const sides = this.#facets.sampleWhole(this.#facets.facet(side, t), side, t);
    this.#record(sides);
    return face === above ? sides.above : sides.below;
  }

  /** Refines a triangle that meets the other body and might bound a cell of some kind. */
  #refine(piece: Piece, i: number, kind: number): void {
    const { side } = piece;
    const own = this.#ownAlong(side, kind);
    piece.open = 0;
    for (const face of faces) {
      const other = this.#otherAlong(side, i, face);
      const winding = own.sheets.windingAlong(
        own.indexOf.get(i)!,
        face,
        at => this.#sampleAlong(side, own.touched[at], face)[side],
      );
      const kinds = possibleKinds(side, winding, other);
      if (winding !== undefined && other !== undefined) this.#found |= kinds;
      else piece.open |= kinds;
    }
    if (!(piece.open & kind) || this.#found & kind) return;
    this.#search(side, piece.triangles[0], kind);
    piece.open &= ~kind;
  }

  /** A body's own winding numbers along its touched triangles through which a line may enter a region of some kind. */
  #ownAlong(side: Side, kind: number): OwnSheets {
    const key = 2 * kind + side;
    let own = this.#ownSheets.get(key);
    if (!own) {
      const touched: number[] = [];
      for (const piece of this.#pieces) {
        if (piece.side !== side || piece.touched === undefined || !(piece.open & kind)) continue;
        if (this.#entrances.faceOf(side, piece.triangles[0], kind) !== undefined) touched.push(piece.touched);
      }
      const body = this.#bodies[side];
      const triangles = touched.map(i => this.#contacts[side].triangles[i]);
      const contacts = contactsWithin(this.#engine, body, triangles, this.#facets.planes, side);
      const sheets = new Sheets(body, body, contacts);
      own = { touched, indexOf: new Map(touched.map((i, at) => [i, at])), sheets };
      this.#ownSheets.set(key, own);
    }
    return own;
  }

  /** Refines pieces that might bound a cell of a kind that has not been found yet. This may add smaller pieces. */
  #settle(kind: number): void {
    for (const piece of this.#pieces) {
      if (this.#found & kind) return;
      if (!(piece.open & kind)) continue;
      if (kind !== both && this.#facets.difference.isZero) return;
      if (piece.touched !== undefined) {
        if (this.#entrances.faceOf(piece.side, piece.triangles[0], kind) !== undefined) {
          this.#refine(piece, piece.touched, kind);
        }
        continue;
      }
      for (const t of piece.triangles) this.#search(piece.side, t, kind);
      piece.open &= ~kind;
    }
  }

  /** Triangles outside the other body's box: whatever they bound is in their own body alone. */
  #sampleOutside(side: Side): void {
    const body = this.#bodies[side];
    const apart: number[] = [];
    const near = this.#engine.trianglesInBox(body, worldBox(this.#bodies[1 - side]));
    for (let t = 0, i = 0; t < body.shape.mesh.triangleCount; t++) {
      if (i < near.length && near[i] === t) i++;
      else apart.push(t);
    }
    for (const t of apart) {
      const facet = this.#facets.facet(side, t);
      if (facet.axis >= 0) this.#record(this.#facets.sampleWhole(facet, side, t));
      if (this.#found & onlyOf(side)) return;
    }
    for (const t of apart) this.#search(side, t, onlyOf(side));
  }

  /** Searches for a region of a kind that a line enters through a triangle, unless one has been found already. */
  #search(side: Side, t: number, kind: number): void {
    if (this.#found & kind || (kind !== both && this.#facets.difference.isZero)) return;
    const face = this.#entrances.faceOf(side, t, kind);
    if (face === undefined) return;
    const column = this.#facets.column(side, t);
    if (column === undefined) {
      const facet = this.#facets.facet(side, t);
      if (facet.axis >= 0) this.#record(this.#facets.sampleWhole(facet, side, t));
      return;
    }
    const own = this.#entrances.isForBoth(side, t) ? undefined : side;
    const { cut } = column;
    const { parts, difference } = this.#facets;
    const cells = this.#cells.get(column) ?? [{ cell: cut.whole(), cuts: cut.cuts, sample: undefined }];
    // Kinds are searched for in the order of their bits.
    const isLast = ![onlyA, onlyB].some(
      other => other > kind && !(this.#found & other) && this.#entrances.faceOf(side, t, other) !== undefined,
    );
    const done: KnownCell[] | undefined = isLast ? undefined : [];
    const sampled = (cell: Cell): CellSample | undefined => {
      const sample = sampleCell(column, cell);
      this.#record(sample.sides);
      return this.#found & kind ? undefined : sample;
    };
    searchFacet(cut, cells, parts, difference, kind, face, own, sampled, done);
    // If the kind was found, the search ended before all cells were done.
    if (done && !(this.#found & kind)) this.#cells.set(column, done);
  }

  get #entrances(): Entrances {
    return (this.#entrancesFound ??= new Entrances(
      this.#bodies,
      this.#facets.parts,
      this.#facets.difference,
    ));
  }

  /** Stores the kinds of cells on both sides of a piece of a body's surface, and returns them. */
  #record(sides: Sides): number {
    const seen = kindsBeside(sides);
    this.#found |= seen;
    return seen;
  }
}

/** A body's own winding numbers along some of its triangles that meet the other body. */
interface OwnSheets {
  readonly sheets: Sheets;
  /** The indices of these triangles among those that meet the other body, and the place in this list by index. */
  readonly touched: readonly number[];
  readonly indexOf: ReadonlyMap<number, number>;
}
