// Small pieces of the HTML report.

import type { Relation } from 'nearfield';
import type { Bracket, Verdict } from '../assembly/types.ts';
import { verdictWords } from '../severity/order.ts';
import { visible } from '../text/escape.ts';
import { bracketInWords, lengthInWords } from '../text/sentences.ts';

/** Text escaped for HTML, with invisible characters as escapes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(
    /[&<>"']/g,
    c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#39;',
  );

export const number = (value: number): string => value.toLocaleString('en-US');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** `text`, or nothing if something is not known. */
export const when = <T>(value: T | undefined, text: (value: T) => string): string =>
  value === undefined ? '' : text(value);

/** Lengths with their unit, if that is known. */
export const length = (value: number, unit: string | undefined): string =>
  lengthInWords(value) + (unit ? ` ${unit}` : '');
export const depth = (value: Bracket, unit: string | undefined): string =>
  bounds(value) + (unit ? ` ${unit}` : '');

/** Bounds of a depth. A lower bound that is next to nothing says no more than none, which is easier to read. */
export const bounds = ({ lower, upper }: Bracket): string =>
  bracketInWords({ lower: lower < upper / 100 ? 0 : lower, upper });

/** A separate pair is in a report because it is too close. */
export const relationWords = (relation: Relation): string =>
  relation === 'separate' ? 'too close' : relation;

export const badge = (relation: Relation): string =>
  `<span class="badge ${relation}">${relationWords(relation)}</span>`;

export const verdictBadge = (verdict: Verdict): string =>
  `<span class="verdict ${verdict}">${escapeHtml(verdictWords[verdict])}</span>`;

/** Shown above a table that does not show all rows. */
export const truncated = (count: number, limit: number): string =>
  count > limit
    ? `<p class="note">The first ${number(limit)} of ${number(count)} rows; --json has all of them.</p>\n`
    : '';

/** JSON for a script element: no text in it ends the element or begins a comment. */
export const embedded = (json: string): string => json.replaceAll('<', '\\u003c');
