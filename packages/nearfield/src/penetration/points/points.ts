// How deep does each vertex of a solid lie in another, and which way out is shortest (Hoff et al., section 5.4)? The
// nearest point of the other's surface is found in double and decided exactly among triangles, as in `scene.closest`.
// Which vertices lie inside is decided exactly. Vertices that are connected through triangles that meet nothing lie on
// the same side, so only one of them is tested (inside/winding.ts).

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { type ClosestPoints, closestToBody, feature } from '../../distance/closest-points.ts';
import { nearestToPoint, pointDistance } from '../../distance/exact/point-triangle.ts';
import { windingNumber } from '../../inside/winding.ts';
import { cpuPairs } from '../../interferences/hierarchy/cpu/driver.ts';
import { boxHolds } from '../../math/box.ts';
import { ratioToDouble } from '../../math/exact/rational.ts';
import { applyPose, placeTriangle } from '../../math/pose.ts';
import type { IntersectionVolume } from '../../sampled/field/volume.ts';

/** The vertices of one body that lie in the interior of the other, one entry per vertex. */
export interface PenetratingVertices {
  /** The vertices, ascending. Among those at one position only the lowest, and only those that triangles use. */
  readonly vertices: Uint32Array;
  /** Their world positions, three numbers per vertex. */
  readonly points: Float64Array;
  /**
   * The distance to the nearest point of the other body's surface: off by no more than 2^-52 of itself. If the mesh
   * overlaps itself, that may be a part of the surface inside the solid.
   */
  readonly depths: Float64Array;
  /**
   * Unit vectors from the vertex to that nearest point, three numbers per vertex: its shortest way out. Right to 2^-30.
   */
  readonly directions: Float64Array;
  /** The triangle of the other body that holds the nearest point; the lowest if there are several. */
  readonly triangles: Uint32Array;
}

/** How deep points lie in two solids: see `PenetrationOptions.points`. */
export interface PenetratingPoints {
  /** Vertices of a in b. */
  readonly a: PenetratingVertices;
  /** Vertices of b in a. */
  readonly b: PenetratingVertices;
  /**
   * Samples of the common part, if a tolerance or a resolution was given. `samples.depths` says how deep each lies
   * below the nearest surface of either body, whose surface it is (0 a's, 1 b's), and the way there.
   */
  readonly samples?: IntersectionVolume | undefined;
}

const pointsAtOnce = 1024;
const windingsAtOnce = 256;
/**
 * Depths below this share of the triangle's reach, and normals below this share of its sides, are computed in integers.
 */
const shallow = 2 ** -16;
const thin = 2 ** -12;

/** Finds the vertices of a in b, and of b in a. Yields the share done. */
export function* penetratingVertices(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
): Generator<number, { a: PenetratingVertices; b: PenetratingVertices }> {
  const { certain, unsure } = cpuPairs(engine).interfereSync([a, b], { detail: 'list', candidates: thePair });
  yield 0.1;
  const meeting = (side: number, { mesh }: SnapshotBody): Uint8Array => {
    const meets = new Uint8Array(mesh.triangleCount);
    for (const records of [certain, unsure])
      for (let r = 0; r < records.length; r += 3) meets[records[r + 1 + side]] = 1;
    return meets;
  };
  const insideB = yield* verticesInside(engine, a, b, meeting(0, a), 0.1);
  const ofA = yield* depthsOf(engine, a, b, insideB, 0.3);
  yield 0.5;
  const insideA = yield* verticesInside(engine, b, a, meeting(1, b), 0.5);
  const ofB = yield* depthsOf(engine, b, a, insideA, 0.75);
  return { a: ofA, b: ofB };
}

const thePair = new Uint32Array([0, 1]);

export const noVertices = (): PenetratingVertices => ({
  vertices: new Uint32Array(0),
  points: new Float64Array(0),
  depths: new Float64Array(0),
  directions: new Float64Array(0),
  triangles: new Uint32Array(0),
});

/** The vertices of a body in the interior of another. `meets` holds the triangles that meet it, and maybe more. */
function* verticesInside(
  engine: CpuEngine,
  body: SnapshotBody,
  other: SnapshotBody,
  meets: Uint8Array,
  done: number,
): Generator<number, Uint32Array> {
  const { indices, welds } = body.mesh;
  const { vertexOf } = welds;
  // Sets of vertices joined by triangles that meet nothing: each points to a lower one of its set, the lowest to
  // itself.
  const lower = Uint32Array.from(vertexOf);
  const first = (v: number): number => {
    let lowest = v;
    while (lower[lowest] !== lowest) lowest = lower[lowest] = lower[lower[lowest]];
    return lowest;
  };
  const used = new Uint8Array(lower.length);
  for (let i = 0; i < indices.length; i++) {
    const v = vertexOf[indices[i]];
    used[v] = 1;
    if (meets[Math.floor(i / 3)] === 1) continue;
    const [one, two] = [first(v), first(vertexOf[indices[i - (i % 3)]])];
    if (one < two) lower[two] = one;
    else lower[one] = two;
  }
  const box = worldBox(other);
  const place = new Float64Array(3);
  // The side, by the lowest vertex of a set, once it is known: 1 inside, 2 not.
  const known = new Uint8Array(lower.length);
  const inside: number[] = [];
  let asked = 0;
  for (let v = 0; v < lower.length; v++) {
    if (used[v] === 0 || vertexOf[v] !== v) continue;
    const lowest = first(v);
    if (known[lowest] === 0) {
      placeVertex(body, lowest, place, 0);
      known[lowest] = boxHolds(box, place) && windingInside(engine, other, place) ? 1 : 2;
      if (++asked % windingsAtOnce === 0) yield done;
    }
    if (known[lowest] === 1) inside.push(v);
  }
  return Uint32Array.from(inside);
}

