// Runs and their tiles: what is asked, how far it is, and what was found.

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type PgBoss from 'pg-boss';
import { bad, jsonOf, objectOf, textOf } from './arguments.ts';
import type { Db } from './connection.ts';

/** A question that is divided into tiles. */
export interface NewRun {
  /** What is asked, as JSON. It holds no secret: everybody who may read the database can read it. */
  readonly asked: unknown;
  /** The tiles, in order. */
  readonly tiles: readonly NewTile[];
}

/** A tile of a question. */
export interface NewTile {
  /** The estimated work, in any unit. The largest tiles are begun first. */
  readonly work: number;
  /** What only the worker that does this tile has to know, as JSON: where its bodies lie, for instance. No secret either. */
  readonly detail?: unknown;
}

/** A run that was submitted. */
export interface Submitted {
  /** 16 hexadecimal digits. The same question, divided alike, is the same run. */
  readonly run: string;
  /** How many tiles were put into the queue: those that have no result and are not there already. */
  readonly queued: number;
}

/** What a run asks. */
export interface Run {
  /** The identity of the run. */
  readonly run: string;
  /** As it was submitted. */
  readonly asked: unknown;
  /** The number of tiles. */
  readonly tiles: number;
}

/** How far a tile is. */
export interface TileStatus {
  /** From 1. */
  readonly tile: number;
  /** 'waiting' in the queue, 'active' with a worker, 'done', or 'failed' for good. */
  readonly state: 'waiting' | 'active' | 'done' | 'failed';
  /** The estimated work. */
  readonly work: number;
  /** How often a worker has begun it. */
  readonly attempts: number;
  /** What it cost the worker that finished it. */
  readonly seconds?: number | undefined;
  /** Who has it, or had it last: the machine and its process. */
  readonly worker?: string | undefined;
  /** Why it failed last. */
  readonly error?: string | undefined;
}

/** How far a run is. */
export interface RunStatus extends Run {
  /** When it was first submitted. */
  readonly submitted: Date;
  /** Its tiles, in order. */
  readonly list: readonly TileStatus[];
}

/** The queue of pg-boss that tiles are in. */
export const queue = 'nearfield-tile';

/** Attempts are counted in the table of tiles, with their errors, so pg-boss never gives a job up by itself. */
const jobOptions = { retryLimit: 1_000_000, retryDelay: 0, expireInSeconds: 23 * 3600 };

export async function submitRun(db: Db, boss: PgBoss, schema: string, given: NewRun): Promise<Submitted> {
  const { asked, tiles } = objectOf(given, 'a run');
  if (
    !(
      Array.isArray(tiles) &&
      tiles.length >= 1 &&
      tiles.every(tile => Number.isFinite(tile?.work) && tile.work >= 0)
    )
  )
    throw bad('a run has at least one tile, each with an estimate of its work');
  const text = jsonOf(asked, 'what a run asks');
  const details = tiles.map(({ detail }, i) => jsonOf(detail ?? null, `the detail of tile ${i + 1}`));
  const run = createHash('sha256')
    .update(`${tiles.length} ${text} ${details.join()}`)
    .digest('hex')
    .slice(0, 16);
  return db.inTransaction(async client => {
    const { executeSql } = client;
    await executeSql(`select pg_advisory_xact_lock(hashtext($1))`, [run]);
    await executeSql(
      `insert into ${schema}.run (id, asked, tiles) values ($1, $2, $3) on conflict do nothing`,
      [run, text, tiles.length],
    );
    await executeSql(
      `insert into ${schema}.tile (run, tile, work, detail)
       select $1, n, w, d::jsonb from unnest($2::float8[], $3::text[]) with ordinality as t (w, d, n)
       on conflict do nothing`,
      [run, tiles.map(({ work }) => work), details],
    );
    // Tiles that failed, or have no job any more, are queued again. Jobs that wait or are active stay.
    const { rows } = await executeSql(
      `update ${schema}.tile t set failed = false, attempts = 0, job = gen_random_uuid(), worker = null, beat = null
       where run = $1 and result is null and (failed or not exists
         (select from ${schema}.job j where j.name = $2 and j.id = t.job and j.state < 'completed'))
       returning tile, work, job`,
      [run, queue],
    );
    const order = rows.sort((p, q) => (q['work'] as number) - (p['work'] as number));
    const jobs = order.map((row, i) => ({
      ...{ ...jobOptions, name: queue, id: row['job'] as string },
      data: { run, tile: row['tile'] as number },
      // The largest first: then the last ones to end are small.
      priority: order.length - i,
    }));
    for (let at = 0; at < jobs.length; at += 1000)
      await boss.insert(jobs.slice(at, at + 1000), { db: client });
    return { run, queued: jobs.length };
  });
}

export async function readRun(db: Db, schema: string, run: string): Promise<Run> {
  textOf(run, 'the identity of a run');
  const { rows } = await db.executeSql(`select asked, tiles from ${schema}.run where id = $1`, [run]);
  if (rows.length === 0) throw bad(`there is no run ${run}`);
  return { run, asked: rows[0]['asked'], tiles: rows[0]['tiles'] as number };
}

export async function readStatus(db: Db, schema: string, run: string): Promise<RunStatus> {
  const known = await readRun(db, schema, run);
  const { rows: runs } = await db.executeSql(`select submitted from ${schema}.run where id = $1`, [run]);
  const { rows } = await db.executeSql(
    `select tile, work, attempts, failed, error, seconds, worker, beat is not null as active,
       result is not null as done from ${schema}.tile where run = $1 order by tile`,
    [run],
  );
  const list = rows.map((row): TileStatus => {
    const optional = <T>(name: string) => (row[name] ?? undefined) as T | undefined;
    return {
      ...{ tile: row['tile'] as number, work: row['work'] as number, attempts: row['attempts'] as number },
      state: row['done'] ? 'done' : row['failed'] ? 'failed' : row['active'] ? 'active' : 'waiting',
      seconds: optional<number>('seconds'),
      worker: optional<string>('worker'),
      error: optional<string>('error'),
    };
  });
  return { ...known, submitted: runs[0]['submitted'] as Date, list };
}

export async function listRuns(db: Db, schema: string): Promise<string[]> {
  const { rows } = await db.executeSql(`select id from ${schema}.run order by submitted desc, id`);
  return rows.map(row => row['id'] as string);
}

/** The results of all tiles, in order. Throws if some are missing, with the error of each that failed. */
export async function readResults(db: Db, schema: string, run: string): Promise<string[]> {
  const { list } = await readStatus(db, schema, run);
  const failed = list.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    const first = failed.slice(0, 3).map(({ tile, error }) => `tile ${tile}: ${error}`);
    const more = failed.length > 3 ? `; ${failed.length - 3} more` : '';
    throw bad(`the run ${run} has failed: ${first.join('; ')}${more}`);
  }
  const open = list.filter(({ state }) => state !== 'done').length;
  if (open > 0) throw bad(`the run ${run} is not done: ${open} of ${list.length} tiles are open`);
  const results: string[] = [];
  // One at a time: each may be large.
  for (const { tile } of list) {
    const { rows } = await db.executeSql(`select result from ${schema}.tile where run = $1 and tile = $2`, [
      run,
      tile,
    ]);
    results.push(gunzipSync(rows[0]['result'] as Uint8Array).toString('utf8'));
  }
  return results;
}
