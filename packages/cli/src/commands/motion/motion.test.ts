// `nearfield motion`: the table, the JSON, the plot, the exit status, and what it refuses.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const at = (x: number, y = 0, z = 0) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const motionOf = (...frames: object[]) => JSON.stringify(frames);

const files = {
  'wall.obj': boxObj(0, 0, 0, 1, 'wall'),
  'bullet.obj': boxObj(0, 0.25, 0.25, 0.5, 'bullet'),
  'through.json': motionOf({ bullet: at(-3) }, { bullet: at(-2) }, { bullet: at(3) }),
  'past.json': motionOf({ bullet: at(-3, 2) }, { bullet: at(3, 2) }),
};

test('finds what passes through a wall between two frames', async () => {
  const cwd = testFolder(files);
  const words = ['motion', 'wall.obj', 'bullet.obj', '--poses', 'through.json'];
  const { status, out } = await runIn(cwd, words);
  expect(status).toBe(1);
  // The bullet, 0.5 long, begins at −2 and meets the wall at −0.5: 1.5 of 5.
  expect(out).toMatch(/wall +bullet +frame 1\.3 +contact/);

  const json = JSON.parse((await runIn(cwd, [...words, '--json'])).out);
  expect(json).toMatchObject({
    frames: 3,
    bodies: [{ name: 'wall' }, { name: 'bullet' }],
    contacts: [{ a: 0, b: 1, state: 'contact', frame: 1 }],
  });
  const [{ from, to }] = json.contacts;
  expect(from).toBeLessThanOrEqual(0.3);
  expect(to).toBeGreaterThanOrEqual(0.3);
});

test('check looks at frames only, and says so', async () => {
  const cwd = testFolder(files);
  const { status, err } = await runIn(cwd, ['check', 'wall.obj', 'bullet.obj', '--poses', 'through.json']);
  expect(status).toBe(0);
  expect(err).toContain('check looks at the frames only; "nearfield motion" looks between them');
});

test('nothing meets: status 0; closer than a clearance: status 1', async () => {
  const cwd = testFolder(files);
  const words = ['motion', 'wall.obj', 'bullet.obj', '--poses', 'past.json'];
  expect(await runIn(cwd, words)).toMatchObject({
    status: 0,
    out: 'No two bodies meet at any time between 2 frames.\n',
  });
  // The bullet passes at y = 2.25, the wall ends at 1.
  expect((await runIn(cwd, [...words, '--clearance', '1.2'])).status).toBe(0);
  const close = await runIn(cwd, [...words, '--clearance', '1.3', '--plot', 'clearance.svg']);
  expect(close.status).toBe(1);
  expect(close.out).toMatch(/Closer than 1\.3/);
  const plot = readFileSync(join(cwd, 'clearance.svg'), 'utf8');
  expect(plot).toContain('<polyline');
  expect(plot).toContain('wall – bullet');
});

test('a plot that draws only some pairs says how many there are', async () => {
  const posts = Array.from({ length: 10 }, (_, i) => [`post${i}.obj`, boxObj(2 * i, 3, 0, 1, `post${i}`)]);
  const names = posts.map(([name]) => name);
  const cwd = testFolder({ ...files, ...Object.fromEntries(posts) });
  const plotted = async (...some: string[]) => {
    const words = ['motion', 'bullet.obj', ...some, '--poses', 'past.json', '--plot', 'many.svg'];
    expect((await runIn(cwd, words)).status).toBe(0);
    return readFileSync(join(cwd, 'many.svg'), 'utf8');
  };
  const many = await plotted(...names);
  expect(many.match(/<polyline/g)).toHaveLength(8);
  expect(many).toContain('the nearest 8 of 10 pairs');
  expect(await plotted(...names.slice(0, 8))).not.toContain('the nearest');
});

