// Which bodies of an assembly clash, and how badly? Asks the question of `check` and of the studio per frame, and returns
// the answer as plain data for tables, JSON, reports and exchange formats.

import { type Body, type Nearfield, NearfieldError, type Scene } from 'nearfield';
import type { Reusable } from '../history/reuse.ts';
import type { Decision } from '../rules/types.ts';
import { judge, type OpenPair, type PlacedBodies } from '../severity/judge.ts';
import { compareImportance } from '../severity/order.ts';
import { Pauses, shareOf, shortTurn } from '../steps/pauses.ts';
import { each, itemsPerStep, mapped, type Steps } from '../steps/steps.ts';
import { BodiesInFrames } from './bodies-in-frames.ts';
import { addVolumes, type FoundFrame, findFrame, stageLimits } from './find-pairs.ts';
import { foundOf, isShort, namedPair, plainPair } from './pair-fields.ts';
import { pairKey } from './pair-key.ts';
import { type Frame, framesOf, identityPose, movedIn } from './poses.ts';
import type {
  AssemblyAnswer,
  AssemblyBody,
  AssemblyFrame,
  Fingerprint,
  FoundPairs,
  GivenBody,
  GivenFile,
  Method,
  Motion,
  SamplingBounds,
} from './types.ts';

/** What the rules of an assembly say, for its bodies. */
export interface PairRules {
  /** Whether a test names the two bodies, by index. */
  readonly keep: (a: number, b: number) => boolean;
  readonly decide: (a: number, b: number) => Decision | undefined;
  /** All clearances that are asked for. */
  readonly clearances: readonly number[];
  /** Whether every pair is asked about. */
  readonly all: boolean;
}

export interface AssemblyQuestion {
  readonly bodies: readonly GivenBody[];
  readonly files?: readonly GivenFile[] | undefined;
  /** The unit of all lengths, in metres. */
  readonly unit?: number | undefined;
  readonly motion?: Motion | undefined;
  readonly method: Method;
  /** Whether that method may miss small interferences and finds pairs of bodies only. */
  readonly samples: boolean;
  /** The size of the images in pixels, for methods that render images. */
  readonly resolution?: number | undefined;
  /** Which pairs are asked about, and what. */
  readonly rules: PairRules;
  /** Pairs whose measures are known, and which pairs have to be examined. */
  readonly known?: Reusable | undefined;
  /** Per body, for the answer: shows a later run whether the body is still the same. */
  readonly fingerprints?: readonly Fingerprint[] | undefined;
  /** Pairs that other threads or machines have found: all that are asked about. Then only the rest of the question is done here. */
  readonly found?: FoundPairs | undefined;
  /** Opens another library, for questions about two bodies that do not fit beside all others. */
  readonly another?: (() => Promise<Nearfield>) | undefined;
  /** Whose depths are measured; default 'none'. 'auto' is 'shown', unless more than `mostUnasked` pairs overlap. */
  readonly depths?: 'auto' | 'none' | 'shown' | 'all' | undefined;
  /** Further depths that the depth of two bodies, by index, is compared with: the search goes on until it is known whether they are deeper. */
  readonly depthLimits?: ((a: number, b: number) => readonly number[]) | undefined;
  /** How many rows are shown, the most important first: their order becomes certain. */
  readonly rows?: number | undefined;
  /** Whether to measure what two solids have in common. */
  readonly volumes?: boolean | undefined;
  /** For which pairs of bodies to keep the triangle pairs; 'worst' keeps them for the worst frame of each pair. */
  readonly keepTriangles: 'all' | 'worst' | 'none';
  /** Whether to find a common point per pair. */
  readonly points?: boolean | undefined;
  /** How long reading the bodies and opening the library took, for the timing of the answer. */
  readonly readTime: number;
  readonly openTime: number;
  /** The version of the caller, for the answer. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** What is being done, and the share of it that is done, 0 to 1. */
  readonly progress: (stage: Stage, done: number) => void;
}

