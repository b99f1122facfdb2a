// A web server for one folder, for this machine only. Every request is taken as hostile: host names of other sites,
// paths out of the folder, methods that change something.

import { createReadStream, type Stats } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NearfieldError } from 'nearfield';
import { Compressed, chosenEncoding, isCompressible } from './encodings.ts';
import { readForeign } from './foreign-packages.ts';

/** No other type is served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The first two headers give a page threads; the others isolate it. */
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

/**
 * The thread in which Open CASCADE reads files makes JavaScript of texts. It is a worker, with a policy of its own: it may
 * do that, and load nothing but the page's own files.
 */
const readerPolicy = "default-src 'self'; script-src 'self' 'unsafe-eval'; connect-src 'self' blob:";
const isReader = (path: string): boolean => /[\\/]foreign-worker-[\w-]+\.js$/.test(path);

/** The first port to try, and how many after it. */
const usualPort = 4173;
const tries = 20;

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a folder on this machine. Without a port: the first free one from 4173, or any if none of those is free. */
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
  /** Real paths of the files that browsers may keep forever. */
  readonly hashed: ReadonlySet<string>;
  readonly compressed: Compressed;
}

/**
 * Files with a hash of their content in their name never change. A name does not show whether it has one, so the
 * build lists the hashed files. A folder without a list has none.
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
    return refuse(response, 403, 'this page is only for this machine');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return refuse(response, 405, 'only GET and HEAD');
  }
  const foreign = /^\/packages\/([\w.-]+)$/.exec(request.url ?? '')?.[1];
  const bytesOfPackage = foreign && (await readForeign(foreign));
  if (bytesOfPackage) {
    response.writeHead(200, {
      ...headers,
      'Content-Type': types[extname(foreign)],
      'Content-Length': bytesOfPackage.length,
      'Cache-Control': 'no-store',
    });
    response.end(request.method === 'HEAD' ? undefined : bytesOfPackage);
    return;
  }
  const found = await fileFor(root, request.url ?? '/');
  if (found === undefined) return refuse(response, 404, 'there is no such page');
  const { path, name, size, version, isPacked } = found;
  const extension = extname(name);
  const compresses = isPacked || isCompressible(extension, size);
  const encoding = compresses ? chosenEncoding(request.headers['accept-encoding'], isPacked) : undefined;
  const bytes =
    encoding !== undefined || isPacked
      ? await compressed.bytes(path, version, encoding, isPacked)
      : undefined;
  response.writeHead(200, {
    ...headers,
    ...(isReader(name) && { 'Content-Security-Policy': readerPolicy }),
    'Content-Type': types[extension],
    'Content-Length': bytes?.length ?? size,
    ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    // The response depends on the accepted encodings; caches must know.
    ...(compresses ? { Vary: 'Accept-Encoding' } : {}),
    // Ranges are not supported: a request for one gets the whole file.
    'Accept-Ranges': 'none',
    'Cache-Control': hashed.has(name) ? 'public, max-age=31536000, immutable' : 'no-store',
  });
  if (request.method === 'HEAD') response.end();
  else if (bytes !== undefined) response.end(bytes);
  // If either end closes, close the file too.
  else await pipeline(createReadStream(path), response);
}

/** True for names of this machine only. The name of another site that resolves here is refused. */
function isThisMachine(host: string | undefined): boolean {
  const name = host?.replace(/:\d+$/, '');
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]';
}

/** A file that may be served. */
interface Found {
  /** Its real path. */
  readonly path: string;
  /** The same as it would be without packing. */
  readonly name: string;
  readonly size: number;
  readonly version: string;
  /** Whether it lies there as gzip. */
  readonly isPacked: boolean;
}

/** The file that a URL names, if it may be served. */
async function fileFor(root: string, url: string): Promise<Found | undefined> {
  let path: string;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return undefined;
  }
  // Decode once: a name that still looks encoded is a name like any other.
  const parts = path.split('/').filter(part => part !== '');
  if (path.includes('\0') || path.includes('\\') || parts.some(part => part.startsWith('.')))
    return undefined;
  const name = parts.length === 0 ? 'index.html' : parts.join('/');
  if (!(extname(name) in types)) return undefined;
  return (await fileAt(root, name, false)) ?? (await fileAt(root, name, true));
}

async function fileAt(root: string, name: string, isPacked: boolean): Promise<Found | undefined> {
  const ending = isPacked ? '.gz' : '';
  try {
    const path = await realpath(join(root, name + ending));
    const facts: Stats = await stat(path);
    // A link may lead anywhere, so check its target.
    if (!path.startsWith(root + sep) || !path.endsWith(ending) || !facts.isFile()) return undefined;
    const version = `${facts.size} ${facts.mtimeMs} ${facts.ino}`;
    return { path, name: path.slice(0, path.length - ending.length), size: facts.size, version, isPacked };
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

/** Whether the server got the port. */
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
