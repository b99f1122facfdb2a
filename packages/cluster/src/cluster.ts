// A cluster: a database that everybody who submits, works or reads is connected to.

import PgBoss from 'pg-boss';
import { bad, objectOf, textOf } from './arguments.ts';
import { Connection } from './connection.ts';
import { Register } from './register.ts';
import {
  listRuns,
  type NewRun,
  queue,
  type RunStatus,
  readResults,
  readStatus,
  type Submitted,
  submitRun,
} from './runs.ts';
import { createTables } from './tables.ts';
import { type Perform, type WorkOptions, type WorkSettings, work } from './work.ts';

/** Which database, and how long a silent worker is waited for. */
export interface ClusterOptions {
  /** postgres://USER:PASSWORD@HOST:PORT/NAME; `?sslmode=verify-full` asks for TLS. */
  readonly database: string;
  /** The schema that all tables are in; default `nearfield`. The role needs no right outside it. */
  readonly schema?: string | undefined;
  /** Seconds after which a worker that says nothing is taken for dead; default 30. */
  readonly lease?: number | undefined;
  /** How often a tile is begun before it counts as failed; default 5. */
  readonly attempts?: number | undefined;
}

/**
 * Connects to the database and creates the tables that are missing. Rejects with 'bad-option' if the options are wrong or
 * the schema may not be created, and with 'unsupported' if the database cannot be reached. No message has the password.
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    database,
    schema = 'nearfield',
    lease = 30,
    attempts = 5,
  } = objectOf(options, "openCluster's argument");
  textOf(database, 'the URL of a database');
  if (typeof schema !== 'string' || !/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw bad(`"${schema}" is not the name of a schema: a-z, 0-9 and _`);
  if (!(lease > 0 && lease <= 3600)) throw bad(`a lease takes above 0 and up to 3600 seconds, not ${lease}`);
  if (!(Number.isInteger(attempts) && attempts >= 1))
    throw bad(`a tile is begun at least once, not ${attempts} times`);
  const connection = new Connection(database, 4);
  try {
    await createTables(connection, schema);
    const boss = new PgBoss({ db: connection, schema, supervise: false, schedule: false, migrate: false });
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue(queue, { name: queue });
    return new Cluster(connection, boss, { schema, lease, attempts });
  } catch (error) {
    await connection.close();
    throw connection.safe(error);
  }
}

/** A connection to a database with runs. Close it, so that the process can end. */
export class Cluster {
  readonly #connection: Connection;
  readonly #boss: PgBoss;
  readonly #settings: WorkSettings;
  /** What the team has decided about clashes. */
  readonly register: Register;

  /** `openCluster` makes one. */
  constructor(connection: Connection, boss: PgBoss, settings: WorkSettings) {
    this.#connection = connection;
    this.#boss = boss;
    this.#settings = settings;
    this.register = new Register(connection, settings.schema);
  }

  /** Puts the tiles of a run into the queue. Submitted again, it goes on where it stood: only tiles without a result are queued. Rejects with 'bad-option' if the run is none. */
  submit(run: NewRun): Promise<Submitted> {
    return submitRun(this.#connection, this.#boss, this.#settings.schema, run);
  }

  /**
   * Does tiles until the signal fires or, with `untilDone`, until none is open. Resolves with how many it has finished.
   * Rejects with 'bad-option' if `perform` is no function.
   */
  async work(perform: Perform, options: WorkOptions = {}): Promise<number> {
    if (typeof perform !== 'function') throw bad('work needs a function that does a tile');
    return work(
      this.#connection,
      this.#boss,
      this.#settings,
      perform,
      objectOf(options, 'the second argument of work'),
    );
  }

  /** How far a run is. Rejects with 'bad-option' if there is none with this identity. */
  status(run: string): Promise<RunStatus> {
    return readStatus(this.#connection, this.#settings.schema, run);
  }

  /** All runs, the last first. */
  runs(): Promise<string[]> {
    return listRuns(this.#connection, this.#settings.schema);
  }

  /** The results of all tiles, in order. Rejects with 'bad-option' if some have failed, with their errors, or are open. */
  results(run: string): Promise<string[]> {
    return readResults(this.#connection, this.#settings.schema, run);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false, wait: false });
    await this.#connection.close();
  }
}
