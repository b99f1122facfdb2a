// Interferences by the raycast method. Candidates go to the engine, the CPU decides exactly whatever the engine leaves
// open, and the answer says how far it can be relied on.

import type { Body } from '../../bodies/body.ts';
import { KeptBodies } from '../../bodies/kept-bodies.ts';
import { factOf } from '../../bodies/snapshot/facts.ts';
import type { Placed, Shape, ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import { sortRecords } from '../../bvh/cpu/sort/records.ts';
import { Candidates } from '../../candidates/candidates.ts';
import { filterRules, type PairFilter } from '../../candidates/filter.ts';
import { anything, limitRules, type Rules } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices } from '../../core/waiting.ts';
import { exactly } from '../../interferences/answer/answer.ts';
import { withoutGpu } from '../../interferences/method.ts';
import type { Pose } from '../../math/pose.ts';
import { checkSolid } from '../../questions/checks.ts';
import type { Question } from '../../questions/question.ts';
import { type Sample, samplerOf } from '../sampling.ts';
import { type NamedBodies, RaycastInterferences } from './answer.ts';
import { rejectCoarse } from './coarse.ts';
import { type Decided, decide } from './decide.ts';
import { edgeHits, groupPoints } from './edges/edge-points.ts';
import { groupsOf } from './groups/grouping.ts';
import { fewTiles } from './lists/tiling.ts';
import {
  type EdgeHits,
  type RaycastFound,
  type RaycastOptions,
  type RaycastRequest,
  raycastOf,
  raycastOptionRules,
} from './options.ts';
import { withoutMemory } from './parts.ts';
import { Found, type RawRaycast, type RaycastTask, type SceneTask } from './sampling.ts';

/**
 * Interferences by rays cast at edges (Knott, chapter 4). Candidates come from the broad phase. Each pair has its own
 * picture, unless many bodies share one or it is drawn as published. Shapes have trees, which are built once.
 */
export interface RaycastQuestion extends PairFilter, Limits, RaycastOptions {
  /** Names the method. */
  readonly method: 'raycast';
}

export const raycastRules: Rules<RaycastQuestion> = {
  ...limitRules,
  ...filterRules,
  ...raycastOptionRules,
  method: anything,
};

/** If there are more candidates per body than this, they are looked at on the CPU: bodies may share tiles. */
const densePerBody = 8;
/** Up to this many bodies, candidates are found on the CPU. */
const fewBodies = 256;

/** The candidates as indices into the list of bodies that occur in them. */
interface Asked {
  /** Two rows of the question's bodies per candidate, and the same two as indices into that list. */
  readonly rows: Uint32Array;
  readonly candidates: Uint32Array;
  readonly bodyAt: (place: number) => Body;
  readonly placedAt: (place: number) => Placed;
}

export function raycast(
  candidates: Candidates,
  options: RaycastQuestion,
): Promise<RaycastFound | RaycastInterferences> {
  const request = raycastOf(options);
  const { question, core, isFiltered } = candidates;
  const { engine } = core;
  const sample = samplerOf(engine);
  if (sample === undefined) throw withoutGpu('raycast');
  return core.withPositions(question, options, async () => {
    if (isFiltered && request.counting === 'queries') {
      const message = `counting 'queries' finds bodies, not pairs: a filter needs counting 'lists' or 'stencil'`;
      throw new NearfieldError('unsupported', message);
    }
    if (request.levels === 0) return cast(candidates, request, options, sample);
    const placedAt = (row: number): Placed =>
      question.arePositionsOnGpu ? question.readableAt(row) : new PlacedRow(question.seen, row);
    const rejecting = rejectCoarse(candidates.rows, placedAt, request.levels, core.cpu);
    const { rows, windows, narrowed } = await inSlices(rejecting, { signal: options.signal }, () => {});
    const rejected = (candidates.rows.length - rows.length) / 2;
    const left = new Candidates(question, core, rows, undefined, isFiltered);
    return cast(left, { ...request, rejected, narrowed, windows }, options, sample);
  });
}

type LaidOut = ReturnType<typeof layOutTiles>;

