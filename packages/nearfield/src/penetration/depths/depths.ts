// How deep are many pairs? A cheap proven bracket for each, then better ones for those that matter: until the order of the
// deepest is certain, or every bracket is narrow.

import { Body } from '../../bodies/body.ts';
import {
  aNumber,
  anything,
  bad,
  checkOptions,
  inWords,
  isObject,
  lengthFrom0,
  limitRules,
  type Rules,
  wrong,
} from '../../core/arguments.ts';
import type { Limits } from '../../core/limits.ts';
import { throwIfAborted } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import { type Known, type Ranked, rankByDepth, type Wanted } from './ranking.ts';
import { type DeepPairs, now, rankOnThreads, rankSync } from './searches.ts';

/** Two bodies: a pair of an answer about interferences, or any other object with both. */
export interface TwoBodies {
  /** One of them. */
  readonly a: Body;
  /** The other one, which a translation moves. */
  readonly b: Body;
}

/** Which brackets are worth more work, and how much. */
export interface DepthsOptions extends Limits {
  /**
   * A bracket that matters is refined until upper/lower is at most this, or no work is left; default 1.1. Infinity asks
   * only for cheap brackets.
   */
  readonly stopAtRatio?: number | undefined;
  /**
   * How many of the deepest pairs matter: their brackets, and those of the pairs that might be among them, are refined
   * until it is certain which pairs they are and in which order, and their ratio is `stopAtRatio`. Pairs whose brackets
   * stay within that ratio of each other count as equally deep. Default: all pairs. If there are more than 5,000 pairs,
   * those that cannot be among the first are not searched: their brackets go from 0 to what their boxes prove.
   */
  readonly first?: number | undefined;
  /**
   * Brackets that contain this depth are refined too, until they do not: a number for all pairs, or one per pair, in
   * order. A bracket with lower <= tolerance < upper at the end is undecided.
   */
  readonly tolerance?: number | ArrayLike<number> | undefined;
  /** As `effort` of `deeperThan`, per pair. */
  readonly effort?: number | undefined;
  /** Milliseconds after which the brackets are returned as they are: they then depend on the machine's speed. */
  readonly timeLimit?: number | undefined;
}

/** How deep two bodies are in one another. Lengths are in world units. */
export interface PairDepth {
  /** As given. */
  readonly a: Body;
  /** As given: the one that `translation` moves. */
  readonly b: Body;
  /** Both are 0 if the pair has no depth as it is. */
  readonly depth: {
    /** No shorter translation leaves the two without depth. */
    readonly lower: number;
    /** The length of `translation`, which does. */
    readonly upper: number;
  };
  /** upper/lower; 1 if both are 0, Infinity if only lower is. */
  readonly ratio: number;
  /** A translation of b of length `upper`, rounded up, which the exact predicates verified. x, y, z. */
  readonly translation: Float64Array;
}

/** The depths of many pairs. */
export interface Depths {
  /** One per pair, in the order given. */
  readonly pairs: readonly PairDepth[];
  /** Indices of `pairs`, deepest first: by upper bound, then by lower bound, then in the order given. */
  readonly order: Uint32Array;
  /**
   * How many of the first rows of `order` are certain: no later pair is deeper than any of them by more than
   * `stopAtRatio`.
   */
  readonly certain: number;
  /** Depths are found on the CPU, whichever backend is open. */
  readonly backend: 'cpu';
}

/**
 * The depths of many pairs at once. `pairs` may be an answer of `interferences`, or some of its pairs; each may be in any
 * order. Both bodies solid: the depth is that of `penetration`. Otherwise it is the length of the shortest translation of
 * b after which the surfaces do not cross, and neither body, nor what it encloses, reaches into what the other encloses.
 * A mesh that bounds no solid encloses what it does once its triangles are turned alike and its holes are closed, each by
 * triangles from its edges to the mean of its vertices; flat parts enclose nothing, but several may surround a place
 * (docs/exact.md). So a flat sheet is only a surface, and a box that misses a triangle encloses what the whole box does.
 * Rejects with 'bad-option' if a pair is one body twice.
 */
export async function depths(
  scene: BareScene,
  pairs: Iterable<TwoBodies>,
  options: DepthsOptions = {},
): Promise<Depths> {
  const core = coreOf(scene);
  const asked = depthsQuestion('depths', core, pairs, options);
  return core.withPositions(asked.question, options, async () => {
    const { pairs, wanted } = workOf(core, asked, options);
    return answerOf(asked, await rankOnThreads(pairs, rankByDepth(asked.pairs.length, wanted), options));
  });
}

