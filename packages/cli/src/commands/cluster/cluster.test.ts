// `nearfield cluster` as processes on a real server: the same bytes as a check on one machine, whatever dies.

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createRandom } from 'nearfield/shapes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestServer } from '../../../../cluster/src/testing.ts';
import { type Outcome, runIn, testFolder } from '../../testing.ts';
import { randomAssembly } from '../check/shards/testing.ts';
import { loadCluster } from './open.ts';
import { buildProgram, startProgram } from './testing.ts';

const isSlow = Boolean(process.env['NEARFIELD_SLOW']);
const models = ['first.obj', 'second.obj'];
let server: TestServer;
let program: string;

beforeAll(async () => {
  [server, program] = await Promise.all([TestServer.start(), buildProgram()]);
});
afterAll(async () => {
  await server.close();
  rmSync(dirname(program), { recursive: true, force: true });
});

/** The JSON without the two fields that depend on the machine. */
const same = (json: string): string =>
  json.replace(/^ {2}"backend": .*\n/m, '').replace(/^ {2}"timing": .*$/m, '');

interface Place {
  readonly folder: string;
  readonly schema: string;
  readonly database: string;
  readonly store: string;
}

async function placeOf(files: Record<string, string>): Promise<Place> {
  const folder = testFolder(files);
  return { folder, schema: await server.schema(), database: server.url, store: join(folder, 'store') };
}

/** A process, whose secrets are in its environment. */
const start = ({ folder, database, store, schema }: Place, words: readonly string[]) =>
  startProgram(program, folder, ['cluster', words[0], '--schema', schema, ...words.slice(1)], {
    ...{ NEARFIELD_DATABASE: database, NEARFIELD_STORE: store },
  });

/** The same in this process. */
const ask = ({ folder, database, store, schema }: Place, words: readonly string[]): Promise<Outcome> =>
  runIn(folder, [
    ...['cluster', words[0], '--schema', schema, '--database', database, '--store', store],
    ...words.slice(1),
  ]);

async function cluster(place: Place, words: readonly string[]): Promise<Outcome> {
  const outcome = await ask(place, words);
  expect(outcome.status, outcome.err).toBeLessThan(2);
  return outcome;
}

const submitted = async (place: Place, words: readonly string[]): Promise<string> =>
  (await cluster(place, ['submit', ...models, ...words])).out.trim();

describe('a run gives the bytes of a check', () => {
  const seeds = Array.from({ length: isSlow ? 50 : 1 }, (_, i) => 81 + i);

  it.each(seeds)('random assembly %i, with 1 to 4 workers', async seed => {
    const place = await placeOf(randomAssembly(seed, 24));
    const asking = [
      ['--clearance', '0.3', '--depths', 'all'],
      ['--rules', 'rules.json', '--poses', 'motion.json', '--triangles'],
    ][seed % 2];
    const whole = await runIn(place.folder, ['check', ...models, ...asking, '--json']);
    for (const workers of isSlow ? [1, 2, 3, 4] : [2]) {
      const run = await submitted(place, [...asking, '--tiles', String(3 + workers)]);
      const done = Array.from({ length: workers }, () => start(place, ['work', '--until-done']).outcome);
      for (const { status, err } of await Promise.all(done)) expect(status, err).toBe(0);
      const { out, status } = await cluster(place, ['results', run, '--json']);
      expect(status).toBe(whole.status);
      expect(same(out), `${workers} workers`).toBe(same(whole.out));
    }
  });

  it('without a database too, by processes of this machine', async () => {
    const folder = testFolder(randomAssembly(83, 16));
    const asking = ['--between', 'first*', 'second*', '--ignore', 'touching', '--volumes', '--json'];
    const whole = await runIn(folder, ['check', ...models, ...asking]);
    const words = ['cluster', 'submit', ...models, ...asking, '--tiles', '3'];
    const { out, err, status } = await startProgram(program, folder, words).outcome;
    expect({ status, err }).toEqual({
      status: whole.status,
      err: expect.stringContaining('3 tiles are done by'),
    });
    expect(same(out)).toBe(same(whole.out));
  });
});

