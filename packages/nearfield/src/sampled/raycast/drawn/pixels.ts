// Reads whole pictures back and examines every pixel on the CPU, as the thesis does (`counting: 'pixels'`). Algorithm 1
// reads the stencil buffer. Algorithms 3 and 4 read a colour buffer: one channel names the body whose edge is enclosed,
// the other the body that encloses it.

import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { drawnStateWords, stencilZero } from './layouts.ts';
import type { Participants } from './placings.ts';

/** Rows of a copy begin at multiples of this. */
const alignment = 256;
/** Bytes per pixel of a stencil and of a colour (pipelines.ts, namedFormat). */
const pixelBytes = { stencil: 1, colour: 8 } as const;

export class PixelCopy {
  readonly #buffer: GrowingBuffer;
  #columns = 0;
  #rows = 0;
  #copied: readonly [width: number, height: number] = [0, 0];
  #kind: keyof typeof pixelBytes = 'colour';

  constructor(device: GPUDevice) {
    this.#buffer = new GrowingBuffer(device, 'pixels');
  }

  /** Copies the first columns and rows of a texture. A stencil is copied whole, because WebGPU copies no part of one. */
  encode(
    encoder: GPUCommandEncoder,
    texture: GPUTexture,
    kind: keyof typeof pixelBytes,
    [columns, rows]: readonly [number, number],
  ): void {
    this.#kind = kind;
    this.#columns = columns;
    this.#rows = rows;
    this.#copied = kind === 'stencil' ? [texture.width, texture.height] : [columns, rows];
    const buffer = this.#buffer.reserve(this.#bytes);
    const to = { buffer, offset: 0, bytesPerRow: this.#rowBytes };
    const aspect = kind === 'stencil' ? 'stencil-only' : 'all';
    encoder.copyTextureToBuffer({ texture, aspect }, to, this.#copied);
  }

  get piece(): Piece {
    return { buffer: this.#buffer.buffer, offset: 0, bytes: this.#bytes };
  }

  /** Whether some pixel's count is above 0 (Algorithm 1). */
  hasPositive(words: Uint32Array): boolean {
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    for (let row = 0; row < this.#rows; row++) {
      const first = row * this.#rowBytes;
      for (let at = first; at < first + this.#columns; at++) if (bytes[at] > stencilZero) return true;
    }
    return false;
  }

  /**
   * The bodies and pairs that colours name (Algorithms 3 and 4), in the form of the state that reduce-pixels.wgsl
   * writes.
   */
  namesIn(words: Uint32Array, drawn: Participants, candidates: Uint32Array): Uint32Array {
    const { stateWords, bodyWords } = drawn;
    const state = new Uint32Array(stateWords);
    const flagsAt = drawnStateWords + 2 * bodyWords;
    let [lastEnclosing, lastOwner] = [0, 0];
    for (let row = 0; row < this.#rows; row++) {
      const first = (row * this.#rowBytes) / 4;
      for (let at = first; at < first + 2 * this.#columns; at += 2) {
        const owner = words[at + 1];
        if (owner === 0) continue;
        const enclosing = words[at];
        // Neighbouring pixels mostly name the same bodies.
        if (owner === lastOwner && enclosing === lastEnclosing) continue;
        [lastOwner, lastEnclosing] = [owner, enclosing];
        const body = owner - 1;
        state[drawnStateWords + (body >> 5)] |= 1 << (body & 31);
        if (enclosing === 0) continue;
        const candidate = candidateOf(candidates, body, enclosing - 1);
        if (candidate >= 0) state[flagsAt + candidate] |= body < enclosing - 1 ? 2 : 4;
      }
    }
    return state;
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  get #rowBytes(): number {
    return Math.ceil((pixelBytes[this.#kind] * this.#copied[0]) / alignment) * alignment;
  }

  get #bytes(): number {
    return this.#rowBytes * this.#copied[1];
  }
}

/** The index of the candidate with these two bodies, −1 if there is none. Candidates are in order. */
function candidateOf(candidates: Uint32Array, one: number, other: number): number {
  const [a, b] = one < other ? [one, other] : [other, one];
  let [low, high] = [0, candidates.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = candidates[2 * middle];
    if (at < a || (at === a && candidates[2 * middle + 1] < b)) low = middle + 1;
    else high = middle;
  }
  return candidates[2 * low] === a && candidates[2 * low + 1] === b ? low : -1;
}