/** The bodies of the candidates, and the tiles that they share, if they do. */
function layOutTiles({ rows, question }: Candidates, request: RaycastRequest) {
  const bodies = bodiesAsked(rows, question, request);
  const { candidates } = bodies.asked;
  // If one interference is enough, the likeliest candidates are tried first, one by one.
  const mayShare = request.counting === 'lists' && request.ask !== 'any';
  return { ...bodies, groups: mayShare ? groupsOf(bodies.placed, { ...request, candidates }) : undefined };
}

async function cast(
  candidates: Candidates,
  request: RaycastRequest,
  options: RaycastQuestion,
  sample: Sample,
): Promise<RaycastFound | RaycastInterferences> {
  let laid: LaidOut | undefined;
  const layOut = () => (laid ??= layOutTiles(candidates, request));
  const many = await askMany(candidates, request, options, sample, layOut);
  if (many !== undefined) return many;
  const { asked, placed, hasOpen, groups } = layOut();
  if (asked.rows.length === 0) return answerOf(candidates, asked, request, nothing(request), undefined);
  const filtered = candidates.isFiltered;
  const task: RaycastTask = { ...request, candidates: asked.candidates, filtered, hasOpen, groups };
  const raw = await sample(placed, options, turn => turn.castAtEdges(placed, task));
  return decideAndAnswer(candidates, asked, task, options, raw);
}

/**
 * If there are many candidates, does everything on the GPU, from the poses to the pairs (gpu-tiles/). Returns
 * undefined if there are few, if they cannot be laid out like that, or if some body is not a solid, which is an error
 * only if a candidate has it.
 */
async function askMany(
  candidates: Candidates,
  request: RaycastRequest,
  options: RaycastQuestion,
  sample: Sample,
  layOut: () => LaidOut,
): Promise<RaycastFound | RaycastInterferences | undefined> {
  const { question, core, isFiltered } = candidates;
  const { seen } = question;
  if (request.counting !== 'lists' || question.arePositionsOnGpu || !factOf(seen.shapeStates, findAllSolid))
    return undefined;
  // The GPU would lay tiles out in the whole common parts of boxes.
  if (request.windows !== undefined) return undefined;
  const isFew = seen.count <= fewBodies;
  // If one interference is enough and bodies are few, it is faster to try the likeliest candidates first.
  if (isFew && (request.ask === 'any' || request.views * candidates.length <= fewTiles)) return undefined;
  const placed = new Map<number, Placed>();
  const placedAt = (row: number): Placed => {
    let known = placed.get(row);
    if (known === undefined) placed.set(row, (known = new PlacedRow(seen, row)));
    return known;
  };
  const task: SceneTask = {
    ...request,
    candidates: isFew || isFiltered ? candidates.rows : undefined,
    mostCandidates: request.ask === 'any' ? undefined : densePerBody * seen.count,
    bodyAt: placedAt,
    sortRecords: records => sortRecords(core.cpu, records),
  };
  if (task.candidates?.length === 0) return undefined;
  const ask = (given: SceneTask) =>
    sample(seen, options, turn => turn.castAmong(seen, given)).catch(withoutMemory);
  // If bodies have so many candidates that they share tiles (groups/), those are laid out on the CPU.
  const mayShare = () => candidates.rows.length > 2 * seen.count && layOut().groups !== undefined;
  const castKnown = async () =>
    mayShare() ? undefined : ask({ ...task, candidates: candidates.rows, mostCandidates: undefined });
  const first = task.candidates === undefined ? await ask(task) : 'dense';
  const raw = first === 'dense' ? await castKnown() : first;
  if (raw === undefined || raw === 'dense') return undefined;
  const { rows } = raw;
  const asked: Asked = { rows, candidates: rows, bodyAt: row => question.bodies[row], placedAt };
  if (raw.raycast.tiles === 0) return answerOf(candidates, asked, request, nothing(request), undefined);
  const among: RaycastTask = { ...request, candidates: rows, filtered: isFiltered, hasOpen: false };
  return decideAndAnswer(candidates, asked, among, options, {
    ...raw,
    any: raw.found.some(flags => (flags & Found.ray) !== 0),
    byPairs: true,
    ...noBodies,
  });
}

