// Groups clashes by the part they share: the part with the most clashes takes all of them, then the part with the most
// that are left, and so on. A floor that seventeen pipes go through is one group.

import type { AssemblyPair, Group } from '../assembly/types.ts';
import { bodyIdentities } from '../identity/body-key.ts';
import { each, mapped, type Steps, sorted } from '../steps/steps.ts';
import { distinctLabels } from '../text/labels.ts';
import { clashCount, type Draft, finishGroups, type GroupBody, partInWords } from './group.ts';

/** Every pair is in exactly one group. Parts with equally many clashes are taken in order of their identities. */
export function* groupByPart(bodies: readonly GroupBody[], pairs: readonly AssemblyPair[]): Steps<Group[]> {
  const identities = yield* bodyIdentities(bodies);
  const labels = distinctLabels(bodies);
  const nameOf = (body: number) => partInWords(bodies[body], labels[body]);
  const stars = yield* starsOf(bodies.length, pairs, yield* rankOf(identities));
  const drafts = yield* mapped(stars, ({ part, members }): Draft => {
    if (members.length > 1) {
      const title = () => `${clashCount(members.length)} with ${nameOf(part)}`;
      return { identity: identities[part], members, title, shared: { part } };
    }
    const ends = [pairs[members[0]].a, pairs[members[0]].b].sort((p, q) =>
      identities[p] < identities[q] ? -1 : 1,
    );
    // The part alone is no identity here: next week another clash may be the only one with it.
    const identity = ends.map(body => identities[body]).join(' and ');
    return { identity, members, title: () => ends.map(nameOf).join(' and ') };
  });
  return yield* finishGroups('part', drafts, pairs, bodies);
}

/** The place of each body in the order of identities, which does not depend on indices. */
function* rankOf(identities: readonly string[]): Steps<Uint32Array> {
  const order = yield* sorted([...identities.keys()], (i, j) =>
    identities[i] < identities[j] ? -1 : identities[i] > identities[j] ? 1 : i - j,
  );
  const rank = new Uint32Array(identities.length);
  order.forEach((body, place) => {
    rank[body] = place;
  });
  return rank;
}

/** Greedy stars. Bodies wait in buckets by the number of clashes they have left, which only gets smaller. */
function* starsOf(
  bodyCount: number,
  pairs: readonly AssemblyPair[],
  rank: Uint32Array,
): Steps<{ readonly part: number; readonly members: number[] }[]> {
  const { starts, items } = incidence(bodyCount, pairs);
  yield;
  const left = new Uint32Array(bodyCount);
  let most = 0;
  for (let body = 0; body < bodyCount; body++) {
    left[body] = starts[body + 1] - starts[body];
    most = Math.max(most, left[body]);
  }
  const buckets: number[][] = Array.from({ length: most + 1 }, () => []);
  for (let body = 0; body < bodyCount; body++) if (left[body] > 0) buckets[left[body]].push(body);
  const isTaken = new Uint8Array(pairs.length);
  const stars: { part: number; members: number[] }[] = [];
  for (let count = most; count > 0; count--) {
    // Bodies that have lost clashes since they were put here go to the bucket of what they have left.
    const bucket = yield* sorted(buckets[count], (p, q) => rank[p] - rank[q]);
    yield* each(bucket, part => {
      if (left[part] < count) {
        if (left[part] > 0) buckets[left[part]].push(part);
        return;
      }
      const members: number[] = [];
      for (let k = starts[part]; k < starts[part + 1]; k++) {
        const pair = items[k];
        if (isTaken[pair]) continue;
        isTaken[pair] = 1;
        members.push(pair);
        left[pairs[pair].a]--;
        left[pairs[pair].b]--;
      }
      stars.push({ part, members });
    });
  }
  return stars;
}

/** The pairs of each body: those of body i are items starts[i] to starts[i + 1]. */
function incidence(bodyCount: number, pairs: readonly AssemblyPair[]) {
  const starts = new Uint32Array(bodyCount + 1);
  for (const { a, b } of pairs) {
    starts[a + 1]++;
    starts[b + 1]++;
  }
  for (let i = 0; i < bodyCount; i++) starts[i + 1] += starts[i];
  const next = starts.slice();
  const items = new Uint32Array(2 * pairs.length);
  pairs.forEach(({ a, b }, pair) => {
    items[next[a]++] = pair;
    items[next[b]++] = pair;
  });
  return { starts, items };
}
