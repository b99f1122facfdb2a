// How much may a file expand to? References make small files large: instances of one mesh, accessors over the same
// bytes or over none, compressed data. The result of a file may take only a multiple of its actual bytes, and it is
// counted before it is allocated. A good file that expands more can be read with a higher limit.
// What programs write stays far below the limit. Bytes made per byte of the file: 4 for a plain GLB, 45 for a smooth
// knot in Draco merged into one body. A flat regular grid in Draco, which compresses best of all, makes 700 and may
// need a higher limit from 300,000 triangles on. Text and other binary formats make at most 12 bytes of triangles per
// byte; the bodies of an OBJ are counted like those of a glTF.

import { NearfieldError } from 'nearfield';
import { badFile, unsupportedFile } from './file-error.ts';

/** Bytes made per byte of the file, unless the caller gives another limit. */
const usualExpansion = 256;
/** Bytes that any file may make, however small it is. */
const spareBytes = 16 * 2 ** 20;
/** A body with a short name and its pose, measured in Node: 408 bytes of heap, 648 of the process. */
const bodyBytes = 512;
/** For a name: a string has up to two bytes per letter, and every list of the bodies contains it. */
const letterBytes = 2;
/** A mesh without its arrays, measured in the same way: 600 bytes of heap and process. */
const meshBytes = 512;

export class Budget {
  private fileBytes = 0;
  private compressed = 0;
  private spent = 0;

  constructor(
    private readonly file: string,
    private readonly maxExpansion = usualExpansion,
  ) {
    if (!(typeof maxExpansion === 'number' && maxExpansion > 0)) {
      throw new NearfieldError(
        'bad-option',
        `maxExpansion must be a number above 0, not ${String(maxExpansion)}`,
      );
    }
  }

  /** Counts existing bytes: of the file, or of a buffer beside it. */
  hold(bytes: number): void {
    this.fileBytes += bytes;
  }

  /** Counts compressed bytes before they are decoded. Otherwise overlapping parts could be decoded many times. */
  decompress(bytes: number, path: string): void {
    this.compressed += bytes;
    if (this.compressed > this.fileBytes) badFile(this.file, path, 'compressed parts of the file overlap');
  }

  /** Counts bytes before they are allocated; refuses the file if there are too many. */
  spend(bytes: number, path: string): void {
    this.spent += bytes;
    const allowed = spareBytes + this.maxExpansion * this.fileBytes;
    if (this.spent <= allowed) return;
    const needed = Math.ceil((this.spent - spareBytes) / Math.max(this.fileBytes, 1));
    unsupportedFile(
      this.file,
      path,
      `the file expands to more than ${Math.floor(allowed / 2 ** 20)} MiB (16 MiB plus ${this.maxExpansion} times its bytes); ` +
        `to allow it, set maxExpansion (on the command line --max-expansion) to at least ${needed}`,
    );
  }

  /**
   * What a package that reads the file by itself may take: bytes of memory and seconds. Programs' files stay far below:
   * a house in IFC of 2.4 MB takes 130 MiB and a second, an assembly in STEP of 0.4 MB takes 30 MiB and half a second.
   */
  foreign(): { memory: number; seconds: number } {
    const seconds = (20 + (60 * this.fileBytes) / 2 ** 20) * Math.max(1, this.maxExpansion / usualExpansion);
    // No more than what WebAssembly can address, and than the longest timer.
    return {
      memory: Math.min(512 * 2 ** 20 + this.maxExpansion * this.fileBytes, 2 ** 32),
      seconds: Math.min(Math.ceil(seconds), 86400),
    };
  }

  /** Counts bodies before they are made. */
  spendBodies(count: number, nameLength: number, path: string): void {
    this.spend((bodyBytes + letterBytes * nameLength) * count, path);
  }

  /** Counts a mesh before it is made. */
  spendMesh(vertexCount: number, coordinateBytes: number, indexCount: number, path: string): void {
    this.spend(meshBytes + 3 * coordinateBytes * vertexCount + 4 * indexCount, path);
  }
}
