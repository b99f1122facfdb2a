// The file in which people keep what they have said about clashes. A check adds clashes that are new to it, and the
// command `status` sets what people say. Both read the file again just before they write it, and nobody else writes in
// between, so that nobody's entry is lost.

import {
  type AssemblyAnswer,
  finishInTurns,
  mergeStatuses,
  noStatuses,
  otherTasks,
  parseStatuses,
  renderSteps,
  type Statuses,
  shareOf,
  updateStatuses,
} from '@nearfield/clashes';
import { type Files, textOf } from '../files.ts';
import { withLock } from '../output/files/lock.ts';
import type { Progress } from '../output/progress.ts';
import { say, type Terminal } from '../output/terminal.ts';

const option = '--statuses';

/** What the file says; nothing if it does not exist yet. One that will be written is refused if that cannot be done. */
export async function readStatuses(name: string, files: Files, isWritten = true): Promise<Statuses> {
  if (isWritten) await files.checkOutput(name, option);
  const bytes = await files.readOutput(name);
  return bytes === undefined ? noStatuses(name) : parseStatuses(name, textOf(name, bytes));
}

/** Adds the clashes that the file does not have yet, as open, and how deep they all are. */
export async function addStatuses(
  statuses: Statuses,
  answer: AssemblyAnswer,
  files: Files,
  progress: Progress,
  terminal: Terminal,
): Promise<void> {
  progress.stage('writing');
  const { signal } = terminal;
  const text = (of: Statuses, from: number) =>
    finishInTurns(
      renderSteps(of),
      signal,
      shareOf({ progress: progress.update, from, to: from + 0.2 }, of.clashes.size),
    );
  const unit = answer.unitName === undefined ? '' : ` ${answer.unitName}`;
  const depthOf = (length: number) => (unit === '' ? length : `${length}${unit}`);
  const pairs = answer.frames.reduce((sum, frame) => sum + frame.pairs.length, 0);
  const updated = await finishInTurns(
    updateStatuses(statuses, answer, new Date().toISOString(), depthOf),
    signal,
    shareOf({ progress: progress.update, from: 0, to: 0.3 }, pairs),
  );
  const added = updated.clashes.size - statuses.clashes.size;
  if ((await text(updated, 0.3)) === (await text(statuses, 0.5))) return;
  progress.update(0.7);
  for (const conflict of await writeStatuses(updated, files, signal)) say(terminal, conflict);
  if (added > 0)
    say(terminal, `${added} ${added === 1 ? 'clash was' : 'clashes were'} added to ${statuses.file}`);
}

/** Merges with what the file says by now, and replaces it as a whole. Returns one sentence per conflict. */
export async function writeStatuses(
  statuses: Statuses,
  files: Files,
  signal: AbortSignal,
): Promise<string[]> {
  const { file } = statuses;
  return withLock(files.path(file), file, async () => {
    const { statuses: merged, conflicts } = mergeStatuses(await readStatuses(file, files), statuses);
    const text = await finishInTurns(renderSteps(merged), signal);
    await otherTasks(signal);
    await files.write(file, option, text);
    return conflicts.map(
      ({ clash, kept }) =>
        `${file}: ${clash} was set to "${kept.status}" meanwhile and stays so; look at it and set it again`,
    );
  });
}
