// Shards of a check, merged, give the bytes of the whole check, but for "backend" and "timing"; and shards that do not belong
// together are refused by name.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { icosphere } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import { runIn, testFolder } from '../../../testing.ts';
import { models, questions, randomAssembly, same } from './testing.ts';

/** Makes all shards and merges them. */
async function sharded(
  folder: string,
  count: number,
  asking: readonly string[],
  answering: readonly string[] = ['--json'],
) {
  const names: string[] = [];
  for (let index = 1; index <= count; index++) {
    const name = `shard-${index}.json`;
    const words = ['check', ...models, ...asking, '--shard', `${index}/${count}`, '--out', name];
    const { status, err } = await runIn(folder, words);
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining(`the answer is in ${name}`) });
    names.push(name);
  }
  return runIn(folder, ['merge', ...names, ...answering]);
}

describe('shards give the bytes of the whole check', () => {
  const slow = Boolean(process.env['NEARFIELD_SLOW']);
  const seeds = Array.from({ length: slow ? 50 : 1 }, (_, i) => 41 + i);
  /** Per question, how much the whole checks of all assemblies find. */
  const found = questions.map(() => 0);

  it.each(seeds)('random assembly %i', async seed => {
    const folder = testFolder(randomAssembly(seed, slow ? 16 + (seed % 5) * 12 : 24));
    for (const [i, asking] of questions.entries()) {
      const whole = await runIn(folder, ['check', ...models, ...asking, '--json']);
      expect(whole.status, whole.err).toBeLessThan(2);
      found[i] += whole.out.match(/"relation"/g)?.length ?? 0;
      // At full size, every number from 1 to 16 meets every question, in one assembly or another.
      const counts = slow ? [0, 5, 10].map(k => 1 + ((seed + 3 * i + k) % 16)) : [1 + ((seed + i) % 7)];
      for (const count of counts) {
        const merged = await sharded(folder, count, asking);
        expect(merged.status, merged.err).toBe(whole.status);
        expect(same(merged.out), `${count} shards, ${asking.join(' ')}`).toBe(same(whole.out));
      }
    }
  });

  it('finds something in every question', () => {
    for (const [i, asking] of questions.entries()) expect(found[i], asking.join(' ')).toBeGreaterThan(0);
  });
});

describe('what needs all shards is done by the merge', () => {
  it('compares with a baseline, keeps statuses and gathers groups as a check does', async () => {
    const folder = testFolder(randomAssembly(51, 24));
    const moved = randomAssembly(51, 24)['second.obj'].replace(
      /^v (\S+)/gm,
      (_, x) => `v ${Number(x) + 0.125}`,
    );
    await runIn(folder, ['check', ...models, '--json', '--out', 'last.json']);
    writeFileSync(join(folder, 'second.obj'), moved);
    const answering = ['--baseline', 'last.json', '--fail-on', 'new', '--group', 'part', '--json'];
    const whole = await runIn(folder, ['check', ...models, ...answering]);
    expect(whole.out).toContain('"history"');
    const merged = await sharded(folder, 5, [], answering);
    expect(same(merged.out)).toBe(same(whole.out));
    expect(merged.status).toBe(whole.status);

    const accept = /"clash": "([0-9a-f]{12})"/.exec(whole.out)![1];
    for (const name of ['whole', 'merged']) {
      await runIn(folder, ['check', ...models, '--statuses', `${name}-statuses.json`]);
      const status = ['status', `${name}-statuses.json`, accept, '--set', 'accepted', '--by', 'pat'];
      expect((await runIn(folder, status)).status).toBe(0);
    }
    const withStatuses = (name: string) => ['--statuses', `${name}-statuses.json`, '--json'];
    const one = await runIn(folder, ['check', ...models, '--depths', 'all', ...withStatuses('whole')]);
    const many = await sharded(folder, 4, ['--depths', 'all'], withStatuses('merged'));
    expect(one.out).toContain('"accepted"');
    const undated = (text: string) => same(text).replace(/"(date|found)":"[^"]*"/g, '');
    expect(undated(many.out)).toBe(undated(one.out));
  });

  it('reuses what the baseline knows of bodies that have not changed', async () => {
    const folder = testFolder(randomAssembly(52, 24));
    await runIn(folder, ['check', ...models, '--depths', 'all', '--out', 'last.json']);
    const answering = ['--baseline', 'last.json', '--json'];
    const whole = await runIn(folder, ['check', ...models, '--depths', 'all', ...answering]);
    expect(whole.err).toContain('not computed again');
    expect(same((await sharded(folder, 3, ['--depths', 'all'], answering)).out)).toBe(same(whole.out));
  });

  it('writes the table, CSV and the geometry of clashes', async () => {
    const folder = testFolder(randomAssembly(53, 16));
    const ends = ['csv', 'txt', 'glb'];
    const outputs = (name: string) => ends.flatMap(end => ['--out', `${name}.${end}`]);
    await runIn(folder, ['check', ...models, '--triangles', ...outputs('whole')]);
    await sharded(folder, 3, ['--triangles'], outputs('merged'));
    for (const end of ends) {
      const text = (name: string) =>
        readFileSync(join(folder, `${name}.${end}`), 'latin1').replace(/^.*; read .*$/m, '');
      expect(text('merged')).toBe(text('whole'));
    }
  });

  it('refuses a report of shards without triangles', async () => {
    const folder = testFolder(randomAssembly(53, 16));
    const { status, err } = await sharded(folder, 2, [], ['--report', 'a.html']);
    expect(status).toBe(2);
    expect(err).toContain('make the shards with --triangles');
  });
});

