// Where do two surfaces lie flat on one another? Coplanar triangles that overlap, decided exactly: for solids those
// that face one another, for open surfaces all. Overlaps that share a corner, lie in one plane and face the same way
// are one contact, of depth 0. If one surface is open and the other bounds a solid, the solid says which way they face.

import { projectionAxis } from '../../bodies/snapshot/world.ts';
import { flatContact } from '../../interferences/curves/flat-contact.ts';
import { PointNumbers } from '../../interferences/curves/point-numbers.ts';
import { orient2dAt, orient3dAt, samePosition } from '../../math/exact/orient.ts';
import { at, length, plus, times, type Vector } from '../../math/vector.ts';
import { DisjointSets } from '../../mesh/facts.ts';
import { acrossNormal, Manifold, type Sums } from '../manifold.ts';
import { nearestInPolygons } from '../overlap/nearest.ts';
import { narrowest, planeOf, writeNormal } from '../overlap/plane.ts';
import { leastArea, type RawPatch } from '../patch.ts';
import type { Surface } from '../surface.ts';
import { middleOfLines } from './middle-of-lines.ts';

export interface FlatOverlap {
  /** The numbers of its corners, in order around it. */
  readonly corners: readonly number[];
  readonly a: number;
  readonly b: number;
  /** Whether the direction from A to B is opposite to the normal of A's triangle. */
  readonly isTurned?: boolean;
}

/** A place where faces of two solids lie in one plane, over one another. */
export interface CommonFace {
  /** Scaled positions and numbers of its corners, counter-clockwise seen from outside A. */
  readonly corners: readonly Vector[];
  readonly numbers: readonly number[];
  readonly a: number;
  readonly b: number;
  /** Whether both face the same way: then it bounds the common part. Otherwise they touch there. */
  readonly same: boolean;
}

export interface FlatContacts {
  readonly patches: RawPatch[];
  /** Per patch, its overlaps. */
  readonly overlaps: (readonly FlatOverlap[])[];
  /** Per patch and overlap, a normal that is right all over it; zero if it is too narrow to have one (plane.ts). */
  readonly normals: Vector[][];
  readonly numbers: PointNumbers;
  /** The pairs that lie flat on one another, by their index. */
  readonly pairs: Set<number>;
  /** For solids, all common faces. */
  readonly faces: CommonFace[];
  /** The sum of A's outward normals over the area in which the bodies lie flat on one another. */
  readonly facing: Vector;
}

/** The triangle of A at 0, that of B at 9; or two of A. */
const p = new Float64Array(18);

export function flatContacts(surfaces: readonly [Surface, Surface], pairs: Uint32Array): FlatContacts {
  const solids = surfaces.every(({ solid }) => solid);
  const onlySecond = !surfaces[0].solid && surfaces[1].solid;
  const numbers = new PointNumbers();
  const overlaps: FlatOverlap[] = [];
  const faces: CommonFace[] = [];
  const crossings = new Map<number, number>();
  const flat = new Set<number>();
  for (let i = 0; i < pairs.length; i += 2) {
    const [a, b] = [pairs[i], pairs[i + 1]];
    // Pairs come in order of A's triangles.
    if (i === 0 || a !== pairs[i - 2]) surfaces[0].corners(a, p, 0);
    surfaces[1].corners(b, p, 9);
    if (!coplanar()) continue;
    const axis = projectionAxis(p, 0);
    if (axis < 0 || projectionAxis(p, 9) < 0) continue;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const turn = orient2dAt(p, 0, 3, 6, u, v);
    const same = turn === orient2dAt(p, 9, 12, 15, u, v);
    // The same two edges cross in up to four pairs, so their point is kept.
    const corners = flatContact(p, 9, 7, 0, axis, numbers, (side, edge, find) => {
      const key = surfaces[1].edge(b, side) * surfaces[0].edges.count + surfaces[0].edge(a, edge);
      let number = crossings.get(key);
      if (number === undefined) crossings.set(key, (number = numbers.ofExact(find())));
      return number;
    });
    if (corners.length < 3) continue;
    if (solids) {
      const positions = corners.map(n => times(at(numbers.coordinates(n), 0), surfaces[0].scale));
      // B's triangle was clipped: its corners are in B's order.
      const outline = same ? corners : [...corners].reverse();
      faces.push({ corners: same ? positions : positions.reverse(), numbers: outline, a, b, same });
      if (same) continue;
    }
    flat.add(i / 2);
    overlaps.push({ corners, a, b, isTurned: onlySecond && same });
  }
  return { ...flatFrom(overlaps, surfaces, numbers), pairs: flat, faces };
}

/** The contacts of known overlaps. */
export function flatFrom(
  overlaps: readonly FlatOverlap[],
  surfaces: readonly [Surface, Surface],
  numbers: PointNumbers,
): FlatContacts {
  const [surface] = surfaces;
  const groups = groupsOf(
    overlaps,
    surface,
    surfaces.some(({ solid }) => solid),
  );
  const patches = groups.map(group => patchOf(group, surface, numbers));
  const normals = groups.map(group => normalsOf(group, surface));
  const facing = patches.reduce((sum, { normal, area }) => plus(sum, normal, area), [0, 0, 0] as Vector);
  return { patches, overlaps: groups, normals, numbers, pairs: new Set(), faces: [], facing };
}

/**
 * Tells whether the triangle at 9 lies in the plane of the one at 0. Common corners are compared first, which is
 * faster.
 */
const coplanar = (): boolean => inPlane(9) && inPlane(12) && inPlane(15);

