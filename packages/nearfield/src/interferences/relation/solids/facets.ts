// Examines triangles of two bodies: whole, at a point inside, or cut by all other triangles, cell by cell. What cutting
// needs (parts, differences, whole numbers) is computed when first needed.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { cornersBox, cornersMeetBox, placeCorners } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import { seededRandom } from '../../../inside/winding.ts';
import type { Partners } from '../../curves/contact-signs.ts';
import { PlaneSigns } from '../../curves/plane-signs.ts';
import { type Cell, exactMean, isInsideCell } from './cells/cell.ts';
import { type CellSample, Column } from './cells/column.ts';
import { CutFacet } from './cells/cut-facet.ts';
import { Facet } from './facet.ts';
import type { Side } from './kinds.ts';
import { Difference } from './parts/difference.ts';
import { Parts } from './parts/parts.ts';
import { Probe, type Sides } from './probe.ts';

const none = new Uint32Array(0);

/** How many points in doubles are tried inside a cell before exact points. */
const doubleAttempts = 8;

export class Facets {
  readonly probe: Probe;
  /** Per body, its triangles that meet the other body. Set this before any triangle is cut. */
  contacts: readonly [Partners, Partners] | undefined;
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  #planes: PlaneSigns | undefined;
  #parts: readonly [Parts, Parts] | undefined;
  #difference: Difference | undefined;
  /** Per body, the facets that have been cut, by triangle. */
  readonly #columns = [new Map<number, Column>(), new Map<number, Column>()] as const;

  constructor(engine: TriangleFinder, bodies: readonly [Placed, Placed]) {
    this.#engine = engine;
    this.#bodies = bodies;
    this.probe = new Probe(engine, bodies[0], bodies[1]);
  }

  get planes(): PlaneSigns {
    return (this.#planes ??= new PlaneSigns(this.#bodies));
  }

  get parts(): readonly [Parts, Parts] {
    const [a, b] = this.#bodies;
    return (this.#parts ??= [new Parts(a), new Parts(b)]);
  }

  get difference(): Difference {
    return (this.#difference ??= new Difference(this.#bodies, this.planes));
  }

  facet(side: Side, t: number): Facet {
    const corners = new Float64Array(9);
    placeCorners(this.#bodies[side], t, corners, 0);
    return new Facet(corners);
  }

  /** The winding numbers on both sides of a body's triangle t, uncut, at a point inside it. */
  sampleWhole(facet: Facet, side: Side, t: number): Sides {
    const { p } = facet;
    const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
    const random = seededRandom();
    for (let attempt = 0; attempt < doubleAttempts; attempt++) {
      const [r, s] = [0.2 + 0.3 * random(), 0.2 + 0.3 * random()];
      const x = p[u] + r * (p[3 + u] - p[u]) + s * (p[6 + u] - p[u]);
      const y = p[v] + r * (p[3 + v] - p[v]) + s * (p[6 + v] - p[v]);
      if (!facet.holdsProjection(x, y)) continue;
      const sides = this.probe.at(facet, x, y);
      if (sides) return sides;
    }
    const cut = this.#uncut(side, t, facet);
    return sampleCell(new Column(this.#engine, this.#bodies, cut), cut.whole()).sides;
  }

  /** A triangle with everything that cuts it and lies over it; undefined if nothing cuts it or it is degenerate. */
  column(side: Side, t: number): Column | undefined {
    let column = this.#columns[side].get(t);
    if (column === undefined) {
      const facet = this.facet(side, t);
      if (facet.axis < 0) return undefined;
      const cut = this.#cutFacet(side, t, facet);
      if (cut.cuts.length === 0) return undefined;
      column = new Column(this.#engine, this.#bodies, cut);
      this.#columns[side].set(t, column);
    }
    return column;
  }

  #uncut(side: Side, t: number, facet: Facet): CutFacet {
    return new CutFacet(facet, side, t, this.#bodies, this.parts, this.planes, this.planes.frame);
  }

  /** A triangle with everything that cuts it, from its own body and from the other. */
  #cutFacet(side: Side, t: number, facet: Facet): CutFacet {
    const cut = this.#uncut(side, t, facet);
    const box = cornersBox(facet.p, 0);
    for (const body of [0, 1] as const) {
      const placed = this.#bodies[body];
      const triangles = body === side ? this.#engine.trianglesInBox(placed, box) : this.#partnersOf(side, t);
      const corners = new Float64Array(9 * triangles.length);
      for (let i = 0; i < triangles.length; i++) {
        if (body === side && triangles[i] === t) continue;
        placeCorners(placed, triangles[i], corners, 9 * i);
        const changes = this.difference.changes[body][triangles[i]];
        if (changes !== 0 && cornersMeetBox(corners, 9 * i, box)) {
          cut.add(body, triangles[i], corners, 9 * i, changes, this.difference.places[body][triangles[i]]);
        }
      }
    }
    return cut;
  }

  /** The triangles of the other body that a triangle meets. */
  #partnersOf(side: Side, t: number): Uint32Array {
    if (!this.contacts) return none;
    const { triangles, starts, partners } = this.contacts[side];
    const i = triangles.indexOf(t);
    return i < 0 ? none : partners.subarray(starts[i], starts[i + 1]);
  }
}

/**
 * The winding numbers on both sides of a cell of a facet, at a point whose weights are doubles if one is found in it, else
 * at an exact point.
 */
export function sampleCell(column: Column, cell: Cell): CellSample {
  const { view } = column.cut;
  const { corners } = cell;
  const random = seededRandom();
  for (let attempt = 0; attempt < doubleAttempts; attempt++) {
    let [w0, w1, w2] = [0, 0, 0];
    for (const { near } of corners) {
      const weight = 1 + random();
      w0 += weight * near[0];
      w1 += weight * near[1];
      w2 += weight * near[2];
    }
    if (!(w0 > 0 && w1 > 0 && w2 > 0)) break;
    const spot = view.sample(w0, w1, w2);
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
