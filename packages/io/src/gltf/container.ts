// Which JSON and which bytes does a glTF 2.0 file contain? Reads the GLB container and the buffers: the GLB's own
// chunk, `data:` URIs, and files beside it that the caller fetches. A URI never leaves the folder of the file.

import type { Budget } from '../reading/budget.ts';
import { type FetchBeside, pathBeside } from '../reading/fetch-beside.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';
import { findRepeatedKey } from '../text/json-keys.ts';
import { CheckedJson, referred } from './checked-json.ts';

const glbMagic = 0x46546c67;
const jsonChunk = 0x4e4f534a;
const binaryChunk = 0x004e4942;

export const isGlb = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) === glbMagic;

export interface Container {
  readonly json: CheckedJson;
  readonly binary: Uint8Array | undefined;
}

export function openContainer(file: string, bytes: Uint8Array): Container {
  if (!isGlb(bytes)) return { json: parseJson(file, bytes), binary: undefined };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 20) badFile(file, '', `a GLB has at least 20 bytes, but this file has ${bytes.length}`);
  const version = view.getUint32(4, true);
  if (version !== 2)
    unsupportedFile(file, 'byte 4', `this is GLB version ${version}; only version 2 is supported`);
  const length = view.getUint32(8, true);
  if (length > bytes.length)
    badFile(file, 'byte 8', `the header promises ${length} bytes; the file has ${bytes.length}`);
  let json: CheckedJson | undefined;
  let binary: Uint8Array | undefined;
  for (let at = 12, chunk = 0; at < length; chunk++) {
    if (at + 8 > length) badFile(file, `byte ${at}`, 'the file ends inside a chunk header');
    const chunkLength = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    const start = at + 8;
    if (chunkLength > length - start) {
      badFile(file, `byte ${at}`, `a chunk promises ${chunkLength} bytes; ${length - start} are left`);
    }
    const data = bytes.subarray(start, start + chunkLength);
    if (chunk === 0) {
      if (type !== jsonChunk) badFile(file, `byte ${at}`, 'the first chunk of a GLB must be its JSON');
      json = parseJson(file, data);
    } else if (chunk === 1 && type === binaryChunk) binary = data;
    else if (type === jsonChunk || type === binaryChunk) {
      // Other chunks belong to extensions and are skipped, as glTF requires.
      const what = type === jsonChunk ? 'JSON' : 'binary';
      badFile(
        file,
        `byte ${at}`,
        `chunk ${chunk} is a ${what} chunk, but a GLB has only one, at its beginning`,
      );
    }
    at = start + chunkLength;
  }
  if (json === undefined) return badFile(file, '', 'the GLB has no JSON');
  if (length < bytes.length)
    badFile(file, 'byte 8', `the header promises ${length} bytes, but the file has ${bytes.length}`);
  return { json, binary };
}

function parseJson(file: string, bytes: Uint8Array): CheckedJson {
  let value: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not valid JSON' : 'is not valid UTF-8';
    return badFile(file, '', `the text ${what}`, error);
  }
  const repeated = findRepeatedKey(text);
  if (repeated) {
    const path = repeated.path.map(part => (typeof part === 'number' ? `[${part}]` : part)).join('.');
    badFile(file, path.replaceAll('.[', '['), `${quoted(repeated.key)} occurs twice in one object`);
  }
  return new CheckedJson(file, value);
}

/** Loads each buffer once, when it is first used. */
export class Buffers {
  private readonly loaded = new Map<number, Promise<Uint8Array>>();
  private readonly fetched = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly container: Container,
    private readonly fetchBeside: FetchBeside | undefined,
    private readonly budget: Budget,
  ) {}

  /** `byteLength` bytes of the buffer that `holder` refers to, starting at its `byteOffset`. */
  async slice(holder: CheckedJson): Promise<Uint8Array> {
    const buffer = referred(this.container.json, 'buffers', holder.need('buffer'));
    const start = holder.get('byteOffset')?.integer() ?? 0;
    const length = holder.need('byteLength').integer();
    const index = holder.need('buffer').integer();
    let loading = this.loaded.get(index);
    if (!loading) {
      loading = this.load(buffer, index);
      this.loaded.set(index, loading);
    }
    const bytes = await loading;
    if (start + length > bytes.length) {
      holder.fail(`asks for bytes ${start} to ${start + length} of a buffer of ${bytes.length}`);
    }
    return bytes.subarray(start, start + length);
  }

  private async load(buffer: CheckedJson, index: number): Promise<Uint8Array> {
    const byteLength = buffer.need('byteLength').integer();
    const uri = buffer.get('uri')?.string();
    let bytes: Uint8Array;
    if (uri === undefined) {
      if (index !== 0 || this.container.binary === undefined)
        buffer.fail('has no uri, and the file has no chunk for it');
      bytes = this.container.binary;
    } else if (/^data:/i.test(uri)) {
      bytes = decodeDataUri(buffer, uri);
    } else {
      bytes = await this.fetch(buffer, uri);
    }
    if (byteLength > bytes.length) buffer.fail(`promises ${byteLength} bytes, but there are ${bytes.length}`);
    return bytes.subarray(0, byteLength);
  }

  private fetch(buffer: CheckedJson, uri: string): Promise<Uint8Array> {
    const path = checkUri(buffer, uri);
    let fetching = this.fetched.get(path);
    if (!fetching) {
      if (!this.fetchBeside) return buffer.fail(`needs the file ${quoted(path)}, which is missing`);
      // Several buffers may refer to one file: it is read once, as far as any of them needs.
      let most = 0;
      for (const other of this.container.json.need('buffers').items()) {
        const otherUri = other.get('uri')?.string();
        if (otherUri === undefined || /^data:/i.test(otherUri)) continue;
        if (otherUri === uri || checkUri(other, otherUri) === path)
          most = Math.max(most, other.need('byteLength').integer());
      }
      fetching = this.fetchBeside(path, most).then(bytes => {
        this.budget.hold(bytes.length);
        return bytes;
      });
      this.fetched.set(path, fetching);
    }
    return fetching;
  }
}

/** The path of a URI, or an error if it is not clearly a file beside the glTF or below it. */
function checkUri(buffer: CheckedJson, uri: string): string {
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    // It is not percent-encoded after all: some exporters write names with a bare %.
  }
  return pathBeside(path, why => buffer.fail(`the uri ${quoted(uri)} ${why}`));
}

function decodeDataUri(buffer: CheckedJson, uri: string): Uint8Array {
  const comma = uri.indexOf(',');
  if (comma < 0 || !/;base64$/i.test(uri.slice(0, comma))) buffer.fail('a data: URI must be base64');
  let text: string;
  try {
    text = atob(uri.slice(comma + 1));
  } catch {
    return buffer.fail('the data: URI is not valid base64');
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
