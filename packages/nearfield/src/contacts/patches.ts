// The patches of two placed bodies: their common parts as solids, the places where they lie flat on one another, and
// all other touching. Only the surface that bounds a solid counts (outer/).

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { worldBox } from '../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../bvh/cpu/walk/finder.ts';
import { toEnd } from '../core/waiting.ts';
import { windingNumber } from '../inside/winding.ts';
import type { Segment } from '../interferences/curves/segments.ts';
import { type Box, emptyBox, growBox } from '../math/box.ts';
import { mix } from '../math/exact/rational.ts';
import { at, plus, times, type Vector } from '../math/vector.ts';
import { pairsOfSurfaces } from './outer/cut-pairs.ts';
import { foldedContacts } from './outer/folded.ts';
import type { SelfFinder } from './outer/self-partners.ts';
import { type Crossings, crossingsOf, type Side, sides } from './overlap/crossings.ts';
import { enclosedBy } from './overlap/enclosed.ts';
import { nearestInPolygons, nearestInRegion } from './overlap/nearest.ts';
import { Perturbation } from './overlap/perturbed.ts';
import type { Boundary } from './overlap/region/boundary.ts';
import { boundaryOf } from './overlap/region/build-boundary.ts';
import { isInRegion } from './overlap/region/inside-region.ts';
import { type Region, regionsOf } from './overlap/region/regions.ts';
import { patchOf, type RawPatch } from './patch.ts';
import { isFarFromOne, measuringScale, scaledBody } from './scale.ts';
import { Surface } from './surface.ts';
import { type FlatContacts, flatContacts } from './touch/flat.ts';
import { type Taken, touchesOf } from './touch/touches.ts';

/** The patches of two placed bodies, A the one with the lower index, given every pair of triangles that meets. */
export function contactPatches(engine: SelfFinder, a: Placed, b: Placed, found: Uint32Array): RawPatch[] {
  const { scaledA, scaledB, scale, by } = forMeasuring(a, b);
  const patches = patchesOf(toEnd(commonPart(engine, scaledA, scaledB, scale, found)), engine);
  if (by !== 1) for (const patch of patches) unscale(patch, by);
  const first = (patch: RawPatch, side: Side): number => patch.triangles[side][0] ?? -1;
  return patches.sort(
    (p, q) => first(p, 0) - first(q, 0) || first(p, 1) - first(q, 1) || p.point[0] - q.point[0],
  );
}

/**
 * Two bodies and the factor that brings them to measuring units; `by` brings lengths back to the world. Near the ends of
 * the range of doubles, no filter of signs decides anything, and integers have thousands of digits. So bodies of such
 * sizes are multiplied before anything is decided, others only for measuring.
 */
export function forMeasuring(
  a: Placed,
  b: Placed,
): { readonly scaledA: Placed; readonly scaledB: Placed; readonly scale: number; readonly by: number } {
  const scale = measuringScale(a, b);
  const [scaledA, scaledB] = isFarFromOne(scale) ? [scaledBody(a, scale), scaledBody(b, scale)] : [];
  if (scaledA && scaledB) return { scaledA, scaledB, scale: 1, by: 1 / scale };
  return { scaledA: a, scaledB: b, scale, by: 1 / scale };
}

/** What two bodies have in common, in measuring units. */
export interface CommonPart {
  readonly surfaces: readonly [Surface, Surface];
  /** The regions that two solids have in common; undefined if one of the bodies is no solid. */
  readonly overlap: CommonParts | undefined;
  /** Where they lie flat on one another. */
  readonly flat: FlatContacts;
  /** All other touching. */
  touches(): RawPatch[];
}

/** Finds it, given every pair of triangles that meets. In steps, each of which takes about a microsecond per triangle. */
export function* commonPart(
  engine: SelfFinder,
  a: Placed,
  b: Placed,
  scale: number,
  found: Uint32Array,
): Generator<undefined, CommonPart> {
  const first = new Surface(engine, a, scale);
  yield;
  const surfaces = [first, new Surface(engine, b, scale)] as const;
  yield;
  const solids = surfaces.every(({ solid }) => solid);
  const pairs = surfaces.some(({ folded }) => folded) ? undefined : pairsOfSurfaces(engine, surfaces, found);
  if (!pairs) {
    const uncut = [new Surface(engine, a, scale, true), new Surface(engine, b, scale, true)] as const;
    yield;
    return foldedPart(engine, uncut, found);
  }
  yield;
  const flat = flatContacts(surfaces, pairs);
  yield;
  const overlap = solids ? yield* commonRegions(engine, surfaces, pairs, flat) : undefined;
  const touches = (): RawPatch[] => {
    const known = overlap ? pairsOfRegions(surfaces, pairs, overlap) : new Uint8Array(pairs.length / 2);
    for (const pair of flat.pairs) known[pair] = 1;
    if (!known.includes(0)) return [];
    const left = pairs.filter((_, i) => known[i >> 1] === 0);
    return touchesOf(surfaces, left, flat.numbers, takenBy(surfaces, flat, overlap));
  };
  return { surfaces, overlap, flat, touches };
}

