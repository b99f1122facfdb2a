// The JSON of `check` is a promise: these answers stay the same byte for byte, fields and their order included. Only `backend`
// and `timing`, which depend on the machine, are left out, and `version` and the hash of the question, which change with a
// release. If a change is meant, `npx vitest -u` with this file's path writes golden/ anew, and the change shows in its lines.

import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';
import { version } from '../../version.ts';

/** An octahedron, as OBJ; its triangles face out. */
function octahedron([x, y, z]: readonly number[], radius: number, name: string): string {
  const corners = [0, 1, 2].flatMap(axis =>
    [1, -1].map(side => [x, y, z].map((at, k) => (k === axis ? at + side * radius : at))),
  );
  const faces = ['1 3 5', '3 2 5', '2 4 5', '4 1 5', '3 1 6', '2 3 6', '4 2 6', '1 4 6'].map(
    face => `f ${face.replace(/\d/g, corner => `${Number(corner) - 7}`)}\n`,
  );
  return `o ${name}\n${corners.map(at => `v ${at.join(' ')}\n`).join('')}${faces.join('')}`;
}

/** A rectangle in the plane at height z, as OBJ: an open surface. */
const sheet = (size: number, z: number, name: string): string =>
  `o ${name}\nv 0 0 ${z}\nv ${size} 0 ${z}\nv ${size} ${size} ${z}\nv 0 ${size} ${z}\nf -4 -3 -2 -1\n`;

/** A turn about z whose cosine is 0.6 and whose sine is 0.8, then a translation. */
const turned = (x: number, y: number, z: number) => [0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1, 0, x, y, z, 1];

const motion = [
  {},
  { gem: turned(1.5, 0.25, 0.5) },
  { gem: turned(2.75, 0.25, 0.5), '#0': turned(0, 0, 0.125) },
];

it.each([
  [
    'relations',
    {
      'parts.obj': [
        boxObj(0, 0, 0, 8, 'outer'),
        boxObj(2, 2, 2, 1, 'inner'),
        boxObj(8, 0, 0, 4, 'neighbour'),
        boxObj(2, 2, 2, 1, 'copy'),
        octahedron([8.25, 8.5, 7.75], 1.5, 'gem'),
        octahedron([10.5, 8.5, 7.75], 0.5, 'near'),
        boxObj(50, 0, 0, 1, 'far'),
      ].join(''),
    },
    ['--clearance', '0.5'],
  ],
  [
    'surfaces',
    {
      'floor.obj': sheet(4, 0.25, 'floor'),
      'wall.obj': boxObj(1, 1, -1, 2, 'wall').replace(/f [^f]*$/, ''),
      'lid.obj': sheet(2, 1, 'lid'),
      'gem.obj': octahedron([3.5, 3.5, 0.5], 0.75, 'gem'),
    },
    ['--tolerance', '0.3', '--volumes'],
  ],
  [
    'motion',
    {
      'plate.obj': boxObj(0, 0, 0, 2, 'plate'),
      'gem.obj': octahedron([0.5, 0.25, 0.75], 0.875, 'gem'),
      'poses.json': JSON.stringify(motion),
    },
    ['--poses', 'poses.json'],
  ],
])('the JSON of %s', async (name, files, options) => {
  const folder = testFolder(files);
  const models = Object.keys(files).filter(file => file.endsWith('.obj'));
  const words = ['check', ...models, '--json', '--triangles', '--backend', 'cpu', ...options];
  const { status, out } = await runIn(folder, words);
  expect(status).toBe(1);
  const text = out
    .replace(`"version": "${version}"`, '"version": "…"')
    .replace(/"backend": \{[^}]*\}/, '"backend": "…"')
    .replace(/"question": "[0-9a-f]{32}"/, '"question": "…"')
    .replace(/"timing": \{[^}]*\}/, '"timing": "…"');
  expect(text.match(/"…"/g)).toHaveLength(4);
  await expect(text).toMatchFileSnapshot(`golden/${name}.txt`);
});
