// `nearfield cluster work`: does tiles from the queue. Whatever a run asks is checked as a file would be, and only files of the
// run are read, from the store.

import { resolve } from 'node:path';
import type { Store, Tile } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { say, type Terminal } from '../../output/terminal.ts';
import { version } from '../../version.ts';
import { checkFiles } from '../check/check.ts';
import { optionsAsked } from '../check/shards/shards.ts';
import { type ClusterPlace, storeOf, withCluster } from './open.ts';
import { readAskedOfRun, StoredFiles } from './stored-files.ts';

export interface WorkCommandOptions extends ClusterPlace {
  readonly untilDone?: boolean | undefined;
  readonly backend: string;
}

export async function work(options: WorkCommandOptions, terminal: Terminal): Promise<number> {
  const folder = storeOf(options);
  return withCluster(options, async (cluster, { FolderStore }) => {
    const store = new FolderStore(resolve(terminal.cwd, folder));
    const { backend, untilDone = false } = options;
    const log = (message: string) => say(terminal, message);
    const done = await cluster.work(
      (tile, signal) => shardOf(tile, store, backend, { ...terminal, signal }),
      {
        ...{ signal: terminal.signal, untilDone, log },
      },
    );
    say(terminal, `${done} ${done === 1 ? 'tile' : 'tiles'} done`);
    return 0;
  });
}

/** The shard of a tile, as `check --shard` writes it. */
async function shardOf(tile: Tile, store: Store, backend: string, terminal: Terminal): Promise<string> {
  const asked = readAskedOfRun(tile.run, tile.asked);
  if (asked.version !== version) {
    const message = `the run was submitted by version ${asked.version}; this worker is ${version}`;
    throw new NearfieldError('unsupported', message);
  }
  const files = new StoredFiles(terminal.cwd, () => {}, store, asked, false);
  const pieces: string[] = [];
  const quiet: Terminal = {
    ...{ interactive: false, columns: 80, cwd: terminal.cwd, signal: terminal.signal },
    out: text => void pieces.push(text),
    err: () => {},
  };
  const options = { ...optionsAsked(asked.content), backend, shard: `${tile.tile}/${tile.tiles}` };
  await checkFiles(asked.models, options, quiet, { files });
  return pieces.join('');
}
