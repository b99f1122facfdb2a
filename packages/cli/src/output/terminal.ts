// What a command may touch of the outside: where it writes, where it runs, and how it is told to stop. Tests hand
// in their own.

import { visible } from '@nearfield/report';

export interface Terminal {
  /** Results. */
  out(text: string): Promise<void> | void;
  /** Messages and progress. */
  err(text: string): void;
  /** Whether stderr is a terminal, and how wide. */
  readonly interactive: boolean;
  readonly columns: number;
  /** Relative paths start here. */
  readonly cwd: string;
  /** Fires on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Samples a pixel along each side of a report's pictures: fewer where nobody will look at them. */
  readonly samples?: number;
  /** Whether the reader of the results has stopped reading (`| head`). */
  isOutputClosed?(): boolean;
}

/** Text from a file or a path, fit for a terminal: characters that could move its cursor or turn its letters around are escaped. */
export const printable = visible;

/** Whether nobody reads the results any more, so that work for them alone may end. */
export const isOutputClosed = (terminal: Terminal): boolean => terminal.isOutputClosed?.() ?? false;

/** Letters of a message. What says what is wrong stands at its ends; a name in its middle may have any length. */
const longestMessage = 2000;
const keptEnd = 600;

/** One line on stderr. */
export const say = (terminal: Terminal, message: string): void => {
  const isLong = message.length > longestMessage;
  const start = message.slice(0, longestMessage - keptEnd);
  const shown = isLong ? `${start}…${message.slice(-keptEnd)}` : message;
  terminal.err(`nearfield: ${printable(shown)}\n`);
};
