// The cluster on a real server: every tile gets exactly one result, whatever happens; nobody learns the password; the role
// needs no more than its schema.

import { tmpdir } from 'node:os';
import { NearfieldError } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, openCluster } from './cluster.ts';
import { FolderStore } from './store.ts';
import { TestServer } from './testing.ts';
import type { Perform } from './work.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

async function withCluster<T>(
  action: (cluster: Cluster, schema: string) => Promise<T>,
  options: { lease?: number; attempts?: number; schema?: string } = {},
): Promise<T> {
  const schema = options.schema ?? (await server.schema());
  const cluster = await openCluster({ database: server.url, ...options, schema });
  try {
    return await action(cluster, schema);
  } finally {
    await cluster.close();
  }
}

const echo: Perform = async ({ tile, tiles, asked, detail }) => {
  if ((detail as { square: number }).square !== tile ** 2) throw new Error('the detail of another tile');
  return `${tile}/${tiles} of ${(asked as { name: string }).name}`;
};
const run = (name: string, count: number) => ({
  asked: { name },
  tiles: Array.from({ length: count }, (_, i) => ({ work: i + 1, detail: { square: (i + 1) ** 2 } })),
});

describe('runs', () => {
  it('give every tile to one of several workers, and keep the results', () =>
    withCluster(async cluster => {
      const { run: id, queued } = await cluster.submit(run('a', 12));
      expect({ id, queued }).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), queued: 12 });
      const order: number[] = [];
      const noting: Perform = (tile, signal) => {
        order.push(tile.tile);
        return echo(tile, signal);
      };
      const finished = await Promise.all([1, 2, 3].map(() => cluster.work(noting, { untilDone: true })));
      expect(finished.reduce((p, q) => p + q)).toBe(12);
      expect([...order].sort((p, q) => p - q)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
      expect(await cluster.results(id)).toEqual(Array.from({ length: 12 }, (_, i) => `${i + 1}/12 of a`));
      const { list } = await cluster.status(id);
      expect(
        list.every(({ state, seconds, attempts }) => state === 'done' && seconds! >= 0 && attempts === 1),
      ).toBe(true);
      // Submitted again, nothing is left to do.
      expect(await cluster.submit(run('a', 12))).toEqual({ run: id, queued: 0 });
      expect(await cluster.runs()).toEqual([id]);
    }));

  // With several workers, one that took a smaller tile may begin before the one that took the largest.
  it('give a worker the largest tiles first', () =>
    withCluster(async cluster => {
      await cluster.submit(run('a', 12));
      const order: number[] = [];
      const noting: Perform = (tile, signal) => {
        order.push(tile.tile);
        return echo(tile, signal);
      };
      await cluster.work(noting, { untilDone: true });
      expect(order).toEqual(Array.from({ length: 12 }, (_, i) => 12 - i));
    }));

  it('that are open or unknown have no results', () =>
    withCluster(async cluster => {
      const { run: id } = await cluster.submit(run('a', 3));
      await expect(cluster.results(id)).rejects.toThrow('3 of 3 tiles are open');
      await expect(cluster.status('none')).rejects.toThrow('there is no run none');
      await expect(cluster.submit({ asked: {}, tiles: [] })).rejects.toThrow('at least one tile');
    }));

  it('fail by name if the question is bad, and go on when they are submitted again', () =>
    withCluster(async cluster => {
      const { run: id } = await cluster.submit(run('a', 3));
      const poisoned: Perform = async (tile, signal) => {
        if (tile.tile === 2) throw new NearfieldError('bad-file', 'pump.stl: no triangles');
        return echo(tile, signal);
      };
      expect(await cluster.work(poisoned, { untilDone: true })).toBe(2);
      await expect(cluster.results(id)).rejects.toThrow('tile 2: pump.stl: no triangles');
      const { list } = await cluster.status(id);
      expect(list[1]).toMatchObject({ state: 'failed', attempts: 1, error: 'pump.stl: no triangles' });
      expect((await cluster.submit(run('a', 3))).queued).toBe(1);
      await cluster.work(echo, { untilDone: true });
      expect((await cluster.results(id)).length).toBe(3);
    }));

  it('try again what may have been the machine, and give up in the end', () =>
    withCluster(
      async cluster => {
        const { run: id } = await cluster.submit(run('a', 2));
        const tries = [0, 0, 0];
        const shaky: Perform = async (tile, signal) => {
          if (++tries[tile.tile] < 3 || tile.tile === 1) throw new NearfieldError('out-of-memory', 'no room');
          return echo(tile, signal);
        };
        expect(await cluster.work(shaky, { untilDone: true })).toBe(1);
        expect(tries).toEqual([0, 4, 3]);
        await expect(cluster.results(id)).rejects.toThrow('tile 1: no room');
      },
      { attempts: 4 },
    ));

  it('count a tile once that two workers have done: the slow one was taken for dead', () =>
    withCluster(
      async (cluster, schema) => {
        const { run: id } = await cluster.submit(run('a', 1));
        let release = () => {};
        const waiting = new Promise<void>(resolve => (release = resolve));
        let begun = () => {};
        const started = new Promise<void>(resolve => (begun = resolve));
        const slow = cluster.work(
          async () => {
            begun();
            await waiting;
            return 'slow';
          },
          { untilDone: true },
        );
        await started;
        // As if it had been silent for long.
        await server.query(`update ${schema}.tile set beat = now() - interval '1 hour', worker = 'gone'`);
        await cluster.work(async () => 'fast', { untilDone: true });
        release();
        await slow;
        expect(await cluster.results(id)).toEqual(['fast']);
        expect((await server.query(`select count(*)::int as n from ${schema}.tile`))[0]['n']).toBe(1);
        expect((await server.query(`select state from ${schema}.job`)).map(row => row['state'])).toEqual([
          'completed',
        ]);
      },
      { lease: 60 },
    ));

  it('stay with the worker that took them over when the slow one, of the same process, fails', () =>
    withCluster(
      async (cluster, schema) => {
        const { run: id } = await cluster.submit(run('a', 1));
        const names: unknown[] = [];
        const noteName = async () =>
          names.push((await server.query(`select worker from ${schema}.tile`))[0]['worker']);
        const stop = new AbortController();
        let fail = () => {};
        let slow = Promise.resolve(0);
        await new Promise<void>(begun => {
          const slowly: Perform = async () => {
            await noteName();
            begun();
            return new Promise((_, reject) => (fail = () => reject(new Error('slow'))));
          };
          slow = cluster.work(slowly, { signal: stop.signal, log: () => stop.abort() });
        });
        // As if it had been silent for long.
        await server.query(`update ${schema}.tile set beat = now() - interval '1 hour'`);
        const taking: Perform = async (tile, signal) => {
          await noteName();
          fail();
          expect(await slow).toBe(0);
          return echo(tile, signal);
        };
        expect(await cluster.work(taking, { untilDone: true })).toBe(1);
        expect(new Set(names).size).toBe(2);
        expect(await cluster.results(id)).toEqual(['1/1 of a']);
        const [{ attempts, error }] = (await cluster.status(id)).list;
        expect({ attempts, error }).toEqual({ attempts: 2, error: undefined });
        // The job was not put back into the queue meanwhile.
        expect(await server.query(`select state, retry_count from ${schema}.job`)).toEqual([
          { state: 'completed', retry_count: 1 },
        ]);
      },
      { lease: 60 },
    ));

  it('fail a tile whose workers all die, name it, and do the others', () =>
    withCluster(
      async (cluster, schema) => {
        const { run: id } = await cluster.submit(run('a', 2));
        let die = () => {};
        const dying = new Promise<never>((_, reject) => (die = () => reject(new Error('killed'))));
        const workers: Promise<number>[] = [];
        for (let attempt = 1; attempt <= 2; attempt++) {
          const stop = new AbortController();
          await new Promise<void>(resolve => {
            const silent: Perform = async ({ tile }) => {
              const where = `where run = '${id}' and tile = ${tile}`;
              // The worker sends no more heartbeats, and its name is unknown.
              await server.query(
                `update ${schema}.tile set beat = now() - interval '1 hour', worker = 'gone' ${where}`,
              );
              resolve();
              return dying;
            };
            workers.push(cluster.work(silent, { signal: stop.signal }));
          });
          stop.abort();
        }
        expect(await cluster.work(echo, { untilDone: true })).toBe(1);
        await expect(cluster.results(id)).rejects.toThrow('tile 2: the worker gone stopped answering');
        expect((await cluster.status(id)).list[1]).toMatchObject({ state: 'failed', attempts: 2 });
        die();
        await Promise.all(workers);
        expect((await cluster.submit(run('a', 2))).queued).toBe(1);
        await cluster.work(echo, { untilDone: true });
        expect(await cluster.results(id)).toEqual(['1/2 of a', '2/2 of a']);
      },
      { attempts: 2, lease: 60 },
    ));

  it('are cancelled without a failed attempt: the tile goes back to the queue', () =>
    withCluster(async cluster => {
      const { run: id } = await cluster.submit(run('a', 1));
      const stop = new AbortController();
      await cluster.work(
        async (_, signal) => {
          stop.abort();
          signal.throwIfAborted();
          return '';
        },
        { signal: stop.signal },
      );
      expect((await cluster.status(id)).list[0]).toMatchObject({ state: 'waiting', attempts: 0 });
      await cluster.work(echo, { untilDone: true });
      expect((await cluster.results(id)).length).toBe(1);
    }));

  it('go on after the database was restarted in the middle', () =>
    withCluster(async cluster => {
      const { run: id } = await cluster.submit(run('a', 6));
      const said: string[] = [];
      let restarted: Promise<void> | undefined;
      const restarting: Perform = async (tile, signal) => {
        if (tile.tile === 4) {
          restarted ??= server.restart();
          // The result is written while the server is away.
          await new Promise(resolve => setTimeout(resolve, 20));
        }
        return echo(tile, signal);
      };
      await cluster.work(restarting, { untilDone: true, log: message => said.push(message) });
      await restarted;
      expect(await cluster.results(id)).toEqual(Array.from({ length: 6 }, (_, i) => `${i + 1}/6 of a`));
    }));
});