const noBodies = {
  penetrating: new Uint32Array(0),
  penetrated: new Uint32Array(0),
  notClosed: new Uint32Array(0),
} as const;

const findAllSolid = (shapeStates: readonly ShapeState[]): boolean =>
  shapeStates.every(({ mesh }, i) => mesh === shapeStates[i - 1]?.mesh || mesh.solid);

async function decideAndAnswer(
  candidates: Candidates,
  asked: Asked,
  task: RaycastTask,
  { signal }: Limits,
  raw: RawRaycast,
): Promise<RaycastFound | RaycastInterferences> {
  const { cpu } = candidates.core;
  const decided = await inSlices(decide(raw, task, asked.placedAt, cpu), { signal }, () => {});
  return answerOf(candidates, asked, task, raw, decided);
}

function bodiesAsked(
  rows: Uint32Array,
  question: Question,
  { allowOpen }: RaycastRequest,
): { asked: Asked; placed: readonly Placed[]; hasOpen: boolean } {
  const { seen, arePositionsOnGpu } = question;
  const count = seen.count;
  // Numbers the bodies that occur in a candidate, in order.
  const places = new Uint32Array(count);
  for (const row of rows) places[row] = 1;
  const bodies: Body[] = [];
  const placed: Placed[] = [];
  const shapeStates = arePositionsOnGpu ? question.readableShapeStates : seen.shapeStates;
  let hasOpen = false;
  for (let row = 0; row < count; row++) {
    if (places[row] === 0) continue;
    places[row] = bodies.length;
    bodies.push(question.bodies[row]);
    placed.push(arePositionsOnGpu ? question.readableAt(row) : new PlacedRow(seen, row));
    const { mesh } = shapeStates[row];
    if (!allowOpen)
      checkSolid(question.bodies[row], mesh, 'rays cannot tell its inside; set allowOpen to ask anyway');
    else hasOpen ||= !mesh.solid;
  }
  const candidates = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) candidates[i] = places[rows[i]];
  const asked = {
    rows,
    candidates,
    bodyAt: (place: number) => bodies[place],
    placedAt: (place: number) => placed[place],
  };
  return { asked, placed, hasOpen };
}

/**
 * A body of a question. Its pose is read on first use, because among ten thousand bodies most are used once or never.
 */
class PlacedRow implements Placed {
  readonly shape: Shape;
  readonly poseRevision: number;
  readonly #seen: Snapshot;
  readonly #row: number;
  #pose: Pose | undefined;

  constructor(seen: Snapshot, row: number) {
    this.shape = seen.shapeStates[row].shape;
    this.poseRevision = seen.changed[row];
    this.#seen = seen;
    this.#row = row;
  }

