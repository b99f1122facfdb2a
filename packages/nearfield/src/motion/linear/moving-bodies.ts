// Bodies whose vertices move linearly: their world positions at both times, the boxes they sweep, and pairs of bodies whose
// boxes meet. Everything is computed when it is first needed.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type Box, boxesMeet, emptyBox, growBox, isEmptyBox, unionOfBoxes } from '../../math/box.ts';
import { applyPose, identity, type Pose } from '../../math/pose.ts';
import type { Positions } from '../../mesh/mesh.ts';
import { boundsOfVertices } from '../../mesh/vertices.ts';

const unplaced = identity();

/** Where a body is at time 1. */
export interface End {
  readonly pose: Pose;
  readonly positions: Positions;
}

export class MovingBody {
  readonly #name: string;
  readonly #end: End | undefined;
  #start: Positions | undefined;
  #last: Positions | undefined;
  #box: Box | undefined;
  #extent: Box | undefined;

  /** Without an end, the body rests. `name` is for messages. */
  constructor(
    readonly then: SnapshotBody,
    name: string,
    end: End | undefined,
    /** Whether it changes its shape. */
    readonly deforms = false,
  ) {
    this.#name = name;
    this.#end = end;
  }

  get moves(): boolean {
    return this.#end !== undefined;
  }

  /** World positions of all vertices at time 0. */
  get start(): Positions {
    return (this.#start ??= this.#worldOf(this.then.pose, this.then.positions, 0));
  }

  /** The same at time 1. */
  get end(): Positions {
    const end = this.#end;
    return (this.#last ??= end === undefined ? this.start : this.#worldOf(end.pose, end.positions, 1));
  }

  /** The smallest box around all triangles at both times. */
  get box(): Box {
    if (this.#box !== undefined) return this.#box;
    const box = emptyBox();
    const { indices } = this.then.mesh;
    const times = this.moves ? [this.start, this.end] : [this.start];
    for (const p of times) {
      for (let i = 0; i < indices.length; i++) {
        const at = 3 * indices[i];
        growBox(box, p[at], p[at + 1], p[at + 2]);
      }
    }
    return (this.#box = box);
  }

  /** A box around all vertices at both times, whether a triangle uses them or not. */
  get extent(): Box {
    const { start, end } = this;
    return (this.#extent ??=
      start === end ? boundsOfVertices(start) : unionOfBoxes(boundsOfVertices(start), boundsOfVertices(end)));
  }

  #worldOf(pose: Pose, positions: Positions, time: number): Positions {
    if (unplaced.every((x, i) => x === pose[i])) return positions;
    const world = new Float64Array(positions.length);
    for (let at = 0; at < positions.length; at += 3) {
      applyPose(pose, positions[at], positions[at + 1], positions[at + 2], world, at);
    }
    const i = world.findIndex(x => !Number.isFinite(x));
    if (i < 0) return world;
    const what = `${'xyz'[i % 3]} of vertex ${Math.floor(i / 3)} in the world at time ${time}`;
    throw new NearfieldError('not-finite', `${this.#name}: ${what} is ${world[i]}`);
  }
}

/**
 * Pairs of bodies, as indices i < j, of which at least one moves and whose boxes meet, in ascending order. Two numbers per pair.
 * Rows without a body are in no pair.
 */
export function pairsThatMayMeet(
  rows: readonly (MovingBody | undefined)[],
  keep: (i: number, j: number) => boolean,
): Uint32Array {
  const bodies = rows.flatMap((body, i) => (body === undefined ? [] : [{ body, i }]));
  // A box takes as long as all vertices: one body has nothing to meet.
  if (bodies.length < 2 || !bodies.some(({ body }) => body.moves)) return new Uint32Array(0);
  const order = bodies.filter(({ body }) => !isEmptyBox(body.box));
  order.sort((one, other) => one.body.box[0] - other.body.box[0]);
  const found: [number, number][] = [];
  order.forEach(({ body, i }, at) => {
    for (let next = at + 1; next < order.length; next++) {
      const { body: other, i: j } = order[next];
      if (other.box[0] > body.box[3]) break;
      if ((body.moves || other.moves) && boxesMeet(body.box, other.box)) found.push(i < j ? [i, j] : [j, i]);
    }
  });
  found.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  return Uint32Array.from(found.filter(([i, j]) => keep(i, j)).flat());
}
