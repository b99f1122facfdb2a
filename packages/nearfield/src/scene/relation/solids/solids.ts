// How do two solids lie to one another? The surfaces of both cut space into cells, each in A or not and in B or
// not. Which of the three kinds `both`, `onlyA` and `onlyB` occur decides the relation. Every cell that is in a
// solid is bounded by pieces of surface, so it is enough to look at both sides of every piece (probe.ts).
//
// Pieces are found lazily, from coarse to fine. A piece of A is at first a whole connected region of triangles that
// do not meet B, where B's winding number is one, or a whole triangle that does, where sheets.ts tells on which of
// its sides B's winding number is constant and what it has in common with its neighbours. Only where that leaves
// a question open that nothing else has answered, the same is found out about A's own winding numbers; then the
// triangle is cut into cells by A and B, as far as the question takes (search.ts); and only where a line along an axis would
// enter a region of the kind that is looked for (entrances.ts).

import { type Contacts, contactsBetween, contactsWithin } from '../../contact/contact-signs.ts';
import {
  boxesShareNoVolume,
  cornersBox,
  cornersMeetBox,
  isOutside,
  placeCorners,
  type TriangleFinder,
  worldBox,
} from '../../contact/world.ts';
import type { Placed } from '../../engine.ts';
import { seededRandom } from '../../winding.ts';
import { copyOf } from '../copies.ts';
import type { Relation } from '../relation.ts';
import { rescaled } from '../rescaled.ts';
import { type Cell, exactMean, isInsideCell } from './cells/cell.ts';
import { type CellSample, Column } from './cells/column.ts';
import { CutFacet } from './cells/cut-facet.ts';
import { searchFacet } from './cells/search.ts';
import { WholeFrame } from './cells/whole-frame.ts';
import { crossingSamples } from './crossing-samples.ts';
import { Entrances } from './entrances.ts';
import { Facet } from './facet.ts';
import { both, everyKind, kindOf, onlyA, onlyOf, possible, possibleKinds, type Side } from './kinds.ts';
import { Difference } from './parts/difference.ts';
import { Parts } from './parts/parts.ts';
import { Probe, type Sides } from './probe.ts';
import { connectedRegions, without } from './regions.ts';
import { above, type Face, faces, Sheets } from './sheets.ts';

/** Triangles that do not meet the other body, connected to one another; or one triangle that does. */
interface Piece {
  readonly side: Side;
  readonly triangles: readonly number[];
  /** For a whole triangle that meets the other body: its index among those that do. */
  readonly touched: number | undefined;
  /** Kinds of cells that the piece might bound and that no sample of it has shown. */
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

const none = new Uint32Array(0);

/** Whether two solids whose surfaces do not meet have interior points in common. */
export const haveCommonInterior = (engine: TriangleFinder, a: Placed, b: Placed): boolean => {
  const [first, second] = rescaled(a, b);
  return new SolidPair(engine, first, second, none).haveCommonInterior();
};

class SolidPair {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  readonly #probe: Probe;
  readonly #triangles: Uint32Array;
  /** For each body, its triangles that meet the other, and the other's winding numbers along them. */
  #contacts!: readonly [Contacts, Contacts];
  #sheets!: readonly [Sheets, Sheets];
  /** For each kind of cell and body, its own winding numbers along the triangles that may bound such cells. */
  readonly #ownSheets = new Map<number, OwnSheets>();
  readonly #pieces: Piece[] = [];
  #frame: WholeFrame | undefined;
  #parts: readonly [Parts, Parts] | undefined;
  #differenceFound: Difference | undefined;
  #entrancesFound: Entrances | undefined;
  /** Facets that have been cut, by triangle, for each body. */
  readonly #columns = [new Map<number, Column>(), new Map<number, Column>()] as const;
  /** Kinds of cells known to exist. */
  #found = 0;

  constructor(engine: TriangleFinder, a: Placed, b: Placed, triangles: Uint32Array) {
    this.#engine = engine;
    this.#bodies = [a, b];
    this.#probe = new Probe(engine, a, b);
    this.#triangles = triangles;
  }