/** The same in no order, with lengths in measuring units. */
function patchesOf(common: CommonPart, engine: SelfFinder): RawPatch[] {
  const { surfaces, overlap, flat } = common;
  const patches = [...(overlap ? overlapPatches(engine, surfaces, overlap) : []), ...flat.patches];
  patches.push(...common.touches());
  const original = (triangles: readonly number[], { originals }: Surface): readonly number[] =>
    originals ? [...new Set(triangles.map(t => originals[t]))].sort((t, u) => t - u) : triangles;
  for (const patch of patches) {
    const [ofA, ofB] = patch.triangles;
    patch.triangles = [original(ofA, surfaces[0]), original(ofB, surfaces[1])];
  }
  return patches;
}

/** The patches of uncut surfaces, if nothing may be rounded before it is decided. */
export function foldedPatches(
  engine: SelfFinder,
  surfaces: readonly [Surface, Surface],
  found: Uint32Array,
): RawPatch[] {
  return patchesOf(foldedPart(engine, surfaces, found), engine);
}

/** The common part of uncut surfaces, if nothing may be rounded before it is decided. */
function foldedPart(
  engine: SelfFinder,
  surfaces: readonly [Surface, Surface],
  found: Uint32Array,
): CommonPart {
  const { boundary, flat, ends, isBounding, isTurned } = foldedContacts(engine, surfaces, found);
  for (const side of sides) {
    if (!surfaces[side].solid) continue;
    surfaces[side].facing = t => {
      const turned = isTurned(side, t);
      return turned === undefined ? 0 : turned ? -1 : 1;
    };
  }
  const overlap = { boundary, ...regionsOf(boundary) };
  const { numbers } = flat;
  const counts = ({ from, to, a, b }: Segment): boolean => {
    const middle = mix([numbers.exact(from), numbers.exact(to)]);
    return isBounding(0, a, middle) && isBounding(1, b, middle);
  };
  const touches = (): RawPatch[] => {
    const { corners, holds } = takenBy(surfaces, flat, overlap);
    const taken = { corners: new Set([...corners, ...ends]), holds, counts };
    return touchesOf(surfaces, found, numbers, taken);
  };
  return { surfaces, overlap, flat, touches };
}

/** Converts lengths from measuring units to the world. */
function unscale(patch: RawPatch, by: number): void {
  patch.point = times(patch.point, by);
  patch.depth *= by;
  // One factor after the other: its square may be beyond the range of doubles.
  patch.area = patch.area * by * by;
  for (const part of patch.points) {
    part.position = times(part.position, by);
    part.depth *= by;
    part.area = part.area * by * by;
  }
}

/** The common parts of two solids. */
export interface CommonParts {
  readonly boundary: Boundary;
  /** By number; undefined if a region is part of another. */
  readonly regions: (Region | undefined)[];
  /** The number of the region of each element of the boundary. */
  readonly regionOf: Int32Array;
}

/** The same, with the crossings that it was found from. */
export interface CommonRegions extends CommonParts {
  readonly crossings: Crossings;
}

/** The regions that two solids have in common. */
export function* commonRegions(
  engine: TriangleFinder,
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  flat: FlatContacts,
): Generator<undefined, CommonRegions> {
  const perturbation = new Perturbation(times(flat.facing, -1));
  const crossings = crossingsOf(surfaces, pairs, perturbation);
  yield;
  const touched = (side: Side): Uint32Array => {
    const isTouched = new Uint8Array(surfaces[side].triangleCount);
    for (let i = side; i < pairs.length; i += 2) isTouched[pairs[i]] = 1;
    const triangles = new Uint32Array(isTouched.length);
    let count = 0;
    for (let t = 0; t < isTouched.length; t++) if (isTouched[t] === 1) triangles[count++] = t;
    return triangles.subarray(0, count);
  };
  const inB = enclosedBy(engine, surfaces, 0, touched(0), crossings, perturbation);
  yield;
  const enclosed = [inB, enclosedBy(engine, surfaces, 1, touched(1), crossings, perturbation)] as const;
  yield;
  const boundary = boundaryOf(surfaces, pairs, crossings, enclosed, flat, perturbation);
  yield;
  return { crossings, boundary, ...regionsOf(boundary) };
}

function overlapPatches(
  engine: TriangleFinder,
  surfaces: readonly [Surface, Surface],
  { boundary, regions, regionOf }: CommonParts,
): RawPatch[] {
  const within = (point: Vector): 'inside' | 'on' | 'outside' => {
    const world = times(point, 1 / surfaces[0].scale);
    const windings = surfaces.map(({ source }) => windingNumber(engine, source, world));
    if (windings.some(({ winding, on }) => winding === 0 && !on)) return 'outside';
    return windings.some(({ on }) => on) ? 'on' : 'inside';
  };
  const isOnly = regions.filter(region => region !== undefined).length === 1;
  return regions.flatMap((region, i) =>
    region ? [patchOf(region, i, boundary, surfaces, regionOf, within, isOnly)] : [],
  );
}

