// The table of a scene: one row a body, in the order of adding, with all poses in one array. Engines copy that array
// whole (engine.ts, `Bodies`) in place of asking ten thousand bodies one by one.
//
// An engine may lend the table room in memory where kernels check poses; the CPU engine, whose own it is, then copies nothing
// at all.
//
// Poses are written in place unless a question that waits still needs them: then the table goes on with a copy, and the
// question keeps the old array (copy on write). Lists of bodies and forms are replaced in the same way, since answers keep
// them.
//
// Poses of all bodies may come in a GPUBuffer (gpu-poses.ts). Until they are read nobody can look at one of them, or change
// it; bodies may come and go, and are nowhere then until all poses are given again.

import { NearfieldError } from '../core/errors.ts';
import { checkPoses, type Pose, readPose, toPose } from '../math/pose.ts';
import type { Body } from './body.ts';
import type { PoseMemory, PoseRows } from './engine.ts';
import { type GpuPoses, refuse } from './on-gpu/gpu-poses.ts';
import type { ShapeState, Snapshot } from './snapshot/snapshot.ts';
import { nextTable } from './snapshot/snapshot-of.ts';

/** Poses and when they changed, as a question saw them. */
interface Version {
  readonly poses: Float64Array<ArrayBuffer>;
  readonly changed: Float64Array<ArrayBuffer>;
  /** Where the poses lie in an engine's memory, if they do. */
  readonly room: PoseRows | undefined;
  /** The poses, where they came in a GPUBuffer; `poses` and `room` hold nothing then. */
  onGpu: GpuPoses | undefined;
  /** Questions waiting that read it: while there are any, it is not written to. */
  users: number;
}

/** Bodies as a table gives them. */
type TableBodies = Snapshot & { readonly version: Version };

export class BodyTable {
  readonly #number = nextTable();
  readonly #memory: PoseMemory | undefined;
  #bodies: Body[] = [];
  #forms: ShapeState[] = [];
  #version: Version;
  /** A version no question needs any longer, for the next copy. */
  #spare: Version | undefined;
  /** One that somebody is writing poses to. */
  #lent: Version | undefined;
  /** The same for a table that has none to lend: an array whose poses are copied as any others are. */
  #desk = new Float64Array(0);
  /** Rows whose bodies have left; they are closed up before anybody looks. */
  #gaps = 0;
  /** Whether somebody may have kept the lists of bodies and forms. */
  #listsKept = false;
  #revision = 0;
  /** Whether no pose has been out of the ordinary (`checkPoses`), those of bodies that have left included. */
  #ordinary = true;
  #formsChanged = 0;
  #replaced = 0;
  /** Whether bodies have come or gone since poses came in a GPUBuffer that nobody has read. */
  #nowhere = false;
  #bodiesNow: TableBodies | undefined;
  #closed = false;

  /** `memory` is where poses are kept, if not in arrays of the table's own. */
  constructor(memory?: PoseMemory) {
    this.#memory = memory;
    this.#version = createVersion(16, memory);
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    this.#closeGaps();
    return this.#bodies;
  }

  /** What each is made of. */
  get shapeStates(): readonly ShapeState[] {
    this.#closeGaps();
    return this.#forms;
  }

  has(body: Body): boolean {
    return this.#bodies[body.row] === body;
  }

