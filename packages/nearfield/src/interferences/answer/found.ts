// From an engine's answer to pairs of bodies. Unsure triangle pairs are decided (exact.ts). For bodies whose surfaces
// do not meet, it is decided whether one contains a part of the other. The pairs are sorted.

import { KeptBodies } from '../../bodies/kept-bodies.ts';
import { factOf } from '../../bodies/snapshot/facts.ts';
import type { ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { atSnapshot, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { sortRecords } from '../../bvh/cpu/sort/records.ts';
import { finderOf, treelessFinderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Question } from '../../questions/question.ts';
import { decideAny, decideCounts, decideInSteps } from '../exact.ts';
import { cpuPairs } from '../hierarchy/cpu/driver.ts';
import { holdsPartOf, isOnePiece, mayHoldPartOf } from '../relation/containment.ts';
import {
  bothOutside,
  type Detail,
  firstOutside,
  isApart,
  type RawAnswer,
  secondOutside,
} from '../request.ts';
import type { PairsFound } from './known-pairs.ts';

/** Candidates that are looked at in one step. */
const candidatesPerStep = 4096;
/** Scratch memory for answers with so few candidates that no other question can come in between, reused for every one. */
const fewRecords = new Uint32Array(3 * candidatesPerStep);

/** Works in steps, which yield the fraction done. The question's snapshot must not change until the last one. */
export function* findPairs(
  raw: RawAnswer,
  question: Question,
  detail: Detail,
  engine: CpuEngine,
): Generator<number, PairsFound> {
  const { bodies, seen, bodySource } = question;
  const { candidates, known, outside } = raw;
  const triangles = detail === 'list' ? yield* firstPart(decideInSteps(raw, bodySource, engine)) : undefined;
  const counts = detail === 'count' ? yield* firstPart(decideCounts(raw, bodySource, engine)) : raw.counts;
  const some = detail === 'any' ? decideSome(raw, question, engine) : undefined;
  const shareInterior = interiorTest(question, engine, raw.treeless === true);
  const starts = triangles?.start;
  const most = candidates.length / 2;
  /** How many pairs of triangles meet; with detail 'any', whether one does. */
  const meetingAt = (c: number): number => {
    if (some !== undefined) return some[c];
    return (starts === undefined ? 0 : starts[c + 1] - starts[c]) + (counts?.[c] ?? 0);
  };
  // One record per pair of the answer: two bodies and the candidate.
  const records = 3 * most <= fewRecords.length ? fewRecords : new Uint32Array(3 * most);
  let length = 0;
  let inOrder = true;
  let last = -1;
  for (let c = 0; c < most; c++) {
    if (c % candidatesPerStep === 0) yield share + ((1 - share) * c) / most;
    if (known?.[c] === isApart) continue;
    const a = candidates[2 * c];
    const b = candidates[2 * c + 1];
    if (meetingAt(c) === 0 && !shareInterior(a, b, outside?.[c] ?? 0)) continue;
    records[length] = a;
    records[length + 1] = b;
    records[length + 2] = c;
    length += 3;
    const place = a * bodies.length + b;
    inOrder &&= place > last;
    last = place;
  }
  if (!inOrder) sortRecords(engine, records.subarray(0, length));
  const count = length / 3;
  const rows = new Uint32Array(2 * count);
  const order = new Uint32Array(count);
  for (let p = 0; p < count; p++) {
    rows[2 * p] = records[3 * p];
    rows[2 * p + 1] = records[3 * p + 1];
    order[p] = records[3 * p + 2];
  }
  return {
    bodies,
    rows,
    triangles,
    candidates: order,
    known,
    countOf: detail === 'any' ? undefined : place => meetingAt(order[place]),
    snapshot: new KeptBodies(seen, rows),
  };
}

/** The fraction of the work that decides and groups the triangle pairs. */
const share = 0.7;

function* firstPart<T>(work: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield share * step.value;
  }
}

/**
 * Whether each candidate has a pair that meets. If a search stopped at unsure pairs and none of them meets, it is
 * repeated in full.
 */
function decideSome(raw: RawAnswer, question: Question, engine: CpuEngine): Uint8Array {
  const meets = decideAny(raw, question.bodySource);
  const { stoppedAtFirst, unsure } = raw;
  if (!stoppedAtFirst || unsure.length === 0) return meets;
  const doubtful = new Set<number>();
  for (let r = 0; r < unsure.length; r += 3) {
    const c = unsure[r];
    if (meets[c] === 0 && (stoppedAtFirst === true || stoppedAtFirst[c] === 1)) doubtful.add(c);
  }
  if (doubtful.size === 0) return meets;
  // Repeat the search for these candidates alone, with two bodies per candidate.
  const again: SnapshotBody[] = [];
  const candidateOf: number[] = [];
  for (const c of doubtful) {
    again.push(question.readableAt(raw.candidates[2 * c]), question.readableAt(raw.candidates[2 * c + 1]));
    candidateOf.push(c);
  }
  const candidates = Uint32Array.from(again, (_, i) => i);
  // The answer omits candidates whose boxes do not meet here: the boxes of a GPU are slightly larger.
  const answer = cpuPairs(engine).interfereSync(again, { detail: 'any', candidates });
  decideAny(answer, i => again[i]).forEach((full, i) => {
    if (full === 1) meets[candidateOf[answer.candidates[2 * i] / 2]] = 1;
  });
  return meets;
}

/**
 * A test whether two solids whose surfaces do not meet share a point, that is, whether a part of one lies within the
 * other. It runs for every candidate without a triangle pair, so whatever is common to all candidates is computed once,
 * here.
 */
function interiorTest(
  question: Question,
  engine: CpuEngine,
  treeless: boolean,
): (i: number, j: number, outside: number) => boolean {
  const { seen, readableAt, arePosesOnGpu } = question;
  const onGpu = question.arePositionsOnGpu;
  const isOne = onePieceTest(seen);
  let readable: Snapshot | undefined = onGpu || arePosesOnGpu ? undefined : seen;
  return (i, j, outside) => {
    // If a body is in one piece and one corner is outside, all of it is outside. Mostly that is known of both, and decides
    // without boxes.
    const mayFirst = (outside & secondOutside) === 0 || !isOne(j);
    const maySecond = (outside & firstOutside) === 0 || !isOne(i);
    if (!mayFirst && !maySecond) return false;
    if (onGpu && (!mayBeSolid(seen.shapeStates[i]) || !mayBeSolid(seen.shapeStates[j]))) return false;
    // If not all poses are on the CPU, make a snapshot of these two bodies alone.
    if (!arePosesOnGpu) readable ??= { ...seen, shapeStates: question.readableShapeStates };
    const bodies = readable ?? snapshotOf([readableAt(i), readableAt(j)]);
    const [a, b] = bodies === readable ? [i, j] : [0, 1];
    const first = mayFirst && mayHoldPartOf(bodies, a, b);
    const second = maySecond && mayHoldPartOf(bodies, b, a);
    if (!first && !second) return false;
    const finder = treeless ? treelessFinderOf(engine) : finderOf(engine);
    const ask = (a: SnapshotBody, b: SnapshotBody) =>
      (first && holdsPartOf(finder, a, b)) || (second && holdsPartOf(finder, b, a));
    return atSnapshot(engine, readableAt(i), readableAt(j), ask);
  };
}

const one = 1;
const several = 2;

/**
 * A test whether the body of a row is in one piece. What is known is kept per row, 0 if nothing is: asking the meshes again
 * for each of thousands of candidates would cause many cache misses.
 */
function onePieceTest({ shapeStates }: Snapshot): (row: number) => boolean {
  const pieces = factOf(shapeStates, nothingKnown);
  return row => (pieces[row] ||= isOnePiece(shapeStates[row]) ? one : several) === one;
}

const nothingKnown = (shapeStates: readonly ShapeState[]): Uint8Array => new Uint8Array(shapeStates.length);

/** Candidates that have no certain triangle pair but may still share a point. */
function openCandidates({ candidates, certain, grouped, counts, known }: RawAnswer): number[] {
  const meets = new Uint8Array(candidates.length / 2);
  if (grouped !== undefined)
    for (let c = 0; c < meets.length; c++) meets[c] = Number(grouped.start[c + 1] > grouped.start[c]);
  for (let r = 0; r < certain.length; r += 3) meets[certain[r]] = 1;
  const open: number[] = [];
  for (let c = 0; c < meets.length; c++) {
    if (meets[c] === 0 && known?.[c] !== isApart && !counts?.[c]) open.push(c);
  }
  return open;
}

/**
 * The rows whose poses `findPairs` needs: bodies with unsure triangle pairs, or of which one may lie within the other.
 */
export function rowsToRead(raw: RawAnswer, { seen }: Question): Set<number> {
  const { candidates, unsure, outside } = raw;
  const rows = new Set<number>();
  for (let r = 0; r < unsure.length; r += 3) {
    rows.add(candidates[2 * unsure[r]]).add(candidates[2 * unsure[r] + 1]);
  }
  const isOne = onePieceTest(seen);
  for (const c of openCandidates(raw)) {
    const [a, b] = [candidates[2 * c], candidates[2 * c + 1]];
    if (outside?.[c] === bothOutside && isOne(a) && isOne(b)) continue;
    rows.add(a).add(b);
  }
  return rows;
}

/** Whether a shape is or may be a solid. For positions on the GPU that is known once their welds are. */
const mayBeSolid = ({ mesh, onGpu }: ShapeState): boolean => onGpu?.weldsKept === false || mesh.solid;

/**
 * The shapes whose positions `findPairs` needs to read back from the GPU: those of solids without a certain triangle
 * pair, since one may lie within the other.
 */
export function statesToRead(raw: RawAnswer, { seen }: Question): Set<ShapeState> {
  const { candidates } = raw;
  const needed = new Set<ShapeState>();
  for (const c of openCandidates(raw)) {
    const [a, b] = [seen.shapeStates[candidates[2 * c]], seen.shapeStates[candidates[2 * c + 1]]];
    if ((a.onGpu === undefined && b.onGpu === undefined) || !mayBeSolid(a) || !mayBeSolid(b)) continue;
    needed.add(a).add(b);
  }
  return needed;
}
