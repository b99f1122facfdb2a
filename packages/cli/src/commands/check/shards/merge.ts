// `nearfield merge SHARD…`: the answer of a check that was divided among machines. It is the answer that one machine would
// have given, but for the backend and the times. The shards say which models and options they were asked about; the models
// are read again by the same names, and must not have changed.

import { askedOf, readShard, type ShardFile } from '@nearfield/clashes';
import { Files, textOf } from '../../../files.ts';
import { expandPatterns } from '../../../input/patterns.ts';
import { say, type Terminal } from '../../../output/terminal.ts';
import { version } from '../../../version.ts';
import { checkFiles, type Merged } from '../check.ts';
import type { CheckOptions } from '../settings.ts';
import { optionsAsked } from './shards.ts';

/** Options of the merge: what is made of the answer. */
export type MergeOptions = Pick<
  CheckOptions,
  'backend' | 'baseline' | 'failOn' | 'statuses' | 'group' | 'rows' | 'json' | 'out' | 'report' | 'bcfVersion'
>;

export async function merge(
  names: readonly string[],
  options: MergeOptions,
  terminal: Terminal,
): Promise<number> {
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const shards = [];
  for (const name of await expandPatterns(names, terminal.cwd)) {
    terminal.signal.throwIfAborted();
    shards.push(readShard(name, textOf(name, await files.read(name))));
  }
  return mergeShards(shards, files, options, terminal);
}

/** Merges shards that have been read. `files` gives the models, and `answered` gets the answer. */
export async function mergeShards(
  shards: readonly ShardFile[],
  files: Files,
  options: MergeOptions,
  terminal: Terminal,
  answered?: Merged['answered'],
): Promise<number> {
  const { models } = askedOf(shards, version);
  const asked = optionsAsked(shards[0].content.need('asked'));
  return checkFiles(models, { ...asked, ...options }, terminal, { shards, files, answered });
}
