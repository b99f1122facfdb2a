// Every entry point as its users get it: imported alone in a new process it answers, its types stand alone, and a page that imports it
// carries no other question.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { link } from './install.ts';
import { withoutJobs } from './without-jobs.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(inject('folder'), 'entries');
const library = join(inject('folder'), 'node_modules/nearfield');

/** Two boxes of side 1, the second moved by 0.5, 0.25 and 0.125. */
const boxes = `
import { openCpu } from 'nearfield/cpu';
import { mesh } from 'nearfield/mesh';
const corners = Float64Array.from({ length: 24 }, (_, i) => (Math.floor(i / 3) >> (i % 3)) & 1);
const faces = Uint32Array.of(0,2,3, 0,3,1, 4,5,7, 4,7,6, 0,1,5, 0,5,4, 2,6,7, 2,7,3, 0,4,6, 0,6,2, 1,3,7, 1,7,5);
const box = mesh(corners, faces);
const nf = await openCpu();
const scene = nf.scene();
const a = scene.add(box);
const b = scene.add(box, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.125, 1] });
`;

/** By entry: a program, and what it prints. */
const programs: Readonly<Record<string, readonly [code: string, printed: string]>> = {
  '.': [
    `import { open, shapes } from 'nearfield';
     const nf = await open({ backend: 'cpu' });
     const scene = nf.scene();
     scene.add(shapes.box());
     console.log(scene.interferencesSync().length, nf.backend);
     nf.close();`,
    '0 cpu',
  ],
  './cpu': [`${boxes} console.log(nf.backend, scene.bodies.length, b.index); nf.close();`, 'cpu 2 1'],
  './gpu': [
    `import { NearfieldError, openGpu } from 'nearfield/gpu';
     const failure = await openGpu({ hardwareOnly: true }).catch((error: unknown) => error);
     console.log(failure instanceof NearfieldError && failure.code);`,
    'no-gpu',
  ],
  './mesh': [
    `import { applyPose, identity, mesh } from 'nearfield/mesh';
     const part = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), null);
     const moved = new Float64Array(3);
     applyPose(identity(), 1, 2, 3, moved, 0);
     console.log(part.triangleCount, part.closed, moved.join());`,
    '1 false 1,2,3',
  ],
  './shapes': [
    `import { box, gear } from 'nearfield/shapes';
     console.log(box().solid, gear().solid);`,
    'true true',
  ],
  './interferences': [
    `${boxes}
     import { broad, exact, interferences, interferencesSync, narrow } from 'nearfield/interferences';
     const [pair] = await interferences(scene);
     console.log(pair.relation, interferencesSync(scene).length, exact(await narrow(broad(scene))).length);
     nf.close();`,
    'crossing 1 1',
  ],
  './breadth-first': [
    `${boxes}
     import { useBreadthFirst } from 'nearfield/breadth-first';
     import { interferencesSync } from 'nearfield/interferences';
     const way = { traversal: 'breadth-first', volumes: '18-dops' } as const;
     const refused = (() => { try { return interferencesSync(scene, way); } catch (error: unknown) { return (error as Error).message; } })();
     useBreadthFirst();
     console.log(/useBreadthFirst/.test(String(refused)), interferencesSync(scene, way).length);
     nf.close();`,
    'true 1',
  ],
  './distance': [
    `${boxes}
     import { closestSync, distance, withinSync } from 'nearfield/distance';
     const found = await distance(scene, a, b);
     console.log(found.distance, withinSync(scene, 1).length, closestSync(scene, a, Float64Array.of(0.5, 0.5, 3)).distances[0]);
     nf.close();`,
    '0 1 2',
  ],
  './rays': [
    `${boxes}
     import { rays, raysSync } from 'nearfield/rays';
     const ray = Float64Array.of(9, 0.1, 0.2, -1, 0, 0);
     console.log((await rays(scene, [a, b], ray)).count, raysSync(scene, a, ray, { hits: 'all' }).count);
     nf.close();`,
    '1 2',
  ],
  './regions': [
    `${boxes}
     import { inBox, inSphereSync } from 'nearfield/regions';
     const found = await inBox(scene, [a, b], new Float64Array([-9, -9, -9, 9, 9, 9]));
     console.log(found.length, found.triangles?.length, inSphereSync(scene, a, new Float64Array([0.5, 0.5, 0.5, 0.1])).length);
     nf.close();`,
    '2 24 0',
  ],
  './penetration': [
    `${boxes}
     import { penetration, penetrationWithPointsSync } from 'nearfield/penetration';
     const { depth } = await penetration(scene, a, b);
     const { points } = penetrationWithPointsSync(scene, a, b, { points: true });
     console.log(depth.lower <= 0.5, depth.upper >= 0.5, points?.a.vertices.join());
     nf.close();`,
    'true true 7',
  ],
  './contacts': [
    `${boxes}
     import { contacts, contactsSync } from 'nearfield/contacts';
     console.log((await contacts(scene, a, b)).length, contactsSync(scene, a, b).patches[0].depth > 0);
     nf.close();`,
    '1 true',
  ],
  './overlap': [
    `${boxes}
     import { overlap, overlapSync } from 'nearfield/overlap';
     console.log((await overlap(scene, a, b)).volume > 0, overlapSync(scene, a, b).point?.length);
     nf.close();`,
    'true 3',
  ],
  './motion': [
    `${boxes}
     import { firstContact, firstContactSync } from 'nearfield/motion';
     const motion = { bodies: [{ body: b, positions: b.mesh.positions.map(x => x + 1) }] };
     console.log((await firstContact(scene, motion))[0].state, firstContactSync(scene, motion).length);
     nf.close();`,
    'initial 1',
  ],
  './sampled': [
    `${boxes}
     import { field, intersectionVolumeSync, sampledInterferences } from 'nearfield/sampled';
     const sampled = await sampledInterferences(scene, { method: 'raycast' }).catch(error => error.code);
     console.log((await field(scene, a, { resolution: 4 })).backend, intersectionVolumeSync(scene, [a, b]).volume > 0, sampled);
     nf.close();`,
    'cpu true no-gpu',
  ],
  './particles': [
    `import { openCpu } from 'nearfield/cpu';
     import { particles } from 'nearfield/particles';
     const nf = await openCpu();
     const start = { position: Float64Array.of(0, 0, 1), velocity: Float64Array.of(0, 0, -1), life: Float64Array.of(4) };
     const system = await particles(nf, { count: 1, start, colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] } }] });
     for (const { time } of system.impactsSync(0, 2)) console.log(time);
     nf.close();`,
    '1',
  ],
  './inspect': [
    `${boxes}
     import { steps } from 'nearfield/inspect';
     const found = await steps(scene, [a, b], { method: 'hierarchy' });
     console.log(found.method);
     nf.close();`,
    'hierarchy',
  ],
  './three': [
    `import { box } from 'nearfield/shapes';
     import { geometryFromMesh } from 'nearfield/three';
     console.log(geometryFromMesh(box()).type);`,
    'BufferGeometry',
  ],
};

