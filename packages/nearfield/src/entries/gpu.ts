// `nearfield/gpu`: the GPU backend without questions, and the meshes that its scenes take. Each question is a function of an entry
// point of its own, and its code for the GPU is loaded when it is first asked.

import { aFlag, checkOptions, type Rules } from '../core/arguments.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { aMemorySize } from '../cpu/memory.ts';
import { aThreadCount } from '../cpu/threads/threads.ts';
import { checkDevice, type Device } from '../given-device.ts';
import { Host } from '../questions/host.ts';

export type { Body, BodyOptions } from '../bodies/body.ts';
export type { BufferLayout, DeformOptions, DeviceBuffer } from '../bodies/on-gpu/buffers.ts';
export { type ErrorCode, NearfieldError } from '../core/errors.ts';
export type { Backend } from '../core/stats.ts';
export type { Device } from '../given-device.ts';
export type { Pose } from '../math/pose.ts';
export { type Indices, type Mesh, mesh, type Positions } from '../mesh/mesh.ts';
export type { BareScene } from '../questions/bare-scene.ts';
export type { Host } from '../questions/host.ts';

/** Which GPU is opened. */
export interface OpenGpuOptions {
  /** The application's own device, shared. It is not destroyed by `close`. */
  readonly device?: Device | undefined;
  /** Refuses an adapter that is a program on the processor ('no-gpu'): it is slower than the CPU backend. */
  readonly hardwareOnly?: boolean | undefined;
  /**
   * How many threads of the CPU work on a long question, the calling one included; default: as many as there are cores. The
   * answer does not depend on it. Other threads start with the first long question and end with `close`. In a page that is not
   * cross-origin isolated there is one thread.
   */
  readonly threads?: number | undefined;
  /**
   * The most bytes of memory for trees, poses and lists of the CPU, 2^24 or more; default and at most 4 GiB. A question that needs
   * more rejects with 'out-of-memory'. JavaScript's own objects, such as meshes and answers, are not counted.
   */
  readonly maxMemory?: number | undefined;
}

const rules: Rules<OpenGpuOptions> = {
  device: checkDevice,
  hardwareOnly: aFlag,
  threads: aThreadCount,
  maxMemory: aMemorySize,
};

/**
 * Opens the GPU backend. Rejects with 'no-gpu' if there is none, 'bad-option' for a wrong option. Its scenes are asked by functions: `interferences(scene)` of
 * `nearfield/interferences`. What a GPU leaves unsure is decided on the CPU, so that an engine there is opened too. `close()` gives all
 * memory back.
 */
export async function openGpu(options: OpenGpuOptions = {}): Promise<Host<'gpu'>> {
  checkOptions(options, rules, 'openGpu');
  // The CPU engine comes first: it needs no closing if there is no GPU, and a GPU would if there is no memory for it.
  const cpu = createCpuEngine({ threads: options.threads, maxMemory: options.maxMemory });
  const { createGpuEngine } = await import('../open-gpu.ts');
  return new Host<'gpu'>(await createGpuEngine(options), cpu);
}
