// The file in which people keep what they have said about clashes. A check adds clashes that are new to it, and the
// command `status` sets what people say. Both read the file again just before they write it, so that nobody's entry is
// lost.

import {
  type AssemblyAnswer,
  mergeStatuses,
  noStatuses,
  parseStatuses,
  renderStatuses,
  type Statuses,
  updateStatuses,
} from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { Files, textOf } from '../files.ts';
import { say, type Terminal } from '../output/terminal.ts';

/** What the file says; nothing if it does not exist yet. */
export async function readStatuses(name: string, cwd: string): Promise<Statuses> {
  const files = new Files(cwd);
  if (!(await files.exists(name))) return noStatuses(name);
  return parseStatuses(name, textOf(name, await files.read(name)));
}

/** Adds the clashes that the file does not have yet, as open. */
export async function addStatuses(
  statuses: Statuses,
  answer: AssemblyAnswer,
  terminal: Terminal,
): Promise<void> {
  const unit = answer.unitName === undefined ? '' : ` ${answer.unitName}`;
  const depthOf = (length: number) => (unit === '' ? length : `${length}${unit}`);
  const updated = updateStatuses(statuses, answer, new Date().toISOString(), depthOf);
  const added = updated.clashes.size - statuses.clashes.size;
  if (renderStatuses(updated) === renderStatuses(statuses)) return;
  await writeStatuses(updated, terminal.cwd);
  if (added > 0)
    say(terminal, `${added} ${added === 1 ? 'clash was' : 'clashes were'} added to ${statuses.file}`);
}

/** Merges with what the file says by now, and replaces it as a whole. */
export async function writeStatuses(statuses: Statuses, cwd: string): Promise<void> {
  const { statuses: merged, conflicts } = mergeStatuses(await readStatuses(statuses.file, cwd), statuses);
  await new Files(cwd).write(statuses.file, '--statuses', renderStatuses(merged));
  const [conflict] = conflicts;
  if (conflict === undefined) return;
  throw new NearfieldError(
    'bad-file',
    `${statuses.file}: ${conflict.clash} was set to "${conflict.kept.status}" meanwhile and stays so; look at it and set it again`,
  );
}
