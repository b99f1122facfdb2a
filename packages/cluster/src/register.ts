// What has a team decided about clashes: who said what when? Entries are added and never changed, so the register is the
// history too. A baseline is an answer that later ones are compared with.

import { gunzipSync, gzipSync } from 'node:zlib';
import { bad, jsonOf, objectOf, textOf } from './arguments.ts';
import type { Db } from './connection.ts';

const projectName = 'the name of a project';

/** What somebody said about a clash. */
export interface Decided {
  /** The identity of the clash. */
  readonly clash: string;
  /** As the statuses of `nearfield check` have it. */
  readonly entry: Readonly<Record<string, unknown>>;
  /** Who said it. */
  readonly who: string;
  /** When. */
  readonly at: Date;
}

/** What a team has decided, per project. Wrong arguments are 'bad-option'. */
export class Register {
  readonly #db: Db;
  readonly #schema: string;

  /** `Cluster.register` has one. */
  constructor(db: Db, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /** The last decision about each clash of a project, in order of the clashes. */
  async decisions(project: string): Promise<Decided[]> {
    textOf(project, projectName);
    const { rows } = await this.#db.executeSql(
      `select distinct on (clash) clash, entry, who, at from ${this.#schema}.decision
       where project = $1 order by clash, id desc`,
      [project],
    );
    return rows.map(decidedOf);
  }

  /** Everything that was ever said about a clash, the first first. */
  async history(project: string, clash: string): Promise<Decided[]> {
    textOf(project, projectName);
    textOf(clash, 'the identity of a clash');
    const { rows } = await this.#db.executeSql(
      `select clash, entry, who, at from ${this.#schema}.decision where project = $1 and clash = $2 order by id`,
      [project, clash],
    );
    return rows.map(decidedOf);
  }

  /** Adds decisions that differ from the last ones. Returns how many were added. */
  async decide(
    project: string,
    who: string,
    entries: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  ): Promise<number> {
    textOf(project, projectName);
    textOf(who, 'the name of who decides');
    if (!(entries instanceof Map)) throw bad('decisions are a Map from clashes to entries');
    const texts = Array.from(entries.values(), entry => jsonOf(objectOf(entry, 'a decision'), 'a decision'));
    return this.#db.inTransaction(async ({ executeSql }) => {
      await executeSql(`select pg_advisory_xact_lock(hashtext($1))`, [`decisions ${project}`]);
      const { rows } = await executeSql(
        `insert into ${this.#schema}.decision (project, clash, entry, who)
         select $1, given.clash, given.entry, $2
         from unnest($3::text[], $4::jsonb[]) as given (clash, entry)
         left join lateral (
           select entry from ${this.#schema}.decision d
           where d.project = $1 and d.clash = given.clash order by id desc limit 1
         ) as last on true
         where last.entry is distinct from given.entry
         returning id`,
        [project, who, [...entries.keys()], texts],
      );
      return rows.length;
    });
  }

  /** Makes an answer, as JSON text, the baseline of a project. */
  async setBaseline(project: string, who: string, answer: string): Promise<void> {
    textOf(project, projectName);
    textOf(who, 'the name of who sets a baseline');
    textOf(answer, 'the answer that becomes the baseline');
    await this.#db.executeSql(
      `insert into ${this.#schema}.baseline (project, answer, who) values ($1, $2, $3)`,
      [project, gzipSync(answer), who],
    );
  }

  /** The last baseline of a project; undefined if it has none. */
  async baseline(project: string): Promise<{ answer: string; who: string; at: Date } | undefined> {
    textOf(project, projectName);
    const { rows } = await this.#db.executeSql(
      `select answer, who, at from ${this.#schema}.baseline where project = $1 order by id desc limit 1`,
      [project],
    );
    if (rows.length === 0) return undefined;
    const [{ answer, who, at }] = rows;
    return { answer: gunzipSync(answer as Uint8Array).toString('utf8'), who: who as string, at: at as Date };
  }
}

const decidedOf = (row: Record<string, unknown>): Decided => ({
  clash: row['clash'] as string,
  entry: row['entry'] as Record<string, unknown>,
  who: row['who'] as string,
  at: row['at'] as Date,
});