describe('a database whose disk is full', () => {
  /** Makes every write of a result fail as on a full disk (PostgreSQL's disk_full). */
  async function fill(schema: string): Promise<void> {
    await server.query(`create function ${schema}.no_room() returns trigger language plpgsql as
      $$ begin if new.result is not null then raise 'could not extend file' using errcode = '53100'; end if; return new; end $$`);
    await server.query(
      `create trigger no_room before update on ${schema}.tile for each row execute function ${schema}.no_room()`,
    );
  }

  it('makes workers wait, and loses nothing', () =>
    withCluster(async (cluster, schema) => {
      const { run: id } = await cluster.submit(run('a', 3));
      await fill(schema);
      const said: string[] = [];
      let freed: Promise<unknown> | undefined;
      const log = (message: string) => {
        said.push(message);
        if (said.length === 3) freed = server.query(`drop trigger no_room on ${schema}.tile`);
      };
      expect(await cluster.work(echo, { untilDone: true, log })).toBe(3);
      await freed;
      expect(said[0]).toMatch(/could not extend file; trying again$/);
      expect(await cluster.results(id)).toEqual(['1/3 of a', '2/3 of a', '3/3 of a']);
      expect((await cluster.status(id)).list.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    }));

  it('does not let a worker that gives up count a tile whose result it could not write', () =>
    withCluster(
      async (cluster, schema) => {
        const { run: id } = await cluster.submit(run('a', 1));
        await fill(schema);
        const stop = new AbortController();
        expect(await cluster.work(echo, { signal: stop.signal, log: () => stop.abort() })).toBe(0);
        await server.query(`drop trigger no_room on ${schema}.tile`);
        expect(await cluster.work(echo, { untilDone: true })).toBe(1);
        expect(await cluster.results(id)).toEqual(['1/1 of a']);
      },
      { lease: 1 },
    ));
});

describe('secrets and rights', () => {
  it('the role needs no more than its schema, which it may not even create', async () => {
    await expect(openCluster({ database: server.url, schema: 'fresh' })).rejects.toThrow(
      'there is no schema fresh, and the role may not create it',
    );
    await withCluster(cluster => cluster.submit(run('a', 1)));
    // The role of all these tests may do nothing else in this database.
    const rights = await server.query(`select has_database_privilege('checker', 'models', 'create') or
      has_database_privilege('checker', 'models', 'temporary') or has_schema_privilege('checker', 'public', 'create') or
      (select rolsuper or rolcreatedb or rolcreaterole from pg_roles where rolname = 'checker') as more`);
    expect(rights).toEqual([{ more: false }]);
  });

  it('no message, row or log has the password', async () => {
    const forms = [server.password, encodeURIComponent(server.password)];
    const seen: string[] = [];
    const failing = async (database: string, schema = 'nearfield') => {
      const error = await openCluster({ database, schema }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(NearfieldError);
      for (let at = error as Error | undefined; at !== undefined; at = at.cause as Error | undefined)
        seen.push(String(at), at.stack ?? '', JSON.stringify(at));
    };
    await failing(server.url.replace('/models', '/none'));
    await failing(server.url.replace(`:${server.port}`, ':1'));
    await failing(server.url.replace('checker:', 'nobody:'));
    await failing(server.url.replace('postgres://', 'mysql://'));
    await failing(`postgres://checker:${forms[1]}@[bad/models`);
    await withCluster(async (cluster, schema) => {
      await cluster.submit(run('a', 2));
      const leaking: Perform = async () => {
        throw new Error(`cannot use ${server.url} or ${server.password}`);
      };
      await cluster.work(leaking, { untilDone: true, log: message => seen.push(message) });
      const { rows } = {
        rows: await server.query(`select tablename from pg_tables where schemaname = $1`, [schema]),
      };
      for (const { tablename } of rows)
        seen.push(JSON.stringify(await server.query(`select t::text from ${schema}.${tablename} t`)));
      expect(rows.length).toBeGreaterThan(6);
    });
    expect(seen.join('\n')).toContain('***');
    expect(seen.filter(text => forms.some(form => text.includes(form)))).toEqual([]);
  });

  it('bad options are refused by name', async () => {
    const database = server.url;
    await expect(openCluster({ database, schema: 'a; drop' })).rejects.toThrow('is not the name of a schema');
    await expect(openCluster({ database, lease: 0 })).rejects.toThrow('a lease takes');
    await expect(openCluster({ database, attempts: 0 })).rejects.toThrow('at least once');
    await expect(openCluster({ database: 7 as never })).rejects.toThrow('the URL of a database');
    expect(() => new FolderStore('')).toThrow('the folder of a store is a text');
    await withCluster(cluster =>
      expect(cluster.work(7 as never)).rejects.toThrow('a function that does a tile'),
    );
  });
});

describe('the register', () => {
  it('keeps who has said what when, and adds only what has changed', () =>
    withCluster(async ({ register }) => {
      const open = new Map([
        ['a1', { status: 'open' }],
        ['b2', { status: 'open' }],
      ]);
      expect(await register.decide('plant', 'robin', open)).toBe(2);
      expect(await register.decide('plant', 'robin', open)).toBe(0);
      expect(
        await register.decide('plant', 'sam', new Map([['a1', { status: 'accepted', comment: 'welded' }]])),
      ).toBe(1);
      expect(await register.decide('other', 'sam', new Map([['a1', { status: 'fixed' }]]))).toBe(1);
      expect(
        (await register.decisions('plant')).map(({ clash, entry, who }) => [clash, entry['status'], who]),
      ).toEqual([
        ['a1', 'accepted', 'sam'],
        ['b2', 'open', 'robin'],
      ]);
      const history = await register.history('plant', 'a1');
      expect(history.map(({ who }) => who)).toEqual(['robin', 'sam']);
      expect(history[0].at <= history[1].at).toBe(true);
      await expect(register.decide('plant', ' ', open)).rejects.toThrow('the name of who decides is a text');
    }));

  it('keeps the last baseline', () =>
    withCluster(async ({ register }) => {
      expect(await register.baseline('plant')).toBeUndefined();
      await register.setBaseline('plant', 'sam', '{"first": 1}');
      await register.setBaseline('plant', 'robin', '{"second": 2}');
      expect(await register.baseline('plant')).toMatchObject({ answer: '{"second": 2}', who: 'robin' });
    }));
});

describe('wrong arguments are refused by name, before the database is asked', () => {
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  const any = <T>(value: unknown) => value as T;

  it('of every public function', () =>
    withCluster(async cluster => {
      const { register } = cluster;
      const store = new FolderStore(tmpdir());
      const entries = new Map([['0123456789ab', {}]]);
      const calls: readonly (readonly [string, () => unknown])[] = [
        ...[undefined, null, 7, {}, { database: 7 }, { database: server.url, schema: 7 }].map(
          each => [`openCluster(${JSON.stringify(each)})`, () => openCluster(any(each))] as const,
        ),
        ...[undefined, null, 'text', {}, { asked: 1, tiles: 3 }, { asked: 1, tiles: [null] }].map(
          each => [`submit(${JSON.stringify(each)})`, () => cluster.submit(any(each))] as const,
        ),
        ...[NaN, -1, Infinity, '3'].map(
          work =>
            [`work ${work}`, () => cluster.submit({ asked: {}, tiles: [{ work: any(work) }] })] as const,
        ),
        ['a function as question', () => cluster.submit({ asked: () => 1, tiles: [{ work: 1 }] })],
        ['a question in itself', () => cluster.submit({ asked: circle, tiles: [{ work: 1 }] })],
        ['a detail in itself', () => cluster.submit({ asked: 1, tiles: [{ work: 1, detail: circle }] })],
        ['work()', () => cluster.work(any(undefined))],
        ['work with null', () => cluster.work(echo, any(null))],
        ...[undefined, null, 7, ''].flatMap((each): (readonly [string, () => unknown])[] => [
          [`status(${each})`, () => cluster.status(any(each))],
          [`results(${each})`, () => cluster.results(any(each))],
          [`decisions(${each})`, () => register.decisions(any(each))],
          [`history(${each})`, () => register.history(any(each), 'x')],
          [`history of ${each}`, () => register.history('x', any(each))],
          [`decide(${each})`, () => register.decide(any(each), 'x', entries)],
          [`decide by ${each}`, () => register.decide('x', any(each), entries)],
          [`decide with ${each}`, () => register.decide('x', 'y', any(each))],
          [`decide ${each}`, () => register.decide('x', 'y', new Map([['z', any(each)]]))],
          [`setBaseline(${each})`, () => register.setBaseline(any(each), 'x', '{}')],
          [`setBaseline by ${each}`, () => register.setBaseline('x', any(each), '{}')],
          [`setBaseline to ${each}`, () => register.setBaseline('x', 'y', any(each))],
          [`baseline(${each})`, () => register.baseline(any(each))],
          [`store of ${each}`, () => new FolderStore(any(each))],
          [`put(${each})`, () => store.put(any(each))],
          [`get(${each})`, () => store.get(any(each))],
          [`has(${each})`, () => store.has(any(each))],
        ]),
      ];
      const wrong: string[] = [];
      for (const [name, call] of calls) {
        const error = await Promise.resolve()
          .then(call)
          .then(
            () => 'nothing',
            (each: unknown) => each,
          );
        if (!(error instanceof NearfieldError && error.code === 'bad-option'))
          wrong.push(`${name}: ${error}`);
      }
      expect(wrong).toEqual([]);
      expect(await cluster.runs()).toEqual([]);
    }));
});
