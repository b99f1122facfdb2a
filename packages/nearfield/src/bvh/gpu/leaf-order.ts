// When is a tree refitted, and when are its leaves sorted again? A refit is cheaper, but as a shape deforms, an old order of
// leaves gives larger boxes.

import type { Entry } from './entries.ts';

/** An order kept through this many refits is sorted again, which costs about twice a refit. */
const mostRefits = 16;
/**
 * Leaves are sorted again if a walk of the mesh against itself tests more than this many times as many boxes as it did
 * with a new order: the additional tests cost more than a sort.
 */
const worseOrder = 1.2;

/** Whether a refit will do: the leaves are in an order that still serves. */
export function keepsOrder(entry: Entry): boolean {
  const { builds = 0 } = entry.shape;
  const isOrdered =
    entry.built && entry.recordFrame !== undefined && entry.ordered && entry.builds === builds;
  return isOrdered && entry.refits < mostRefits;
}

/** Records the cost of a walk of a shape against itself. If the order has become bad, the next revision is rebuilt. */
export function noteTests(entry: Entry, boxTests: number): void {
  if (entry.refits === 0 || entry.testsWhenNew === 0) entry.testsWhenNew = boxTests;
  else if (boxTests > worseOrder * entry.testsWhenNew) entry.refits = mostRefits;
}

/** The entry was refitted: the order of its leaves is kept. */
export function noteRefit(entry: Entry): void {
  entry.stale = false;
  entry.built = true;
  entry.refits++;
}

/** The leaves of the entry were stored in the order of its mesh. */
export function noteStored(entry: Entry): void {
  entry.stale = false;
  entry.built = false;
  entry.ordered = false;
}

/** The entry was built: its leaves are sorted again. */
export function noteBuild(entry: Entry): void {
  entry.stale = false;
  entry.built = true;
  entry.builds = entry.shape.builds ?? 0;
  entry.refits = 0;
  entry.testsWhenNew = 0;
  if (entry.settled) entry.ordered = true;
}
