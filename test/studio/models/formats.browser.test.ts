// Everything that the command line reads can be dropped: IFC and STEP by their packages in a thread of their own, 3MF, a
// robot with its meshes in a folder. The answer is that of the command line.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxObj, runIn } from '../../../packages/cli/src/testing.ts';
import { ifcText } from '../../../packages/io/src/testing/ifc-samples.ts';
import { stepText } from '../../../packages/io/src/testing/step-samples.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { type Dropped, openStudio, picture, settled, useStudio } from '../rig.ts';

useStudio();

type Global = { nearfieldStudio: Studio };

/** Chooses files as the input does; names may have folders. */
async function choose(page: Page, files: readonly Dropped[]): Promise<void> {
  const encoded = files.map(({ name, content }) => ({
    name,
    bytes: Buffer.from(content).toString('base64'),
  }));
  await page.evaluate(list => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of list) {
      const file = new File(
        [Uint8Array.from(atob(bytes), letter => letter.charCodeAt(0))],
        name.split('/').at(-1)!,
      );
      if (name.includes('/')) Object.defineProperty(file, 'webkitRelativePath', { value: name });
      transfer.items.add(file);
    }
    const input = document.querySelector<HTMLInputElement>('[data-testid=files]')!;
    // The files of a transfer are copies without the name of their folder.
    Object.defineProperty(input, 'files', {
      configurable: true,
      value: list.map(({ name }, i) => {
        const file = transfer.files[i];
        if (name.includes('/')) Object.defineProperty(file, 'webkitRelativePath', { value: name });
        return file;
      }),
    });
    input.dispatchEvent(new Event('change'));
    delete (input as { files?: unknown }).files;
  }, encoded);
}

async function compare(page: Page, files: readonly Dropped[], given: readonly string[]): Promise<void> {
  await choose(page, files);
  await page.waitForFunction(
    () => (globalThis as unknown as Global).nearfieldStudio.store.document.bodies.length > 0,
    undefined,
    { timeout: 60_000 },
  );
  await settled(page);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.export >> text="JSON"')]);
  const mine = JSON.parse(readFileSync((await saved.path())!, 'utf8'));
  const cwd = mkdtempSync(join(tmpdir(), 'nearfield-formats-'));
  for (const { name, content } of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const { out } = await runIn(cwd, ['check', ...given, '--json', '--triangles', '--backend', 'cpu']);
  const theirs = JSON.parse(out);
  for (const each of [mine, theirs]) for (const field of ['backend', 'timing']) delete each[field];
  expect(mine).toEqual(theirs);
}

test('IFC and STEP, in different units, as the command line reads them; the tree has their structure', async () => {
  const page = await openStudio('?draw=webgl');
  const files = [
    { name: 'house.ifc', content: ifcText() },
    {
      name: 'pair.step',
      content: stepText({
        at: [
          [0, 0, 0],
          [100, 0, 0],
        ],
      }),
    },
  ];
  await compare(page, files, ['house.ifc', 'pair.step']);
  const groups = await page.$$eval('.tree .group .name, .tree .file .name', list =>
    list.map(item => (item as HTMLElement).title),
  );
  // Groups with nothing but one group in them are one line.
  expect(groups).toEqual([
    expect.stringMatching(/^house\.ifc \/ .+ \/ .+/),
    expect.stringMatching(/^pair\.step \/ .+/),
  ]);
  await picture(page, 'formats-tree');
  // Closing a group hides its bodies; picking one of them opens it again.
  const count = () => page.$$eval('.tree .body', list => list.length);
  const before = await count();
  await page.click('.tree .twist >> nth=0');
  expect(await count()).toBeLessThan(before);
  await page.evaluate(() => {
    const { store } = (globalThis as unknown as Global).nearfieldStudio;
    store.select(store.document.bodies[0].id);
  });
  expect(await count()).toBe(before);
  expect(await page.$$eval('.tree .body[aria-selected=true]', list => list.length)).toBe(1);
  await page.click('.tree .body >> nth=1', { modifiers: ['Control'] });
  expect(await page.$$eval('.tree .body[aria-selected=true]', list => list.length)).toBe(2);
  await page.context().close();
});

test('a file with the name of another stays apart from it, in the tree and in what is written', async () => {
  const page = await openStudio('?draw=webgl');
  const file = (x: number) => ({
    name: 'pair.step',
    content: stepText({
      at: [
        [x, 0, 0],
        [x + 100, 0, 0],
      ],
    }),
  });
  for (const [i, x] of [0, 50].entries()) {
    await choose(page, [file(x)]);
    await page.waitForFunction(
      count => document.querySelectorAll('.tree .body').length === count,
      2 * (i + 1),
    );
    await settled(page);
  }
  const groups = await page.$$eval('.tree .file .name', list =>
    list.map(item => (item as HTMLElement).title),
  );
  expect(groups).toEqual([
    expect.stringMatching(/^pair\.step \/ /),
    expect.stringMatching(/^pair \(2\)\.step \/ /),
  ]);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.export >> text="JSON"')]);
  const { bodies } = JSON.parse(readFileSync((await saved.path())!, 'utf8')) as {
    bodies: { file: string }[];
  };
  expect(bodies.map(({ file }) => file)).toEqual([
    ...['pair.step', 'pair.step', 'pair (2).step', 'pair (2).step'],
  ]);
  await page.context().close();
});

test('a file that the package cannot read, or takes too long for, is one message', async () => {
  const page = await openStudio('?draw=webgl');
  await choose(page, [
    {
      name: 'bad.step',
      content: 'ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=X();\nENDSEC;\nEND-ISO-10303-21;\n',
    },
    { name: 'good.obj', content: boxObj(0, 0, 0, 1, 'good') },
  ]);
  await page.waitForSelector('.tree .body');
  await settled(page);
  expect(await page.$$eval('.message span', list => list.map(item => item.textContent))).toEqual([
    expect.stringMatching(/^bad\.step: /),
  ]);
  await page.context().close();
});

test('a robot in a folder, with its meshes; joined links may meet', async () => {
  const page = await openStudio('?draw=webgl');
  const robot = `<robot name="arm">
  <link name="base"><collision><geometry><mesh filename="package://arm/meshes/box.obj"/></geometry></collision></link>
  <link name="upper"><collision><geometry><mesh filename="package://arm/meshes/box.obj"/></geometry></collision></link>
  <link name="hand"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0.5 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="wrist" type="revolute"><parent link="upper"/><child link="hand"/><origin xyz="0.25 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
</robot>`;
  const files = [
    { name: 'arm/urdf/arm.urdf', content: robot },
    { name: 'arm/meshes/box.obj', content: boxObj(0, 0, 0, 1, 'box') },
    { name: 'arm/package.xml', content: '<package/>' },
  ];
  await compare(page, files, ['arm/urdf/arm.urdf']);
  expect(
    await page.$$eval('.pair', list => list.map(item => (item as HTMLElement).dataset['verdict']).sort()),
  ).toEqual(['allowed', 'allowed', 'clash']);
  await page.context().close();
});
