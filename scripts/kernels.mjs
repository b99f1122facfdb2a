// Compiles the CPU kernels (AssemblyScript, `*.as.ts`) into WebAssembly modules, each beside its loader. Beside each it
// writes a `.layout.ts`: where the fields of its records lie in memory, and its constants.
// Does nothing when the modules are newer than every source.
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import binaryen from 'assemblyscript/binaryen';
import { Transform } from 'assemblyscript/transform';
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
  'interferences/hierarchy/cpu/self/kernels',
  'interferences/hierarchy/cpu/breadth-first/kernels',
  'distance/cpu/kernels',
  'rays/cpu/kernels',
  'regions/cpu/kernels',
  'penetration/kernels/kernels',
  'motion/linear/walk/kernels',
].map(name => `packages/nearfield/src/${name}`);

/** The compiled files. */
export const kernelModules = modules.map(name => join(root, `${name}.wasm`));

function newestSource() {
  return readdirSync(source, { recursive: true })
    .filter(name => name.endsWith('.as.ts'))
    .map(name => join(source, name))
    .concat(fileURLToPath(import.meta.url))
    .reduce((newest, name) => Math.max(newest, statSync(name).mtimeMs), 0);
}

export async function buildKernels() {
  const newest = newestSource();
  for (const name of modules) {
    const [output, layout] = [`${name}.wasm`, `${name}.layout.ts`].map(file => join(root, file));
    if (existsSync(layout) && existsSync(output) && statSync(output).mtimeMs >= newest) continue;
    const { bytes, records } = await compile(name);
    const { module, constants } = withoutConstants(bytes);
    const optimized = optimize(module);
    checkNoData(name, optimized);
    writeFileSync(layout, layoutModule(name, { ...records, ...constants }));
    writeFileSync(output, optimized);
  }
}

/** A TypeScript module with the records and constants of a module of kernels. */
function layoutModule(name, values) {
  // Enums, because the bundler inlines their values as it does constants. It would keep a whole object.
  const fields = record => Object.entries(record).map(([field, offset]) => `${field} = ${offset}`);
  const lines = Object.entries(values).map(([key, value]) =>
    typeof value === 'object'
      ? `export enum ${key} { ${fields(value).join(', ')} }\n`
      : `export const ${key} = ${value};\n`,
  );
  return `// Written by scripts/kernels.mjs from what ${basename(name)}.as.ts exports: byte offsets of fields, and constants.\n\n${lines.join('')}`;
}

/** Offsets of the fields of the classes that an entry exports, by class and field, and as `bytes` the size of its fields. */
function recordsOf(entry) {
  const classes = [...entry.exports].map(([name, { instances }]) => [name, instances?.get('')]);
  return Object.fromEntries(
    classes
      .filter(([, instance]) => instance?.nextMemoryOffset !== undefined)
      .map(([name, instance]) => {
        const fields = [...instance.members.values()].filter(member => member.isField);
        const offsets = fields.map(field => [field.name, instance.offsetof(field.name)]);
        return [name, { ...Object.fromEntries(offsets), bytes: instance.nextMemoryOffset }];
      }),
  );
}

/** The values of a module's exported constants, and the module without them: TypeScript has them from the layout. */
function withoutConstants(bytes) {
  const module = binaryen.readBinary(bytes);
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  const globals = Object.entries(exports).filter(([, value]) => value instanceof WebAssembly.Global);
  for (const [name] of globals) module.removeExport(name);
  return { module, constants: Object.fromEntries(globals.map(([name, { value }]) => [name, value])) };
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

async function compile(name) {
  const entry = `${name}.as.ts`;
  const flags = [
    entry,
    '--outFile',
    `${name}.wasm`,
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
  let records;
  class Records extends Transform {
    afterCompile() {
      records = recordsOf(
        [...this.program.filesByName.values()].find(file => `${file.internalName}.ts` === entry),
      );
    }
  }
  const { error, stderr } = await asc.main([...flags, ...limits, '-O1'], {
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) bytes = contents;
    },
    transforms: [Records],
  });
  if (error) throw new Error(`${entry} does not compile:\n${stderr.toString()}`);
  return { bytes, records };
}

/** Engines do not inline WebAssembly functions, and the kernels' small vector functions must be: so here, generously. */
function optimize(module) {
  const has = binaryen.Features;
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
  // Once more for one order of operands everywhere, which gzip likes. Functions that are called often get short numbers.
  module.runPasses(['optimize-instructions', 'reorder-functions']);
  const optimized = module.emitBinary();
  module.dispose();
  return optimized;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  checkUsage(`usage: node scripts/kernels.mjs
Compiles the CPU kernels (*.as.ts) into the .wasm and .layout.ts files of packages/nearfield/src, where any is newer than those.`);
  await buildKernels();
}
