// The stages of `scene.interferences`, one function each. `broad` (candidates/candidates.ts) finds the candidates.
// `narrow` finds their triangle pairs that meet, as far as an engine can tell. `exact` decides the rest (`exactOf` if
// another thread did the narrow phase). An application may call them one by one to inspect intermediate results, to
// leave candidates out, or to ask about the same candidates again. The answer is about the bodies as `broad` saw
// them, even if they have moved since.

import { Candidates, lazyCandidates } from '../candidates/candidates.ts';
import { arrayOf, checkOptions, isObject, limitRules, oneOf, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { newStats } from '../core/stats.ts';
import { throwIfAborted } from '../core/waiting.ts';
import { BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Interferences } from './answer/answer.ts';
import { askAndDecide } from './exact.ts';
import { checkNotSampling } from './method.ts';
import { type NarrowOptions, narrowRules, searchNow, searchThen, TrianglePairs } from './narrow-phase.ts';

/**
 * The narrow phase: candidates ─▶ triangle pairs, certain and unsure. Given a scene, the engine finds the candidates on
 * the way. Rejects with 'stale' if a body was deformed or removed since `broad`, 'unsupported' for a method that samples,
 * 'no-gpu' for 'visibility' without a GPU.
 */
export async function narrow(
  from: Candidates | BareScene,
  options: NarrowOptions = {},
): Promise<TrianglePairs> {
  if (!(from instanceof Candidates || from instanceof BareScene)) {
    throw wrong('narrow: from', 'a scene, or candidates from broad(scene)', from);
  }
  checkOptions(options, narrowRules, 'narrow');
  checkNotSampling('narrow', options);
  const candidates = from instanceof Candidates ? from : lazyCandidates(coreOf(from), {});
  candidates.core.checkUnchanged(candidates.question);
  return searchThen(candidates, options, { decidedAtOnce: false }, pairs => {
    // Candidates keep their snapshot. For a whole scene it must be kept now, since bodies may move before `exact`.
    if (from !== candidates) keepSeen(candidates, pairs);
    return pairs;
  });
}

function checkCandidates(given: unknown, question: string): void {
  if (given instanceof Candidates) return;
  throw wrong(`${question}: candidates`, 'what broad(scene) returns', given);
}

/**
 * Keeps what `broad` would keep: the poses of the candidates' bodies, or of all bodies if images of the whole scene may
 * be needed.
 */
function keepSeen({ question, core: { engine, cpu, table } }: Candidates, pairs: TrianglePairs): void {
  const rows = engine === cpu ? pairs.candidates.rows : Uint32Array.from(question.bodies, (_, row) => row);
  question.keepOnly(rows, table);
}

/** The synchronous form of `narrow`, for the CPU backend. Throws what `narrow` rejects with. */
export function narrowSync(candidates: Candidates<'cpu'>, options: NarrowOptions = {}): TrianglePairs {
  checkCandidates(candidates, 'narrowSync');
  checkOptions(options, narrowRules, 'narrowSync');
  checkNotSampling('narrowSync', options);
  candidates.core.checkSync('narrowSync');
  candidates.core.checkUnchanged(candidates.question);
  return searchNow(candidates, options, { decidedAtOnce: false });
}

/**
 * The exact stage: triangle pairs ─▶ answer. Unsure pairs are decided by exact arithmetic, and everything is sorted.
 * Throws 'bad-option' for anything but what `narrow` returned.
 */
export function exact(pairs: TrianglePairs): Interferences {
  if (!(pairs instanceof TrianglePairs)) throw wrong('exact: pairs', 'what narrow returns', pairs);
  return pairs.decide();
}

/** The records of a `TrianglePairs` with detail 'list', as plain data that can be sent to another thread. */
export interface FoundRecords {
  /** `TrianglePairs.certain`: three numbers per record. */
  readonly certain: Uint32Array;
  /** `TrianglePairs.unsure`: three numbers per record. */
  readonly unsure: Uint32Array;
  /** Where they were found; the answer says the same. */
  readonly backend: 'cpu' | 'gpu';
}

/**
 * The exact stage for records that were found elsewhere, about the same bodies at the same poses. The first number of a
 * record is an index into `candidates`. Use: a page asks the GPU on its main thread, which must not block. A worker
 * that has the same bodies decides the unsure pairs, in time slices, and can be cancelled. Throws 'bad-array' for
 * records that cannot belong to the candidates, 'stale' if a body changed since `broad`, 'unsupported' if positions came
 * in a GPUBuffer.
 */
export async function exactOf(
  candidates: Candidates,
  records: FoundRecords,
  limits: Limits = {},
): Promise<Interferences> {
  checkCandidates(candidates, 'exactOf');
  if (!isObject(records)) throw wrong('exactOf: records', 'what narrow found', records);
  const { certain, unsure, backend } = records;
  oneOf('cpu', 'gpu')(backend, 'exactOf: backend');
  checkOptions(limits, limitRules, 'exactOf', 'limits');
  const { question, core } = candidates;
  core.checkUnchanged(question);
  if (question.arePositionsOnGpu) {
    throw new NearfieldError('unsupported', 'exactOf needs positions on the CPU, not in a GPUBuffer');
  }
  checkRecords(candidates, arrayOf(certain, 'certain', Uint32Array));
  checkRecords(candidates, arrayOf(unsure, 'unsure', Uint32Array));
  const triangleTests = (certain.length + unsure.length) / 3;
  const stats = { ...newStats(), triangleTests, unsure: unsure.length / 3 };
  const raw = { candidates: candidates.rows, certain, unsure, stats };
  const ask = async (own: Limits) => {
    throwIfAborted(own);
    return raw;
  };
  return core.whileWaiting(question, limits, async () => {
    const decided = await askAndDecide(ask, limitsOfPart(limits, 0, 0.9), question.readableAt);
    const pairs = new TrianglePairs(candidates, decided, 'list', backend, 'hierarchy', true);
    return pairs.decideInSlices(limitsOfPart(limits, 0.9, 1));
  });
}

/** Records come from the caller: checks that each names an existing candidate and existing triangles. */
function checkRecords({ question, rows }: Candidates, records: Uint32Array): void {
  const { shapeStates } = question.seen;
  const refuse = (message: string) => {
    throw new NearfieldError('bad-array', message);
  };
  if (records.length % 3 !== 0)
    refuse(`expected 3 numbers per record, so a multiple of 3; got ${records.length}`);
  for (let r = 0; r < records.length; r += 3) {
    const candidate = records[r];
    if (2 * candidate >= rows.length)
      refuse(`there is no candidate ${candidate}: there are ${rows.length / 2}`);
    for (let side = 0; side < 2; side++) {
      const body = rows[2 * candidate + side];
      const count = shapeStates[body].mesh.triangleCount;
      if (records[r + 1 + side] < count) continue;
      refuse(`${question.bodies[body].name} has no triangle ${records[r + 1 + side]}: it has ${count}`);
    }
  }
}
