// The command line as one function: words in, exit status out. 0 nothing found, 1 something found, 2 bad usage or
// input, 130 cancelled. Failures are one line on stderr.

import { Command, CommanderError } from 'commander';
import { NearfieldError } from 'nearfield';
import { bench } from './commands/bench.ts';
import { type CheckOptions, check } from './commands/check.ts';
import { distance } from './commands/distance.ts';
import { field } from './commands/field.ts';
import { map } from './commands/map.ts';
import { relations } from './commands/options.ts';
import { penetration } from './commands/penetration.ts';
import { sceneHelp } from './commands/sample-help.ts';
import { sampleRun } from './commands/sample-run.ts';
import { sceneNames } from './commands/sample-scene.ts';
import { self } from './commands/self.ts';
import { studio } from './commands/studio.ts';
import { listed, methodNames, methodsWith } from './method.ts';
import { say, type Terminal } from './output/terminal.ts';
import { version } from './version.ts';

export const exitStatus = { nothing: 0, found: 1, bad: 2, cancelled: 130 } as const;

const statusHelp = 'Exit status: 0 nothing found, 1 something found, 2 bad usage or input, 130 cancelled.';
const topHelp = `Examples:
  nearfield check housing.stl shaft.obj gears.glb
  nearfield check assembly.glb --ignore touching --report clashes.html
  nearfield check robot.glb --poses motion.json --json --out clashes.json
  nearfield check plant.glb --clearance 5
  nearfield distance housing.stl shaft.stl
  nearfield penetration housing.stl shaft.stl
  nearfield map upper.ply lower.ply --pixel 0.1 --out bite.png
  nearfield self scan.ply
  nearfield sample --report gearbox.html
  nearfield sample hail --out hail.wav
  nearfield studio

In a clone of the repository: "npx nearfield check ...". Distances are in the units of the files (glTF: metres).
Files: OBJ, STL, PLY, OFF, GLB, glTF. "nearfield check --help" has the options of check.
${statusHelp}`;
/** The scenes of the repository's benches, for the help; a test holds the names to those there are. */
const benchHelp = `Scenes: trees, pair, near, rotating, boxes, deform, million, growth, flush, coincident, relations, distance, fields,
proximity, penetration, contacts, visibility, raycast, layers, jaws, particles.
All of them take some minutes, with --peers a quarter of an hour; how long is said first.`;
const sampleHelp = `The mistakes of the gearbox are there to be found: the exit status is 1.
Scenes that move print a table: pairs that overlap, penetrating points, the deepest of them, energy; or how many bodies
there are, candidates, pairs, triangles that meet others and their own body's.
Their options are --steps, --response, --backend and --report; the others are the gearbox's.
Hail prints what it strikes; --out writes the sound (.wav), a picture (.png) or all impacts (.json), or all three to a folder.`;
const backendHelp = 'gpu, cpu, or auto: the GPU where there is one';
const expansionHelp =
  'how large a file may become when it is read, in multiples of its bytes: raise it for a sound file that is refused (default: 256)';
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
  for (const command of program.commands) command.copyInheritedSettings(program);
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
    say(terminal, describe(error, words));
    return exitStatus.bad;
  }
}

