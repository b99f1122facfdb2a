// A worker: takes tiles from the queue, does them, and writes each result in the transaction that completes its job. While it
// works it says so every now and then. A worker that has been silent for longer than the lease is taken for dead, and its
// tile goes back to the queue. If it was only slow, its result counts as well, and whichever comes second changes nothing.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { gzipSync } from 'node:zlib';
import { NearfieldError } from 'nearfield';
import type PgBoss from 'pg-boss';
import { type Connection, type Db, isPassing } from './connection.ts';
import { queue, readRun } from './runs.ts';
import { StoreError } from './store.ts';

/** A tile to do. */
export interface Tile {
  /** The identity of its run. */
  readonly run: string;
  /** From 1 to `tiles`. */
  readonly tile: number;
  /** How many tiles the run has. */
  readonly tiles: number;
  /** What the run asks. */
  readonly asked: unknown;
  /** What was submitted about this tile alone; null if nothing was. */
  readonly detail: unknown;
}

/** Does a tile and returns its result as text. A NearfieldError fails the tile for good, anything else is tried again. */
export type Perform = (tile: Tile, signal: AbortSignal) => Promise<string>;

/** How a worker works. */
export interface WorkOptions {
  /** Ends the worker; a tile that it has goes back to the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the worker ends when no tile is open; otherwise it waits for more. */
  readonly untilDone?: boolean | undefined;
  /** What happens, for a log; without secrets. */
  readonly log?: ((message: string) => void) | undefined;
}

export interface WorkSettings {
  readonly schema: string;
  /** Seconds after which a silent worker is taken for dead. */
  readonly lease: number;
  /** How often a tile is begun before it has failed. */
  readonly attempts: number;
}

/** Milliseconds between looks at an empty queue. */
const pause = 250;

/** Returns how many tiles this worker has finished. */
export async function work(
  connection: Connection,
  boss: PgBoss,
  settings: WorkSettings,
  perform: Perform,
  { signal = new AbortController().signal, untilDone = false, log = () => {} }: WorkOptions,
): Promise<number> {
  // A process may have several workers, and containers may have equal hosts and processes.
  const worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  let done = 0;
  while (!signal.aborted) {
    const taken = await patiently(signal, log, () => take(connection, boss, settings, worker));
    if (taken === undefined) {
      if (signal.aborted) break;
      const open = await patiently(signal, log, () => openTiles(connection, settings));
      if (untilDone && open === 0) break;
      await sleep(pause, signal);
      continue;
    }
    if (await doTile(connection, boss, settings, taken, perform, signal, log)) done++;
  }
  return done;
}

interface Taken extends Tile {
  readonly job: string;
  readonly worker: string;
  readonly attempt: number;
}

/** Takes a tile. That the worker has it is written in the same transaction. */
async function take(
  connection: Connection,
  boss: PgBoss,
  settings: WorkSettings,
  worker: string,
): Promise<Taken | undefined> {
  const { schema } = settings;
  await reclaim(connection, boss, settings);
  return connection.inTransaction(async client => {
    for (;;) {
      const [job] = await boss.fetch<{ run: string; tile: number }>(queue, { db: client, batchSize: 1 });
      if (job === undefined) return undefined;
      const { run, tile } = job.data;
      const { rows } = await client.executeSql(
        `update ${schema}.tile set worker = $3, beat = now(), attempts = attempts + 1
         where run = $1 and tile = $2 and result is null returning attempts, detail`,
        [run, tile, worker],
      );
      // A worker that was taken for dead has finished the tile meanwhile.
      if (rows.length === 0) {
        await leave(boss, 'complete', job.id, client);
        continue;
      }
      const { asked, tiles } = await readRun(client, schema, run);
      const { attempts: attempt, detail } = rows[0] as { attempts: number; detail: unknown };
      return { run, tile, tiles, asked, detail, job: job.id, worker, attempt };
    }
  });
}

/**
 * Completes a job, or puts it back into the queue, in a transaction. pg-boss takes a third argument for the output of
 * the job, though its types allow the options there: the transaction is the fourth, or the job changes outside it.
 */
const leave = (boss: PgBoss, how: 'complete' | 'fail', job: string, db: Db): Promise<void> =>
  boss[how](queue, job, {}, { db });

