// `nearfield cluster submit MODEL…`: divides a check into tiles and puts them into the queue. Without a database the tiles are
// done here, by as many processes as this machine has processors, and the answer is merged at once.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { partOf } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { divide } from '../../assembly.ts';
import type { Files } from '../../files.ts';
import { expandPatterns } from '../../input/patterns.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { loaderOf, readQuestion } from '../check/check.ts';
import type { CheckOptions } from '../check/settings.ts';
import { askedNow } from '../check/shards/shards.ts';
import { checkHere } from './here.ts';
import { type ClusterPlace, databaseOf, storeOf, withCluster } from './open.ts';
import { ParcelWriter } from './parcels.ts';

export interface SubmitOptions extends CheckOptions, ClusterPlace {
  readonly tiles?: string | undefined;
}

/** Options that say what is made of the answer, as the user writes them. */
const ofResults = {
  ...{
    baseline: '--baseline',
    statuses: '--statuses',
    failOn: '--fail-on',
    group: '--group',
    rows: '--rows',
  },
  ...{ json: '--json', out: '--out', report: '--report', bcfVersion: '--bcf-version' },
};

/** A tile of this many triangles takes some seconds: long beside what a job costs, short beside a run. */
const usualWork = 2_000_000;
const mostTiles = 65536;

export async function submit(
  names: readonly string[],
  { database, schema, store, lease, attempts, tiles: given, ...options }: SubmitOptions,
  terminal: Terminal,
): Promise<number> {
  const place = { database, schema, store, lease, attempts };
  const fileNames = await expandPatterns(names, terminal.cwd);
  if (databaseOf(place) === undefined) return checkHere(fileNames, options, countOf(given), terminal);
  for (const [name, option] of Object.entries(ofResults)) {
    if (options[name as keyof typeof ofResults] === undefined) continue;
    const message = `${option} says what is made of the answer: give it to "nearfield cluster results"`;
    throw new NearfieldError('bad-option', message);
  }
  const folder = storeOf(place);
  const progress = new Progress(terminal);
  // Everything is checked as for a shard, before a run exists.
  const asking = { ...options, shard: '1/1' };
  try {
    const load = loaderOf(fileNames, asking, terminal);
    const { question, files } = await readQuestion({ load }, asking, terminal, progress);
    const total = divide(question, 1)[0].work;
    const count = countOf(given) ?? Math.min(Math.max(Math.ceil(total / usualWork), 1), mostTiles);
    const tiles = divide(question, count);
    const asked = { ...askedNow(fileNames, asking, files), folders: Object.fromEntries(files.folders) };
    return await withCluster(place, async (cluster, { FolderStore }) => {
      const kept = new FolderStore(resolve(terminal.cwd, folder));
      progress.stage('storing');
      await keep(files, kept);
      const writer = new ParcelWriter(kept);
      const detailed = [];
      for (const [i, tile] of tiles.entries()) {
        terminal.signal.throwIfAborted();
        progress.update(i / count);
        const { bodies, motion, allowed = [], unit } = partOf(question, tile);
        const parcel = await writer.put({ tile, bodies, motion, allowed, unit });
        detailed.push({ work: tile.work, detail: { parcel } });
      }
      const { run, queued } = await cluster.submit({ asked, tiles: detailed });
      progress.clear();
      say(
        terminal,
        `run ${run}: ${queued} of ${count} ${count === 1 ? 'tile was' : 'tiles were'} queued; "nearfield cluster work" does them`,
      );
      await terminal.out(`${run}\n`);
      return 0;
    });
  } finally {
    progress.clear();
  }
}

/** Puts every file that was read into the store. */
async function keep(files: Files, store: { put(bytes: Uint8Array): Promise<string> }): Promise<void> {
  for (const [name, hash] of files.hashes) {
    const bytes = await readFile(files.path(name));
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new NearfieldError('bad-file', `${name}: has changed while it was read`);
    await store.put(bytes);
  }
}

export function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostTiles) return count;
  throw new NearfieldError(
    'bad-option',
    `--tiles takes a whole number from 1 to ${mostTiles}, not "${text}"`,
  );
}
