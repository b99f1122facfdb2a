// The poses of a table, copied on write. Poses are written in place unless a waiting question still needs them. If one does, it keeps
// the version it saw, and the table continues with a copy.
//
// An engine may provide memory for the poses in which kernels can check them. If that memory is the CPU engine's own,
// it copies nothing at all.

import type { PoseMemory, PoseRows } from './engine.ts';
import type { GpuPoses } from './on-gpu/gpu-poses.ts';

/** One state of all poses, with the revision at which each changed. A waiting question keeps the version it saw. */
export interface PoseVersion {
  readonly poses: Float64Array<ArrayBuffer>;
  readonly changed: Float64Array<ArrayBuffer>;
  /** Set if the poses lie in an engine's memory. */
  readonly room: PoseRows | undefined;
  /** Set if the poses came in a GPUBuffer. The contents of `poses` and `room` are then undefined. */
  onGpu: GpuPoses | undefined;
  /** How many waiting questions read this version. It is not written to while there are any. */
  users: number;
}

/** Throws 'bad-pose' if a value is not a pose. `good` says that all of them are plainly valid. */
type Check = (good: boolean) => void;

export class PoseVersions {
  readonly #memory: PoseMemory | undefined;
  #now: PoseVersion;
  /** A version that no question needs any longer, kept for the next copy. */
  #spare: PoseVersion | undefined;
  /** The version whose pose array `lend` gave to a caller for writing. */
  #lent: PoseVersion | undefined;
  /** What `lend` gives if there is no engine memory to lend. It is copied like any other array. */
  #ownArray = new Float64Array(0);
  #closed = false;

  /** The poses are kept in `memory` if it is given, else in ordinary arrays. */
  constructor(memory?: PoseMemory) {
    this.#memory = memory;
    this.#now = this.#create(16);
  }

  /** The current version. */
  get now(): PoseVersion {
    return this.#now;
  }
  /** How many poses there is room for. */
  get rows(): number {
    return this.#now.changed.length;
  }

  /** The version to write to. With `overwrite`, the caller replaces all of its contents. */
  writable(overwrite = false): PoseVersion {
    if (this.#now.users > 0) this.resize(this.rows, overwrite);
    else if (overwrite) releaseGpuPoses(this.#now);
    return this.#now;
  }

  /** Continues with a copy that has room for so many rows. With `overwrite`, nothing is copied into it. */
  resize(rows: number, overwrite = false): void {
    const last = this.#now;
    const spare = this.#spare;
    const fits = spare?.changed.length === rows;
    const next = fits ? spare! : this.#create(rows);
    if (!overwrite) next.poses.set(last.poses);
    if (!overwrite) next.changed.set(last.changed);
    this.#now = next;
    this.#spare = undefined;
    if (!fits) this.#drop(spare);
    if (last.users > 0) return;
    if (last.changed.length === rows) this.#spare = last;
    else this.#drop(last);
  }

  /** An array for so many numbers, contents undefined. If it is engine memory, `adopt` takes it over without a copy. */
  lend(numbers: number): Float64Array {
    if (this.#now.room === undefined || this.#memory?.reclaim === undefined) {
      if (this.#ownArray.length !== numbers) this.#ownArray = new Float64Array(numbers);
      return this.#ownArray;
    }
    const { rows } = this;
    if (this.#lent?.changed.length !== rows) {
      this.#drop(this.#lent);
      this.#lent = undefined;
      const spare = this.#spare;
      const lent = spare?.changed.length === rows ? spare : this.#create(rows);
      if (lent === spare) this.#spare = undefined;
      this.#lent = lent;
    }
    return this.#lent.poses.subarray(0, numbers);
  }

  /**
   * Replaces all poses by those given: without a copy if they were written into lent memory, which detaches the caller's array;
   * else by a copy in engine memory. False if there is no such memory: then nothing has changed.
   */
  adopt(values: Float64Array, check: Check): boolean {
    if (this.#isLent(values)) {
      const { room, changed } = this.#lent!;
      check(this.#memory!.check!(room!, values.length / 16));
      const own = this.#memory!.reclaim!(room!);
      this.#lent = undefined;
      this.#switchTo({ poses: own.poses, room: own, onGpu: undefined, changed, users: 0 });
      return true;
    }
    if (this.#now.room === undefined) return false;
    const next = this.#spare ?? this.#create(this.rows);
    this.#spare = next;
    if (next.room === undefined) return false;
    check(this.#memory!.copy(values, next.room));
    this.#switchTo(next);
    return true;
  }

  /** Replaces all poses by poses on the GPU, which are not checked yet. */
  adoptGpuPoses(onGpu: GpuPoses): void {
    let next: PoseVersion;
    try {
      next = this.#spare ?? this.#create(this.rows);
    } catch (error) {
      onGpu.release();
      throw error;
    }
    next.onGpu = onGpu;
    this.#switchTo(next);
  }

  /** Gives up poses that are on the GPU alone; waiting questions keep them. */
  leaveGpuPoses(): void {
    if (this.#now.users > 0) this.resize(this.rows);
    else releaseGpuPoses(this.#now);
  }

  /** The last question that read the version has been answered, or one of several. */
  release(version: PoseVersion): void {
    version.users--;
    if (version.users > 0 || (version === this.#now && !this.#closed)) return;
    releaseGpuPoses(version);
    const fits = version.poses.length === this.#now.poses.length;
    if (fits && this.#spare === undefined && !this.#closed) this.#spare = version;
    else this.#drop(version);
  }

  /** Frees all that no waiting question reads. */
  close(): void {
    this.#closed = true;
    this.#drop(this.#spare);
    this.#drop(this.#lent);
    this.#spare = this.#lent = undefined;
    if (this.#now.users === 0) this.#drop(this.#now);
  }

  #isLent(values: Float64Array): boolean {
    const lent = this.#lent;
    if (lent?.room === undefined || lent.changed.length !== this.rows) return false;
    return values.buffer === lent.poses.buffer && values.byteOffset === lent.poses.byteOffset;
  }

  /** Makes `next` the current version. */
  #switchTo(next: PoseVersion): void {
    const last = this.#now;
    if (this.#spare === next) this.#spare = undefined;
    if (last.users === 0) {
      this.#drop(this.#spare);
      releaseGpuPoses(last);
      this.#spare = last;
    }
    this.#now = next;
  }

  #create(rows: number): PoseVersion {
    const changed = new Float64Array(rows);
    const room = this.#memory?.allocate(rows);
    const poses = room?.poses ?? new Float64Array(16 * rows);
    return { poses, room, onGpu: undefined, changed, users: 0 };
  }

  /** Frees a version that nobody will read again. */
  #drop(version: PoseVersion | undefined): void {
    if (version !== undefined) releaseGpuPoses(version);
    if (version?.room !== undefined) this.#memory?.free(version.room);
  }
}

export function releaseGpuPoses(version: PoseVersion): void {
  version.onGpu?.release();
  version.onGpu = undefined;
}
