// The command line as one function: words in, exit status out. 0 nothing found, 1 something found, 2 bad usage or
// input, 130 cancelled. Failures are one line on stderr.

import { Command, CommanderError } from 'commander';
import { NearfieldError } from 'nearfield';
import { bench } from './commands/bench.ts';
import { type CheckOptions, check } from './commands/check.ts';
import { sampleRun } from './commands/sample-run.ts';
import { self } from './commands/self.ts';
import { say, type Terminal } from './terminal.ts';
import { version } from './version.ts';

export const exitStatus = { nothing: 0, found: 1, bad: 2, cancelled: 130 } as const;

/** `words` are the arguments alone, without the interpreter and the script. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  let status: number = exitStatus.nothing;
  let helpText = '';
  const program = createProgram(terminal, found => {
    status = found;
  }).configureOutput({
    writeOut: text => {
      helpText += text;
    },
    writeErr: () => {},
    outputError: () => {},
  });
  for (const command of program.commands) command.copyInheritedSettings(program);
  try {
    if (words.length === 0) {
      terminal.err(program.helpInformation());
      return exitStatus.bad;
    }
    await program.parseAsync([...words], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      await terminal.out(helpText);
      return exitStatus.nothing;
    }
    if (terminal.signal.aborted) {
      say(terminal, 'cancelled');
      return exitStatus.cancelled;
    }
    say(terminal, describe(error));
    return exitStatus.bad;
  }
}

function createProgram(terminal: Terminal, finish: (status: number) => void): Command {
  const program = new Command('nearfield')
    .description('Where triangle meshes touch, exactly.')
    .version(version)
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      '\nExit status: 0 nothing found, 1 something found, 2 bad usage or input.\nFiles: OBJ, STL, PLY, OFF, GLB, glTF.',
    );
  withCheckOptions(
    program
      .command('check')
      .argument('<file...>', 'files with one body or many')
      .summary('every pair of bodies that touch, cross or contain one another')
      .description('Finds every pair of bodies that touch, cross or contain one another.'),
  )
    .option('--one-body', 'take each file as one body')
    .action(async (names: string[], options: CheckOptions) => finish(await check(names, options, terminal)));
  program
    .command('self')
    .argument('<file>', 'taken as one body')
    .description('Finds the triangles of one file that intersect one another.')
    .option('--backend <backend>', 'auto, gpu or cpu', 'auto')
    .option('--poses <file>', 'a pose for the body, or a motion, as JSON')
    .option('--json', 'the answer as JSON')
    .option('--out <file>', 'write the answer to a file')
    .action(async (name: string, options) => finish(await self(name, options, terminal)));
  withCheckOptions(
    program.command('sample').description('Checks the built-in sample, a gearbox with a few mistakes in it.'),
  ).action(async (options: CheckOptions) => finish(await sampleRun(options, terminal)));
  program
    .command('bench')
    .argument('[scene...]', 'the scenes to run; all unless told')
    .description('Measures Nearfield, in a clone of its repository.')
    .option('--backend <backend>', 'gpu measures the GPU too')
    .option('--peers', 'measure other libraries in the same run')
    .option('--json', 'the figures as JSON')
    .action(async (scenes: string[], options) => finish(await bench(scenes, options, terminal)));
  for (const later of ['distance', 'penetration', 'studio']) {
    program
      .command(later, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new NearfieldError('unsupported', `${later} is not in this version`);
      });
  }
  return program;
}

function withCheckOptions(command: Command): Command {
  const collect = (value: string, values: string[]) => [...values, value];
  return command
    .option('--method <method>', 'auto or hierarchy', 'auto')
    .option('--backend <backend>', 'auto, gpu or cpu', 'auto')
    .option('--clearance <distance>', 'not in this version')
    .option('--poses <file>', 'poses of bodies by name or "#INDEX", or a motion, as JSON')
    .option('--ignore <relation>', 'do not let pairs of this relation count for the exit status', collect, [])
    .option('--triangles', 'list the pairs of triangles too')
    .option('--json', 'the answer as JSON')
    .option('--out <file>', 'write the answer to a file')
    .option('--report <file>', 'write an HTML report with pictures');
}

function describe(error: unknown): string {
  if (error instanceof NearfieldError) return error.message;
  // "error: unknown option '--jsn'\n(Did you mean --json?)"
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  if (error instanceof RangeError) return `out of memory (${error.message})`;
  return `something is wrong with nearfield itself: ${error instanceof Error ? error.message : String(error)}`;
}
