// How deep do two solids overlap that are unions of convex ones? For the case that doubles leave the bracket open: the
// search of search.ts, with differences of pieces made in integers (exact-hull.ts). Their planes become doubles only at
// the end. No translation of interest is longer than `within`, the shortest known to separate. So a plane whose normal
// is rounded by 2^-52 is off by less than 2^-50 of that, and its height, if it is no larger, by 2^-49. Planes are
// lowered by 2^-48 of it, however large the solids are. Lengths are divided by a power of two near `within`, so that
// squares neither overflow nor underflow.

import { Frontier, mostPlanes, type Plane, type Region } from '../bounds/frontier.ts';
import { awayFrom } from '../bounds/upper.ts';
import { type OverlappingPair, onGrid, type SeparatingTranslation } from '../overlapping-pair.ts';
import { type Corners, cellOf, coreOf, type StarSolid } from './core.ts';
import { inWorld } from './depth.ts';
import { hullOf } from './exact-hull.ts';
import { finer, lengthOf, minus } from './integer-points.ts';

/** A piece of each solid: bounds of their difference, and its planes once they are needed. */
interface Pair {
  readonly p: Corners;
  readonly q: Corners;
  readonly low: readonly number[];
  readonly high: readonly number[];
  planes: readonly Plane[] | undefined;
}

/** Cells of a shell with more faces than this are too many. */
const mostCells = 24;
const mostPairs = 400;
/** The most planes and points visited in all. */
const mostWork = 400_000;
/** If a translation nearly separates the two, one up to this share longer is tried. */
const nearly = 0.05;
/** A translation that is longer than the shortest open one by less than this share is good enough. */
const nearEnough = 1e-6;
/** How far another translation must keep clear, as a share of its length (search.ts). */
const clearBy = 2 ** -20;

/** The better of what is known and what the search finds; `lower` is in the world. */
export function searchUnion(
  overlap: OverlappingPair,
  shells: { readonly a: readonly StarSolid[]; readonly b: readonly StarSolid[] },
  bits: number,
  known: SeparatingTranslation,
): { lower: number; best: SeparatingTranslation } {
  const scale = 2 ** -Math.round(Math.log2(known.worldLength));
  const within = known.worldLength * scale;
  const pairs = pairsOf(piecesOf(shells.a), piecesOf(shells.b), bits, scale);
  const planesOfPair = (pair: Pair): readonly Plane[] =>
    (pair.planes ??= planesOf(pair, bits, scale, within));
  const { lower, open } = shortestOpen(pairs, planesOfPair, within, within, 0);
  let best = known;
  if (open !== undefined) {
    const offer = (region: Region): void => {
      const separating = separatingNear(overlap, region, scale, within);
      if (separating !== undefined && separating.worldLength < best.worldLength) best = separating;
    };
    offer(open);
    // It may lead along faces that are flush except for rounding: then a translation that keeps clear of all
    // differences is taken.
    if (best.worldLength * scale > (1 + nearEnough) * open.length) {
      const clear = shortestOpen(
        pairs,
        planesOfPair,
        best.worldLength * scale,
        within,
        clearBy * open.length,
      );
      if (clear.open !== undefined) offer(clear.open);
    }
  }
  return { lower: (lower / scale) * (1 - 2 ** -48), best };
}

/**
 * The shortest translation that lies in no difference, if one was found within the allowed work; none shorter than
 * `lower` does. Differences may be enlarged by `more` on all sides.
 */
function shortestOpen(
  pairs: readonly Pair[],
  planesOfPair: (pair: Pair) => readonly Plane[],
  limit: number,
  within: number,
  more: number,
): { lower: number; open: Region | undefined } {
  const frontier = new Frontier();
  const numbered = new Map<Pair, Plane[]>();
  let lower = 0;
  let planeCount = 0;
  for (let work = 0; work < mostWork; ) {
    const { nearest, floor } = frontier;
    if (nearest === undefined || nearest.length > floor) break;
    let planes: Plane[] | undefined;
    const pair = pairs.find(candidate => {
      if (!mayHold(candidate, nearest, more)) return false;
      planes = numbered.get(candidate);
      if (planes === undefined) {
        if (candidate.planes === undefined)
          work += 50 * candidate.p.corners.length * candidate.q.corners.length;
        planes = planesOfPair(candidate).map(plane => ({
          ...plane,
          height: plane.height + more,
          number: planeCount + plane.number,
        }));
        planeCount += planes.length;
        numbered.set(candidate, planes);
      }
      work += planes.length;
      return holds(planes, nearest, 2 ** -44 * within);
    });
    if (planeCount > mostPlanes) break;
    if (pair === undefined) return { lower, open: nearest };
    work += frontier.divide(planes!, limit);
    lower = Math.max(lower, Math.min(frontier.nearest?.length ?? Infinity, frontier.floor, limit));
  }
  return { lower, open: undefined };
}