/** What takes time, in this order; for a motion, all from 'checking' to 'volumes' is 'checking'. */
export type Stage = 'opening' | FrameStage | 'grouping';

type FrameStage = (typeof stages)[number];

const stages = ['checking', 'relating', 'locating', 'clearances', 'depths', 'volumes'] as const;

export async function askAssembly(nf: Nearfield, question: AssemblyQuestion): Promise<AssemblyAnswer> {
  const { motion, signal, method, samples } = question;
  const buildStart = performance.now();
  const scene = nf.scene();
  const pauses = new Pauses(signal);
  const opening = { progress: (done: number) => question.progress('opening', done), from: 0, to: 1 };
  const placed = await pauses.finish(
    addBodies(scene, question.bodies),
    shareOf(opening, question.bodies.length),
  );
  const frames = framesOf(motion);
  // Bodies that no frame names stay where they are.
  const named = new Set(frames.flatMap(frame => [...frame.keys()]));
  const placeAs = (frame: Frame) => {
    for (const index of named)
      placed[index].pose = frame.get(index) ?? question.bodies[index].pose ?? identityPose;
  };
  const placeIn = (frame: number) =>
    naming(motion?.isMotion ? `frame ${frame}` : undefined, () => placeAs(frames[frame]));
  // Check all poses first, so that a bad pose in the last frame is found before the work. If others have done that work, a pose is
  // checked when it is needed.
  if (question.found === undefined) for (let frame = 0; frame < frames.length; frame++) placeIn(frame);
  const inFrames = new BodiesInFrames(question.bodies, frames);
  /** Per body, 1 if it is a solid, 2 if it is none, once it is described. */
  const solids = new Uint8Array(question.bodies.length);
  let begin = () => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const described = describeMeanwhile(question, inFrames, solids, begun);
  // If the question fails, nobody waits for it.
  described.catch(() => {});
  const queryStart = performance.now();
  let judgeTime = 0;
  let unmeasured = 0;
  const results: OpenFrame[] = [];
  const worst = new Map<number, OpenPair>();
  let used: string = method;
  for (let frame = 0; frame < frames.length; frame++) {
    signal?.throwIfAborted();
    // If others have found the pairs, the bodies are placed only when something is asked about them.
    if (question.found === undefined) placeIn(frame);
    // If both bodies of a pair have not moved, the previous frame has the answer.
    const moved = movedIn(frames, frame, question.bodies);
    const asked = moved ? (a: number, b: number) => Boolean(moved[a] || moved[b]) : question.known?.keep;
    // If the question came with its pairs, only judging them is left.
    const progress: AssemblyQuestion['progress'] = (stage, done) => {
      if (done > 0) begin();
      if (!motion?.isMotion) return question.progress(stage, done);
      const part = (stages.indexOf(stage as FrameStage) + done) / stages.length;
      question.progress(question.found ? 'depths' : 'checking', (frame + part) / frames.length);
    };
    const given = inFrames.at(frame);
    const { another } = question;
    const place = question.found && (() => placeIn(frame));
    const ofFrame = { frame, asked, nf, another, scene, placed, given, solids, place };
    const {
      found,
      judged,
      unmeasured: left,
    } = await askFrame(ofFrame, { ...question, bodies: given, progress });
    await pauses.take();
    const { pairs: fresh, answer } = found;
    used = found.method;
    judgeTime += judged;
    unmeasured += left;
    const still = moved ? results[frame - 1].pairs.filter(({ a, b }) => !moved[a] && !moved[b]) : [];
    const isWanted = ({ relation, distance }: OpenPair) =>
      samples || relation !== 'separate' || distance !== undefined;
    const pairs = found.inOrder && still.length === 0 ? fresh : inOrder(fresh, isWanted, still);
    const bounds = samples ? boundsOf(answer!, asked && results.at(-1)?.bounds) : undefined;
    results.push({ frame, pairs, bounds });
    await pauses.take();
    if (question.keepTriangles === 'worst')
      await pauses.finish(keepWorst(worst, pairs, question.bodies.length));
  }
  begin();
  const { found } = question;
  // Other threads count the time that they take to judge pairs while this thread waits for them.
  const elsewhere = found?.timing ?? { query: 0, judge: 0 };
  const queryTime = Math.max(0, performance.now() - queryStart - judgeTime + elsewhere.query);
  judgeTime += elsewhere.judge ?? 0;
  return {
    version: question.version,
    backend: found?.backend ?? { kind: nf.backend, name: nf.name },
    method: used === 'auto' ? 'hierarchy' : used,
    ...{ unit: question.unit, files: question.files },
    ...(unmeasured > 0 && { unmeasured }),
    bodies: await described,
    isMotion: motion?.isMotion ?? false,
    frames: results,
    timing: {
      read: question.readTime,
      build: question.openTime + queryStart - buildStart,
      query: queryTime,
      ...(judgeTime > 0 && { judge: judgeTime }),
    },
  };
}

