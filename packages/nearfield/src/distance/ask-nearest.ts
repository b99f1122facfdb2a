// Asks an engine of the scene for the triangles that may be the nearest. A GPU leaves some candidates to the CPU, and all of
// them if it runs out of memory. If surfaces may meet, the GPU also finds the first triangle pairs that do, unless only the
// distance has to be known.

import type { Engine } from '../bodies/engine.ts';
import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { broadInSteps } from '../candidates/cpu/pair-front.ts';
import { isOutOfMemory, TooManyPairs } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import type { Backend } from '../core/stats.ts';
import { inSlices } from '../core/waiting.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import { interfere } from '../interferences/driver.ts';
import { askAndDecide, decidePairs } from '../interferences/exact.ts';
import type { RawAnswer } from '../interferences/request.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { cpuDistances } from './cpu/driver.ts';
import { gpuDistanceDriver } from './driver.ts';
import {
  type AskedPoints,
  type NearestPairsRequest,
  type NearTriangles,
  type NearTrianglesRequest,
  nearState,
  type RawNearest,
} from './request.ts';
import { nearestOnThreads } from './some-nearest.ts';

/** What was found, and which backend searched. */
export interface FoundNearest {
  readonly raw: RawNearest;
  readonly backend: Backend;
}

/** The flags of a candidate of which two triangles certainly meet. */
const certain = nearState.nearer | nearState.meets;
/** The largest list of triangle pairs made to find the first of each candidate. */
const mostListed = 2 ** 22;

/**
 * Finds the triangles that may be the nearest, on the backend that is expected to answer sooner. If the request has
 * no candidates, they are all pairs whose boxes are nearer than `upTo`.
 */
export async function askNearest(
  core: SceneCore,
  question: Question,
  request: NearestPairsRequest,
  kind: 'distance' | 'within',
): Promise<FoundNearest> {
  // Only a GPU makes the images of 'visibility': then there is no choice.
  const kindIfFree = request.visibility === undefined ? kind : undefined;
  return core.sooner(kindIfFree, question, request, async engine => {
    if (engine.backend === 'cpu') return { raw: await askCpu(core, question, request), backend: 'cpu' };
    return askGpu(core, question, request, kind, engine as GpuEngine);
  });
}

async function askGpu(
  core: SceneCore,
  question: Question,
  request: NearestPairsRequest,
  kind: 'distance' | 'within',
  engine: GpuEngine,
): Promise<FoundNearest> {
  let raw: RawNearest;
  try {
    const driver = await engine.driver(gpuDistanceDriver);
    raw = await driver.nearestPairs(question.seenBy(engine), request);
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
    return { raw: await askCpu(core, question, request), backend: 'cpu' };
  }
  const whole = await takeLeft(core, question, request, raw);
  const open = placesWith(whole, nearState.mayMeet).filter(
    c => kind === 'distance' || !canWait(question, whole, c),
  );
  return { raw: await findMeetings(core, question, request, whole, open), backend: 'gpu' };
}

/**
 * If two bodies have at most this many triangles together, the CPU finds the first two that meet in a tenth of the time that it
 * takes to find their common point.
 */
const fewTriangles = 1000;

/**
 * Whether the triangles of a candidate certainly meet, so that its distance is 0, and are so few that the first two that meet
 * can be found when somebody asks for them (separation.ts).
 */
function canWait(
  { seen: { shapeStates } }: Question,
  { candidates, states }: RawNearest,
  c: number,
): boolean {
  const countAt = (i: number): number => shapeStates[candidates[i]].mesh.triangleCount;
  return (states[c] & nearState.meets) !== 0 && countAt(2 * c) + countAt(2 * c + 1) <= fewTriangles;
}

/** For fewer points the CPU takes less time than a GPU needs to answer at all. */
const worthAsking = 64;

/** Whether an engine is a GPU that should be asked about these points. */
export const isWorthAsking = (engine: Engine, { count }: AskedPoints): boolean =>
  engine.backend === 'gpu' && count >= worthAsking;

