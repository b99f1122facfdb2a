// Reviewing in the browser: depths as the command line has them, what is kept across tabs and reloads, the list as a
// place to decide, and everything with keys alone.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseStatuses } from '@nearfield/clashes';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { boxObj, runIn } from '../../../packages/cli/src/testing.ts';
import { meshoptGlb } from '../../../packages/io/src/testing/compressed.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { type Dropped, drop, listedPairs, openStudio, picture, settled, useStudio } from '../rig.ts';
import { files } from './model-files.ts';

useStudio();

type Global = { nearfieldStudio: Studio };

async function download(page: Page, button: string): Promise<Buffer> {
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`.export >> text="${button}"`),
  ]);
  return readFileSync((await saved.path())!);
}

async function dropped(page: Page, list: readonly Dropped[], count = list.length): Promise<void> {
  await drop(page, list);
  await page.waitForFunction(
    wanted => (globalThis as unknown as Global).nearfieldStudio.store.document.bodies.length === wanted,
    count,
    { timeout: 60_000 },
  );
  await settled(page);
}

/** Boxes in a row, each overlapping the next by a little more. */
const row = (count: number): Dropped[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `box${String(i).padStart(2, '0')}.obj`,
    content: boxObj(i * 0.96875 - (i * i) / 4096, 0, 0, 1, `box${String(i).padStart(2, '0')}`),
  }));

/** Waits until the browser has kept the review as it is. */
const kept = (page: Page) =>
  page.waitForFunction(
    () =>
      document.body.dataset['kept'] ===
      String((globalThis as unknown as Global).nearfieldStudio.store.revision),
  );

const chosenIn = (page: Page) =>
  page.evaluate(() => {
    const { live } = (globalThis as unknown as Global).nearfieldStudio;
    return live.chosen && { ...live.chosen, translation: [...(live.chosen.translation ?? [])] };
  });

describe('depths', () => {
  test('are brackets as narrow as those of the command line, also of the chosen pair', async () => {
    const page = await openStudio('?engine=cpu');
    await dropped(page, files);
    const cwd = mkdtempSync(join(tmpdir(), 'nearfield-review-'));
    for (const { name, content } of files) writeFileSync(join(cwd, name), content);
    const { out } = await runIn(cwd, [
      ...['check', ...files.map(({ name }) => name), '--json', '--backend', 'cpu'],
    ]);
    const theirs: { depth?: { lower: number; upper: number } }[] = JSON.parse(out).pairs;
    const mine = await page.evaluate(() => {
      const { table } = (globalThis as unknown as Global).nearfieldStudio.live;
      return Array.from({ length: table!.count }, (_, i) => table!.row(i).depth);
    });
    expect(mine.length).toBe(theirs.length);
    for (const [i, { depth }] of theirs.entries()) {
      if (depth === undefined) continue;
      const [low, high] = [Math.max(depth.lower, mine[i]!.lower), Math.min(depth.upper, mine[i]!.upper)];
      // Both contain the depth, so they overlap; and one is no wider than the other by more than a tenth.
      expect(low).toBeLessThanOrEqual(high);
      expect(mine[i]!.upper / mine[i]!.lower).toBeLessThanOrEqual(1.1 * (depth.upper / depth.lower));
    }
    await page.keyboard.press('j');
    await settled(page);
    expect((await chosenIn(page))!.depth!.lower).toBeGreaterThan(0);
    expect(await page.textContent('[data-testid=detail]')).toMatch(/ deep, /);
    await page.context().close();
  });
});

