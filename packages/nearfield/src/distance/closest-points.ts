// Which point of a body's surface is nearest to each of many points? The kernel works in double. It finds the triangles
// that may be the nearest, decides exactly which of their features (face, edge, corner) is nearest, and measures that
// feature in double-double. Whatever is still open is decided in exact fractions. So among equally near triangles the
// lowest is given, and every distance has a relative error of at most 2^-52. The sign says on which side the point
// lies. For solids it comes from the winding number, exactly. For other meshes it comes from the generalised winding
// number (Jacobson, Kavan, Sorkine-Hornung, Robust Inside-Outside Segmentation, 2013), computed from exact crossings
// and the rim.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { placeCorners } from '../bodies/snapshot/world.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { aFlag, checkOptions, distanceAbove0, limitRules, pointsOf, type Rules } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { boundaryOf, boundaryWinding } from '../inside/boundary-winding.ts';
import { createCorners, isAbove, passes } from '../inside/crossing.ts';
import { pointsInside } from '../inside/winding.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { askNearTriangles, isWorthAsking } from './ask-nearest.ts';
import { cpuDistances } from './cpu/driver.ts';
import type { Surface } from './exact/nearest.ts';
import { decidePoints, nearestPoint, pointDistance } from './exact/point-triangle.ts';
import type { RawClosest } from './request.ts';

/** How nearest points are searched. */
export interface ClosestOptions extends Limits {
  /**
   * The farthest distance to search, in world units; default Infinity. A point without a strictly nearer triangle has distance Infinity and triangle −1.
   */
  readonly upTo?: number | undefined;
  /**
   * Gives points inside the solid a negative distance; default false. Inside an open mesh means: its winding number exceeds a half in
   * magnitude.
   */
  readonly signed?: boolean | undefined;
}

/**
 * The part of a triangle that a nearest point lies on; `features[i]` is one of these. A distance field also says which
 * edge or corner (`DistanceField.feature`): its 1 to 3 are edges (1 here), its 4 to 6 are corners (2 here).
 */
export const feature = {
  /** Inside the triangle. */
  face: 0,
  /** On an edge, between its ends. */
  edge: 1,
  /** At a corner. */
  vertex: 2,
} as const;

/** One entry per point, in the order of the points. */
export interface ClosestPoints {
  /**
   * The relative error is at most 2^-52, whatever the shape and size of the triangles and however near the point is.
   * (Distances below 2^-1022 are off by at most the smallest double.) 0 if and only if the point lies on the surface.
   * measure-feature.as.ts derives the bound.
   */
  readonly distances: Float64Array;
  /**
   * The nearest points, three numbers per point; NaN if nothing is within reach. A coordinate is off by at most 2^-53
   * of itself plus 2^-54 of the distance. If the nearest point is a vertex, it is given as it is.
   */
  readonly points: Float64Array;
  /** Per point the lowest of the nearest triangles, decided exactly; −1 if nothing is within reach. */
  readonly triangles: Int32Array;
  /** Which part of the triangle: 0 its face, 1 an edge, 2 a vertex (`feature`). */
  readonly features: Uint8Array;
  /** 'gpu' if a GPU found the triangles that may be the nearest; the CPU decides among them. */
  readonly backend: 'cpu' | 'gpu';
}

/** `scene.closest` describes the answer. */
export async function closest(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestOptions = {},
): Promise<ClosestPoints> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  const { doubles, upTo } = readPoints(points, options);
  const ask = async (engine: Engine): Promise<ClosestPoints> => {
    const seen = question.readableAt(0);
    const cpu = cpuDistances(core.cpu);
    if (isWorthAsking(engine, doubles)) {
      const near = await askNearTriangles(engine, question.bodyAt(0), doubles, upTo, options);
      if (near !== undefined) {
        const raw = await cpu.closestPoints(seen, doubles, upTo, options, near);
        return finish(core.cpu, seen, doubles, upTo, options, raw, 'gpu');
      }
    }
    const raw = await cpu.closestPoints(seen, doubles, upTo, options);
    return finish(core.cpu, seen, doubles, upTo, options, raw, 'cpu');
  };
  return core.withPositions(question, options, () =>
    core.sooner('closest', question, options, ask, doubles.length / 3),
  );
}

