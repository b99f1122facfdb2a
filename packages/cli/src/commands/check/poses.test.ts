// What a pose of `--poses` means if the body's file has another unit, up axis or place on the map than the answer: the pose
// replaces the file's own, and is converted in the same way.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ifcText } from '../../../../io/src/testing/ifc-samples.ts';
import { glb, gltfJson } from '../../../../io/src/testing/samples.ts';
import { link, robot } from '../../../../io/src/testing/urdf-samples.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const cpu = ['--backend', 'cpu'];
const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

async function checked(files: Readonly<Record<string, string | Uint8Array>>, ...words: string[]) {
  const { status, out, err } = await runIn(testFolder(files), ['check', ...words, '--json', ...cpu]);
  const { bodies, pairs, unitName } = out === '' ? { bodies: [], pairs: [], unitName: '' } : JSON.parse(out);
  return { status, bodies, pairs, unitName, err };
}

const boxes = {
  'm.obj': `# units: m\n${boxObj(0, 0, 0, 1, 'a')}`,
  'mm.obj': `# units: mm\n${boxObj(0, 0, 0, 1000, 'b')}`,
};

it.each([
  ['m', 1],
  ['mm', 1000],
  ['in', 1 / 0.0254],
])('a pose is in the unit of its file, whatever the unit of the answer: %s', async (unit, perMetre) => {
  const poses = JSON.stringify({ b: at(750, 0, 0), a: at(0.5, 0, 0) });
  const words = ['m.obj', 'mm.obj', '--poses', 'poses.json', '--units', unit];
  const { status, pairs, unitName, err } = await checked({ ...boxes, 'poses.json': poses }, ...words);
  expect([status, unitName]).toEqual([1, unit]);
  // From 0.5 to 1.5 m, and from 0.75 to 1.75 m.
  expect(pairs[0].depth.upper / perMetre).toBeCloseTo(0.75, 9);
  const other = unit === 'm' ? 'mm.obj' : 'm.obj';
  expect(err).toContain(
    `nearfield: poses.json: the poses of bodies of ${other} are taken in the unit and the axes of that file, and converted as the file is\n`,
  );
});

const placed = { ...gltfJson(), nodes: [{ mesh: 0, name: 'tetrahedron', translation: [0.25, 0.5, 2 / 3] }] };
const mixed = { 'part.glb': glb(placed), 'arm.urdf': robot(link('base', '<box size="4 4 4"/>')) };

it('a pose has +y up for a file with +y up, beside one with +z up', async () => {
  const own = await checked(mixed, 'part.glb', 'arm.urdf');
  expect(own.pairs).toMatchObject([{ relation: 'inside' }]);
  // The file's own pose gives the same doubles.
  const same = { tetrahedron: at(0.25, 0.5, 2 / 3) };
  const again = await checked(
    { ...mixed, 'p.json': JSON.stringify(same) },
    'part.glb',
    'arm.urdf',
    '--poses',
    'p.json',
  );
  expect(again.bodies[0].fingerprint.pose).toBe(own.bodies[0].fingerprint.pose);
  expect(again.pairs).toEqual(own.pairs);
  // Up by 10 in y is up by 10 in z.
  const up = { ...mixed, 'p.json': JSON.stringify({ tetrahedron: at(0, 10, 0) }) };
  const above = await checked(up, 'part.glb', 'arm.urdf', '--poses', 'p.json');
  expect(above.pairs).toEqual([]);
  expect(above.bodies[0].fingerprint.box).toEqual([0, -1, 10, 1, 0, 11]);
});

it('files taken as one body are turned, too', async () => {
  const folder = testFolder({
    ...mixed,
    'ball.urdf': robot(link('ball', '<box size="1 1 1"/>', '<origin xyz="0.5 -1 7"/>')),
  });
  const high = { ...gltfJson(), nodes: [{ mesh: 0, translation: [0, 5, 0] }] };
  writeFileSync(join(folder, 'high.glb'), glb(high));
  const { out, err } = await runIn(folder, ['distance', 'high.glb', 'ball.urdf', '--json', ...cpu]);
  expect(err).toContain('high.glb: turned from +y up to +z up, as in ball.urdf');
  // The top of the tetrahedron is at z = 6, the bottom of the box at 6.5, above y = 0 to −0.5.
  expect(JSON.parse(out).distance).toBeCloseTo(Math.hypot(0.5, 0.5), 12);
});

