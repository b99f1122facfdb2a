// Runs the manual's example of nearfield/three, exactly as printed, in a browser, and checks what it finds.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openBlank, useStudio } from '../rig.ts';

useStudio();

const root = resolve(import.meta.dirname, '../../..');

test('the example has fewer than 40 lines and finds the pairs of an assembly, before and after a move', async () => {
  const manual = readFileSync(`${root}/docs/manual.md`, 'utf8');
  const [, code] = /## With three\.js\n+```ts\n([\s\S]*?)```/.exec(manual)!;
  expect(code.split('\n').length).toBeLessThan(40);
  const around = `
    import { Group, Mesh, BoxGeometry, MeshBasicMaterial, Scene } from 'three';
    const canvas = document.createElement('canvas');
    const world = new Scene();
    const assembly = new Group();
    const parts = ['left', 'right', 'apart'].map((name, i) => {
      const part = new Mesh(new BoxGeometry(1, 1, 1), new MeshBasicMaterial());
      part.name = name;
      part.position.set([0, 0.5, 9][i], [0, 0.25, 0][i], 0.125 * i);
      assembly.add(part);
      return part;
    });
    const said = [];
    console.log = (...words) => said.push(words.join(' '));
    ${code}
    await check();
    parts[2].position.x = 1;
    await check();
    globalThis.result = { said, marks: marks.children.length, backend: nf.backend };
  `;
  const { outputFiles } = await build({
    stdin: { contents: around, resolveDir: root, loader: 'ts' },
    ...{ bundle: true, format: 'esm', write: false, target: 'es2022' },
    alias: {
      'nearfield/three': `${root}/packages/nearfield/dist/three.js`,
      nearfield: `${root}/packages/nearfield/dist/index.js`,
    },
  });
  const page = await openBlank();
  await page.addScriptTag({ type: 'module', content: outputFiles[0].text });
  await page.waitForFunction(() => 'result' in globalThis, undefined, { timeout: 60_000 });
  const result = await page.evaluate(() => (globalThis as unknown as { result: object }).result);
  expect(result).toEqual({
    said: ['left crossing right', 'left crossing right', 'left touching apart', 'right crossing apart'],
    marks: 6,
    backend: 'cpu',
  });
  await page.context().close();
});
