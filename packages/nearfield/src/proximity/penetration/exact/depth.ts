// How deep two small solids overlap that are convex but for rounding, in integers made of their world positions: what is left to
// do where the solids are so thin, or overlap so little, that doubles leave the bracket open (pieces/hull.ts). The depth is that
// of the world positions as they are, for translations of any real numbers; how a translation is rounded when it is applied
// to a pose concerns the upper bound alone (separation.ts).

import { applyPose } from '../../../math/pose.ts';
import { dot } from '../../../math/rational.ts';
import type { Placed } from '../../../scene/engine.ts';
import { coreOf, finer } from './core.ts';
import { depthInDifference } from './exact-hull.ts';
import {
  commonBits,
  digitsOf,
  farthest,
  type IntegerPlane,
  type IntegerPoint,
  integerPoints,
  lengthOf,
  planeAlong,
} from './integer-points.ts';

/** A plane beyond which a translation separates the hulls of both solids. */
export interface WayOut {
  readonly plane: IntegerPlane;
  /** Unit normal, and the plane's distance from the origin, in the world. */
  readonly normal: readonly [number, number, number];
  readonly distance: number;
}

export interface ExactDepth {
  /** No translation shorter than this separates; 0 where they have no common interior. Rounded down. */
  readonly lower: number;
  /** Shortest first; none where they have no common interior. */
  readonly ways: readonly WayOut[];
  /** Heights of planes are in units of 2^-bits. */
  readonly bits: number;
}

/** Comparing faces with corners takes as many steps as there are of both, multiplied: no more than this many faces. */
const mostFaces = 512;
/** Products of three coordinates of more digits would be beyond the range of doubles. */
const mostDigits = 330;

/** Undefined where a solid has too many faces or digits, is not convex but for rounding, or is thinner than that rounding. */
export function exactDepth(a: Placed, b: Placed): ExactDepth | undefined {
  if (Math.max(a.shape.mesh.triangleCount, b.shape.mesh.triangleCount) > mostFaces) return undefined;
  const [p, q] = [worldCorners(a), worldCorners(b)];
  const bits = Math.max(commonBits(p.positions), commonBits(q.positions));
  const [pointsA, pointsB] = [integerPoints(p.positions, bits), integerPoints(q.positions, bits)];
  if (Math.max(digitsOf(pointsA), digitsOf(pointsB)) > mostDigits) return undefined;
  const coreA = coreOf(pointsA, p.faces);
  const coreB = coreA && coreOf(pointsB, q.faces);
  if (coreB === undefined) return undefined;
  const digits = Math.max(coreA!.digits, coreB.digits);
  const cores = [coreA!, coreB].map(core => finer(core.corners, digits - core.digits));
  if (Math.max(...cores.map(digitsOf)) > mostDigits) return undefined;
  const depth = depthInDifference(cores[0], cores[1]);
  if (depth === undefined) {
    // Cores that have nothing in common say so of the solids only if they are the solids.
    const apart = digits === 0 || depthInDifference(pointsA, pointsB) === undefined;
    return apart ? { lower: 0, ways: [], bits } : undefined;
  }
  const ways = depth.nearest.map(({ normal }) => wayAlong(normal, pointsA, pointsB, bits));
  ways.sort((one, other) => one.distance - other.distance);
  // The distance is right to 2^-49 of itself.
  const lower = inWorld(depth.nearest[0].distance * (1 - 2 ** -48), bits + digits);
  return { lower, ways, bits };
}

/** Whether a translation leads beyond one of the planes, exactly: then it separates the solids. */
export function leadsOut({ ways, bits }: ExactDepth, translation: ArrayLike<number>): boolean {
  const own = commonBits(Array.from({ length: 3 }, (_, i) => translation[i]));
  const [t] = integerPoints(translation, own);
  return ways.some(
    ({ plane: { normal, height } }) => dot(normal, t) << BigInt(bits) >= height << BigInt(own),
  );
}

function wayAlong(
  normal: IntegerPoint,
  a: readonly IntegerPoint[],
  b: readonly IntegerPoint[],
  bits: number,
): WayOut {
  const height = dot(normal, farthest(a, normal, 1)) - dot(normal, farthest(b, normal, -1));
  const plane = planeAlong(normal, height);
  const length = lengthOf(normal);
  const [x, y, z] = normal.near;
  return {
    plane,
    normal: [x / length, y / length, z / length],
    distance: inWorld(plane.distance, bits),
  };
}

/** Times 2^-bits, which alone may be less than any double. */
function inWorld(distance: number, bits: number): number {
  const half = Math.floor(bits / 2);
  return distance * 2 ** -half * 2 ** (half - bits);
}

/** World positions of the vertices that triangles use, and the triangles. */
function worldCorners({ shape, pose }: Placed): { positions: number[]; faces: Uint32Array } {
  const { mesh, positions } = shape;
  const numberOf = new Map<number, number>();
  const placed: number[] = [];
  const out = new Float64Array(3);
  const faces = Uint32Array.from(mesh.indices, index => {
    const vertex = mesh.adjacency.vertexOf[index];
    let number = numberOf.get(vertex);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(vertex, number);
      applyPose(pose, positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], out, 0);
      placed.push(out[0], out[1], out[2]);
    }
    return number;
  });
  return { positions: placed, faces };
}