describe('what is kept', () => {
  test('another tab and back: the chosen pair, and nothing is asked again', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, files);
    await page.keyboard.press('j');
    await settled(page);
    const before = await chosenIn(page);
    const serial = () =>
      page.evaluate(() => (globalThis as unknown as Global).nearfieldStudio.live.table!.serial);
    const asked = await serial();
    for (const tab of ['bench', 'models']) {
      await page.click(`#tab-${tab}`);
      await page.waitForSelector(`body[data-tab=${tab}]`);
      await settled(page);
    }
    await page.waitForSelector('.pair[aria-selected=true]');
    expect(await chosenIn(page)).toEqual(before);
    expect(await serial()).toBe(asked);
    await page.context().close();
  });

  test('a reload: models, poses, tolerance, statuses, camera and the chosen pair; or start empty', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, files);
    await page.fill('[aria-label=Tolerance]', '0.001');
    await page.keyboard.press('Enter');
    await settled(page);
    await page.focus('.pairs');
    await page.keyboard.press('j');
    await settled(page);
    await page.keyboard.press('Shift+A');
    await page.keyboard.press('Shift+C');
    await page.keyboard.type('as designed');
    await page.keyboard.press('Escape');
    await settled(page);
    const state = () =>
      page.evaluate(() => {
        const { store, viewer, live } = (globalThis as unknown as Global).nearfieldStudio;
        const { bodies, tolerance, statuses, files } = store.document;
        return {
          bodies: bodies.map(({ name, pose, colour }) => [name, [...pose], colour]),
          files: files.map(({ name, hash }) => [name, hash]),
          ...{ tolerance, statuses: [...statuses.clashes], clash: live.chosen?.clash },
          camera: viewer.camera.camera.position.toArray().map(value => value.toPrecision(6)),
        };
      });
    await page.evaluate(() => {
      const { viewer } = (globalThis as unknown as Global).nearfieldStudio;
      viewer.camera.controls.dispatchEvent({ type: 'end' });
    });
    await kept(page);
    await page.waitForTimeout(600);
    const before = await state();
    expect(before.statuses.length).toBe(1);
    await page.reload();
    await page.waitForSelector('.pair[aria-selected=true]');
    await settled(page);
    expect(await page.textContent('.message')).toMatch(/^Your last review is back: 4 bodies\.Start empty/);
    expect(await state()).toEqual(before);
    expect(await page.inputValue('[aria-label=Comment]')).toBe('as designed');
    await picture(page, 'review-restored');
    await page.click('text=Start empty');
    await page.waitForSelector('text=Open the sample gearbox');
    await page.reload();
    await page.waitForSelector('body[data-state=idle]');
    await page.waitForSelector('text=Open the sample gearbox');
    expect((await state()).bodies).toEqual([]);
    await page.context().close();
  });

  test('a review file opens with its models, and poses are read back', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, files);
    await page.click('.tree .body >> nth=3');
    await page.fill('[aria-label="Position x"]', '-3.75');
    await page.keyboard.press('Enter');
    await settled(page);
    const review = await download(page, 'Review');
    const poses = await download(page, 'Poses');
    const listed = await listedPairs(page);
    const other = await openStudio('?draw=webgl');
    await dropped(other, [...files, { name: 'r.json', content: review }], files.length);
    const names = (list: typeof listed) => list.map(({ names, relation }) => [names, relation]).sort();
    expect(names(await listedPairs(other))).toEqual(names(listed));
    await other.context().close();
    const third = await openStudio('?draw=webgl');
    await drop(third, [{ name: 'r.json', content: review }]);
    await third.waitForSelector('.message');
    expect(await third.textContent('.message')).toMatch(
      /^ball\.obj is missing: drop it together with the review/,
    );
    await dropped(third, [...files, { name: 'poses.json', content: poses }], files.length);
    await third.waitForFunction(
      () => (globalThis as unknown as Global).nearfieldStudio.store.document.bodies[3].pose[12] === -3.75,
    );
    await settled(third);
    expect(names(await listedPairs(third))).toEqual(names(listed));
    await third.context().close();
    await page.context().close();
  });
});

