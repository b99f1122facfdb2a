// The command line as one function: arguments in, exit status out. 0 nothing found, 1 something found, 2 bad usage or
// input, 130 cancelled. A failure is one line on stderr.

import { CommanderError } from 'commander';
import { NearfieldError } from 'nearfield';
import { createProgram } from './commands/program.ts';
import { sceneHelp } from './commands/sample/help.ts';
import { say, type Terminal } from './output/terminal.ts';

export const exitStatus = { nothing: 0, found: 1, bad: 2, cancelled: 130 } as const;

/** `words` are the arguments without the interpreter and the script. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  let outcome: number = exitStatus.nothing;
  let helpText = '';
  const program = createProgram(terminal, found => {
    outcome = found;
  }).configureOutput({
    writeOut: text => {
      helpText += text;
    },
    writeErr: () => {},
    outputError: () => {},
  });
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    for (const inner of command.commands) inner.copyInheritedSettings(program);
  }
  try {
    if (words.length === 0) {
      program.outputHelp();
      terminal.err(helpText);
      return exitStatus.bad;
    }
    const help = sceneHelp(words);
    if (help !== undefined) {
      await terminal.out(help);
      return exitStatus.nothing;
    }
    await program.parseAsync(withPairs(words, '--between'), { from: 'user' });
    return outcome;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      await terminal.out(helpText);
      return exitStatus.nothing;
    }
    if (terminal.signal.aborted) {
      say(terminal, 'cancelled');
      return exitStatus.cancelled;
    }
    say(terminal, describe(error, words));
    return exitStatus.bad;
  }
}

/** An option with two values, as the same option twice: the parser knows options with one value or with any number. */
function withPairs(words: readonly string[], option: string): string[] {
  const isValue = (word: string | undefined) => word !== undefined && !word.startsWith('--');
  return words.flatMap((word, i) =>
    words[i - 2] === option && isValue(words[i - 1]) && isValue(word) ? [option, word] : [word],
  );
}

function describe(error: unknown, words: readonly string[]): string {
  if (error instanceof NearfieldError) return error.message;
  if (error instanceof CommanderError) {
    // "error: unknown option '--jsn'\n(Did you mean --json?)"
    const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return message + hint(error, words);
  }
  if (error instanceof RangeError) return `out of memory (${error.message})`;
  return `this is a bug in nearfield: ${error instanceof Error ? error.message : String(error)}`;
}

/** A hint for arguments that are not understood, if the message gives none. */
function hint({ code }: CommanderError, words: readonly string[]): string {
  const [first] = words;
  if (code === 'commander.missingArgument' && words.includes('--between')) {
    return '; --between takes two patterns, and the files come before or after it';
  }
  if (code !== 'commander.unknownCommand') return `; "nearfield ${first} --help" shows the usage`;
  if (first.includes('.')) return `; to check files: nearfield check ${first}`;
  return '; "nearfield --help" lists the commands';
}
