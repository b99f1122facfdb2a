// Positions that an application has on the GPU. A body that is deformed by a GPUBuffer stands on a copy of it, made
// in the queue's order, so that the application may write into its own at once. Questions the GPU answers never bring
// it to the CPU; those that need every position there read it, once.

import { NearfieldError } from '../errors.ts';

/** A GPUBuffer, where the compiler knows WebGPU. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Known } }
  ? Known
  : object;

/** Where in a buffer positions lie: x, y, z in single precision. */
export interface BufferLayout {
  /** Bytes before the first vertex, a multiple of 4. 0 if left out. */
  readonly offset?: number | undefined;
  /** Bytes from one vertex to the next, a multiple of 4: 12 if left out, 16 for an `array<vec3f>`. */
  readonly stride?: number | undefined;
}

/** The copy, as an engine keeps it. */
export interface HeldCopy {
  /** As it lies in `buffer` from the start: `stride` words a vertex. */
  readonly buffer: object;
  readonly stride: number;
  readonly vertexCount: number;
  /** All positions, in the order of vertices. */
  read(): Promise<Float32Array>;
  /** Gives the copy back: the engine may use its memory for another. */
  release(): void;
}

export class HeldPositions {
  #positions: Float32Array | undefined;
  #reading: Promise<Float32Array> | undefined;
  #gone = false;

  constructor(
    /** The body's name, for messages. */
    readonly owner: string,
    readonly copy: HeldCopy,
  ) {}

  /** Whether they have been read. */
  get known(): boolean {
    return this.#positions !== undefined;
  }

  /** The positions, if they have been read. */
  get positions(): Float32Array {
    if (this.#positions !== undefined) return this.#positions;
    const why = `${this.owner} was deformed by a GPUBuffer, and its positions have not been read to the CPU`;
    throw new NearfieldError(
      'unsupported',
      `${why}: await answer.relations(), or another question that reads them`,
    );
  }

  /** Reads them, once. Throws where the body has been deformed again since, or has left. */
  async read(): Promise<Float32Array> {
    if (this.#positions !== undefined) return this.#positions;
    if (this.#gone) {
      const message = `${this.owner} was deformed by a GPUBuffer and has changed since: its positions are gone`;
      throw new NearfieldError('closed', message);
    }
    this.#reading ??= this.copy.read();
    this.#positions = await this.#reading;
    return this.#positions;
  }

  /** No question waits that may see them, and the body stands on others. */
  release(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.copy.release();
  }
}
