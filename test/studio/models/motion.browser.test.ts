// Motions in the browser: frames of poses and of joint values on a timeline, with the clashes that the command line counts.

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { boxObj, runIn } from '../../../packages/cli/src/testing.ts';
import type { Studio } from '../../../studio/src/studio.ts';
import { type Dropped, drop, listedPairs, openStudio, picture, settled, useStudio } from '../rig.ts';

useStudio();

type Global = { nearfieldStudio: Studio };

/** Drops files, and waits for their bodies. */
async function dropped(page: Page, list: readonly Dropped[], count: number): Promise<void> {
  await drop(page, list);
  await page.waitForFunction(
    wanted => (globalThis as unknown as Global).nearfieldStudio.store.document.bodies.length === wanted,
    count,
  );
  await settled(page);
}

/** How many clashes are marked in each frame, once they are. */
async function markedIn(page: Page): Promise<number[]> {
  await page.waitForSelector('.timeline .marks span', { state: 'attached' });
  await settled(page);
  return page.$$eval('.timeline .marks span', list =>
    list.map(mark => Number((mark as HTMLElement).dataset['clashes'])),
  );
}

/** How many pairs of each frame fail, according to the command line. */
async function failing(files: readonly Dropped[], args: readonly string[]): Promise<number[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'nearfield-motion-'));
  for (const { name, content } of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const { out } = await runIn(cwd, ['check', ...args, '--json', '--backend', 'cpu']);
  const { frames } = JSON.parse(out) as { frames: { pairs: { verdict?: string }[] }[] };
  return frames.map(({ pairs }) => pairs.filter(({ verdict }) => verdict !== 'allowed').length);
}

test('a motion lies on a timeline, with its clashes marked as the command line counts them', async () => {
  const page = await openStudio('?draw=webgl');
  const boxes = [
    { name: 'a.obj', content: boxObj(0, 0, 0, 1, 'a') },
    { name: 'b.obj', content: boxObj(0, 0, 0, 1, 'b') },
  ];
  await dropped(page, boxes, 2);
  const poses = [3, 2, 1.5, 1, 0.5, 2.5].map(x => ({ b: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1] }));
  const motion = { name: 'm.json', content: JSON.stringify(poses) };
  await drop(page, [motion]);
  const marked = await markedIn(page);
  expect(marked).toEqual(await failing([...boxes, motion], ['a.obj', 'b.obj', '--poses', 'm.json']));
  expect(marked.some(count => count > 0) && marked.some(count => count === 0)).toBe(true);
  await page.click('[aria-label="The next frame with clashes"]');
  await settled(page);
  const first = marked.findIndex(count => count > 0);
  expect(await page.textContent('[data-testid=frame]')).toBe(`Frame ${first} of 5, 1 clash`);
  expect((await listedPairs(page)).length).toBe(1);
  await picture(page, 'review-timeline');
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() =>
    /^Frame 0 /.test(document.querySelector('[data-testid=frame]')!.textContent!),
  );
  await page.click('[aria-label="Remove the motion"]');
  expect(await page.isVisible('.timeline')).toBe(false);
  await page.context().close();
});

