import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const two = { 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) };
const onFace = [expect.any(Number), expect.any(Number)];
const apart = { 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(5, 0, 0) };

it('--clearance reports pairs strictly closer than it', async () => {
  const folder = testFolder(apart);
  const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--clearance'];
  const near = await runIn(folder, [...words, '4.5', '--json']);
  expect(near.status).toBe(1);
  expect(JSON.parse(near.out).pairs).toEqual([
    {
      ...{ a: 0, b: 1, relation: 'separate', triangleCount: 0, distance: 4 },
      ...{ pointA: [1, ...onFace], pointB: [5, ...onFace] },
      ...{ clash: expect.any(String), verdict: 'too-close' },
    },
  ]);
  const exactly = await runIn(folder, [...words, '4', '--json']);
  expect([exactly.status, JSON.parse(exactly.out).pairs]).toEqual([0, []]);
  const table = await runIn(folder, [...words, '4.5']);
  expect(table.out).toMatch(/relation\s+distance\s+triangle pairs/);
  expect(table.out).toMatch(/#0 a\s+#1 b\s+separate\s+4\s+0\n/);
  expect(table.out).toMatch(/1 pair: 1 too close\./);
  const reported = await runIn(folder, [...words, '4.5', '--report', 'x.html']);
  expect(reported.status).toBe(1);
  const page = readFileSync(join(folder, 'x.html'), 'utf8');
  expect(page).toContain('no pair meets; 1 pair is closer than 4.5.');
  expect(page.match(/<img /g)).toHaveLength(2);
  const excused = await runIn(folder, [...words, '4.5', '--ignore', 'separate']);
  expect(excused.status).toBe(0);
  const crossing = await runIn(testFolder(two), [...words, '4.5', '--json']);
  expect(JSON.parse(crossing.out).pairs).toMatchObject([
    { a: 0, b: 1, relation: 'crossing', triangleCount: expect.any(Number), point: expect.any(Array) },
  ]);
  expect(JSON.parse(crossing.out).pairs[0]).not.toHaveProperty('distance');
});

it('finds nothing: status 0', async () => {
  const { status, out, err } = await runIn(testFolder(apart), [
    'check',
    'a.obj',
    'b.obj',
    '--backend',
    'cpu',
  ]);
  expect([status, err]).toEqual([0, '']);
  expect(out).toMatch(/No interference among 2 bodies/);
});

it('finds a crossing: status 1 and a table', async () => {
  const { status, out, err } = await runIn(testFolder(two), ['check', 'a.obj', 'b.obj', '--backend', 'cpu']);
  expect([status, err]).toEqual([1, '']);
  expect(out).toMatch(/#0 a\s+#1 b\s+crossing\s+\d+/);
  expect(out).toMatch(/1 pair: 1 crossing\./);
});

it('gives the documented JSON', async () => {
  const folder = testFolder(two);
  const { status, out } = await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu']);
  expect(status).toBe(1);
  const answer = JSON.parse(out);
  expect(Object.keys(answer)).toEqual([
    ...['version', 'backend', 'method', 'files', 'bodies', 'question', 'matrix', 'pairs', 'timing'],
  ]);
  expect(answer.version).toBe('0.1.0');
  expect(answer.backend).toEqual({ kind: 'cpu', name: expect.any(String) });
  expect(answer.method).toBe('hierarchy');
  const said = { rounding: expect.any(Number), fingerprint: expect.any(Object) };
  expect(answer.bodies).toEqual([
    { index: 0, name: 'a', file: 'a.obj', vertices: 8, triangles: 12, closed: true, solid: true, ...said },
    { index: 1, name: 'b', file: 'b.obj', vertices: 8, triangles: 12, closed: true, solid: true, ...said },
  ]);
  expect(answer.pairs).toEqual([
    {
      ...{ a: 0, b: 1, relation: 'crossing', triangleCount: expect.any(Number), point: expect.any(Array) },
      ...{
        depth: { lower: expect.any(Number), upper: expect.any(Number) },
        translation: expect.any(Array),
      },
      ...{ clash: expect.stringMatching(/^[0-9a-f]{12}$/), verdict: 'clash' },
    },
  ]);
  // The cubes overlap in a cube of side 1.
  const { depth, translation } = answer.pairs[0];
  expect(depth.lower).toBeLessThanOrEqual(1);
  expect(depth.upper).toBeGreaterThanOrEqual(1);
  expect(depth.upper / depth.lower).toBeLessThanOrEqual(1.1);
  expect(Math.hypot(...translation)).toBeCloseTo(depth.upper, 12);
  // Both surfaces pass through the point: it lies on a face of one body and within the other.
  const { point } = answer.pairs[0];
  expect(point.every((x: number) => x >= 1 && x <= 2)).toBe(true);
  expect(point.includes(1) && point.includes(2)).toBe(true);
  expect(Object.keys(answer.timing)).toEqual(['read', 'build', 'query', 'judge']);
  for (const time of Object.values(answer.timing)) expect(time).toBeGreaterThanOrEqual(0);

  const listed = JSON.parse(
    (await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--triangles', '--backend', 'cpu'])).out,
  );
  const [pair] = listed.pairs;
  expect(pair.triangleCount).toBe(answer.pairs[0].triangleCount);
  expect(pair.triangles).toHaveLength(pair.triangleCount);
  for (const [inA, inB] of pair.triangles) expect(Math.max(inA, inB)).toBeLessThan(12);
  const sorted = [...pair.triangles].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  expect(pair.triangles).toEqual(sorted);
});

it('prints what the example in the README shows', async () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const [, command, example] = /`(check [^`]* --json[^`]*)`[^\n]*:\n\n```json\n(.*?)```/s.exec(readme)!;
  const box = (x: number, z: number, size: number, height: number, name: string) =>
    boxObj(x, x, z, 1, name).replace(/^v (\S+) (\S+) (\S+)$/gm, (_, ...at) => {
      const [i, j, k] = [Number(at[0]) - x, Number(at[1]) - x, Number(at[2]) - z];
      return `v ${x + size * i} ${x + size * j} ${z + height * k}`;
    });
  const folder = testFolder({ 'plate.obj': box(0, 0, 10, 1, 'plate'), 'pin.obj': box(4, 0.75, 2, 2, 'pin') });
  const { out } = await runIn(folder, [...command.split(' '), '--backend', 'cpu']);
  expect(shapeOf(JSON.parse(out))).toEqual(shapeOf(JSON.parse(example)));
});

/** Names of fields in their order, words, and the kinds of other values; of a list the first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'string') return /^[0-9a-f]{12,}…?$/.test(value) ? 'hash' : value;
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([name, field]) => [name, name === 'backend' ? 'any' : shapeOf(field)]);
}

it('gives every relation, as seen from the first body', async () => {
  const folder = testFolder({
    'parts.obj': [
      boxObj(0, 0, 0, 8, 'outer'),
      boxObj(2, 2, 2, 1, 'inner'),
      boxObj(8, 0, 0, 4, 'neighbour'),
      boxObj(2, 2, 2, 1, 'copy'),
      boxObj(50, 0, 0, 1, 'far'),
    ].join(''),
  });
  const { status, out } = await runIn(folder, ['check', 'parts.obj', '--json', '--backend', 'cpu']);
  expect(status).toBe(1);
  const { pairs } = JSON.parse(out);
  expect(
    pairs.map((pair: { a: number; b: number; relation: string }) => [pair.a, pair.b, pair.relation]),
  ).toEqual([
    [0, 1, 'contains'],
    [0, 2, 'touching'],
    [0, 3, 'contains'],
    [1, 3, 'coincident'],
  ]);
});

it('gives a point of the inner body if one lies within the other', async () => {
  const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 9), 'b.obj': boxObj(3, 3, 3) });
  const { out } = await runIn(folder, ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu']);
  const [{ relation, point }] = JSON.parse(out).pairs;
  expect(relation).toBe('contains');
  expect(point.every((x: number) => x > 3 && x < 4)).toBe(true);
});

it('names the bodies that have no inside', async () => {
  const box = boxObj(0, 0, 0, 9);
  const files = {
    'wall.obj': box.slice(0, box.lastIndexOf('f ')),
    'turned.obj': box.replace('f -8 -6 -5 -7', 'f -7 -5 -6 -8'),
    'pipe.obj': boxObj(3, 3, 3),
  };
  const folder = testFolder(files);
  const words = ['check', '--backend', 'cpu', 'pipe.obj'];
  const open = await runIn(folder, [...words, 'wall.obj', '--json']);
  expect(open.err).toBe(
    'nearfield: 1 of 2 bodies is not a solid: a part wholly inside or wholly around it is not found (surfaces that meet are); to be sure, export it closed and with all faces outwards: wall (open)\n',
  );
  expect(JSON.parse(open.out).bodies.map((body: { solid: boolean }) => body.solid)).toEqual([true, false]);
  const both = await runIn(folder, [...words, 'wall.obj', 'turned.obj', '--report', 'x.html']);
  expect(both.err).toContain(
    'export them closed and with all faces outwards: wall (open), turned (not consistently oriented)\n',
  );
  const page = readFileSync(join(folder, 'x.html'), 'utf8');
  expect(page).toContain('2 of 3 bodies are not solids');
  expect(page).toContain('<td><b>not consistently oriented</b></td>');
});

it('sorts the table by importance, and counts what remains if contact is forgiven', async () => {
  const parts = [
    boxObj(0, 0, 0, 2, 'base'),
    boxObj(2, 0, 0, 2, 'neighbour'),
    boxObj(1, 1, 1, 2, 'peg'),
    boxObj(0.25, 0.25, 0.25, 0.5, 'core'),
  ];
  const folder = testFolder({ 'parts.obj': parts.join('') });
  const { out } = await runIn(folder, ['check', 'parts.obj', '--backend', 'cpu']);
  expect([...out.matchAll(/^#.*(crossing|contains|touching)/gm)].map(match => match[1])).toEqual([
    ...['crossing', 'crossing', 'contains', 'touching'],
  ]);
  expect(out).toContain('4 pairs: 2 crossing, 1 contains, 1 touching.');
  expect(out).toMatch(/\n3 to fix\n1 touches \(--ignore touching forgives it\)\n$/);
  const ignoring = ['check', 'parts.obj', '--backend', 'cpu', '--ignore', 'touching'];
  const forgiven = (await runIn(folder, ignoring)).out;
  expect(forgiven).toMatch(/\n3 to fix\n1 ignored\n$/);
  expect(forgiven).not.toMatch(/^#.*touching/m);
});

it('names the file if bodies of several files share a name', async () => {
  const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2, 'part'), 'b.obj': boxObj(1, 1, 1, 2, 'part') });
  const words = ['check', 'a.obj', 'b.obj', '--backend', 'cpu', '--report', 'x.html'];
  expect((await runIn(folder, words)).out).toMatch(/#0 part \(a\.obj\)\s+#1 part \(b\.obj\)\s+crossing/);
  expect(readFileSync(join(folder, 'x.html'), 'utf8')).toContain('>part (a.obj)</a></td>');
});

it('--ignore affects the status, not the JSON', async () => {
  const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(1, 0, 0) });
  const words = ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu'];
  expect((await runIn(folder, words)).status).toBe(1);
  const ignored = await runIn(folder, [...words, '--ignore', 'touching']);
  expect(ignored.status).toBe(0);
  expect(JSON.parse(ignored.out).pairs[0].relation).toBe('touching');
  expect((await runIn(folder, [...words, '--ignore', 'crossing', '--ignore', 'touching'])).status).toBe(0);
  expect((await runIn(folder, [...words, '--ignore', 'crossing,touching'])).status).toBe(0);
  expect((await runIn(folder, [...words, '--ignore', 'crossing'])).status).toBe(1);
});

it('merges a file with --one-body', async () => {
  const folder = testFolder({
    'parts.obj': boxObj(0, 0, 0, 2, 'one') + boxObj(1, 1, 1, 2, 'two'),
    'c.obj': boxObj(50, 0, 0),
  });
  const { status, out } = await runIn(folder, [
    'check',
    'parts.obj',
    'c.obj',
    '--one-body',
    '--json',
    '--backend',
    'cpu',
  ]);
  expect(status).toBe(0);
  expect(JSON.parse(out).bodies.map((body: { name: string }) => body.name)).toEqual(['parts', 'c']);
});

it('takes a file named twice as two bodies', async () => {
  const { out } = await runIn(testFolder(two), ['check', 'a.obj', 'a.obj', '--json', '--backend', 'cpu']);
  expect(JSON.parse(out).pairs[0].relation).toBe('coincident');
});

it('shows progress on a terminal, separate from the answer', async () => {
  const words = ['check', 'a.obj', 'b.obj', '--json', '--backend', 'cpu'];
  const { out, err } = await runIn(testFolder(two), words, { interactive: true });
  expect(JSON.parse(out).pairs).toHaveLength(1);
  for (const stage of ['reading', 'opening', 'checking']) expect(err).toContain(stage);
  expect(err.endsWith('\r\u001b[2K')).toBe(true);
});

it('writes --out and --report', async () => {
  const folder = testFolder(two);
  const words = [
    'check',
    'a.obj',
    'b.obj',
    '--json',
    '--out',
    'x.json',
    '--report',
    'x.html',
    '--backend',
    'cpu',
  ];
  // With pictures at full quality.
  const { status, out, err } = await runIn(folder, words, { samples: 2 });
  expect([status, out]).toEqual([1, '']);
  expect(err).toBe('nearfield: the answer is in x.json\nnearfield: the report is in x.html\n');
  expect(JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8')).pairs).toHaveLength(1);
  expect(readFileSync(join(folder, 'x.html'), 'utf8')).toMatch(/^<!doctype html>/i);
});

it('checks the sample', async () => {
  const { status, out } = await runIn(testFolder(), ['sample', '--backend', 'cpu']);
  expect(status).toBe(1);
  expect(out).toMatch(/lay pinion\s+#\d+ output gear\s+crossing/);
});