function createProgram(terminal: Terminal, finish: (status: number) => void): Command {
  const program = new Command('nearfield')
    .description('Where triangle meshes touch, exactly.')
    .version(version)
    .exitOverride()
    .allowExcessArguments(false)
    .addHelpText('after', `\n${topHelp}`);
  withCheckOptions(
    program
      .command('check')
      .argument('<file...>', 'files with one body or many')
      .description('Finds every pair of bodies that touch, cross or contain one another.'),
  )
    .option('--one-body', 'take each file as one body')
    .option('--max-expansion <times>', expansionHelp)
    .addHelpText('after', `\nBodies: ${bodiesHelp}\n\n${posesHelp}\n\n${statusHelp}`)
    .action(async (names: string[], options: CheckOptions) => finish(await check(names, options, terminal)));
  program
    .command('distance')
    .argument('<a>', 'a file, taken as one body')
    .argument('<b>', 'another')
    .description('Tells how far apart two files are, and where.')
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'poses of the two bodies, or a motion, as JSON')
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a sentence')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .addHelpText(
      'after',
      `\n${posesHelp}\n\nExit status: 0 apart, 1 they meet, 2 bad usage or input, 130 cancelled.`,
    )
    .action(async (a: string, b: string, options) => finish(await distance([a, b], options, terminal)));
  program
    .command('penetration')
    .argument('<a>', 'a file, taken as one body: closed and consistently oriented')
    .argument('<b>', 'another')
    .description('Tells how deep two solids overlap, and a translation of the second that separates them.')
    .option('--points', 'how deep the vertices of each lie in the other, too, and their shortest way out')
    .option(
      '--tolerance <distance>',
      'with --points, samples of what they share: half the diagonal of a cell',
    )
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'poses of the two bodies, or a motion, as JSON')
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a sentence')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .addHelpText(
      'after',
      `\n${posesHelp}\n\nExit status: 0 no common interior, 1 they overlap, 2 bad usage or input, 130 cancelled.`,
    )
    .action(async (a: string, b: string, options) => finish(await penetration([a, b], options, terminal)));
  program
    .command('field')
    .argument('<file>', 'taken as one body')
    .description('Samples the distance to a surface on a grid, negative inside, into a file.')
    .requiredOption(
      '--out <file>',
      'the field: .vti (VTK ImageData) or .raw (bare arrays, described in .raw.json)',
    )
    .option('--tolerance <distance>', "half the diagonal of a sample's cell")
    .option('--resolution <count>', 'samples along the longest side; 64 unless told')
    .option('--up-to <distance>', 'leave out what is farther: infinite there')
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'what was written as JSON, not in words')
    .action(async (name: string, options) => finish(await field(name, options, terminal)));
  program
    .command('map')
    .argument('<a>', 'a file, taken as one body')
    .argument('<b>', 'another')
    .description(
      'Maps how far apart two files are along a direction, pixel by pixel, negative where they overlap.',
    )
    .requiredOption(
      '--out <file>',
      'the map: .png (a picture), .json, or .raw (bare numbers, described in .raw.json)',
    )
    .option('--pixel <length>', 'how wide a pixel is')
    .option('--resolution <pixels>', 'pixels along the longer side; 512 unless told')
    .option(
      '--direction <x,y,z>',
      'where to look along, from a to b; or "boxes", or "normals": across what faces the other (default)',
    )
    .option('--range <low,high>', 'distances that the colours of the picture reach to, as in --range=-0.5,2')
    .option('--within <distance>', 'leave out what is farther apart')
    .option('--facing', 'from the last surface of a to the first of b, for files that are not closed')
    .option('--regions <what>', '"parts" gives figures for each part of a and of b that hangs together')
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'poses of the two bodies, or a motion (map-000.png, ...), as JSON')
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the figures as JSON, not in words')
    .addHelpText(
      'after',
      `\n${posesHelp}\n\nExit status: 0 no overlap, 1 they overlap at some pixel, 2 bad usage or input, 130 cancelled.`,
    )
    .action(async (a: string, b: string, options) => finish(await map([a, b], options, terminal)));
  program
    .command('self')
    .argument('<file>', 'taken as one body')
    .description('Finds the triangles of one file that intersect one another.')
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'a pose for the body, or a motion, as JSON')
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a table')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .addHelpText('after', `\n${posesHelp}\n\n${statusHelp}`)
    .action(async (name: string, options) => finish(await self(name, options, terminal)));
  withCheckOptions(
    program
      .command('sample')
      .argument('[scene]', `one that moves: ${sceneNames.join(', ')}`)
      .description(
        'Checks the built-in sample, a gearbox with a few mistakes in it; or runs one that moves.',
      ),
  )
    .option('--steps <count>', 'how many steps a scene moves (default: 200; hail: 480)')
    .option('--response', 'let the bodies of a deforming scene push one another')
    .addHelpText('after', `\n${sampleHelp}`)
    .action(async (scene: string | undefined, options) => finish(await sampleRun(scene, options, terminal)));
  program
    .command('bench')
    .argument('[scene...]', 'the scenes to run; all unless told')
    .description('Measures Nearfield; only in a clone of its repository.')
    .option('--backend <backend>', 'gpu measures the GPU beside the CPU')
    .option('--peers', 'measure other libraries in the same run')
    .option(
      '--against <folder>',
      'measure beside another clone that has been built, such as the commit before',
    )
    .option('--json', 'the figures as JSON, not as a table')
    .addHelpText('after', `\n${benchHelp}`)
    .action(async (scenes: string[], options) => finish(await bench(scenes, options, terminal)));
  program
    .command('studio')
    .description('Serves the studio, a page for this machine alone, where models are dropped and looked at.')
    .option('--port <number>', 'where; the first free one from 4173 on unless told')
    .action(async options => finish(await studio(options, terminal)));
  return program;
}

/** The relations that an answer can hold. */
const reported = relations.filter(relation => relation !== 'separate');

function withCheckOptions(command: Command): Command {
  const collect = (value: string, values: string[] = []) => [...values, value];
  return command
    .option(
      '--method <method>',
      `how to answer: ${listed(methodNames)}; ${listed(methodsWith('images'), 'and')} look at images, on a GPU, ${listed(methodsWith('samples'), 'and')} may miss what is small and say how small`,
      'auto',
    )
    .option(
      '--resolution <pixels>',
      `of the images of --method ${listed(methodsWith('images'))}, along the longer side`,
    )
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--clearance <distance>', 'report pairs that are separate but strictly nearer than this, too')
    .option('--poses <file>', 'poses of bodies by name or "#INDEX", or a motion, as JSON')
    .option(
      '--ignore <relation>',
      `do not let pairs of this relation count for the exit status; may be repeated (${reported.join(', ')}, separate with --clearance)`,
      collect,
    )
    .option('--triangles', 'list the pairs of triangles too')
    .option('--json', 'the answer as JSON, not as a table')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .option('--report <file>', 'write an HTML report with pictures, too');
}

function describe(error: unknown, words: readonly string[]): string {
  if (error instanceof NearfieldError) return error.message;
  if (error instanceof CommanderError) {
    // "error: unknown option '--jsn'\n(Did you mean --json?)"
    const message = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return message + hint(error, words);
  }
  if (error instanceof RangeError) return `out of memory (${error.message})`;
  return `something is wrong with nearfield itself: ${error instanceof Error ? error.message : String(error)}`;
}

/** What to do about words that are not understood, where the message does not say. */
function hint({ code }: CommanderError, [first]: readonly string[]): string {
  if (code !== 'commander.unknownCommand') return `; "nearfield ${first} --help" shows how`;
  if (first.includes('.')) return `; to check files: nearfield check ${first}`;
  return '; "nearfield --help" lists the commands';
}
