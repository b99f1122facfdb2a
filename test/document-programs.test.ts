// Programs in documents are not stale: each block of TypeScript compiles against the packages of today. A block may leave out what the text
// around it has made; such names are declared here.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const documents = [
  'README.md',
  'docs/exact.md',
  'docs/manual.md',
  'docs/particles.md',
  'packages/cluster/README.md',
  'packages/io/README.md',
  'packages/nearfield/README.md',
];

/** Names that blocks use without making them, by the type of what they stand for. */
const given: Readonly<Record<string, string>> = {
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
function moduleOf(block: string): string {
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

it('every block of TypeScript compiles', async () => {
  const folder = join(root, '.cache/document-programs');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = documents.flatMap(document => {
    const blocks = readFileSync(join(root, document), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g);
    return Array.from(blocks, ([, block], i) => {
      const name = `${document.replace(/\W/g, '-')}-${i + 1}.ts`;
      writeFileSync(join(folder, name), moduleOf(block));
      return name;
    });
  });
  expect(names.length).toBeGreaterThan(15);
  // What Vite makes of an address.
  writeFileSync(
    join(folder, 'addresses.d.ts'),
    "declare module '*?url' { const url: string; export default url; }",
  );
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const paths = Object.fromEntries(
    Object.entries<string[]>(compilerOptions.paths).map(([name, files]) => [
      name,
      files.map(file => join(root, file)),
    ]),
  );
  // As strict as most projects are.
  const usual = { exactOptionalPropertyTypes: false, noUnusedLocals: false, noUnusedParameters: false };
  const language = { ...compilerOptions, ...usual, paths };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: language, include: ['*.ts'] }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const words = [compiler, '-p', folder, '--pretty', 'false'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root }).catch(error => error);
  const found = String(stdout).split('\n');
  expect(found.filter(line => line.includes('document-programs'))).toEqual([]);
});
