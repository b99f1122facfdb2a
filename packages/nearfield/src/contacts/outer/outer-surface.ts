// Which parts of a body's surface bound its solid? A solid is the points of nonzero winding number, so a part counts if
// the winding number is zero on exactly one of its sides. Walls inside a solid that overlaps itself do not count,
// coincident sheets count once, and triangles may face inwards.
//
// In most meshes everything counts, and they are used as they are. Otherwise triangles are cut into cells by the
// triangles of the same mesh that they meet, exactly. The winding number on both sides of each cell says whether it
// counts, and the cells that count are made into a new mesh.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import { PointNumbers } from '../../interferences/curves/point-numbers.ts';
import { Facet } from '../../interferences/relation/solids/facet.ts';
import type { Sides } from '../../interferences/relation/solids/probe.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { type Homogeneous, mix, pointAt, samePoint, turn } from '../../math/exact/rational.ts';
import { identity } from '../../math/pose.ts';
import { type Corners, holdsPoint } from '../../math/triangles/triangle-contact.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { type Mesh, mesh, type Positions } from '../../mesh/mesh.ts';
import { isFarFromOne, measuringScale, scaledBody } from '../scale.ts';
import { CellSides } from './cell-sides.ts';
import { type Cell, type Cut, cutCells, findCuts, wholeCell } from './exact-cells.ts';
import { type SelfFinder, selfPartners } from './self-partners.ts';
import { triangulated } from './triangulated.ts';

/**
 * When a triangle of a cut mesh is only approximately the part of the given triangle that it represents. Never, if it
 * is that triangle and no other meets it. If others cut it or lie on it: when placing the mesh in the world rounds.
 * Always, if cutting it rounded a corner.
 */
export const Rounding = { never: 0, whenPlaced: 1, always: 2 } as const;
export type Rounding = (typeof Rounding)[keyof typeof Rounding];

/** The surface of a solid, in the coordinates of the mesh. */
export interface OuterSurface {
  /**
   * The mesh itself with 1 or −1 for triangles that face outwards or inwards, or a new mesh whose triangles face
   * outwards.
   */
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly outward: 1 | -1;
  /** Whether there is any surface: a closed mesh of sheets folded upon themselves bounds nothing. */
  readonly bounds: boolean;
  /** Per triangle, the given mesh's triangle; undefined if it is the mesh itself. */
  readonly originals: Uint32Array | undefined;
  /** Per triangle of a new mesh, whether it is only approximately the part of the given one that it represents. */
  readonly rounding?: Uint8Array;
  /**
   * Whether parts of the mesh do not count, or coincide with others, and no mesh of doubles has only the parts that
   * count (folded.ts).
   */
  readonly folded: boolean;
}

const known = new WeakMap<Positions, { readonly of: Mesh; readonly outer: OuterSurface }>();

/** The surface of a solid body, kept as long as its positions. */
export function outerSurface(engine: SelfFinder, { shape }: Placed): OuterSurface {
  let found = known.get(shape.positions);
  if (found?.of !== shape.mesh) {
    const body = { shape, pose: identity(), poseRevision: 0 };
    const scale = measuringScale(body);
    const scaled = isFarFromOne(scale) ? scaledBody(body, scale) : undefined;
    const search = scaled ? new OuterSearch(engine, scaled, scale) : new OuterSearch(engine, body);
    found = { of: shape.mesh, outer: search.find() };
    known.set(shape.positions, found);
  }
  return found.outer;
}

/**
 * Which side of a piece is in the solid: 1 below it, as for a triangle that faces outwards; −1 above it; 0 both or
 * neither.
 */
type Facing = -1 | 0 | 1;
const facingOf = ({ above, below }: Sides): Facing =>
  (above[0] === 0) === (below[0] === 0) ? 0 : above[0] === 0 ? 1 : -1;

const nothing = 'nothing';

/** The part of each triangle, from 0, and how many parts there are. */
interface PartNumbers {
  readonly partOf: Int32Array;
  readonly count: number;
}

