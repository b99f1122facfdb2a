// The statuses file: what people have decided about clashes. It is the user's own and lies beside the models. Entries of
// clashes that are not there are kept, and so are fields that this program does not know.

import { parseLength } from '@nearfield/io';
import type { ClashStatus, Status } from '../../assembly/types.ts';
import { finish, mapped, type Steps } from '../../steps/steps.ts';
import { jsonText } from '../../text/escape.ts';
import { JsonReader } from '../../text/json-reader.ts';
import { isClashId } from '../baseline.ts';

/** An entry with whatever else the file has in it. */
export type StatusEntry = ClashStatus & {
  /** What others had said when two files were merged, or what was said before, newest first. */
  readonly earlier?: readonly ClashStatus[] | undefined;
};

export interface Statuses {
  /** The file's name, for messages. */
  readonly file: string;
  /** In the order of the file, by identity. */
  readonly clashes: ReadonlyMap<string, StatusEntry>;
  /** Other fields of the file, in their order. */
  readonly rest: readonly (readonly [string, unknown])[];
}

export const statusWords: readonly Status[] = ['open', 'accepted', 'fixed', 'not-an-issue'];

/** A file that does not exist yet. */
export const noStatuses = (file: string): Statuses => ({ file, clashes: new Map(), rest: [] });

/** Throws 'bad-file'. */
export function parseStatuses(file: string, text: string): Statuses {
  const root = JsonReader.read(file, text);
  const version = root.need('version');
  if (version.value !== 1) version.expected('1; a newer Nearfield may have written this file');
  const clashes = new Map<string, StatusEntry>();
  for (const [id, entry] of root
    .need('clashes')
    .entries('an object from identities of clashes to statuses')) {
    if (!isClashId(id)) entry.fail('expected the identity of a clash, 12 hexadecimal digits in lower case');
    clashes.set(id, readEntry(entry));
  }
  const rest: [string, unknown][] = [];
  for (const [name, field] of root.entries()) {
    if (name !== 'version' && name !== 'clashes') rest.push([name, checkDepth(field)]);
  }
  return { file, clashes, rest };
}

/** All fields of the entry, in their order; those that are known are checked. */
function readEntry(at: JsonReader): StatusEntry {
  at.need('status').oneOf(statusWords);
  at.get('comment')?.text();
  at.get('by')?.text();
  for (const date of [at.get('date'), at.get('found')]) {
    if (date !== undefined && timeOf(date.text()) === undefined) {
      date.expected('a date such as 2026-11-18 or 2026-11-18T09:30:00Z');
    }
  }
  for (const part of at.get('parts')?.items('an array of names') ?? []) part.text();
  for (const depth of [at.get('depth'), at.get('depthFound')]) if (depth !== undefined) checkLength(depth);
  at.get('geometry')?.text();
  for (const entry of at.get('earlier')?.items() ?? []) readEntry(entry);
  for (const [, field] of at.entries()) checkDepth(field);
  return at.value as StatusEntry;
}

function checkLength(at: JsonReader): void {
  const expected = 'a length such as 0.005 or "5mm"';
  if (typeof at.value !== 'string') at.size(expected);
  else {
    try {
      if (parseLength(at.value).value >= 0) return;
    } catch {
      // The same error for a text that is no length at all.
    }
    at.expected(expected);
  }
}

/** Values that are kept without being understood are written again, which recurses. JsonReader refuses deep ones. */
function checkDepth(at: JsonReader): unknown {
  if (at.isArray) for (const item of at.items()) checkDepth(item);
  else if (at.isObject) for (const [, field] of at.entries()) checkDepth(field);
  return at.value;
}

/** Milliseconds since 1970 of an ISO 8601 date; undefined for other texts. A time without a zone is UTC. */
export function timeOf(date: string): number | undefined {
  const found = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(
    date,
  );
  if (found === null) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = found;
  const value = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(value) ? undefined : value;
}

/** The text of the file: one entry per line, so that a version control system merges it well. */
export const renderStatuses = (statuses: Statuses): string => finish(renderSteps(statuses));

/** The same in steps. */
export function* renderSteps({ clashes, rest }: Statuses): Steps<string> {
  const entries = yield* mapped([...clashes], ([id, entry]) => `    ${jsonText(id)}: ${jsonText(entry)}`);
  const fields = [
    '  "version": 1',
    ...rest.map(([name, value]) => `  ${jsonText(name)}: ${jsonText(value)}`),
    `  "clashes": {${entries.length === 0 ? '' : `\n${entries.join(',\n')}\n  `}}`,
  ];
  return `{\n${fields.join(',\n')}\n}\n`;
}
