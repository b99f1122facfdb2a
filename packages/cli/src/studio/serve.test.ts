// The server against hostile requests.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serveFolder } from './serve.ts';

const outside = mkdtempSync(join(tmpdir(), 'nearfield-serve-'));
const folder = join(outside, 'page');
let served: Served;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(outside, 'secret.js'), 'secret');
  writeFileSync(join(outside, 'page-other.js'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/main-a1B2c3D4.js'), 'let x;');
  writeFileSync(join(folder, 'assets/some-component.js'), 'let y;');
  writeFileSync(join(folder, 'assets/some-distance.js'), 'let z;');
  writeFileSync(join(folder, 'some-component.js'), 'let y;');
  writeFileSync(join(folder, 'hashed.json'), '["assets/main-a1B2c3D4.js"]');
  writeFileSync(join(folder, 'assets/notes.txt'), 'notes');
  writeFileSync(join(folder, '.git/config.json'), '{}');
  symlinkSync(join(outside, 'secret.js'), join(folder, 'assets/link.js'));
  served = await serveFolder(folder, 0);
});
afterAll(async () => {
  await served.close();
  rmSync(outside, { recursive: true });
});

/** Paths go over as they are: fetch would tidy them. */
function ask(path: string, options: { method?: string; host?: string } = {}) {
  const { hostname, port } = new URL(served.url);
  return new Promise<{ status: number; text: string; header: (name: string) => string | undefined }>(
    (resolve, reject) => {
      const headers = options.host === undefined ? {} : { host: options.host };
      const sent = request({ hostname, port, path, method: options.method ?? 'GET', headers }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({
            status: response.statusCode!,
            text,
            header: name => response.headers[name] as string | undefined,
          });
        });
      });
      sent.on('error', reject).end();
    },
  );
}

test('serves its page with the headers that threads need, and lets browsers keep hashed files', async () => {
  const page = await ask('/');
  expect([page.status, page.text, page.header('content-type')]).toEqual([
    200,
    '<!doctype html>',
    'text/html; charset=utf-8',
  ]);
  expect(page.header('cross-origin-opener-policy')).toBe('same-origin');
  expect(page.header('cross-origin-embedder-policy')).toBe('require-corp');
  expect(page.header('content-security-policy')).toContain("default-src 'self'");
  expect(page.header('cache-control')).toBe('no-store');
  const script = await ask('/assets/main-a1B2c3D4.js?v=1');
  expect([script.status, script.text]).toEqual([200, 'let x;']);
  expect(script.header('cache-control')).toContain('immutable');
  const head = await ask('/index.html', { method: 'HEAD' });
  expect([head.status, head.text, head.header('content-length')]).toEqual([200, '', '15']);
});

test.each([
  '/../secret.js',
  '/assets/../../secret.js',
  '/%2e%2e/secret.js',
  '/..%2fsecret.js',
  '/..%5csecret.js',
  '/%252e%252e/secret.js',
  '/../page-other.js',
  '/assets/link.js',
  '/assets/notes.txt',
  '/assets',
  '/assets/',
  '/.git/config.json',
  '/index.html%00.js',
  '/%zz',
  '/none.js',
  `/${'a/'.repeat(4000)}x.js`,
])('refuses %s', async path => {
  const { status, text } = await ask(path);
  expect(status).toBe(404);
  expect(text).not.toContain('secret');
});

test('serves the packages that read IFC and STEP where they are installed, and only their files', async () => {
  const module = await ask('/packages/occt-import-js.js');
  expect([module.status, module.header('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(module.text).toMatch(/export default occtimportjs;\n$/);
  const wasm = await ask('/packages/web-ifc.wasm', { method: 'HEAD' });
  expect([wasm.status, wasm.header('content-type'), wasm.text]).toEqual([200, 'application/wasm', '']);
  for (const path of ['package.json', 'constructor', '..%2fweb-ifc.wasm', 'web-ifc.d.ts', '']) {
    expect((await ask(`/packages/${path}`)).status).toBe(404);
  }
  expect((await ask('/packages/web-ifc.js', { host: 'evil.example' })).status).toBe(403);
});

test('only the worker that reads files may make code of texts', async () => {
  writeFileSync(join(folder, 'assets/foreign-worker-a1B2c3D4.js'), 'let w;');
  const policyOf = async (path: string) => (await ask(path)).header('content-security-policy');
  expect(await policyOf('/assets/foreign-worker-a1B2c3D4.js')).toMatch(/ 'unsafe-eval'/);
  expect(await policyOf('/assets/main-a1B2c3D4.js')).not.toMatch(/ 'unsafe-eval'/);
  expect(await policyOf('/')).not.toMatch(/ 'unsafe-eval'/);
});

test('refuses other methods and other host names', async () => {
  expect((await ask('/', { method: 'POST' })).status).toBe(405);
  expect((await ask('/', { method: 'DELETE' })).status).toBe(405);
  for (const host of [
    'evil.example',
    'evil.example:4173',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
  ]) {
    expect((await ask('/', { host })).status).toBe(403);
  }
  for (const host of ['localhost', 'localhost:1', '127.0.0.1', '[::1]:9']) {
    expect((await ask('/', { host })).status).toBe(200);
  }
});

test('lets browsers keep no other file, whatever its name, and none without a list', async () => {
  for (const path of ['/assets/some-component.js', '/assets/some-distance.js', '/some-component.js']) {
    const { status, header } = await ask(path);
    expect([status, header('cache-control')]).toEqual([200, 'no-store']);
  }
  for (const list of ['', '{}', '[null, 3, "../secret.js"]']) {
    const other = mkdtempSync(join(outside, 'other-'));
    writeFileSync(join(other, 'main-a1B2c3D4.js'), 'let x;');
    if (list !== '') writeFileSync(join(other, 'hashed.json'), list);
    const unlisted = await serveFolder(other, 0);
    const response = await fetch(`${unlisted.url}main-a1B2c3D4.js`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    await unlisted.close();
  }
});

test('listens on this machine only, and reports a port that is taken', async () => {
  expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(serveFolder(folder, port)).rejects.toThrow(new RegExp(`port ${port} is taken`));
  other.close();
  const [first, second] = [await serveFolder(folder), await serveFolder(folder)];
  expect(first.url).not.toBe(second.url);
  await first.close();
  await second.close();
});