describe('a team', () => {
  it('keeps decisions and the baseline in the register', async () => {
    const place = await placeOf(randomAssembly(84, 16));
    const run = await submitted(place, ['--tiles', '2']);
    expect((await ask(place, ['status', run])).out).toContain('0 of 2 tiles done');
    await cluster(place, ['work', '--until-done']);
    const project = ['--project', 'plant', '--by', 'robin'];
    // The answer is written to where it would be without the register.
    const first = await cluster(place, ['results', run, ...project, '--json', '--set-baseline']);
    expect(first.status).toBe(1);
    expect(first.err).toMatch(/\d+ clashes were added to project plant\n/);
    const clash = /"clash": "([0-9a-f]{12})"/.exec(first.out)![1];
    await cluster(place, [
      'decide',
      clash,
      '--project',
      'plant',
      '--set',
      'accepted',
      '--by',
      'sam',
      '--comment',
      'welded',
    ]);
    const { out: history } = await cluster(place, ['decide', clash, '--project', 'plant']);
    expect(history).toMatch(new RegExp(`^${clash} open by robin .*\n${clash} accepted by sam .*: welded\n$`));
    const { out } = await cluster(place, ['results', run, ...project, '--json']);
    expect(out).toContain('"history": { "baseline": "the baseline of project plant"');
    expect(out).toMatch(new RegExp(`"clash": "${clash}", "verdict": "accepted"`));
    const status = JSON.parse((await cluster(place, ['status', run, '--json'])).out);
    expect(status[0]).toMatchObject({ run, done: 2, failed: 0 });
    const { err } = await start(place, ['decide', '0'.repeat(12), '--project', 'plant', '--set', 'fixed'])
      .outcome;
    expect(err).toContain('has no clash 000000000000');
  });
});

describe('what goes wrong is said by name, without the password', () => {
  const forms = () => [server.password, encodeURIComponent(server.password)];

  it('no database, no store, no package, no run', async () => {
    const place = await placeOf(randomAssembly(85, 8));
    const said: Outcome[] = [];
    const failing = async (words: readonly string[], changes: Partial<Place>, message: string) => {
      const outcome = await ask({ ...place, ...changes }, words);
      said.push(outcome);
      expect(outcome.err).toContain(message);
      expect(outcome.status).toBe(2);
    };
    await failing(['work'], { database: server.url.replace(`:${server.port}`, ':1') }, 'ECONNREFUSED');
    await failing(['work'], { database: server.url.replace('/models', '/none') }, 'does not exist');
    await failing(['status', 'none'], {}, 'there is no run none');
    await failing(['submit', ...models, '--json'], {}, 'give it to "nearfield cluster results"');
    await failing(['submit', 'first.obj', '--tiles', '0'], {}, '--tiles takes');
    await failing(['submit', 'first.obj', 'none.obj'], {}, 'none.obj: there is no such file');
    const here = await runIn(place.folder, ['cluster', 'submit', 'first.obj', 'none.obj']);
    expect(here.err).toBe('nearfield: none.obj: there is no such file\n');
    const { out: help } = await ask(place, ['submit', '--help']);
    expect(help).toContain('auto, hierarchy or visibility;');
    expect(help).not.toContain('raycast');
    const ended = await start({ ...place, schema: 'none' }, ['work']).outcome;
    said.push(ended);
    expect(ended.err).toContain('there is no schema none');
    await expect(loadCluster('@nearfield/clusters')).rejects.toThrow(
      'nearfield cluster needs the package @nearfield/clusters: npm install @nearfield/clusters',
    );
    const text = JSON.stringify(said);
    expect(forms().filter(form => text.includes(form))).toEqual([]);
  });

  it('a model that the store has lost, or that somebody has changed, fails its tiles', async () => {
    const place = await placeOf(randomAssembly(86, 8));
    const run = await submitted(place, ['--tiles', '1']);
    rmSync(place.store, { recursive: true });
    await cluster(place, ['work', '--until-done', '--attempts', '2']);
    const { out } = await ask(place, ['status', run]);
    expect(out).toMatch(/tile 1: failed after 2 attempts, last by .*cannot be read from the store/);
    expect((await ask(place, ['results', run])).err).toContain('has failed: tile 1:');
    // Submitted again, the models are stored again, and the run goes on.
    await submitted(place, ['--tiles', '1']);
    await cluster(place, ['work', '--until-done']);
    await cluster(place, ['results', run, '--json']);
  });

  it('a run in the database cannot make a worker read other files, or do other things', async () => {
    const place = await placeOf(randomAssembly(87, 8));
    const run = await submitted(place, ['--tiles', '1']);
    const change = async (path: string, value: unknown) => {
      await server.query(`update ${place.schema}.run set asked = jsonb_set(asked, $1, $2) where id = $3`, [
        path.split('.'),
        JSON.stringify(value),
        run,
      ]);
      await server.query(`update ${place.schema}.tile set failed = false, attempts = 0, error = null`);
      await server.query(`update ${place.schema}.job set state = 'created'`);
      await cluster(place, ['work', '--until-done']);
      return (await ask(place, ['status', run])).out;
    };
    const refused = '/etc/hostname.obj: is not a file of the run';
    expect(await change('options.rules', '/etc/hostname.obj')).toContain(refused);
    expect(await change('options.out', ['x.json'])).toContain('"out" is not known here');
    expect(await change('version', 7)).toContain('expected a text');
    const other = await submitted(place, ['--tiles', '1', '--depths', 'all']);
    await cluster(place, ['work', '--until-done']);
    // Nor can a result.
    const [{ result }] = await server.query(`select result from ${place.schema}.tile where run = $1`, [
      other,
    ]);
    const text = gunzipSync(result as Uint8Array).toString();
    const changed = gzipSync(text.replaceAll('first.obj', '/etc/hostname.obj'));
    await server.query(`update ${place.schema}.tile set result = $1 where run = $2`, [changed, other]);
    expect((await ask(place, ['results', other])).err).toContain(refused);
  });
});