/** Convex sets whose union is a solid. For a shell with many bent faces, only the largest set. */
const piecesOf = (shells: readonly StarSolid[]): Corners[] =>
  shells.flatMap(shell => {
    const faces = shell.isBent && shell.sides.length <= mostCells ? shell.sides.map((_, i) => i) : [];
    return [coreOf(shell), ...faces.map(face => cellOf(shell, face))].flatMap(piece =>
      piece ? [piece] : [],
    );
  });

function pairsOf(a: readonly Corners[], b: readonly Corners[], bits: number, scale: number): Pair[] {
  const [boxesA, boxesB] = [a, b].map(pieces => pieces.map(piece => boxOf(piece, bits, scale)));
  const pairs: Pair[] = [];
  a.forEach((p, i) => {
    b.forEach((q, j) => {
      const low = boxesA[i].low.map((x, axis) => x - boxesB[j].high[axis]);
      const high = boxesA[i].high.map((x, axis) => x - boxesB[j].low[axis]);
      if (pairs.length < mostPairs) pairs.push({ p, q, low, high, planes: undefined });
    });
  });
  return pairs;
}

function boxOf({ corners, digits }: Corners, bits: number, scale: number): { low: number[]; high: number[] } {
  const ends = [0, 1, 2].map(axis => corners.map(({ near }) => inWorld(near[axis], bits + digits) * scale));
  return { low: ends.map(values => Math.min(...values)), high: ends.map(values => Math.max(...values)) };
}

const mayHold = ({ low, high }: Pair, { x, y, z }: Region, more: number): boolean =>
  low[0] - more <= x &&
  x <= high[0] + more &&
  low[1] - more <= y &&
  y <= high[1] + more &&
  low[2] - more <= z &&
  z <= high[2] + more;

const holds = (planes: readonly Plane[], { x, y, z }: Region, slack: number): boolean =>
  planes.every(n => n.height - (n.x * x + n.y * y + n.z * z) > slack);

/** The planes of the facets of P − Q, each once, as doubles, numbered from 0 on. */
function planesOf({ p, q }: Pair, bits: number, scale: number, within: number): Plane[] {
  const digits = Math.max(p.digits, q.digits);
  const [cornersP, cornersQ] = [finer(p.corners, digits - p.digits), finer(q.corners, digits - q.digits)];
  const points = cornersP.flatMap(u => cornersQ.map(v => minus(u, v)));
  const planes: Plane[] = [];
  const seen = new Set<string>();
  for (const { normal, distance } of hullOf(points)) {
    const length = lengthOf(normal);
    const [x, y, z] = normal.near.map(value => value / length);
    const exact = inWorld(distance, bits + digits) * scale;
    const height = exact - 2 ** -47 * Math.abs(exact) - 2 ** -48 * within;
    // Facets of one plane have the same normal except for rounding: among those that round alike one is enough.
    const key = `${x} ${y} ${z}`;
    if (seen.has(key)) continue;
    seen.add(key);
    planes.push({ x, y, z, height, number: planes.length });
  }
  return planes;
}

/**
 * Moves beyond the planes that hold a translation, by at least what rounding may take back; or to a place with few
 * binary digits.
 */
function separatingNear(
  overlap: OverlappingPair,
  { x, y, z, length, planes }: Region,
  scale: number,
  within: number,
): SeparatingTranslation | undefined {
  const push = awayFrom(planes);
  if (push === undefined) return undefined;
  const first = 2 ** -46 * within;
  for (let step = first; step < nearly * length; step *= 8) {
    const beyond = Float64Array.of(
      (x + step * push[0]) / scale,
      (y + step * push[1]) / scale,
      (z + step * push[2]) / scale,
    );
    const separating = overlap.separatingBy(beyond);
    if (separating !== undefined) return separating;
    if (step > first) continue;
    const fitting = overlap.separatingBy(onGrid(beyond, (2 ** -42 * within) / scale));
    if (fitting !== undefined) return fitting;
  }
  return undefined;
}
