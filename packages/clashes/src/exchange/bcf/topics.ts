// What a BCF file says about an answer: one topic per group of clashes, or per clash if they are not grouped. A topic
// keeps its identity from run to run, because it is made from that of the clash, so that other programs update it in
// place.

import type { AssemblyAnswer, AssemblyBody, AssemblyPair, Status } from '../../assembly/types.ts';
import { bytesOf, hexOf, sha256 } from '../../identity/sha256.ts';
import { isClash } from '../../severity/failing.ts';
import { byImportance, verdictOf, verdictWords } from '../../severity/order.ts';
import { mapped, type Steps } from '../../steps/steps.ts';
import { labelsOf } from '../../text/labels.ts';
import { pairInWords } from '../../text/sentences.ts';
import type { BcfView } from './view.ts';

export interface Topic {
  readonly guid: string;
  readonly title: string;
  readonly description: string;
  readonly status: (typeof topicStatuses)[number];
  /** From the severity of its test. */
  readonly priority: string | undefined;
  readonly labels: readonly string[];
  readonly comments: readonly TopicComment[];
  /** IFC GlobalIds of the parts. Parts without one are only named. */
  readonly components: readonly string[];
  /** The most important pair: what the viewpoint shows. */
  readonly pair: AssemblyPair;
  readonly view?: BcfView | undefined;
}

export interface TopicComment {
  readonly guid: string;
  readonly text: string;
  readonly author: string;
  readonly date: string;
}

/** The author of topics and comments that no person wrote. */
export const program = 'Nearfield';

/** Statuses that topics may have: closed if people have accepted all its clashes as they are. */
export const topicStatuses = ['Open', 'Closed'] as const;
export const topicType = 'Clash';

/** How a status reads in a comment. */
const statusWords: Readonly<Record<Exclude<Status, 'open'>, string>> = {
  accepted: 'Accepted',
  fixed: 'Fixed',
  'not-an-issue': 'Not an issue',
};

/** Topics in order of importance. Pairs that are forgiven have none, those that people have closed do. */
export function* topicsOf(answer: AssemblyAnswer, date: string): Steps<Topic[]> {
  const inOrder = yield* byImportance(answer.frames[0].pairs);
  const pairs = inOrder.filter(isClash);
  const byClash = new Map(pairs.map(pair => [pair.clash, pair]));
  const labels = labelsOf(answer.bodies);
  if (answer.groups === undefined) {
    return yield* mapped(pairs, pair => {
      const title = `${labels[pair.a]} and ${labels[pair.b]}: ${pairInWords({ ...pair, point: undefined, pointA: undefined }, answer)}`;
      return topicOf(`clash ${pair.clash ?? `${pair.a} ${pair.b}`}`, title, [pair], answer, labels, date);
    });
  }
  return yield* mapped(answer.groups, ({ id, title, members }) => {
    const own = members.flatMap(clash => byClash.get(clash) ?? []);
    return topicOf(`group ${id}`, title, own, answer, labels, date);
  });
}

function topicOf(
  identity: string,
  title: string,
  pairs: readonly AssemblyPair[],
  answer: AssemblyAnswer,
  names: readonly string[],
  date: string,
): Topic {
  const { bodies, tests } = answer;
  const [worst] = pairs;
  const lines = pairs.map(
    pair =>
      `${names[pair.a]} and ${names[pair.b]}: ${pairInWords(pair, answer)}${pair.clash === undefined ? '' : ` [${pair.clash}]`}`,
  );
  const said = pairs.flatMap(({ status, clash }) => (status === undefined ? [] : [{ ...status, clash }]));
  const test = worst.test === undefined ? undefined : tests?.[worst.test].name;
  return {
    guid: guidOf(identity),
    title,
    description: lines.join('\n'),
    status: pairs.every(pair => verdictOf(pair) === 'accepted') ? 'Closed' : 'Open',
    priority: worst.severity,
    labels: [verdictWords[verdictOf(worst)], ...(test === undefined ? [] : [test])],
    comments: said.flatMap(({ status, comment, by, date: when, clash }) => {
      // What people say is a comment; the verdict tells whether it holds.
      const words = status === 'open' ? comment : [statusWords[status], comment].filter(Boolean).join(': ');
      if (words === undefined) return [];
      const guid = guidOf(`comment ${clash} ${words}`);
      return [{ guid, text: words, author: by ?? program, date: when ?? date }];
    }),
    components: componentsOf(pairs, bodies),
    pair: worst,
  };
}

/** GlobalIds have 22 characters of a known set. Other identities are not for BCF. */
const isGlobalId = (id: string | undefined): id is string =>
  id !== undefined && /^[0-9A-Za-z_$]{22}$/.test(id);

function componentsOf(pairs: readonly AssemblyPair[], bodies: readonly AssemblyBody[]): string[] {
  return [...new Set(pairs.flatMap(({ a, b }) => [bodies[a].id, bodies[b].id].filter(isGlobalId)))];
}

/** A GUID that is always the same for the same text. */
export function guidOf(text: string): string {
  const hex = hexOf(sha256(bytesOf(text)), 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
