import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from './testing.ts';

const words = ['penetration', 'a.obj', 'b.obj', '--backend', 'cpu'];

describe('penetration', () => {
  it('tells how deep two files overlap and what separates them: status 1', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1.5, 0.25, 0.25, 2) });
    const { status, out, err } = await runIn(folder, words);
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^a and b overlap: moving b by \(0\.5\d*, 0, 0\), 0\.5\d* in all, separates them; nothing shorter than 0\.\d+ does\.\n$/,
    );
  });

  it('gives the JSON that is promised', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1.5, 0.25, 0.25, 2) });
    const { status, out } = await runIn(folder, [...words, '--json']);
    expect(status).toBe(1);
    const answer = JSON.parse(out);
    expect(Object.keys(answer)).toEqual(['depth', 'ratio', 'direction', 'translation']);
    expect(answer.depth.lower).toBeLessThanOrEqual(0.5);
    expect(answer.depth.upper).toBeGreaterThanOrEqual(0.5);
    expect(answer.direction[0]).toBeCloseTo(1, 9);
    expect(answer.translation[0]).toBeCloseTo(0.5, 9);
  });

  it('says that there is no common interior: status 0', async () => {
    for (const x of [2, 5]) {
      const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(x, 0, 0, 2) });
      const { status, out } = await runIn(folder, words);
      expect([status, out]).toEqual([0, 'a and b have no common interior.\n']);
    }
  });

  it('refuses an open file by name: status 2', async () => {
    const open = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n';
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0), 'b.obj': open });
    const { status, err } = await runIn(folder, words);
    expect(status).toBe(2);
    expect(err).toMatch(/b is open[^;]*; close its holes, or ask "nearfield distance"\n$/);
    const turned = testFolder({
      'a.obj': boxObj(0, 0, 0).replace('f -8 -6 -5 -7', 'f -7 -5 -6 -8'),
      'b.obj': boxObj(0.5, 0, 0),
    });
    const flipped = await runIn(turned, words);
    expect(flipped.err).toMatch(
      /a is not consistently oriented[^;]*; make its triangles wind the same way\n$/,
    );
  });

  it('answers a motion frame by frame', async () => {
    const moved = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
    const folder = testFolder({
      'a.obj': boxObj(0, 0, 0, 2),
      'b.obj': boxObj(5, 0.25, 0.25, 2),
      'poses.json': JSON.stringify([{}, { b: moved(-3.5) }]),
    });
    const { status, out } = await runIn(folder, [...words, '--poses', 'poses.json', '--json']);
    expect(status).toBe(1);
    const { frames } = JSON.parse(out);
    expect(frames.map(({ frame }: { frame: number }) => frame)).toEqual([0, 1]);
    expect(frames[0].depth).toEqual({ lower: 0, upper: 0 });
    expect(frames[1].depth.upper).toBeCloseTo(0.5, 9);
  });
});
