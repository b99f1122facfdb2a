// A question under way: the bodies it is about, as they were when it was asked. Nothing is copied unless a body moves
// while the question waits. If one does, the scene's table continues with a copy (bodies/table.ts).

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { KeptBodies } from '../bodies/kept-bodies.ts';
import { isAnyOnGpu, readable } from '../bodies/on-gpu/buffers.ts';
import type { ShapeState, Snapshot } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { snapshotOf, withPoses } from '../bodies/snapshot/snapshot-of.ts';
import type { BodyTable } from '../bodies/table.ts';
import { poseOfRow } from '../math/pose.ts';

export class Question {
  /** Made when the first body is asked for: an answer in numbers needs none. */
  #snapshots: Map<number, SnapshotBody> | undefined;
  /** All bodies, if the question is about a few of them. */
  readonly #given: readonly SnapshotBody[] | undefined;
  #seen: Snapshot;
  #kept: { readonly table: BodyTable; readonly snapshot: KeptBodies } | undefined;

  constructor(
    readonly bodies: readonly Body[],
    seen: Snapshot,
    given?: readonly SnapshotBody[],
  ) {
    this.#seen = seen;
    this.#given = given;
  }

  /** What engines read. Row i is `bodies[i]`. */
  get seen(): Snapshot {
    const kept = this.#kept;
    if (kept !== undefined && !kept.table.isNow(this.#seen)) {
      // The matrices of all other bodies become zero: those bodies shrink to the origin.
      this.#seen = withPoses(this.#seen, kept.snapshot.poses());
      this.#kept = undefined;
    }
    return this.#seen;
  }

  /** Makes the question outlive changes to the scene. From then on it is only about the bodies in `rows`. */
  keepOnly(rows: Uint32Array, table: BodyTable): void {
    this.#kept = { table, snapshot: new KeptBodies(this.#seen, rows) };
  }

  /** A question about a few bodies instead of a whole scene. */
  static of(bodies: readonly Body[], snapshots = bodies.map(body => body.snapshotNow())): Question {
    return new Question(bodies, snapshotOf(snapshots), snapshots);
  }

  /** A question about some of its bodies, as this one saw them. */
  about(bodies: readonly Body[]): Question {
    const rowOf = new Map(this.bodies.map((body, row) => [body, row]));
    return Question.of(
      bodies,
      bodies.map(body => this.bodyAt(rowOf.get(body) as number)),
    );
  }

  /** The i-th body as the question saw it. Call this before the question is answered; the result may be kept. */
  readonly bodyAt = (i: number): SnapshotBody => {
    if (this.#given !== undefined) return this.#given[i];
    this.#snapshots ??= new Map();
    let body = this.#snapshots.get(i);
    if (body === undefined) {
      const { shapeStates, changed, onGpu: gpuPoses } = this.seen;
      // Fields are named one by one: spreading a state, or slicing a few numbers, costs ten times as much.
      const { shape, mesh, positions, revision, onGpu } = shapeStates[i];
      const pose = gpuPoses?.poseAt(i) ?? poseOfRow(this.seen.poses, i);
      body = { shape, mesh, positions, revision, onGpu, pose, poseRevision: changed[i] };
      this.#snapshots.set(i, body);
    }
    return body;
  };

  /** As `bodyAt`, but with positions on the CPU if they have been read back. */
  readonly readableAt = (i: number): SnapshotBody => {
    const body = this.bodyAt(i);
    return body.onGpu === undefined ? body : { ...body, ...readable(body) };
  };

  /** Whether the positions of any body came in a GPUBuffer. */
  get arePositionsOnGpu(): boolean {
    return isAnyOnGpu(this.seen.shapeStates);
  }

  /** Whether the poses are on the GPU alone. */
  get arePosesOnGpu(): boolean {
    const { onGpu } = this.seen;
    return onGpu !== undefined && !onGpu.isRead;
  }

  /** Reads back poses that are on the GPU alone: all, or at least the given rows. */
  async readPoses(rows?: Iterable<number>): Promise<void> {
    await (rows === undefined ? this.seen.onGpu?.read() : this.seen.onGpu?.readRows(rows));
  }

  /** The bodies with their poses: the snapshot, or a function per body if only some poses have been read back. */
  get bodySource(): Snapshot | ((i: number) => SnapshotBody) {
    return this.arePosesOnGpu ? this.readableAt : this.seen;
  }

  /** The shape states, with positions on the CPU as far as they have been read back. */
  get readableShapeStates(): readonly ShapeState[] {
    return this.seen.shapeStates.map(readable);
  }

  /** What the given engine reads. The CPU engine needs every position on the CPU. */
  seenBy({ backend }: Engine): Snapshot {
    if (backend === 'gpu' || !this.arePositionsOnGpu) return this.seen;
    return snapshotOf(this.bodies.map((_, i) => this.readableAt(i)));
  }
}
