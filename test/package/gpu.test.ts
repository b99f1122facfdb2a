// The packed library on the software GPU: kernels as they are published, and code that is loaded when it is first asked for.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject, it } from 'vitest';
import { hasBrowser } from '../../scripts/browser.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = inject('folder');

/** Hierarchy, visibility, and a form that a paper published are three files. */
const program = `
import { create, globals } from ${JSON.stringify(join(root, 'node_modules/webgpu/index.js'))};
import { open, shapes } from 'nearfield';
Object.assign(globalThis, globals);
// As gpu/device/device.ts creates it: else SwiftShader takes many times as long to compile.
const gpu = create(['disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension']);
const device = await (await gpu.requestAdapter()).requestDevice();
const nf = await open({ device });
const scene = nf.scene();
const part = shapes.box({ size: [1, 1, 1] });
scene.add(part);
scene.add(part, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.8, 0.1, 0.05, 1] });
for (const method of ['hierarchy', 'visibility']) {
  const [pair] = await scene.interferences({ method });
  console.log(method, nf.backend, pair.triangles.length / 2);
}
const { pairs } = await scene.sampledInterferences({ method: 'layers', form: 'drawn', resolution: 16 });
console.log('layers', pairs.length);
nf.close();
process.exit(0);
`;

it.runIf(hasBrowser)('answers by methods whose code is loaded late', () => {
  writeFileSync(join(folder, 'gpu-program.mjs'), program);
  const command = [join(root, 'scripts/soft-gpu.mjs'), 'node', 'gpu-program.mjs'];
  const { stdout, stderr } = spawnSync('node', command, { cwd: folder, encoding: 'utf8', timeout: 240_000 });
  expect(stderr).toBe('');
  expect(stdout).toBe('hierarchy gpu 12\nvisibility gpu 12\nlayers 1\n');
});
