// Pictures of edges and stencil counts, copied out for inspection (inspect/raycast.ts). Questions read only sums.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import type { View } from '../../raster/view.ts';
import type { EdgePicture } from '../seen.ts';
import { stencilZero } from './layouts.ts';

/** Rows of a copy begin at multiples of this. */
const alignment = 256;
const edgeBytes = 16;

export class WatchedPicture {
  readonly #buffer: GrowingBuffer;
  #columns = 0;
  #rows = 0;

  constructor(device: GPUDevice) {
    this.#buffer = new GrowingBuffer(device, 'watched picture');
  }

  begin(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = rows;
    this.#buffer.reserve(this.#edgesAt + this.#rowOf(edgeBytes) * rows);
  }

  /** `stage` 0: the counts of all faces. 1: without those of the edges' own bodies. */
  encodeCounts(encoder: GPUCommandEncoder, texture: GPUTexture, stage: 0 | 1): void {
    const bytesPerRow = this.#rowOf(1);
    const to = { buffer: this.#buffer.buffer, offset: stage * bytesPerRow * this.#rows, bytesPerRow };
    encoder.copyTextureToBuffer({ texture, aspect: 'stencil-only' }, to, [this.#columns, this.#rows]);
  }

  encodeEdges(encoder: GPUCommandEncoder, texture: GPUTexture): void {
    const to = {
      buffer: this.#buffer.buffer,
      offset: this.#edgesAt,
      bytesPerRow: this.#rowOf(edgeBytes),
    };
    encoder.copyTextureToBuffer({ texture }, to, [this.#columns, this.#rows]);
  }

  get piece(): Piece {
    return {
      buffer: this.#buffer.buffer,
      offset: 0,
      bytes: this.#edgesAt + this.#rowOf(edgeBytes) * this.#rows,
    };
  }

  /** Decodes the piece that was read back. Pictures are stored from the top. */
  decode(words: Uint32Array, view: View, offset: number): EdgePicture {
    const [columns, rows] = [this.#columns, this.#rows];
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const count = columns * rows;
    const picture = {
      view,
      offset,
      body: new Uint8Array(count),
      depth: new Float32Array(count),
      all: new Int8Array(count),
      others: new Int8Array(count),
    };
    for (let row = 0; row < rows; row++) {
      const fromTop = rows - 1 - row;
      for (let column = 0; column < columns; column++) {
        const to = row * columns + column;
        const edge = (this.#edgesAt + fromTop * this.#rowOf(edgeBytes) + column * edgeBytes) / 4;
        picture.body[to] = words[edge];
        picture.depth[to] = floats[edge + 2] * view.pixel;
        const count = fromTop * this.#rowOf(1) + column;
        picture.all[to] = bytes[count] - stencilZero;
        picture.others[to] = bytes[count + this.#rowOf(1) * rows] - stencilZero;
      }
    }
    return picture;
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  get #edgesAt(): number {
    return 2 * this.#rowOf(1) * this.#rows;
  }

  #rowOf(bytes: number): number {
    return Math.ceil((bytes * this.#columns) / alignment) * alignment;
  }
}