/** `depths` without waiting. */
export function depthsSync(
  scene: BareScene<'cpu'>,
  pairs: Iterable<TwoBodies>,
  options: DepthsOptions = {},
): Depths {
  const core = coreOf(scene);
  core.checkSync('depthsSync');
  const asked = depthsQuestion('depthsSync', core, pairs, options);
  const { pairs: deep, wanted } = workOf(core, asked, options);
  const answer = answerOf(asked, rankSync(deep, rankByDepth(asked.pairs.length, wanted)));
  options.progress?.(1);
  return answer;
}

const rules: Rules<DepthsOptions> = {
  ...limitRules,
  stopAtRatio: aNumber('a number of at least 1', ratio => ratio >= 1),
  first: aNumber(
    'a whole number of pairs, 0 or more',
    first => first === Infinity || (Number.isInteger(first) && first >= 0),
  ),
  tolerance: anything,
  effort: aNumber('a number, 0 or more', effort => effort >= 0),
  timeLimit: aNumber('a number of milliseconds', limit => limit >= 0),
};

/** The pairs of a question as rows of its bodies. */
interface Asked {
  readonly question: Question;
  readonly pairs: readonly TwoBodies[];
  /** Two per pair. */
  readonly rows: Uint32Array;
  readonly tolerances: ArrayLike<number> | undefined;
}

function depthsQuestion(
  name: string,
  core: SceneCore,
  given: Iterable<TwoBodies>,
  options: DepthsOptions,
): Asked {
  const pairs = pairsOf(name, given);
  checkOptions(options, rules, name);
  const tolerances = tolerancesOf(name, options.tolerance, pairs.length);
  const rowOf = new Map<Body, number>();
  const rows = new Uint32Array(2 * pairs.length);
  pairs.forEach(({ a, b }, i) => {
    if (a === b) throw bad(`${a.name} cannot penetrate itself: ${name} needs pairs of different bodies`);
    // The search is made for the body with the lower index first, and mirrored for the other order.
    (a.index > b.index ? [b, a] : [a, b]).forEach((body, side) => {
      let row = rowOf.get(body);
      if (row === undefined) rowOf.set(body, (row = rowOf.size));
      rows[2 * i + side] = row;
    });
  });
  const question = core.questionAboutEach([...rowOf.keys()]);
  throwIfAborted(options);
  return { question, pairs, rows, tolerances };
}

function pairsOf(name: string, given: unknown): TwoBodies[] {
  const isList = isObject(given) && Symbol.iterator in given && !ArrayBuffer.isView(given);
  if (!isList) throw wrong(`${name}: pairs`, 'a list of pairs { a, b } of bodies', given);
  const pairs: TwoBodies[] = [];
  for (const pair of given as Iterable<unknown>) {
    const two = pair as Partial<TwoBodies> | null | undefined;
    if (!(isObject(pair) && two?.a instanceof Body && two.b instanceof Body))
      throw bad(`${name}: pairs must be objects with bodies a and b, not ${inWords(pair)}`);
    pairs.push({ a: two.a, b: two.b });
  }
  return pairs;
}

function tolerancesOf(name: string, given: unknown, count: number): ArrayLike<number> | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'number') {
    lengthFrom0(given, `${name}: tolerance`);
    return new Float64Array(count).fill(given);
  }
  const list = given as ArrayLike<unknown>;
  if (!isObject(given) || list.length !== count)
    throw wrong(`${name}: tolerance`, `a length, or one per pair: ${count} of them`, given);
  for (let i = 0; i < count; i++) lengthFrom0(list[i], `${name}: tolerance[${i}]`);
  return Float64Array.from(list as ArrayLike<number>);
}

function workOf(
  { cpu }: SceneCore,
  { question, rows, tolerances }: Asked,
  { stopAtRatio = 1.1, first = Infinity, effort = 1, timeLimit = Infinity }: DepthsOptions,
): { pairs: DeepPairs; wanted: Wanted } {
  const deadline = now() + timeLimit;
  return {
    pairs: { engine: cpu, rows, bodyAt: question.readableAt, deadline },
    wanted: { stopAtRatio, first, tolerances, effort, until: () => now() >= deadline },
  };
}

const answerOf = ({ pairs }: Asked, { known, order, certain }: Ranked): Depths => ({
  pairs: pairs.map(({ a, b }, i) => depthIn(a, b, known[i])),
  order,
  certain,
  backend: 'cpu',
});

function depthIn(a: Body, b: Body, { lower, upper, translation }: Known): PairDepth {
  const ratio = upper === 0 ? 1 : lower > 0 ? upper / lower : Infinity;
  const towards = a.index > b.index ? translation.map(x => (x === 0 ? 0 : -x)) : translation;
  return { a, b, depth: { lower, upper }, ratio, translation: towards };
}
