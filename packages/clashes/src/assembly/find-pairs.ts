// Which bodies of a scene meet as it stands, and which are too close? Asks the library for everything that two bodies alone decide:
// relations, common points, distances, volumes. What depends on all pairs, the depths that are measured and the verdicts, is decided
// from this (severity/judge.ts).

import type { Body, InterferenceOptions, Interferences, Limits, Pair, PairFilter, Scene } from 'nearfield';
import { type OpenPair, type PlacedBodies, partOf } from '../severity/judge.ts';
import { Pauses, shareOf, shortTurn } from '../steps/pauses.ts';
import { each, itemsPerStep, type Steps } from '../steps/steps.ts';
import type { AssemblyQuestion, PlacedFrame, Stage } from './assembly.ts';
import { addNear } from './near.ts';
import { meetingPair, namedPair, plainPair } from './pair-fields.ts';
import type { Method } from './types.ts';

/** The pairs of a frame before they are judged. */
export interface FoundFrame extends Pick<PlacedBodies, 'trianglesOf' | 'parted'> {
  readonly pairs: OpenPair[];
  readonly method: string;
  /** The library's answer; undefined if other threads or machines have found the pairs. */
  readonly answer?: Interferences | undefined;
  /** The time for common points, in milliseconds. */
  readonly located: number;
  /** Whether all pairs meet and are in order of their bodies, as the library finds them. */
  readonly inOrder?: boolean;
}

/** Finds the pairs of a scene as it stands. */
export async function findFrame(
  scene: Scene,
  question: PairsQuestion & Pick<AssemblyQuestion, 'samples'>,
  asked: PlacedFrame['asked'],
): Promise<FoundFrame> {
  const { answer, pairs, located } = await findPairs(scene, question, asked);
  let byBodies: Map<string, Pair> | undefined;
  const trianglesOf = (a: number, b: number) => {
    byBodies ??= new Map(answer.pairs.map(pair => [`${pair.a.index} ${pair.b.index}`, pair]));
    return question.samples ? undefined : byBodies.get(`${a} ${b}`)?.triangles;
  };
  const inOrder = !question.samples && pairs.length === answer.length;
  return { pairs, method: answer.method, answer, located, inOrder, trianglesOf };
}

/** The limits of each stage of a question. */
export const stageLimits =
  ({ signal, progress }: Pick<AssemblyQuestion, 'signal' | 'progress'>) =>
  (name: Stage): Limits => ({ signal, progress: done => progress(name, done) });

/** What `findPairs` takes of a question. */
export type PairsQuestion = Pick<
  AssemblyQuestion,
  | 'method'
  | 'resolution'
  | 'rules'
  | 'known'
  | 'fingerprints'
  | 'keepTriangles'
  | 'points'
  | 'signal'
  | 'progress'
>;

/** The share of relations that shows that other threads have begun, if there are many. */
const enoughRelated = 0.02;

/** Asks which bodies interfere; `keep` says which pairs are asked about, and is left out if all are. */
export type AskInterferences = (options: Limits & PairFilter) => Promise<Interferences>;

/**
 * The pairs of a scene whose bodies have the indices of the rules: those that meet, and those that are too close.
 * `asked` leaves out what is known; `interferences` replaces the question about what meets, where it has been answered
 * by other means. `located` is the time for common points, in milliseconds.
 */