describe('the list', () => {
  const rules = JSON.stringify({
    sets: { low: { name: 'box0?' }, high: { name: 'box1?' } },
    tests: [
      { name: 'low parts', within: 'low', tolerance: 0.045 },
      { name: 'low and high', between: ['low', 'high'], severity: 'critical' },
    ],
  });

  test('sorts, searches, filters and groups; rules and a tolerance change verdicts', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, row(12));
    const first = () => page.textContent('.pair >> nth=0');
    const count = () => page.textContent('[data-testid=pair-count]');
    expect(await count()).toMatch(/^11 in /);
    const inSight = () =>
      page.$$eval('.pair', list =>
        list
          .map(item => ({ at: Number(item.getAttribute('aria-posinset')), words: item.textContent! }))
          .sort((p, q) => p.at - q.at)
          .map(({ words }) => words),
      );
    expect((await inSight())[0]).toMatch(/^box10 box11/);
    await page.fill('[aria-label="Search the pairs"]', 'box03');
    await page.waitForFunction(() =>
      /^2 of 11/.test(document.querySelector('[data-testid=pair-count]')!.textContent!),
    );
    await page.fill('[aria-label="Search the pairs"]', '');
    await page.selectOption('[aria-label=Sort]', 'name');
    await page.waitForFunction(() => document.querySelectorAll('.pair').length > 4);
    expect((await inSight())[0]).toMatch(/^box00 box01/);
    await page.fill('[aria-label=Tolerance]', '0.04');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.pair[data-verdict=within-tolerance]');
    await settled(page);
    await page.click('text=Filters and groups');
    await page.selectOption('[aria-label=Verdict]', 'within-tolerance');
    expect(Number(/^\d+/.exec((await count())!)![0])).toBeGreaterThan(0);
    await page.selectOption('[aria-label=Verdict]', '');
    await page.fill('[aria-label=Tolerance]', '');
    await page.keyboard.press('Enter');
    await settled(page);
    await drop(page, [{ name: 'rules.json', content: rules }]);
    await page.waitForSelector('[data-testid=rules]:not([hidden])');
    await settled(page);
    // Pairs among the high parts are not asked about.
    expect(await count()).toMatch(/^10 in /);
    await page.selectOption('[aria-label=Rule]', { label: 'low and high (1)' });
    await page.waitForFunction(() =>
      /^1 of 10/.test(document.querySelector('[data-testid=pair-count]')!.textContent!),
    );
    expect(await first()).toMatch(/^box09 box10/);
    await page.selectOption('[aria-label=Rule]', '');
    // Pairs with a body of a set; together with a rule, those that both name.
    await page.selectOption('[aria-label=Set]', { label: 'high (2 bodies)' });
    await page.waitForFunction(() =>
      /^1 of 10/.test(document.querySelector('[data-testid=pair-count]')!.textContent!),
    );
    expect(await first()).toMatch(/^box09 box10/);
    await page.selectOption('[aria-label=Set]', { label: 'low (10 bodies)' });
    await page.waitForFunction(() =>
      /^10 in/.test(document.querySelector('[data-testid=pair-count]')!.textContent!),
    );
    await page.selectOption('[aria-label=Set]', '');
    await page.selectOption('[aria-label=Groups]', 'part');
    await page.waitForSelector('[data-group]');
    const groups = await page.$$eval('[data-group]', list => list.map(item => item.textContent));
    expect(groups[0]).toMatch(/box\d\d/);
    await picture(page, 'review-groups');
    await page.click('[data-testid=rules] >> text=Remove');
    await settled(page);
    expect(await count()).toMatch(/^11 in /);
    await page.context().close();
  });

  test('a hundred thousand rows scroll with few elements', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, row(12));
    const found = await page.evaluate(async () => {
      const { live } = (globalThis as unknown as Global).nearfieldStudio;
      const { columns } = live.table!;
      const many = 100_000;
      const longer = Object.fromEntries(
        Object.entries(columns).map(([name, column]) => {
          const each = column.length / 11;
          const long = new (column.constructor as new (length: number) => Uint32Array)(each * many);
          for (let i = 0; i < long.length; i++) long[i] = column[i % column.length];
          return [name, long];
        }),
      );
      const Table = live.table!.constructor as new (answer: object) => NonNullable<typeof live.table>;
      const table = new Table({ serial: -1, columns: longer });
      table.state.fill(2);
      live.table = table;
      live.choose(undefined);
      const list = document.querySelector('.pairs')!;
      const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      await frame();
      list.scrollTop = list.scrollHeight;
      await frame();
      await frame();
      return {
        places: [...document.querySelectorAll('.pair')].map(item =>
          Number(item.getAttribute('aria-posinset')),
        ),
        size: document.querySelector('.pair')!.getAttribute('aria-setsize'),
      };
    });
    expect(found.size).toBe('100000');
    expect(await page.textContent('[data-testid=pair-count]')).toMatch(/^100,000 in /);
    expect(Math.max(...found.places)).toBe(100_000);
    expect(found.places.length).toBeLessThan(40);
    await page.context().close();
  });

  test('keys alone review ten clashes; the statuses file is that of the command line', async () => {
    const page = await openStudio('?draw=webgl');
    await dropped(page, row(12));
    const letters = ['A', 'X', 'N', 'O', 'A', 'X', 'N', 'O', 'A', 'X'];
    for (const [i, letter] of letters.entries()) {
      await page.keyboard.press('j');
      await page.waitForSelector('.pair[aria-selected=true]');
      await page.keyboard.press(`Shift+${letter}`);
      if (i === 0) {
        await page.keyboard.press('Shift+C');
        await page.keyboard.type('fine');
        await page.keyboard.press('Escape');
      }
    }
    await settled(page);
    const text = String(await download(page, 'Statuses'));
    const { clashes } = parseStatuses('s.json', text);
    const counts = new Map<string, number>();
    for (const { status } of clashes.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ accepted: 3, fixed: 3, 'not-an-issue': 2, open: 2 });
    expect([...clashes.values()].filter(({ comment }) => comment === 'fine').length).toBe(1);
    expect(await page.textContent('[data-testid=notes]')).toMatch(/is marked as fixed but is still there/);
    // The command line takes the file, and accepts the same clashes.
    const cwd = mkdtempSync(join(tmpdir(), 'nearfield-review-'));
    for (const { name, content } of row(12)) writeFileSync(join(cwd, name), content);
    writeFileSync(join(cwd, 's.json'), text);
    const { out } = await runIn(cwd, [
      ...['check', ...row(12).map(({ name }) => name), '--json', '--statuses', 's.json', '--backend', 'cpu'],
    ]);
    const accepted = JSON.parse(out).pairs.filter((pair: { verdict: string }) => pair.verdict === 'accepted');
    expect(accepted.length).toBe(5);
    const mine = JSON.parse(String(await download(page, 'JSON')));
    expect(mine.pairs.filter((pair: { verdict: string }) => pair.verdict === 'accepted').length).toBe(5);
    await page.keyboard.press('Control+z');
    await settled(page);
    await page.context().close();
  });
});

