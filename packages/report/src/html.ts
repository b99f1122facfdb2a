// Small pieces of the report's page.

import { visible } from './escape.ts';
import type { Relation } from './types.ts';

/** Text fit for a page, hidden characters as escapes. */
export const escapeHtml = (text: string): string =>
  visible(text).replace(
    /[&<>"']/g,
    c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? '&#39;',
  );

export const number = (value: number): string => value.toLocaleString('en-US');

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** A pair that is separate is in a report because it is too close. */
export const relationWords = (relation: Relation): string =>
  relation === 'separate' ? 'too close' : relation;

export const badge = (relation: Relation): string =>
  `<span class="badge ${relation}">${relationWords(relation)}</span>`;

/** Said above a table that does not show everything. */
export const truncated = (count: number, limit: number): string =>
  count > limit
    ? `<p class="note">The first ${number(limit)} of ${number(count)} rows; --json has all of them.</p>\n`
    : '';
