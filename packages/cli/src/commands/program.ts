// The commands and their options, with the words of their help.

import { Command } from 'commander';
import { limitMachine } from '../backend.ts';
import type { Terminal } from '../output/terminal.ts';
import { version } from '../version.ts';
import { bench } from './bench.ts';
import { type CheckOptions, check } from './check/check.ts';
import {
  backendHelp,
  memoryOption,
  threadsOption,
  unitsHelp,
  withAnswerOptions,
  withCheckOptions,
} from './check/help.ts';
import { type MergeOptions, merge } from './check/shards/merge.ts';
import { addClusterCommands } from './cluster/commands.ts';
import { distance } from './measure/distance.ts';
import { penetration } from './measure/penetration.ts';
import { self } from './measure/self.ts';
import { type MotionCommandOptions, motion } from './motion/motion.ts';
import { collect, parseMemory, parseThreads } from './options.ts';
import { papers } from './papers.ts';
import { sampleRun } from './sample/run.ts';
import { sceneNames } from './sample/scene.ts';
import { field } from './sampled/field.ts';
import { map } from './sampled/map.ts';
import { status } from './status.ts';
import { studio } from './studio.ts';

const statusHelp = 'Exit status: 0 no pair fails the check, 1 one does, 2 bad usage or input, 130 cancelled.';
const topHelp = `Examples:
  nearfield check housing.stl shaft.stl gears.obj
  nearfield check assembly.glb --tolerance 0.1mm --report clashes.html
  nearfield check architecture.ifc plumbing.ifc --rules rules.json --out clashes.bcf
  nearfield check plant.step --clearance 5mm --baseline last-week.json --fail-on new --out this-week.json
  nearfield check arm.urdf --joints motion.json --json
  nearfield motion arm.urdf cell.stl --units m --joints motion.json --clearance 5mm
  nearfield distance housing.stl shaft.stl
  nearfield penetration housing.stl shaft.stl
  nearfield map upper.ply lower.ply --pixel 0.1 --out bite.png
  nearfield self scan.ply
  nearfield sample --report gearbox.html
  nearfield sample hail --out hail.wav
  nearfield studio

In a clone of the repository: "npx nearfield check ...". Lengths are in the unit that the files state, or in that of --units.
Files: OBJ, STL, PLY, OFF, GLB, glTF, 3MF, URDF; IFC with the package web-ifc; STEP, IGES, BREP with occt-import-js.
"nearfield check --help" lists the options of check.
${statusHelp}`;
/** The scenes of the repository's benches, for the help. A test holds this list to the scenes. */
const benchHelp = `Scenes: trees, pair, near, rotating, boxes, deform, motion, million, growth, flush, coincident, relations, distance, many, assembly,
fields, proximity, penetration, contacts, visibility, raycast, layers, jaws, particles.
All scenes take some minutes, with --peers a quarter of an hour; an estimate is printed first.`;
/** A test holds this list to the papers. */
const papersHelp = `Papers: gress, govindaraju, hoff, knott, myszkowski.
The environment variable NEARFIELD_JAWS=UPPER,LOWER names two files of scanned jaws for myszkowski; else jaws are generated.
Each page has every table and figure of a paper: the paper's numbers, the published algorithm here, and Nearfield's best.`;
const sampleHelp = `The gearbox has mistakes on purpose, so the exit status is 1.
Scenes that move print a table: overlapping pairs, penetrating points, the greatest depth and the energy; or the numbers of
bodies, candidates, pairs, triangles that meet another body and triangles that meet their own body.
They take --steps, --response, --backend and --report; the other options are for the gearbox.
Hail prints which objects it strikes; --out writes the sound (.wav), a picture (.png) or all impacts (.json), or all three to a folder.`;
const expansionHelp =
  'memory that reading a file may take, in multiples of its bytes; raise it if a good file is refused (default: 256)';
const tessellationHelp =
  'how far triangles may lie from the curved surfaces of STEP, IGES and BREP files, such as 0.1mm; a number alone is in the unit of the file (default: a thousandth of its mean extent)';
const tessellationAngleHelp =
  'the largest angle between neighbouring pieces of a curve in IFC, STEP, IGES and BREP files (default: 33 for IFC, 29 for the others)';
const bodiesHelp =
  'each "o" of an OBJ, or each "g" if there is no "o"; each glTF node with a mesh; each object of a 3MF; each product of an IFC; each part of a STEP; each link of a URDF; otherwise the whole file.';
const posesHelp = `Poses: { "wheel": [16 numbers, column by column], "#2": [...] } by name or index of a body;
other bodies stay where they are. An array of such objects is a motion, answered frame by frame.
A pose takes the place of the one in the body's file, so it is in the unit and the axes of that file.`;