/** Adds the bodies to a scene, in one loop: with a function per body, 100,000 bodies would take longer. */
function* addBodies(scene: Scene, bodies: readonly GivenBody[]): Steps<Body[]> {
  const placed: Body[] = [];
  for (const { name, mesh, pose, file } of bodies) {
    try {
      placed.push(scene.add(mesh, pose ? { name, pose } : { name }));
    } catch (error) {
      throw named(file, error);
    }
    if (placed.length % itemsPerStep === 0) yield;
  }
  return placed;
}

/**
 * Describes the bodies for the answer, once the search for pairs has begun. Nothing else needs that, so it is done while other threads
 * search: before, they would wait for it.
 */
async function describeMeanwhile(
  { bodies, fingerprints, signal }: AssemblyQuestion,
  inFrames: BodiesInFrames,
  solids: Uint8Array,
  begun: Promise<void>,
): Promise<AssemblyBody[]> {
  await begun;
  signal?.throwIfAborted();
  return new Pauses(signal, shortTurn).finish(describeBodies(bodies, fingerprints, inFrames, solids));
}

function* describeBodies(
  bodies: readonly GivenBody[],
  fingerprints: readonly Fingerprint[] | undefined,
  inFrames: BodiesInFrames,
  solids: Uint8Array,
): Steps<AssemblyBody[]> {
  const roundings = yield* inFrames.leastRoundings();
  const describe = (body: GivenBody, index: number): AssemblyBody => {
    const { vertexCount: vertices, triangleCount: triangles, closed, solid } = body.mesh;
    solids[index] = solid ? 1 : 2;
    // Named one by one: spreading 100,000 bodies takes a second.
    return {
      index,
      name: body.name,
      file: body.file,
      path: body.path,
      id: body.id,
      type: body.type,
      properties: body.properties,
      rounding: roundings[index],
      vertices,
      triangles,
      closed,
      solid,
      fingerprint: fingerprints?.[index],
    };
  };
  return yield* mapped(bodies, describe, bodiesPerStep);
}

/** Bodies that are described in one step: a tenth of a millisecond, or more if facts of their meshes are not known yet. */
const bodiesPerStep = 64;

type OpenFrame = AssemblyFrame & { readonly pairs: readonly OpenPair[] };

/** A frame of a scene whose bodies stand as they do in it. */
export interface PlacedFrame extends PlacedBodies {
  readonly frame: number;
  /** Which pairs are asked about; all if it is left out. */
  readonly asked: ((a: number, b: number) => boolean) | undefined;
}

