import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const words = ['distance', 'a.obj', 'b.obj', '--backend', 'cpu'];

describe('distance', () => {
  it('measures how far apart two files are: status 0', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(5, 0, 0) });
    const { status, out, err } = await runIn(folder, words);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/^a and b are 4 apart: triangle \d+ at \(1, .*\), triangle \d+ at \(5, .*\)\.\n$/);
  });

  it('gives the documented JSON', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(5, 0, 0) });
    const { status, out } = await runIn(folder, [...words, '--json']);
    expect(status).toBe(0);
    const answer = JSON.parse(out);
    expect(Object.keys(answer)).toEqual(['distance', 'pointA', 'pointB', 'triangleA', 'triangleB']);
    expect(answer.distance).toBe(4);
    expect([answer.pointA[0], answer.pointB[0]]).toEqual([1, 5]);
  });

  it('reports where they meet: status 1', async () => {
    const meeting = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1, 1, 1, 2) });
    const { status, out } = await runIn(meeting, words);
    expect(status).toBe(1);
    expect(out).toMatch(/^a and b meet: triangle/);
    const within = testFolder({ 'a.obj': boxObj(0, 0, 0, 9), 'b.obj': boxObj(1, 1, 1) });
    const inside = await runIn(within, words);
    expect([inside.status, inside.out]).toEqual([1, 'a and b meet: one lies within the other.\n']);
  });

  it('rounds printed numbers', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(1.1, 0, 0) });
    expect((await runIn(folder, words)).out).toMatch(/^a and b are 0\.1 apart: .* at \(1\.1, /);
    expect(JSON.parse((await runIn(folder, [...words, '--json'])).out).distance).toBe(1.1 - 1);
  });

  it('accepts the name that a file gives its only body, and distinguishes files of the same name', async () => {
    const moved = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1];
    const folder = testFolder({
      'a.obj': boxObj(0, 0, 0, 1, 'wall'),
      'b.obj': boxObj(5, 0, 0, 1, 'pipe'),
      'poses.json': JSON.stringify({ pipe: moved }),
      'bad.json': JSON.stringify({ tube: moved }),
    });
    expect((await runIn(folder, [...words, '--poses', 'poses.json'])).out).toMatch(/^a and b are 7 apart/);
    const unknown = await runIn(folder, [...words, '--poses', 'bad.json']);
    expect(unknown.err).toBe('nearfield: bad.json: no body is called "tube"; the bodies are "a", "b"\n');
    mkdirSync(join(folder, 'old'));
    writeFileSync(join(folder, 'old/a.obj'), boxObj(5, 0, 0));
    const same = await runIn(folder, ['distance', 'a.obj', 'old/a.obj', '--backend', 'cpu']);
    expect(same.out).toMatch(/^a \(a\.obj\) and a \(old\/a\.obj\) are 4 apart/);
  });

  it('answers a motion per frame', async () => {
    const moved = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
    const folder = testFolder({
      'a.obj': boxObj(0, 0, 0),
      'b.obj': boxObj(5, 0, 0),
      'poses.json': JSON.stringify([{}, { b: moved(2) }, { '#1': moved(-4) }]),
    });
    const { status, out } = await runIn(folder, [...words, '--poses', 'poses.json', '--json']);
    expect(status).toBe(1);
    const { frames } = JSON.parse(out);
    expect(
      frames.map(({ frame, distance }: { frame: number; distance: number }) => [frame, distance]),
    ).toEqual([
      [0, 4],
      [1, 6],
      [2, 0],
    ]);
  });
});