/** `scene.closestSync` describes the answer. */
export function closestSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestOptions = {},
): ClosestPoints {
  const core = coreOf(scene);
  core.checkSync('closestSync');
  const seen = core.questionAbout(body).readableAt(0);
  const { doubles, upTo } = readPoints(points, options);
  const raw = cpuDistances(core.cpu).closestPointsSync(seen, doubles, upTo, options);
  return finish(core.cpu, seen, doubles, upTo, options, raw, 'cpu');
}

/** Nearest points on the CPU, without limits or signs. The points must be finite. */
export function closestToBody(cpu: CpuEngine, body: SnapshotBody, points: Float64Array): ClosestPoints {
  return finish(
    cpu,
    body,
    points,
    Infinity,
    {},
    cpuDistances(cpu).closestPointsSync(body, points, Infinity, {}),
    'cpu',
  );
}

/** What the features of an engine's answer are: the face, three edges, three corners. A table, since nobody can guess which comes next. */
const kinds = [
  feature.face,
  ...[feature.edge, feature.edge, feature.edge],
  ...[feature.vertex, feature.vertex, feature.vertex],
];

const closestRules: Rules<ClosestOptions> = { ...limitRules, upTo: distanceAbove0, signed: aFlag };

function readPoints(points: Float32Array | Float64Array, options: ClosestOptions) {
  checkOptions(options, closestRules, 'closest');
  return { doubles: pointsOf(points), upTo: options.upTo ?? Infinity };
}

function finish(
  engine: CpuEngine,
  body: SnapshotBody,
  points: Float64Array,
  upTo: number,
  { signed = false }: ClosestOptions,
  raw: RawClosest,
  backend: 'cpu' | 'gpu',
): ClosestPoints {
  decideUnsure(body, points, upTo, raw);
  const { distances, points: nearest, triangles, features } = raw;
  for (let i = 0; i < triangles.length; i++) {
    if (triangles[i] >= 0) continue;
    triangles[i] = -1;
    distances[i] = Infinity;
    nearest.fill(Number.NaN, 3 * i, 3 * i + 3);
  }
  for (let i = 0; i < features.length; i++) features[i] = kinds[features[i]];
  if (signed) applySigns(engine, body, points, distances);
  return { distances, points: nearest, triangles, features, backend };
}

/** Decides the points that have several candidates. A point without any candidate keeps a negative triangle. */
function decideUnsure(body: Surface, points: Float64Array, upTo: number, raw: RawClosest): void {
  const bound = () => upTo;
  decidePoints(raw.unsure, points, body, bound, (i, found) => {
    raw.distances[i] = pointDistance(found);
    raw.points.set(nearestPoint(found, points.subarray(3 * i, 3 * i + 3)), 3 * i);
    raw.triangles[i] = found.triangle;
    raw.features[i] = found.feature;
  });
}

const down = [0, 0, -1];

function applySigns(
  engine: CpuEngine,
  body: SnapshotBody,
  points: Float64Array,
  distances: Float64Array,
): void {
  if (body.mesh.solid) {
    const places = pointsInside(finderOf(engine), body, points);
    for (let i = 0; i < places.length; i++) if (places[i] === 1) distances[i] = -distances[i];
    return;
  }
  const turns = windingNumbers(engine, body, points);
  for (let i = 0; i < turns.length; i++) if (Math.abs(turns[i]) > 0.5) distances[i] = -distances[i];
}

/**
 * Counts the crossings of the column below each point and adds what the rim contributes (inside/boundary-winding.ts).
 */
function windingNumbers(engine: CpuEngine, body: SnapshotBody, points: Float64Array): Float64Array {
  const sums = new Float64Array(points.length / 3);
  const boundary = boundaryOf(body);
  const p = createCorners();
  for (let i = 0; i < sums.length; i++) {
    const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
    let crossings = 0;
    for (const t of finderOf(engine).trianglesOnRay(body, [x, y, z], down, 0)) {
      placeCorners(body, t, p, 0);
      p[9] = x;
      p[10] = y;
      const turn = passes(p);
      // A triangle whose corners run counter-clockwise from above is left upwards: crossing it leads out of the solid.
      if (turn !== 0 && isAbove(p, z, turn)) crossings -= turn;
    }
    sums[i] = crossings + boundaryWinding(boundary, x, y, z);
  }
  return sums;
}
