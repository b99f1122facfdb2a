import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runIn, testFolder } from '../../testing.ts';

const words = (...more: string[]) => ['sample', 'hail', '--backend', 'cpu', '--steps', '90', ...more];

test('hail prints a table of its steps and a table of the struck objects', async () => {
  const { status, out, err } = await runIn(testFolder(), words());
  expect([status, err]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^hail: 1,500 stones, \d+ colliders; on cpu$/);
  expect(lines[2].trim().split(/\s{2,}/)).toEqual([
    'step',
    'time',
    'flying',
    'lying',
    'impacts',
    'fastest',
    'ms per step',
  ]);
  expect(out).toMatch(/ {2}on +impacts +bounce +rest +hardest, m\/s/);
  for (const whole of [
    'house',
    'gazebo',
    'table',
    'can',
    'rolling can',
    'lawn',
    'lantern',
    'glass ball',
    'bush',
  ]) {
    expect(out).toMatch(new RegExp(`^ {2}${whole} +[\\d,]+ +[\\d,]+ +[\\d,]+ +\\d+\\.\\d$`, 'm'));
  }
});

test('its help lists its own options only', async () => {
  for (const asked of [
    ['sample', 'hail', '--help'],
    ['sample', '-h', 'hail'],
  ]) {
    const { status, out, err } = await runIn('/', asked);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^Usage: nearfield sample hail \[options\]/);
    expect(out).toMatch(/--steps <count> .*480/);
    expect(out).toMatch(/\.wav[\s\S]*\.png[\s\S]*\.json/);
    expect(out).not.toMatch(/--method|--clearance|--poses|--ignore|--report|gearbox/);
  }
  expect((await runIn('/', ['sample', 'tori', '--help'])).out).toMatch(/--response/);
  expect((await runIn('/', ['sample', '--help'])).out).toMatch(/gearbox/);
});

interface HailJson {
  version: string;
  backend: { kind: string; name: string };
  particles: number;
  unsure: number;
  colliders: { index: number; name: string; whole: string; material: string }[];
  impacts: {
    time: number;
    particle: number;
    generation: number;
    bounce: number;
    collider: number;
    place: number[];
    speed: number;
    normalSpeed: number;
    outcome: string;
  }[];
}

test('a folder receives sound, picture and impacts; the JSON has the documented fields', async () => {
  const folder = testFolder();
  const { status, err } = await runIn(folder, words('--out', 'storm'));
  expect(status).toBe(0);
  expect(err).toBe(
    'nearfield: the sound is in storm/hail.wav\nnearfield: the picture is in storm/hail.png\nnearfield: the list of impacts is in storm/hail.json\n',
  );
  const wave = readFileSync(join(folder, 'storm/hail.wav'));
  expect(wave.subarray(0, 4).toString('latin1')).toBe('RIFF');
  // One and a half seconds of hail, and one second for what still rings.
  expect(wave.length).toBe(44 + 4 * 44_100 * 2.5);
  expect(wave.subarray(44 + 4 * 44_100).some(byte => byte !== 0)).toBe(true);
  expect(readFileSync(join(folder, 'storm/hail.png')).subarray(1, 4).toString('latin1')).toBe('PNG');
  const json = JSON.parse(readFileSync(join(folder, 'storm/hail.json'), 'utf8')) as HailJson;
  expect(Object.keys(json)).toEqual(['version', 'backend', 'particles', 'unsure', 'colliders', 'impacts']);
  expect([json.backend.kind, json.particles, json.unsure]).toEqual(['cpu', 1500, 0]);
  expect(json.colliders.map(({ index }) => index)).toEqual(json.colliders.map((_, i) => i));
  expect(Object.keys(json.impacts[0])).toEqual([
    'time',
    'particle',
    'generation',
    'bounce',
    'collider',
    'place',
    'speed',
    'normalSpeed',
    'outcome',
  ]);
  const times = json.impacts.map(({ time }) => time);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(times.every(time => time >= 0 && time < 1.5)).toBe(true);
  for (const { collider, place, outcome } of json.impacts) {
    expect(json.colliders[collider]).toBeDefined();
    expect(place).toHaveLength(3);
    expect(['vanish', 'bounce', 'rest']).toContain(outcome);
  }
});

test('one file, chosen by its extension', async () => {
  const folder = testFolder();
  const { status, err } = await runIn(folder, [
    'sample',
    'hail',
    '--backend',
    'cpu',
    '--steps',
    '3',
    '--out',
    'a.json',
  ]);
  expect([status, err]).toEqual([0, 'nearfield: the list of impacts is in a.json\n']);
  expect(existsSync(join(folder, 'a.wav'))).toBe(false);
  expect(JSON.parse(readFileSync(join(folder, 'a.json'), 'utf8')).impacts).toEqual([]);
});

test.each([
  [
    ['--out', 'x.mp3'],
    /--out of hail must end in \.wav \(sound\), \.png \(picture\) or \.json \(impacts\), or be a folder/,
  ],
  [['--out', 'no/x.wav'], /--out: no\/x\.wav: there is no such folder/],
  [['--steps', '0'], /--steps takes a whole number/],
  [['--report', 'x.html'], /--report is not for hail, which has no bodies/],
  [['--response'], /hail moves by itself: use --response with/],
  [['--json'], /--json is for the gearbox/],
  [['--backend', 'quantum'], /--backend must be auto, gpu or cpu/],
] as [string[], RegExp][])('%j: status 2', async (more, message) => {
  const { status, out, err } = await runIn(testFolder(), ['sample', 'hail', ...more]);
  expect([status, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});