test('an allowed pair and pairs outside of --between are not asked about', async () => {
  const cwd = testFolder(files);
  const words = ['motion', 'wall.obj', 'bullet.obj', '--poses', 'through.json'];
  const nobody = await runIn(cwd, [...words, '--between', 'wall', 'nobody']);
  expect([nobody.status, nobody.err]).toEqual([
    2,
    expect.stringMatching(/no pair of bodies is named.*nobody/),
  ]);
  expect((await runIn(cwd, [...words, '--between', 'wall', 'bullet'])).status).toBe(1);
});

test('says that bodies which do not move are not compared with one another', async () => {
  const cwd = testFolder({ ...files, 'pillar.obj': boxObj(0.5, 0, 0, 1, 'pillar') });
  const words = ['motion', 'wall.obj', 'bullet.obj', '--poses', 'past.json'];
  expect((await runIn(cwd, words)).err).toBe('');
  const { status, err } = await runIn(cwd, [...words, 'pillar.obj']);
  expect([status, err]).toEqual([
    0,
    'nearfield: 2 bodies do not move; pairs of them are not looked at: "nearfield check" finds those that meet\n',
  ]);
});

test('counts the base of a robot among the bodies that do not move', async () => {
  const link = (name: string) =>
    `<link name="${name}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>`;
  const urdf = `<robot name="arm">${link('base')}${link('arm')}
    <joint name="hinge" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>`;
  const joints = motionOf({ hinge: 0 }, { hinge: 1 });
  const cwd = testFolder({ 'arm.urdf': urdf, 'joints.json': joints, 'post.obj': boxObj(5, 0, 0) });
  const words = ['motion', 'arm.urdf', 'post.obj', '--units', 'm', '--joints', 'joints.json'];
  expect((await runIn(cwd, words)).err).toMatch(/^nearfield: 2 bodies do not move/);
});

test('joints are joined linearly, and neighbours may meet', async () => {
  const box = (size: string, x: number) =>
    `<collision><origin xyz="${x} 0 0"/><geometry><box size="${size}"/></geometry></collision>`;
  const urdf = `<robot name="arm"><link name="base">${box('0.2 0.2 0.2', 0)}</link>
    <link name="upper">${box('1 0.1 0.1', 0.5)}</link><link name="lower">${box('1 0.1 0.1', 0.5)}</link>
    <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
    <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="1.1 0 0"/><axis xyz="0 0 1"/></joint></robot>`;
  // The elbow folds the lower arm back over the upper one until its end meets the base.
  const joints = motionOf({ shoulder: 0, elbow: 0.5 }, { shoulder: 1, elbow: 3.1 });
  const cwd = testFolder({ 'arm.urdf': urdf, 'joints.json': joints });
  const { status, out } = await runIn(cwd, ['motion', 'arm.urdf', '--joints', 'joints.json']);
  expect(status).toBe(1);
  expect(out).toMatch(/base +lower +frame 0\.\d+ +contact/);
  expect(out).not.toMatch(/upper +lower/);
});

test('refuses input that is not a motion', async () => {
  const cwd = testFolder({
    ...files,
    'one.json': motionOf({ bullet: at(0) }),
    'scaled.json': motionOf({}, { bullet: [2, ...at(0).slice(1)] }),
  });
  const refusal = async (...more: string[]) => {
    const { status, err } = await runIn(cwd, ['motion', 'wall.obj', 'bullet.obj', ...more]);
    expect(status).toBe(2);
    return err;
  };
  expect(await refusal()).toContain('motion needs --poses or --joints');
  expect(await refusal('--poses', 'one.json')).toContain('at least two frames');
  expect(await refusal('--poses', 'scaled.json')).toMatch(
    /frame 0: .*bullet: its pose at time 1 is not a rotation/,
  );
  expect(await refusal('--joints', 'one.json')).toContain(
    'one.json: joint values need a robot, but there is no URDF',
  );
  expect(await refusal('--poses', 'past.json', '--plot', 'x.png')).toContain(
    '--plot must end in .svg or .html',
  );
});

test('Ctrl-C cancels', async () => {
  const cwd = testFolder(files);
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const words = ['motion', 'wall.obj', 'bullet.obj', '--poses', 'through.json'];
  expect((await runIn(cwd, words, { signal: stop.signal })).status).toBe(130);
});
