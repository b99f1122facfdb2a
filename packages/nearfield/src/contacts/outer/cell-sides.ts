// What is on the two sides of a cell of a triangle? Winding numbers are the same at all its points. They are computed
// at a point of doubles that is certainly inside, if there is one, else at an exact point.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { seededRandom } from '../../inside/winding.ts';
import type { Facet } from '../../interferences/relation/solids/facet.ts';
import { Probe, type Sides } from '../../interferences/relation/solids/probe.ts';
import type { Homogeneous } from '../../math/exact/rational.ts';
import { planeThrough, pointAt, sideOf, toDoubles, turn, weightedMix } from '../../math/exact/rational.ts';
import type { Cell } from './exact-cells.ts';

/** How many points in doubles are tried: a line through a point may meet an edge. */
const attempts = 4;

export class CellSides {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  readonly #probe: Probe;
  readonly #random = seededRandom();

  constructor(engine: TriangleFinder, a: Placed, b: Placed) {
    this.#engine = engine;
    this.#bodies = [a, b];
    this.#probe = new Probe(engine, a, b);
  }

  /** The winding numbers of both bodies. */
  at(facet: Facet, cell: Cell): Sides {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const point = doublesInside(facet, cell, this.#weights(cell));
      if (!point) break;
      const sides = this.#probe.at(facet, point[0], point[1]);
      if (sides) return sides;
    }
    while (true) {
      const point = weightedMix(cell.corners, this.#weights(cell));
      const [a, b] = this.#bodies.map(body => sidesAt(this.#engine, body, facet, point));
      if (a && b) return { above: [a[0], b[0]], below: [a[1], b[1]] };
    }
  }

  /** Different weights at each call. */
  #weights({ corners }: Cell): number[] {
    return corners.map(() => 1 + Math.floor(1000 * this.#random()));
  }
}

/**
 * The mean of a cell's corners in doubles, seen along the facet's axis, if it certainly lies strictly inside the cell:
 * on the same side of all its sides. Corners are off by 2^-51 of their size, so a product of two differences is off by
 * 2^-49 of the size times their lengths, and by its own roundings: 2^-46 is more than all of them.
 */
function doublesInside(
  { axis }: Facet,
  { near }: Cell,
  weights: readonly number[],
): readonly [number, number] | undefined {
  const [u, v] = [axis === 2 ? 0 : axis + 1, axis === 0 ? 2 : axis - 1];
  let [x, y, total, size] = [0, 0, 0, 0];
  for (let i = 0; i < near.length; i++) {
    x += weights[i] * near[i][u];
    y += weights[i] * near[i][v];
    total += weights[i];
    size = Math.max(size, Math.abs(near[i][u]), Math.abs(near[i][v]));
  }
  x /= total;
  y /= total;
  let side = 0;
  for (let i = 0; i < near.length; i++) {
    const [from, to] = [near[i], near[i + 1 < near.length ? i + 1 : 0]];
    const [du, dv, eu, ev] = [to[u] - from[u], to[v] - from[v], x - from[u], y - from[v]];
    const value = du * ev - dv * eu;
    const length = Math.abs(du) + Math.abs(dv) + Math.abs(eu) + Math.abs(ev);
    const bound = 2 ** -46 * size * (length + 2 ** -46 * size) + 2 ** -1000;
    if (!(Math.abs(value) > bound) || value * side < 0) return undefined;
    side = value;
  }
  return [x, y];
}

const pair = new Float64Array(9);

/**
 * The winding numbers of a body on both sides of a facet at an exact point strictly inside it; undefined if the line
 * along the facet's axis meets an edge there, or a triangle that crosses the facet.
 */
function sidesAt(
  engine: TriangleFinder,
  body: Placed,
  facet: Facet,
  point: Homogeneous,
): readonly [above: number, below: number] | undefined {
  const { axis, along } = facet;
  const near = toDoubles(point);
  const direction = [0, 0, 0];
  direction[axis] = 1;
  // The rounded point is off by at most half a unit in the last place.
  const slack = 2 ** -50 * Math.max(...near.map(Math.abs)) + Number.MIN_VALUE;
  let beyond = 0;
  let here = 0;
  for (const t of engine.trianglesOnRay(body, near, direction, slack)) {
    placeCorners(body, t, pair, 0);
    if (isSeenAsPoint((axis + 1) % 3, (axis + 2) % 3)) continue;
    const [a, b, c] = [pointAt(pair, 0), pointAt(pair, 3), pointAt(pair, 6)];
    const turns = [turn(along, a, b, point), turn(along, b, c, point), turn(along, c, a, point)];
    if (turns.includes(1) && turns.includes(-1)) continue;
    if (turns.includes(0)) return undefined;
    // Below a triangle means before it if its normal leads forward, and behind it if its normal leads back.
    const ahead = sideOf(planeThrough(a, b, c), point) * turns[0];
    if (ahead === 0) {
      if ([a, b, c].some(corner => sideOf(facet.plane, corner) !== 0)) return undefined;
      here += turns[0];
    } else if (ahead > 0) beyond += turns[0];
  }
  return facet.turn > 0 ? [beyond, beyond + here] : [beyond + here, beyond];
}

/** A triangle that is seen as a point has no line beside it and bounds nothing. */
const isSeenAsPoint = (u: number, v: number): boolean =>
  pair[u] === pair[3 + u] && pair[u] === pair[6 + u] && pair[v] === pair[3 + v] && pair[v] === pair[6 + v];