/**
 * The pairs of triangles, by index, that have nothing in common outside a region: those that cross properly, and those
 * of triangles that lie entirely in a region.
 */
function pairsOfRegions(
  surfaces: readonly [Surface, Surface],
  pairs: Uint32Array,
  { crossings: { from, to, proper }, boundary: { parts } }: CommonRegions,
): Uint8Array {
  const covered = [new Uint8Array(surfaces[0].triangleCount), new Uint8Array(surfaces[1].triangleCount)];
  for (let part = 0; part < parts.commonFrom; part++) {
    if (parts.full[part]) covered[parts.side[part]][parts.triangle[part]] = 1;
  }
  const known = new Uint8Array(pairs.length / 2);
  for (let i = 0; i < known.length; i++) {
    if ((covered[0][pairs[2 * i]] | covered[1][pairs[2 * i + 1]]) === 1) known[i] = 1;
    else if (from[i] >= 0 && proper[from[i]] && proper[to[i]]) known[i] = 1;
  }
  return known;
}

/** What lies in regions and flat contacts. */
function takenBy(
  surfaces: readonly [Surface, Surface],
  flat: FlatContacts,
  overlap: CommonParts | undefined,
): Taken {
  const corners = new Set(flat.overlaps.flat().flatMap(({ corners }) => corners));
  const holders: { box: Box; holds: (point: Vector, triangles: readonly number[]) => boolean }[] = [];
  const { scale } = surfaces[0];
  const boxes = surfaces.map(({ placed }) => worldBox(placed).map(x => x * scale));
  const reach = Math.max(...boxes.flatMap(box => [...box].map(Math.abs)));
  const size = Math.max(...boxes.flatMap(box => [0, 1, 2].map(axis => box[axis + 3] - box[axis])));
  // Points of regions are off by 2^-42 of the size of their triangles, and everything by a few roundings (nearest.ts).
  const near = 2 ** -40 * size + 2 ** -48 * reach;
  flat.overlaps.forEach((group, i) => {
    const polygons = group.map(({ corners }) =>
      corners.map(n => times(at(flat.numbers.coordinates(n), 0), scale)),
    );
    const bounds = polygons.map(boxAround);
    const overlapsOf = [new Map<number, number[]>(), new Map<number, number[]>()] as const;
    group.forEach(({ a, b }, o) => {
      addTo(overlapsOf[0], a, o);
      addTo(overlapsOf[1], b, o);
    });
    const box = boxAround(polygons.flat());
    const normals = flat.normals[i];
    const holds = (point: Vector, triangles: readonly number[]): boolean => {
      const isHeld = (o: number): boolean =>
        isWithin(bounds[o], point, 2 * near) &&
        nearestInPolygons([polygons[o]], [normals[o]], point).distance <= near;
      // Mostly an overlap of the two triangles that touch there contains it.
      const own = sides.some(side => overlapsOf[side].get(triangles[side])?.some(isHeld));
      return own || bounds.some((_, o) => isHeld(o));
    };
    holders.push({ box, holds });
  });
  if (overlap) {
    const { boundary, regions, regionOf } = overlap;
    const origin = at(boundary.origin, 0);
    const partsOf = [new Map<number, number[]>(), new Map<number, number[]>()] as const;
    const { side: sideOf, triangle, commonFrom } = boundary.parts;
    for (let part = 0; part < commonFrom; part++) {
      addTo(partsOf[sideOf[part]], triangle[part], part);
    }
    regions.forEach((region, i) => {
      if (!region) return;
      for (const element of region.elements) {
        const number = boundary.numberOf(element);
        if (number !== undefined) corners.add(number);
      }
      const box = emptyBox();
      for (const corner of region.box) growBox(box, ...plus(corner, origin));
      const holds = (point: Vector, triangles: readonly number[]): boolean => {
        const local = plus(point, origin, -1);
        const distance = (parts: Pick<Region, 'parts' | 'whole'>): number =>
          nearestInRegion(parts, i, boundary, regionOf, local).distance;
        // Mostly the parts of the two triangles that touch there contain it.
        const own = sides.flatMap(side => partsOf[side].get(triangles[side]) ?? []);
        if (distance({ parts: own, whole: [] }) <= near || distance(region) <= near) return true;
        // Walls that do not count may meet inside the region.
        return boundary.ofCells && isInRegion(region, i, boundary, regionOf, local);
      };
      holders.push({ box, holds });
    });
  }
  return {
    corners,
    holds: (point, ...triangles) =>
      holders.some(({ box, holds }) => isWithin(box, point, near) && holds(point, triangles)),
  };
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function boxAround(points: readonly Vector[]): Box {
  const box = emptyBox();
  for (const [x, y, z] of points) growBox(box, x, y, z);
  return box;
}

function isWithin(box: Box, point: Vector, slack: number): boolean {
  for (let axis = 0; axis < 3; axis++)
    if (!(point[axis] >= box[axis] - slack && point[axis] <= box[axis + 3] + slack)) return false;
  return true;
}
