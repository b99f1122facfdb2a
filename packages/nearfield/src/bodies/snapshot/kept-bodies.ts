// The bodies that an answer names, as the question saw them: kept for as long as the answer is.

import { identity, type Pose } from '../../math/pose.ts';
import type { GpuPoses } from '../on-gpu/gpu-poses.ts';
import { isAnyOnGpu, readable, readFromGpu } from '../on-gpu/gpu-positions.ts';
import type { ShapeState, Snapshot } from './snapshot.ts';
import type { SnapshotBody } from './snapshot-body.ts';

/**
 * The moments of the bodies that an answer names, two a pair. Their poses are copied into one array, or those of all
 * bodies where that is less; a moment is made of them when it is asked for, which for most pairs of a large answer is
 * never. Poses on the GPU stay there until they are read.
 */
export class KeptBodies {
  readonly #forms: readonly ShapeState[];
  readonly #rows: Uint32Array;
  /** Those of all bodies, of those named with the last row left out, or on the GPU. */
  readonly #all: Float64Array | undefined;
  readonly #named: Float64Array | undefined;
  readonly #onGpu: GpuPoses | undefined;

  /** `rows` are kept, not copied. */
  constructor(seen: Snapshot, rows: Uint32Array) {
    const { shapeStates, onGpu, count } = seen;
    this.#forms = shapeStates;
    this.#rows = rows;
    if (onGpu !== undefined) this.#onGpu = onGpu;
    else if (rows.length >= count) this.#all = seen.poses.slice(0, 16 * count);
    else this.#named = namedPoses(seen.poses, rows);
  }

  /** Of the i-th body named. */
  bodyAt(i: number): SnapshotBody {
    const form = readable(this.#forms[this.#rows[i]]);
    return { ...form, pose: this.#poseAt(i), poseRevision: 0 };
  }

  /** The poses of all bodies named, by row. */
  poses(): Map<number, Pose> {
    return new Map(Array.from(this.#rows, (row, i) => [row, this.#poseAt(i)]));
  }

  #poseAt(i: number): Pose {
    const row = this.#rows[i];
    if (this.#onGpu !== undefined) return this.#onGpu.poseAt(row);
    if (this.#all !== undefined) return this.#all.slice(16 * row, 16 * row + 16);
    const pose = identity();
    for (let column = 0; column < 4; column++) {
      for (let k = 0; k < 3; k++) pose[4 * column + k] = this.#named![12 * i + 3 * column + k];
    }
    return pose;
  }

  /** Reads positions and poses that are on the GPU alone. */
  async read(): Promise<void> {
    await this.#onGpu?.read();
    if (isAnyOnGpu(this.#forms)) await readFromGpu(Array.from(this.#rows, row => this.#forms[row]));
  }
}

/**
 * Three numbers a column: the last row is 0 0 0 1. Of tens of thousands of pairs this is waiting for memory: written out, a
 * processor waits for more of them at a time than in a loop, and takes two thirds as long.
 */
function namedPoses(poses: Float64Array, rows: Uint32Array): Float64Array {
  const copy = new Float64Array(12 * rows.length);
  for (let i = 0, at = 0; i < rows.length; i++, at += 12) {
    const from = 16 * rows[i];
    copy[at] = poses[from];
    copy[at + 1] = poses[from + 1];
    copy[at + 2] = poses[from + 2];
    copy[at + 3] = poses[from + 4];
    copy[at + 4] = poses[from + 5];
    copy[at + 5] = poses[from + 6];
    copy[at + 6] = poses[from + 8];
    copy[at + 7] = poses[from + 9];
    copy[at + 8] = poses[from + 10];
    copy[at + 9] = poses[from + 12];
    copy[at + 10] = poses[from + 13];
    copy[at + 11] = poses[from + 14];
  }
  return copy;
}
