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
/** Folders with kernels, and the entry of each: compiled beside it. */
const modules = [
  'mesh/vertices',
  'cpu/poses',
  'bvh/cpu/kernels',
  'candidates/cpu/kernels',
  'interferences/hierarchy/cpu/kernels',
  'distance/cpu/kernels',
  'penetration/kernels/kernels',
].map(name => [`packages/nearfield/src/${name}.as.ts`, `packages/nearfield/src/${name}.wasm`]);

/** The compiled files. */
export const kernelModules = modules.map(([, output]) => join(root, output));

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
    const bytes = optimize(await compile(entry, output));
    checkNoData(entry, bytes);
    writeFileSync(target, bytes);
  }
}

/** Modules share a memory: static data of one would lie where that of another does. */
function checkNoData(entry, bytes) {
  if (sectionsOf(bytes).has(11)) {
    throw new Error(`${entry}: kernels that share a memory cannot have static data (strings, arrays)`);
  }
}

/** The numbers of a module's sections (WebAssembly core, binary format of modules): 11 is data. */
function sectionsOf(bytes) {
  const found = new Set();
  for (let at = 8; at < bytes.length; ) {
    found.add(bytes[at++]);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      size += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return found;
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
