// `nearfield check FILE…`: every pair of bodies in the files that clash, are too close, touch or contain one another, the
// worst first. Reads what the options name, asks, writes the outputs, and decides the exit status.

import { basename } from 'node:path';
import {
  type AssemblyAnswer,
  isFailing,
  notSolid,
  type ShardFile,
  shardJson,
  titleOf,
} from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { openAndAsk, openAndFind, type Question } from '../../assembly.ts';
import { Files } from '../../files.ts';
import { type Loaded, loadFiles } from '../../input/load.ts';
import { expandPatterns } from '../../input/patterns.ts';
import { addStatuses } from '../../input/statuses.ts';
import { failOnNewInWords } from '../../output/assembly/summary.ts';
import { writeResult } from '../../output/files/write-result.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { writeOutputs } from './outputs.ts';
import { questionOf } from './question.ts';
import { type CheckOptions, parseSettings, type Settings } from './settings.ts';
import { askedNow, foundBy } from './shards/shards.ts';

export type { CheckOptions } from './settings.ts';

/** Reads the bodies of a command. */
export type LoadAssembly = (files: Files, progress: Progress, settings: Settings) => Promise<Loaded>;

export async function check(
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const fileNames = await expandPatterns(names, terminal.cwd);
  return checkFiles(fileNames, options, terminal);
}

/** What a merge adds to a check: shards that have found the pairs, and where files come from. */
export interface Merged {
  readonly shards?: readonly ShardFile[] | undefined;
  readonly files: Files;
  /** Gets the answer, once it is written. */
  readonly answered?: ((answer: AssemblyAnswer) => void) | undefined;
}

/** The same with names in which nothing is expanded. */
export async function checkFiles(
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  merged?: Merged,
): Promise<number> {
  const title = titleOf(names.map(name => basename(name)));
  return checkAssembly({ title, names, merged, load: loaderOf(names, options, terminal) }, options, terminal);
}

/** Reads the bodies of files. */
export function loaderOf(
  names: readonly string[],
  { oneBody = false, srdf, rules }: CheckOptions,
  terminal: Terminal,
): LoadAssembly {
  return async (files, progress, { units, tessellation, maxExpansion }) => {
    const reading = { oneBody, tessellation, maxExpansion, units, properties: rules !== undefined };
    const robots = srdf === undefined ? {} : { srdf: await files.read(srdf) };
    return loadFiles(names, { ...reading, ...robots }, files, progress, terminal);
  };
}

/** An assembly to check. */
export interface Checked {
  readonly title: string;
  /** The models, if they are files. */
  readonly names: readonly string[];
  readonly load: LoadAssembly;
  readonly merged?: Merged | undefined;
}

/** What was read of an assembly, and what is asked about it. */
export interface Asked {
  readonly settings: Settings;
  readonly files: Files;
  readonly inputs: Inputs;
  readonly loaded: Loaded;
  readonly question: Question;
}

/** Reads everything, and checks the outputs before the work. */
export async function readQuestion(
  { load, merged }: Pick<Checked, 'load' | 'merged'>,
  options: CheckOptions,
  terminal: Terminal,
  progress: Progress,
): Promise<Asked> {
  const settings = parseSettings(options);
  const files = merged?.files ?? new Files(terminal.cwd, message => say(terminal, message));
  const readStart = performance.now();
  progress.stage('reading');
  const loaded = await load(files, progress, settings);
  const inputs = await readInputs(options, settings, loaded, files, terminal);
  const single = settings.outputs.find(({ format }) => format === 'bcf' || format === 'glb');
  if (inputs.motion?.isMotion && single !== undefined) {
    throw new NearfieldError(
      'bad-option',
      `--out ${single.name} shows one state, not the frames of a motion`,
    );
  }
  // All inputs are known now.
  for (const { name, option } of settings.outputs) await files.checkOutput(name, option);
  if (loaded.bodies.length === 1) {
    say(terminal, 'there is only one body, so no pairs; "nearfield self" checks a body against itself');
  }
  const readTime = performance.now() - readStart;
  const question = {
    ...questionOf(options, settings, loaded, inputs),
    ...{ readTime, signal: terminal.signal, progress },
  };
  return { settings, files, inputs, loaded, question };
}

/** Returns 1 if something was found that nothing excuses, else 0; 0 for a shard, which decides nothing. */
export async function checkAssembly(
  { title, names, load, merged }: Checked,
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const progress = new Progress(terminal);
  try {
    const asked = await readQuestion({ load, merged }, options, terminal, progress);
    const { settings, files, question } = asked;
    const { failOn, outputs, shard } = settings;
    const { motion, statuses } = asked.inputs;
    const { bodies } = asked.loaded;
    if (shard !== undefined) {
      const pieces = shardJson(await openAndFind(question, shard), shard, askedNow(names, options, files));
      await writeResult(pieces, outputs[0]?.name, files, terminal);
      return 0;
    }
    const { answer, notes } = await openAndAsk({
      ...question,
      found: merged?.shards && foundBy(merged.shards, question, files),
    });
    if (answer.bodies.length > 1) {
      const surfaces = notSolid(answer.bodies);
      if (surfaces !== undefined) say(terminal, surfaces);
    }
    for (const note of notes) say(terminal, note);
    if (motion !== undefined && motion.frames.length > 1)
      say(terminal, 'check looks at the frames only; "nearfield motion" looks between them');
    await writeOutputs({ title, answer, bodies, motion, options, settings, files, progress, terminal });
    merged?.answered?.(answer);
    if (statuses !== undefined) await addStatuses(statuses, answer, files, progress, terminal);
    terminal.signal.throwIfAborted();
    if (failOn === 'new') say(terminal, failOnNewInWords(answer));
    return answer.frames.some(({ pairs }) => pairs.some(pair => isFailing(pair, failOn))) ? 1 : 0;
  } finally {
    progress.clear();
  }
}
