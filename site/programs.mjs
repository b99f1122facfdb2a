// Checks that the programs which the site shows are not stale. Each block of TypeScript in a document must compile against
// the packages as they are. A block may leave out what the text around it has made; such names are declared here. The
// examples are checked too: a script with a misspelt option would run, but do something else.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  'README.md',
  'docs/exact.md',
  'docs/manual.md',
  'docs/particles.md',
  'packages/cluster/README.md',
  'packages/io/README.md',
  'packages/nearfield/README.md',
  'site/pages/index.md',
];

/** Names that blocks use without making them, by the type of what they stand for. */
const given = {
  ...{ nf: 'nearfield.Nearfield', scene: 'nearfield.Scene', mesh: 'typeof nearfield.mesh' },
  ...{ a: 'nearfield.Body', b: 'nearfield.Body', body: 'nearfield.Body', bullet: 'nearfield.Body' },
  ...{ cloth: 'nearfield.Body', pairs: 'nearfield.Interferences', open: 'typeof nearfield.open' },
  ...{ positions: 'Float32Array', indices: 'Uint32Array', nextPositions: 'Float32Array' },
  ...{ pose: 'Float64Array', poses: 'Float64Array', next: 'Float64Array', nextPose: 'Float64Array' },
  ...{ points: 'Float64Array', rays: 'Float64Array', boxes: 'Float64Array', spheres: 'Float64Array' },
  ...{ buffer: 'GPUBuffer', matrices: 'GPUBuffer' },
  ...{ signal: 'AbortSignal', progress: '(done: number) => void', t: 'number' },
  ...{ previous: 'nearfield.Contacts', motion: 'nearfield.Motion', map: 'nearfield.DistanceMap' },
  ...{ canvas: 'HTMLCanvasElement', assembly: 'import("three").Object3D', world: 'import("three").Scene' },
  ...{ play: '(collider: number, time: number, speed: number) => void', particles: 'nearfield.Particles' },
  ...{ sound: '(what: unknown, time: number, speed: number) => void', draw: '(texture: GPUTexture) => void' },
  ...{ ground: 'nearfield.Collider', device: 'GPUDevice', target: 'GPURenderPassDescriptor' },
  ...{ pipeline: 'GPURenderPipeline', bindGroup: 'GPUBindGroup', bytes: 'Uint8Array', name: 'string' },
  ...{ readFile: 'typeof io.readFile', fetchBeside: 'io.FetchBeside', srdf: 'Uint8Array' },
  ...{ posesOfJoints: 'typeof io.posesOfJoints', jointWarnings: 'typeof io.jointWarnings' },
  ...{ writeFile: '(name: string, bytes: Uint8Array) => Promise<void>', given: 'any' },
};

/** A block as a module. "…" stands for anything. */
function moduleOf(block) {
  const whole = block
    .replace(/…(?=\w)/g, '...')
    .replace(/\{ …/g, '{ ...given')
    .replaceAll('…', 'given');
  // A part of an object literal.
  const code = /^\w+: \{/.test(whole)
    ? `const options: Partial<nearfield.ParticleOptions> = {\n${whole}};`
    : whole;
  const names = Object.keys(given).filter(
    name =>
      !new RegExp(`(?:const|let|function) ${name}\\b|(?:const|import) \\{[^}]*\\b${name}\\b`).test(code),
  );
  return [
    "import type * as nearfield from 'nearfield';",
    "import type * as io from '@nearfield/io';",
    ...names.map(name => `declare const ${name}: ${given[name]};`),
    code,
    'export {};',
  ].join('\n');
}

/** Every block of TypeScript of the documents, as a module with a name. */
export function programBlocks() {
  return documents.flatMap(document => {
    const blocks = readFileSync(join(root, document), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g);
    return Array.from(blocks, ([, block], i) => ({
      name: `${document.replace(/\W/g, '-')}-${i + 1}.ts`,
      code: moduleOf(block),
    }));
  });
}

/** What the compiler finds wrong with the programs of the documents, as lines. */
export function staleBlockLines() {
  return withFolder(async folder => {
    for (const { name, code } of programBlocks()) writeFileSync(join(folder, name), code);
    // What Vite makes of an address.
    const addresses = "declare module '*?url' { const url: string; export default url; }";
    writeFileSync(join(folder, 'addresses.d.ts'), addresses);
    const lines = await errorsIn(folder, { include: ['*.ts'] });
    return lines.filter(line => line.includes('.cache/programs-'));
  });
}

/**
 * What the compiler finds wrong with the examples, and with the programs in other folders of the repository. Scripts have
 * no types, and React has none here.
 */
export function staleExampleLines(...more) {
  const folders = ['examples', ...more];
  return withFolder(async folder => {
    const lines = await errorsIn(folder, {
      compilerOptions: {
        allowJs: true,
        checkJs: true,
        strict: false,
        noImplicitReturns: false,
        jsx: 'react-jsx',
      },
      include: folders.flatMap(path => ['ts', 'tsx', 'mjs'].map(ending => `../../${path}/**/*.${ending}`)),
      exclude: ['../../**/node_modules', '../../**/dist'],
    });
    return lines.filter(line => folders.some(path => line.startsWith(`${path}/`)));
  });
}

/** Gives a function a folder of its own in the repository, where the compiler finds what is installed. */
async function withFolder(work) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/programs-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The compiler's lines about the programs that a configuration includes. It is as strict as most projects are. */
async function errorsIn(folder, { compilerOptions: special = {}, ...files }) {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const paths = Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, places]) => [
      name,
      places.map(place => resolve(root, place)),
    ]),
  );
  const usual = { exactOptionalPropertyTypes: false, noUnusedLocals: false, noUnusedParameters: false };
  const config = { compilerOptions: { ...compilerOptions, ...usual, ...special, paths }, ...files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'];
  return new Promise(done => {
    execFile(process.execPath, words, { cwd: root, maxBuffer: 2 ** 26 }, (_, stdout) =>
      done(stdout.split('\n')),
    );
  });
}