/** Parts of a mesh that are connected through edges of two triangles, without triangles that meet others. */
function findParts({ edges, triangleCount }: Mesh, partners: ReadonlyMap<number, unknown>): PartNumbers {
  const sets = new DisjointSets(triangleCount);
  for (let edge = 0; edge < edges.count; edge++) {
    const start = edges.start[edge];
    if (edges.start[edge + 1] !== start + 2) continue;
    const [t, u] = [edges.triangles[start], edges.triangles[start + 1]];
    if (!partners.has(t) && !partners.has(u)) sets.join(t, u);
  }
  const numbers = new Int32Array(triangleCount).fill(-1);
  const partOf = new Int32Array(triangleCount);
  let count = 0;
  for (let t = 0; t < triangleCount; t++) {
    const root = sets.find(t);
    if (numbers[root] < 0) numbers[root] = count++;
    partOf[t] = numbers[root];
  }
  return { partOf, count };
}

const knownParts = new WeakMap<Mesh, PartNumbers>();

/** The same if no triangle meets others: it depends only on the mesh, not on where its vertices are moved to. */
function partsOf(mesh: Mesh): PartNumbers {
  let parts = knownParts.get(mesh);
  if (parts === undefined) knownParts.set(mesh, (parts = findParts(mesh, new Map())));
  return parts;
}

class OuterSearch {
  readonly #engine: SelfFinder;
  readonly #body: Placed;
  readonly #mesh: Mesh;
  readonly #scale: number;
  readonly #sides: CellSides;
  readonly #numbers = new PointNumbers();
  /** A triangle at 0, another at 9. */
  readonly #p = new Float64Array(18);

  /** The body's positions are those of the mesh times a power of two. */
  constructor(engine: SelfFinder, body: Placed, scale = 1) {
    this.#engine = engine;
    this.#scale = scale;
    this.#body = body;
    this.#mesh = body.shape.mesh;
    this.#sides = new CellSides(engine, body, body);
  }