const inPlane = (corner: number): boolean =>
  samePosition(p, 0, corner) ||
  samePosition(p, 3, corner) ||
  samePosition(p, 6, corner) ||
  orient3dAt(p, 0, 3, 6, corner) === 0;

/** Whether the triangles at 0 and 9, which are coplanar and not degenerate, face the same way. */
function faceAlike(): boolean {
  const axis = projectionAxis(p, 0);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return orient2dAt(p, 0, 3, 6, u, v) === orient2dAt(p, 9, 12, 15, u, v);
}

/**
 * Connected overlaps in one plane; if one of the surfaces is known to face outwards, only those that face the same way.
 */
function groupsOf(overlaps: readonly FlatOverlap[], surface: Surface, isFacing: boolean): FlatOverlap[][] {
  const sets = new DisjointSets(overlaps.length);
  const firstAt = new Map<number, number[]>();
  overlaps.forEach((overlap, i) => {
    for (const corner of overlap.corners) {
      const others = firstAt.get(corner);
      if (!others) {
        firstAt.set(corner, [i]);
        continue;
      }
      // One overlap of each plane at the corner is enough to compare with.
      let known = false;
      for (const j of others) {
        surface.corners(overlaps[j].a, p, 0);
        surface.corners(overlap.a, p, 9);
        if (overlaps[j].a !== overlap.a && !coplanar()) continue;
        const turned = (overlaps[j].isTurned ?? false) !== (overlap.isTurned ?? false);
        if (isFacing && (overlaps[j].a === overlap.a || faceAlike()) === turned) continue;
        sets.join(j, i);
        known = true;
        break;
      }
      if (!known) others.push(i);
    }
  });
  const groups = new Map<number, FlatOverlap[]>();
  overlaps.forEach((overlap, i) => {
    const root = sets.find(i);
    const group = groups.get(root);
    if (group) group.push(overlap);
    else groups.set(root, [overlap]);
  });
  return [...groups.values()];
}

const plane = new Float64Array(6);

/**
 * The normals of the overlaps' own triangles. An overlap is a part of its triangle, so the triangle's plane contains it,
 * however narrow the triangle is. The computed normals of other triangles in this plane may lean by their rounding.
 */
const normalsOf = (group: readonly FlatOverlap[], surface: Surface): Vector[] =>
  group.map(({ a }) => {
    surface.scaledCorners(a, p, 0);
    planeOf(p, 0, plane);
    return at(plane, 3);
  });

/** The normal of the first triangle that is wide enough to have one, else of the widest. */
function upwardOf(group: readonly FlatOverlap[], surface: Surface): Vector {
  let [best, height]: [Vector, number] = [[0, 0, 0], -1];
  for (const { a, isTurned } of group) {
    surface.scaledCorners(a, p, 0);
    const own = writeNormal(p, 0, plane, 3);
    if (own > height) [best, height] = [times(at(plane, 3), isTurned ? -1 : 1), own];
    if (height > narrowest) break;
  }
  return best;
}

function patchOf(group: readonly FlatOverlap[], surface: Surface, numbers: PointNumbers): RawPatch {
  const place = (number: number): Vector => times(at(numbers.coordinates(number), 0), surface.scale);
  const normal = upwardOf(group, surface);
  const normals = normalsOf(group, surface);
  const across = acrossNormal(normal);
  const sumsAbout = (middle: Vector, quarters: boolean): Sums[] => {
    const manifold = new Manifold({ ...across, normal, middle }, quarters);
    for (const { corners } of group) manifold.addPolygon(corners.map(place));
    return manifold.sums;
  };
  const middleOf = ({ area, x, y }: Sums, from: Vector): Vector =>
    plus(plus(from, across.u, x / area), across.v, y / area);
  const first = place(group[0].corners[0]);
  const [whole] = sumsAbout(first, false);
  const polygons = group.map(({ corners }) => corners.map(place));
  const sorted = (triangles: readonly number[]): number[] => [...new Set(triangles)].sort((t, u) => t - u);
  const triangles = [sorted(group.map(({ a }) => a)), sorted(group.map(({ b }) => b))] as const;
  if (!(whole.area > leastArea * boxSize(polygons.flat()) ** 2)) {
    // As narrow as a line: centres of its area would be quotients of roundings.
    const sides = polygons.flatMap(polygon =>
      polygon.map((p, i) => [p, polygon[(i + 1) % polygon.length]] as const),
    );
    const position = nearestInPolygons(polygons, normals, middleOfLines(sides)).point;
    const area = Math.max(0, whole.area);
    return { point: position, normal, depth: 0, area, points: [{ position, depth: 0, area }], triangles };
  }
  const point = middleOf(whole, first);
  /** The centre of an area that is not convex may lie outside it: then the nearest point inside. */
  const placed = (position: Vector): Vector => nearestInPolygons(polygons, normals, position).point;
  const points = sumsAbout(point, true)
    .filter(quarter => quarter.area > 1e-9 * whole.area)
    .map(quarter => ({ position: placed(middleOf(quarter, point)), depth: 0, area: quarter.area }));
  return { point: placed(point), normal, depth: 0, area: whole.area, points, triangles };
}

/** The length of the diagonal of the box of some points. */
function boxSize(points: readonly Vector[]): number {
  const extents = [0, 1, 2].map(axis => {
    let [low, high] = [Infinity, -Infinity];
    for (const point of points) {
      low = Math.min(low, point[axis]);
      high = Math.max(high, point[axis]);
    }
    return high - low;
  });
  return length(extents as unknown as Vector);
}
