// The exact stage: decides what an engine left unsure, on world doubles, and puts everything in order.

import { readable } from '../bodies/on-gpu/gpu-positions.ts';
import type { ShapeState, Snapshot } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { groupRecords } from '../bvh/cpu/sort/records.ts';
import type { Limits } from '../core/limits.ts';
import { inSlices } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { applyPose } from '../math/pose.ts';
import { neighboursMeet } from '../math/triangles/triangle-neighbours.ts';
import { trianglesMeet } from '../math/triangles/triangle-triangle.ts';
import type { Indices, Positions } from '../mesh/mesh.ts';
import type { RawAnswer } from './request.ts';

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
export type Whereabouts = ((body: number) => SnapshotBody) | Snapshot;

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
export function decidePairs(raw: RawAnswer, where: Whereabouts, engine: CpuEngine): MeetingTriangles {
  return sortByCandidate(raw, engine, pairsMeet(raw, where));
}

/** The same for one body against itself: triangles i < j that share more than their common positions. */
export function decideSelf(raw: RawAnswer, body: SnapshotBody, engine: CpuEngine): Uint32Array {
  return sortByCandidate(raw, engine, selfMeets(raw, body)).triangles;
}

/** Decides an unsure pair: triangles i and j of a candidate, whose record lies at an offset. */
type Decision = (candidate: number, i: number, j: number, record: number) => boolean;

function pairsMeet(raw: RawAnswer, where: Whereabouts): Decision {
  const { candidates } = raw;
  const corners = new Float64Array(18);
  const [a, b] = [new Side(raw, corners, 0), new Side(raw, corners, 1)];
  let last = -1;
  return (candidate, i, j, record) => {
    if (candidate !== last) {
      last = candidate;
      a.takeBody(where, candidates[2 * candidate]);
      b.takeBody(where, candidates[2 * candidate + 1]);
    }
    a.place(i, record);
    b.place(j, record);
    return trianglesMeet(corners);
  };
}

function selfMeets(raw: RawAnswer, body: SnapshotBody): Decision {
  const corners = new Float64Array(18);
  const [a, b] = [new Side(raw, corners, 0), new Side(raw, corners, 1)];
  a.take(body, body.pose, 0);
  b.take(body, body.pose, 0);
  return (_, i, j, record) => {
    a.place(i, record);
    b.place(j, record);
    return neighboursMeet(corners);
  };
}

/**
 * One side of the records that are decided. Records of one candidate, and of one triangle, mostly follow each other: what was
 * looked up of the body, and where the triangle is, stays until there is another.
 */
class Side {
  readonly #raw: RawAnswer;
  readonly #corners: Float64Array;
  readonly #side: number;
  #form: ShapeState | undefined;
  #isHeld = false;
  #positions: Positions = none;
  #indices: Indices = noIndices;
  #poses: Float64Array = none;
  #at = 0;
  #triangle = -1;

  /** Its triangles are placed at corners[9 · side]. */
  constructor(raw: RawAnswer, corners: Float64Array, side: number) {
    this.#raw = raw;
    this.#corners = corners;
    this.#side = side;
  }

  takeBody(where: Whereabouts, body: number): void {
    if (typeof where === 'function') {
      const moment = where(body);
      this.take(moment, moment.pose, 0);
    } else this.take(readable(where.shapeStates[body]), where.poses, 16 * body);
  }

  /** A form whose pose is at poses[at]. */
  take(form: ShapeState, poses: Float64Array, at: number): void {
    if (form === this.#form && poses === this.#poses && at === this.#at) return;
    this.#form = form;
    this.#isHeld = form.onGpu !== undefined;
    this.#positions = form.positions;
    this.#indices = form.mesh.indices;
    this.#poses = poses;
    this.#at = at;
    this.#triangle = -1;
  }

  /** World corners of the triangle of a record: from the body's positions, or those that came with it from the GPU. */
  place(triangle: number, record: number): void {
    if (this.#isHeld) this.#placeHeld(record);
    else if (triangle !== this.#triangle) {
      const to = 9 * this.#side;
      placeTriangle(this.#poses, this.#at, this.#positions, this.#indices, triangle, this.#corners, to);
      this.#triangle = triangle;
    }
  }

  #placeHeld(record: number): void {
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
 * World positions of the vertices of a triangle, as `applyPose` gives them. The pose is read once: an engine cannot know that what
 * is written is not part of it.
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
  bodyAt: (body: number) => SnapshotBody,
  self = false,
): Promise<RawAnswer> {
  const raw = await ask({ signal, progress: progress && (done => progress(engineShare * done)) });
  if (raw.unsure.length < 3 * fewPairs) {
    progress?.(1);
    return raw;
  }
  const meets = self ? selfMeets(raw, bodyAt(0)) : pairsMeet(raw, bodyAt);
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
export function decideCounts(raw: RawAnswer, where: Whereabouts, engine: CpuEngine): Uint32Array {
  const counts = raw.counts!.slice();
  const { start } = decidePairs(raw, where, engine);
  for (let c = 0; c < counts.length; c++) counts[c] += start[c + 1] - start[c];
  return counts;
}

function sortByCandidate(raw: RawAnswer, engine: CpuEngine, meets: Decision): MeetingTriangles {
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
  const { start, pairs } = groupRecords(engine, certain, decided.subarray(0, length), count);
  return { start, triangles: pairs };
}
