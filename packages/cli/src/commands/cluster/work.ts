// `nearfield cluster work`: does tiles from the queue. Whatever a run asks is checked as a file would be. Only the
// parcel of the tile and the rules are read, from the store.

import { resolve } from 'node:path';
import { JsonReader, shardJson } from '@nearfield/clashes';
import type { Store, Tile } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { openAndFindInTile } from '../../assembly.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { version } from '../../version.ts';
import { readRules } from '../check/inputs.ts';
import { questionOf } from '../check/question.ts';
import { parseSettings } from '../check/settings.ts';
import { optionsAsked } from '../check/shards/shards.ts';
import { type ClusterPlace, storeOf, withCluster } from './open.ts';
import { ParcelReader } from './parcels.ts';
import { readAskedOfRun, StoredFiles } from './stored-files.ts';

export interface WorkCommandOptions extends ClusterPlace {
  readonly untilDone?: boolean | undefined;
  readonly backend: string;
}

export async function work(options: WorkCommandOptions, terminal: Terminal): Promise<number> {
  const folder = storeOf(options);
  return withCluster(options, async (cluster, { FolderStore }) => {
    const worker = new Worker(new FolderStore(resolve(terminal.cwd, folder)), options.backend, terminal.cwd);
    const { untilDone = false } = options;
    const log = (message: string) => say(terminal, message);
    const done = await cluster.work((tile, signal) => worker.shardOf(tile, signal), {
      ...{ signal: terminal.signal, untilDone, log },
    });
    say(terminal, `${done} ${done === 1 ? 'tile' : 'tiles'} done`);
    return 0;
  });
}

/** Does tiles, each from its parcel. */
class Worker {
  readonly #parcels: ParcelReader;

  constructor(
    private readonly store: Store,
    private readonly backend: string,
    private readonly cwd: string,
  ) {
    this.#parcels = new ParcelReader(store);
  }

  /** The shard of a tile, as `check --shard` writes it. */
  async shardOf({ run, tile: index, tiles: count, asked: given, detail }: Tile, signal: AbortSignal) {
    const asked = readAskedOfRun(run, given);
    if (asked.version !== version) {
      const message = `the run was submitted by version ${asked.version}; this worker is ${version}`;
      throw new NearfieldError('unsupported', message);
    }
    const name = `tile ${index} of the run ${run}`;
    const parcel = JsonReader.read(name, JSON.stringify(detail)).need('parcel').text();
    const { tile, bodies, motion, allowed, unit } = await this.#parcels.get(parcel);
    const options = { ...optionsAsked(asked.content), backend: this.backend, shard: `${index}/${count}` };
    const settings = parseSettings(options);
    const files = new StoredFiles(this.cwd, () => {}, this.store, asked, new Map());
    const rules = await readRules(options.rules, settings, files);
    const loaded = { bodies, files: [], unit, allowed, robots: [] };
    const inputs = { motion, rules, baseline: undefined, statuses: undefined };
    const quiet = { out: () => {}, err: () => {}, interactive: false, columns: 80, cwd: this.cwd, signal };
    const question = { ...questionOf(options, settings, loaded, inputs), readTime: 0, signal };
    const shard = await openAndFindInTile({ ...question, progress: new Progress(quiet) }, tile);
    const { models, files: read, options: asking } = asked;
    const ofAll = { version, models, options: asking, files: read };
    return [...shardJson(shard, { index, count }, ofAll)].join('');
  }
}
