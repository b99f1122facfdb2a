// The command line as one function: words in, exit status out. 0 nothing found, 1 something found, 2 bad usage or
// input, 130 cancelled. Failures are one line on stderr.

import { Command, CommanderError, Option } from 'commander';
import { NearfieldError } from 'nearfield';
import { bench } from './commands/bench.ts';
import { type CheckOptions, check } from './commands/check.ts';
import { relations } from './commands/options.ts';
import { sampleRun } from './commands/sample-run.ts';
import { self } from './commands/self.ts';
import { say, type Terminal } from './output/terminal.ts';
import { version } from './version.ts';

/** Commands of the design that this version does not have. */
const later: readonly string[] = ['distance', 'penetration', 'studio'];

export const exitStatus = { nothing: 0, found: 1, bad: 2, cancelled: 130 } as const;

const statusHelp = 'Exit status: 0 nothing found, 1 something found, 2 bad usage or input.';
const bodiesHelp = 'each "o" of an OBJ, else each "g"; each node of a glTF that has a mesh; else the file.';
const posesHelp = `Poses: { "wheel": [16 numbers, column by column], "#2": [...] } by the name or the index of a body;
bodies not named stay where they are. An array of such objects is a motion, answered frame by frame.`;

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
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
    if (later.includes(command.name())) command.helpOption(false);
  }
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
      `\n${statusHelp}\nFiles: OBJ, STL, PLY, OFF, GLB, glTF. "nearfield check --help" has the options of check.`,
    );
  withCheckOptions(
    program
      .command('check')
      .argument('<file...>', 'files with one body or many')
      .description('Finds every pair of bodies that touch, cross or contain one another.'),
  )
    .option('--one-body', 'take each file as one body')
    .addHelpText('after', `\nBodies: ${bodiesHelp}\n\n${posesHelp}\n\n${statusHelp}`)
    .action(async (names: string[], options: CheckOptions) => finish(await check(names, options, terminal)));
  program
    .command('self')
    .argument('<file>', 'taken as one body')
    .description('Finds the triangles of one file that intersect one another.')
    .option('--backend <backend>', 'auto, gpu or cpu', 'auto')
    .option('--poses <file>', 'a pose for the body, or a motion, as JSON')
    .option('--json', 'the answer as JSON')
    .option('--out <file>', 'write the answer to a file')
    .addHelpText('after', `\n${posesHelp}\n\n${statusHelp}`)
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
  for (const name of later) {
    program
      .command(name, { hidden: true })
      .argument('[words...]')
      .allowUnknownOption()
      .action(() => {
        throw new NearfieldError('unsupported', `${name} is not in this version`);
      });
  }
  return program;
}

function withCheckOptions(command: Command): Command {
  const collect = (value: string, values: string[] = []) => [...values, value];
  return command
    .option('--method <method>', 'auto or hierarchy', 'auto')
    .option('--backend <backend>', 'auto, gpu or cpu', 'auto')
    .addOption(new Option('--clearance <distance>', 'not in this version').hideHelp())
    .option('--poses <file>', 'poses of bodies by name or "#INDEX", or a motion, as JSON')
    .option(
      '--ignore <relation>',
      `do not let pairs of this relation count for the exit status; may be repeated (${relations.join(', ')})`,
      collect,
    )
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
