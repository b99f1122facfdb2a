// pg-boss took the transaction for the output of the job, as its types do not say: jobs were completed and put back
// outside the transaction that writes the result. A worker that died in between left a tile without a result whose
// job was completed, so that nobody did it and the others waited for ever. A job whose tile was done already stayed
// active.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from '../../../packages/cluster/src/index.ts';
import { TestServer } from '../../../packages/cluster/src/testing.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

it('completes a job only if its result is written', async () => {
  const schema = await server.schema();
  const cluster = await openCluster({ database: server.url, schema });
  const { run } = await cluster.submit({ asked: 'anything', tiles: [{ work: 1 }] });
  // The transaction fails when it is committed, as it does if its worker is killed just before.
  await server.query(`create function ${schema}.no_room() returns trigger language plpgsql as
    $$ begin if new.result is not null then raise 'no room' using errcode = '53100'; end if; return new; end $$`);
  await server.query(`create constraint trigger no_room after update on ${schema}.tile
    deferrable initially deferred for each row execute function ${schema}.no_room()`);
  const states: Promise<unknown>[] = [];
  const log = () => {
    const state = server.query(`select state from ${schema}.job`);
    states.push(state.then(rows => rows[0]['state']));
    if (states.length === 2)
      void state.then(() => server.query(`drop trigger no_room on ${schema}.tile`)).catch(() => {});
  };
  expect(await cluster.work(async () => 'found', { untilDone: true, log })).toBe(1);
  expect(await Promise.all(states)).toEqual(states.map(() => 'active'));
  expect(await cluster.results(run)).toEqual(['found']);
  await cluster.close();
});

it('completes the jobs of tiles that are done', async () => {
  const schema = await server.schema();
  const cluster = await openCluster({ database: server.url, schema });
  const { run } = await cluster.submit({ asked: 'anything', tiles: [{ work: 1 }, { work: 2 }] });
  const perform = async () => 'found';
  await cluster.work(perform, { untilDone: true });
  // Both workers were taken for dead and then finished.
  await server.query(`update ${schema}.job set state = 'retry'`);
  expect(await cluster.work(perform, { untilDone: true })).toBe(0);
  const jobs = await server.query(`select state from ${schema}.job`);
  expect(jobs).toEqual([{ state: 'completed' }, { state: 'completed' }]);
  expect(await cluster.results(run)).toEqual(['found', 'found']);
  await cluster.close();
});

it('leaves a tile with its new worker if the one that was taken for dead fails', async () => {
  const schema = await server.schema();
  const cluster = await openCluster({ database: server.url, schema, lease: 3600 });
  await cluster.submit({ asked: 'anything', tiles: [{ work: 1 }] });
  let begun = 0;
  const failing = cluster.work(
    async () => {
      if (++begun > 1) return 'found';
      // Another machine has it now.
      await server.query(`update ${schema}.tile set worker = 'another'`);
      throw new Error('the machine was too slow');
    },
    { signal: AbortSignal.timeout(1500) },
  );
  await failing;
  expect(begun).toBe(1);
  expect(await server.query(`select state from ${schema}.job`)).toEqual([{ state: 'active' }]);
  await cluster.close();
});

it('queues a tile again whose job is gone', async () => {
  const schema = await server.schema();
  const cluster = await openCluster({ database: server.url, schema });
  const run = { asked: 'anything', tiles: [{ work: 1 }, { work: 2 }] };
  await cluster.submit(run);
  expect((await cluster.submit(run)).queued).toBe(0);
  await server.query(`update ${schema}.job set state = 'completed' where data->>'tile' = '2'`);
  expect((await cluster.submit(run)).queued).toBe(1);
  expect(await cluster.work(async () => 'found', { untilDone: true })).toBe(2);
  await cluster.close();
});
