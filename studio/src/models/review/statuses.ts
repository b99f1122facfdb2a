// What somebody says about a clash, as a change of the document: in the format of the statuses file.

import type { Status, StatusEntry } from '@nearfield/clashes';
import { nameOfUnit } from '@nearfield/io';
import type { StudioDocument } from '../../state/document.ts';
import type { PairRow } from '../table.ts';

/** An accepted clash is accepted up to its depth of now: deeper, it is a clash again. */
export function withStatus(document: StudioDocument, row: PairRow, status: Status): StudioDocument {
  const isAccepted = status === 'accepted' || status === 'not-an-issue';
  const { depth: _, ...entry } = entryOf(document, row);
  const depth = row.relation === 'separate' ? 0 : row.depth?.upper;
  return withEntry(document, row, {
    ...{ ...entry, status, date: new Date().toISOString(), geometry: row.geometry },
    ...(isAccepted && depth !== undefined && { depth: lengthIn(document, depth) }),
  });
}

/** An empty comment is none. */
export function withComment(document: StudioDocument, row: PairRow, text: string): StudioDocument {
  const { comment: _, ...entry } = entryOf(document, row);
  const said = text.trim() === '' ? {} : { comment: text };
  return withEntry(document, row, { ...entry, ...said, date: new Date().toISOString() });
}

function entryOf({ statuses, bodies }: StudioDocument, { clash, a, b }: PairRow): StatusEntry {
  const nameOf = (id: number) => bodies.find(body => body.id === id)?.name ?? '';
  return statuses.clashes.get(clash) ?? { status: 'open', parts: [nameOf(a), nameOf(b)] };
}

function withEntry(document: StudioDocument, { clash }: PairRow, entry: StatusEntry): StudioDocument {
  const clashes = new Map(document.statuses.clashes).set(clash, entry);
  return { ...document, statuses: { ...document.statuses, clashes } };
}

const lengthIn = ({ unit }: StudioDocument, length: number): number | string =>
  unit === undefined || length === 0 ? length : `${length} ${nameOfUnit(unit)}`;