  find(): OuterSurface {
    const partners = selfPartners(this.#engine, this.#body);
    const { positions } = this.#body.shape;
    const itself = { mesh: this.#mesh, positions, originals: undefined, folded: false };
    const { facings, found } = this.#facingsOfParts(partners);
    if (partners.size === 0 && found.size <= 1 && !found.has(0)) {
      return { ...itself, bounds: found.size > 0, outward: found.has(-1) ? -1 : 1 };
    }
    const cut = this.#cut(partners, facings);
    if (cut === nothing) return { ...itself, bounds: false, outward: 1 };
    return cut ?? { ...itself, bounds: true, outward: 1, folded: true };
  }

  #facet(t: number): Facet {
    const corners = new Float64Array(9);
    placeCorners(this.#body, t, corners, 0);
    return new Facet(corners);
  }

  /**
   * For each triangle that meets no other, which side is in the solid, 0 for others; and which of these there are,
   * without triangles of no area. Along an edge of two such triangles nothing else is near, so triangles connected
   * through such edges have the same side: only one of them is examined.
   */
  #facingsOfParts(partners: ReadonlyMap<number, unknown>): { facings: Int8Array; found: Set<Facing> } {
    const { partOf, count } = partners.size === 0 ? partsOf(this.#mesh) : findParts(this.#mesh, partners);
    const known = new Int8Array(count);
    const isSeen = new Uint8Array(count);
    const found = new Set<Facing>();
    let left = count;
    for (let t = 0; t < partOf.length && left > 0; t++) {
      const part = partOf[t];
      if (isSeen[part] === 1 || partners.has(t)) continue;
      const facet = this.#facet(t);
      if (facet.axis < 0) continue;
      const facing = facingOf(this.#sides.at(facet, wholeCell(facet)));
      found.add(facing);
      known[part] = facing;
      isSeen[part] = 1;
      left--;
    }
    const facings = new Int8Array(partOf.length);
    for (let t = 0; t < facings.length; t++) facings[t] = partners.has(t) ? 0 : known[partOf[t]];
    return { facings, found };
  }

  /**
   * The mesh of everything that counts, or `nothing`. Undefined if rounding its corners leaves it open, for example
   * because different points are rounded to one, or makes it cross itself.
   */
  #cut(
    partners: ReadonlyMap<number, readonly number[]>,
    facings: Int8Array,
  ): OuterSurface | typeof nothing | undefined {
    const polygons: { readonly corners: number[]; readonly triangle: number }[] = [];
    const keep = (corners: number[], facing: Facing, triangle: number): void => {
      if (facing !== 0) polygons.push({ corners: facing > 0 ? corners : corners.reverse(), triangle });
    };
    for (let t = 0; t < facings.length; t++) {
      const others = partners.get(t);
      const facet = this.#facet(t);
      if (facet.axis < 0) continue;
      if (!others) {
        keep(
          [0, 3, 6].map(i => this.#numbers.ofDoubles(facet.p, i)),
          facings[t] as Facing,
          t,
        );
        continue;
      }
      const cuts: Cut[] = [];
      for (const other of others) {
        placeCorners(this.#body, other, this.#p, 0);
        findCuts(facet, this.#p.slice(0, 9), cuts);
      }
      for (const cell of cutCells(facet, [wholeCell(facet)], cuts)) {
        if (this.#isCoveredBefore(t, others, facet, mix(cell.corners))) continue;
        const corners = cell.corners.map(corner => this.#numbers.ofExact(corner));
        // Cells run in either direction.
        const forward = this.#runsForward(facet, cell);
        keep(forward ? corners : corners.reverse(), facingOf(this.#sides.at(facet, cell)), t);
      }
    }
    return polygons.length === 0 ? nothing : this.#meshOf(polygons, partners);
  }

  /**
   * Tells whether a cell runs around the facet's normal as the facet does: by its first corner that is not on a line.
   */
  #runsForward(facet: Facet, { corners }: Cell): boolean {
    for (let i = 2; i < corners.length; i++) {
      const side = turn(facet.along, corners[0], corners[i - 1], corners[i]);
      if (side !== 0) return side === facet.turn;
    }
    return true;
  }

  /** Tells whether a triangle of lower index lies in the same plane over a point. */
  #isCoveredBefore(t: number, others: readonly number[], facet: Facet, point: Homogeneous): boolean {
    return others.some(other => {
      if (other > t) return false;
      const { corners, p } = this.#facet(other);
      const inPlane = [0, 3, 6].every(i => {
        this.#p.set(facet.p, 0);
        this.#p.set(p.subarray(i, i + 3), 9);
        return orient3dAt(this.#p, 0, 3, 6, 9) === 0;
      });
      return inPlane && holdsPoint(corners as Corners, point);
    });
  }

  #meshOf(
    polygons: readonly { readonly corners: number[]; readonly triangle: number }[],
    partners: ReadonlyMap<number, unknown>,
  ): OuterSurface | undefined {
    const vertexOf = new Map<number, number>();
    const positions: number[] = [];
    const indices: number[] = [];
    const originals: number[] = [];
    const rounding: Rounding[] = [];
    const exactly = new Map<number, boolean>();
    const isExact = (number: number): boolean => {
      let exact = exactly.get(number);
      if (exact === undefined) {
        const near = this.#unscaled(number).map(x => x * this.#scale);
        exact = this.#numbers.isDouble(number) || samePoint(this.#numbers.exact(number), pointAt(near, 0));
        exactly.set(number, exact);
      }
      return exact;
    };
    const vertex = (number: number): number => {
      let at = vertexOf.get(number);
      if (at === undefined) {
        vertexOf.set(number, (at = positions.length / 3));
        positions.push(...this.#unscaled(number));
      }
      return at;
    };
    const outlines = polygons.map(({ corners }) => corners);
    triangulated(outlines, this.#numbers, (polygon, a, b, c) => {
      indices.push(vertex(a), vertex(b), vertex(c));
      const { triangle } = polygons[polygon];
      if (!(isExact(a) && isExact(b) && isExact(c))) rounding.push(Rounding.always);
      else rounding.push(partners.has(triangle) ? Rounding.whenPlaced : Rounding.never);
      originals.push(triangle);
    });
    const made = mesh(Float64Array.from(positions), Uint32Array.from(indices));
    if (!made.solid || !this.#isSimple(made)) return undefined;
    return {
      mesh: made,
      positions: made.positions,
      outward: 1,
      bounds: true,
      originals: Uint32Array.from(originals),
      rounding: Uint8Array.from(rounding),
      folded: false,
    };
  }

  /** The position of a point in the mesh. */
  #unscaled(number: number): number[] {
    return Array.from(this.#numbers.coordinates(number), x => x / this.#scale);
  }

  /** Tells whether no triangles of a mesh meet except in common corners and sides, and all face outwards. */
  #isSimple(made: Mesh): boolean {
    const shape = { mesh: made, positions: made.positions, revision: 0 };
    const own = { shape, pose: identity(), poseRevision: 0 };
    const body = this.#scale === 1 ? own : (scaledBody(own, this.#scale) ?? own);
    try {
      if (selfPartners(this.#engine, body).size > 0) return false;
      const { found } = new OuterSearch(this.#engine, body).#facingsOfParts(new Map());
      return found.size === 1 && found.has(1);
    } finally {
      this.#engine.forget?.(shape);
    }
  }
}
