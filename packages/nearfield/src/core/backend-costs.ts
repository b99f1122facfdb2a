// What answers took on a machine, as plain data that an application keeps.

import { bad, inWords } from './arguments.ts';
import type { Backend } from './stats.ts';

/** Sums of the samples that a line is fitted to, with their weights: of 1, size, milliseconds, size² and size · milliseconds. */
export type CostSums = readonly [number, number, number, number, number];

/** What answers have taken on one machine, as plain data: `JSON.stringify` writes it. Made by `nf.costs()`, for `open({ costs })`. */
export interface BackendCosts {
  /** The GPU that the costs are about. They are not used with another one. */
  readonly device: string;
  /** Per kind of question and backend, the sums that its line is fitted to. */
  readonly sums: Readonly<Record<string, Readonly<Partial<Record<Backend, CostSums>>>>>;
}

/** The rule for costs that are given. */
export function checkCosts(given: unknown, what: string): void {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const areSums = (value: unknown): boolean =>
    value === undefined ||
    (Array.isArray(value) && value.length === 5 && value.every(sum => Number.isFinite(sum) && sum >= 0));
  if (
    isObject(given) &&
    typeof given['device'] === 'string' &&
    isObject(given['sums']) &&
    Object.values(given['sums']).every(
      lines => isObject(lines) && areSums(lines['cpu']) && areSums(lines['gpu']),
    )
  )
    return;
  throw bad(`${what} must be what nf.costs() gave, not ${inWords(given)}`);
}
