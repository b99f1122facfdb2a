// What a check decides about depth: which pairs clash, in which order, under which tolerance, and in which unit.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from '@nearfield/io';
import { unzipSync } from 'fflate';
import { validateBytes } from 'gltf-validator';
import { describe, expect, it } from 'vitest';
import { ifcText } from '../../../../io/src/testing/ifc-samples.ts';
import { stepText } from '../../../../io/src/testing/step-samples.ts';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const cpu = ['--backend', 'cpu'];

/** Three boxes on a table: one 1 deep in it, one a quarter deep, one that only touches it. */
const table = [
  boxObj(0, 0, -20, 20, 'table'),
  boxObj(1, 1, -0.25, 2, 'shallow'),
  boxObj(5, 5, -1, 2, 'deep'),
  boxObj(10, 10, 0, 2, 'standing'),
].join('');

interface JsonPair {
  readonly a: number;
  readonly b: number;
  readonly verdict: string;
  readonly depth?: { readonly lower: number; readonly upper: number };
}

const namesIn = (out: string) => [...out.matchAll(/#\d+ (\w+)\s+#\d+ (\w+)/g)].map(([, a, b]) => `${a} ${b}`);

describe('depth', () => {
  it('lists the deepest first, and touching last', async () => {
    const { out } = await runIn(testFolder({ 'parts.obj': table }), ['check', 'parts.obj', ...cpu]);
    expect(namesIn(out)).toEqual(['table deep', 'table shallow', 'table standing']);
    expect(out).toMatch(/depth\s+triangle pairs/);
    expect(out).toMatch(/2 to fix\n1 touches/);
  });

  it('keeps the order of bodies in the JSON', async () => {
    const { out } = await runIn(testFolder({ 'parts.obj': table }), ['check', 'parts.obj', '--json', ...cpu]);
    expect(JSON.parse(out).pairs.map(({ b }: JsonPair) => b)).toEqual([1, 2, 3]);
  });

  it('shows as many rows as asked, and says how many are left', async () => {
    const { out } = await runIn(testFolder({ 'parts.obj': table }), [
      'check',
      'parts.obj',
      '--rows',
      '1',
      ...cpu,
    ]);
    expect(namesIn(out)).toEqual(['table deep']);
    expect(out).toContain('… and 2 more pairs (--rows all lists them');
  });

  it('leaves depths out if they are not wanted', async () => {
    const words = ['check', 'parts.obj', '--json', '--depths', 'none', ...cpu];
    const { out } = await runIn(testFolder({ 'parts.obj': table }), words);
    for (const pair of JSON.parse(out).pairs) expect(pair).not.toHaveProperty('depth');
  });

  it('measures volumes and areas in common', async () => {
    const words = ['check', 'parts.obj', '--json', '--volumes', ...cpu];
    const { pairs } = JSON.parse((await runIn(testFolder({ 'parts.obj': table }), words)).out);
    expect(pairs.map(({ volume }: { volume: number }) => volume)).toEqual([1, 4, 0]);
  });
});

describe('--tolerance', () => {
  const verdicts = async (tolerance: string, ...more: string[]) => {
    const words = ['check', 'parts.obj', '--json', '--tolerance', tolerance, ...more, ...cpu];
    const { status, out } = await runIn(testFolder({ 'parts.obj': table }), words);
    return [status, ...JSON.parse(out).pairs.map(({ verdict }: JsonPair) => verdict)];
  };

  it('forgives what is proven not deeper, touching included', async () => {
    expect(await verdicts('0.3')).toEqual([1, 'within-tolerance', 'clash', 'within-tolerance']);
    expect(await verdicts('1.5')).toEqual([0, 'within-tolerance', 'within-tolerance', 'within-tolerance']);
    expect(await verdicts('0.25')).toEqual([1, 'within-tolerance', 'clash', 'within-tolerance']);
    expect(await verdicts('0.24')).toEqual([1, 'clash', 'clash', 'within-tolerance']);
  });

  it('may have a unit, if that of the files is known', async () => {
    expect(await verdicts('0.3mm', '--units', 'mm')).toEqual([
      1,
      'within-tolerance',
      'clash',
      'within-tolerance',
    ]);
    expect(await verdicts('0.03cm', '--units', 'mm')).toEqual([
      1,
      'within-tolerance',
      'clash',
      'within-tolerance',
    ]);
    const words = ['check', 'parts.obj', '--tolerance', '1mm', ...cpu];
    const { status, err } = await runIn(testFolder({ 'parts.obj': table }), words);
    expect(status).toBe(2);
    expect(err).toMatch(/--tolerance has a unit, but the files do not state theirs: say it with --units/);
  });

  it('lists only what is deeper, and counts the rest', async () => {
    const words = ['check', 'parts.obj', '--tolerance', '0.3', ...cpu];
    const { out } = await runIn(testFolder({ 'parts.obj': table }), words);
    expect(namesIn(out)).toEqual(['table deep']);
    expect(out).toMatch(/1 to fix\n2 within the tolerance of 0\.3 \(1 touch, 1 overlap by less\)\n/);
  });

  it('counts overlaps within the rounding of the files apart from the rest', async () => {
    // Three decimals: a coordinate may be off by half a thousandth.
    const parts = boxObj(0, 0, 0, 10.0005, 'base') + boxObj(0, 0, 10.0004, 10, 'lid');
    const rounded = parts.replace(/-?\d+\.\d+/g, number => Number(number).toFixed(3));
    const folder = testFolder({ 'parts.obj': rounded });
    const plain = await runIn(folder, ['check', 'parts.obj', ...cpu]);
    expect(plain.status).toBe(1);
    expect(plain.out).toMatch(
      /1 within the files' rounding, not listed: at most 0\.001 deep \(--tolerance file forgives it\)/,
    );
    expect(namesIn(plain.out)).toEqual([]);
    const forgiven = await runIn(folder, ['check', 'parts.obj', '--tolerance', 'file', '--json', ...cpu]);
    expect(forgiven.status).toBe(0);
    expect(JSON.parse(forgiven.out).pairs).toMatchObject([
      { relation: 'crossing', verdict: 'within-tolerance' },
    ]);
  });
});

describe('--units', () => {
  const folder = () =>
    testFolder({
      'a.obj': boxObj(0, 0, 0, 2, 'a'),
      'b.obj': `# units: mm\n${boxObj(1000, 0, 0, 2000, 'b')}`,
    });

  it('refuses to mix files that state their unit with files that do not', async () => {
    const { status, err } = await runIn(folder(), ['check', 'a.obj', 'b.obj', ...cpu]);
    expect(status).toBe(2);
    expect(err).toMatch(/b\.obj is in mm, but a\.obj does not state its unit: say it with --units/);
  });

  it('brings files of different units together', async () => {
    const words = ['check', 'a.obj', 'b.obj', '--units', 'm', '--json', ...cpu];
    const { status, out, err } = await runIn(folder(), words);
    expect(status).toBe(1);
    expect(err).toMatch(/lengths are in m; converted: b\.obj from mm/);
    const { unit, unitName, pairs } = JSON.parse(out);
    expect([unit, unitName]).toEqual([1, 'm']);
    expect(pairs).toMatchObject([{ relation: 'crossing' }]);
    expect(pairs[0].depth.upper).toBeCloseTo(1, 12);
  });

  it('refuses a unit that it does not know', async () => {
    const { status, err } = await runIn(folder(), ['check', 'a.obj', '--units', 'parsec', ...cpu]);
    expect(status).toBe(2);
    expect(err).toMatch(/--units: .*parsec/);
  });
});

describe('IFC files on a map', () => {
  const placed = (east: string, name = 'EPSG:2056') => {
    const crs = `#201=IFCPROJECTEDCRS('${name}',$,$,$,$,$,$);\n`;
    return ifcText({ more: `#200=IFCMAPCONVERSION(#10,#201,${east},1200000.,0.,$,$,$);\n${crs}` });
  };

  it('are checked where they stand, or refused by name', async () => {
    const folder = testFolder({
      'a.ifc': placed('2600000.'),
      'far.ifc': placed('2600100.'),
      'other.ifc': placed('2600000.', 'EPSG:25832'),
    });
    const pairs = async (...files: string[]) => {
      const { out, err } = await runIn(folder, ['check', ...files, '--json', ...cpu]);
      return { count: out === '' ? undefined : JSON.parse(out).pairs.length, err };
    };
    const alone = (await pairs('a.ifc')).count;
    const apart = await pairs('a.ifc', 'far.ifc');
    expect(apart.count).toBe(2 * alone);
    expect(apart.err).toContain('far.ifc is moved to the coordinates of a.ifc: by (100, 0, 0) m');
    const refused = await pairs('a.ifc', 'other.ifc');
    expect([refused.count, refused.err]).toEqual([
      undefined,
      expect.stringContaining(
        '"EPSG:2056", other.ifc on one with "EPSG:25832": they cannot be brought together',
      ),
    ]);
  });
});

describe('--out', () => {
  it('writes each file in the format of its extension', async () => {
    const folder = testFolder({ 'parts.obj': table });
    const outs = ['x.csv', 'x.json', 'x.xml', 'x.txt'];
    const words = ['check', 'parts.obj', ...cpu, ...outs.flatMap(name => ['--out', name])];
    const { status, out, err } = await runIn(folder, words);
    expect([status, out]).toEqual([1, '']);
    expect(err).toBe(outs.map(name => `nearfield: the answer is in ${name}\n`).join(''));
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(read('x.csv')).toMatch(/^\ufeffclash,verdict,relation,depth lower,depth upper/);
    expect(JSON.parse(read('x.json')).pairs).toHaveLength(3);
    expect(read('x.xml')).toContain('<testsuite name="all pairs" tests="3" failures="3"');
    expect(namesIn(read('x.txt'))).toEqual(['table deep', 'table shallow', 'table standing']);
  });

  it('writes BCF with a picture per topic, and a GLB of the parts that clash', async () => {
    const folder = testFolder({ 'parts.obj': table });
    const words = ['check', 'parts.obj', '--ignore', 'touching', '--units', 'm', ...cpu];
    const outs = ['--out', 'x.bcf', '--bcf-version', '3.0', '--out', 'x.glb'];
    expect((await runIn(folder, [...words, ...outs])).status).toBe(1);
    const files = Object.keys(unzipSync(readFileSync(join(folder, 'x.bcf'))));
    expect(files.filter(name => name.endsWith('snapshot.png'))).toHaveLength(2);
    expect(files).toContain('extensions.xml');
    const glb = readFileSync(join(folder, 'x.glb'));
    const { issues } = await validateBytes(new Uint8Array(glb));
    expect(issues.messages).toEqual([]);
    const { bodies } = await readFile('x.glb', glb);
    expect(bodies.map(({ name }) => name)).toEqual(['table', 'shallow', 'deep']);
    // +z is up in the OBJ, +y in glTF.
    const { pose, mesh } = bodies[2];
    expect([...pose!.slice(12, 15)]).toEqual([6, 0, -6]);
    expect([...mesh.bounds]).toEqual([-1, -1, -1, 1, 1, 1]);
  });

  it('refuses two formats for one file', async () => {
    const words = ['check', 'parts.obj', '--json', '--out', 'x.csv', ...cpu];
    const { status, err } = await runIn(testFolder({ 'parts.obj': table }), words);
    expect(status).toBe(2);
    expect(err).toMatch(/--json and --out x\.csv ask for two formats/);
  });
});

it('a clearance of one test is not asked of the pairs of another', async () => {
  const parts = [boxObj(0, 0, 0, 1, 'pipe'), boxObj(1.1, 0, 0, 1, 'wall'), boxObj(0, 1.1, 0, 1, 'door')];
  const rules = {
    sets: { pipes: { name: 'pipe' }, walls: { name: 'wall' }, doors: { name: 'door' } },
    tests: [
      { name: 'walls', between: ['pipes', 'walls'], clearance: 0.5 },
      { name: 'doors', between: ['pipes', 'doors'] },
    ],
  };
  const folder = testFolder({ 'parts.obj': parts.join(''), 'rules.json': JSON.stringify(rules) });
  const { out } = await runIn(folder, ['check', 'parts.obj', '--rules', 'rules.json', '--json', ...cpu]);
  const { pairs } = JSON.parse(out);
  expect(pairs.map(({ a, b, verdict }: JsonPair) => [a, b, verdict])).toEqual([[0, 1, 'too-close']]);
});

it('the report of a motion and the exit status speak of the same frame', async () => {
  const at = (...place: number[]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...place, 1];
  const folder = testFolder({
    'parts.obj': boxObj(0, 0, 0, 2, 'h') + boxObj(0, 0, 0, 0.5, 'i'),
    // First they cross by 0.001, which is tolerated. Then one is deep within the other, where no surfaces meet.
    'poses.json': JSON.stringify([{ i: at(1.999, 0.7, 0.7) }, { i: at(0.75, 0.75, 0.75) }]),
  });
  const words = ['check', 'parts.obj', '--poses', 'poses.json', '--tolerance', '0.01', '--backend', 'cpu'];
  const { status } = await runIn(folder, [...words, '--report', 'r.html']);
  const report = readFileSync(join(folder, 'r.html'), 'utf8');
  expect(status).toBe(1);
  expect(report).toContain('class="lead bad"');
  expect(report).not.toContain('Nothing to fix');
});

it('--tessellation is a length with or without a unit, and the answer states it', async () => {
  const folder = testFolder({ 'cube.step': stepText() });
  const stated = async (...words: string[]) => {
    const { out, err, status } = await runIn(folder, ['check', 'cube.step', '--json', ...cpu, ...words]);
    return status === 2 ? err : JSON.parse(out).files[0].tessellation;
  };
  expect(await stated('--tessellation', '0.25')).toBe(0.25);
  expect(await stated('--tessellation', '0.02cm')).toBeCloseTo(0.2, 12);
  expect(await stated('--tessellation', '0.02cm', '--units', 'm')).toBeCloseTo(0.0002, 15);
  expect(await stated('--tessellation-angle', '5')).toBeGreaterThan(0);
  expect(await stated('--tessellation', '0')).toContain('--tessellation takes a distance above 0');
  expect(await stated('--tessellation-angle', '0')).toContain(
    '--tessellation-angle takes degrees from 1 to 180, not "0"',
  );
});
