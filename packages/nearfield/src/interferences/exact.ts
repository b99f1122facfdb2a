// The exact stage: decides the pairs that an engine left unsure, by exact arithmetic on world doubles, and sorts the
// results.

import { readable } from '../bodies/on-gpu/buffers.ts';
import type { Placed, ShapeState, Snapshot } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { groupInSteps, mergeGroups } from '../bvh/cpu/sort/records.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { applyPose } from '../math/pose.ts';
import { neighboursMeet } from '../math/triangles/triangle-neighbours.ts';
import { type SideOfPlane, trianglesMeet } from '../math/triangles/triangle-triangle.ts';
import type { Indices, Positions } from '../mesh/mesh.ts';
import { areKept, PlaneSigns } from './curves/plane-signs.ts';
import { framed } from './relation/coordinates/rescaled.ts';
import type { RawAnswer } from './request.ts';

/** Triangle pairs of all candidates. Those of candidate c are records start[c] to start[c + 1] − 1. */
export interface MeetingTriangles {
  readonly start: Uint32Array;
  /** (triangle of a, triangle of b), sorted within each candidate. */
  readonly triangles: Uint32Array;
}

/**
 * The bodies that records refer to, by row: a snapshot, or a function that makes one `SnapshotBody`. The snapshot is
 * faster when hundreds of bodies have one record each, since a `SnapshotBody` is a copy.
 */
export type BodySource = ((body: number) => SnapshotBody) | Snapshot;

/**
 * Whether each candidate has a pair that meets, 1 or 0 per candidate. Stops deciding a candidate's pairs at the first
 * that does.
 */
export function decideAny(raw: RawAnswer, source: BodySource): Uint8Array {
  const { candidates, certain, unsure } = raw;
  const meets = new Uint8Array(candidates.length / 2);
  for (let r = 0; r < certain.length; r += 3) meets[certain[r]] = 1;
  if (unsure.length === 0) return meets;
  const decide = pairsMeet(raw, source);
  for (let r = 0; r < unsure.length; r += 3) {
    const c = unsure[r];
    if (meets[c] === 0 && decide(c, unsure[r + 1], unsure[r + 2], r)) meets[c] = 1;
  }
  return meets;
}

/** The complete, sorted lists of triangle pairs that meet. */
export function decidePairs(raw: RawAnswer, source: BodySource, engine: CpuEngine): MeetingTriangles {
  return toEnd(decideInSteps(raw, source, engine));
}

/** The same in steps, which yield the fraction done. */
export function decideInSteps(
  raw: RawAnswer,
  source: BodySource,
  engine: CpuEngine,
): Generator<number, MeetingTriangles> {
  return sortByCandidate(raw, engine, () => pairsMeet(raw, source));
}

/** The same for one body against itself: triangles (i, j), i < j, that share more than their common positions. */
export function decideSelf(raw: RawAnswer, body: SnapshotBody, engine: CpuEngine): Uint32Array {
  return toEnd(sortByCandidate(raw, engine, () => selfMeets(raw, body))).triangles;
}

/** Decides an unsure pair: triangles i and j of a candidate. `record` is the offset of the pair's record. */
type Decision = (candidate: number, i: number, j: number, record: number) => boolean;

/**
 * After this many unsure pairs of one candidate, it is worth looking for a frame in which signs are cheaper, and keeping
 * signs. Looking takes about as long as a few of the slowest signs.
 */
const pairsBeforeMoving = 32;

function pairsMeet(raw: RawAnswer, source: BodySource): Decision {
  const { candidates } = raw;
  const corners = new Float64Array(18);
  const [a, b] = [new Side(raw, corners, 0), new Side(raw, corners, 1)];
  let last = -1;
  let decided = 0;
  let planes: PlaneSigns | undefined;
  let [n, m] = [0, 0];
  const side: SideOfPlane = (p, triangle, corner) =>
    triangle === 0
      ? planes!.sign(p, n, 0, m, corner / 3 - 3, corner)
      : planes!.sign(p, m, 9, n, corner / 3, corner);
  return (candidate, i, j, record) => {
    if (candidate !== last) {
      last = candidate;
      decided = 0;
      planes = undefined;
      a.takeBody(source, candidates[2 * candidate]);
      b.takeBody(source, candidates[2 * candidate + 1]);
    } else if (++decided === pairsBeforeMoving) {
      moveForCheaperSigns(a, b);
      planes = keptSigns(a, b);
    }
    a.place(i, record);
    b.place(j, record);
    if (planes === undefined) return trianglesMeet(corners);
    n = planes.numberOf(0, i);
    m = planes.numberOf(1, j);
    return trianglesMeet(corners, side);
  };
}