  /** Gives the body the last row. */
  add(body: Body, form: ShapeState, pose: ArrayLike<number>): void {
    // Of what is no pose nothing is to change.
    if (!this.isKnown) toPose(pose, body.name);
    this.#leaveGpuPoses();
    this.#closeGaps();
    const row = this.#bodies.length;
    if (row === this.#version.changed.length) this.#replaceVersion(2 * row);
    const { poses, changed } = this.#writable();
    this.#ordinary = readPose(pose, body.name, poses, 16 * row) && this.#ordinary;
    this.#ownLists();
    this.#bodies.push(body);
    this.#forms.push(form);
    changed[row] = ++this.#revision;
    this.#formsChanged = this.#revision;
    body.row = row;
  }

  /** The row is closed up later, so that many bodies can leave one after the other. */
  remove(body: Body): void {
    this.#leaveGpuPoses();
    body.row = -1;
    this.#gaps++;
    this.#bodiesNow = undefined;
  }

  /** Whether a body's pose can be told: not of poses on the GPU that nobody has read. */
  get isKnown(): boolean {
    this.#settle();
    return !this.#nowhere && this.#version.onGpu === undefined;
  }

  poseOf(row: number): Pose {
    if (!this.isKnown) refuse();
    return this.#version.poses.slice(16 * row, 16 * row + 16);
  }

  /** Grows with every new pose of the body in the row. */
  poseRevisionOf(row: number): number {
    return this.#version.changed[row];
  }

  setPose(row: number, values: ArrayLike<number>, who: string): void {
    if (!this.isKnown) refuse();
    const { poses, changed } = this.#writable();
    this.#ordinary = readPose(values, who, poses, 16 * row) && this.#ordinary;
    changed[row] = ++this.#revision;
  }

  /** Room for the poses of all rows, whose contents mean nothing. Given to `setAllPoses` it is taken over, and not copied. */
  lend(): Float64Array {
    const numbers = 16 * this.bodies.length;
    const rows = this.#version.changed.length;
    if (this.#version.room === undefined || this.#memory?.reclaim === undefined) {
      if (this.#desk.length !== numbers) this.#desk = new Float64Array(numbers);
      return this.#desk;
    }
    if (this.#lent?.changed.length !== rows) {
      this.#drop(this.#lent);
      this.#lent = undefined;
      const spare = this.#spare;
      const lent = spare?.changed.length === rows ? spare : createVersion(rows, this.#memory);
      if (lent === spare) this.#spare = undefined;
      this.#lent = lent;
    }
    return this.#lent.poses.subarray(0, numbers);
  }

  /** Poses of all rows. */
  setAllPoses(values: Float64Array): void {
    const { bodies } = this;
    if (this.#isLent(values)) this.#takeOver(values);
    else if (this.#version.room === undefined || !this.#copyAll(values)) {
      const ordinary = checkPoses(values, bodies.length, i => bodies[i].name);
      this.#ordinary = ordinary && this.#ordinary;
      this.#writable(true).poses.set(values);
    }
    this.#allReplaced();
  }

  /** The same of poses on the GPU, of which nothing is known yet. */
  setGpuPoses(onGpu: GpuPoses): void {
    this.#closeGaps();
    if (this.#bodies.length === 0) {
      onGpu.release();
      return;
    }
    let next: Version;
    try {
      next = this.#spare ?? createVersion(this.#version.changed.length, this.#memory);
    } catch (error) {
      onGpu.release();
      throw error;
    }
    next.onGpu = onGpu;
    this.#become(next);
    this.#allReplaced();
  }

  /** Reads poses that are on the GPU, which are the table's own from then on. A copy of those that there were when asked. */
  async readPoses(): Promise<Float64Array> {
    const { count, version } = this.now() as TableBodies;
    const { onGpu } = version;
    if (onGpu === undefined) return version.poses.slice(0, 16 * count);
    await onGpu.read();
    this.#settle();
    return onGpu.poses.slice();
  }

  #allReplaced(): void {
    this.#nowhere = false;
    this.#replaced = ++this.#revision;
    this.#version.changed.fill(this.#revision, 0, this.#bodies.length);
  }

  /** Checked where they are copied to, a version that becomes the table's once all are found good. False without room. */
  #copyAll(values: Float64Array): boolean {
    const memory = this.#memory!;
    const next = this.#spare ?? createVersion(this.#version.changed.length, memory);
    this.#spare = next;
    if (next.room === undefined) return false;
    this.#ordinary = this.#isOrdinary(values, memory.copy(values, next.room));
    this.#become(next);
    return true;
  }

  #isLent(values: Float64Array): boolean {
    const lent = this.#lent;
    if (lent?.room === undefined || lent.changed.length !== this.#version.changed.length) return false;
    return values.buffer === lent.poses.buffer && values.byteOffset === lent.poses.byteOffset;
  }

  /** Poses that were written where they are to be. Whoever wrote them cannot reach them from then on. */
  #takeOver(values: Float64Array): void {
    const { room, changed } = this.#lent!;
    const ordinary = this.#isOrdinary(values, this.#memory!.check!(room!, values.length / 16));
    const own = this.#memory!.reclaim!(room!);
    this.#lent = undefined;
    this.#ordinary = ordinary;
    this.#become({ poses: own.poses, room: own, onGpu: undefined, changed, users: 0 });
  }

  /** Throws if a row has a wrong pose; `good` says that none has. */
  #isOrdinary(values: Float64Array, good: boolean): boolean {
    const ordinary = good || checkPoses(values, values.length / 16, i => this.#bodies[i].name);
    return ordinary && this.#ordinary;
  }

  /** Goes on with other poses of all rows. */
  #become(next: Version): void {
    this.#bodiesNow = undefined;
    const last = this.#version;
    if (this.#spare === next) this.#spare = undefined;
    if (last.users === 0) {
      this.#drop(this.#spare);
      releaseGpuPoses(last);
      this.#spare = last;
    }
    this.#version = next;
  }

  /** Poses of some bodies. */
  setPoses(bodies: readonly Body[], values: Float64Array): void {
    if (!this.isKnown) refuse();
    const ordinary = checkPoses(values, bodies.length, i => bodies[i].name);
    const { poses, changed } = this.#writable();
    this.#ordinary = ordinary && this.#ordinary;
    this.#revision++;
    // Mostly bodies are given in their order, so that many rows are one copy.
    for (let first = 0; first < bodies.length; ) {
      const { row } = bodies[first];
      let end = first + 1;
      while (end < bodies.length && bodies[end].row === row + end - first) end++;
      poses.set(values.subarray(16 * first, 16 * end), 16 * row);
      changed.fill(this.#revision, row, row + end - first);
      first = end;
    }
  }

  setShapeState(row: number, form: ShapeState): void {
    this.#ownLists();
    this.#forms[row] = form;
    this.#formsChanged = ++this.#revision;
    this.#bodiesNow = undefined;
  }

  /** All bodies as they now stand. */
  now(): Snapshot {
    this.#closeGaps();
    this.#settle();
    if (this.#bodiesNow !== undefined) return this.#bodiesNow;
    if (this.#nowhere) {
      const message =
        'bodies were added or removed after the poses came in a GPUBuffer: give all poses again (scene.setPoses)';
      const help = 'or await scene.readPoses() before adding or removing';
      throw new NearfieldError('stale', `${message}, ${help}`);
    }
    this.#listsKept = true;
    const { onGpu } = this.#version;
    this.#bodiesNow = onGpu === undefined ? this.#known() : gpuSnapshot(this.#known(), onGpu);
    return this.#bodiesNow;
  }

  #known(): TableBodies {
    return {
      count: this.#bodies.length,
      poses: this.#version.poses,
      room: this.#version.room,
      changed: this.#version.changed,
      replaced: this.#replaced,
      shapeStates: this.#forms,
      table: this.#number,
      revision: this.#revision,
      shapesChanged: this.#formsChanged,
      ordinary: this.#ordinary,
      version: this.#version,
    };
  }

  /** Whether nothing has changed since. */
  isNow(seen: Snapshot): boolean {
    return this.#gaps === 0 && seen === this.#bodiesNow;
  }

  /** Until `release`, what was seen stays as it is. Bodies that are not of a table do in any case. */
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

  /** No body is left, and no question is asked any more; those that wait keep what they see. */
  close(): void {
    // Rows are neither closed up nor copied: closing takes no memory.
    if (!this.isKnown) this.#nowhere = true;
    for (const body of this.#bodies) if (body.row >= 0) body.leave();
    this.#closed = true;
    this.#bodies = [];
    this.#forms = [];
    this.#gaps = 0;
    this.#bodiesNow = undefined;
    this.#drop(this.#spare);
    this.#drop(this.#lent);
    this.#spare = this.#lent = undefined;
    if (this.#version.users === 0) this.#drop(this.#version);
  }

  /** Poses on the GPU that have been read are the table's own from then on. */
  #settle(): void {
    const version = this.#version;
    const { onGpu } = version;
    if (onGpu === undefined || !onGpu.isRead) return;
    version.poses.set(onGpu.poses);
    this.#ordinary = onGpu.ordinary && this.#ordinary;
    releaseGpuPoses(version);
    this.#bodiesNow = undefined;
  }

  /** Rows are about to change: poses on the GPU that nobody has read are given up. */
  #leaveGpuPoses(): void {
    if (this.isKnown || this.#nowhere) return;
    const last = this.#version;
    if (last.users > 0) this.#replaceVersion(last.changed.length);
    else releaseGpuPoses(last);
    this.#nowhere = true;
    this.#bodiesNow = undefined;
  }

  /** Nobody looks at the version again. */
  #drop(version: Version | undefined): void {
    if (version !== undefined) releaseGpuPoses(version);
    if (version?.room !== undefined) this.#memory?.free(version.room);
  }

  /** The version to write to; its contents are about to be replaced where `anew` says so. */
  #writable(anew = false): Version {
    this.#bodiesNow = undefined;
    if (this.#version.users > 0) this.#replaceVersion(this.#version.changed.length, anew);
    else if (anew) releaseGpuPoses(this.#version);
    return this.#version;
  }

  #replaceVersion(rows: number, anew = false): void {
    const last = this.#version;
    const spare = this.#spare;
    const fits = spare?.changed.length === rows;
    const next = fits ? spare! : createVersion(rows, this.#memory);
    if (!anew) next.poses.set(last.poses);
    if (!anew) next.changed.set(last.changed);
    this.#version = next;
    this.#spare = undefined;
    if (!fits) this.#drop(spare);
    if (last.users > 0) return;
    if (last.changed.length === rows) this.#spare = last;
    else this.#drop(last);
  }

  #ownLists(): void {
    this.#bodiesNow = undefined;
    if (!this.#listsKept) return;
    this.#bodies = this.#bodies.slice();
    this.#forms = this.#forms.slice();
    this.#listsKept = false;
  }

  #closeGaps(): void {
    if (this.#gaps === 0) return;
    // Where there is no memory to write to, they stay to be closed up.
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
      shapeStates.push(this.#forms[from]);
      if (to === from) continue;
      body.row = to;
      poses.copyWithin(16 * to, 16 * from, 16 * from + 16);
      changed[to] = this.#revision;
    }
    this.#bodies = bodies;
    this.#forms = shapeStates;
    this.#listsKept = false;
    this.#formsChanged = this.#revision;
    // Nobody is left whose pose is not known.
    if (bodies.length === 0) this.#nowhere = false;
  }
}

function createVersion(rows: number, memory: PoseMemory | undefined): Version {
  const changed = new Float64Array(rows);
  const room = memory?.allocate(rows);
  const poses = room?.poses ?? new Float64Array(16 * rows);
  return { poses, room, onGpu: undefined, changed, users: 0 };
}

function releaseGpuPoses(version: Version): void {
  version.onGpu?.release();
  version.onGpu = undefined;
}

/** Bodies whose poses are on the GPU: who asks for them gets them once they are read, and an error before. */
function gpuSnapshot(bodies: TableBodies, onGpu: GpuPoses): TableBodies {
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

const versionOf = (seen: Snapshot): Version | undefined => (seen as Partial<TableBodies>).version;