  relation(): Relation {
    if (this.#isCopy()) return 'coincident';
    if (!this.haveCommonInterior()) return this.#triangles.length > 0 ? 'touching' : 'separate';
    for (const side of [0, 1] as const) {
      if (this.#found === everyKind) return 'crossing';
      this.#settle(onlyOf(side));
      if (!(this.#found & onlyOf(side))) this.#lookOutside(side);
    }
    if (this.#found === everyKind) return 'crossing';
    if (this.#found === both) return 'coincident';
    return this.#found & onlyA ? 'contains' : 'inside';
  }

  haveCommonInterior(): boolean {
    const [a, b] = this.#bodies;
    this.#contacts = contactsBetween(a, b, this.#triangles);
    this.#sheets = [new Sheets(a, b, this.#contacts[0]), new Sheets(b, a, this.#contacts[1])];
    for (const side of [0, 1] as const) {
      this.#lookAtRegions(side);
      if (this.#found === everyKind) return true;
    }
    for (const side of [0, 1] as const) {
      this.#lookAtTouched(side);
      if (this.#found === everyKind) return true;
    }
    this.#settle(both);
    return (this.#found & both) !== 0;
  }

  /** Looks at both surfaces right beside places where they cross: most crossing solids show all kinds there. */
  crossAtSamples(): boolean {
    for (const { facet, u, v } of crossingSamples(this.#bodies, this.#triangles)) {
      const sides = this.#probe.at(facet, u, v);
      if (sides) this.#record(sides);
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
      if (facet.axis >= 0) this.#record(this.#lookAtWhole(facet, 0, t));
    }
    return (this.#found & both) !== 0;
  }

  /**
   * Looks once at each connected region of triangles that do not meet the other body. Triangles apart from its box
   * are left for `lookOutside`: cells in both bodies do not reach there.
   */
  #lookAtRegions(side: Side): void {
    const body = this.#bodies[side];
    const near = this.#engine.trianglesInBox(body, worldBox(this.#bodies[1 - side]));
    const { regions, regionOf } = connectedRegions(body, without(near, this.#contacts[side].triangles));
    const windings = regions.map(region => this.#lookAtTriangles(side, region));
    this.#noteCorners(side, vertex => windings[regionOf[vertex]]);
  }

  /** Looks at one triangle of a region, the first that is not degenerate: the other body's winding number. */
  #lookAtTriangles(side: Side, triangles: readonly number[]): number | undefined {
    for (const t of triangles) {
      const facet = this.#facet(side, t);
      if (facet.axis < 0) continue;
      const sides = this.#lookAtWhole(facet, side, t);
      const seen = this.#record(sides);
      const open = possible(side, sides) & ~seen;
      this.#pieces.push({ side, triangles, touched: undefined, open });
      return sides.above[1 - side];
    }
    return undefined;
  }

  /** Notes what is known about corners of triangles that meet the other body, where they do not: in regions, and outside its box. */
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
  #lookAtTouched(side: Side): void {
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
    return this.#sheets[side].windingAlong(i, face, at => this.#lookAlong(side, at, face)[1 - side]);
  }

  /** Both bodies' winding numbers at a point of a face of the i-th triangle that meets the other body. */
  #lookAlong(side: Side, i: number, face: Face): readonly [number, number] {
    const t = this.#contacts[side].triangles[i];
    const sides = this.#lookAtWhole(this.#facet(side, t), side, t);
    this.#record(sides);
    return face === above ? sides.above : sides.below;
  }

  /** Finds out more about a triangle that meets the other body and might bound a cell of some kind. */
  #lookCloser(piece: Piece, i: number, kind: number): void {
    const { side } = piece;
    const own = this.#ownAlong(side, kind);
    piece.open = 0;
    for (const face of faces) {
      const other = this.#otherAlong(side, i, face);
      const winding = own.sheets.windingAlong(
        own.indexOf.get(i)!,
        face,
        at => this.#lookAlong(side, own.touched[at], face)[side],
      );
      const kinds = possibleKinds(side, winding, other);
      if (winding !== undefined && other !== undefined) this.#found |= kinds;
      else piece.open |= kinds;
    }
    if (!(piece.open & kind) || this.#found & kind) return;
    this.#search(side, piece.triangles[0], kind);
    piece.open &= ~kind;
  }

  /** A body's own winding numbers along those of its touched triangles through which a region of some kind may be entered. */
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
      const sheets = new Sheets(body, body, contactsWithin(this.#engine, body, triangles));
      own = { touched, indexOf: new Map(touched.map((i, at) => [i, at])), sheets };
      this.#ownSheets.set(key, own);
    }
    return own;
  }

  /** Looks closer at pieces that might bound a cell of a kind that has not been found; that may add smaller ones. */
  #settle(kind: number): void {
    for (const piece of this.#pieces) {
      if (this.#found & kind) return;
      if (!(piece.open & kind)) continue;
      if (kind !== both && this.#difference.isZero) return;
      if (piece.touched !== undefined) {
        if (this.#entrances.faceOf(piece.side, piece.triangles[0], kind) !== undefined) {
          this.#lookCloser(piece, piece.touched, kind);
        }
        continue;
      }
      for (const t of piece.triangles) this.#search(piece.side, t, kind);
      piece.open &= ~kind;
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
      if (facet.axis >= 0) this.#record(this.#lookAtWhole(facet, side, t));
      if (this.#found & onlyOf(side)) return;
    }
    for (const t of apart) this.#search(side, t, onlyOf(side));
  }

  /** Looks for a region of a kind that a line of its entrances enters through a triangle, unless one has been found. */
  #search(side: Side, t: number, kind: number): void {
    if (this.#found & kind || (kind !== both && this.#difference.isZero)) return;
    const face = this.#entrances.faceOf(side, t, kind);
    if (face === undefined) return;
    let column = this.#columns[side].get(t);
    if (column === undefined) {
      const facet = this.#facet(side, t);
      if (facet.axis < 0) return;
      const cut = this.#cutFacet(side, t, facet);
      if (cut.cuts.length === 0) {
        this.#record(this.#lookAtWhole(facet, side, t));
        return;
      }
      column = this.#columnOf(cut);
      this.#columns[side].set(t, column);
    }
    const { cut } = column;
    const own = this.#entrances.isForBoth(side, t) ? undefined : side;
    searchFacet(cut, this.#bothParts, this.#difference, kind, face, own, cell => {
      const look = this.#sampleCell(column, cell);
      this.#record(look.sides);
      return this.#found & kind ? undefined : look;
    });
  }

  get #difference(): Difference {
    return (this.#differenceFound ??= new Difference(this.#bodies));
  }

  get #entrances(): Entrances {
    return (this.#entrancesFound ??= new Entrances(this.#bodies, this.#bothParts, this.#difference));
  }

  get #bothParts(): readonly [Parts, Parts] {
    const [a, b] = this.#bodies;
    return (this.#parts ??= [new Parts(a), new Parts(b)]);
  }

  #columnOf(cut: CutFacet): Column {
    return new Column(this.#engine, this.#bodies, cut);
  }

  /** A triangle with all that cuts it, of its own body and of the other. */
  #cutFacet(side: Side, t: number, facet: Facet): CutFacet {
    this.#frame ??= new WholeFrame(this.#bodies);
    const cut = new CutFacet(facet, side, t, this.#bodies, this.#bothParts, this.#frame);
    const box = cornersBox(facet.p, 0);
    for (const body of [0, 1] as const) {
      const placed = this.#bodies[body];
      const triangles = body === side ? this.#engine.trianglesInBox(placed, box) : this.#partnersOf(side, t);
      const corners = new Float64Array(9 * triangles.length);
      for (let i = 0; i < triangles.length; i++) {
        if (body === side && triangles[i] === t) continue;
        placeCorners(placed, triangles[i], corners, 9 * i);
        const changes = this.#difference.changes[body][triangles[i]];
        if (changes !== 0 && cornersMeetBox(corners, 9 * i, box)) {
          cut.add(body, triangles[i], corners, 9 * i, changes, this.#difference.places[body][triangles[i]]);
        }
      }
    }
    return cut;
  }

  /** Triangles of the other body that a triangle meets. */
  #partnersOf(side: Side, t: number): Uint32Array {
    const { triangles, starts, partners } = this.#contacts[side];
    const i = triangles.indexOf(t);
    return i < 0 ? none : partners.subarray(starts[i], starts[i + 1]);
  }

  #facet(side: Side, t: number): Facet {
    const corners = new Float64Array(9);
    placeCorners(this.#bodies[side], t, corners, 0);
    return new Facet(corners);
  }

  /** Both sides of a body's triangle t, uncut, at a point inside it. */
  #lookAtWhole(facet: Facet, side: Side, t: number): Sides {
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
    this.#frame ??= new WholeFrame(this.#bodies);
    const cut = new CutFacet(facet, side, t, this.#bodies, this.#bothParts, this.#frame);
    return this.#sampleCell(this.#columnOf(cut), cut.whole()).sides;
  }

  /** The same for a cell: at a double point if one can be found in it, else at an exact one. */
  #sampleCell(column: Column, cell: Cell): CellSample {
    const { cut } = column;
    const { view } = cut;
    const { corners } = cell;
    const random = seededRandom();
    for (let attempt = 0; attempt < doubleAttempts; attempt++) {
      let [x, y, sum] = [0, 0, 0];
      for (const corner of corners) {
        const weight = 1 + random();
        x += weight * corner.x;
        y += weight * corner.y;
        sum += weight;
      }
      const spot = view.spotAt(x / sum, y / sum);
      if (!Number.isFinite(spot.x) || !Number.isFinite(spot.y)) break;
      if (!isInsideCell(view, cell, spot)) continue;
      const sample = column.at(spot);
      if (sample) return sample;
    }
    while (true) {
      const weights = corners.map(() => BigInt(1 + Math.floor(1000 * random())));
      const sample = column.at(exactMean(view, cell, weights));
      if (sample) return sample;
    }
  }

  /** Notes the kinds of cells on both sides of a piece of a body's surface, and returns them. */
  #record({ above, below }: Sides): number {
    const seen = kindOf(above[0] !== 0, above[1] !== 0) | kindOf(below[0] !== 0, below[1] !== 0);
    this.#found |= seen;
    return seen;
  }
}

/** How often a double point inside a cell is tried before exact ones are. */
const doubleAttempts = 8;

/** A body's own winding numbers along some of its triangles that meet the other body. */
interface OwnSheets {
  readonly sheets: Sheets;
  /** Their indices among those that do, and their place in this list by index. */
  readonly touched: readonly number[];
  readonly indexOf: ReadonlyMap<number, number>;
}