/** The signs of two bodies' corners against their planes; undefined if these are too many to be kept, or on the GPU. */
function keptSigns({ body: a }: Side, { body: b }: Side): PlaneSigns | undefined {
  return a && b && areKept(a, b) ? new PlaneSigns([a, b]) : undefined;
}

function selfMeets(raw: RawAnswer, body: SnapshotBody): Decision {
  const corners = new Float64Array(18);
  const [a, b] = [new Side(raw, corners, 0), new Side(raw, corners, 1)];
  a.take(body, body.pose, 0);
  b.take(body, body.pose, 0);
  let decided = 0;
  return (_, i, j, record) => {
    if (++decided === pairsBeforeMoving) moveForCheaperSigns(a, b);
    a.place(i, record);
    b.place(j, record);
    return neighboursMeet(corners);
  };
}

/**
 * Moves both bodies by the same affine map if that makes exact signs cheaper, as it does for bodies that were sheared
 * and turned. Such a map changes neither whether triangles meet nor which corners they have in common.
 */
function moveForCheaperSigns(a: Side, b: Side): void {
  const [bodyA, bodyB] = [a.body, b.body];
  if (!bodyA || !bodyB) return;
  const [movedA, movedB] = framed(bodyA, bodyB);
  if (movedA === bodyA) return;
  a.takePlaced(movedA);
  b.takePlaced(movedB);
}

/**
 * One side (a or b) of the records to be decided. Consecutive records mostly have the same candidate, and often the
 * same triangle. So the body's data and the triangle's world corners are kept until they change.
 */
class Side {
  readonly #raw: RawAnswer;
  readonly #corners: Float64Array;
  readonly #side: number;
  #state: ShapeState | undefined;
  #isOnGpu = false;
  #positions: Positions = none;
  #indices: Indices = noIndices;
  #poses: Float64Array = none;
  #at = 0;
  #triangle = -1;

  /** Writes world corners to corners[9 · side]. */
  constructor(raw: RawAnswer, corners: Float64Array, side: number) {
    this.#raw = raw;
    this.#corners = corners;
    this.#side = side;
  }

  takeBody(source: BodySource, body: number): void {
    if (typeof source === 'function') {
      const seen = source(body);
      this.take(seen, seen.pose, 0);
    } else this.take(readable(source.shapeStates[body]), source.poses, 16 * body);
  }

