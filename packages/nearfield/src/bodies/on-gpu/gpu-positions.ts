// Positions that an application has on the GPU. A body that is deformed by a GPUBuffer stands on a copy of it, made
// in the queue's order, so that the application may write into its own at once. Questions the GPU answers never bring
// it to the CPU; those that need every position there read it, once.

import { aFlag, type Rules, wholeNumber } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { Mesh, type Positions } from '../../mesh/mesh.ts';
import { checkFinite } from '../../mesh/vertices.ts';
import { factOf } from '../snapshot/facts.ts';
import type { Shape, ShapeState } from '../snapshot/snapshot.ts';
import { hasWelds, keepsWelds } from '../welds.ts';
import { SharedRead } from './shared-read.ts';

/** A GPUBuffer, where the compiler knows WebGPU. */
export type DeviceBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Known } }
  ? Known
  : object;

/** Whether something given is a GPUBuffer, whatever the compiler knows. */
export const isBuffer = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && 'usage' in given;

/** Where in a buffer positions lie (x, y, z in single precision), or poses (sixteen numbers, as an `array<mat4x4f>`). */
export interface BufferLayout {
  /** Bytes before the first, a multiple of 4. 0 if left out. */
  readonly offset?: number | undefined;
  /** Bytes from one to the next, a multiple of 4: packed if left out; 16 for an `array<vec3f>` of positions. */
  readonly stride?: number | undefined;
}

/** How they fit the buffer, and that they are multiples of 4, is looked at with it at hand (gpu/buffers/held-copies.ts). */
export const layoutRules: Rules<BufferLayout> = { offset: wholeNumber(0), stride: wholeNumber(1) };

/** What lies in a buffer: so many of them, each of so many numbers in single precision. */
export interface BufferItems {
  readonly what: 'vertices' | 'poses';
  readonly count: number;
  readonly numbers: number;
}

export interface DeformOptions extends BufferLayout {
  /**
   * Makes the tree anew instead of refitting it: for positions that have little to do with the last ones, as after a
   * jump. If left out, a tree is made anew once it has grown bad.
   */
  readonly rebuild?: boolean | undefined;
}

export const deformRules: Rules<DeformOptions> = { ...layoutRules, rebuild: aFlag };

/** The copy, as an engine keeps it. */
export interface BufferCopy {
  /** As it lies in `buffer` from the start: `stride` words an item. */
  readonly buffer: object;
  readonly stride: number;
  /**
   * Rejected where the device refused to make it: 'out-of-memory' where there was no room for a copy, 'bad-array' where the buffer
   * could not be copied. What was copied is then not known, and other positions or poses have to be given.
   */
  readonly copied: Promise<void>;
  /** All numbers of all items, in order; or of those given. */
  read(items?: readonly number[]): Promise<Float32Array>;
  /** Gives the copy back: the engine may use its memory for another. */
  release(): void;
}

export class GpuPositions {
  /** Stands for the positions where an array of them is expected: whoever looks into it before they are read is told. */
  readonly unread: Positions;
  /** Whether vertices of equal position in the mesh still are; undefined until a question has found out. */
  weldsKept: boolean | undefined;
  #form: ShapeState | undefined;
  readonly #reading = new SharedRead(() => this.#read());
  #gone = false;

  constructor(
    /** The body's name, for messages. */
    readonly owner: string,
    /** The mesh whose vertices they are. */
    readonly mesh: Mesh,
    readonly copy: BufferCopy,
  ) {
    anyOnGpu = true;
    this.unread = new Proxy(new Float32Array(0), { get: () => this.#refuse() });
  }

  /** What the body is made of, for those who need the positions, once they have been read; undefined before. */
  get form(): ShapeState | undefined {
    return this.#form;
  }

  /** The mesh whose facts hold of them. */
  get meshNow(): Mesh {
    if (this.#form !== undefined) return this.#form.mesh;
    return this.weldsKept === true || !hasWelds(this.mesh) ? this.mesh : this.#refuse();
  }

  /** Reads them, once. Throws where the body has changed since. */
  read(): Promise<ShapeState> {
    return this.#reading.read();
  }

  /** No question waits that may see them, and the body stands on others. Tells `forget` of a shape that was made. */
  release(forget: (shape: Shape) => void): void {
    if (this.#gone) return;
    this.#gone = true;
    this.copy.release();
    if (this.#form === undefined) return;
    forget(this.#form.shape);
    // Answers that still hold the form take it for that of an earlier revision, which it is.
    this.#form.shape.revision++;
  }

  async #read(): Promise<ShapeState> {
    if (this.#gone) {
      const message = `${this.owner} was deformed by a GPUBuffer and has changed since: its positions are gone`;
      throw new NearfieldError('closed', message);
    }
    const positions = await this.copy.read();
    checkFinite(positions, `${this.owner}: deformed position`);
    const mesh = keepsWelds(this.mesh, positions) ? this.mesh : new Mesh(positions, this.mesh.indices);
    this.#form = { shape: { mesh, positions, revision: 0 }, mesh, positions, revision: 0, onGpu: undefined };
    return this.#form;
  }

  #refuse(): never {
    const message = `${this.owner} was deformed by a GPUBuffer, and its positions are not on the CPU`;
    const help = 'await body.readPositions() before, or answer.relations() for the relations of an answer';
    throw new NearfieldError('unsupported', `${message}: ${help}`);
  }
}

/** The form with positions the CPU can read, where they have been read; else the form as it is. */
export const readable = (form: ShapeState): ShapeState => form.onGpu?.form ?? form;

/** Whether there have been any. */
let anyOnGpu = false;

/** Whether positions of some of these are on the GPU alone. */
export const isAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  anyOnGpu && factOf(shapeStates, findAnyOnGpu);

const findAnyOnGpu = (shapeStates: readonly ShapeState[]): boolean =>
  shapeStates.some(({ onGpu }) => onGpu !== undefined);

/** Reads positions of these forms that are on the GPU alone. */
export async function readFromGpu(shapeStates: Iterable<ShapeState>): Promise<void> {
  const reading = new Set<Promise<ShapeState>>();
  for (const { onGpu } of shapeStates) if (onGpu !== undefined) reading.add(onGpu.read());
  await Promise.all(reading);
}
