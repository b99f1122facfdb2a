// `nearfield cluster work`: does tiles from the queue. Whatever a run asks is checked as a file would be, and only files of the
// run are read, from the store.

import { resolve } from 'node:path';
import { type AskedOfShards, shardJson, type Tiles } from '@nearfield/clashes';
import type { Store, Tile } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { divide, openAndFind, type Question } from '../../assembly.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { version } from '../../version.ts';
import { loaderOf, readQuestion } from '../check/check.ts';
import { askedNow, optionsAsked } from '../check/shards/shards.ts';
import { type ClusterPlace, storeOf, withCluster } from './open.ts';
import { readAskedOfRun, StoredFiles } from './stored-files.ts';

export interface WorkCommandOptions extends ClusterPlace {
  readonly untilDone?: boolean | undefined;
  readonly backend: string;
}

export async function work(options: WorkCommandOptions, terminal: Terminal): Promise<number> {
  const folder = storeOf(options);
  return withCluster(options, async (cluster, { FolderStore }) => {
    const runs = new KeptRun(new FolderStore(resolve(terminal.cwd, folder)), options.backend, terminal.cwd);
    const { untilDone = false } = options;
    const log = (message: string) => say(terminal, message);
    const done = await cluster.work((tile, signal) => runs.shardOf(tile, signal), {
      ...{ signal: terminal.signal, untilDone, log },
    });
    say(terminal, `${done} ${done === 1 ? 'tile' : 'tiles'} done`);
    return 0;
  });
}

/** The run that a worker is at: its models are read once, for all tiles that the worker does. */
class KeptRun {
  #kept: { readonly run: string; readonly read: ReadRun } | undefined;

  constructor(
    private readonly store: Store,
    private readonly backend: string,
    private readonly cwd: string,
  ) {}

  /** The shard of a tile, as `check --shard` writes it. */
  async shardOf(tile: Tile, signal: AbortSignal): Promise<string> {
    if (this.#kept?.run !== tile.run) {
      this.#kept = undefined;
      this.#kept = { run: tile.run, read: await this.#read(tile, signal) };
    }
    const { question, tiles, asked } = this.#kept.read;
    const number = { index: tile.tile, count: tile.tiles };
    const shard = await openAndFind({ ...question, signal }, number, tiles);
    return [...shardJson(shard, number, asked)].join('');
  }

  async #read({ run, tiles: count, asked: given }: Tile, signal: AbortSignal): Promise<ReadRun> {
    const asked = readAskedOfRun(run, given);
    if (asked.version !== version) {
      const message = `the run was submitted by version ${asked.version}; this worker is ${version}`;
      throw new NearfieldError('unsupported', message);
    }
    const files = new StoredFiles(this.cwd, () => {}, this.store, asked, false);
    const quiet = { out: () => {}, err: () => {}, interactive: false, columns: 80, cwd: this.cwd, signal };
    const options = { ...optionsAsked(asked.content), backend: this.backend, shard: '1/1' };
    const load = loaderOf(asked.models, options, quiet);
    const { question } = await readQuestion({ load, merged: { files } }, options, quiet, new Progress(quiet));
    return { question, tiles: divide(question, count), asked: askedNow(asked.models, options, files) };
  }
}

interface ReadRun {
  readonly question: Question;
  readonly tiles: Tiles;
  readonly asked: AskedOfShards;
}
