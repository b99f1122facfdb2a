// The table of a scene's bodies: one row per body, in the order of adding, with all poses in one array. Engines copy
// that array as a whole (snapshot/snapshot.ts) instead of asking ten thousand bodies one by one.
//
// An engine may provide memory for the poses in which kernels can check them. If that memory is the CPU engine's own,
// it copies nothing at all.
//
// Copy on write: poses are written in place unless a waiting question still needs them. If one does, it keeps the old
// array and the table continues with a copy. The lists of bodies and shape states are replaced in the same way, since
// answers keep them.
//
// The poses of all bodies may come in a GPUBuffer (on-gpu/gpu-poses.ts). Until they are read back, single poses can
// neither be read nor changed. If a body is added or removed meanwhile, all poses become unknown until they are all set
// again.

import { NearfieldError } from '../core/errors.ts';
import { checkPoses, type Pose, readPose, toPose } from '../math/pose.ts';
import type { Body } from './body.ts';
import type { PoseMemory, PoseRows } from './engine.ts';
import { type GpuPoses, refuse } from './on-gpu/gpu-poses.ts';
import type { ShapeState, Snapshot } from './snapshot/snapshot.ts';
import { nextTable } from './snapshot/snapshot-of.ts';

/** One state of all poses, with the revision at which each changed. A waiting question keeps the version it saw. */
interface PoseVersion {
  readonly poses: Float64Array<ArrayBuffer>;
  readonly changed: Float64Array<ArrayBuffer>;
  /** Set if the poses lie in an engine's memory. */
  readonly room: PoseRows | undefined;
  /** Set if the poses came in a GPUBuffer. The contents of `poses` and `room` are then undefined. */
  onGpu: GpuPoses | undefined;
  /** How many waiting questions read this version. It is not written to while there are any. */
  users: number;
}

/** A snapshot that knows which version of the poses it uses. */
type TableSnapshot = Snapshot & { readonly version: PoseVersion };

export class BodyTable {
  readonly #number = nextTable();
  readonly #memory: PoseMemory | undefined;
  #bodies: Body[] = [];
  #shapeStates: ShapeState[] = [];
  #version: PoseVersion;
  /** A version that no question needs any longer, kept for the next copy. */
  #spare: PoseVersion | undefined;
  /** The version whose pose array `lend` gave to a caller for writing. */
  #lent: PoseVersion | undefined;
  /** What `lend` gives if there is no engine memory to lend. `setAllPoses` copies it like any other array. */
  #ownArray = new Float64Array(0);
  /** How many rows belong to removed bodies. Such rows are closed up before the table is read. */
  #gaps = 0;
  /** Whether a snapshot has the lists of bodies and shape states, so that they must be copied before a change. */
  #listsKept = false;
  #revision = 0;
  /** Whether every pose ever set was ordinary (`checkPoses`), those of removed bodies included. */
  #ordinary = true;
  #shapesChanged = 0;
  #replaced = 0;
  /** Whether bodies were added or removed while the poses were on the GPU alone. */
  #posesUnknown = false;
  #snapshotNow: TableSnapshot | undefined;
  #closed = false;

  /** The poses are kept in `memory` if it is given, else in ordinary arrays. */
  constructor(memory?: PoseMemory) {
    this.#memory = memory;
    this.#version = createPoseVersion(16, memory);
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    this.#closeGaps();
    return this.#bodies;
  }

  /** The shape state of each body, in the same order. */
  get shapeStates(): readonly ShapeState[] {
    this.#closeGaps();
    return this.#shapeStates;
  }

  has(body: Body): boolean {
    return this.#bodies[body.row] === body;
  }