test('what meets between two frames is marked where the command line finds it', async () => {
  const page = await openStudio('?draw=webgl');
  const boxes = [
    { name: 'wall.obj', content: boxObj(0, 0, 0, 1, 'wall') },
    { name: 'bullet.obj', content: boxObj(0, 0.25, 0.25, 0.5, 'bullet') },
    { name: 'post.obj', content: boxObj(6, 0, 0, 1, 'post') },
  ];
  await dropped(page, boxes, 3);
  // Before the wall, nearer, behind it: no two bodies meet in any frame. Then the bullet stops at the post.
  const poses = [-3, -2, 3, 5.5].map(x => ({ bullet: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1] }));
  const motion = { name: 'm.json', content: JSON.stringify(poses) };
  await drop(page, [motion]);
  expect(await markedIn(page)).toEqual([0, 0, 0, 1]);
  const cwd = mkdtempSync(join(tmpdir(), 'nearfield-motion-'));
  for (const { name, content } of [...boxes, motion]) writeFileSync(join(cwd, name), content);
  const { out } = await runIn(cwd, [
    ...['motion', 'wall.obj', 'bullet.obj', 'post.obj', '--poses', 'm.json', '--json'],
  ]);
  const { contacts } = JSON.parse(out) as { contacts: { frame: number; from: number; state: string }[] };
  const meetings = await page.$$eval('.timeline .meetings span', list =>
    list.map(mark => ({ ...(mark as HTMLElement).dataset })),
  );
  expect(meetings).toEqual(
    contacts.map(({ frame, from, state }) => ({
      time: String(frame + from),
      certain: String(state !== 'undecided'),
    })),
  );
  expect(meetings.map(({ time }) => Number(time).toFixed(9))).toEqual(['1.300000000', '3.000000000']);
  const words = () => page.textContent('[data-testid=meeting]');
  expect(await words()).toBe('wall and bullet first meet at frame 1.3');
  await page.fill('[aria-label=Frame]', '3');
  await settled(page);
  expect(await words()).toBe('bullet and post first meet at frame 3');
  await picture(page, 'review-timeline-between');
  // A body that comes later is followed, too.
  await dropped(page, [{ name: 'gate.obj', content: boxObj(4, 0, 0, 0.25, 'gate') }], 4);
  await page.waitForFunction(() => document.querySelectorAll('.timeline .meetings span').length === 3);
  await page.fill('[aria-label=Frame]', '2');
  expect(await words()).toBe('bullet and gate first meet at frame 2.2');
  await page.context().close();
});

test('bodies that a frame does not name have the pose of their file there, whichever frame is shown', async () => {
  const page = await openStudio('?draw=webgl');
  const boxes = [
    { name: 'a.obj', content: boxObj(0, 0, 0, 1, 'a') },
    { name: 'b.obj', content: boxObj(3, 0, 0, 1, 'b') },
  ];
  await dropped(page, boxes, 2);
  const to = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
  // They meet where b comes to a, where a comes to b, and in the last frame: as the file has them, they do not.
  const frames = [
    { b: to(-2.5) },
    { a: to(2.5) },
    {},
    { a: to(20), b: to(-2.5) },
    { a: to(-3), b: to(-5.5) },
  ];
  const motion = { name: 'm.json', content: JSON.stringify(frames) };
  await drop(page, [motion]);
  const expected = await failing([...boxes, motion], ['a.obj', 'b.obj', '--poses', 'm.json']);
  expect(expected).toEqual([1, 1, 0, 0, 1]);
  expect(await markedIn(page)).toEqual(expected);
  const show = async (frame: number) => {
    await page.fill('[aria-label=Frame]', String(frame));
    await settled(page);
    return page.evaluate(() => {
      const { bodies } = (globalThis as unknown as Global).nearfieldStudio.store.document;
      return bodies.map(({ pose }) => pose[12]);
    });
  };
  expect(await show(3)).toEqual([20, -2.5]);
  // With another body, the motion is checked again while the fourth frame is shown.
  await dropped(page, [{ name: 'c.obj', content: boxObj(90, 0, 0, 1, 'c') }], 3);
  expect(await markedIn(page)).toEqual(expected);
  expect(await show(1)).toEqual([2.5, 0, 0]);
  expect(await show(2)).toEqual([0, 0, 0]);
  expect(await show(0)).toEqual([0, -2.5, 0]);
  await page.context().close();
});