describe('shards that do not belong together are refused by name', () => {
  const two = async (folder: string, asking: readonly string[] = []) => {
    for (const index of [1, 2])
      await runIn(folder, ['check', ...models, ...asking, '--shard', `${index}/2`, '--out', `${index}.json`]);
  };
  const edit = (folder: string, name: string, change: (text: string) => string) =>
    writeFileSync(join(folder, name), change(readFileSync(join(folder, name), 'utf8')));
  const refused = async (folder: string, shards: readonly string[], message: string) => {
    const { status, err, out } = await runIn(folder, ['merge', ...shards, '--json']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(message);
  };

  it('missing, doubled, of another number', async () => {
    const folder = testFolder(randomAssembly(61, 8));
    await two(folder);
    await refused(folder, ['2.json'], 'shard 1/2 is missing');
    edit(folder, '2.json', text => text);
    writeFileSync(join(folder, 'again.json'), readFileSync(join(folder, '2.json')));
    await refused(folder, ['1.json', '2.json', 'again.json'], '2.json and again.json are both shard 2/2');
    await runIn(folder, ['check', ...models, '--shard', '3/3', '--out', '3.json']);
    await refused(
      folder,
      ['1.json', '2.json', '3.json'],
      '1.json is one of 2 shards, but 3.json is one of 3',
    );
  });

  it('of other options, files or versions', async () => {
    const folder = testFolder(randomAssembly(62, 8));
    await two(folder);
    await runIn(folder, ['check', ...models, '--clearance', '1', '--shard', '2/2', '--out', 'near.json']);
    await refused(
      folder,
      ['1.json', 'near.json'],
      'the option "clearance" is none in one and "1" in the other',
    );
    edit(folder, '2.json', text => text.replace(/"version":"[^"]*"/, '"version":"0.0.1"'));
    await refused(folder, ['1.json', '2.json'], '2.json was made by version 0.0.1');
    await two(folder);
    edit(folder, 'second.obj', text => `${text}\n# changed`);
    await refused(folder, ['1.json', '2.json'], 'second.obj has changed since the shards were made');
    await runIn(folder, ['check', ...models, '--shard', '2/2', '--out', '2.json']);
    await refused(folder, ['1.json', '2.json'], 'second.obj had other content in one than in the other');
  });

  it('changed, cut off, or no shards at all', async () => {
    const folder = testFolder({ ...randomAssembly(63, 12), 'no.json': '{}' });
    await two(folder);
    await refused(folder, ['1.json', 'no.json'], 'no.json: not a shard of a check');
    const kept = readFileSync(join(folder, '1.json'), 'utf8');
    edit(folder, '1.json', text => text.slice(0, -20));
    await refused(folder, ['1.json', '2.json'], '1.json: not valid JSON');
    const wrong: readonly [RegExp, string, string][] = [
      [/"a": \d+/, '"a": 999', 'expected a whole number from 0 to 11'],
      [/"relation": "\w+"/, '"relation": "near"', 'expected one of'],
      [/"method":"auto"/, '"method":"auto","out":["first.obj"]', '"out" is not known here'],
      [/"method":"auto"/, '"method":7', 'of different checks'],
      [/"frame": 0/, '"frame": 1', 'expected a whole number from 0 to 0'],
    ];
    for (const [what, by, message] of wrong) {
      const found = [1, 2].map(i => `${i}.json`);
      await two(folder);
      const target = found.find(name => what.test(readFileSync(join(folder, name), 'utf8')))!;
      edit(folder, target, text => text.replace(what, by));
      if (by.includes('"out"'))
        edit(folder, target === '1.json' ? '2.json' : '1.json', text => text.replace(what, by));
      await refused(folder, found, message);
    }
    expect(kept).toContain('"shard"');
  });

  it('never overwrites a shard or a model', async () => {
    const folder = testFolder(randomAssembly(64, 8));
    await two(folder);
    for (const name of ['1.json', 'first.obj']) {
      const { status, err } = await runIn(folder, ['merge', '1.json', '2.json', '--json', '--out', name]);
      expect(status).toBe(2);
      expect(err).toMatch(/is an input|the extension decides/);
    }
  });
});

describe('--shard', () => {
  it.each([
    [['--shard', '0/4'], 'from 1/1 to'],
    [['--shard', '5/4'], 'from 1/1 to'],
    [['--shard', 'x'], 'such as 3/8; not "x"'],
    [['--shard', '1/2', '--baseline', 'a.json'], '--baseline needs all shards: give it to "nearfield merge"'],
    [['--shard', '1/2', '--group', 'part'], '--group needs all shards'],
    [['--shard', '1/2', '--out', 'a.csv'], '--out a.csv: a shard is written as JSON'],
    [['--shard', '1/2', '--method', 'raycast'], '--method raycast draws all bodies into one image'],
  ])('refuses %j', async (words, message) => {
    const folder = testFolder(randomAssembly(71, 8));
    const { status, err } = await runIn(folder, ['check', ...models, ...words]);
    expect(status).toBe(2);
    expect(err).toContain(message);
  });

  it('asks only about the bodies of its tile', async () => {
    const folder = testFolder(randomAssembly(72, 64));
    const bodies: number[] = [];
    for (let i = 1; i <= 8; i++) {
      const { out } = await runIn(folder, ['check', ...models, '--shard', `${i}/8`]);
      bodies.push(JSON.parse(out).bodies);
    }
    expect(Math.max(...bodies)).toBeLessThan(40);
  });
});

describe('a model that does not fit in memory at once', () => {
  /** Sheets of 80,000 triangles in a row. Each crosses the next. */
  const sheets = (count: number): Record<string, string> => {
    const size = 200;
    const sheet = (i: number): string => {
      let text = '';
      for (let y = 0; y <= size; y++) {
        const z = i % 2 === 0 ? 0 : (y - 100.25) * 0.375;
        for (let x = 0; x <= size; x++) text += `v ${x + 190 * i} ${y} ${z}\n`;
      }
      for (let y = 0; y < size; y++) {
        for (let x = 1; x <= size; x++) {
          const at = y * (size + 1) + x;
          text += `f ${at} ${at + 1} ${at + size + 2} ${at + size + 1}\n`;
        }
      }
      return text;
    };
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`sheet${i}.obj`, sheet(i)]));
  };

  it('is checked in parts, with the same answer', async () => {
    const files = sheets(4);
    const folder = testFolder(files);
    const words = ['check', ...Object.keys(files), '--backend', 'cpu', '--depths', 'none', '--json'];
    const whole = await runIn(folder, words);
    expect(JSON.parse(whole.out).pairs.length).toBe(3);
    const parts = await runIn(folder, [...words, '--max-memory', '17']);
    expect(parts.err).toMatch(/does not fit .*: it was checked in \d+ parts, one after the other \(--shard/);
    expect([parts.status, same(parts.out)]).toEqual([whole.status, same(whole.out)]);
  });

  it('is compared with a baseline and statuses in parts', async () => {
    const files = balls(7);
    const folder = testFolder(files);
    const words = ['check', ...Object.keys(files), '--backend', 'cpu', '--tolerance', '0.02'];
    // Without depths in the baseline, all of them are measured when the parts are joined.
    const first = await runIn(folder, [...words, '--depths', 'none', '--out', 'last.json']);
    expect(first.err).not.toContain('parts');
    const answer = async (name: string, more: readonly string[]) => {
      const comparing = ['--baseline', 'last.json', '--statuses', `${name}-statuses.json`, '--group', 'part'];
      const outputs = ['json', 'csv', 'glb'].flatMap(end => ['--out', `${name}.${end}`]);
      return runIn(folder, [...words, ...comparing, ...outputs, ...more]);
    };
    const whole = await answer('whole', []);
    const parts = await answer('parts', ['--max-memory', '17']);
    expect(parts.err).toMatch(/does not fit .*: it was checked in \d+ parts/);
    expect(parts.status).toBe(whole.status);
    const text = (name: string) => same(readFileSync(join(folder, name), 'latin1'));
    expect(text('parts.json')).toContain('"depth"');
    for (const end of ['json', 'csv', 'glb']) expect(text(`parts.${end}`), end).toBe(text(`whole.${end}`));
  });

  /** Balls of 32,000 triangles in a row. Most overlap the next. */
  const balls = (count: number): Record<string, string> => {
    const ball = (i: number): string => {
      const { positions, indices } = icosphere({ frequency: 40, radius: 1 + i / 64 });
      const lines: string[] = [];
      for (let v = 0; v < positions.length; v += 3)
        lines.push(`v ${positions[v] + 1.95 * i} ${positions[v + 1]} ${positions[v + 2]}`);
      for (let t = 0; t < indices.length; t += 3)
        lines.push(`f ${indices[t] + 1} ${indices[t + 1] + 1} ${indices[t + 2] + 1}`);
      return lines.join('\n');
    };
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`ball${i}.obj`, ball(i)]));
  };
});
