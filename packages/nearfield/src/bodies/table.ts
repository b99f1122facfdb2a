// The table of a scene's bodies: one row per body, in the order of adding, with all poses in one array. Engines copy
// that array as a whole (snapshot/snapshot.ts) instead of asking ten thousand bodies one by one.
//
// Poses are copied on write (pose-versions.ts). The lists of bodies and shape states are replaced in the same way, since answers keep
// them.
//
// The poses of all bodies may come in a GPUBuffer (on-gpu/gpu-poses.ts). Until they are read back, single poses can
// neither be read nor changed. If a body is added or removed meanwhile, all poses become unknown until they are all set
// again.

import { NearfieldError } from '../core/errors.ts';
import { checkPoses, type Pose, readPose, toPose } from '../math/pose.ts';
import type { Body } from './body.ts';
import type { PoseMemory } from './engine.ts';
import { refusePoses } from './on-gpu/buffers.ts';
import type { GpuPoses } from './on-gpu/gpu-poses.ts';
import { type PoseVersion, PoseVersions, releaseGpuPoses } from './pose-versions.ts';
import type { ShapeState, Snapshot } from './snapshot/snapshot.ts';
import { nextTable } from './snapshot/snapshot-of.ts';

/** A snapshot that knows which version of the poses it uses. */
type TableSnapshot = Snapshot & { readonly version: PoseVersion };

export class BodyTable {
  readonly #number = nextTable();
  #bodies: Body[] = [];
  #shapeStates: ShapeState[] = [];
  readonly #versions: PoseVersions;
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

  /** The poses are kept in `memory` if it is given, else in ordinary arrays. */
  constructor(memory?: PoseMemory) {
    this.#versions = new PoseVersions(memory);
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
    if (row === this.#versions.rows) this.#versions.resize(2 * row);
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
    return !this.#posesUnknown && this.#versions.now.onGpu === undefined;
  }

  poseOf(row: number): Pose {
    if (!this.isKnown) refusePoses();
    return this.#versions.now.poses.slice(16 * row, 16 * row + 16);
  }

  /** Grows with every new pose of the row's body. */
  poseRevisionOf(row: number): number {
    return this.#versions.now.changed[row];
  }

  setPose(row: number, values: ArrayLike<number>, who: string): void {
    if (!this.isKnown) refusePoses();
    const { poses, changed } = this.#writable();
    this.#ordinary = readPose(values, who, poses, 16 * row) && this.#ordinary;
    changed[row] = ++this.#revision;
  }

  /**
   * An array for the poses of all rows, contents undefined. If it is engine memory, `setAllPoses` adopts it without a
   * copy.
   */
  lend(): Float64Array {
    return this.#versions.lend(16 * this.bodies.length);
  }

  /** Sets the poses of all rows. */
  setAllPoses(values: Float64Array): void {
    const { bodies } = this;
    let ordinary = true;
    const check = (good: boolean) => {
      ordinary = good || checkPoses(values, bodies.length, i => bodies[i].name);
    };
    if (!this.#versions.adopt(values, check)) {
      check(false);
      this.#writable(true).poses.set(values);
    }
    this.#ordinary = ordinary && this.#ordinary;
    this.#allReplaced();
  }

  /** Sets the poses of all rows to poses on the GPU, which are not checked yet. */
  setGpuPoses(onGpu: GpuPoses): void {
    this.#closeGaps();
    if (this.#bodies.length === 0) {
      onGpu.release();
      return;
    }
    this.#versions.adoptGpuPoses(onGpu);
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
    this.#snapshotNow = undefined;
    this.#posesUnknown = false;
    this.#replaced = ++this.#revision;
    this.#versions.now.changed.fill(this.#revision, 0, this.#bodies.length);
  }

  /** Sets the poses of some bodies. */
  setPoses(bodies: readonly Body[], values: Float64Array): void {
    if (!this.isKnown) refusePoses();
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
    const { onGpu } = this.#versions.now;
    this.#snapshotNow =
      onGpu === undefined ? this.#knownSnapshot() : gpuSnapshot(this.#knownSnapshot(), onGpu);
    return this.#snapshotNow;
  }

  #knownSnapshot(): TableSnapshot {
    return {
      count: this.#bodies.length,
      poses: this.#versions.now.poses,
      room: this.#versions.now.room,
      changed: this.#versions.now.changed,
      replaced: this.#replaced,
      shapeStates: this.#shapeStates,
      table: this.#number,
      revision: this.#revision,
      shapesChanged: this.#shapesChanged,
      ordinary: this.#ordinary,
      version: this.#versions.now,
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
    if (version) this.#versions.release(version);
  }

  /** Removes all bodies. No question may be asked after this; waiting questions keep what they see. */
  close(): void {
    // Gaps are not closed, and nothing is copied within an engine's memory: closing must work when that is exhausted.
    if (!this.isKnown) this.#posesUnknown = true;
    // One copy for all of them: a million small arrays take seconds.
    const poses = this.isKnown ? this.#versions.now.poses.slice(0, 16 * this.#bodies.length) : undefined;
    for (const body of this.#bodies) if (body.row >= 0) body.leave(poses);
    this.#bodies = [];
    this.#shapeStates = [];
    this.#gaps = 0;
    this.#snapshotNow = undefined;
    this.#versions.close();
  }

  /** If poses on the GPU have been read back, stores them in the table. */
  #adoptReadPoses(): void {
    const version = this.#versions.now;
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
    this.#versions.leaveGpuPoses();
    this.#posesUnknown = true;
    this.#snapshotNow = undefined;
  }

  /** The version to write to. With `overwrite`, the caller replaces all of its contents. */
  #writable(overwrite = false): PoseVersion {
    this.#snapshotNow = undefined;
    return this.#versions.writable(overwrite);
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