  /** Takes a body whose pose is at poses[at]. */
  take(state: ShapeState, poses: Float64Array, at: number): void {
    if (state === this.#state && poses === this.#poses && at === this.#at) return;
    this.#state = state;
    this.#isOnGpu = state.onGpu !== undefined;
    this.#positions = state.positions;
    this.#indices = state.mesh.indices;
    this.#poses = poses;
    this.#at = at;
    this.#triangle = -1;
  }

  takePlaced({ shape, pose }: Placed): void {
    this.take({ ...shape, shape }, pose, 0);
  }

  /** The body, at the moment of the question; undefined if its positions are on the GPU. */
  get body(): Placed | undefined {
    const state = this.#state;
    if (!state || this.#isOnGpu) return undefined;
    const { mesh, positions, revision } = state;
    const pose = this.#poses.subarray(this.#at, this.#at + 16);
    return { shape: { mesh, positions, revision }, pose, poseRevision: 0 };
  }

  /**
   * Computes the world corners of a record's triangle, from the body's positions or from the corners that the GPU sent
   * along.
   */
  place(triangle: number, record: number): void {
    if (this.#isOnGpu) this.#placeFromGpu(record);
    else if (triangle !== this.#triangle) {
      const to = 9 * this.#side;
      placeTriangle(this.#poses, this.#at, this.#positions, this.#indices, triangle, this.#corners, to);
      this.#triangle = triangle;
    }
  }

  #placeFromGpu(record: number): void {
    const { buffer, byteOffset } = this.#raw.unsureCorners!;
    const first = 9 * this.#side;
    const local = new Float32Array(buffer, byteOffset + 4 * (6 * record + first), 9);
    for (let k = 0; k < 9; k += 3) {
      applyPose(this.#poses, local[k], local[k + 1], local[k + 2], this.#corners, first + k, this.#at);
    }
  }
}

const none = new Float64Array();
const noIndices = new Uint32Array();

/**
 * World positions of a triangle's vertices, as `applyPose` computes them. The pose is read into variables first: the
 * JavaScript compiler cannot know that `out` does not overlap it.
 */
function placeTriangle(
  m: Float64Array,
  at: number,
  positions: Positions,
  indices: Indices,
  triangle: number,
  out: Float64Array,
  first: number,
): void {
  const m0 = m[at];
  const m1 = m[at + 1];
  const m2 = m[at + 2];
  const m4 = m[at + 4];
  const m5 = m[at + 5];
  const m6 = m[at + 6];
  const m8 = m[at + 8];
  const m9 = m[at + 9];
  const m10 = m[at + 10];
  const m12 = m[at + 12];
  const m13 = m[at + 13];
  const m14 = m[at + 14];
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * indices[3 * triangle + corner];
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    const to = first + 3 * corner;
    out[to] = m0 * x + m4 * y + m8 * z + m12;
    out[to + 1] = m1 * x + m5 * y + m9 * z + m13;
    out[to + 2] = m2 * x + m6 * y + m10 * z + m14;
  }
}

/** Unsure pairs decided between two looks at the clock. */
const pairsAtOnce = 512;
/** Up to this many unsure pairs are decided later without slices: a few milliseconds of work. */
const fewPairs = 4096;
/** The engine's share of a question's progress; the exact stage has the rest. */
export const engineShare = 0.9;

/**
 * Asks an engine. If it leaves many pairs unsure, decides them in time slices: coincident surfaces have millions of
 * pairs that only exact arithmetic can decide. After that, the pairs that meet are certain and none is unsure.
 */
export async function askAndDecide(
  ask: (limits: Limits) => Promise<RawAnswer>,
  limits: Limits,
  bodyAt: (body: number) => SnapshotBody,
  self = false,
): Promise<RawAnswer> {
  const raw = await ask(limitsOfPart(limits, 0, engineShare));
  if (raw.unsure.length < 3 * fewPairs) {
    limits.progress?.(1);
    return raw;
  }
  const meets = self ? selfMeets(raw, bodyAt(0)) : pairsMeet(raw, bodyAt);
  return inSlices(decideAll(raw, meets), limitsOfPart(limits, engineShare, 1), () => {});
}

function* decideAll(raw: RawAnswer, meets: Decision): Generator<number, RawAnswer> {
  const { certain, unsure } = raw;
  const records = new Uint32Array(certain.length + unsure.length);
  records.set(certain);
  let length = certain.length;
  for (let r = 0; r < unsure.length; r += 3) {
    if (r % (3 * pairsAtOnce) === 0) yield r / unsure.length;
    if (!meets(unsure[r], unsure[r + 1], unsure[r + 2], r)) continue;
    records[length++] = unsure[r];
    records[length++] = unsure[r + 1];
    records[length++] = unsure[r + 2];
  }
  return {
    ...raw,
    certain: records.subarray(0, length),
    unsure: new Uint32Array(0),
    unsureCorners: undefined,
  };
}

/** For detail 'count': the number of pairs that meet, per candidate. */
export function* decideCounts(
  raw: RawAnswer,
  source: BodySource,
  engine: CpuEngine,
): Generator<number, Uint32Array> {
  const counts = raw.counts!.slice();
  const { start } = yield* decideInSteps(raw, source, engine);
  for (let c = 0; c < counts.length; c++) counts[c] += start[c + 1] - start[c];
  return counts;
}

function* sortByCandidate(
  raw: RawAnswer,
  engine: CpuEngine,
  createDecision: () => Decision,
): Generator<number, MeetingTriangles> {
  const { certain, grouped, unsure, candidates } = raw;
  const decided = unsure.length === 0 ? unsure : thoseThatMeet(unsure, createDecision());
  if (grouped !== undefined && certain.length + decided.length === 0)
    return { start: grouped.start, triangles: grouped.pairs };
  // For a body against itself the CPU lists no candidates, and every record has candidate 0.
  const count = Math.max(1, candidates.length / 2);
  const others = yield* groupInSteps(engine, certain, decided, count);
  const { start, pairs } = grouped === undefined ? others : yield* mergeGroups(grouped, others);
  return { start, triangles: pairs };
}

function thoseThatMeet(unsure: Uint32Array, meets: Decision): Uint32Array {
  const decided = new Uint32Array(unsure.length);
  let length = 0;
  for (let r = 0; r < unsure.length; r += 3) {
    if (!meets(unsure[r], unsure[r + 1], unsure[r + 2], r)) continue;
    decided[length] = unsure[r];
    decided[length + 1] = unsure[r + 1];
    decided[length + 2] = unsure[r + 2];
    length += 3;
  }
  return decided.subarray(0, length);
}