export async function findPairs(
  scene: Scene,
  question: PairsQuestion,
  asked?: (a: number, b: number) => boolean,
  interferences?: AskInterferences,
): Promise<{ answer: Interferences; pairs: OpenPair[]; located: number }> {
  const { method, resolution, rules } = question;
  const stage = stageLimits(question);
  // Without a filter the engine finds the candidates itself, which is faster.
  const keep =
    asked || !rules.all
      ? (a: Body, b: Body) => (asked?.(a.index, b.index) ?? true) && rules.keep(a.index, b.index)
      : undefined;
  const options = { ...stage('checking'), keep };
  // Common points need the triangles, too.
  const detail = question.points || question.keepTriangles !== 'none' ? 'list' : 'relation';
  const answer = await (interferences?.(options) ?? ask(scene, method, { resolution, detail, ...options }));
  // Once other threads are at work on relations, or all are known, this one describes the pairs.
  let begin = () => {};
  const begun = new Promise<void>(resolve => {
    begin = resolve;
  });
  const relating = stage('relating');
  const report = (done: number) => {
    relating.progress?.(done);
    if (done > enoughRelated) begin();
  };
  const relate = async () => {
    const found = await answer.relations({ ...relating, progress: report });
    begin();
    return found;
  };
  const [relations, pairs] = await Promise.all([
    relate(),
    begun.then(() => new Pauses(question.signal, shortTurn).finish(describePairs(answer, question))),
  ]);
  const start = performance.now();
  const locating = stage('locating');
  const from = question.points ? 0.9 : 0;
  const points = question.points ? await answer.points(partOf(locating, 0, from)) : undefined;
  const located = performance.now() - start;
  const complete = (pair: OpenPair, i: number) => {
    pair.relation = relations[i];
    if (points !== undefined) pair.point = points.subarray(3 * i, 3 * i + 3);
  };
  const completed = shareOf({ progress: locating.progress, from, to: 1 }, pairs.length);
  await new Pauses(question.signal).finish(each(pairs, complete), completed);
  for (const pair of question.known?.pairs ?? []) pairs.push({ ...pair });
  const { clearances } = rules;
  if (clearances.length > 0) {
    const clearanceOf = rules.all ? undefined : (a: number, b: number) => rules.decide(a, b)?.clearance;
    // Pairs that the rules do not name have no clearance.
    const isAsked = asked && ((a: Body, b: Body) => asked(a.index, b.index));
    await addNear(pairs, scene, {
      ...{ clearances, clearanceOf, keep: isAsked, method, resolution },
      ...stage('clearances'),
    });
  }
  return { answer, pairs, located };
}

/** The pairs of an answer, without their relations and common points, which are not known yet. */
function* describePairs(
  answer: Interferences,
  { keepTriangles, rules, points, fingerprints }: PairsQuestion,
): Steps<OpenPair[]> {
  // There may be millions of pairs: the library's objects are made only if somebody wants triangles.
  const { indices, triangleCounts } = answer;
  const listed = keepTriangles === 'none' ? undefined : answer.pairs;
  // Rules add a test and a severity, fingerprints an identity.
  const isShort = !listed && rules.all;
  const isPlain = isShort && !points && !fingerprints;
  const pairs: OpenPair[] = [];
  while (pairs.length < answer.length) {
    const i = pairs.length;
    const [a, b] = [indices[2 * i], indices[2 * i + 1]];
    const triangles = listed?.[i].triangles;
    const triangleCount = triangleCounts?.[i] ?? (triangles?.length ?? 0) / 2;
    if (isPlain) pairs.push(plainPair(a, b, 'separate', triangleCount));
    else if (isShort) pairs.push(namedPair(a, b, 'separate', triangleCount));
    else pairs.push(meetingPair(a, b, 'separate', triangleCount, undefined, triangles));
    if (pairs.length % itemsPerStep === 0) yield;
  }
  return pairs;
}

/** One call per method: each has its own options and its own answer. */
function ask(
  scene: Scene,
  method: Method,
  { detail, ...options }: Limits & PairFilter & Images & Pick<InterferenceOptions, 'detail'>,
): Promise<Interferences> {
  if (method === 'raycast') return scene.sampledInterferences({ ...options, method });
  if (method === 'layers') return scene.sampledInterferences({ ...options, method });
  return scene.interferences({ ...options, method, detail });
}

interface Images {
  readonly resolution?: number | undefined;
}

/** What the pairs of two solids have in common. */
export async function addVolumes(
  { scene, placed, given }: PlacedBodies,
  pairs: readonly OpenPair[],
  { signal, progress }: Limits,
): Promise<void> {
  const solid = pairs.filter(
    ({ a, b, relation, volume }) =>
      relation !== 'separate' && volume === undefined && given[a].mesh.solid && given[b].mesh.solid,
  );
  const pauses = new Pauses(signal);
  for (const [i, pair] of solid.entries()) {
    progress?.(i / solid.length);
    await pauses.take();
    const { volume, area, point } = await scene.overlap(placed[pair.a], placed[pair.b], { signal });
    Object.assign(pair, { volume, area, point: point ?? pair.point });
  }
}