describe('workers that are killed', () => {
  const kills = isSlow ? 100 : 3;
  /** The number of killed workers between two restarts of the database. */
  const every = isSlow ? 25 : 2;

  it(`${kills} times, with the database restarted meanwhile, lose nothing and do nothing twice`, async () => {
    const seed = isSlow ? Date.now() % 2 ** 31 : 7;
    if (isSlow) console.log(`seed ${process.env['NEARFIELD_SEED'] ?? seed}`);
    const random = createRandom(Number(process.env['NEARFIELD_SEED'] ?? seed));
    const count = isSlow ? 400 : 60;
    const place = await placeOf(randomAssembly(88, count));
    const asking = ['--depths', 'all', '--clearance', '0.4', '--volumes'];
    const whole = await runIn(place.folder, ['check', ...models, ...asking, '--json']);
    const run = await submitted(place, [...asking, '--tiles', isSlow ? '120' : '8']);
    const words = ['work', '--until-done', '--lease', '1', '--attempts', '1000'];
    let killed = 0;
    let restarts = 0;
    const lane = async () => {
      for (;;) {
        const worker = start(place, words);
        const isKilled = killed < kills;
        const kill = () => isKilled && worker.process.kill('SIGKILL');
        const timer = setTimeout(kill, random.between(300, isSlow ? 2500 : 1200));
        const { status, err } = await worker.outcome;
        clearTimeout(timer);
        if (status === 0) return;
        if (status === -1) killed++;
        // A worker that starts while the database does not listen ends with an error. Then another is started.
        else
          expect(err).toMatch(/ECONNREFUSED|ECONNRESET|connection error|starting up|shutting down|terminat/);
        if (killed > 0 && killed % every === 0 && restarts < killed / every) {
          restarts++;
          await server.restart();
        }
      }
    };
    // Tells what is waited for, should it never end.
    const late = setTimeout(async () => {
      const tiles = `select tile, worker, beat, attempts, failed, error, result is null as open from ${place.schema}.tile`;
      const asked = [tiles, `select state, data, start_after, now() from ${place.schema}.job`];
      for (const each of [...asked, 'select state, wait_event, query from pg_stat_activity'])
        console.log(JSON.stringify(await server.query(each)));
    }, 45_000);
    await Promise.all([lane(), lane()]).finally(() => clearTimeout(late));
    const { out } = await cluster(place, ['results', run, '--json']);
    expect(same(out)).toBe(same(whole.out));
    const rows = await server.query(
      `select count(*)::int as n from ${place.schema}.tile where result is not null`,
    );
    const jobs = await server.query(
      `select state, count(*)::int as n from ${place.schema}.job group by state`,
    );
    expect(jobs).toEqual([{ state: 'completed', n: rows[0]['n'] }]);
    if (isSlow) console.log(`${killed} kills, ${restarts} restarts of the database`);
    expect(killed).toBeGreaterThan(0);
  });
});
