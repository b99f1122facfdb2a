// `nearfield status FILE [CLASH…] --set STATUS`: what people say about clashes, in the file that `check --statuses` reads.
// Without --set it lists what the file says.

import { type Status, type StatusEntry, statusWords } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { Files } from '../files.ts';
import { readStatuses, writeStatuses } from '../input/statuses.ts';
import { inColumns, shortened } from '../output/columns.ts';
import { plural } from '../output/sentences.ts';
import { printable, say, type Terminal } from '../output/terminal.ts';
import { parseChoice } from './options.ts';

export interface StatusOptions {
  readonly set?: string | undefined;
  readonly comment?: string | undefined;
  readonly by?: string | undefined;
}

const widestCell = 48;

export async function status(
  file: string,
  clashes: readonly string[],
  options: StatusOptions,
  terminal: Terminal,
): Promise<number> {
  const set = parseChoice(options.set, '--set', statusWords);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const statuses = await readStatuses(file, files, set !== undefined);
  if (statuses.clashes.size === 0 && (await files.readOutput(file)) === undefined) {
    throw new NearfieldError(
      'bad-file',
      `${file}: there is no such file; "nearfield check ... --statuses ${file}" writes it`,
    );
  }
  for (const clash of clashes) {
    if (statuses.clashes.has(clash)) continue;
    throw new NearfieldError(
      'bad-option',
      `${file} has no clash ${clash}; "nearfield check ... --statuses ${file}" adds the clashes that it finds`,
    );
  }
  if (set === undefined) {
    if (options.comment !== undefined || options.by !== undefined) {
      throw new NearfieldError('bad-option', `--comment and --by need --set ${statusWords.join('|')}`);
    }
    const shown = clashes.length === 0 ? [...statuses.clashes.keys()] : clashes;
    const entries = shown.map(clash => [clash, statuses.clashes.get(clash)!] as const);
    for (const line of listed(entries, terminal.outColumns)) await terminal.out(line);
    return 0;
  }
  if (clashes.length === 0) throw new NearfieldError('bad-option', '--set needs the identities of clashes');
  const changed = new Map(statuses.clashes);
  const date = new Date().toISOString();
  for (const clash of clashes) {
    const before = statuses.clashes.get(clash)!;
    changed.set(clash, entryAfter(before, set, { ...options, date }));
  }
  const [conflict] = await writeStatuses({ ...statuses, clashes: changed }, files, terminal.signal);
  if (conflict !== undefined) throw new NearfieldError('bad-file', conflict);
  say(terminal, `${plural(clashes.length, 'clash', 'clashes')} set to ${set} in ${file}`);
  return 0;
}

/** The entry of a clash after somebody has said something about it. What was said before is kept. */
export function entryAfter(
  { earlier = [], ...before }: StatusEntry,
  status: Status,
  { comment, by, date }: { comment?: string | undefined; by?: string | undefined; date: string },
): StatusEntry {
  const { parts, found, depthFound, geometry } = before;
  // A clash is accepted with the depth that the last check found.
  const depth = status === 'accepted' || status === 'not-an-issue' ? depthFound : undefined;
  return {
    ...{ status, date, parts },
    ...(found !== undefined && { found }),
    ...(depthFound !== undefined && { depthFound }),
    ...(depth !== undefined && { depth }),
    ...(geometry !== undefined && { geometry }),
    ...(comment !== undefined && { comment }),
    ...(by !== undefined && { by }),
    earlier: before.status === 'open' && before.date === undefined ? earlier : [before, ...earlier],
  };
}

function listed(
  entries: readonly (readonly [string, StatusEntry])[],
  columns: number | undefined,
): readonly string[] {
  if (entries.length === 0) return ['No clashes yet.\n'];
  // Each name is shortened by itself, so that both can be recognised.
  const shortPart = (name: string) => shortened(name, (widestCell - ' and '.length) >> 1);
  const cell = (text: string | undefined) => shortened(printable(text ?? ''), widestCell);
  return inColumns(
    [
      ...[{ head: 'clash' }, { head: 'status' }, { head: 'parts', isName: true }],
      ...[
        { head: 'by', leaveOut: 1 },
        { head: 'date', leaveOut: 2 },
        { head: 'comment', isName: true },
      ],
    ],
    entries.map(([clash, { status: word, parts, by, date, comment }]) => [
      ...[clash, word, cell(parts?.map(shortPart).join(' and '))],
      ...[cell(by), (date ?? '').slice(0, 10), cell(comment)],
    ]),
    columns,
  ).lines;
}
