// Compiles the CPU kernels (AssemblyScript, `*.as.ts`) into one WebAssembly module beside its loader.
// Does nothing when the module is newer than every source.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/nearfield/src');
const entry = 'packages/nearfield/src/cpu/kernels.as.ts';
const output = 'packages/nearfield/src/cpu/kernels.wasm';

function newestSource() {
  return readdirSync(source, { recursive: true })
    .filter(name => name.endsWith('.as.ts'))
    .reduce((newest, name) => Math.max(newest, statSync(join(source, name)).mtimeMs), 0);
}

export async function buildKernels() {
  const target = join(root, output);
  if (existsSync(target) && statSync(target).mtimeMs >= newestSource()) return;
  const flags = [
    entry,
    '--outFile',
    output,
    '--baseDir',
    root,
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--importMemory',
  ];
  const { error, stderr } = await asc.main([
    ...flags,
    '--initialMemory',
    '16',
    '--maximumMemory',
    '65536',
    '--enable',
    'simd',
  ]);
  if (error) throw new Error(`the CPU kernels do not compile:\n${stderr.toString()}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