test('a motion and the clearance keep their lengths when a file without a unit brings another unit', async () => {
  const page = await openStudio('?draw=webgl');
  const stated = { name: 'a.obj', content: `# units: m\n${boxObj(0, 0, 0, 1, 'a')}` };
  await dropped(page, [stated], 1);
  // Metres, as the file of the body. The other box is a metre wide, too, from 2 m to 3 m.
  const frames = [5, 1.5, 0.5].map(x => ({ a: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1] }));
  const motion = { name: 'm.json', content: JSON.stringify(frames) };
  await drop(page, [motion]);
  // The field is hidden as long as there is one body.
  await page.evaluate(() => {
    const { store } = (globalThis as unknown as Global).nearfieldStudio;
    store.change('clearance', { ...store.document, clearance: 0.6 });
  });
  expect(await markedIn(page)).toEqual([0, 0, 0]);
  const silent = { name: 'b.obj', content: boxObj(2000, 0, 0, 1000, 'b') };
  await drop(page, [silent]);
  await page.selectOption('[data-testid=unit] select', 'mm');
  await page.click('[data-testid=unit] >> text=Open');
  await page.waitForFunction(
    () => (globalThis as unknown as Global).nearfieldStudio.store.document.bodies.length === 2,
  );
  const expected = await failing(
    [stated, silent, motion],
    ['a.obj', 'b.obj', '--units', 'mm', '--clearance', '600', '--poses', 'm.json'],
  );
  expect(expected).toEqual([0, 1, 1]);
  expect(await page.inputValue('[aria-label=Clearance]')).toBe('600');
  expect(await markedIn(page)).toEqual(expected);
  await page.fill('[aria-label=Frame]', '2');
  await settled(page);
  const placed = await page.evaluate(() => {
    const { bodies } = (globalThis as unknown as Global).nearfieldStudio.store.document;
    return [...bodies[0].pose.filter((_, i) => i % 5 === 0 || i === 12)];
  });
  expect(placed).toEqual([1000, 1000, 1000, 500, 1]);
  await page.context().close();
});

/** An arm whose hand folds back into its base. */
const arm = `<robot name="arm">
  <link name="base"><collision><geometry><mesh filename="package://arm/meshes/box.obj"/></geometry></collision></link>
  <link name="upper"><collision><origin xyz="1 0 0"/><geometry><box size="2 0.5 0.5"/></geometry></collision></link>
  <link name="hand"><collision><origin xyz="1 0 0"/><geometry><box size="2 0.5 0.5"/></geometry></collision></link>
  <joint name="arm_shoulder_joint" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0.75 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="arm_wrist_joint" type="revolute"><parent link="upper"/><child link="hand"/><origin xyz="2 0 0"/>
    <axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
</robot>`;

const robot = [
  { name: 'arm/urdf/arm.urdf', content: arm },
  { name: 'arm/meshes/box.obj', content: boxObj(0, 0, 0, 1, 'box') },
  { name: 'arm/package.xml', content: '<package/>' },
];

