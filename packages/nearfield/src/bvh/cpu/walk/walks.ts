// Which triangles of one body lie near a ray or in a box, by a walk through its tree.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import * as layout from '../kernels.layout.ts';
import { type BvhKernels, bvhKernels } from '../kernels.ts';
import { PlacedBodies } from '../place/placed-bodies.ts';

/** The kernels' memory that walks through one body's tree need. */
interface WalkRoom {
  /** The body. */
  readonly rows: PlacedBodies;
  readonly scratch: number;
  readonly input: number;
  out: number;
  capacity: number;
}

export class Walks {
  readonly #engine: CpuEngine;
  readonly #kernels: BvhKernels;
  /** Allocated by the first walk. */
  #room: WalkRoom | undefined;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#kernels = engine.kernels(bvhKernels);
  }

  /** Sorted. The next call overwrites it. */
  onRay(body: Placed, origin: ArrayLike<number>, direction: ArrayLike<number>, slack: number): Uint32Array {
    const { call, memory } = this.#kernels;
    const room = this.#roomToWalk();
    const at = room.rows.single(body);
    const input = room.input / 8;
    for (let axis = 0; axis < 3; axis++) {
      memory.f64[input + axis] = origin[axis];
      memory.f64[input + 3 + axis] = direction[axis];
    }
    return this.#walk(room, (out, capacity) =>
      call.walkRayQuery(at, room.input, slack, room.scratch, out, capacity),
    );
  }

  /** Sorted. The next call overwrites it. */
  inBox(body: Placed, box: ArrayLike<number>): Uint32Array {
    const { call, memory } = this.#kernels;
    const room = this.#roomToWalk();
    const at = room.rows.single(body);
    const input = room.input / 8;
    for (let i = 0; i < 6; i++) memory.f64[input + i] = box[i];
    return this.#walk(room, (out, capacity) =>
      call.walkBoxQuery(at, room.input, room.scratch, out, capacity),
    );
  }

  #roomToWalk(): WalkRoom {
    const { memory } = this.#kernels;
    const capacity = 1024;
    return (this.#room ??= memory.orNothing(() => ({
      rows: new PlacedBodies(this.#engine),
      scratch: memory.allocate(layout.walkBytes, 'a walk'),
      input: memory.allocate(64, 'a walk'),
      out: memory.allocate(capacity * 4, 'a walk'),
      capacity,
    })));
  }

  #walk(room: WalkRoom, kernel: (out: number, capacity: number) => number): Uint32Array {
    const { memory } = this.#kernels;
    let count = kernel(room.out, room.capacity);
    if (count > room.capacity) {
      room.out = memory.replace(room.out, count * 8, 'a list of triangles');
      room.capacity = count * 2;
      count = kernel(room.out, room.capacity);
    }
    return memory.u32.subarray(room.out / 4, room.out / 4 + count).sort();
  }
}
