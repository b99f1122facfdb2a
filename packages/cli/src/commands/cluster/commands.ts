// The commands of `nearfield cluster` with their options and help.

import type { Command } from 'commander';
import type { Terminal } from '../../output/terminal.ts';
import {
  backendHelp,
  memoryOption,
  threadsOption,
  withAnswerOptions,
  withDividedOptions,
} from '../check/help.ts';
import { type DecideOptions, decide } from './decide.ts';
import { type ResultsOptions, results } from './results.ts';
import { type StatusOptions, status } from './status.ts';
import { type SubmitOptions, submit } from './submit.ts';
import { type WorkCommandOptions, work } from './work.ts';

export function addClusterCommands(
  program: Command,
  terminal: Terminal,
  finish: (status: number) => void,
): void {
  const cluster = program
    .command('cluster')
    .description(
      'Divides checks among machines, on PostgreSQL with the package @nearfield/cluster; or among the processors of this one.',
    )
    .addHelpText('after', `\n${clusterHelp}`);
  withPlace(
    withDividedOptions(
      cluster
        .command('submit')
        .argument('<file...>', 'models; patterns are expanded')
        .description(
          'Divides a check into tiles and queues them. Without a database, does them on this machine.',
        ),
    )
      .option('--one-body', 'take each file as one body')
      .option('--tessellation <distance>', 'as for check')
      .option('--tessellation-angle <degrees>', 'as for check')
      .option('--max-expansion <times>', 'as for check')
      .option('--tiles <count>', 'how many tiles (default: by the estimated work)'),
  ).action(async (names: string[], options: SubmitOptions) => finish(await submit(names, options, terminal)));
  withPlace(cluster.command('work').description('Does tiles from the queue, until it is stopped.'))
    .option('--until-done', 'end when no tile is open')
    .option('--backend <backend>', backendHelp, 'auto')
    .addOption(threadsOption())
    .addOption(memoryOption())
    .action(async (options: WorkCommandOptions) => finish(await work(options, terminal)));
  withPlace(
    cluster
      .command('status')
      .argument('[run]', 'a run (default: all)')
      .description(
        'Says how far runs are, what tiles cost, and which have failed, with their errors. Exits with 0 if all tiles are done, else with 1.',
      ),
  )
    .option('--json', 'as JSON, with all tiles')
    .action(async (run: string | undefined, options: StatusOptions) =>
      finish(await status(run, options, terminal)),
    );
  withPlace(
    withAnswerOptions(
      cluster
        .command('results')
        .argument('<run>', 'a run that is done')
        .description('Gives the answer of a run, as check would on one machine.'),
    )
      .option('--backend <backend>', backendHelp, 'auto')
      .addOption(threadsOption())
      .addOption(memoryOption())
      .option(
        '--project <name>',
        'take decisions and baseline of the team from the register, and add what is new',
      )
      .option('--by <name>', 'who asks, for the register (default: the user of this machine)')
      .option('--set-baseline', 'make the answer the baseline of the project'),
  ).action(async (run: string, options: ResultsOptions) => finish(await results(run, options, terminal)));
  withPlace(
    cluster
      .command('decide')
      .argument('[clash...]', 'identities of clashes')
      .description('Records what somebody says about clashes; without --set, lists who has said what when.'),
  )
    .requiredOption('--project <name>', 'the project that the clashes are of')
    .option('--set <status>', 'open, accepted, fixed or not-an-issue')
    .option('--comment <text>', 'why')
    .option('--by <name>', 'who (default: the user of this machine)')
    .action(async (clashes: string[], options: DecideOptions) =>
      finish(await decide(clashes, options, terminal)),
    );
}

const withPlace = (command: Command): Command =>
  command
    .option('--database <url>', 'postgres://USER:PASSWORD@HOST/NAME; better in NEARFIELD_DATABASE')
    .option('--schema <name>', 'the schema of the tables (default: nearfield)')
    .option('--store <folder>', 'where models lie for all machines; or NEARFIELD_STORE')
    .option('--lease <seconds>', 'a worker that is silent for longer is taken for dead (default: 30)')
    .option('--attempts <count>', 'how often a tile is begun before it has failed (default: 5)');

const clusterHelp = `Examples:
  export NEARFIELD_DATABASE=postgres://checker@db/models?sslmode=verify-full NEARFIELD_STORE=/mnt/models
  nearfield cluster submit plant/*.glb --clearance 5mm
  nearfield cluster work --until-done
  nearfield cluster results RUN --json --out answer.json`;