function windingInside(engine: CpuEngine, body: SnapshotBody, point: Float64Array): boolean {
  const { winding, on } = windingNumber(finderOf(engine), body, point);
  return !on && winding !== 0;
}

function* depthsOf(
  engine: CpuEngine,
  body: SnapshotBody,
  other: SnapshotBody,
  vertices: Uint32Array,
  done: number,
): Generator<number, PenetratingVertices> {
  const count = vertices.length;
  const found = {
    vertices,
    points: new Float64Array(3 * count),
    depths: new Float64Array(count),
    directions: new Float64Array(3 * count),
    triangles: new Uint32Array(count),
  };
  const { points } = found;
  vertices.forEach((v, i) => {
    placeVertex(body, v, points, 3 * i);
  });
  for (let from = 0; from < count; from += pointsAtOnce) {
    const some = points.subarray(3 * from, 3 * Math.min(count, from + pointsAtOnce));
    const nearest = closestToBody(engine, other, some);
    for (let i = 0; 3 * i < some.length; i++) {
      found.triangles[from + i] = nearest.triangles[i];
      found.depths[from + i] = nearest.distances[i];
      measure(other, found, from + i, nearest, i);
    }
    yield done;
  }
  return found;
}

const corners = new Float64Array(9);
const way = new Float64Array(3);

/**
 * The vector from a vertex to its nearest point. To an edge or a corner it is the difference of the two, off by the
 * rounding of coordinates. To a face it is the normal: the cross product of two sides e and f is off by less than
 * 8·2^-53·|e|·|f|, however short it is. If the depth is not well above the first error, or the normal above the second,
 * both depth and vector come from integers.
 */
function measure(
  other: SnapshotBody,
  { points, depths, directions, triangles }: PenetratingVertices,
  i: number,
  { points: found, features }: ClosestPoints,
  at: number,
): void {
  const point = points.subarray(3 * i, 3 * i + 3);
  placeTriangle(other.pose, other.positions, other.mesh.indices, triangles[i], corners, 0);
  let size = 0;
  for (let k = 0; k < 9; k++)
    size = Math.max(size, Math.abs(corners[k]), Math.abs(corners[k] - point[k % 3]), Math.abs(point[k % 3]));
  for (let k = 0; k < 3; k++) way[k] = found[3 * at + k] - point[k];
  const certain = depths[i] > shallow * size && (features[at] !== feature.face || normalWay());
  if (!certain) {
    const exact = nearestToPoint(point, other, [triangles[i]], Infinity)!;
    depths[i] = pointDistance(exact);
    const g = exact.way;
    const largest = [g.x, g.y, g.z].map(n => (n < 0n ? -n : n)).reduce((n, m) => (n > m ? n : m));
    way[0] = ratioToDouble(g.x, largest);
    way[1] = ratioToDouble(g.y, largest);
    way[2] = ratioToDouble(g.z, largest);
  }
  const length = Math.hypot(way[0], way[1], way[2]);
  for (let k = 0; k < 3; k++) directions[3 * i + k] = way[k] / length;
}

/**
 * Replaces the vector by the triangle's normal, on the side it is now on. Returns false if the normal is not well
 * known.
 */
function normalWay(): boolean {
  const [ex, ey, ez] = [corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]];
  const [fx, fy, fz] = [corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]];
  const [nx, ny, nz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
  // Also false if products overflow or underflow.
  const clear = Math.hypot(nx, ny, nz) > thin * Math.hypot(ex, ey, ez) * Math.hypot(fx, fy, fz);
  if (!clear || !(Math.hypot(nx, ny, nz) > 1e-280)) return false;
  const sign = nx * way[0] + ny * way[1] + nz * way[2] < 0 ? -1 : 1;
  way[0] = sign * nx;
  way[1] = sign * ny;
  way[2] = sign * nz;
  return true;
}

function placeVertex({ pose, positions }: SnapshotBody, v: number, out: Float64Array, at: number): void {
  applyPose(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], out, at);
}
