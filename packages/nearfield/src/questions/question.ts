// A question under way: the bodies it is about, as they stood when it was asked. Nothing is copied unless a body
// moves while the question waits: then the scene's table goes on with a copy (table.ts).

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { isAnyOnGpu, readable } from '../bodies/on-gpu/gpu-positions.ts';
import { KeptBodies } from '../bodies/snapshot/kept-bodies.ts';
import type { ShapeState, Snapshot } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { snapshotOf, withPoses } from '../bodies/snapshot/snapshot-of.ts';
import type { BodyTable } from '../bodies/table.ts';
import type { Pose } from '../math/pose.ts';

export class Question {
  readonly #moments = new Map<number, SnapshotBody>();
  #seen: Snapshot;
  #kept: { readonly table: BodyTable; readonly snapshot: KeptBodies } | undefined;

  constructor(
    readonly bodies: readonly Body[],
    seen: Snapshot,
  ) {
    this.#seen = seen;
  }

  /** What engines read, by the place in `bodies`. */
  get seen(): Snapshot {
    const kept = this.#kept;
    if (kept !== undefined && !kept.table.isNow(this.#seen)) {
      // All other bodies are nowhere: at 0, without extent.
      this.#seen = withPoses(this.#seen, kept.snapshot.poses());
      this.#kept = undefined;
    }
    return this.#seen;
  }

  /** To be kept while bodies move on: from then on it is only about the bodies in `rows`. */
  keepOnly(rows: Uint32Array, table: BodyTable): void {
    this.#kept = { table, snapshot: new KeptBodies(this.#seen, rows) };
  }

  /** A question about a few bodies, not a whole scene. */
  static of(...bodies: readonly Body[]): Question {
    const moments = bodies.map(body => body.snapshotNow());
    const question = new Question(bodies, snapshotOf(moments));
    moments.forEach((moment, i) => {
      question.#moments.set(i, moment);
    });
    return question;
  }

  /** What was seen of a body, to be kept. To be asked for before the question is answered. */
  readonly bodyAt = (i: number): SnapshotBody => {
    let moment = this.#moments.get(i);
    if (moment === undefined) {
      const { shapeStates, changed, onGpu: gpuPoses } = this.seen;
      // One by one: to spread a form, or to slice a few numbers, costs ten times as much.
      const { shape, mesh, positions, revision, onGpu } = shapeStates[i];
      const pose = gpuPoses?.poseAt(i) ?? poseOfRow(this.seen.poses, i);
      moment = { shape, mesh, positions, revision, onGpu, pose, poseRevision: changed[i] };
      this.#moments.set(i, moment);
    }
    return moment;
  };

  /** The same with positions the CPU can read, where they were on the GPU alone and have been read. */
  readonly readableAt = (i: number): SnapshotBody => {
    const moment = this.bodyAt(i);
    return moment.onGpu === undefined ? moment : { ...moment, ...readable(moment) };
  };

  /** Whether the positions of some bodies are on the GPU alone. */
  get arePositionsOnGpu(): boolean {
    return isAnyOnGpu(this.seen.shapeStates);
  }

  /** Whether the poses of all bodies are on the GPU alone. */
  get arePosesOnGpu(): boolean {
    const { onGpu } = this.seen;
    return onGpu !== undefined && !onGpu.isRead;
  }

  /** Reads poses that are on the GPU alone: all, or those of some rows. */
  async readPoses(rows?: Iterable<number>): Promise<void> {
    await (rows === undefined ? this.seen.onGpu?.read() : this.seen.onGpu?.readRows(rows));
  }

  /** Where the bodies are: as the engines see them, or one by one where not all poses are known. */
  get where(): Snapshot | ((i: number) => SnapshotBody) {
    return this.arePosesOnGpu ? this.readableAt : this.seen;
  }

  /** Forms with positions the CPU can read, as far as they have been read. */
  get readableShapeStates(): readonly ShapeState[] {
    return this.seen.shapeStates.map(readable);
  }

  /** What an engine reads: the CPU's needs every position. */
  seenBy({ backend }: Engine): Snapshot {
    if (backend === 'gpu' || !this.arePositionsOnGpu) return this.seen;
    return snapshotOf(this.bodies.map((_, i) => this.readableAt(i)));
  }
}

function poseOfRow(poses: Float64Array, row: number): Pose {
  const pose = new Float64Array(16);
  for (let k = 0; k < 16; k++) pose[k] = poses[16 * row + k];
  return pose;
}
