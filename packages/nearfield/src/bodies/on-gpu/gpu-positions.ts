// Positions that an application keeps in a GPUBuffer. A body deformed by a GPUBuffer uses a copy of it. The copy is made in
// queue order, so the application may overwrite its own buffer at once. Questions that the GPU answers never read the copy
// back. Questions that need every position on the CPU read it back once.

import { NearfieldError } from '../../core/errors.ts';
import { Mesh, type Positions } from '../../mesh/mesh.ts';
import { checkFinite } from '../../mesh/vertices.ts';
import type { Shape, ShapeState } from '../snapshot/snapshot.ts';
import { hasWelds, keepsWelds } from '../welds.ts';
import { type BufferCopy, noteOnGpu } from './buffers.ts';
import { SharedRead } from './shared-read.ts';

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
    noteOnGpu();
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