test('every format of the command line is written', async () => {
  const page = await openStudio('?draw=webgl');
  await dropped(page, files);
  const cwd = mkdtempSync(join(tmpdir(), 'nearfield-review-'));
  for (const { name, content } of files) writeFileSync(join(cwd, name), content);
  const outs = ['a.csv', 'a.xml', 'a.bcf', 'a.glb'];
  await runIn(cwd, [
    ...[
      'check',
      ...files.map(({ name }) => name),
      '--backend',
      'cpu',
      ...outs.flatMap(name => ['--out', name]),
    ],
  ]);
  const theirs = (name: string) => readFileSync(join(cwd, name));
  expect(String(await download(page, 'CSV'))).toBe(String(theirs('a.csv')));
  const times = (text: Buffer) => String(text).replaceAll(/ time="[^"]*"/g, '');
  expect(times(await download(page, 'JUnit'))).toBe(times(theirs('a.xml')));
  expect(Buffer.compare(await download(page, 'GLB'), theirs('a.glb'))).toBe(0);
  expect((await download(page, 'BCF')).subarray(0, 2).toString()).toBe('PK');
  await page.context().close();
});

test('two equal open surfaces in one place are said to coincide, not to touch harmlessly; a clearance lists what is near', async () => {
  const page = await openStudio('?draw=webgl');
  // A box without its last triangle.
  const open = (x: number, name: string) =>
    boxObj(x, 0, 0, 1, name).trimEnd().split('\n').slice(0, -1).join('\n');
  await dropped(page, [
    { name: 'p.obj', content: open(0, 'p') },
    { name: 'q.obj', content: open(0, 'q') },
    { name: 'r.obj', content: open(1.25, 'r') },
  ]);
  expect(await page.textContent('.pair .relation')).toBe('surfaces coincide');
  expect(await page.getAttribute('.pair .relation', 'class')).toBe('relation coincident');
  expect(await page.getAttribute('.pair', 'data-verdict')).toBe('clash');
  await page.keyboard.press('j');
  await settled(page);
  expect(await page.textContent('.pair-words')).toMatch(/^p · q: surfaces coincide, .* deep$/);
  expect(await page.textContent('[data-testid=detail]')).toMatch(/surfaces coincide: clash/);
  // Both are marked in the tree.
  expect(await page.$$eval('.tree .in-pair', list => list.map(item => item.textContent))).toEqual(['p', 'q']);
  await page.fill('[aria-label=Clearance]', '0.5');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pair[data-relation=separate]');
  await page.context().close();
});

test('lengths have the unit of the files: in the list, beside the arrow, in the card and in measures', async () => {
  const page = await openStudio('?draw=webgl');
  const content = await meshoptGlb('EXT_meshopt_compression');
  await dropped(page, [
    { name: 'a.glb', content },
    { name: 'b.glb', content },
  ]);
  await page.click('.tree .body >> nth=1');
  await page.fill('[aria-label="Position x"]', '0.0625');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pair[data-relation=crossing]');
  await settled(page);
  await page.focus('.pairs');
  await page.keyboard.press('j');
  await page.waitForSelector('.label', { state: 'attached' });
  await settled(page);
  expect(await page.textContent('.pair .amount')).toMatch(/ m deep$/);
  expect(await page.textContent('.label')).toMatch(/ m deep$/);
  expect(await page.textContent('.pair-words')).toMatch(/: crossing, .* m deep$/);
  expect(await page.textContent('.pair-card >> text=Move out by')).toMatch(/^Move out by .* m$/);
  await page.context().close();
});
