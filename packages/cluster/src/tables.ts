// The tables, all in one schema: the role needs no more than that. pg-boss has its own in the same schema.

import { NearfieldError } from 'nearfield';
import PgBoss from 'pg-boss';
import type { Db } from './connection.ts';

/** Tables as they are now. A version that differs is refused, so that two programs never write different rows. */
const version = 1;

const tables = (schema: string): string => `
  create table if not exists ${schema}.nearfield (version integer not null);
  insert into ${schema}.nearfield select ${version} where not exists (select from ${schema}.nearfield);
  create table if not exists ${schema}.run (
    id text primary key,
    asked jsonb not null,
    tiles integer not null,
    submitted timestamptz not null default now()
  );
  create table if not exists ${schema}.tile (
    run text not null references ${schema}.run on delete cascade,
    tile integer not null,
    work double precision not null,
    detail jsonb not null,
    job uuid,
    worker text,
    beat timestamptz,
    attempts integer not null default 0,
    failed boolean not null default false,
    error text,
    seconds double precision,
    finished timestamptz,
    result bytea,
    primary key (run, tile)
  );
  create table if not exists ${schema}.decision (
    id bigint generated always as identity primary key,
    project text not null,
    clash text not null,
    entry jsonb not null,
    who text not null,
    at timestamptz not null default now()
  );
  create index if not exists decision_clash on ${schema}.decision (project, clash, id);
  create table if not exists ${schema}.baseline (
    id bigint generated always as identity primary key,
    project text not null,
    answer bytea not null,
    who text not null,
    at timestamptz not null default now()
  );`;

/** Creates what is missing. Several programs may do so at the same time. */
export async function createTables(db: Db, schema: string): Promise<void> {
  await db.inTransaction(async ({ executeSql }) => {
    await executeSql(`select pg_advisory_xact_lock(hashtext($1))`, [`nearfield ${schema}`]);
    const named = async (name: string) =>
      (await executeSql(`select to_regclass($1) as found`, [`${schema}.${name}`])).rows[0]['found'] !== null;
    const { rows } = await executeSql(`select from pg_namespace where nspname = $1`, [schema]);
    if (rows.length === 0) await createSchema(executeSql, schema);
    // The plans of pg-boss create the schema, for which the role may have no right, and are a transaction of their own.
    if (!(await named('version'))) {
      const plans = PgBoss.getConstructionPlans(schema)
        .replace(/CREATE SCHEMA IF NOT EXISTS \w+\s*;/, '')
        .replace(/\b(BEGIN|COMMIT);/g, '');
      await executeSql(plans);
    }
    await executeSql(tables(schema));
    const found = (await executeSql(`select version from ${schema}.nearfield`)).rows[0]['version'];
    if (found !== version) {
      const message = `the tables in the schema ${schema} are of version ${found}; this program has ${version}`;
      throw new NearfieldError('unsupported', message);
    }
  });
}

async function createSchema(executeSql: Db['executeSql'], schema: string): Promise<void> {
  try {
    await executeSql(`create schema ${schema}`);
  } catch (error) {
    const how = `an administrator creates it once: create schema ${schema} authorization ROLE`;
    throw new NearfieldError(
      'bad-option',
      `there is no schema ${schema}, and the role may not create it; ${how}`,
      {
        cause: error,
      },
    );
  }
}
