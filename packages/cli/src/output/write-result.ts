// Writes an answer where the user wants it: to a file or to stdout.

import type { Files } from '../files.ts';
import { say, type Terminal } from './terminal.ts';

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
  for (const text of gathered(pieces, terminal.signal)) await terminal.out(text);
}

/** Joins small pieces of text, so that each write is worth its cost. Throws the signal's reason if it is aborted. */
export function* gathered(pieces: Iterable<string>, signal: AbortSignal): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length > 65536) {
      yield text;
      signal.throwIfAborted();
      text = '';
    }
  }
  yield text;
}
