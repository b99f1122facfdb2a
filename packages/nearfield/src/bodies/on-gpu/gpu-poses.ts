// Poses that an application has on the GPU, one for every body. The scene stands on a copy of them, made in the queue's
// order, so that the application may write into its own at once. Where bodies meet is found from that copy (hold-poses.wgsl);
// what else is asked needs the numbers themselves, which are then read, once: of all bodies, or of a few.

import { NearfieldError } from '../../core/errors.ts';
import { checkPoses, type Pose } from '../../math/pose.ts';
import type { BufferCopy } from './gpu-positions.ts';
import { SharedRead } from './shared-read.ts';

/** More are not read one by one. */
const fewRows = 64;

export class GpuPoses {
  readonly copy: BufferCopy;
  readonly #nameAt: (row: number) => string;
  #poses: Float64Array<ArrayBuffer> | undefined;
  /** Those of a few rows. */
  readonly #few = new Map<number, Pose>();
  #ordinary = true;
  readonly #reading = new SharedRead(() => this.#read());
  #gone = false;

  /** `nameAt` gives the name of the body of a row, for messages. */
  constructor(copy: BufferCopy, nameAt: (row: number) => string) {
    this.copy = copy;
    this.#nameAt = nameAt;
  }

  get isRead(): boolean {
    return this.#poses !== undefined;
  }

  /** As `Bodies` has them. Throws before they are read. */
  get poses(): Float64Array<ArrayBuffer> {
    return this.#poses ?? refuse();
  }

  /** As `Bodies` says it. Of poses that are not read the GPU says that they are, or they have to be. */
  get ordinary(): boolean {
    return this.#ordinary;
  }

  /** Reads them, once. Throws where one is not a pose, or the bodies have moved on since. */
  read(): Promise<void> {
    return this.#reading.read();
  }

  /** Reads those of some rows at least, once it is known that all of them are poses. */
  async readRows(rows: Iterable<number>): Promise<void> {
    if (this.isRead) return;
    const missing = [...rows].filter(row => !this.#few.has(row));
    if (missing.length > fewRows) return this.read();
    if (missing.length === 0) return;
    this.#checkThere();
    const singles = await this.copy.read(missing);
    missing.forEach((row, i) => {
      this.#few.set(row, new Float64Array(singles.subarray(16 * i, 16 * i + 16)));
    });
  }

  /** That of a row. Throws before it is read. A copy. */
  poseAt(row: number): Pose {
    const all = this.#poses;
    return all?.slice(16 * row, 16 * row + 16) ?? this.#few.get(row)?.slice() ?? refuse();
  }

  /** No question waits that may see them, and the bodies have others. */
  release(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.copy.release();
  }

  #checkThere(): void {
    if (!this.#gone) return;
    const message = 'the poses came in a GPUBuffer, and others have come since: they are gone';
    throw new NearfieldError('closed', message);
  }

  async #read(): Promise<void> {
    this.#checkThere();
    // Every single is a double.
    const poses = new Float64Array(await this.copy.read());
    this.#ordinary = checkPoses(poses, poses.length / 16, this.#nameAt);
    this.#poses = poses;
  }
}

/** What is thrown where somebody needs poses that are on the GPU alone. */
export function refuse(): never {
  const message = 'the poses of this scene came in a GPUBuffer, and are not on the CPU';
  const help = 'await scene.readPoses() before, or answer.relations() for the relations of an answer';
  throw new NearfieldError('unsupported', `${message}: ${help}`);
}
