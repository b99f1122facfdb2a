// The exact stage: decides what an engine left unsure, on world doubles, and puts everything in order.

import { inSlices } from '../cpu/waiting.ts';
import { applyPose, placeTriangle } from '../math/pose.ts';
import { neighboursMeet } from '../math/triangle-neighbours.ts';
import { trianglesMeet } from '../math/triangle-triangle.ts';
import { readable } from './bodies/held.ts';
import type { Moment } from './bodies/moment.ts';
import type { Bodies, Form, Limits, RawAnswer, SyncEngine } from './engine.ts';

/** Triangle pairs of all candidates: those of candidate c are records start[c] to start[c + 1]. */
export interface MeetingTriangles {
  readonly start: Uint32Array;
  /** (triangle of a, triangle of b), sorted within each candidate. */
  readonly triangles: Uint32Array;
}

/**
 * Where the bodies of records are: as moments, or in the rows of a table while a question holds it. Hundreds of bodies may
 * have a record each, and a moment is a copy.
 */
export type Whereabouts = ((body: number) => Moment) | Bodies;

const corners = new Float64Array(18);

/** Whether each candidate has a pair that meets; of its unsure ones, no more are decided than that takes. */
export function decideAny(raw: RawAnswer, where: Whereabouts): Uint8Array {
  const { candidates, certain, unsure } = raw;
  const meets = new Uint8Array(candidates.length / 2);
  for (let r = 0; r < certain.length; r += 3) meets[certain[r]] = 1;
  const decide = pairsMeet(raw, where);
  for (let r = 0; r < unsure.length; r += 3) {
    const c = unsure[r];
    if (meets[c] === 0 && decide(c, unsure[r + 1], unsure[r + 2], r)) meets[c] = 1;
  }
  return meets;
}

/** The complete, sorted lists of triangle pairs that meet. */
export function decidePairs(raw: RawAnswer, where: Whereabouts, engine: SyncEngine): MeetingTriangles {
  return sortByCandidate(raw, engine, pairsMeet(raw, where));
}

/** The same for one body against itself: triangles i < j that share more than their common positions. */
export function decideSelf(raw: RawAnswer, body: Moment, engine: SyncEngine): Uint32Array {
  return sortByCandidate(raw, engine, selfMeets(raw, body)).triangles;
}

/** Decides an unsure pair: triangles i and j of a candidate, whose record lies at an offset. */
type Decision = (candidate: number, i: number, j: number, record: number) => boolean;

function pairsMeet(raw: RawAnswer, where: Whereabouts): Decision {
  const { candidates } = raw;
  return (candidate, i, j, record) => {
    placeCornersOf(where, candidates[2 * candidate], i, raw, record, 0);
    placeCornersOf(where, candidates[2 * candidate + 1], j, raw, record, 1);
    return trianglesMeet(corners);
  };
}

function selfMeets(raw: RawAnswer, body: Moment): Decision {
  return (_, i, j, record) => {
    placeCorners(body, body.pose, 0, i, raw, record, 0);
    placeCorners(body, body.pose, 0, j, raw, record, 1);
    return neighboursMeet(corners);
  };
}

/** Unsure pairs between two looks at the clock, and how many are left to the answer: a few milliseconds of work. */
const pairsAtOnce = 512;
const fewPairs = 4096;
/** The engine's share of a question's progress, where the exact stage is part of it. */
const engineShare = 0.9;

/**
 * Asks an engine, and where it leaves much undecided, decides that in slices: surfaces laid upon each other have millions of
 * pairs that only exact arithmetic tells. What meets is then certain, and nothing unsure.
 */
export async function askAndDecide(
  ask: (limits: Limits) => Promise<RawAnswer>,
  { signal, progress }: Limits,
  momentAt: (body: number) => Moment,
  self = false,
): Promise<RawAnswer> {
  const raw = await ask({ signal, progress: progress && (done => progress(engineShare * done)) });
  if (raw.unsure.length < 3 * fewPairs) {
    progress?.(1);
    return raw;
  }
  const meets = self ? selfMeets(raw, momentAt(0)) : pairsMeet(raw, momentAt);
  const limits = {
    signal,
    progress: progress && ((done: number) => progress(engineShare + (1 - engineShare) * done)),
  };
  return inSlices(decideAll(raw, meets), limits, () => {});
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

/** For detail 'count': how many pairs each candidate has. */
export function decideCounts(raw: RawAnswer, where: Whereabouts, engine: SyncEngine): Uint32Array {
  const counts = raw.counts!.slice();
  const { start } = decidePairs(raw, where, engine);
  for (let c = 0; c < counts.length; c++) counts[c] += start[c + 1] - start[c];
  return counts;
}

function placeCornersOf(
  where: Whereabouts,
  body: number,
  triangle: number,
  raw: RawAnswer,
  record: number,
  side: number,
): void {
  if (typeof where === 'function') {
    const moment = where(body);
    placeCorners(moment, moment.pose, 0, triangle, raw, record, side);
  } else placeCorners(readable(where.forms[body]), where.poses, 16 * body, triangle, raw, record, side);
}

/**
 * World corners of a triangle of a record, by the pose at poses[at]: from the body's positions, or those that came with it
 * from the GPU.
 */
function placeCorners(
  { held, positions, mesh }: Form,
  poses: Float64Array,
  at: number,
  triangle: number,
  raw: RawAnswer,
  record: number,
  side: number,
): void {
  if (held === undefined) {
    placeTriangle(poses, positions, mesh.indices, triangle, corners, 9 * side, at);
    return;
  }
  const { buffer, byteOffset } = raw.unsureCorners!;
  const local = new Float32Array(buffer, byteOffset + 4 * (6 * record + 9 * side), 9);
  for (let k = 0; k < 9; k += 3) {
    applyPose(poses, local[k], local[k + 1], local[k + 2], corners, 9 * side + k, at);
  }
}

function sortByCandidate(raw: RawAnswer, engine: SyncEngine, meets: Decision): MeetingTriangles {
  const { certain, unsure, candidates } = raw;
  const decided = new Uint32Array(unsure.length);
  let length = 0;
  for (let r = 0; r < unsure.length; r += 3) {
    if (!meets(unsure[r], unsure[r + 1], unsure[r + 2], r)) continue;
    decided[length] = unsure[r];
    decided[length + 1] = unsure[r + 1];
    decided[length + 2] = unsure[r + 2];
    length += 3;
  }
  // Of a body against itself there are no candidates, and every record is of the first.
  const count = Math.max(1, candidates.length / 2);
  const { start, pairs } = engine.groupRecords(certain, decided.subarray(0, length), count);
  return { start, triangles: pairs };
}
