// TLS by the URL of the database: the server refuses connections without TLS, and signs its own certificate.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCluster } from './cluster.ts';
import { TestServer } from './testing.ts';

let server: TestServer;
let place: string;
beforeAll(async () => {
  server = await TestServer.start({ tls: true });
  place = server.url.replace('@127.0.0.1:', '@localhost:');
});
afterAll(() => server.close());

const trusted = () => `sslmode=verify-full&sslrootcert=${encodeURIComponent(server.certificateFile)}`;

it('encrypts every connection if the URL asks for it', async () => {
  const schema = await server.schema();
  const cluster = await openCluster({ database: `${place}?${trusted()}`, schema });
  const { run } = await cluster.submit({ asked: 'anything', tiles: [{ work: 1 }, { work: 2 }] });
  const seen: unknown[] = [];
  const perform = async () => {
    const connections = `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'checker'`;
    seen.push(...(await server.query(connections)).map(row => row['ssl']));
    return 'found';
  };
  await cluster.work(perform, { untilDone: true });
  expect(await cluster.results(run)).toEqual(['found', 'found']);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.every(isEncrypted => isEncrypted === true)).toBe(true);
  await cluster.close();
});

it('refuses a server that it cannot trust, and a connection without TLS is refused by the server', async () => {
  const forms = [server.password, encodeURIComponent(server.password)];
  for (const [words, message] of [
    ['?sslmode=verify-full', /self.signed/],
    ['?sslmode=disable', /no encryption/],
    ['', /no encryption/],
  ] as const) {
    const error = await openCluster({ database: `${place}${words}`, schema: 'any' }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).toMatch(message);
    expect(forms.filter(form => String(error).includes(form))).toEqual([]);
  }
});
