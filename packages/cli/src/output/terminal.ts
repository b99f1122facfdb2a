// What a command uses of the outside world: where it writes, where it runs, and how it is cancelled. Tests pass their
// own.

import { visible } from '@nearfield/clashes';

export interface Terminal {
  /** Results. */
  out(text: string): Promise<void> | void;
  /** Messages and progress. */
  err(text: string): void;
  /** Whether stderr is a terminal, and its width in columns. */
  readonly interactive: boolean;
  readonly columns: number;
  /** The width of stdout in columns, if it is a terminal. */
  readonly outColumns?: number | undefined;
  /** Relative paths start here. */
  readonly cwd: string;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Samples per pixel along each side of a report's pictures. Tests use fewer. */
  readonly samples?: number;
  /** Whether the reader of the results has stopped reading (`| head`). */
  isOutputClosed?(): boolean;
}

/** Escapes characters of a file or path name that could move the terminal's cursor or reverse the text. */
export const printable = visible;

/** Whether the reader has closed the output, so that work for it alone may end. */
export const isOutputClosed = (terminal: Terminal): boolean => terminal.isOutputClosed?.() ?? false;

/**
 * The maximum length of a message. A longer one is cut in the middle, where a name may have any length; both ends say
 * what is wrong.
 */
const longestMessage = 2000;
const keptEnd = 600;

/** One line on stderr. */
export const say = (terminal: Terminal, message: string): void => {
  const isLong = message.length > longestMessage;
  const start = message.slice(0, longestMessage - keptEnd);
  const shown = isLong ? `${start}…${message.slice(-keptEnd)}` : message;
  terminal.err(`nearfield: ${printable(shown)}\n`);
};
