// The connection to PostgreSQL. Its URL has a secret, which appears in no message: every error is replaced by a new one
// without the secret and without a cause.

import { NearfieldError } from 'nearfield';
import pg from 'pg';

/** Runs statements; rows are objects by column. */
export interface Db {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  /** All statements of `work` count, or none does. */
  inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export class Connection implements Db {
  readonly #pool: pg.Pool;
  readonly #secrets: readonly string[];
  readonly #place: string;

  /** Throws 'bad-option' if the URL is none; the message does not repeat it. */
  constructor(url: string, connections: number) {
    let parsed: URL;
    try {
      parsed = new URL(url);
    } catch {
      throw noUrl();
    }
    if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw noUrl();
    const decoded = decodedText(parsed.password);
    this.#secrets = [...new Set([parsed.password, decoded])].filter(secret => secret.length > 0);
    this.#place = `${parsed.hostname}${parsed.port && `:${parsed.port}`}${parsed.pathname}`;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      application_name: 'nearfield',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // A connection that breaks while nobody uses it is replaced by the next use.
    this.#pool.on('error', () => {});
  }

  readonly executeSql: Db['executeSql'] = async (text, values) => {
    try {
      return await run(this.#pool, text, values);
    } catch (error) {
      throw this.safe(error);
    }
  };

  async inTransaction<T>(work: (db: Db) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw this.safe(error);
    }
    const executeSql: Db['executeSql'] = (text, values) => run(client, text, values);
    let broken: Error | undefined;
    const note = (error: Error) => {
      broken = error;
    };
    client.on('error', note);
    try {
      await executeSql('begin');
      const db: Db = { executeSql, inTransaction: inner => inner(db) };
      const result = await work(db);
      await executeSql('commit');
      return result;
    } catch (error) {
      await executeSql('rollback').catch(note);
      throw this.safe(error);
    } finally {
      client.off('error', note);
      client.release(broken);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Text without the password. */
  clean(text: string): string {
    return this.#secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text);
  }

  /** An error as the user may see it. A NearfieldError stays as it is, unless its message has the secret. */
  safe(error: unknown): unknown {
    if (error instanceof NearfieldError) {
      const message = this.clean(error.message);
      return message === error.message ? error : new DatabaseError(message, codeOf(error));
    }
    const { message = String(error) } = error as Error;
    const code = codeOf(error);
    const why = this.clean(message) || code || 'no answer';
    return new DatabaseError(`the database at ${this.#place}: ${why}`, code);
  }
}

/** A failure of the database or of the way to it. */
export class DatabaseError extends NearfieldError {
  constructor(
    message: string,
    /** As PostgreSQL (SQLSTATE) or the operating system gives it. */
    readonly sqlState: string | undefined,
  ) {
    super('unsupported', message);
  }
}

/** Whether it is worth trying again: the database is not there, is starting or stopping, or its disk is full. */
export const isPassing = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.sqlState === undefined || /^(E[A-Z]+|08\w{3}|53\w{3}|57\w{3}|40\w{3}|XX000)$/.test(error.sqlState));

const codeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/** Several statements give several results, of which the last counts. */
async function run(
  client: { query(text: string, values?: unknown[]): Promise<unknown> },
  text: string,
  values?: unknown[],
): Promise<{ rows: Record<string, unknown>[] }> {
  const result = await client.query(text, values);
  return (Array.isArray(result) ? result.at(-1) : result) as { rows: Record<string, unknown>[] };
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const noUrl = (): NearfieldError =>
  new NearfieldError('bad-option', 'a database is given by a URL such as postgres://USER@HOST:5432/NAME');
