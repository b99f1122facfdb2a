// How is a file encoded when it is sent? With Brotli or gzip, if the browser accepts it and the file gets smaller.
// Each file is compressed once and kept. Otherwise it is sent as it is. A file that lies there as gzip (NAME.gz) is sent as
// that, and unpacked only for clients that do not accept it.

import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Types that compress well. Pictures are compressed already. */
const compressible = new Set(['.html', '.js', '.css', '.wasm', '.json', '.svg']);
/** Smaller files gain nothing; larger ones are not kept in memory. */
const [least, most] = [1024, 64 * 2 ** 20];

/** This quality takes a tenth of a second per megabyte; the best takes three seconds. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export const isCompressible = (extension: string, size: number): boolean =>
  compressible.has(extension) && size >= least && size <= most;

/**
 * The encoding that a browser prefers by its `Accept-Encoding` (RFC 9110, 12.5.3); Brotli if it accepts both equally, or gzip if
 * the file is packed.
 */
export function chosenEncoding(accepted: string | undefined, isPacked = false): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const item of accepted?.split(',') ?? []) {
    const [name, ...parameters] = item.split(';').map(part => part.trim().toLowerCase());
    const weight = parameters.map(part => /^q=([01](?:\.\d{0,3})?)$/.exec(part)?.[1]).find(Boolean);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [brotli, zipped, plain] = [weightOf('br'), weightOf('gzip'), weights.get('identity') ?? 0];
  const best = Math.max(brotli, zipped);
  if (best === 0 || plain > best) return undefined;
  if (brotli === zipped) return isPacked ? 'gzip' : 'br';
  return brotli === best ? 'br' : 'gzip';
}

/** The files of a server, each encoded on first request. */
export class Compressed {
  private readonly kept = new Map<string, { readonly version: string; readonly bytes: Promise<Buffer> }>();

  /** `version` changes whenever the file does. Without an encoding: what a packed file contains. */
  bytes(path: string, version: string, encoding: Encoding | undefined, isPacked: boolean): Promise<Buffer> {
    const key = `${encoding} ${path}`;
    const known = this.kept.get(key);
    if (known?.version === version) return known.bytes;
    const bytes = encoded(path, encoding, isPacked);
    this.kept.set(key, { version, bytes });
    // Do not keep a failure: the next request tries again.
    bytes.catch(() => this.kept.delete(key));
    return bytes;
  }
}

async function encoded(path: string, encoding: Encoding | undefined, isPacked: boolean): Promise<Buffer> {
  const file = await readFile(path);
  if (isPacked && encoding === 'gzip') return file;
  const plain = isPacked ? await promisify(gunzip)(file) : file;
  if (encoding === undefined) return plain;
  return encoding === 'br' ? promisify(brotliCompress)(plain, brotliOptions) : promisify(gzip)(plain);
}
