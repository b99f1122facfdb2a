// Where tables keep many poses for a GPU: in memory that a kernel can check them in and that the queue can write from. The CPU
// engine's own will not do, since threads share it and queues take no shared memory.
//
// Ten thousand poses were checked in 0.2 ms by JavaScript on the host of an H200, a third of all the boxes' question took;
// two at a time, by vectors, it takes less than half of that.

import type { PoseMemory, PoseRows } from '../bodies/engine.ts';
import { copyPoses, type PoseKernel } from '../bodies/pose-rows.ts';
import bytes from '../cpu/poses.wasm';

interface OwnRows extends PoseRows {
  readonly memory: WebAssembly.Memory;
  readonly kernel: PoseKernel;
}

/** Fewer are checked in an ordinary array: a memory takes more than their check to make. */
const leastRows = 1024;
const poseBytes = 128;
const pageBytes = 65536;
/** What the module asks for at least. */
const leastPages = 16;
const mostPages = 65536;

let compiled: WebAssembly.Module | undefined;

/** A memory for every room, since views of one that grows are lost. */
export const ownPoseMemory: PoseMemory = {
  allocate(rows): OwnRows | undefined {
    if (rows < leastRows) return undefined;
    const pages = Math.max(leastPages, Math.ceil((poseBytes * rows) / pageBytes));
    let memory: WebAssembly.Memory;
    try {
      memory = new WebAssembly.Memory({ initial: pages, maximum: mostPages });
    } catch {
      // Where memory or addresses for it have run out, an array may still do.
      return undefined;
    }
    compiled ??= new WebAssembly.Module(bytes);
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    const poses = new Float64Array(memory.buffer, 0, 16 * rows);
    return { poses, memory, at: 0, kernel: exports as unknown as PoseKernel };
  },
  /** Nobody holds it any more. */
  free() {},
  copy: (values, rows) => copyPoses(values, rows, (rows as OwnRows).kernel),
  check: (rows, count) => (rows as OwnRows).kernel.firstUncommonPose(rows.at, 0, count) === count,
  reclaim(rows) {
    const { memory, poses, at } = rows as OwnRows;
    const { length } = poses;
    // Growing by nothing, too, gives the memory another buffer, and leaves nothing of arrays in the last.
    memory.grow(0);
    return { ...(rows as OwnRows), poses: new Float64Array(memory.buffer, at, length) };
  },
};
