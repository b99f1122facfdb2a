// A web server for one folder, for this machine alone. Everything it is asked is hostile until proven otherwise: other
// hosts' names, paths that lead out of the folder, methods that change things.

import { createReadStream, type Stats } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NearfieldError } from 'nearfield';
import { Compressed, chosenEncoding, isCompressible } from './encodings.ts';

/** Nothing else is served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** With the first two a page has threads; the others keep it to itself. */
const headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval' blob:",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self' blob: data:",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** Where a page is looked for first, and how many ports after it. */
const usualPort = 4173;
const tries = 20;

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder on this machine. Without a port: the first free one from 4173 on, else any. */
export async function serveFolder(folder: string, port?: number): Promise<Served> {
  const root = await realpath(folder);
  const page = { root, hashed: await hashedFiles(root), compressed: new Compressed() };
  const server = createServer((request, response) => {
    answer(page, request, response).catch(() => refuse(response, 500, 'the file could not be read'));
  });
  const ports = port === undefined ? [...Array(tries).keys()].map(i => usualPort + i).concat(0) : [port];
  for (const candidate of ports) {
    if (await listens(server, candidate)) return { url: urlOf(server), close: () => closeServer(server) };
  }
  throw new NearfieldError('bad-option', `port ${port} is taken or not allowed; choose another with --port`);
}

interface Page {
  readonly root: string;
  /** Real paths of the files that may be kept for good. */
  readonly hashed: ReadonlySet<string>;
  readonly compressed: Compressed;
}

/**
 * Files with a hash of their content in their name never change. Which ones have it cannot be seen from a name: the build lists those
 * that it hashed. A folder without a list has none.
 */
async function hashedFiles(root: string): Promise<ReadonlySet<string>> {
  try {
    const names: unknown = JSON.parse(await readFile(join(root, 'hashed.json'), 'utf8'));
    return new Set(Array.isArray(names) ? names.map(name => join(root, String(name))) : []);
  } catch {
    return new Set();
  }
}

async function answer(
  { root, hashed, compressed }: Page,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isThisMachine(request.headers.host))
    return refuse(response, 403, 'this page is for this machine alone');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'only GET and HEAD');
  }
  const found = await fileFor(root, request.url ?? '/');
  if (found === undefined) return refuse(response, 404, 'there is no such page');
  const isHashed = hashed.has(found.path);
  const extension = extname(found.path);
  const compresses = isCompressible(extension, found.size);
  const encoding = compresses ? chosenEncoding(request.headers['accept-encoding']) : undefined;
  const bytes = encoding && (await compressed.bytes(found.path, found.version, encoding));
  response.writeHead(200, {
    ...headers,
    'Content-Type': types[extension],
    'Content-Length': bytes?.length ?? found.size,
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    // What is sent depends on what the reader accepts: caches must know.
    ...(compresses ? { Vary: 'Accept-Encoding' } : {}),
    // Ranges are not served: a request for one gets the whole file.
    'Accept-Ranges': 'none',
    'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  if (request.method === 'HEAD') response.end();
  else if (bytes !== undefined) response.end(bytes);
  // Whichever end closes first, the file is closed, too.
  else await pipeline(createReadStream(found.path), response);
}

/** A name that only this machine goes by: another site's name that leads here is refused. */
function isThisMachine(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, '');
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]';
}

/** The file that an address names, if it is one that may be served. */
async function fileFor(
  root: string,
  url: string,
): Promise<{ path: string; size: number; version: string } | undefined> {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  // Decoded once: what still looks encoded is a name like any other.
  const parts = path.split('/').filter(part => part !== '');
  if (path.includes('\0') || path.includes('\\') || parts.some(part => part.startsWith('.')))
    return undefined;
  const name = parts.length === 0 ? 'index.html' : parts.join('/');
  if (!(extname(name) in types)) return undefined;
  try {
    const real = await realpath(join(root, name));
    const facts: Stats = await stat(real);
    // A link may lead anywhere.
    if (!real.startsWith(root + sep) || !facts.isFile()) return undefined;
    return { path: real, size: facts.size, version: `${facts.size} ${facts.mtimeMs} ${facts.ino}` };
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(`${message}\n`);
}

/** Whether the port could be had. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const fail = () => resolve(false);
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', fail);
      resolve(true);
    });
  });
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no address');
  return `http://127.0.0.1:${address.port}/`;
}

function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