it('a pose of an IFC part is in the coordinates of its project, which stands elsewhere on the map', async () => {
  const map = (east: string) =>
    ifcText({
      more: `#200=IFCMAPCONVERSION(#10,#201,${east},1200000.,0.,$,$,$);\n#201=IFCPROJECTEDCRS('EPSG:2056',$,$,$,$,$,$);\n`,
    });
  const files = { 'a.ifc': map('2600000.'), 'far.ifc': map('2600100.') };
  const { bodies } = await checked(files, 'a.ifc', 'far.ifc');
  const index = bodies.findIndex(({ file }: { file: string }) => file === 'far.ifc');
  const alone = await checked(
    { ...files, 'p.json': JSON.stringify({ '#0': at(1, 2, 3) }) },
    'far.ifc',
    '--poses',
    'p.json',
  );
  const moved = await checked(
    { ...files, 'p.json': JSON.stringify({ [`#${index}`]: at(1, 2, 3) }) },
    ...['a.ifc', 'far.ifc', '--poses', 'p.json'],
  );
  const shift = [100, 0, 0, 100, 0, 0];
  const expected = alone.bodies[0].fingerprint.box.map((value: number, i: number) => value + shift[i]);
  moved.bodies[index].fingerprint.box.forEach((value: number, i: number) => {
    expect(value).toBeCloseTo(expected[i], 9);
  });
});

it("the rounding of a file's own poses is not forgiven for poses that replace them", async () => {
  // Translations in single precision at 2,600,123 m are off by up to 0.125 m. Here they are replaced by near ones.
  const translation = [2600123.25, 0, 0];
  const json = {
    ...gltfJson(),
    nodes: [0, 1].map(i => ({ mesh: 0, name: `t${i}`, translation })),
    scenes: [{ nodes: [0, 1] }],
  };
  const poses = { t0: at(0, 0, 0), t1: at(0.25, 0, 0) };
  const files = { 'far.glb': glb(json), 'poses.json': JSON.stringify(poses) };
  const words = ['far.glb', '--tolerance', 'file'];
  const far = await checked(files, ...words);
  expect(far.bodies[0].rounding).toBeGreaterThan(0.1);
  const near = await checked(files, ...words, '--poses', 'poses.json');
  expect(near.bodies[0].rounding).toBeLessThan(1e-6);
  expect([near.status, near.pairs]).toMatchObject([1, [{ relation: 'crossing', verdict: 'clash' }]]);
});

it('a pose that makes a body smaller makes its rounding smaller', async () => {
  const box = `# units: m\n${boxObj(123.456, 0, 0, 1000, 'big')}${boxObj(500.123, 0, 0, 1000, 'other')}`;
  const small = [1e-3, 0, 0, 0, 0, 1e-3, 0, 0, 0, 0, 1e-3, 0, 0, 0, 0, 1];
  const files = { 'a.obj': box, 'p.json': JSON.stringify({ big: small, other: small }) };
  const [own, posed] = [await checked(files, 'a.obj'), await checked(files, 'a.obj', '--poses', 'p.json')];
  expect(own.bodies[0].rounding).toBeGreaterThan(1e-4);
  expect(posed.bodies[0].rounding / own.bodies[0].rounding).toBeCloseTo(1e-3, 6);
});

it("a body's own pose, given again, changes nothing of its rounding, also if the file gives it none", async () => {
  const files = {
    'a.obj': `# units: m\n${boxObj(0.1, 0, 0, 1, 'own')}${boxObj(0.7, 0, 0, 1, 'other')}`,
    'p.json': JSON.stringify({ own: at(0, 0, 0) }),
  };
  const [own, posed] = [await checked(files, 'a.obj'), await checked(files, 'a.obj', '--poses', 'p.json')];
  expect(posed.bodies.map(({ rounding }: { rounding: number }) => rounding)).toEqual(
    own.bodies.map(({ rounding }: { rounding: number }) => rounding),
  );
});
