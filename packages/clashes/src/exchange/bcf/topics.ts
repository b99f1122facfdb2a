// What a BCF file says about an answer: one topic per group of clashes, or per clash if they are not grouped. A topic
// keeps its identity from run to run, because it is made from that of the clash, so that other programs update it in
// place.

import type { AssemblyAnswer, AssemblyBody, AssemblyPair, Status } from '../../assembly/types.ts';
import { bytesOf, hexOf, sha256 } from '../../identity/sha256.ts';
import { isFailing } from '../../severity/failing.ts';
import { byImportance, verdictOf, verdictWords } from '../../severity/order.ts';
import { labelsOf } from '../../text/labels.ts';
import { pairInWords } from '../../text/sentences.ts';
import type { BcfView } from './view.ts';

export interface Topic {
  readonly guid: string;
  readonly title: string;
  readonly description: string;
  readonly status: string;
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

/** Author of what no person said. */
export const program = 'Nearfield';

const statusWords: Readonly<Record<Status, string>> = {
  open: 'Open',
  accepted: 'Closed',
  fixed: 'Resolved',
  'not-an-issue': 'Closed',
};

/** Statuses that topics may have. */
export const topicStatuses: readonly string[] = ['Open', 'Resolved', 'Closed'];
export const topicType = 'Clash';

/** Topics in order of importance. Pairs that are forgiven have none, those that people have closed do. */
export function topicsOf(answer: AssemblyAnswer, date: string): Topic[] {
  const pairs = byImportance(answer.frames[0].pairs).filter(
    pair => isFailing(pair) || verdictOf(pair) === 'accepted',
  );
  const byClash = new Map(pairs.map(pair => [pair.clash, pair]));
  const labels = labelsOf(answer.bodies);
  if (answer.groups === undefined) {
    return pairs.map(pair => {
      const title = `${labels[pair.a]} and ${labels[pair.b]}: ${pairInWords({ ...pair, point: undefined, pointA: undefined }, answer)}`;
      return topicOf(`clash ${pair.clash ?? `${pair.a} ${pair.b}`}`, title, [pair], answer, date);
    });
  }
  return answer.groups.map(({ id, title, members }) => {
    const own = members.flatMap(clash => byClash.get(clash) ?? []);
    return topicOf(`group ${id}`, title, own, answer, date);
  });
}

function topicOf(
  identity: string,
  title: string,
  pairs: readonly AssemblyPair[],
  answer: AssemblyAnswer,
  date: string,
): Topic {
  const { bodies, tests } = answer;
  const labels = labelsOf(bodies);
  const [worst] = pairs;
  const lines = pairs.map(
    pair =>
      `${labels[pair.a]} and ${labels[pair.b]}: ${pairInWords(pair, answer)}${pair.clash === undefined ? '' : ` [${pair.clash}]`}`,
  );
  const said = pairs.flatMap(({ status, clash }) => (status === undefined ? [] : [{ ...status, clash }]));
  const test = worst.test === undefined ? undefined : tests?.[worst.test].name;
  return {
    guid: guidOf(identity),
    title,
    description: lines.join('\n'),
    status: statusWords[said.length === pairs.length && said.length > 0 ? said[0].status : 'open'],
    priority: worst.severity,
    labels: [verdictWords[verdictOf(worst)], ...(test === undefined ? [] : [test])],
    comments: said.flatMap(({ comment, by, date: when, clash }) =>
      comment === undefined
        ? []
        : [
            {
              guid: guidOf(`comment ${clash} ${comment}`),
              text: comment,
              author: by ?? program,
              date: when ?? date,
            },
          ],
    ),
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
