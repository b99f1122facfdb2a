// Compiles the CPU kernels (AssemblyScript, `*.as.ts`) into WebAssembly modules, each beside its loader.
// Does nothing when the modules are newer than every source.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import binaryen from 'assemblyscript/binaryen';
import { checkUsage } from './usage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'packages/nearfield/src');
/** Entry and module: the CPU engine's; the checks of poses and of vertices alone, each in memory of its own. */
const modules = [
  ['packages/nearfield/src/cpu/kernels.as.ts', 'packages/nearfield/src/cpu/kernels.wasm'],
  ['packages/nearfield/src/bvh/cpu/poses.as.ts', 'packages/nearfield/src/gpu/poses.wasm'],
  ['packages/nearfield/src/mesh/vertices.as.ts', 'packages/nearfield/src/mesh/vertices.wasm'],
];

function newestSource() {
  return readdirSync(source, { recursive: true })
    .filter(name => name.endsWith('.as.ts'))
    .map(name => join(source, name))
    .concat(fileURLToPath(import.meta.url))
    .reduce((newest, name) => Math.max(newest, statSync(name).mtimeMs), 0);
}

export async function buildKernels() {
  const newest = newestSource();
  for (const [entry, output] of modules) {
    const target = join(root, output);
    if (existsSync(target) && statSync(target).mtimeMs >= newest) continue;
    writeFileSync(target, optimize(await compile(entry, output)));
  }
}

async function compile(entry, output) {
  const flags = [
    entry,
    '--outFile',
    output,
    '--baseDir',
    root,
    '--noAssert',
    '--runtime',
    'stub',
    '--importMemory',
  ];
  const limits = [
    '--initialMemory',
    '16',
    '--maximumMemory',
    '65536',
    '--enable',
    'simd',
    '--enable',
    'threads',
  ];
  let bytes;
  const { error, stderr } = await asc.main([...flags, ...limits, '-O1'], {
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) bytes = contents;
    },
  });
  if (error) throw new Error(`${entry} does not compile:\n${stderr.toString()}`);
  return bytes;
}

/** Engines do not inline WebAssembly functions, and the kernels' small vector functions must be: so here, generously. */
function optimize(bytes) {
  const has = binaryen.Features;
  const module = binaryen.readBinary(bytes);
  module.setFeatures(
    has.Atomics |
      has.BulkMemory |
      has.BulkMemoryOpt |
      has.MutableGlobals |
      has.NontrappingFPToInt |
      has.SIMD128 |
      has.SignExt,
  );
  binaryen.setOptimizeLevel(3);
  binaryen.setShrinkLevel(0);
  binaryen.setAlwaysInlineMaxSize(60);
  binaryen.setFlexibleInlineMaxSize(200);
  binaryen.setOneCallerInlineMaxSize(400);
  module.optimize();
  module.optimize();
  const optimized = module.emitBinary();
  module.dispose();
  return optimized;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/kernels.mjs
Compiles the CPU kernels (*.as.ts) into the .wasm files of packages/nearfield/src, where any is newer than those.`);
  await buildKernels();
}
