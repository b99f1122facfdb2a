// The options of `check` and `merge` with their help. A check has all of them; a merge has those that say what is made of the
// answer.

import { mostUnasked, relations } from '@nearfield/clashes';
import { type Command, Option } from 'commander';
import { listed, type Method, methodNames, methods } from '../../method.ts';
import { collect } from '../options.ts';
import { outHelp } from './formats.ts';

export const backendHelp = 'gpu, cpu, or auto: whichever is expected to answer sooner, if there is a GPU';
/** How many threads a command may use, and how much memory. */
export const threadsOption = (): Option =>
  new Option(
    '--threads <count>',
    'threads of the CPU that read files, work on long questions and on the frames of a motion (default: as many as there are cores)',
  );
export const memoryOption = (): Option =>
  new Option(
    '--max-memory <size>',
    'the most memory for trees and lists on the CPU, and for files that are read at once, in megabytes or as 2GB; a check that needs more is done in parts, anything else ends with an error (default: 4GiB)',
  );
export const unitsHelp = 'the unit of files that state none, and of the answer: mm, cm, m, in, ft, ...';

/** The relations that an answer can contain. */
const reported = relations.filter(relation => relation !== 'separate');

/** The options of `check`. */
export const withCheckOptions = (command: Command): Command =>
  withAnswerOptions(withQuestionOptions(command, methodNames));

/** The options of a check that is divided: the methods that find every pair by itself. */
export const withDividedOptions = (command: Command): Command =>
  withAnswerOptions(
    withQuestionOptions(
      command,
      methodNames.filter(name => !methods[name].samples),
    ),
  );

/** What is asked, by one of these methods. */
function withQuestionOptions(command: Command, offered: readonly Method[]): Command {
  const [images, samples] = (['images', 'samples'] as const).map(fact =>
    offered.filter(name => methods[name][fact]),
  );
  const facts = [
    `how to answer: ${listed(offered)}`,
    `${listed(images, 'and')} render${images.length === 1 ? 's' : ''} images on a GPU`,
    ...(samples.length > 0
      ? [`${listed(samples, 'and')} sample, so they may miss small overlaps, and state how small`]
      : []),
  ];
  return command
    .option('--method <method>', facts.join('; '), 'auto')
    .option(
      '--resolution <pixels>',
      `pixels along the longer side of the images of --method ${listed(images)}`,
    )
    .option('--backend <backend>', backendHelp, 'auto')
    .option(
      '--tolerance <depth>',
      'forgive overlaps that are proven not deeper than this, such as 1mm; "file" forgives the rounding of the files\' number formats',
    )
    .option('--clearance <distance>', 'also report pairs that are separate but strictly closer than this')
    .option('--units <unit>', unitsHelp)
    .option('--rules <file>', 'sets of bodies, tests between them, and pairs that may meet, as JSON')
    .option(
      '--between <a> <b>',
      'check only pairs of a body or file that matches the first pattern with one that matches the second',
      collect,
    )
    .option(
      '--depths <which>',
      `"all" measures every depth, "shown" those of the rows shown, "none" no more than --tolerance needs (default: shown, unless more than ${mostUnasked.toLocaleString('en-US')} pairs overlap)`,
    )
    .option('--volumes', 'also measure the volume and surface that two solids have in common')
    .option('--poses <file>', 'poses of bodies by name or "#INDEX", or a motion, as JSON')
    .option('--joints <file>', 'joint values of robots by name, in radians and metres, or a motion, as JSON')
    .option('--srdf <file>', 'pairs of links of a robot that may meet')
    .option(
      '--ignore <relation>',
      `count pairs with this relation instead of listing them, and ignore them in the exit status; may be repeated (${reported.join(', ')}, separate with --clearance)`,
      collect,
    )
    .option('--triangles', 'also list the pairs of triangles');
}

/** What is made of the answer. */
export function withAnswerOptions(command: Command): Command {
  return command
    .option('--baseline <file>', 'the JSON of an earlier check: says what is new, worse, moved, resolved')
    .option(
      '--fail-on <what>',
      '"new": only clashes that the baseline does not have, or that became deeper, fail (default: any)',
    )
    .option(
      '--statuses <file>',
      'what people have said about clashes, as JSON: open, accepted, fixed, not-an-issue',
    )
    .option('--group <by>', 'gather clashes by "part" they share, by "place" or by "test" of the rules')
    .option('--rows <count>', 'rows of the table; "all" for every pair (default: 100)')
    .option('--json', 'the answer as JSON, not as a table')
    .option('--out <file>', outHelp, collect)
    .option('--bcf-version <version>', 'of --out FILE.bcf: 2.1 or 3.0 (default: 2.1)')
    .option('--report <file>', 'also write an HTML report with pictures');
}