export function createProgram(terminal: Terminal, finish: (status: number) => void): Command {
  const program = new Command('nearfield')
    .description('Finds where triangle meshes touch, exactly.')
    .version(version)
    .exitOverride()
    .allowExcessArguments(false)
    .hook('preAction', (_, command) => {
      const { threads, maxMemory } = command.opts();
      limitMachine({ threads: parseThreads(threads), maxMemory: parseMemory(maxMemory) });
    })
    .addHelpText('after', `\n${topHelp}`);
  withCheckOptions(
    program
      .command('check')
      .argument('<file...>', 'files with one or more bodies; patterns such as "parts/*.stl" are expanded')
      .description(
        'Finds every pair of bodies that clash, are too close, touch or contain one another, the worst first.',
      ),
  )
    .option('--one-body', 'take each file as one body')
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--tessellation <distance>', tessellationHelp)
    .option('--tessellation-angle <degrees>', tessellationAngleHelp)
    .option('--max-expansion <times>', expansionHelp)
    .option('--shard <i/n>', 'only the i-th of n parts of the work, as JSON for "nearfield merge"')
    .addHelpText('after', `\nBodies: ${bodiesHelp}\n\n${posesHelp}\n\n${statusHelp}`)
    .action(async (names: string[], options: CheckOptions) => finish(await check(names, options, terminal)));
  addClusterCommands(program, terminal, finish);
  withAnswerOptions(
    program
      .command('merge')
      .argument('<shard...>', 'the answers of check --shard 1/n to n/n; patterns are expanded')
      .description(
        'Merges shards into the answer of the whole check. Reads the models again, by the names that check was given.',
      ),
  )
    .option('--backend <backend>', backendHelp, 'auto')
    .addOption(threadsOption())
    .addOption(memoryOption())
    .addHelpText('after', `\n${statusHelp}`)
    .action(async (names: string[], options: MergeOptions) => finish(await merge(names, options, terminal)));
  program
    .command('motion')
    .argument('<file...>', 'files with one or more bodies; patterns such as "parts/*.stl" are expanded')
    .description('Finds when bodies first meet while they move from frame to frame, at any time in between.')
    .option('--poses <file>', 'frames of poses by name or "#INDEX", as a JSON array')
    .option('--joints <file>', 'frames of joint values of robots by name, as a JSON array')
    .option(
      '--path <path>',
      'how poses are joined: "turn" moves the middle of a body straight and turns it about that at a constant rate, "screw" is a constant screw motion (default: turn)',
    )
    .option('--srdf <file>', 'pairs of links of a robot that may meet')
    .option(
      '--between <a> <b>',
      'only pairs of a body or file that matches the first pattern with one that matches the second',
      collect,
    )
    .option('--clearance <distance>', 'also report pairs that come strictly closer than this')
    .option('--units <unit>', unitsHelp)
    .option('--plot <file>', 'draw the clearance over time: .svg or .html')
    .option('--one-body', 'take each file as one body')
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--tessellation <distance>', tessellationHelp)
    .option('--tessellation-angle <degrees>', tessellationAngleHelp)
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a table')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .addHelpText(
      'after',
      `\nBodies: ${bodiesHelp}\n\nA time is a frame and a share of the way to the next: 3.25. "undecided" means that two bodies touch, or pass each other closer than\ncan be told.\n\nExit status: 0 nothing meets or comes too close, 1 something does or may, 2 bad usage or input, 130 cancelled.`,
    )
    .action(async (names: string[], options: MotionCommandOptions) =>
      finish(await motion(names, options, terminal)),
    );
  withTwoFileOptions(
    program
      .command('distance')
      .argument('<a>', 'a file, taken as one body')
      .argument('<b>', 'another')
      .description('Measures how far apart two files are, and where.'),
  )
    .addHelpText(
      'after',
      `\n${posesHelp}\n\nExit status: 0 apart, 1 they meet, 2 bad usage or input, 130 cancelled.`,
    )
    .action(async (a: string, b: string, options) => finish(await distance([a, b], options, terminal)));
  withTwoFileOptions(
    program
      .command('penetration')
      .argument('<a>', 'a file, taken as one body: closed and consistently oriented')
      .argument('<b>', 'another')
      .description(
        'Measures how deep two solids overlap, and finds a translation of the second that separates them.',
      )
      .option(
        '--points',
        'also list the vertices of each file inside the other, with depth and shortest way out',
      )
      .option(
        '--tolerance <distance>',
        'with --points: also sample the common volume, with cells of this half diagonal',
      ),
  )
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
    .option('--resolution <count>', 'samples along the longest side (default: 64)')
    .option('--up-to <distance>', 'write infinity for distances greater than this')
    .option('--backend <backend>', backendHelp, 'auto')
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'print the summary as JSON, not as text')
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
    .option('--resolution <pixels>', 'pixels along the longer side (default: 512)')
    .option(
      '--direction <x,y,z>',
      'direction of the lines, from a to b; or "boxes", or "normals": across the surfaces that face each other (default)',
    )
    .option(
      '--range <low,high>',
      "distances at the ends of the picture's colour scale, such as --range=-0.5,2",
    )
    .option('--within <distance>', 'leave out distances greater than this')
    .option('--facing', 'measure from the last surface of a to the first of b, for files that are not closed')
    .option('--regions <what>', '"parts" gives statistics per connected part of a and of b')
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'poses of the two bodies, or a motion (map-000.png, ...), as JSON')
    .option('--units <unit>', unitsHelp)
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'print the statistics as JSON, not as text')
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
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a table')
    .option('--out <file>', 'write the answer to a file, not to stdout')
    .addHelpText('after', `\n${posesHelp}\n\n${statusHelp}`)
    .action(async (name: string, options) => finish(await self(name, options, terminal)));
  withCheckOptions(
    program
      .command('sample')
      .argument('[scene]', `a scene that moves: ${sceneNames.join(', ')}`)
      .description('Checks the built-in gearbox, which has a few mistakes; or runs a scene that moves.'),
  )
    .option('--steps <count>', 'number of steps a scene runs (default: 200; hail: 480)')
    .option('--response', 'let the bodies of a deforming scene push one another')
    .addHelpText('after', `\n${sampleHelp}`)
    .action(async (scene: string | undefined, options) => finish(await sampleRun(scene, options, terminal)));
  program
    .command('status')
    .argument('<file>', 'the file of check --statuses')
    .argument('[clash...]', 'identities of clashes, as check --statuses FILE lists them')
    .description('Says what people decided about clashes, or lists what they have said.')
    .option('--set <status>', 'open, accepted, fixed or not-an-issue; accepted clashes do not fail a check')
    .option('--comment <text>', 'why')
    .option('--by <name>', 'who')
    .action(async (file: string, clashes: string[], options) =>
      finish(await status(file, clashes, options, terminal)),
    );
  program
    .command('bench')
    .argument('[scene...]', 'the scenes to run (default: all)')
    .description('Runs the benchmarks; only in a clone of the repository.')
    .option('--backend <backend>', 'gpu: measure the GPU too, beside the CPU')
    .option('--peers', 'also measure other libraries in the same run')
    .option('--against <folder>', 'compare with another clone that has been built, such as the commit before')
    .option('--json', 'the figures as JSON, not as a table')
    .addHelpText('after', `\n${benchHelp}`)
    .action(async (scenes: string[], options) => finish(await bench(scenes, options, terminal)));
  program
    .command('papers')
    .argument('[paper...]', 'the papers to run (default: all)')
    .description(
      "Runs the papers' own experiments and writes a page for each; only in a clone of the repository.",
    )
    .option(
      '--backend <backend>',
      'cpu, or gpu: also a software GPU (default: the GPU if there is a real one)',
    )
    .option(
      '--out <folder>',
      'where the pages go, in a folder named after the machine (default: docs/papers)',
    )
    .option('--time <milliseconds>', 'how long each figure is measured (default: 2000)')
    .option('--machine <name>', 'the name of the GPU, for drivers that tell only their version')
    .option(
      '--seconds <number>',
      'time for all papers together (default: 80 per paper on a GPU, else no limit)',
    )
    .addHelpText('after', `\n${papersHelp}`)
    .action(async (names: string[], options) => finish(await papers(names, options, terminal)));
  program
    .command('studio')
    .description('Serves the studio, a page to drop models into, to this machine only.')
    .option('--port <number>', 'port to serve on (default: the first free one from 4173)')
    .action(async options => finish(await studio(options, terminal)));
  return program;
}

/** The options of commands that answer one question about two files. */
const withTwoFileOptions = (command: Command): Command =>
  command
    .option('--backend <backend>', backendHelp, 'auto')
    .option('--poses <file>', 'poses of the two bodies, or a motion, as JSON')
    .option('--units <unit>', unitsHelp)
    .addOption(threadsOption())
    .addOption(memoryOption())
    .option('--tessellation <distance>', tessellationHelp)
    .option('--tessellation-angle <degrees>', tessellationAngleHelp)
    .option('--max-expansion <times>', expansionHelp)
    .option('--json', 'the answer as JSON, not as a sentence')
    .option('--out <file>', 'write the answer to a file, not to stdout');
