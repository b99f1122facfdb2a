// The placed bodies as the GPU reads them: the doubles of their poses and the numbers of their shapes. They are kept
// between queries, and only changes are written. Poses come straight from the scene's table, or from a copy on the GPU.

import type { ShapeState, Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../../core/errors.ts';
import { GrowingBuffer } from '../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';
import { Staging } from '../../../gpu/buffers/staging.ts';
import type { Resources } from '../../../gpu/kernel.ts';
import { boxIsPlaced } from '../../../math/box.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import type { LocalFrame } from '../build/local.ts';
import type { Entry, GpuTrees } from '../trees.ts';
import { factsOf, PoseConversion, type PoseFacts } from './pose-conversion.ts';

/** Bodies checked per query to see whether the scene's frame still fits. */
const looks = 256;

/** An origin and a power of two, relative to which the broad phase's boxes are single precision. */
export interface SceneFrame {
  readonly origin: Float64Array<ArrayBuffer>;
  exponent: number;
}

export class GpuBodyTable {
  readonly #device: GPUDevice;
  readonly #poses: GrowingBuffer;
  readonly #shapes: GrowingBuffer;
  /** Very many poses are uploaded through staging memory that is kept. */
  readonly #staging: Staging;
  /** Places bodies from poses on the GPU, created on first use; and whether the last update used it. */
  #placing: PoseConversion | undefined;
  #placed = false;
  #lacksPoses = false;
  readonly scene: SceneFrame = { origin: new Float64Array(3), exponent: 0 };
  /** The table and its state that were written; 0 if none was. */
  #number = 0;
  #revision = 0;
  /** The table whose poses are recorded in an encoder that is not submitted yet. */
  #recorded = 0;
  /** The list of shapes whose numbers were written, and the trees' `changes` at that time. */
  #written: readonly ShapeState[] | undefined;
  #treesSeen = -1;
  /** Per row, the entry of its shape, and the frame that entry had. */
  readonly #entries: Entry[] = [];
  readonly #frames: LocalFrame[] = [];
  #distinct: Set<Entry> | undefined;
  #numbers = new Uint32Array(64);
  /** Whether every local origin is that of its mesh. */
  #areOriginsOwn = true;
  /** Whether some shape is so large that an ordinary pose may move it beyond the range of doubles. */
  #vast = false;
  /** Poses to write if some shape's local origin is not that of its mesh. */
  #moved = new Float64Array(0);
  /** The farthest local origin that a scene frame was made for. The frame is kept while it fits. */
  #spread = -1;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#poses = new GrowingBuffer(device, 'poses');
    this.#shapes = new GrowingBuffer(device, 'shape of body');
    this.#staging = new Staging(device);
  }

  bind(resources: Resources): void {
    resources.set('poses', this.#poses.buffer);
    resources.set('shapeOfBody', this.#shapes.buffer);
  }

  /** The shapes of all bodies, each once. */
  get entries(): ReadonlySet<Entry> {
    return (this.#distinct ??= new Set(this.#entries));
  }

  /** Whether all kernels are compiled. */
  isReady({ onGpu }: Snapshot): boolean {
    return onGpu === undefined || onGpu.isRead || this.#placing !== undefined;
  }

  async prepare(bodies: Snapshot): Promise<void> {
    if (!this.isReady(bodies)) this.#placing = await PoseConversion.create(this.#device);
  }

  /** With an encoder, its commands may depend on this update. Call `accepted` once the device has accepted them. */
  update(bodies: Snapshot, trees: GpuTrees, encoder?: GPUCommandEncoder): void {
    const { count, changed, table, revision, onGpu } = bodies;
    this.#recorded = 0;
    // Poses from the GPU that were not checked (`acceptFacts`), because their question was repeated or failed, may not
    // be poses.
    if (this.#placed) this.#number = 0;
    this.#placed = false;
    this.#lacksPoses = false;
    if (count === 0) return;
    const grown = this.#poses.bytes < 128 * count;
    const known = table === this.#number && revision >= this.#revision && !grown;
    // Nothing counts as written until all is well.
    this.#number = 0;
    if (grown) {
      this.#poses.reserve(128 * Math.max(16, Math.ceil(1.5 * count)));
      this.#shapes.reserve(4 * Math.max(16, Math.ceil(1.5 * count)));
    }
    const sameFrames = this.#updateShapes(bodies, trees, grown);
    const seen = known && sameFrames ? this.#revision : -1;
    let first = 0;
    while (first < count && changed[first] <= seen) first++;
    let end = count;
    while (end > first && changed[end - 1] <= seen) end--;
    if (end > first && onGpu !== undefined && !onGpu.isRead) {
      if (!sameFrames || this.#spread < 0 || this.#vast || !this.#areOriginsOwn) {
        this.#spread = -1;
        this.#lacksPoses = true;
        return;
      }
      this.#placing!.encode(encoder!, onGpu, count, this.#poses.buffer);
      this.#placed = true;
      this.#recorded = table;
    } else if (end > first) {
      if (!bodies.ordinary || this.#vast) this.#checkPlaced(bodies, first, end, seen);
      const poses = this.#worldPoses(bodies, first, end);
      this.#fitScene(poses, count, sameFrames);
      const { buffer } = this.#poses;
      const given = poses.subarray(16 * first, 16 * end);
      if (encoder !== undefined && this.#staging.write(encoder, buffer, 128 * first, given)) {
        this.#recorded = table;
      } else this.#device.queue.writeBuffer(buffer, 128 * first, poses, 16 * first, 16 * (end - first));
    }
    if (this.#recorded === 0) this.#number = table;
    this.#revision = revision;
  }

  /**
   * Whether poses that are only on the GPU must be read back and the table updated again. Some may not be poses, or
   * their numbers are needed to choose a frame or to place a body whose local origin is not its mesh's.
   */
  get lacksPoses(): boolean {
    return this.#lacksPoses;
  }

  /** The facts to read back about poses that the last update took from the GPU; empty otherwise. */
  get factPieces(): readonly Piece[] {
    return this.#placed ? [this.#placing!.piece] : [];
  }

  /** Checks the facts that were read; false if they are missing. */
  acceptFacts(views: readonly Uint32Array[]): boolean {
    if (!this.#placed) return true;
    this.#placed = false;
    const facts = factsOf(views[0]);
    if (facts !== undefined) this.#fitNext(facts);
    else this.#number = 0;
    this.#lacksPoses = facts === undefined;
    return !this.#lacksPoses;
  }

  /** Call when the commands of the last update are submitted. Without this call everything is written again. */
  accepted(): void {
    if (this.#recorded !== 0) this.#number = this.#recorded;
    this.#recorded = 0;
    this.#staging.recycle();
  }

  /** Writes the shape numbers if they changed. Returns whether every row kept its shape and frame. */
  #updateShapes({ count, shapeStates }: Snapshot, trees: GpuTrees, grown: boolean): boolean {
    if (shapeStates === this.#written && trees.changes === this.#treesSeen && !grown) return true;
    // Bodies that deform and keep their shapes give a new list. At most some frames differ.
    let sameEntries = !grown && count === this.#entries.length;
    let sameFrames = sameEntries;
    this.#areOriginsOwn = true;
    this.#vast = false;
    let entry: Entry | undefined;
    for (let i = 0; i < count; i++) {
      const { shape } = shapeStates[i];
      if (entry?.shape !== shape) entry = trees.entryOf(shape);
      const { frame } = entry;
      if (this.#entries[i] !== entry) {
        this.#entries[i] = entry;
        sameEntries = false;
      }
      if (this.#frames[i] !== frame) {
        this.#frames[i] = frame;
        sameFrames = false;
      }
      if (!isZero(frame.origin)) this.#areOriginsOwn = false;
      if (frame.exponent > 400) this.#vast = true;
    }
    if (!sameEntries) this.#writeShapes(count);
    this.#written = shapeStates;
    this.#treesSeen = trees.changes;
    return sameEntries && sameFrames;
  }

  #writeShapes(count: number): void {
    this.#entries.length = this.#frames.length = count;
    this.#distinct = undefined;
    if (this.#numbers.length < count) this.#numbers = new Uint32Array(2 * count);
    for (let i = 0; i < count; i++) this.#numbers[i] = this.#entries[i].index;
    this.#device.queue.writeBuffer(this.#shapes.buffer, 0, this.#numbers, 0, count);
  }

  /**
   * Poses whose translation is the world position of the local origin. Usually that is the mesh's origin, and these are
   * the given poses.
   */
  #worldPoses({ poses }: Snapshot, first: number, end: number): Float64Array<ArrayBuffer> {
    if (this.#areOriginsOwn) return poses;
    if (this.#moved.length < poses.length) {
      this.#moved = poses.slice();
      first = 0;
      end = this.#entries.length;
    } else this.#moved.set(poses.subarray(16 * first, 16 * end), 16 * first);
    for (let i = first; i < end; i++) moveOrigin(this.#moved, 16 * i, this.#entries[i].frame.origin);
    return this.#moved;
  }

  #checkPlaced({ poses, shapeStates, changed }: Snapshot, first: number, end: number, seen: number): void {
    for (let i = first; i < end; i++) {
      if (changed[i] <= seen) continue;
      const pose = poses.subarray(16 * i, 16 * i + 16);
      const { frame } = this.#entries[i];
      if (fitsWithRoom(pose, frame)) continue;
      const { positions, mesh, onGpu } = shapeStates[i];
      // If the positions are only on the GPU, all that is known is that they fit their frame.
      if (onGpu === undefined && boxIsPlaced(pose, boundsOf(positions, mesh.indices))) continue;
      throw new NearfieldError('not-finite', `body ${i}: its world positions do not fit in doubles`);
    }
  }

  /**
   * Makes a new scene frame, unless the local origins lie within the current one and it is at most 16 times too large.
   * A frame that does not fit only makes boxes wider than necessary, so if there are many bodies only some are checked.
   * The unit is that of the spread of the origins or of the largest body, whichever is larger: all bodies may lie
   * around one origin.
   */
  #fitScene(poses: Float64Array, count: number, sameFrames: boolean): void {
    const { origin } = this.scene;
    const stride = Math.ceil(count / looks);
    let farthest = 0;
    for (let at = 12; at < 16 * count; at += 16 * stride) {
      const x = Math.abs(poses[at] - origin[0]);
      const y = Math.abs(poses[at + 1] - origin[1]);
      const z = Math.abs(poses[at + 2] - origin[2]);
      if (x > farthest) farthest = x;
      if (y > farthest) farthest = y;
      if (z > farthest) farthest = z;
    }
    if (sameFrames && farthest <= this.#spread && farthest >= this.#spread / 16) return;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let at = 12; at < 16 * count; at += 16) {
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], poses[at + axis]);
        high[axis] = Math.max(high[axis], poses[at + axis]);
      }
    }
    this.#fitAround(low, high, this.#largestExponent(poses, count));
  }

  #fitAround(low: readonly number[], high: readonly number[], largestExponent: number): void {
    const { origin } = this.scene;
    let farthest = 0;
    for (let axis = 0; axis < 3; axis++) {
      origin[axis] = low[axis] / 2 + high[axis] / 2;
      farthest = Math.max(farthest, high[axis] - origin[axis], origin[axis] - low[axis]);
    }
    this.#spread = 2 * farthest;
    const spread = farthest === 0 ? -1000 : Math.ceil(Math.log2(farthest)) + 2;
    this.scene.exponent = Math.max(spread, largestExponent);
  }

  /**
   * Does the same after poses on the GPU were used, for the next query. Those used the previous frame, whether it
   * fitted or not.
   */
  #fitNext({ low, high, largestExponent }: PoseFacts): void {
    const { origin } = this.scene;
    let farthest = 0;
    for (let axis = 0; axis < 3; axis++) {
      farthest = Math.max(farthest, high[axis] - origin[axis], origin[axis] - low[axis]);
    }
    if (farthest <= this.#spread && farthest >= this.#spread / 16) return;
    let largestFrame = -1000;
    for (const { exponent } of this.#frames) largestFrame = Math.max(largestFrame, exponent);
    this.#fitAround(low, high, Math.min(1000, largestFrame + largestExponent));
  }

  /** A power of two that is at least about the size of every body. */
  #largestExponent(poses: Float64Array, count: number): number {
    let largest = -1000;
    for (let i = 0; i < count; i++) {
      let entry = 0;
      for (let at = 16 * i; at < 16 * i + 11; at++) {
        const size = Math.abs(poses[at]);
        if (at % 4 !== 3 && size > entry) entry = size;
      }
      if (entry > 0)
        largest = Math.max(largest, this.#entries[i].frame.exponent + Math.ceil(Math.log2(entry)));
    }
    return Math.min(largest, 1000);
  }

  destroy(): void {
    this.#number = 0;
    this.#written = undefined;
    this.#entries.length = this.#frames.length = 0;
    this.#distinct = undefined;
    this.#staging.destroy();
    this.#placing?.destroy();
    this.#poses.destroy();
    this.#shapes.destroy();
  }
}

/** Entries are read one by one, here and below. Destructuring would use an iterator, for every body that deforms. */
const isZero = (at: readonly number[]): boolean => at[0] === 0 && at[1] === 0 && at[2] === 0;

/** Makes the translation the world position of a local origin, in the contract's order of operations. */
function moveOrigin(m: Float64Array, at: number, origin: readonly [number, number, number]): void {
  if (isZero(origin)) return;
  const x = origin[0];
  const y = origin[1];
  const z = origin[2];
  for (let row = at; row < at + 3; row++) {
    m[row + 12] = m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12];
  }
}

/** Whether world positions are below a quarter of the largest double, judging by what is known without reading them. */
function fitsWithRoom(m: Float64Array, { reach, exponent }: LocalFrame): boolean {
  const [x, y, z] = reach;
  const unit = 2 ** exponent;
  for (let row = 0; row < 3; row++) {
    const linear = Math.abs(m[row]) * x + Math.abs(m[4 + row]) * y + Math.abs(m[8 + row]) * z;
    if (!(linear * unit + Math.abs(m[12 + row]) < Number.MAX_VALUE / 4)) return false;
  }
  return true;
}