const { exports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
};
const entries = Object.entries(exports).flatMap(([name, files]) =>
  typeof files === 'string' ? [] : [{ name, ...files }],
);
const fileOf = (name: string) => `entry-${name.replace(/\W/g, '') || 'complete'}`;

beforeAll(() => {
  mkdirSync(folder);
  link(inject('folder'), 'three', '@types/three', '@webgpu/types', '@types/node');
  for (const [name, [code]] of Object.entries(programs)) {
    writeFileSync(join(folder, `${fileOf(name)}.ts`), code);
    writeFileSync(join(folder, `${fileOf(name)}.mjs`), code.replaceAll(/: unknown| as const| as Error/g, ''));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

it('are all packed, and all in the table', () => {
  const packed = inject('packed').find(({ name }) => name === 'nearfield')!;
  const paths = packed.files.map(({ path }) => `./${path}`);
  expect(paths).toEqual(expect.arrayContaining(entries.flatMap(entry => [entry.types, entry.default])));
  expect(Object.keys(programs)).toEqual(entries.map(({ name }) => name));
});

describe('answer, imported alone in a new process', () => {
  it.each(Object.entries(programs))('%s', (name, [, printed]) => {
    const words = [`${fileOf(name)}.mjs`];
    const run = spawnSync('node', words, { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    expect(run.stderr).toBe('');
    expect(run.stdout.trim()).toBe(printed);
    expect(run.status).toBe(0);
  });
});

it.each([
  { module: 'NodeNext', moduleResolution: 'NodeNext' },
  { module: 'ESNext', moduleResolution: 'Bundler' },
])('carry types for $moduleResolution', resolution => {
  const language = { strict: true, noEmit: true, target: 'ES2022', lib: ['ES2023', 'DOM'], types: ['node'] };
  const compilerOptions = { ...language, ...resolution };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync('node', [tsc, '-p', '.'], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

describe('load what they need alone', () => {
  /** The built files that one imports, and those imported by them, without what is loaded later. */
  const loadedBy = (file: string, found = new Map<string, string>()): Map<string, string> => {
    if (found.has(file)) return found;
    const text = readFileSync(file, 'utf8');
    found.set(file, text);
    for (const [, path] of text.matchAll(/^(?:import|export|\}) ?(?:[^;]*?from )?"(\.[^"]+)"/gm))
      loadedBy(join(dirname(file), path), found);
    return found;
  };
  const onCpu = entries.filter(({ name }) => !['.', './gpu', './three'].includes(name));

  it.each(onCpu)('$name: no kernels of the GPU, nothing loaded later, not the complete library', entry => {
    const text = [...loadedBy(join(library, entry.default)).values()].join('\n');
    expect(text).not.toMatch(/@compute|@vertex|createShaderModule/);
    expect(withoutJobs(text)).not.toMatch(/\bimport\(/);
    expect(text).not.toMatch(/class (Nearfield|Scene)\b/);
  });

  it('only ./breadth-first: the published traversal of trees', () => {
    const having = entries.filter(entry =>
      [...loadedBy(join(library, entry.default)).values()].some(text => text.includes('a binary tree of')),
    );
    expect(having.map(({ name }) => name)).toEqual(['./breadth-first']);
  });

  it.each(['.', './gpu'])('%s: the GPU engine when it is opened', name => {
    const text = [...loadedBy(join(library, entries.find(entry => entry.name === name)!.default)).values()];
    expect(text.join('\n')).not.toMatch(/@compute|@vertex|createShaderModule/);
    expect(text.join('\n')).toMatch(/\bimport\("\.\/(shared\/)?open-gpu-/);
  });
});