/** The pairs of one frame, as far as they are asked for: those that meet, those too close, and how bad they are. */
async function askFrame(
  { frame, asked, ...bodies }: PlacedFrame,
  question: AssemblyQuestion,
): Promise<{ found: FoundFrame; judged: number; unmeasured: number }> {
  const { rules, depths = 'none', rows = 0 } = question;
  const stage = stageLimits(question);
  const found = question.found
    ? await foundByOthers(question.found, frame, question, asked)
    : await findFrame(bodies.scene, question, asked);
  const { pairs } = found;
  const start = performance.now();
  const settings = { decide: rules.decide, depths, rows, limits: question.depthLimits };
  const unmeasured = await judge({ ...bodies, ...found }, pairs, settings, stage('depths'));
  if (question.volumes) {
    bodies.place?.();
    await addVolumes(bodies, pairs, stage('volumes'));
  }
  return { found, judged: found.located + performance.now() - start, unmeasured };
}

/** The pairs that are wanted, with copies of those that stand still, by their bodies. */
function inOrder(
  fresh: OpenPair[],
  isWanted: (pair: OpenPair) => boolean,
  still: readonly OpenPair[],
): OpenPair[] {
  const byBodies = (p: OpenPair, q: OpenPair) => p.a - q.a || p.b - q.b;
  // Copying and sorting millions of pairs takes seconds, and mostly all are wanted and in order.
  const isInPlace = (pair: OpenPair, i: number) =>
    isWanted(pair) && (i === 0 || byBodies(fresh[i - 1], pair) <= 0);
  if (still.length === 0 && fresh.every(isInPlace)) return fresh;
  return [...fresh.filter(isWanted), ...still.map(pair => ({ ...pair }))].sort(byBodies);
}

/** The pairs of a frame that others find, less those that are known, and those that are known. */
async function foundByOthers(
  found: FoundPairs,
  frame: number,
  { bodies, known, rules, points, fingerprints }: AssemblyQuestion,
  asked: PlacedFrame['asked'],
): Promise<FoundFrame> {
  const isPlain = !points && !fingerprints;
  const parted = new Map<number, boolean>();
  const pairs: OpenPair[] = [];
  for (const pair of await found.frames[frame]) {
    if (asked && !asked(pair.a, pair.b)) continue;
    const { a, b, relation, triangleCount, point } = pair;
    if (!rules.all || !isShort(pair)) pairs.push(foundOf(pair));
    else if (isPlain) pairs.push(plainPair(a, b, relation, triangleCount));
    else pairs.push(namedPair(a, b, relation, triangleCount, point));
    if (pair.parted !== undefined) parted.set(pairKey(pair, bodies.length), pair.parted);
  }
  for (const pair of known?.pairs ?? []) pairs.push({ ...pair });
  return { pairs, method: found.method, located: 0, parted };
}

/** Pairs that did not move keep the answer of the previous frame, and so its bounds. */
function boundsOf(
  { mayMissBelow, mayReportWithin, complete }: SamplingBounds,
  before: SamplingBounds | undefined,
): SamplingBounds {
  if (before === undefined) return { mayMissBelow, mayReportWithin, complete };
  return {
    mayMissBelow: Math.max(mayMissBelow, before.mayMissBelow),
    mayReportWithin: Math.max(mayReportWithin, before.mayReportWithin),
    complete: complete && before.complete,
  };
}

/** Keeps, per pair of bodies, the triangles of its worst frame so far, and drops the others. */
function* keepWorst(
  worst: Map<number, OpenPair>,
  found: readonly OpenPair[],
  bodyCount: number,
): Steps<void> {
  yield* each(found, pair => {
    const key = pairKey(pair, bodyCount);
    const known = worst.get(key);
    if (known && compareImportance(pair, known) >= 0) pair.triangles = undefined;
    else {
      if (known) known.triangles = undefined;
      // A copy, because the list is a view of one array with the triangles of all pairs of the frame.
      pair.triangles = pair.triangles?.slice();
      worst.set(key, pair);
    }
  });
}

/** Prefixes error messages from inside with the place. */
export function naming<T>(place: string | undefined, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw named(place, error);
  }
}

/** The error with the place before its message. */
function named(place: string | undefined, error: unknown): unknown {
  if (place === undefined || !(error instanceof NearfieldError)) return error;
  return new NearfieldError(error.code, `${place}: ${error.message}`, { cause: error });
}
