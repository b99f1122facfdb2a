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
import {
  aFlag,
  checkOptions,
  checkPoints,
  distanceAbove0,
  limitRules,
  oneOf,
  pointsAsGiven,
  type Rules,
} from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, shareOf, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { readAll } from '../questions/scene-core.ts';
import { askNearTriangles, isWorthAsking } from './ask-nearest.ts';
import { cpuDistances } from './cpu/driver.ts';
import type { PointsRoom } from './cpu/points/points-room.ts';
import type { Surface } from './exact/nearest.ts';
import { decidePoints, nearestPoint, pointDistance } from './exact/point-triangle.ts';
import { givenPoints } from './points/given-points.ts';
import { applySigns } from './points/point-signs.ts';
import type { AskedPoints, NearTriangles, RawClosest } from './request.ts';

/** How nearest points are searched. */
export interface ClosestOptions extends Limits {
  /**
   * The farthest distance to search, in world units; default Infinity. A point without a strictly nearer triangle has distance Infinity and triangle −1.
   */
  readonly upTo?: number | undefined;
  /**
   * Gives points inside the solid a negative distance; default false. A point counts as inside an open mesh if the mesh's winding
   * number there exceeds a half in magnitude.
   */
  readonly signed?: boolean | undefined;
  /** What the answer has: 'points' is all of it (default). */
  readonly detail?: 'points' | undefined;
}

/** How the nearest triangles are searched, if nothing else is wanted. */
export interface ClosestTrianglesOptions extends Limits {
  /** As in `ClosestOptions`. */
  readonly upTo?: number | undefined;
  /** Finds which triangle is nearest to each point, without measuring the distance. A GPU answers this faster. */
  readonly detail: 'triangles';
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

/** The answer without distances: one entry per point, in the order of the points. */
export interface ClosestTriangles {
  /** The lowest of the nearest triangles, decided exactly; −1 if nothing is within reach. */
  readonly triangles: Int32Array;
  /** 'gpu' if a GPU found them; the CPU decides where single precision cannot tell. */
  readonly backend: 'cpu' | 'gpu';
}

/** `scene.closest` describes the answer. */
export function closest(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestTrianglesOptions,
): Promise<ClosestTriangles>;
/** `scene.closest` describes the answer. */
export function closest(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
  options?: ClosestOptions,
): Promise<ClosestPoints>;
export async function closest(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestOptions | ClosestTrianglesOptions = {},
): Promise<ClosestPoints | ClosestTriangles> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  const cpu = cpuDistances(core.cpu);
  const asked = readPoints(points, options, cpu.copies.take);
  const { given, upTo, detail } = asked;
  const search = limitsOfPart(options, 0, 0.9);
  const rest = limitsOfPart(options, 0.9, 1);
  const answer = async (engine: Engine): Promise<ClosestPoints | ClosestTriangles> => {
    const seen = question.readableAt(0);
    const decide = (raw: RawClosest, backend: 'cpu' | 'gpu') =>
      inSlices(measured(core.cpu, seen, given.copy, asked, raw, backend), rest, core.cpu.checkOpen);
    if (isWorthAsking(engine, given)) {
      const plain = detail === 'triangles';
      let room: PointsRoom | undefined;
      const prepare = () => (room = cpu.roomFor(given.copy)).prepare();
      try {
        const request = { ...options, upTo, plain, meanwhile: plain ? undefined : prepare };
        const near = await askNearTriangles(engine, question.bodyAt(0), given, request);
        if (near !== undefined)
          return plain
            ? await decideTriangles(core.cpu, seen, asked, [search, rest], near)
            : await decide(await cpu.closestPoints(seen, given.copy, upTo, search, { near, room }), 'gpu');
      } finally {
        room?.release();
      }
    }
    // Progress is reported after the call has returned.
    await undefined;
    checkPoints(given.copy);
    return wanted(asked, await decide(await cpu.closestPoints(seen, given.copy, upTo, search), 'cpu'));
  };
  // A GPU that compiles its kernels is asked the same question beside the CPU, and takes longer.
  let askedNow = 0;
  const ask = async (engine: Engine): Promise<ClosestPoints | ClosestTriangles> => {
    askedNow++;
    try {
      return await answer(engine);
    } finally {
      if (--askedNow === 0) cpu.copies.giveBack(given.copy);
    }
  };
  const kind = detail === 'points' ? 'closest' : 'closest, triangles';
  const answered = core.whileWaiting(question, options, async () => {
    if (question.arePosesOnGpu || question.arePositionsOnGpu) await readAll(question);
    return core.sooner(kind, question, options, ask, given.count);
  });
  // If a GPU has begun, it works while the points are copied.
  void given.copy;
  return answered;
}