/** The triangles that may be nearest to points, from a GPU; undefined if it cannot tell. */
export async function askNearTriangles(
  engine: Engine,
  body: Placed,
  points: AskedPoints,
  request: NearTrianglesRequest,
): Promise<NearTriangles | undefined> {
  try {
    const known = (engine as GpuEngine).driver(gpuDistanceDriver);
    // Once it is loaded, the GPU begins before the call returns.
    const driver = known instanceof Promise ? await known : known;
    return await driver.nearTriangles(body, points, request);
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}

async function askCpu(
  { cpu }: SceneCore,
  question: Question,
  request: NearestPairsRequest,
): Promise<RawNearest> {
  const seen = question.seenBy(cpu);
  const { upTo, signal } = request;
  const find = () => inSlices(broadInSteps(cpu, seen, upTo), { signal }, cpu.checkOpen);
  return nearestOnThreads(cpu, seen, request.candidates ?? (await find()), upTo, request);
}

/** Searches on the CPU for the candidates that the GPU left, and puts the results in their places. */
async function takeLeft(
  { cpu }: SceneCore,
  question: Question,
  { upTo, signal }: NearestPairsRequest,
  raw: RawNearest,
): Promise<RawNearest> {
  const places = placesWith(raw, nearState.leftToCpu);
  if (places.length === 0) return raw;
  const candidates = pairsAt(raw, places);
  const taken = await cpuDistances(cpu).nearest(question.seenBy(cpu), { upTo, signal, candidates });
  const count = raw.states.length;
  const states = raw.states.slice();
  const start = new Uint32Array(count + 1);
  const settledPlaces = new Uint32Array(count);
  const parts: Uint32Array[] = [];
  let next = 0;
  for (let c = 0; c < count; c++) {
    const own = next < places.length && places[next] === c;
    const from = own ? taken : raw;
    const at = own ? next++ : c;
    if (own) {
      states[c] = taken.states[at];
      settledPlaces[c] = taken.settled!.places[at];
    }
    parts.push(from.triangles.subarray(2 * from.start[at], 2 * from.start[at + 1]));
    start[c + 1] = start[c] + from.start[at + 1] - from.start[at];
  }
  const triangles = new Uint32Array(2 * start[count]);
  parts.forEach((part, c) => {
    triangles.set(part, 2 * start[c]);
  });
  const { stats } = raw;
  return {
    candidates: raw.candidates,
    start,
    triangles,
    states,
    settled: { places: settledPlaces, numbers: taken.settled!.numbers },
    stats: {
      ...stats,
      triangleTests: stats.triangleTests + taken.stats.triangleTests,
      boxTests: stats.boxTests + taken.stats.boxTests,
      growths: stats.growths + taken.stats.growths,
    },
  };
}

/** Finds, for candidates whose triangles may meet, the first pair that does, or none. */
async function findMeetings(
  { engine, cpu }: SceneCore,
  question: Question,
  { signal }: NearestPairsRequest,
  raw: RawNearest,
  places: readonly number[],
): Promise<RawNearest> {
  if (places.length === 0) return raw;
  const candidates = pairsAt(raw, places);
  const seen = question.seenBy(engine);
  const ask = (limits: Limits) =>
    interfere(engine, seen, { ...limits, detail: 'list', candidates, most: mostListed });
  let found: RawAnswer;
  try {
    found = await askAndDecide(ask, { signal }, question.readableAt);
  } catch (error) {
    // The CPU finds them (separation.ts), one pair of bodies at a time.
    if (error instanceof TooManyPairs || isOutOfMemory(error)) return raw;
    throw error;
  }
  const { start, triangles } = decidePairs(found, question.readableAt, cpu);
  const meetings = new Map<number, Uint32Array>();
  const states = raw.states.slice();
  places.forEach((c, i) => {
    const first = triangles.slice(2 * start[i], 2 * Math.min(start[i] + 1, start[i + 1]));
    meetings.set(c, first);
    if (first.length > 0) states[c] |= certain;
  });
  return { ...raw, states, meetings };
}

function placesWith({ states }: RawNearest, bit: number): number[] {
  const places: number[] = [];
  for (let c = 0; c < states.length; c++) if ((states[c] & bit) !== 0) places.push(c);
  return places;
}

function pairsAt({ candidates }: RawNearest, places: readonly number[]): Uint32Array {
  const pairs = new Uint32Array(2 * places.length);
  places.forEach((c, i) => {
    pairs[2 * i] = candidates[2 * c];
    pairs[2 * i + 1] = candidates[2 * c + 1];
  });
  return pairs;
}
