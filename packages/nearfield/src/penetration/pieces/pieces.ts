// Convex pieces of a solid, kept with its shape: the whole solid if it is convex, its convex shells (shells.ts), else a
// few pieces carved around large balls (kernels/carve.as.ts). If P is a piece of A and Q one of B, no translation in
// the interior of P − Q separates the two.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import type { SolidKernels } from '../solids.ts';
import { concavity, starSign } from './convexity.ts';
import { Hull, type Support } from './hull.ts';
import { type Piece, supportOf } from './piece.ts';
import { convexShells, type Shells } from './shells.ts';

/** Pieces of a solid, and whether the solid is their union. */
export interface Pieces {
  readonly pieces: readonly Piece[];
  readonly whole: boolean;
}

interface Known {
  readonly revision: number;
  /** The pieces found so far, and the generator that carves more; undefined once there is nothing left to carve. */
  readonly pieces: Piece[];
  readonly whole: boolean;
  carving: Generator<undefined, void> | undefined;
}

const knownShapes = new WeakMap<Shape, Known>();
/** Unfinished tests for convexity, by shape. The next question resumes them. */
const begunShapes = new WeakMap<Shape, { revision: number; work: Generator<undefined, Shells> }>();

/** With an excess beyond this share of the tree's size, a solid is not convex. */
const convexTolerance = 1e-7;
/** A sum of concave angles above this is more than rounding of positions causes. */
const mostConcavity = 2;
const sampleCount = 1200;
const mostPieces = 16;
/** Balls smaller than this share of the largest get no piece of their own. */
const leastBall = 0.05;
/** Faces compared with all vertices per step. */
const facesAtOnce = 512;

/**
 * Pieces whose union is the whole solid, if convex shells give them. Found at the first call for a shape, in steps.
 * Also undefined if the time was up before that was known.
 */
export function* wholeOf(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Pieces | undefined> {
  const facts = yield* known(kernels, shape, until);
  return facts?.whole ? facts : undefined;
}

/** Pieces of a solid, largest ball first. Made at the first call for a shape, in steps; fewer if the time was up. */
export function* piecesOf(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Pieces> {
  const facts = yield* known(kernels, shape, until);
  if (facts === undefined) return { pieces: [], whole: false };
  while (facts.carving !== undefined && !until()) {
    if (facts.carving.next().done) facts.carving = undefined;
    else yield;
  }
  return facts;
}

function* known(
  kernels: SolidKernels,
  shape: Shape,
  until: () => boolean,
): Generator<undefined, Known | undefined> {
  const { revision } = shape;
  for (;;) {
    // Another question may have found it in the meantime.
    const facts = knownShapes.get(shape);
    if (facts?.revision === revision) return facts;
    if (until()) return undefined;
    let begun = begunShapes.get(shape);
    if (begun?.revision !== revision) begun = { revision, work: findShells(kernels, shape) };
    // Work that failed is not resumed.
    begunShapes.delete(shape);
    const step = begun.work.next();
    if (step.done) {
      const { pieces, whole } = step.value;
      const carving = whole ? undefined : carvePieces(kernels, shape, pieces);
      knownShapes.set(shape, { revision, pieces, whole, carving });
    } else {
      begunShapes.set(shape, begun);
      yield;
    }
  }
}

function* findShells(kernels: SolidKernels, shape: Shape): Generator<undefined, Shells> {
  const shells = convexShells(shape, kernels.frameOf(shape));
  if (shells !== undefined) return shells;
  const convex = yield* wholeIfConvex(kernels, shape);
  return { pieces: convex ? [convex] : [], whole: convex !== undefined };
}

/**
 * What lies inside the planes of all faces holds no surface; if it contains a point of the solid, it is within the
 * solid. Let a vertex v reach beyond a plane by no more than `loss`, and let c be the centre of a ball of radius r
 * inside all planes. Moved towards c by loss/r of |v − c|, the vertex lies inside: a plane at distance g ≥ r from c has
 * (1 − loss/(r + loss))·(g + loss) ≤ g.
 */
function* wholeIfConvex(kernels: SolidKernels, shape: Shape): Generator<undefined, Piece | undefined> {
  const bend = yield* concavity(shape);
  if (bend > mostConcavity) return undefined;
  yield;
  const ball = largestBall(kernels, shape, kernels.sampleInside(shape, 200));
  if (ball === undefined) return undefined;
  const { centre, scale, half } = kernels.frameOf(shape);
  const middle = [0, 1, 2].map(axis => ball[axis] / scale + centre[axis]);
  const seen = yield* starSign(shape, middle);
  if (seen === 0) return undefined;
  yield;
  // Twice the bend times the length of a section, with some room.
  const outer = 1.01 * scale * Math.hypot(half[0], half[1], half[2]) + Math.hypot(ball[0], ball[1], ball[2]);
  let loss = ((4.1 * Math.PI * outer * outer) / ball[3]) * bend + 1e-14;
  if (loss > convexTolerance) {
    loss = 1e-14;
    for (let face = 0; face < shape.mesh.triangleCount && loss <= convexTolerance; face += facesAtOnce) {
      loss = Math.max(loss, kernels.convexExcess(shape, seen, convexTolerance, face, facesAtOnce) + 1e-14);
      yield;
    }
  }
  if (!(loss <= convexTolerance)) return undefined;
  const support: Support = (x, y, z, out) => kernels.support(shape, x, y, z, out);
  // A ball this small was not found to be inside: perhaps no sampled point is.
  const inner = ball[3] - loss;
  if (!(inner > loss)) return undefined;
  return { support, centre: ball.subarray(0, 3), inner, outer, loss, simplex: false, firm: Infinity };
}

function largestBall(kernels: SolidKernels, shape: Shape, samples: Float64Array): Float64Array | undefined {
  let best = -1;
  for (let i = 0; i < samples.length; i += 4) if (best < 0 || samples[i + 3] > samples[best + 3]) best = i;
  if (best < 0) return undefined;
  return kernels.growBall(shape, samples[best], samples[best + 1], samples[best + 2]);
}

/** Adds pieces to a list, at most one per step. */
function* carvePieces(kernels: SolidKernels, shape: Shape, pieces: Piece[]): Generator<undefined, void> {
  const samples = kernels.sampleInside(shape, sampleCount);
  const taken = new Uint8Array(samples.length / 4);
  let largest = 0;
  const most = pieces.length + mostPieces;
  for (let attempt = 0; attempt < 2 * mostPieces && pieces.length < most; attempt++) {
    yield;
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
}

function holds(planes: Float64Array, x: number, y: number, z: number): boolean {
  for (let k = 0; k < planes.length; k += 4)
    if (planes[k] * x + planes[k + 1] * y + planes[k + 2] * z >= planes[k + 3]) return false;
  return true;
}

/**
 * The piece around the centre of a ball (x, y, z, radius) inside the solid. Its corners are those of the planes, found
 * as the facets of the hull of the dual points n/g, where g is the plane's distance from the centre. They are moved
 * towards the centre until all lie inside all planes: that, not how they were found, makes the piece one of the
 * solid's. `planes` bound it, `corners` are its own.
 */
export function carvePiece(
  kernels: SolidKernels,
  shape: Shape,
  ball: Float64Array,
): { piece: Piece; planes: Float64Array; corners: Float64Array } | undefined {
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
    centre: new Float64Array([x, y, z]),
    inner: inner / excess,
    outer: outer / excess,
    loss: 1e-14,
    simplex: false,
    firm: Infinity,
  };
  return { piece, planes, corners: vertices };
}
