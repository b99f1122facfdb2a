// Convex pieces of a solid, kept with its shape: the whole of it where it is convex, else a few carved around large balls
// (kernels/carve.as.ts). If P is a piece of A and Q one of B, no translation in the interior of P − Q separates the two.

import { halfSolidAngle } from '../../math/solid-angle.ts';
import type { Shape } from '../../scene/engine.ts';
import { Hull, type Support } from './hull.ts';
import type { SolidKernels } from './solids.ts';

/** A convex set within a solid, in the frame of its tree. */
export interface Piece {
  /** Farthest point along a unit direction. */
  readonly support: Support;
  /** Its corners, x, y, z; undefined for a whole convex solid, whose corners are asked for one by one. */
  readonly vertices: Float64Array | undefined;
  /** A ball within it, and the radius of one about the same centre that holds it. */
  readonly centre: Float64Array;
  readonly inner: number;
  readonly outer: number;
  /**
   * How far points of `support` may lie outside the solid's model: a convex solid is convex up to rounding only. Moved
   * towards the centre by loss·outer/inner they lie within it.
   */
  readonly loss: number;
}

interface Known {
  readonly revision: number;
  readonly convex: Piece | undefined;
  carved: Piece[] | undefined;
}

const knownShapes = new WeakMap<Shape, Known>();

/** Beyond this excess, of the tree's size, a solid is not convex. */
const convexTolerance = 1e-7;
/** A sum of concave angles above this is more than rounding of positions makes. */
const mostConcavity = 2;
const sampleCount = 1200;
const mostPieces = 16;
/** Balls smaller than this share of the largest get no piece of their own. */
const leastBall = 0.05;
/** Faces compared with all vertices in one step. */
const facesAtOnce = 512;
/** Said instead of whether a solid is convex. */
const timeIsUp = Symbol('time is up');

/**
 * The whole solid, where it is convex. Found at the first call for a shape, in steps; undefined also where the time was up
 * before that was known.
 */
