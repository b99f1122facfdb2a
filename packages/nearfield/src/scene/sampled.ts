// Interferences by a method that samples: candidates go to the engine whole, what it leaves open is decided exactly, and the
// answer says how far it is to be relied on.

import { inSlices } from '../cpu/waiting.ts';
import { NearfieldError } from '../errors.ts';
import type { Pose } from '../math/pose.ts';
import { RaycastInterferences } from '../methods/raycast/answer.ts';
import { type Decided, decide } from '../methods/raycast/decide.ts';
import { edgeHits, groupPoints } from '../methods/raycast/edges/edge-points.ts';
import {
  type EdgeHits,
  type RaycastFound,
  type RaycastOptions,
  type RaycastRequest,
  raycastOf,
} from '../methods/raycast/options.ts';
import { Found, type RawRaycast, type RaycastTask } from '../methods/raycast/sampling.ts';
import { exactly } from './answer.ts';
import type { Body } from './bodies/body.ts';
import { Snapshot } from './bodies/moment.ts';
import { checkSolid } from './checks.ts';
import type { Bodies, Engine, Limits, Placed, Shape } from './engine.ts';
import type { PairFilter } from './filter.ts';
import { withoutGpu } from './method.ts';
import type { Question } from './questions/question.ts';
import type { Candidates } from './stages.ts';

/** Interferences by rays cast at edges (Knott, chapter 4). */
export interface RaycastQuestion extends PairFilter, Limits, RaycastOptions {
  readonly method: 'raycast';
}

/** The bodies of candidates, and the candidates by their places among those. */
interface Asked {
  readonly bodies: readonly Body[];
  readonly placed: readonly Placed[];
  readonly candidates: Uint32Array;
}

export function raycast(
  candidates: Candidates,
  options: RaycastQuestion,
): Promise<RaycastFound | RaycastInterferences> {
  const request = raycastOf(options);
  const { question, asker } = candidates;
  const { engine, cpu } = asker;
  if (engine.sample === undefined) throw withoutGpu('raycast');
  const sample: NonNullable<Engine['sample']> = engine.sample.bind(engine);
  return asker.positions(question, options, async () => {
    const { rows, isFiltered } = candidates;
    if (isFiltered && request.counting === 'queries') {
      const message = `occlusion queries tell bodies, not pairs: a filter needs counting 'lists' or 'stencil'`;
      throw new NearfieldError('unsupported', message);
    }
    const asked = bodiesAsked(rows, question, request);
    if (rows.length === 0) return answerOf(candidates, asked, request, nothing(request), undefined);
    const task: RaycastTask = { ...request, candidates: asked.candidates, filtered: isFiltered };
    const raw = await sample(asked.placed, options, turn => turn.castAtEdges(asked.placed, task));
    const decided = await inSlices(
      decide(raw, task, place => asked.placed[place], cpu),
      { signal: options.signal },
      () => {},
    );
    return answerOf(candidates, asked, request, raw, decided);
  });
}

function bodiesAsked(rows: Uint32Array, question: Question, { counting }: RaycastRequest): Asked {
  const { seen, isHeld } = question;
  const count = seen.count;
  // A place for each body that is in a candidate, in order.
  const places = new Uint32Array(count);
  for (const row of rows) places[row] = 1;
  const bodies: Body[] = [];
  const placed: Placed[] = [];
  const forms = isHeld ? question.readableForms : seen.forms;
  for (let row = 0; row < count; row++) {
    if (places[row] === 0) continue;
    places[row] = bodies.length;
    bodies.push(question.bodies[row]);
    placed.push(isHeld ? question.readableAt(row) : new PlacedRow(seen, row));
    if (counting === 'lists') {
      checkSolid(question.bodies[row], forms[row].mesh, 'rays cannot tell its inside');
    }
  }
  const candidates = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) candidates[i] = places[rows[i]];
  return { bodies, placed, candidates };
}

/** A body of a question, its pose read when it is needed: of ten thousands most are looked at once, or never. */
class PlacedRow implements Placed {
  readonly shape: Shape;
  readonly poseRevision: number;
  readonly #seen: Bodies;
  readonly #row: number;
  #pose: Pose | undefined;

  constructor(seen: Bodies, row: number) {
    this.shape = seen.forms[row].shape;
    this.poseRevision = seen.changed[row];
    this.#seen = seen;
    this.#row = row;
  }

  get pose(): Pose {
    return (this.#pose ??= this.#seen.poses.slice(16 * this.#row, 16 * this.#row + 16));
  }
}

/** Of a scene in which no boxes meet. */
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
  { question, asker, rows }: Candidates,
  asked: Asked,
  { ask }: RaycastRequest,
  raw: RawRaycast,
  decided: Decided | undefined,
): RaycastFound | RaycastInterferences {
  const found = decided?.found ?? raw.found;
  const { bodies, placed, candidates } = asked;
  const bodiesAt = (places: Iterable<number>) => Array.from(places, place => bodies[place]);
  const [penetrating, penetrated] = raw.byPairs
    ? bodiesOfPairs(found, candidates)
    : [raw.penetrating, raw.penetrated];
  const answer: RaycastFound = {
    method: 'raycast',
    backend: asker.engine.backend,
    stats: raw.stats,
    any: decided?.any ?? raw.any,
    penetrating: ask === 'any' ? [] : bodiesAt(penetrating),
    penetrated: ask === 'any' || ask === 'penetrating' ? [] : bodiesAt(penetrated),
    notClosed: bodiesAt(raw.notClosed),
    mayMissBelow: raw.mayMissBelow,
    mayReportWithin: raw.mayReportWithin,
    complete: raw.complete,
    raycast: decided?.raycast ?? raw.raycast,
  };
  if (ask !== 'pairs' && ask !== 'edges') return answer;
  const meeting = Uint32Array.from(found.keys()).filter(candidate => found[candidate] !== 0);
  const pairRows = Uint32Array.from(
    { length: 2 * meeting.length },
    (_, i) => rows[2 * meeting[i >> 1] + (i & 1)],
  );
  const pairs = {
    bodies: question.bodies,
    rows: pairRows,
    triangles: undefined,
    candidates: meeting,
    counts: undefined,
    snapshot: new Snapshot(question.seen, pairRows),
  };
  let groups: Map<number, Uint32Array> | undefined;
  const hits = (place: number): EdgeHits => {
    const candidate = meeting[place];
    const two = [placed[candidates[2 * candidate]], placed[candidates[2 * candidate + 1]]] as const;
    groups ??= groupPoints(raw.edges!);
    return edgeHits(raw.edges!, groups.get(candidate) ?? new Uint32Array(0), two);
  };
  return new RaycastInterferences(pairs, asker.cpu, answer, ask === 'edges' ? hits : undefined);
}

/** Bodies with an edge in another, and those they are in; where a pair was found by rays alone, both are both. */
function bodiesOfPairs(found: Uint8Array, candidates: Uint32Array): [Uint32Array, Uint32Array] {
  const [penetrating, penetrated] = [new Set<number>(), new Set<number>()];
  found.forEach((flags, candidate) => {
    const [a, b] = [candidates[2 * candidate], candidates[2 * candidate + 1]];
    const alone = flags === Found.ray;
    if (alone || (flags & Found.firstInSecond) !== 0) {
      penetrating.add(a);
      penetrated.add(b);
    }
    if (alone || (flags & Found.secondInFirst) !== 0) {
      penetrating.add(b);
      penetrated.add(a);
    }
  });
  return [Uint32Array.from(penetrating).sort(), Uint32Array.from(penetrated).sort()];
}
