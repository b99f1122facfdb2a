// `nearfield/cpu`: the CPU backend without questions, and the meshes that its scenes take. Each question is a function of an entry
// point of its own.

import { createCpuEngine } from '../cpu/engine.ts';
import { Host } from '../questions/host.ts';

export type { Body, BodyOptions } from '../bodies/body.ts';
export { type ErrorCode, NearfieldError } from '../core/errors.ts';
export type { Backend } from '../core/stats.ts';
export type { Pose } from '../math/pose.ts';
export { type Indices, type Mesh, mesh, type Positions } from '../mesh/mesh.ts';
export type { BareScene } from '../questions/bare-scene.ts';
export type { Host } from '../questions/host.ts';

/**
 * Opens the CPU backend. Its scenes are asked by functions: `interferences(scene)` of `nearfield/interferences`, and synchronously by
 * `interferencesSync(scene)`. A question's WebAssembly is compiled when it is first asked. `close()` gives all memory back.
 */
export async function openCpu(): Promise<Host<'cpu'>> {
  const cpu = createCpuEngine();
  return new Host<'cpu'>(cpu, cpu);
}
