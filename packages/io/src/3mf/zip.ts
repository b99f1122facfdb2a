// Which files does a zip archive hold? Reads the directory at its end (APPNOTE 6.3, sections 4.3 and 4.4) and inflates
// one entry at a time with the `fflate` package, in pieces. Sizes and check sums are compared, which `fflate` leaves to
// its caller: an entry that makes more bytes than it declares is given up at once.

import type { Inflate } from 'fflate';
import type { Budget } from '../reading/budget.ts';
import { badFile, quoted, unsupportedFile } from '../reading/file-error.ts';

export interface ZipEntry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Where its own header begins. */
  readonly offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const longestComment = 65535;
const endBytes = 22;
const entryBytes = 46;
/** One byte of deflated data makes at most 1032, so a piece makes at most 4 MB. */
const pieceBytes = 4096;

/** An entry takes about so much memory. */
const listedBytes = 256;

export class Zip {
  /** By name in lower case: names in packages do not depend on case. */
  private readonly entries = new Map<string, ZipEntry>();
  private readonly view: DataView;

  /** Loads `fflate`, and reads the directory of the archive. */
  static async open(file: string, bytes: Uint8Array, budget: Budget): Promise<Zip> {
    const { Inflate } = await import('fflate');
    return new Zip(Inflate, file, bytes, budget);
  }

  private constructor(
    private readonly inflater: typeof Inflate,
    private readonly file: string,
    private readonly bytes: Uint8Array,
    private readonly budget: Budget,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.readDirectory();
  }

  get(name: string): ZipEntry | undefined {
    return this.entries.get(name.toLowerCase());
  }

  /** Hands the bytes of an entry to `take`, piece by piece. */
  inflate(entry: ZipEntry, take: (piece: Uint8Array) => void): void {
    const fail = (what: string): never => badFile(this.file, entry.name, what);
    if (entry.encrypted) unsupportedFile(this.file, entry.name, 'is encrypted');
    const packed = this.packedBytes(entry);
    this.budget.decompress(packed.length, entry.name);
    this.budget.spend(entry.size, entry.name);
    let made = 0;
    let crc = -1;
    const taken = (piece: Uint8Array) => {
      made += piece.length;
      if (made > entry.size) fail(`holds more than the ${entry.size} bytes that the archive promises`);
      crc = checkSum(crc, piece);
      take(piece);
    };
    if (entry.method === 0) taken(packed);
    else if (entry.method === 8) {
      const inflate = new this.inflater(taken);
      const damaged = (error: unknown): never => {
        // An error of `taken` goes on as it is.
        if (error instanceof Error && 'code' in error && typeof error.code === 'number')
          return fail(`the compressed data are damaged (${error.message})`);
        throw error;
      };
      for (let at = 0; at < packed.length || at === 0; at += pieceBytes) {
        const end = Math.min(at + pieceBytes, packed.length);
        try {
          inflate.push(packed.subarray(at, end), end === packed.length);
        } catch (error) {
          damaged(error);
        }
      }
    } else
      unsupportedFile(
        this.file,
        entry.name,
        `is compressed by method ${entry.method}; only deflate is supported`,
      );
    if (made !== entry.size) fail(`holds ${made} bytes, but the archive promises ${entry.size}`);
    if ((crc ^ -1) >>> 0 !== entry.crc) fail('is damaged: its check sum does not fit');
  }

  /** The compressed bytes of an entry, after its own header. */
  private packedBytes({ name, offset, compressedSize }: ZipEntry): Uint8Array {
    const { view, bytes } = this;
    if (offset + 30 > bytes.length || view.getUint32(offset, true) !== localSignature)
      badFile(this.file, name, `has no header at byte ${offset}`);
    const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (start + compressedSize > bytes.length)
      badFile(this.file, name, `ends at byte ${start + compressedSize} of ${bytes.length}`);
    return bytes.subarray(start, start + compressedSize);
  }

  private readDirectory(): void {
    const { view, bytes, file } = this;
    const fail = (what: string): never => badFile(file, '', `the zip archive is damaged: ${what}`);
    const end = this.findEnd();
    if (end < 0) fail('it has no directory at its end; it may have been cut short');
    const count = view.getUint16(end + 10, true);
    const size = view.getUint32(end + 12, true);
    let at = view.getUint32(end + 16, true);
    if (count === 0xffff || size === 0xffffffff || at === 0xffffffff)
      unsupportedFile(file, '', 'zip archives of more than 4 GiB or 65,534 files (Zip64) are not supported');
    if (at + size > end) fail(`its directory ends at byte ${at + size}, after the end at ${end}`);
    const limit = at + size;
    const decoder = new TextDecoder();
    for (let i = 0; i < count; i++) {
      if (at + entryBytes > limit || view.getUint32(at, true) !== entrySignature)
        fail(`its directory has ${i} of ${count} entries`);
      const nameLength = view.getUint16(at + 28, true);
      const next =
        at + entryBytes + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
      if (next > limit) fail(`its directory has ${i} of ${count} entries`);
      const nameStart = at + entryBytes;
      const name = decoder.decode(bytes.subarray(nameStart, nameStart + nameLength));
      this.budget.spend(listedBytes + 2 * nameLength, '');
      const entry = {
        name,
        encrypted: (view.getUint16(at + 8, true) & 1) !== 0,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        compressedSize: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      };
      if (entry.compressedSize === 0xffffffff || entry.size === 0xffffffff || entry.offset === 0xffffffff)
        unsupportedFile(file, name, 'an entry of more than 4 GiB (Zip64) is not supported');
      const key = name.toLowerCase();
      if (this.entries.has(key)) fail(`it has ${quoted(name)} twice`);
      this.entries.set(key, entry);
      at = next;
    }
    if (at !== limit) fail(`its directory has more than ${count} entries`);
  }

  /** Where the record at the end begins: only a comment may follow it. -1 if there is none. */
  private findEnd(): number {
    const { view, bytes } = this;
    const last = bytes.length - endBytes;
    for (let at = last; at >= Math.max(last - longestComment, 0); at--) {
      if (view.getUint32(at, true) === endSignature && view.getUint16(at + 20, true) === last - at) return at;
    }
    return -1;
  }
}

const checkSums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32, continued over more bytes; begins with -1 and ends with the complement. */
function checkSum(crc: number, bytes: Uint8Array): number {
  let value = crc;
  for (let i = 0; i < bytes.length; i++) value = checkSums[(value ^ bytes[i]) & 255] ^ (value >>> 8);
  return value;
}
