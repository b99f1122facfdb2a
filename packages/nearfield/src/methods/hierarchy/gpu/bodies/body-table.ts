// The placed bodies as the GPU reads them: the doubles of their poses and the numbers of their shapes. Kept
// between queries; only what changed is written again.

import type { Entry, GpuTrees } from '../../../../bvh/gpu-trees.ts';
import { GrowingBuffer } from '../../../../gpu/buffers.ts';
import type { Placed } from '../../../../scene/engine.ts';

/** Doubles a body: linear part by columns, world position of the local origin. */
const doubles = 12;

/** An origin and power of two in which the broad phase's boxes are single precision. */
export interface SceneFrame {
  readonly origin: Float64Array<ArrayBuffer>;
  exponent: number;
}

export class BodyTable {
  readonly #device: GPUDevice;
  readonly #poses: GrowingBuffer;
  readonly #shapes: GrowingBuffer;
  readonly scene: SceneFrame = { origin: new Float64Array(3), exponent: 0 };
  #poseWords = new Float64Array(0);
  #shapeWords = new Uint32Array(0);
  #known: (Placed | undefined)[] = [];
  #poseRevisions: number[] = [];
  #frames: (object | undefined)[] = [];
  #entries: (Entry | undefined)[] = [];
  /** The farthest local origin a scene frame was made for, so that it is kept while it fits. */
  #spread = -1;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#poses = new GrowingBuffer(device, 'poses');
    this.#shapes = new GrowingBuffer(device, 'shape of body');
  }

  get buffers(): { poses: GPUBuffer; shapeOfBody: GPUBuffer } {
    return { poses: this.#poses.buffer, shapeOfBody: this.#shapes.buffer };
  }

  update(bodies: readonly Placed[], trees: GpuTrees): void {
    const count = bodies.length;
    this.#grow(count);
    let first = count;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const body = bodies[i];
      let entry = this.#entries[i];
      if (entry === undefined || entry.forgotten || entry.shape !== body.shape) {
        entry = trees.entryOf(body.shape);
        this.#entries[i] = entry;
        this.#known[i] = undefined;
      }
      if (
        this.#known[i] === body &&
        this.#poseRevisions[i] === body.poseRevision &&
        this.#frames[i] === entry.frame
      ) {
        continue;
      }
      this.#known[i] = body;
      this.#poseRevisions[i] = body.poseRevision;
      this.#frames[i] = entry.frame;
      this.#shapeWords[i] = entry.index;
      writePose(body.pose, entry.frame.origin, this.#poseWords, doubles * i);
      if (first > i) first = i;
      last = i;
    }
    if (last < 0) return;
    const queue = this.#device.queue;
    const length = last + 1 - first;
    queue.writeBuffer(
      this.#poses.buffer,
      8 * doubles * first,
      this.#poseWords,
      doubles * first,
      doubles * length,
    );
    queue.writeBuffer(this.#shapes.buffer, 4 * first, this.#shapeWords, first, length);
    this.#fitScene(count);
  }

  #grow(count: number): void {
    if (this.#shapeWords.length < count || this.#shapeWords.length === 0) {
      const room = Math.max(16, Math.ceil(1.5 * count));
      this.#poseWords = new Float64Array(doubles * room);
      this.#shapeWords = new Uint32Array(room);
      this.#known = [];
      this.#poses.reserve(8 * doubles * room);
      this.#shapes.reserve(4 * room);
    }
    // A shorter list of bodies must not keep those beyond it alive.
    this.#known.length = count;
    this.#frames.length = count;
    this.#entries.length = count;
  }

  /** Keeps the scene's frame while every local origin lies within it and it is at most 16 times too large. */
  #fitScene(count: number): void {
    const { origin } = this.scene;
    const words = this.#poseWords;
    let farthest = 0;
    for (let i = 0; i < count; i++) {
      for (let axis = 0; axis < 3; axis++) {
        farthest = Math.max(farthest, Math.abs(words[doubles * i + 9 + axis] - origin[axis]));
      }
    }
    if (farthest <= this.#spread && farthest >= this.#spread / 16) return;
    farthest = 0;
    for (let axis = 0; axis < 3; axis++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < count; i++) {
        const value = words[doubles * i + 9 + axis];
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      origin[axis] = low / 2 + high / 2;
      farthest = Math.max(farthest, high - origin[axis], origin[axis] - low);
    }
    this.#spread = 2 * farthest;
    this.scene.exponent = farthest === 0 ? -1000 : Math.ceil(Math.log2(farthest)) + 2;
  }

  destroy(): void {
    this.#known = [];
    this.#entries = [];
    this.#poses.destroy();
    this.#shapes.destroy();
  }
}

/** Linear part, then the world position of the local origin, in the contract's order of operations. */
function writePose(m: Float64Array, origin: readonly number[], out: Float64Array, at: number): void {
  out[at] = m[0];
  out[at + 1] = m[1];
  out[at + 2] = m[2];
  out[at + 3] = m[4];
  out[at + 4] = m[5];
  out[at + 5] = m[6];
  out[at + 6] = m[8];
  out[at + 7] = m[9];
  out[at + 8] = m[10];
  const [x, y, z] = origin;
  if (x === 0 && y === 0 && z === 0) {
    out[at + 9] = m[12];
    out[at + 10] = m[13];
    out[at + 11] = m[14];
    return;
  }
  out[at + 9] = m[0] * x + m[4] * y + m[8] * z + m[12];
  out[at + 10] = m[1] * x + m[5] * y + m[9] * z + m[13];
  out[at + 11] = m[2] * x + m[6] * y + m[10] * z + m[14];
}
