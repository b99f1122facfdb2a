// The memory in which tables keep many poses for a GPU. A WebAssembly kernel can check the poses in it, and the queue
// can write from it. The CPU engine's memory will not do, since threads share it and queues take no shared memory.
//
// On the host of an H200, JavaScript checked ten thousand poses in 0.2 ms, a third of the time that the whole
// question about that many boxes took. The kernel checks two at a time, with vectors, in less than half of that.

import type { PoseMemory, PoseRows } from '../bodies/engine.ts';
import { copyPoses, type PoseKernel } from '../bodies/pose-rows.ts';
import bytes from '../cpu/poses.wasm';

interface OwnRows extends PoseRows {
  readonly memory: WebAssembly.Memory;
  readonly kernel: PoseKernel;
}

/** Fewer poses are checked in an ordinary array: creating a memory would take longer than the check. */
const leastRows = 1024;
const poseBytes = 128;
const pageBytes = 65536;
/** The least that the WebAssembly module demands. */
const leastPages = 16;
const mostPages = 65536;

let compiled: WebAssembly.Module | undefined;

/** Every table gets a memory of its own, since growing a memory detaches its views. */
export const ownPoseMemory: PoseMemory = {
  allocate(rows): OwnRows | undefined {
    if (rows < leastRows) return undefined;
    const pages = Math.max(leastPages, Math.ceil((poseBytes * rows) / pageBytes));
    let memory: WebAssembly.Memory;
    try {
      memory = new WebAssembly.Memory({ initial: pages, maximum: mostPages });
    } catch {
      // If memory or address space has run out, an ordinary array may still work.
      return undefined;
    }
    compiled ??= new WebAssembly.Module(bytes);
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
    const poses = new Float64Array(memory.buffer, 0, 16 * rows);
    return { poses, memory, at: 0, kernel: exports as unknown as PoseKernel };
  },
  /** Nothing to do: the memory is collected when nothing refers to it. */
  free() {},
  copy: (values, rows) => copyPoses(values, rows, (rows as OwnRows).kernel),
  check: (rows, count) => (rows as OwnRows).kernel.firstUncommonPose(rows.at, 0, count) === count,
  reclaim(rows) {
    const { memory, poses, at } = rows as OwnRows;
    const { length } = poses;
    // Even growing by nothing gives the memory a new buffer and detaches all arrays on the old one.
    memory.grow(0);
    return { ...(rows as OwnRows), poses: new Float64Array(memory.buffer, at, length) };
  },
};