/** Puts the tiles of workers that are silent back into the queue; those begun too often have failed. */
async function reclaim(connection: Connection, boss: PgBoss, settings: WorkSettings): Promise<void> {
  const { schema, lease, attempts } = settings;
  await connection.inTransaction(async client => {
    const { rows } = await client.executeSql(
      `select run, tile, job, attempts, worker from ${schema}.tile
       where beat < now() - make_interval(secs => $1) and result is null for update skip locked`,
      [lease],
    );
    for (const row of rows) {
      const isLast = (row['attempts'] as number) >= attempts;
      await client.executeSql(
        `update ${schema}.tile set beat = null, failed = $3, error = $4 where run = $1 and tile = $2`,
        [row['run'], row['tile'], isLast, `the worker ${row['worker']} stopped answering`],
      );
      await leave(boss, isLast ? 'complete' : 'fail', row['job'] as string, client);
    }
  });
}

/** Does a tile and writes what came of it. Returns whether it has a result. */
async function doTile(
  connection: Connection,
  boss: PgBoss,
  settings: WorkSettings,
  taken: Taken,
  perform: Perform,
  signal: AbortSignal,
  log: (message: string) => void,
): Promise<boolean> {
  const { schema, lease, attempts } = settings;
  const { run, tile, job, worker } = taken;
  const beats = setInterval(
    () =>
      void connection
        .executeSql(
          `update ${schema}.tile set beat = now() where run = $1 and tile = $2 and worker = $3 and beat is not null`,
          [run, tile, worker],
        )
        .catch(() => {}),
    (1000 * lease) / 4,
  );
  const start = performance.now();
  try {
    const text = await perform(taken, signal);
    const result = gzipSync(text);
    const seconds = (performance.now() - start) / 1000;
    const isWritten = await patiently(signal, log, () =>
      connection.inTransaction(async client => {
        await client.executeSql(
          `update ${schema}.tile set result = $3, seconds = $4, worker = $5, finished = now(), beat = null, error = null,
             failed = false where run = $1 and tile = $2 and result is null`,
          [run, tile, result, seconds, worker],
        );
        await leave(boss, 'complete', job, client);
        return true;
      }),
    );
    // If the signal fired before the result was written, the tile returns to the queue when its lease ends.
    return isWritten === true;
  } catch (error) {
    const isCancelled = signal.aborted;
    const message = connection.clean(error instanceof Error ? error.message : String(error));
    const isLast = !isCancelled && (isForGood(error) || taken.attempt >= attempts);
    if (!isCancelled) log(`tile ${tile} of ${run}: ${message}`);
    await patiently(new AbortController().signal, log, () =>
      connection.inTransaction(async client => {
        const { rows } = await client.executeSql(
          `update ${schema}.tile set beat = null, failed = $3, error = $4, attempts = attempts - $5
           where run = $1 and tile = $2 and worker = $6 and result is null returning tile`,
          [run, tile, isLast, isCancelled ? null : message, isCancelled ? 1 : 0, worker],
        );
        // Otherwise the tile belongs to another worker now, or is done.
        if (rows.length > 0) await leave(boss, isLast ? 'complete' : 'fail', job, client);
      }),
    );
    return false;
  } finally {
    clearInterval(beats);
  }
}

/** What is wrong with the question stays wrong. Memory, GPUs, the store and the way to it may be another matter elsewhere. */
const isForGood = (error: unknown): boolean =>
  error instanceof NearfieldError &&
  !(error instanceof StoreError) &&
  !['out-of-memory', 'unsupported', 'gpu-lost', 'no-gpu'].includes(error.code);

async function openTiles(connection: Connection, { schema }: WorkSettings): Promise<number> {
  const { rows } = await connection.executeSql(
    `select count(*)::integer as open from ${schema}.tile where result is null and not failed`,
  );
  return rows[0]['open'] as number;
}

/** Does something as soon as the database lets it. Undefined if the signal fires before. */
async function patiently<T>(
  signal: AbortSignal,
  log: (message: string) => void,
  action: () => Promise<T>,
): Promise<T | undefined> {
  for (let wait = pause; ; wait = Math.min(2 * wait, 10_000)) {
    try {
      return await action();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (signal.aborted) return undefined;
      log(`${(error as Error).message}; trying again`);
      await sleep(wait, signal);
    }
  }
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
