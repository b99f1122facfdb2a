// The bodies that an answer names, as the question saw them. An answer keeps them for as long as it lives.

import { rawMemory } from '../core/raw-memory.ts';
import { identity, type Pose } from '../math/pose.ts';
import { isAnyOnGpu, readable, readFromGpu } from './on-gpu/buffers.ts';
import type { GpuPoses } from './on-gpu/gpu-poses.ts';
import type { ShapeState, Snapshot } from './snapshot/snapshot.ts';
import type { SnapshotBody } from './snapshot/snapshot-body.ts';

/**
 * The snapshot bodies that an answer names, two per pair. The poses of the named bodies are copied into one array, or
 * the poses of all bodies if that is less. A `SnapshotBody` is made on demand, which for most pairs of a large answer
 * is never. Poses on the GPU stay there until they are read back.
 */
export class KeptBodies {
  readonly #shapeStates: readonly ShapeState[];
  /** The rows of the named bodies. */
  readonly rows: Uint32Array;
  // Exactly one of the next three is set.
  /** The poses of all bodies, 16 numbers per row. */
  readonly #all: Float64Array | undefined;
  /** The poses of the named bodies, 12 numbers each: the last matrix row, 0 0 0 1, is left out. */
  readonly #named: Float64Array | undefined;
  readonly #onGpu: GpuPoses | undefined;

  /** Keeps `rows` without copying it. */
  constructor(seen: Snapshot, rows: Uint32Array) {
    const { shapeStates, onGpu, count } = seen;
    this.#shapeStates = shapeStates;
    this.rows = rows;
    if (onGpu !== undefined) this.#onGpu = onGpu;
    else if (rows.length >= count) this.#all = copyOf(seen.poses.subarray(0, 16 * count));
    else this.#named = namedPoses(seen.poses, rows);
  }

  /** The i-th named body. */
  bodyAt(i: number): SnapshotBody {
    const { shape, mesh, positions, revision, onGpu } = this.stateOf(this.rows[i]);
    // Named one by one: spreading an object takes several times as long, and a large answer makes two bodies per pair.
    return { shape, mesh, positions, revision, onGpu, pose: this.#poseAt(i), poseRevision: 0 };
  }

  /** The shape of the body of a row. */
  stateOf(row: number): ShapeState {
    return readable(this.#shapeStates[row]);
  }

  /** The poses of all named bodies, by row. */
  poses(): Map<number, Pose> {
    return new Map(Array.from(this.rows, (row, i) => [row, this.#poseAt(i)]));
  }

  /** The poses of all bodies, 16 numbers per row; undefined if only those of named bodies are kept. */
  get allPoses(): Float64Array | undefined {
    return this.#onGpu?.poses ?? this.#all;
  }

  #poseAt(i: number): Pose {
    const row = this.rows[i];
    if (this.#onGpu !== undefined) return this.#onGpu.poseAt(row);
    if (this.#all !== undefined) return this.#all.subarray(16 * row, 16 * row + 16);
    const pose = identity();
    for (let column = 0; column < 4; column++) {
      for (let k = 0; k < 3; k++) pose[4 * column + k] = this.#named![12 * i + 3 * column + k];
    }
    return pose;
  }

  /** Reads back positions and poses that are on the GPU alone. */
  async read(): Promise<void> {
    await this.#onGpu?.read();
    if (isAnyOnGpu(this.#shapeStates))
      await readFromGpu(Array.from(this.rows, row => this.#shapeStates[row]));
  }
}

/** More numbers than this are worth shared memory, so that they need not be copied again for other threads. */
const manyNumbers = 1 << 17;

function copyOf(poses: Float64Array): Float64Array {
  if (poses.length < manyNumbers || typeof SharedArrayBuffer === 'undefined') return poses.slice();
  const copy = new Float64Array(rawMemory(poses.byteLength, true));
  copy.set(poses);
  return copy;
}

/**
 * Three numbers per column: the last matrix row is always 0 0 0 1. With tens of thousands of pairs this is bound by
 * memory latency. Written out, more loads are in flight at a time than in a loop, and it takes two thirds as long.
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
