// Groups clashes by place: two clashes are in one group if a chain of clashes leads from one to the other with no step
// longer than a given distance (single linkage).

import type { AssemblyPair, Group } from '../assembly/types.ts';
import { diagonalOf } from '../identity/body-key.ts';
import { mapped, type Steps } from '../steps/steps.ts';
import { distinctLabels } from '../text/labels.ts';
import {
  clashCount,
  clashOf,
  clashPlace,
  type Draft,
  finishGroups,
  type GroupBody,
  partInWords,
} from './group.ts';
import { linkPoints } from './link-points.ts';

/**
 * Every pair is in exactly one group. Pairs without a place are groups of their own. Without a distance, half of the
 * median diagonal of the clashes' smaller parts is taken. A group is known by the smallest identity among its clashes,
 * so it stays the same as long as that clash is in it.
 */
export function* groupByPlace(
  bodies: readonly GroupBody[],
  pairs: readonly AssemblyPair[],
  distance = usualDistance(bodies, pairs),
): Steps<Group[]> {
  const labels = distinctLabels(bodies);
  const places = yield* mapped(pairs, pair => clashPlace(pair, bodies));
  const placed = pairs.flatMap((_, i) => (places[i] === undefined ? [] : [i]));
  const points = Float64Array.from(placed.flatMap(i => Array.from(places[i]!)));
  const drafts = [
    ...linkPoints(points, distance).map(group => group.map(k => placed[k])),
    ...pairs.flatMap((_, i) => (places[i] === undefined ? [[i]] : [])),
  ].map((members): Draft => {
    const identity = members.map(i => clashOf(pairs[i])).reduce((least, id) => (id < least ? id : least));
    const title = ([worst]: readonly number[]) => {
      const { a, b } = pairs[worst];
      const parts = [a, b].map(body => partInWords(bodies[body], labels[body])).join(' and ');
      return members.length === 1 ? parts : `${clashCount(members.length)} around ${parts}`;
    };
    return { identity, members, title };
  });
  return yield* finishGroups('place', drafts, pairs, bodies);
}

/** Half of the median diagonal of the smaller part, over all clashes; 0 if no size is known. */
export function usualDistance(bodies: readonly GroupBody[], pairs: readonly AssemblyPair[]): number {
  const diagonals = bodies.map(diagonalOf);
  const sizes = Float64Array.from(pairs, ({ a, b }) => Math.min(diagonals[a], diagonals[b])).sort();
  return sizes.length === 0 ? 0 : sizes[sizes.length >> 1] / 2;
}