/** `scene.closestSync` describes the answer. */
export function closestSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestTrianglesOptions,
): ClosestTriangles;
/** `scene.closestSync` describes the answer. */
export function closestSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
  options?: ClosestOptions,
): ClosestPoints;
export function closestSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
  options: ClosestOptions | ClosestTrianglesOptions = {},
): ClosestPoints | ClosestTriangles {
  const core = coreOf(scene);
  core.checkSync('closestSync');
  const seen = core.questionAbout(body).readableAt(0);
  const asked = readPoints(points, options);
  checkPoints(asked.given.copy);
  const raw = cpuDistances(core.cpu).closestPointsSync(seen, asked.given.copy, asked.upTo, options);
  return wanted(asked, toEnd(measured(core.cpu, seen, asked.given.copy, asked, raw, 'cpu')));
}

/** Nearest points on the CPU, without limits or signs. The points must be finite. */
export function closestToBody(cpu: CpuEngine, body: SnapshotBody, points: Float64Array): ClosestPoints {
  const raw = cpuDistances(cpu).closestPointsSync(body, points, Infinity, {});
  return toEnd(measured(cpu, body, points, { upTo: Infinity, signed: false }, raw, 'cpu'));
}

const details = ['points', 'triangles'] as const;

const closestRules: Rules<
  Omit<ClosestOptions, 'detail'> & { detail?: (typeof details)[number] | undefined }
> = {
  ...limitRules,
  upTo: distanceAbove0,
  signed: aFlag,
  detail: oneOf(...details),
};

/** The question, with its options filled in. */
interface Asked {
  readonly given: AskedPoints;
  readonly upTo: number;
  readonly signed: boolean;
  readonly detail: (typeof details)[number];
}

/** The points are not checked yet. */
function readPoints(
  points: Float32Array | Float64Array,
  options: ClosestOptions | ClosestTrianglesOptions,
  provide = (length: number): Float64Array => new Float64Array(length),
): Asked {
  checkOptions(options, closestRules, 'closest');
  const { upTo = Infinity, detail = 'points' } = options;
  const signed = 'signed' in options && options.signed === true;
  if (signed && detail === 'triangles')
    throw new NearfieldError('bad-option', "signed is about distances, which detail 'triangles' leaves out");
  const given = pointsAsGiven(points);
  return { given: givenPoints(given, provide(given.length)), upTo, signed, detail };
}

/** What the question asks for, of the answer of the CPU alone. */
const wanted = ({ detail }: Asked, answer: ClosestPoints): ClosestPoints | ClosestTriangles =>
  detail === 'points' ? answer : { triangles: answer.triangles, backend: 'cpu' };

/** Decides what the search left open. Yields the share done. */
function* measured(
  engine: CpuEngine,
  body: SnapshotBody,
  points: Float64Array,
  { upTo, signed }: Pick<Asked, 'upTo' | 'signed'>,
  raw: RawClosest,
  backend: 'cpu' | 'gpu',
): Generator<number, ClosestPoints> {
  yield* shareOf(decideUnsure(body, points, upTo, raw), 0, signed ? 0.5 : 1);
  const { distances, points: nearest, triangles, features } = raw;
  if (signed) yield* shareOf(applySigns(engine, body, points, distances), 0.5, 1);
  return { distances, points: nearest, triangles, features, backend };
}

/** Decides the points that the GPU listed, and puts their triangles among the others. */
async function decideTriangles(
  cpu: CpuEngine,
  body: SnapshotBody,
  { given: { copy: points }, upTo }: Asked,
  [search, rest]: readonly Limits[],
  { answers, triangles: lists, listed }: NearTriangles,
): Promise<ClosestTriangles> {
  // New memory would take as long as the rest: its pages are filled with zeros first.
  const triangles = new Int32Array(answers.buffer);
  if (listed !== undefined) {
    const some = new Float64Array(3 * listed.points.length);
    listed.points.forEach((i, k) => {
      some.set(points.subarray(3 * i, 3 * i + 3), 3 * k);
    });
    const raw = await cpuDistances(cpu).closestPoints(body, some, upTo, search, {
      near: { answers: listed.words, triangles: lists },
    });
    await inSlices(decideUnsure(body, some, upTo, raw), rest, cpu.checkOpen);
    listed.points.forEach((i, k) => {
      triangles[i] = raw.triangles[k];
    });
  }
  return { triangles, backend: 'gpu' };
}

/** Decides the points that have several candidates. Yields the share done. */
function* decideUnsure(
  body: Surface,
  points: Float64Array,
  upTo: number,
  raw: RawClosest,
): Generator<number, void> {
  const bound = () => upTo;
  // Until one of them proves to be within reach, none is.
  for (let k = 0; k < raw.unsure.length; k += 2) {
    const i = raw.unsure[k];
    raw.triangles[i] = -1;
    raw.distances[i] = Infinity;
    raw.points.fill(Number.NaN, 3 * i, 3 * i + 3);
  }
  yield* decidePoints(raw.unsure, points, body, bound, (i, found) => {
    raw.distances[i] = pointDistance(found);
    raw.points.set(nearestPoint(found, points.subarray(3 * i, 3 * i + 3)), 3 * i);
    raw.triangles[i] = found.triangle;
    raw.features[i] = kindOf(found.feature);
  });
}

/** The kind of a feature: 1 to 3 are edges, 4 to 6 corners. */
const kindOf = (number: number): number =>
  number === 0 ? feature.face : number < 4 ? feature.edge : feature.vertex;
