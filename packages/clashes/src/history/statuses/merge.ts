// Brings two versions of the statuses together, so that nobody's word is lost. If a clash has different entries, the
// later by date holds, and the other is kept in it under `earlier`. If dates do not tell, the first file's entry holds
// and the conflict is reported. An entry that a check wrote and nobody has touched gives way to any other.

import type { ClashStatus } from '../../assembly/types.ts';
import { type StatusEntry, type Statuses, timeOf } from './statuses.ts';

export interface StatusConflict {
  readonly clash: string;
  readonly kept: ClashStatus;
  readonly other: ClashStatus;
}

/** `onDisk` is what the file says now, `ours` what is to be added. The order is that of the file, then what is new. */
export function mergeStatuses(
  onDisk: Statuses,
  ours: Statuses,
): { readonly statuses: Statuses; readonly conflicts: readonly StatusConflict[] } {
  const clashes = new Map(onDisk.clashes);
  const conflicts: StatusConflict[] = [];
  for (const [id, entry] of ours.clashes) {
    const known = clashes.get(id);
    if (known === undefined) {
      clashes.set(id, entry);
      continue;
    }
    const holds = whichHolds(known, entry);
    if (holds === 'unknown') conflicts.push({ clash: id, kept: head(known), other: head(entry) });
    clashes.set(id, holds === 'second' ? joined(entry, known) : joined(known, entry));
  }
  const names = new Set(onDisk.rest.map(([name]) => name));
  const rest = [...onDisk.rest, ...ours.rest.filter(([name]) => !names.has(name))];
  return { statuses: { ...onDisk, clashes, rest }, conflicts };
}

function whichHolds(first: StatusEntry, second: StatusEntry): 'first' | 'second' | 'unknown' {
  const [p, q] = [head(first), head(second)];
  // Both say the same: the second is the newer check's.
  if (covers(p, q) && covers(q, p)) return 'second';
  // One entry says all that the other says, and perhaps more.
  if (covers(p, q)) return 'first';
  if (covers(q, p)) return 'second';
  // An entry that the other file has among its earlier ones was replaced there.
  if (first.earlier?.some(entry => covers(entry, q))) return 'first';
  if (second.earlier?.some(entry => covers(entry, p))) return 'second';
  const [since, until] = [p, q].map(({ date }) => (date === undefined ? undefined : timeOf(date)));
  if (since === undefined || until === undefined || since === until) return 'unknown';
  return since > until ? 'first' : 'second';
}

/** The entry that holds, with what else was said. */
function joined(holding: StatusEntry, other: StatusEntry): StatusEntry {
  const kept = head(holding);
  let earlier: ClashStatus[] = [];
  for (const entry of [head(other), ...(holding.earlier ?? []), ...(other.earlier ?? [])]) {
    if ([kept, ...earlier].some(said => covers(said, entry))) continue;
    earlier = [...earlier.filter(said => !covers(entry, said)), entry];
  }
  if (earlier.length === 0) return kept;
  const time = ({ date }: ClashStatus) => (date === undefined ? undefined : timeOf(date)) ?? 0;
  earlier.sort((p, q) => time(q) - time(p) || (textOf(p) < textOf(q) ? -1 : 1));
  return { ...kept, earlier };
}

/** Whether the first entry says all that the second says. An entry that nobody has touched says nothing. */
function covers(first: ClashStatus, second: ClashStatus): boolean {
  if (isUntouched(second)) return true;
  return Object.entries(second).every(
    ([name, value]) =>
      isMeasured(name) ||
      (Object.hasOwn(first, name) && textOf(first[name as keyof ClashStatus]) === textOf(value)),
  );
}

/** The fields that every check measures anew. No person writes them. */
const isMeasured = (name: string): boolean => name === 'depthFound' || name === 'geometry';

const isUntouched = (entry: ClashStatus): boolean =>
  entry.status === 'open' &&
  Object.keys(entry).every(name => ['status', 'found', 'parts'].includes(name) || isMeasured(name));

/** An entry without what was said before it. */
function head({ earlier, ...entry }: StatusEntry): ClashStatus {
  return entry;
}

/** Equal for equal values, whatever the order of their fields. */
function textOf(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([p], [q]) => (p < q ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}