test('joint values lie on a timeline as the command line reads them; sliders follow, and a reload keeps them', async () => {
  const page = await openStudio('?draw=webgl');
  const values = [0, 0.8, 1.6, 2.4, 3].map(wrist => ({
    arm_shoulder_joint: 0.1 * wrist,
    arm_wrist_joint: wrist,
  }));
  const joints = { name: 'joints.json', content: JSON.stringify(values) };
  // A frame alone places the robot.
  await dropped(page, robot, 3);
  // The links of a robot are one list.
  expect(await page.$$eval('.tree .body', list => list.length)).toBe(3);
  expect(await page.$$eval('.tree .group, .tree .file', list => list.length)).toBe(1);
  await drop(page, [{ name: 'one.json', content: JSON.stringify(values[2]) }]);
  const poseOf = () =>
    page.evaluate(() => {
      const { bodies } = (globalThis as unknown as Global).nearfieldStudio.store.document;
      return bodies.map(({ pose }) => [...pose].map(value => Number(value.toFixed(9))));
    });
  await page.waitForFunction(
    () =>
      (globalThis as unknown as Global).nearfieldStudio.store.document.joints['arm/urdf/arm.urdf'] !==
      undefined,
  );
  const third = await poseOf();
  await page.click('text=Joints');
  const wrist = page.locator('[aria-label="Joint arm_wrist_joint, in degrees"]');
  expect(await wrist.inputValue()).toBe(((1.6 * 180) / Math.PI).toFixed(1));
  expect(await page.isVisible('.timeline')).toBe(false);
  await drop(page, [joints]);
  const marked = await markedIn(page);
  expect(marked).toEqual(await failing([...robot, joints], ['arm/urdf/arm.urdf', '--joints', 'joints.json']));
  expect(marked.some(count => count > 0) && marked.some(count => count === 0)).toBe(true);
  expect(await wrist.inputValue()).toBe('0.0');
  await page.locator('.timeline input').fill('2');
  await settled(page);
  expect(await page.textContent('[data-testid=frame]')).toMatch(/^Frame 2 of 4, /);
  expect(await wrist.inputValue()).toBe(((1.6 * 180) / Math.PI).toFixed(1));
  expect(await poseOf()).toEqual(third);
  await picture(page, 'motion-joints');
  await page.waitForFunction(
    () =>
      document.body.dataset['kept'] ===
      String((globalThis as unknown as Global).nearfieldStudio.store.revision),
  );
  await page.reload();
  await page.waitForSelector('text=Your last review is back');
  expect(await markedIn(page)).toEqual(marked);
  expect(await page.textContent('[data-testid=frame]')).toMatch(/^Frame 2 of 4, /);
  expect(await poseOf()).toEqual(third);
  // A review file opens elsewhere, with the robot and the motion dropped beside it.
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.export >> text="Review"')]);
  const review = { name: 'review.json', content: readFileSync((await saved.path())!) };
  const other = await openStudio('?draw=webgl');
  await drop(other, [review, joints, ...robot]);
  expect(await markedIn(other)).toEqual(marked);
  expect(await other.textContent('[data-testid=frame]')).toMatch(/^Frame 2 of 4, /);
  expect(await other.$$('.message')).toEqual([]);
  await other.context().close();
  // A typed value moves the link, and is undone.
  await page.click('text=Joints');
  await wrist.fill('-30');
  await wrist.press('Enter');
  expect(await poseOf()).not.toEqual(third);
  await page.click('[aria-label=Undo]');
  expect(await poseOf()).toEqual(third);
  expect(await page.inputValue('[aria-label="Joint arm_wrist_joint, in degrees"]')).toBe(
    ((1.6 * 180) / Math.PI).toFixed(1),
  );
  await page.context().close();
});

test('joint values without a robot, or for a joint that it does not have, are refused with a reason', async () => {
  const page = await openStudio('?draw=webgl');
  await drop(page, [{ name: 'j.json', content: '[{"elbow": 1}]' }]);
  await page.waitForSelector('.message');
  expect(await page.textContent('.message span')).toBe(
    'j.json: joint values need a robot, but there is no URDF',
  );
  await page.click('[aria-label="Close the message"]');
  await dropped(page, robot, 3);
  await drop(page, [{ name: 'j.json', content: '[{"elbow": 1}]' }]);
  await page.waitForSelector('.message');
  expect(await page.textContent('.message span')).toMatch(/^j\.json: frame 0: no joint is called "elbow"/);
  // Outside its limits it is shown, with a note.
  await page.click('[aria-label="Close the message"]');
  await drop(page, [{ name: 'far.json', content: '[{"arm_wrist_joint": 4}, {"arm_wrist_joint": 5}]' }]);
  await page.waitForSelector('.message.note');
  expect(await page.textContent('.message.note span')).toMatch(
    /"arm_wrist_joint" stands at 4, outside of its limits -3 to 3, and 1 more such values$/,
  );
  await page.waitForSelector('.timeline:not([hidden])');
  await settled(page);
  await page.context().close();
});
