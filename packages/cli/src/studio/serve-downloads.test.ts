// The server as a browser uses it: aborted downloads and compressed files.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { chosenEncoding } from './encodings.ts';
import { type Served, serveFolder } from './serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'nearfield-downloads-'));
const script = `${'let x = "nearfield"; '.repeat(5000)}\n`;
let served: Served;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets/main.js'), script);
  writeFileSync(join(folder, 'assets/packed.js.gz'), gzipSync(script));
  // Too large for the buffers between the two ends.
  writeFileSync(join(folder, 'assets/large.png'), Buffer.alloc(8 * 2 ** 20));
  served = await serveFolder(folder, 0);
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(served.url);
  return new Promise<{ status: number; body: Buffer; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, response => {
      const pieces: Buffer[] = [];
      response.on('data', piece => pieces.push(piece));
      response.on('end', () =>
        resolve({ status: response.statusCode!, body: Buffer.concat(pieces), headers: response.headers }),
      );
    });
    sent.on('error', reject).end();
  });
}

/** Asks for a file and hangs up when its first bytes come. */
function abort(path: string): Promise<void> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    );
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.on('error', reject);
  });
}

// If the system lists open files; on others the server is only asked.
const openFiles = (): string[] => {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
};

test('300 aborted downloads leave no file open', async () => {
  await abort('/assets/large.png');
  const before = openFiles().length;
  for (let i = 0; i < 300; i += 20) {
    await Promise.all(Array.from({ length: 20 }, () => abort('/assets/large.png')));
  }
  // The server learns of the last ones a moment later.
  for (let tries = 0; tries < 200 && openFiles().length > before + 10; tries++) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  expect(openFiles().length).toBeLessThanOrEqual(before + 10);
  const { status, body } = await ask('/assets/large.png');
  expect([status, body.length]).toEqual([200, 8 * 2 ** 20]);
});

test('forbids other pages to frame it', async () => {
  for (const path of ['/', '/assets/main.js', '/missing.js']) {
    const { headers } = await ask(path);
    expect(headers['content-security-policy']).toMatch(/(^|; )frame-ancestors 'none'/);
  }
});

describe('compression', () => {
  const decoders: Record<string, (bytes: Buffer) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    identity: bytes => bytes,
  };

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity, br;q=0.5', 'identity'],
    ['*', 'br'],
    ['deflate', 'identity'],
    ['', 'identity'],
  ])('a reader that accepts "%s" gets %s', async (accepted, encoding) => {
    const sent = accepted === '' ? {} : { 'accept-encoding': accepted };
    const { status, body, headers } = await ask('/assets/main.js', sent);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(decoders[encoding](body).toString()).toBe(script);
    if (encoding !== 'identity') expect(body.length).toBeLessThan(script.length / 20);
    const head = await ask('/assets/main.js', sent, 'HEAD');
    expect(head.body.length).toBe(0);
    for (const name of ['content-length', 'content-encoding', 'content-type', 'vary']) {
      expect(head.headers[name]).toBe(headers[name]);
    }
  });

  it.each([
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['br, gzip;q=0.9', 'br'],
    ['gzip;q=0, identity', 'identity'],
    ['', 'identity'],
  ])('a reader that accepts "%s" gets a packed file as %s', async (accepted, encoding) => {
    const sent = accepted === '' ? {} : { 'accept-encoding': accepted };
    const { status, body, headers } = await ask('/assets/packed.js', sent);
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'Accept-Encoding',
    ]);
    expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(decoders[encoding](body).toString()).toBe(script);
    expect((await ask('/assets/packed.js.gz', sent)).status).toBe(404);
  });

  it('does not compress pictures and small files', async () => {
    for (const path of ['/assets/large.png', '/']) {
      const { headers } = await ask(path, { 'accept-encoding': 'br' });
      expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
    }
  });

  it('answers a range request with the whole file', async () => {
    const { status, body, headers } = await ask('/assets/main.js', {
      range: 'bytes=0-9',
      'accept-encoding': 'br',
    });
    expect([status, headers['accept-ranges'], headers['content-range']]).toEqual([200, 'none', undefined]);
    expect(brotliDecompressSync(body).toString()).toBe(script);
  });

  it('compresses a changed file again', async () => {
    const path = join(folder, 'assets/changing.js');
    writeFileSync(path, script);
    await ask('/assets/changing.js', { 'accept-encoding': 'br' });
    writeFileSync(path, script.toUpperCase());
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    const { body } = await ask('/assets/changing.js', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(body).toString()).toBe(script.toUpperCase());
  });

  it('ignores unknown encodings and weights', () => {
    for (const accepted of ['br;q=2', 'br;q=x']) expect(chosenEncoding(accepted)).toBe('br');
    for (const accepted of [';;,,', 'brr', 'q=1']) expect(chosenEncoding(accepted)).toBe(undefined);
  });
});
