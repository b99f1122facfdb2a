// Writes an answer where the user wants it: to a file or to stdout.

import { otherTasks, Pauses } from '@nearfield/clashes';
import type { Files } from '../../files.ts';
import { say, type Terminal } from '../terminal.ts';

/** Writes pieces of text to a file or to stdout. */
export async function writeResult(
  pieces: Iterable<string>,
  out: string | undefined,
  files: Files,
  terminal: Terminal,
): Promise<void> {
  if (out !== undefined) {
    await files.write(out, '--out', gathered(pieces, terminal.signal));
    say(terminal, `the answer is in ${out}`);
    return;
  }
  for await (const text of gathered(pieces, terminal.signal)) await terminal.out(text);
}

/**
 * Joins small pieces of text, so that each write is worth its cost, and pauses where a piece is empty. Rejects with the
 * signal's reason. `count` is told, now and then, how many lines are written and how many steps came before them.
 */
export async function* gathered(
  pieces: Iterable<string>,
  signal: AbortSignal,
  count?: (lines: number, steps: number) => void,
): AsyncGenerator<string> {
  const pauses = new Pauses(signal);
  let text = '';
  let [lines, steps] = [0, 0];
  for (const piece of pieces) {
    if (piece === '') {
      count?.(lines, ++steps);
      await pauses.take();
    }
    text += piece;
    if (text.length > 65536) {
      yield text;
      signal.throwIfAborted();
      if (count) count((lines += linesOf(text)), steps);
      text = '';
    }
  }
  yield text;
  // The output file is replaced only after this, so Ctrl-C still leaves the old one.
  await otherTasks(signal);
}

function linesOf(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
