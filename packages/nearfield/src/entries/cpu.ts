// `nearfield/cpu`: the CPU backend without questions, and the meshes that its scenes take. Each question is a function of an entry
// point of its own.

import { checkOptions, type Rules } from '../core/arguments.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { aMemorySize } from '../cpu/memory.ts';
import { aThreadCount } from '../cpu/threads/threads.ts';
import { Host } from '../questions/host.ts';

export type { Body, BodyOptions } from '../bodies/body.ts';
export { type ErrorCode, NearfieldError } from '../core/errors.ts';
export type { Backend } from '../core/stats.ts';
export type { Pose } from '../math/pose.ts';
export { type Indices, type Mesh, mesh, type Positions } from '../mesh/mesh.ts';
export type { BareScene } from '../questions/bare-scene.ts';
export type { Host } from '../questions/host.ts';

/** How the CPU is used. */
export interface OpenCpuOptions {
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

const rules: Rules<OpenCpuOptions> = { threads: aThreadCount, maxMemory: aMemorySize };

/**
 * Opens the CPU backend. Its scenes are asked by functions: `interferences(scene)` of `nearfield/interferences`, and synchronously by
 * `interferencesSync(scene)`. A question's WebAssembly is compiled when it is first asked. `close()` gives all memory back.
 * Rejects with 'bad-option' for a wrong option.
 */
export async function openCpu(options: OpenCpuOptions = {}): Promise<Host<'cpu'>> {
  checkOptions(options, rules, 'openCpu');
  const cpu = createCpuEngine(options);
  return new Host<'cpu'>(cpu, cpu);
}
