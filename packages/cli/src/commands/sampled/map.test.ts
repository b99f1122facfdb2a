import { existsSync, linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

/** b lies above a by a quarter; c is sunk into a by an eighth, over half of it. */
const files = {
  'a.obj': boxObj(0, 0, 0),
  'b.obj': boxObj(0, 0, 1.25),
  'c.obj': boxObj(0.5, 0, 0.875),
};
const onCpu = ['--backend', 'cpu', '--direction', '0,0,1'];
const coarse = ['--resolution', '32', ...onCpu];

describe('map', () => {
  it('draws a picture and says what it shows', async () => {
    const folder = testFolder(files);
    const words = ['map', 'a.obj', 'c.obj', '--out', 'map.png', '--pixel', '0.0625', ...onCpu];
    const { status, out, err } = await runIn(folder, words);
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(/^map\.png: from a to c along \(0, 0, 1\), \d+ × \d+ pixels of 0\.0625\n/);
    expect(out).toMatch(/they overlap over an area of 0\.5, volume 0\.0625, deepest 0\.125 at \(/);
    const png = readFileSync(join(folder, 'map.png'));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const data = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
    expect(rows.length).toBe(height * (4 * width + 1));
  });

  it('gives statistics as JSON, 0 if nothing overlaps', async () => {
    const words = ['map', 'a.obj', 'b.obj', '--out', 'map.png', '--resolution', '32', '--json', ...onCpu];
    const { status, out } = await runIn(testFolder(files), words);
    expect(status).toBe(0);
    const answer = JSON.parse(out);
    expect(answer).toMatchObject({
      ...{ version: expect.any(String), backend: 'cpu', method: 'layers', complete: true, unsure: 0 },
      ...{ direction: [0, 0, 1], out: 'map.png', regions: [], timing: { map: expect.any(Number) } },
    });
    expect([answer.columns, answer.rows]).toEqual([32, 32]);
    expect(answer.pixel).toBeCloseTo(1 / 31, 12);
    expect(answer.error).toBeLessThan(1e-6);
    // Some line passes within half a pixel's diagonal of the middle of any ball.
    expect(answer.mayMissBelow).toBeCloseTo(Math.SQRT2 * answer.pixel, 6);
    expect(answer.mayReportWithin).toBe(answer.error);
    const { statistics } = answer;
    expect(statistics).toMatchObject({ least: 0.25, greatest: 0.25, median: 0.25, penetrationArea: 0 });
    expect(statistics).not.toHaveProperty('deepest');
    expect(statistics.quantiles).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  it('states what it measures if files are not closed, and does not call it an overlap', async () => {
    const folder = testFolder({
      'a.obj': files['a.obj'],
      'sheet.obj': 'v 0 0 1.5\nv 1 0 1.5\nv 1 1 1.5\nv 0 1 1.5\nf 1 2 3 4\n',
    });
    const words = ['map', 'a.obj', 'sheet.obj', '--out', 'map.png', '--resolution', '16', '--backend', 'cpu'];
    const above = await runIn(folder, [...words, '--direction', '0,0,1']);
    expect(above.status).toBe(0);
    expect(above.out).toContain('from the last surface of a to the first of sheet');
    expect(above.out).toContain('sheet lies behind a at every pixel');
    const below = await runIn(folder, [...words, '--direction', '0,0,-1']);
    expect(below.status).toBe(1);
    expect(below.out).toMatch(/sheet is before a over an area of 1, volume 1\.5, deepest 1\.5 at/);
    expect(below.out).not.toContain('overlap');
    const figures = await runIn(folder, [...words, '--direction', '0,0,1', '--json']);
    expect(JSON.parse(figures.out)).toMatchObject({ surfaces: 'facing', mayReportWithin: null });
  });

  it('counts only measured distances, not lines that --within leaves out', async () => {
    const folder = testFolder(files);
    const words = ['map', 'a.obj', 'b.obj', '--out', 'map.png', ...coarse, '--within'];
    const none = await runIn(folder, [...words, '0.125']);
    expect(none.out).toMatch(/961 pixels meet both, but all of them are farther apart than --within\n$/);
    const all = await runIn(folder, [...words, '0.5']);
    expect(all.out).toContain('distances from 0.25 to 0.25 at 961 pixels');
    expect(all.out).toContain('they do not overlap at any pixel');
    const figures = await runIn(folder, [...words, '0.125', '--json']);
    expect(JSON.parse(figures.out)).toMatchObject({
      surfaces: 'solids',
      statistics: { both: 961, measured: 0, least: null },
    });
  });

  it('prints one line per part', async () => {
    const two = files['a.obj'] + boxObj(3, 0, 0);
    const folder = testFolder({ 'two.obj': two, 'b.obj': boxObj(0, 0, 1.5, 4) });
    const words = [
      'map',
      'two.obj',
      'b.obj',
      '--out',
      'map.png',
      '--regions',
      'parts',
      '--resolution',
      '64',
      ...onCpu,
    ];
    const { regions } = JSON.parse((await runIn(folder, [...words, '--json'])).out);
    expect(regions.map(({ body, label }: { body: string; label: number }) => `${body}${label}`)).toEqual([
      'a0',
      'a1',
      'b0',
    ]);
    for (const region of regions) expect(region.least).toBe(0.5);
    expect(regions[0].both + regions[1].both).toBe(regions[2].both);
    const { out } = await runIn(folder, words);
    expect(out).toMatch(
      /region +pixels +least +median +contact +overlap +deepest\n.*\n +a 0 .*\n +a 1 .*\n +b 0 /,
    );
  });

  it('writes JSON with null where there is no distance, and bare numbers with a description', async () => {
    const folder = testFolder(files);
    const asked = ['map', 'a.obj', 'c.obj', '--pixel', '0.125', ...onCpu, '--out'];
    await runIn(folder, [...asked, 'map.json']);
    const map = JSON.parse(readFileSync(join(folder, 'map.json'), 'utf8'));
    expect([map.distance.length, map.distance[0].length]).toEqual([map.rows, map.columns]);
    expect(new Set(map.distance.flat())).toEqual(new Set([null, -0.125]));
    await runIn(folder, [...asked, 'map.raw']);
    const description = JSON.parse(readFileSync(join(folder, 'map.raw.json'), 'utf8'));
    const bytes = readFileSync(join(folder, 'map.raw'));
    expect(bytes.length).toBe(4 * description.columns * description.rows);
    expect(description).toMatchObject({ file: 'map.raw', pixel: 0.125, direction: [0, 0, 1] });
    const numbers = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
    expect(numbers.map(value => (Number.isNaN(value) ? null : value))).toEqual(map.distance.flat());
  });

  it('maps each frame of a motion', async () => {
    const lower = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -0.375, 1];
    const folder = testFolder({ ...files, 'motion.json': JSON.stringify([{}, { b: lower }]) });
    const words = [
      'map',
      'a.obj',
      'b.obj',
      '--out',
      'map.png',
      '--poses',
      'motion.json',
      '--resolution',
      '32',
      ...onCpu,
    ];
    const { status, out } = await runIn(folder, [...words, '--json']);
    expect(status).toBe(1);
    const { frames } = JSON.parse(out);
    expect(frames.map((frame: { out: string }) => frame.out)).toEqual(['map-000.png', 'map-001.png']);
    expect(frames.map((frame: { statistics: { least: number } }) => frame.statistics.least)).toEqual([
      0.25, -0.125,
    ]);
    expect([existsSync(join(folder, 'map-001.png')), existsSync(join(folder, 'map.png'))]).toEqual([
      true,
      false,
    ]);
    expect((await runIn(folder, words)).out).toMatch(
      /^frame 0: map-000\.png: .*\n(.*\n)+frame 1: map-001\.png: /,
    );
  });

  it('measures open surfaces that face each other, and reports that no line meets both', async () => {
    const sheet = (z: number) => `v 0 0 ${z}\nv 1 0 ${z}\nv 1 1 ${z}\nv 0 1 ${z}\nf 1 2 3 4\n`;
    const folder = testFolder({ 'low.obj': sheet(0), 'high.obj': sheet(0.5), 'far.obj': boxObj(9, 9, 9) });
    for (const words of [['high.obj', '--facing'], ['high.obj']]) {
      const { out } = await runIn(folder, ['map', 'low.obj', ...words, '--out', 'm.png', ...coarse]);
      expect(out).toMatch(/distances from 0\.5 to 0\.5/);
    }
    const { status, out } = await runIn(folder, ['map', 'low.obj', 'far.obj', '--out', 'm.png', ...coarse]);
    expect([status, out]).toEqual([0, expect.stringContaining('no line in this direction meets both')]);
  });

  it.each([
    [['--out', 'map.txt'], /--out ends in \.png \(a picture\), \.json or \.raw/],
    [['--out', 'm.png', '--pixel', '0'], /--pixel takes a number above 0, not "0"/],
    [['--out', 'm.png', '--pixel', '1', '--resolution', '3'], /give only one/],
    [['--out', 'm.png', '--resolution', '1.5'], /--resolution takes a whole number/],
    [['--out', 'm.png', '--direction', '0,0,0'], /--direction takes three numbers/],
    [['--out', 'm.png', '--direction', '0,1'], /--direction takes three numbers/],
    [['--out', 'm.png', '--range', '2,1'], /--range takes the smallest and the largest distance/],
    [['--out', 'm.raw', '--range', '1,2'], /--range sets the colours of a picture/],
    [['--out', 'm.png', '--regions', 'teeth'], /--regions takes "parts", not "teeth"/],
    [['--out', 'nowhere/m.png'], /there is no such folder/],
    [[], /--out/],
  ])('%j: says what is wrong', async (words, message) => {
    const { status, out, err } = await runIn(testFolder(files), ['map', 'a.obj', 'b.obj', ...words]);
    expect([status, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('never writes over an input', async () => {
    const folder = testFolder(files);
    linkSync(join(folder, 'a.obj'), join(folder, 'link.png'));
    const { status, err } = await runIn(folder, ['map', 'a.obj', 'b.obj', '--out', 'link.png', ...onCpu]);
    expect([status, err]).toEqual([2, expect.stringContaining('will not be overwritten')]);
    expect(readFileSync(join(folder, 'a.obj'), 'utf8')).toBe(files['a.obj']);
  });
});
