// Positions that an application keeps in a GPUBuffer. A body deformed by a GPUBuffer uses a copy of it. The copy is made in
// queue order, so the application may overwrite its own buffer at once. Questions that the GPU answers never read the copy
// back. Questions that need every position on the CPU read it back once.

import { aFlag, type Rules, wholeNumber } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { Mesh, type Positions } from '../../mesh/mesh.ts';
import { checkFinite } from '../../mesh/vertices.ts';
import { factOf } from '../snapshot/facts.ts';
import type { Shape, ShapeState } from '../snapshot/snapshot.ts';
import { hasWelds, keepsWelds } from '../welds.ts';
import { SharedRead } from './shared-read.ts';

/** A GPUBuffer if the compiler knows WebGPU's types, else any object. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Known } }
  ? Known
  : object;

/** Whether an argument looks like a GPUBuffer at run time. */
export const isBuffer = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && 'usage' in given;

/**
 * Where items lie in a GPUBuffer. An item is a position (x, y, z in single precision) or a pose (16 single-precision numbers,
 * column-major, as in an `array<mat4x4f>`).
 */
export interface BufferLayout {
  /** Bytes before the first item, a multiple of 4. Default 0. */
  readonly offset?: number | undefined;
  /** Bytes from one item to the next, a multiple of 4. Default: tightly packed. 16 for an `array<vec3f>` of positions. */
  readonly stride?: number | undefined;
}

/** Checks the types alone. Whether a layout fits its buffer, in multiples of 4, is checked in gpu/buffers/held-copies.ts. */
export const layoutRules: Rules<BufferLayout> = { offset: wholeNumber(0), stride: wholeNumber(1) };

/** What a buffer contains. */
export interface BufferItems {
  readonly what: 'vertices' | 'poses';
  readonly count: number;
  /** Single-precision numbers per item. */
  readonly numbers: number;
}

/** How a body takes new positions. */
export interface DeformOptions extends BufferLayout {
  /**
   * Rebuilds the tree instead of refitting it. Use it when the new positions have little to do with the last ones, as after a
   * jump. If left out, the tree is rebuilt once refitting has made it slow to search.
   */
  readonly rebuild?: boolean | undefined;
}

export const deformRules: Rules<DeformOptions> = { ...layoutRules, rebuild: aFlag };

/** An engine's copy of an application's buffer. */
export interface BufferCopy {
  /** The copy. It starts at byte 0 and has `stride` 4-byte words per item. */
  readonly buffer: object;
  readonly stride: number;
  /**
   * Rejects if the device refused the copy: with 'out-of-memory' if there was no memory for it, with 'bad-array' if the buffer
   * could not be copied. The contents are then undefined, and the application has to give positions or poses again.
   */
  readonly copied: Promise<void>;
  /** Reads back the numbers of all items, or of the given ones, in order. */
  read(items?: readonly number[]): Promise<Float32Array>;
  /** Gives the copy back: the engine may reuse its memory. */
  release(): void;
}

/** The positions of a body that are in a GPUBuffer. */
export class GpuPositions {
  /** Stands in for the positions where an array is expected. Any access to it throws 'unsupported'. */
  readonly unread: Positions;
  /** Whether vertices with equal positions in the mesh still have equal positions; undefined until a question finds out. */
  weldsKept: boolean | undefined;
  #state: ShapeState | undefined;
  readonly #reading = new SharedRead(() => this.#read());
  #gone = false;

  constructor(
    /** The body's name, for error messages. */
    readonly owner: string,
    /** The mesh whose vertices these positions are for. */
    readonly mesh: Mesh,
    readonly copy: BufferCopy,
  ) {
    anyOnGpu = true;
    this.unread = new Proxy(new Float32Array(0), { get: () => this.#refuse() });
  }

  /** The body's shape with positions on the CPU; undefined until they have been read back. */
  get state(): ShapeState | undefined {
    return this.#state;
  }

  /** The mesh whose facts hold for these positions. Throws 'unsupported' if that cannot be known without reading them back. */
  get meshNow(): Mesh {
    if (this.#state !== undefined) return this.#state.mesh;
    return this.weldsKept === true || !hasWelds(this.mesh) ? this.mesh : this.#refuse();
  }

  /** Reads the positions back, once. Throws 'closed' if the body has changed since, and 'not-finite' for a bad coordinate. */
  read(): Promise<ShapeState> {
    return this.#reading.read();
  }

  /**
   * Gives the GPU copy back. Call this when the body has other positions and no waiting question can see these. If a shape was
   * made from them, `forget` is called with it.
   */
  release(forget: (shape: Shape) => void): void {
    if (this.#gone) return;
    this.#gone = true;
    this.copy.release();
    if (this.#state === undefined) return;
    forget(this.#state.shape);
    // Answers that keep this state must see that it belongs to an earlier revision.
    this.#state.shape.revision++;
  }

  async #read(): Promise<ShapeState> {
    if (this.#gone) {
      const message = `${this.owner} was deformed by a GPUBuffer and has changed since: those positions can no longer be read`;
      throw new NearfieldError('closed', message);
    }
    const positions = await this.copy.read();
    checkFinite(positions, `${this.owner}: deformed position`);
    const mesh = keepsWelds(this.mesh, positions) ? this.mesh : new Mesh(positions, this.mesh.indices);
    this.#state = { shape: { mesh, positions, revision: 0 }, mesh, positions, revision: 0, onGpu: undefined };
    return this.#state;
  }

  #refuse(): never {
    const message = `${this.owner} was deformed by a GPUBuffer, and its positions are not on the CPU`;
    const help =
      'first await body.readPositions(), or answer.relations() or answer.points() for those of an answer';
    throw new NearfieldError('unsupported', `${message}: ${help}`);
  }
}

/** The state with positions on the CPU if they have been read back, else the state as it is. */
export const readable = (state: ShapeState): ShapeState => state.onGpu?.state ?? state;

/** Whether any GpuPositions were ever created. If not, `isAnyOnGpu` need not search. */
let anyOnGpu = false;

/** Whether any of these bodies has its positions on the GPU. */
export const isAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  anyOnGpu && factOf(shapeStates, findAnyOnGpu);

const findAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  shapeStates.some(({ onGpu }) => onGpu !== undefined);

/** Reads back the positions of these bodies that are on the GPU alone. */
export async function readFromGpu(shapeStates: Iterable<ShapeState>): Promise<void> {
  const reading = new Set<Promise<ShapeState>>();
  for (const { onGpu } of shapeStates) if (onGpu !== undefined) reading.add(onGpu.read());
  await Promise.all(reading);
}
