// Matches several bodies of one name with the baseline's bodies of that name. Bodies with the same mesh are matched first,
// then the nearest ones. If there are as many today as in the baseline, a body matches however far it was moved. Otherwise
// some were removed or added, and a body matches only if it has moved by at most its own size.

import type { PastBody } from '../../assembly/types.ts';
import { centerOf, diagonalOf, orderByPlace } from '../../identity/body-key.ts';

interface Places {
  readonly baseline: readonly PastBody[];
  readonly today: readonly PastBody[];
  /** Whether the bodies have a name in common. If not, they must be in the same place. */
  readonly named: boolean;
}

/** With more possible matches than this, bodies are taken in order of place, or left unmatched. */
const mostCandidates = 250_000;

interface Candidate {
  readonly i: number;
  readonly j: number;
  readonly distance: number;
  /** 0 for the same mesh, else 1. */
  readonly mesh: number;
}

/** Calls `join` for every body that is found in both: with its index in the baseline and its index today. */
export function matchPlaces(
  before: readonly number[],
  now: readonly number[],
  { baseline, today, named }: Places,
  join: (i: number, j: number) => void,
): void {
  const placeBefore = (i: number) => centerOf(baseline[i]);
  const placeNow = (j: number) => centerOf(today[j]);
  const anyDistance = named && before.length === now.length;
  if (anyDistance && before.length * now.length > mostCandidates) {
    const ordered = orderByPlace(now, placeNow);
    for (const [k, i] of orderByPlace(before, placeBefore).entries()) join(i, ordered[k]);
    return;
  }
  const candidates: Candidate[] = [];
  const offer = (
    i: number,
    j: number,
    p: readonly number[] | undefined,
    q: readonly number[] | undefined,
  ) => {
    const distance = p && q ? Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) : Infinity;
    const size = Math.max(diagonalOf(baseline[i]), diagonalOf(today[j]));
    const reach = anyDistance ? Infinity : named ? size : size / 2;
    const mesh = baseline[i].fingerprint?.mesh === today[j].fingerprint?.mesh ? 0 : 1;
    if (distance <= reach) candidates.push({ i, j, distance, mesh });
  };
  if (before.length * now.length <= mostCandidates) {
    const places = now.map(placeNow);
    for (const i of before) {
      const place = placeBefore(i);
      for (const [k, j] of now.entries()) offer(i, j, place, places[k]);
    }
  } else sweep(before, now, { baseline, today, named }, offer, () => candidates.length < mostCandidates);
  candidates.sort((p, q) => p.mesh - q.mesh || p.distance - q.distance || p.i - q.i || p.j - q.j);
  const [usedBefore, usedNow] = [new Set<number>(), new Set<number>()];
  for (const { i, j } of candidates) {
    if (usedBefore.has(i) || usedNow.has(j)) continue;
    usedBefore.add(i);
    usedNow.add(j);
    join(i, j);
  }
}

/** Offers the bodies whose x is near enough, in order of x, as long as `goesOn` says so. */
function sweep(
  before: readonly number[],
  now: readonly number[],
  { baseline, today }: Places,
  offer: (i: number, j: number, p: readonly number[], q: readonly number[]) => void,
  goesOn: () => boolean,
): void {
  const placed = (indices: readonly number[], bodies: readonly PastBody[]) =>
    indices
      .flatMap(index => {
        const place = centerOf(bodies[index]);
        return place ? [{ index, place, reach: diagonalOf(bodies[index]) }] : [];
      })
      .sort((p, q) => p.place[0] - q.place[0] || p.index - q.index);
  const left = placed(before, baseline);
  const right = placed(now, today);
  const reach = Math.max(
    0,
    ...[left, right].map(side => side.reduce((most, item) => Math.max(most, item.reach), 0)),
  );
  let from = 0;
  let steps = 0;
  for (const { index: i, place: p } of left) {
    while (from < right.length && right[from].place[0] < p[0] - reach) from++;
    for (let k = from; k < right.length && right[k].place[0] <= p[0] + reach; k++) {
      if (!goesOn() || ++steps > 100 * mostCandidates) return;
      offer(i, right[k].index, p, right[k].place);
    }
  }
}