  get pose(): Pose {
    return (this.#pose ??= this.#seen.poses.slice(16 * this.#row, 16 * this.#row + 16));
  }
}

/** The answer for a scene in which no boxes meet. */
function nothing({ resolution, views }: RaycastRequest): RawRaycast {
  const none = new Uint32Array(0);
  return {
    any: false,
    found: new Uint8Array(0),
    byPairs: true,
    penetrating: none,
    penetrated: none,
    notClosed: none,
    edges: undefined,
    lines: [],
    ...exactly,
    raycast: {
      resolution,
      pixel: 0,
      directions: views,
      tiles: 0,
      fragments: 0,
      edgeFragments: 0,
      recast: 0,
      byRaysAlone: 0,
      byEdgesAlone: 0,
      selfHits: 0,
      inSeveral: 0,
      early: true,
    },
    stats: { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 },
  };
}

function answerOf(
  { question, core }: Candidates,
  asked: Asked,
  { ask, rejected, narrowed }: Pick<RaycastRequest, 'ask' | 'rejected' | 'narrowed'>,
  raw: RawRaycast,
  decided: Decided | undefined,
): RaycastFound | RaycastInterferences {
  const found = decided?.found ?? raw.found;
  const { bodyAt, candidates, rows } = asked;
  const bodiesAt = (places: Uint32Array) => Array.from(places, bodyAt);
  const answer = {
    method: 'raycast',
    backend: core.engine.backend,
    stats: { ...raw.stats, backend: core.engine.backend },
    any: decided?.any ?? raw.any,
    notClosed: bodiesAt(raw.notClosed),
    mayMissBelow: raw.mayMissBelow,
    mayReportWithin: raw.mayReportWithin,
    complete: raw.complete,
    raycast: {
      ...(decided?.raycast ?? raw.raycast),
      ...(rejected === undefined ? {} : { rejected, narrowed }),
    },
  } as const;
  const named = (): NamedBodies => {
    const { penetrating, penetrated } = raw.byPairs ? bodiesOfPairs(found, candidates) : raw;
    return {
      penetrating: ask === 'any' ? [] : bodiesAt(penetrating),
      penetrated: ask === 'any' || ask === 'penetrating' ? [] : bodiesAt(penetrated),
    };
  };
  if (ask !== 'pairs' && ask !== 'edges') return { ...answer, ...named() };
  const meeting = new Uint32Array(found.length);
  const pairRows = new Uint32Array(2 * found.length);
  let count = 0;
  for (let candidate = 0; candidate < found.length; candidate++) {
    if (found[candidate] === 0) continue;
    meeting[count] = candidate;
    pairRows[2 * count] = rows[2 * candidate];
    pairRows[2 * count + 1] = rows[2 * candidate + 1];
    count++;
  }
  const meetingRows = pairRows.subarray(0, 2 * count);
  const pairs = {
    bodies: question.bodies,
    rows: meetingRows,
    triangles: undefined,
    candidates: meeting.subarray(0, count),
    countOf: undefined,
    snapshot: new KeptBodies(question.seen, meetingRows),
  };
  let groups: Map<number, Uint32Array> | undefined;
  // Bodies may have moved or deformed by the time this is called, so it reads the snapshot.
  const asSeen = (i: number): Placed => {
    const { mesh, positions, revision, pose, poseRevision } = pairs.snapshot.bodyAt(i);
    return { shape: { mesh, positions, revision }, pose, poseRevision };
  };
  const hits = (place: number): EdgeHits => {
    groups ??= groupPoints(raw.edges!);
    const points = groups.get(meeting[place]) ?? new Uint32Array(0);
    return edgeHits(raw.edges!, points, [asSeen(2 * place), asSeen(2 * place + 1)]);
  };
  return new RaycastInterferences(pairs, core.cpu, answer, named, ask === 'edges' ? hits : undefined);
}

/**
 * The indices of bodies with an edge inside another and of the bodies that contain those edges, in order. For a pair
 * found by rays alone, both bodies are in both lists.
 */
function bodiesOfPairs(
  found: Uint8Array,
  candidates: Uint32Array,
): { penetrating: Uint32Array; penetrated: Uint32Array } {
  let count = 0;
  for (let i = 0; i < candidates.length; i++) if (candidates[i] >= count) count = candidates[i] + 1;
  const marks = new Uint8Array(count);
  for (let candidate = 0; candidate < found.length; candidate++) {
    const flags = found[candidate];
    const [a, b] = [candidates[2 * candidate], candidates[2 * candidate + 1]];
    const alone = flags === Found.ray;
    if (alone || (flags & Found.firstInSecond) !== 0) {
      marks[a] |= 1;
      marks[b] |= 2;
    }
    if (alone || (flags & Found.secondInFirst) !== 0) {
      marks[b] |= 1;
      marks[a] |= 2;
    }
  }
  return { penetrating: placesMarked(marks, 1), penetrated: placesMarked(marks, 2) };
}

function placesMarked(marks: Uint8Array, bit: number): Uint32Array {
  const places = new Uint32Array(marks.length);
  let count = 0;
  for (let place = 0; place < marks.length; place++) if ((marks[place] & bit) !== 0) places[count++] = place;
  return places.slice(0, count);
}
