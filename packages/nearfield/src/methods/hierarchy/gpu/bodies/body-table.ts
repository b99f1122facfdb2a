// The placed bodies as the GPU reads them: the doubles of their poses and the numbers of their shapes. Kept
// between queries; only what changed is written again.

import type { LocalFrame } from '../../../../bvh/gpu-local.ts';
import type { Entry, GpuTrees } from '../../../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../../../errors.ts';
import { GrowingBuffer } from '../../../../gpu/buffers.ts';
import type { Resources } from '../../../../gpu/kernel.ts';
import { boxIsPlaced } from '../../../../math/box.ts';
import { boundsOf } from '../../../../mesh/facts.ts';
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
  #poseRevisions = new Float64Array(0);
  #frames: (object | undefined)[] = [];
  #entries: (Entry | undefined)[] = [];
  /** The farthest local origin a scene frame was made for, so that it is kept while it fits. */
  #spread = -1;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#poses = new GrowingBuffer(device, 'poses');
    this.#shapes = new GrowingBuffer(device, 'shape of body');
  }

  bind(resources: Resources): void {
    resources.set('poses', this.#poses.buffer);
    resources.set('shapeOfBody', this.#shapes.buffer);
  }

  update(bodies: readonly Placed[], trees: GpuTrees): void {
    const count = bodies.length;
    this.#grow(count);
    // Ten thousand bodies pass here a query: locals, no calls but the one that writes a pose.
    const known = this.#known;
    const poseRevisions = this.#poseRevisions;
    const frames = this.#frames;
    const entries = this.#entries;
    const shapeWords = this.#shapeWords;
    const poseWords = this.#poseWords;
    const originX = this.scene.origin[0];
    const originY = this.scene.origin[1];
    const originZ = this.scene.origin[2];
    let lastFrame: LocalFrame | undefined;
    let unit = 1;
    let farthest = 0;
    let changed = 0;
    let first = count;
    let last = -1;
    for (let i = 0; i < count; i++) {
      const body = bodies[i];
      const { poseRevision } = body;
      let entry = entries[i];
      if (entry === undefined || entry.forgotten || entry.shape !== body.shape) {
        entry = trees.entryOf(body.shape);
        entries[i] = entry;
        known[i] = undefined;
      }
      const { frame } = entry;
      if (known[i] === body && poseRevisions[i] === poseRevision && frames[i] === frame) continue;
      if (frame !== lastFrame) {
        lastFrame = frame;
        unit = 2 ** frame.exponent;
      }
      if (!fitsWithRoom(body.pose, frame.reach, unit) && !isPlaced(body)) {
        // Those before it were not written either.
        this.#known = [];
        throw new NearfieldError('not-finite', `body ${i}: its world positions do not fit in doubles`);
      }
      // Storing a reference costs the garbage collector's barrier: only where it is another one.
      if (known[i] !== body) known[i] = body;
      if (frames[i] !== frame) frames[i] = frame;
      poseRevisions[i] = poseRevision;
      shapeWords[i] = entry.index;
      const at = doubles * i;
      writePose(body.pose, frame.origin, poseWords, at);
      const offX = Math.abs(poseWords[at + 9] - originX);
      const offY = Math.abs(poseWords[at + 10] - originY);
      const offZ = Math.abs(poseWords[at + 11] - originZ);
      if (offX > farthest) farthest = offX;
      if (offY > farthest) farthest = offY;
      if (offZ > farthest) farthest = offZ;
      if (last < 0) first = i;
      last = i;
      changed++;
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
    // Where every body moved, the loop above has seen them all.
    if (changed < count || !this.#isFitting(farthest)) this.#fitScene(count);
  }

  #grow(count: number): void {
    if (this.#shapeWords.length < count || this.#shapeWords.length === 0) {
      const room = Math.max(16, Math.ceil(1.5 * count));
      this.#poseWords = new Float64Array(doubles * room);
      this.#shapeWords = new Uint32Array(room);
      this.#poseRevisions = new Float64Array(room);
      this.#known = [];
      this.#poses.reserve(8 * doubles * room);
      this.#shapes.reserve(4 * room);
    }
    // A shorter list of bodies must not keep those beyond it alive.
    this.#known.length = count;
    this.#frames.length = count;
    this.#entries.length = count;
  }

  #isFitting(farthest: number): boolean {
    return farthest <= this.#spread && farthest >= this.#spread / 16;
  }

  /** Makes the scene's frame anew unless every local origin lies within it and it is at most 16 times too large. */
  #fitScene(count: number): void {
    const { origin } = this.scene;
    const words = this.#poseWords;
    const end = doubles * count;
    let lowX = Number.POSITIVE_INFINITY;
    let lowY = Number.POSITIVE_INFINITY;
    let lowZ = Number.POSITIVE_INFINITY;
    let highX = Number.NEGATIVE_INFINITY;
    let highY = Number.NEGATIVE_INFINITY;
    let highZ = Number.NEGATIVE_INFINITY;
    for (let at = 9; at < end; at += doubles) {
      const x = words[at];
      const y = words[at + 1];
      const z = words[at + 2];
      if (x < lowX) lowX = x;
      if (x > highX) highX = x;
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
      if (z < lowZ) lowZ = z;
      if (z > highZ) highZ = z;
    }
    let farthest = Math.max(
      Math.max(highX - origin[0], origin[0] - lowX),
      Math.max(highY - origin[1], origin[1] - lowY),
      Math.max(highZ - origin[2], origin[2] - lowZ),
    );
    if (this.#isFitting(farthest)) return;
    origin[0] = lowX / 2 + highX / 2;
    origin[1] = lowY / 2 + highY / 2;
    origin[2] = lowZ / 2 + highZ / 2;
    farthest = Math.max(
      Math.max(highX - origin[0], origin[0] - lowX),
      Math.max(highY - origin[1], origin[1] - lowY),
      Math.max(highZ - origin[2], origin[2] - lowZ),
    );
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
  const x = origin[0];
  const y = origin[1];
  const z = origin[2];
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

/** Whether world positions are below a quarter of the largest double, from what is known without looking at them. */
function fitsWithRoom(m: Float64Array, reach: Float32Array, unit: number): boolean {
  const x = reach[0];
  const y = reach[1];
  const z = reach[2];
  for (let row = 0; row < 3; row++) {
    const linear = Math.abs(m[row]) * x + Math.abs(m[4 + row]) * y + Math.abs(m[8 + row]) * z;
    if (!(linear * unit + Math.abs(m[12 + row]) < Number.MAX_VALUE / 4)) return false;
  }
  return true;
}

const isPlaced = ({ pose, shape }: Placed): boolean =>
  boxIsPlaced(pose, boundsOf(shape.positions, shape.mesh.indices));
