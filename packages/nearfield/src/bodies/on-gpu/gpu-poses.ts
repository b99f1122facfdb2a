// Poses that an application keeps in a GPUBuffer, one per body. The scene uses a copy of that buffer. The copy is
// made in queue order, so the application may overwrite its own buffer at once. `interferences` works on the copy
// directly (convert-poses.wgsl). Other questions need the numbers on the CPU: they are read back once, for all bodies
// or for a few.

import { NearfieldError } from '../../core/errors.ts';
import { checkPoses, type Pose } from '../../math/pose.ts';
import { type BufferCopy, refusePoses } from './buffers.ts';
import { SharedRead } from './shared-read.ts';

/** Up to this many rows are read back one by one. If more are needed, all poses are read. */
const fewRows = 64;

export class GpuPoses {
  readonly copy: BufferCopy;
  readonly #nameAt: (row: number) => string;
  #poses: Float64Array<ArrayBuffer> | undefined;
  /** Poses of single rows that were read back, by row. */
  readonly #few = new Map<number, Pose>();
  #ordinary = true;
  readonly #reading = new SharedRead(() => this.#read());
  #gone = false;

  /** `nameAt` gives the name of a row's body, for error messages. */
  constructor(copy: BufferCopy, nameAt: (row: number) => string) {
    this.copy = copy;
    this.#nameAt = nameAt;
  }

  get isRead(): boolean {
    return this.#poses !== undefined;
  }

  /** 16 doubles per row, as in `Snapshot.poses`. Throws 'unsupported' until they have been read back. */
  get poses(): Float64Array<ArrayBuffer> {
    return this.#poses ?? refusePoses();
  }

  /**
   * As `Snapshot.ordinary`. Until the poses are read back this is true: the GPU reports which matrices are plainly ordinary
   * poses, and the rest are read back and checked here.
   */
  get ordinary(): boolean {
    return this.#ordinary;
  }

  /** Reads all poses back, once. Throws 'bad-pose' if one is not a pose, and 'closed' if newer poses have replaced them. */
  read(): Promise<void> {
    return this.#reading.read();
  }

  /** Reads back at least the given rows. They are not checked: call this only when all matrices are known to be poses. */
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

  /** A copy of one row's pose. Throws 'unsupported' until it has been read back. */
  poseAt(row: number): Pose {
    const all = this.#poses;
    return all?.slice(16 * row, 16 * row + 16) ?? this.#few.get(row)?.slice() ?? refusePoses();
  }

  /** Gives the GPU copy back. Call this when newer poses have replaced these and no waiting question can see them. */
  release(): void {
    if (this.#gone) return;
    this.#gone = true;
    this.copy.release();
  }

  #checkThere(): void {
    if (!this.#gone) return;
    const message =
      'these poses came in a GPUBuffer and have been replaced since: they can no longer be read';
    throw new NearfieldError('closed', message);
  }

  async #read(): Promise<void> {
    this.#checkThere();
    // Every single-precision number is exactly a double.
    const poses = new Float64Array(await this.copy.read());
    this.#ordinary = checkPoses(poses, poses.length / 16, this.#nameAt);
    this.#poses = poses;
  }
}