export function* convexWhole(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Piece | undefined> {
  return (yield* known(kernels, shape, until))?.convex;
}

/** Pieces of a solid, largest ball first. Made at the first call for a shape, in steps; fewer where the time was up. */
export function* piecesOf(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, readonly Piece[]> {
  const facts = yield* known(kernels, shape, until);
  if (facts === undefined) return [];
  if (facts.convex) return [facts.convex];
  if (facts.carved !== undefined) return facts.carved;
  const pieces = yield* carvePieces(kernels, shape, until);
  if (!until()) facts.carved = pieces;
  return pieces;
}

function* known(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Known | undefined> {
  let facts = knownShapes.get(shape);
  if (facts?.revision !== shape.revision) {
    if (until()) return undefined;
    const convex = yield* wholeIfConvex(kernels, shape, until);
    if (convex === timeIsUp) return undefined;
    facts = { revision: shape.revision, convex, carved: undefined };
    knownShapes.set(shape, facts);
  }
  return facts;
}

/**
 * What lies inside the planes of all faces holds no surface; if it has a point of the solid in it, it is within the solid.
 * A vertex v that reaches beyond a plane by no more than `loss` comes to lie inside when it is moved towards the centre c of
 * a ball of radius r inside all planes by loss/r of |v − c|: a plane at distance g ≥ r from c has
 * (1 − loss/(r + loss))·(g + loss) ≤ g.
 */
function* wholeIfConvex(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Piece | typeof timeIsUp | undefined> {
  const bend = concavity(shape);
  if (bend > mostConcavity) return undefined;
  yield;
  const ball = largestBall(kernels, shape, kernels.sampleInside(shape, 200));
  if (ball === undefined) return undefined;
  const { centre, scale, half } = kernels.frameOf(shape);
  const middle = [0, 1, 2].map(axis => ball[axis] / scale + centre[axis]);
  const seen = starSign(shape, middle);
  if (seen === 0) return undefined;
  yield;
  // Twice the bend times the length of a section, with room.
  const outer = 1.01 * scale * Math.hypot(half[0], half[1], half[2]) + Math.hypot(ball[0], ball[1], ball[2]);
  let loss = ((4.1 * Math.PI * outer * outer) / ball[3]) * bend + 1e-14;
  if (loss > convexTolerance) {
    loss = 1e-14;
    for (let face = 0; face < shape.mesh.triangleCount && loss <= convexTolerance; face += facesAtOnce) {
      loss = Math.max(loss, kernels.convexExcess(shape, seen, convexTolerance, face, facesAtOnce) + 1e-14);
      if (until()) return timeIsUp;
      yield;
    }
  }
  if (!(loss <= convexTolerance)) return undefined;
  const support: Support = (x, y, z, out) => kernels.support(shape, x, y, z, out);
  return { support, vertices: undefined, centre: ball.subarray(0, 3), inner: ball[3] - loss, outer, loss };
}

/**
 * The sum of the angles by which edges are concave, rounded up; Infinity where an edge has not two triangles.
 *
 * Why the sum says how far a solid is from convex, if all faces look away from a centre c that they wind around once. Any
 * plane through c cuts the surface in one closed curve around c, a polygon that turns at edges. Where faces differ by
 * an angle δ, it turns by at most δ·R/r, r ≤ |x − c| ≤ R: the plane holds c and a point of the face, which is r from c at
 * least, and so meets the face at an angle whose sine is r/R or more. With all turns to the wrong side summing to Δ, walk
 * from a side of the polygon, either way: up to half a turn the direction differs from the side's by an angle between −Δ
 * and π + 2Δ, so no point falls behind the side's line by more than 2Δ times the polygon's length, 2πR at most, as every
 * turn to the right side is. Every face and every vertex lie in some plane through c.
 */
function concavity({ mesh, positions: p }: Shape): number {
  const { edges } = mesh;
  const { indices, adjacency } = mesh;
  const { vertexOf } = adjacency;
  if (!edges.everyPaired) return Infinity;
  let outward = 0;
  let [concave, convex] = [0, 0];
  for (let e = 0; e < edges.count; e++) {
    const [f, g] = [edges.triangles[edges.start[e]], edges.triangles[edges.start[e] + 1]];
    const [from, to] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    const apex = 3 * thirdCorner(indices, vertexOf, g, from, to);
    const [a, b, c] = [3 * indices[3 * f], 3 * indices[3 * f + 1], 3 * indices[3 * f + 2]];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const normal = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const wx = p[apex] - p[a];
    const wy = p[apex + 1] - p[a + 1];
    const wz = p[apex + 2] - p[a + 2];
    // How far the other triangle's third corner is from the edge.
    const ex = p[3 * to] - p[3 * from];
    const ey = p[3 * to + 1] - p[3 * from + 1];
    const ez = p[3 * to + 2] - p[3 * from + 2];
    const qx = p[apex] - p[3 * from];
    const qy = p[apex + 1] - p[3 * from + 1];
    const qz = p[apex + 2] - p[3 * from + 2];
    const length = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const height = Math.hypot(ey * qz - ez * qy, ez * qx - ex * qz, ex * qy - ey * qx) / length;
    // Products of differences, each a rounding off, and sums: 2^-50 of the lengths, once for the normal's direction.
    const reach = Math.max(Math.hypot(ux, uy, uz), Math.hypot(vx, vy, vz));
    const far = Math.hypot(wx, wy, wz);
    const slack = (2 ** -50 * (far + (far * reach * reach) / normal)) / height;
    const sine = (nx * wx + ny * wy + nz * wz) / (normal * height);
    if (!(slack < 1)) return Infinity;
    outward += sine;
    // Where the triangles lie on the same side of the edge, the angle is a right one or more: no rounding bends so far. Else
    // the angle is at most π/2 times its sine.
    const own = 3 * thirdCorner(indices, vertexOf, f, from, to);
    const rx = p[own] - p[3 * from];
    const ry = p[own + 1] - p[3 * from + 1];
    const rz = p[own + 2] - p[3 * from + 2];
    const along = (qx * ex + qy * ey + qz * ez) / (length * length);
    const folded = (qx - along * ex) * rx + (qy - along * ey) * ry + (qz - along * ez) * rz >= 0;
    concave += folded && sine > -slack ? Infinity : Math.max(0, sine + slack);
    convex += folded && -sine > -slack ? Infinity : Math.max(0, slack - sine);
  }
  // A mesh that is turned inside out bends the other way throughout.
  return 0.5 * Math.PI * (outward <= 0 ? concave : convex);
}

function thirdCorner(
  indices: ArrayLike<number>,
  vertexOf: Uint32Array,
  triangle: number,
  from: number,
  to: number,
): number {
  for (let corner = 3 * triangle; ; corner++) {
    const vertex = vertexOf[indices[corner]];
    if (vertex !== from && vertex !== to) return vertex;
    if (corner === 3 * triangle + 2) return vertex;
  }
}

/** 1 or −1 where every face looks away from a point, or towards it, and together they wind around it once; else 0. */
function starSign({ mesh, positions: p }: Shape, [x, y, z]: number[]): number {
  const { indices } = mesh;
  let angle = 0;
  let sign = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    const ax = p[a] - x;
    const ay = p[a + 1] - y;
    const az = p[a + 2] - z;
    const bx = p[b] - x;
    const by = p[b + 1] - y;
    const bz = p[b + 2] - z;
    const cx = p[c] - x;
    const cy = p[c + 1] - y;
    const cz = p[c + 2] - z;
    const lengthA = Math.sqrt(ax * ax + ay * ay + az * az);
    const lengthB = Math.sqrt(bx * bx + by * by + bz * bz);
    const lengthC = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    if (!(Math.abs(volume) > 1e-14 * lengthA * lengthB * lengthC)) return 0;
    if (sign === 0) sign = Math.sign(volume);
    else if (sign !== Math.sign(volume)) return 0;
    const ab = ax * bx + ay * by + az * bz;
    const bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    angle += 2 * halfSolidAngle(Math.abs(volume), lengthA, lengthB, lengthC, ab, bc, ca);
  }
  return Math.abs(angle - 4 * Math.PI) < 0.1 ? sign : 0;
}

function largestBall(kernels: SolidKernels, shape: Shape, samples: Float64Array): Float64Array | undefined {
  let best = -1;
  for (let i = 0; i < samples.length; i += 4) if (best < 0 || samples[i + 3] > samples[best + 3]) best = i;
  if (best < 0) return undefined;
  return kernels.growBall(shape, samples[best], samples[best + 1], samples[best + 2]);
}

function* carvePieces(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Piece[]> {
  const samples = kernels.sampleInside(shape, sampleCount);
  const pieces: Piece[] = [];
  const taken = new Uint8Array(samples.length / 4);
  let largest = 0;
  for (let attempt = 0; attempt < 2 * mostPieces && pieces.length < mostPieces; attempt++) {
    yield;
    if (until()) break;
    let best = -1;
    for (let i = 0; i < taken.length; i++) {
      if (taken[i] === 0 && (best < 0 || samples[4 * i + 3] > samples[4 * best + 3])) best = i;
    }
    if (best < 0) break;
    taken[best] = 1;
    const ball = kernels.growBall(shape, samples[4 * best], samples[4 * best + 1], samples[4 * best + 2]);
    largest = Math.max(largest, ball[3]);
    if (ball[3] < leastBall * largest) break;
    const carved = carvePiece(kernels, shape, ball);
    if (carved === undefined) continue;
    pieces.push(carved.piece);
    for (let i = 0; i < taken.length; i++) {
      if (holds(carved.planes, samples[4 * i], samples[4 * i + 1], samples[4 * i + 2])) taken[i] = 1;
    }
  }
  return pieces;
}

function holds(planes: Float64Array, x: number, y: number, z: number): boolean {
  for (let k = 0; k < planes.length; k += 4)
    if (planes[k] * x + planes[k + 1] * y + planes[k + 2] * z >= planes[k + 3]) return false;
  return true;
}

/**
 * The piece around the centre of a ball (x, y, z, radius) within the solid. Its corners are those of the planes, found as the
 * facets of the hull of the dual points n/g, g the plane's distance from the centre, and drawn towards the centre until all
 * lie inside all planes: that, not how they were found, makes the piece one of the solid's.
 */
export function carvePiece(
  kernels: SolidKernels,
  shape: Shape,
  ball: Float64Array,
): { piece: Piece; planes: Float64Array } | undefined {
  const [x, y, z, radius] = ball;
  if (!(radius > 1e-6)) return undefined;
  const planes = kernels.carve(shape, x, y, z);
  if (planes === undefined) return undefined;
  const dual = new Float64Array((3 * planes.length) / 4);
  let inner = Infinity;
  for (let k = 0, i = 0; k < planes.length; k += 4, i += 3) {
    // More than the carving's tolerance.
    planes[k + 3] -= 1e-11;
    const gap = planes[k + 3] - (planes[k] * x + planes[k + 1] * y + planes[k + 2] * z);
    if (!(gap > 1e-7)) return undefined;
    inner = Math.min(inner, gap);
    for (let axis = 0; axis < 3; axis++) dual[i + axis] = planes[k + axis] / gap;
  }
  const hull = Hull.of(supportOf(dual));
  if (hull === undefined) return undefined;
  for (let i = 0; i < dual.length; i += 3) hull.add(dual[i], dual[i + 1], dual[i + 2]);
  const corners: number[] = [];
  for (const facet of hull.facets) {
    if (!(facet.height > 1e-9)) return undefined;
    const corner = [facet.x / facet.height, facet.y / facet.height, facet.z / facet.height];
    let same = false;
    for (let i = 0; i < corners.length && !same; i += 3) {
      const apart = Math.abs(corners[i] - corner[0]) + Math.abs(corners[i + 1] - corner[1]);
      same = apart + Math.abs(corners[i + 2] - corner[2]) < 1e-9;
    }
    if (!same) corners.push(...corner);
  }
  let excess = 1;
  for (let i = 0; i < corners.length; i += 3) {
    for (let k = 0; k < dual.length; k += 3) {
      const share = dual[k] * corners[i] + dual[k + 1] * corners[i + 1] + dual[k + 2] * corners[i + 2];
      if (share > excess) excess = share;
    }
  }
  if (excess > 1.01) return undefined;
  let outer = 0;
  for (let i = 0; i < corners.length; i += 3)
    outer = Math.max(outer, Math.hypot(corners[i], corners[i + 1], corners[i + 2]));
  const vertices = Float64Array.from(corners, (value, i) => ball[i % 3] + value / excess);
  const piece = {
    support: supportOf(vertices),
    vertices,
    centre: new Float64Array([x, y, z]),
    inner: inner / excess,
    outer: outer / excess,
    loss: 1e-14,
  };
  return { piece, planes };
}

export function supportOf(points: Float64Array): Support {
  return (x, y, z, out) => {
    let best = -Infinity;
    let at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const reach = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (reach > best) {
        best = reach;
        at = i;
      }
    }
    out[0] = points[at];
    out[1] = points[at + 1];
    out[2] = points[at + 2];
    return best;
  };
}