  /** Adds the body as the last row. Throws 'bad-pose' and changes nothing if `pose` is not a pose. */
  add(body: Body, state: ShapeState, pose: ArrayLike<number>): void {
    // Check first: if `pose` is not a pose, the poses on the GPU must not be given up.
    if (!this.isKnown) toPose(pose, body.name);
    this.#leaveGpuPoses();
    this.#closeGaps();
    const row = this.#bodies.length;
    if (row === this.#version.changed.length) this.#replaceVersion(2 * row);
    const { poses, changed } = this.#writable();
    this.#ordinary = readPose(pose, body.name, poses, 16 * row) && this.#ordinary;
    this.#ownLists();
    this.#bodies.push(body);
    this.#shapeStates.push(state);
    changed[row] = ++this.#revision;
    this.#shapesChanged = this.#revision;
    body.row = row;
  }

  /** Leaves a gap that is closed later, so that removing many bodies one after the other takes linear time. */
  remove(body: Body): void {
    this.#leaveGpuPoses();
    body.row = -1;
    this.#gaps++;
    this.#snapshotNow = undefined;
  }

  /** Whether the poses are on the CPU. */
  get isKnown(): boolean {
    this.#adoptReadPoses();
    return !this.#posesUnknown && this.#version.onGpu === undefined;
  }

  poseOf(row: number): Pose {
    if (!this.isKnown) refuse();
    return this.#version.poses.slice(16 * row, 16 * row + 16);
  }

  /** Grows with every new pose of the row's body. */
  poseRevisionOf(row: number): number {
    return this.#version.changed[row];
  }

  setPose(row: number, values: ArrayLike<number>, who: string): void {
    if (!this.isKnown) refuse();
    const { poses, changed } = this.#writable();
    this.#ordinary = readPose(values, who, poses, 16 * row) && this.#ordinary;
    changed[row] = ++this.#revision;
  }

  /**
   * An array for the poses of all rows, contents undefined. If it is engine memory, `setAllPoses` adopts it without a
   * copy.
   */
  lend(): Float64Array {
    const numbers = 16 * this.bodies.length;
    const rows = this.#version.changed.length;
    if (this.#version.room === undefined || this.#memory?.reclaim === undefined) {
      if (this.#ownArray.length !== numbers) this.#ownArray = new Float64Array(numbers);
      return this.#ownArray;
    }
    if (this.#lent?.changed.length !== rows) {
      this.#drop(this.#lent);
      this.#lent = undefined;
      const spare = this.#spare;
      const lent = spare?.changed.length === rows ? spare : createPoseVersion(rows, this.#memory);
      if (lent === spare) this.#spare = undefined;
      this.#lent = lent;
    }
    return this.#lent.poses.subarray(0, numbers);
  }

  /** Sets the poses of all rows. */
  setAllPoses(values: Float64Array): void {
    const { bodies } = this;
    if (this.#isLent(values)) this.#adoptLent(values);
    else if (this.#version.room === undefined || !this.#copyAll(values)) {
      const ordinary = checkPoses(values, bodies.length, i => bodies[i].name);
      this.#ordinary = ordinary && this.#ordinary;
      this.#writable(true).poses.set(values);
    }
    this.#allReplaced();
  }

  /** Sets the poses of all rows to poses on the GPU, which are not checked yet. */
  setGpuPoses(onGpu: GpuPoses): void {
    this.#closeGaps();
    if (this.#bodies.length === 0) {
      onGpu.release();
      return;
    }
    let next: PoseVersion;
    try {
      next = this.#spare ?? createPoseVersion(this.#version.changed.length, this.#memory);
    } catch (error) {
      onGpu.release();
      throw error;
    }
    next.onGpu = onGpu;
    this.#switchTo(next);
    this.#allReplaced();
  }

  /**
   * A copy of all poses as they were at the call. If they are on the GPU, they are read back and become the table's
   * own.
   */
  async readPoses(): Promise<Float64Array> {
    const { count, version } = this.now() as TableSnapshot;
    const { onGpu } = version;
    if (onGpu === undefined) return version.poses.slice(0, 16 * count);
    await onGpu.read();
    this.#adoptReadPoses();
    return onGpu.poses.slice();
  }

  #allReplaced(): void {
    this.#posesUnknown = false;
    this.#replaced = ++this.#revision;
    this.#version.changed.fill(this.#revision, 0, this.#bodies.length);
  }

  /**
   * Copies the poses into a spare version, checks them there, and switches to it. False if that is not engine memory.
   */
  #copyAll(values: Float64Array): boolean {
    const memory = this.#memory!;
    const next = this.#spare ?? createPoseVersion(this.#version.changed.length, memory);
    this.#spare = next;
    if (next.room === undefined) return false;
    this.#ordinary = this.#isOrdinary(values, memory.copy(values, next.room));
    this.#switchTo(next);
    return true;
  }

  #isLent(values: Float64Array): boolean {
    const lent = this.#lent;
    if (lent?.room === undefined || lent.changed.length !== this.#version.changed.length) return false;
    return values.buffer === lent.poses.buffer && values.byteOffset === lent.poses.byteOffset;
  }

  /** Switches to poses that the caller wrote into lent memory. The caller's array is detached. */
  #adoptLent(values: Float64Array): void {
    const { room, changed } = this.#lent!;
    const ordinary = this.#isOrdinary(values, this.#memory!.check!(room!, values.length / 16));
    const own = this.#memory!.reclaim!(room!);
    this.#lent = undefined;
    this.#ordinary = ordinary;
    this.#switchTo({ poses: own.poses, room: own, onGpu: undefined, changed, users: 0 });
  }

  /** Throws 'bad-pose' if a row is not a pose. `good` says that all rows are plainly valid. */
  #isOrdinary(values: Float64Array, good: boolean): boolean {
    const ordinary = good || checkPoses(values, values.length / 16, i => this.#bodies[i].name);
    return ordinary && this.#ordinary;
  }

  /** Makes `next` the current version. */
  #switchTo(next: PoseVersion): void {
    this.#snapshotNow = undefined;
    const last = this.#version;
    if (this.#spare === next) this.#spare = undefined;
    if (last.users === 0) {
      this.#drop(this.#spare);
      releaseGpuPoses(last);
      this.#spare = last;
    }
    this.#version = next;
  }

  /** Sets the poses of some bodies. */
  setPoses(bodies: readonly Body[], values: Float64Array): void {
    if (!this.isKnown) refuse();
    const ordinary = checkPoses(values, bodies.length, i => bodies[i].name);
    const { poses, changed } = this.#writable();
    this.#ordinary = ordinary && this.#ordinary;
    this.#revision++;
    // Bodies are mostly given in row order: copy runs of consecutive rows in one go.
    for (let first = 0; first < bodies.length; ) {
      const { row } = bodies[first];
      let end = first + 1;
      while (end < bodies.length && bodies[end].row === row + end - first) end++;
      poses.set(values.subarray(16 * first, 16 * end), 16 * row);
      changed.fill(this.#revision, row, row + end - first);
      first = end;
    }
  }

  setShapeState(row: number, state: ShapeState): void {
    this.#ownLists();
    this.#shapeStates[row] = state;
    this.#shapesChanged = ++this.#revision;
    this.#snapshotNow = undefined;
  }

  /** A snapshot of all bodies. Throws 'stale' if the poses are unknown. */
  now(): Snapshot {
    this.#closeGaps();
    this.#adoptReadPoses();
    if (this.#snapshotNow !== undefined) return this.#snapshotNow;
    if (this.#posesUnknown) {
      const message =
        'bodies were added or removed after the poses came in a GPUBuffer: set all poses again (scene.setPoses)';
      const help = 'or await scene.readPoses() before adding or removing bodies';
      throw new NearfieldError('stale', `${message}, ${help}`);
    }
    this.#listsKept = true;
    const { onGpu } = this.#version;
    this.#snapshotNow =
      onGpu === undefined ? this.#knownSnapshot() : gpuSnapshot(this.#knownSnapshot(), onGpu);
    return this.#snapshotNow;
  }

  #knownSnapshot(): TableSnapshot {
    return {
      count: this.#bodies.length,
      poses: this.#version.poses,
      room: this.#version.room,
      changed: this.#version.changed,
      replaced: this.#replaced,
      shapeStates: this.#shapeStates,
      table: this.#number,
      revision: this.#revision,
      shapesChanged: this.#shapesChanged,
      ordinary: this.#ordinary,
      version: this.#version,
    };
  }

  /** Whether nothing has changed since the snapshot was taken. */
  isNow(seen: Snapshot): boolean {
    return this.#gaps === 0 && seen === this.#snapshotNow;
  }

  /**
   * Keeps a snapshot's poses unchanged until `release`. Snapshots that do not come from a table never change anyway.
   */
  hold(seen: Snapshot): void {
    const version = versionOf(seen);
    if (version) version.users++;
  }

  release(seen: Snapshot): void {
    const version = versionOf(seen);
    if (!version) return;
    version.users--;
    if (version.users > 0 || (version === this.#version && !this.#closed)) return;
    releaseGpuPoses(version);
    const fits = version.poses.length === this.#version.poses.length;
    if (fits && this.#spare === undefined && !this.#closed) this.#spare = version;
    else this.#drop(version);
  }

  /** Removes all bodies. No question may be asked after this; waiting questions keep what they see. */
  close(): void {
    // Gaps are not closed and nothing is copied: closing must work when memory is exhausted.
    if (!this.isKnown) this.#posesUnknown = true;
    for (const body of this.#bodies) if (body.row >= 0) body.leave();
    this.#closed = true;
    this.#bodies = [];
    this.#shapeStates = [];
    this.#gaps = 0;
    this.#snapshotNow = undefined;
    this.#drop(this.#spare);
    this.#drop(this.#lent);
    this.#spare = this.#lent = undefined;
    if (this.#version.users === 0) this.#drop(this.#version);
  }

  /** If poses on the GPU have been read back, stores them in the table. */
  #adoptReadPoses(): void {
    const version = this.#version;
    const { onGpu } = version;
    if (onGpu === undefined || !onGpu.isRead) return;
    version.poses.set(onGpu.poses);
    this.#ordinary = onGpu.ordinary && this.#ordinary;
    releaseGpuPoses(version);
    this.#snapshotNow = undefined;
  }

  /** Rows are about to change: gives up poses that are on the GPU alone. */
  #leaveGpuPoses(): void {
    if (this.isKnown || this.#posesUnknown) return;
    const last = this.#version;
    if (last.users > 0) this.#replaceVersion(last.changed.length);
    else releaseGpuPoses(last);
    this.#posesUnknown = true;
    this.#snapshotNow = undefined;
  }

  /** Frees a version that nobody will read again. */
  #drop(version: PoseVersion | undefined): void {
    if (version !== undefined) releaseGpuPoses(version);
    if (version?.room !== undefined) this.#memory?.free(version.room);
  }

  /** The version to write to. With `overwrite`, the caller replaces all of its contents. */
  #writable(overwrite = false): PoseVersion {
    this.#snapshotNow = undefined;
    if (this.#version.users > 0) this.#replaceVersion(this.#version.changed.length, overwrite);
    else if (overwrite) releaseGpuPoses(this.#version);
    return this.#version;
  }

  #replaceVersion(rows: number, overwrite = false): void {
    const last = this.#version;
    const spare = this.#spare;
    const fits = spare?.changed.length === rows;
    const next = fits ? spare! : createPoseVersion(rows, this.#memory);
    if (!overwrite) next.poses.set(last.poses);
    if (!overwrite) next.changed.set(last.changed);
    this.#version = next;
    this.#spare = undefined;
    if (!fits) this.#drop(spare);
    if (last.users > 0) return;
    if (last.changed.length === rows) this.#spare = last;
    else this.#drop(last);
  }

  #ownLists(): void {
    this.#snapshotNow = undefined;
    if (!this.#listsKept) return;
    this.#bodies = this.#bodies.slice();
    this.#shapeStates = this.#shapeStates.slice();
    this.#listsKept = false;
  }

  #closeGaps(): void {
    if (this.#gaps === 0) return;
    // If this throws for lack of memory, the gaps stay and are closed later.
    const { poses, changed } = this.#writable();
    const bodies: Body[] = [];
    const shapeStates: ShapeState[] = [];
    this.#gaps = 0;
    this.#revision++;
    for (let from = 0; from < this.#bodies.length; from++) {
      const body = this.#bodies[from];
      if (body.row < 0) continue;
      const to = bodies.length;
      bodies.push(body);
      shapeStates.push(this.#shapeStates[from]);
      if (to === from) continue;
      body.row = to;
      poses.copyWithin(16 * to, 16 * from, 16 * from + 16);
      changed[to] = this.#revision;
    }
    this.#bodies = bodies;
    this.#shapeStates = shapeStates;
    this.#listsKept = false;
    this.#shapesChanged = this.#revision;
    // Without bodies there are no unknown poses.
    if (bodies.length === 0) this.#posesUnknown = false;
  }
}

function createPoseVersion(rows: number, memory: PoseMemory | undefined): PoseVersion {
  const changed = new Float64Array(rows);
  const room = memory?.allocate(rows);
  const poses = room?.poses ?? new Float64Array(16 * rows);
  return { poses, room, onGpu: undefined, changed, users: 0 };
}

function releaseGpuPoses(version: PoseVersion): void {
  version.onGpu?.release();
  version.onGpu = undefined;
}

/** The same snapshot with poses on the GPU. Reading `poses` throws until they have been read back. */
function gpuSnapshot(bodies: TableSnapshot, onGpu: GpuPoses): TableSnapshot {
  return {
    ...bodies,
    onGpu,
    room: undefined,
    get poses() {
      return onGpu.poses;
    },
    get ordinary() {
      return onGpu.ordinary;
    },
  };
}

const versionOf = (seen: Snapshot): PoseVersion | undefined => (seen as Partial<TableSnapshot>).version;
