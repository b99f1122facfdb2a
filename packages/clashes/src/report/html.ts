// Small pieces of the HTML report.

import { visible } from '../text/escape.ts';
import type { Relation } from './types.ts';

/** Text escaped for HTML, with invisible characters as escapes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(
    /[&<>"']/g,
    c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#39;',
  );

export const number = (value: number): string => value.toLocaleString('en-US');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** A separate pair is in a report because it is too close. */
export const relationWords = (relation: Relation): string =>
  relation === 'separate' ? 'too close' : relation;

export const badge = (relation: Relation): string =>
  `<span class="badge ${relation}">${relationWords(relation)}</span>`;

/** Shown above a table that does not show all rows. */
export const truncated = (count: number, limit: number): string =>
  count > limit
    ? `<p class="note">The first ${number(limit)} of ${number(count)} rows; --json has all of them.</p>\n`
    : '';
