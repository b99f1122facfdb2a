import { describe, expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const words = ['penetration', 'a.obj', 'b.obj', '--backend', 'cpu'];

describe('penetration', () => {
  it('measures how deep two files overlap, and finds a separating translation: status 1', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1.5, 0.25, 0.25, 2) });
    const { status, out, err } = await runIn(folder, words);
    expect([status, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^a and b overlap: moving b by \(0\.5\d*, 0, 0\), 0\.5\d* in all, separates them; no translation shorter than 0\.\d+ does\.\n$/,
    );
  });

  it('gives the documented JSON', async () => {
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

  it('--points gives the depth of vertices and their shortest way out', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1.5, 0.5, 0.25, 2) });
    const { status, out } = await runIn(folder, [...words, '--points', '--json']);
    expect(status).toBe(1);
    const answer = JSON.parse(out);
    expect(Object.keys(answer)).toEqual(['depth', 'ratio', 'direction', 'translation', 'points']);
    expect(Object.keys(answer.points)).toEqual(['a', 'b']);
    const [[ofA], [ofB]] = [answer.points.a, answer.points.b];
    expect(Object.keys(ofA)).toEqual(['vertex', 'point', 'depth', 'direction', 'triangle']);
    expect([ofA.point, ofA.depth, ofA.direction]).toEqual([[2, 2, 2], 0.25, [0, 0, 1]]);
    expect([ofB.point, ofB.depth, ofB.direction]).toEqual([[1.5, 0.5, 0.25], 0.25, [0, 0, -1]]);
    const said = await runIn(folder, [...words, '--points', '--tolerance', '0.25']);
    const [, first, second, third] = said.out.split('\n');
    expect(first).toBe('  1 vertex of a lies in b, at most 0.25 deep: at (2, 2, 2), out along (0, 0, 1).');
    expect(second).toMatch(/^ {2}1 vertex of b lies in a, at most 0\.25 deep: at \(1\.5, 0\.5, 0\.25\)/);
    expect(third).toMatch(/^ {2}\d+ samples lie in both, to a tolerance of 0\.25\d*, at most 0\.\d+ below/);
  });

  it('--points --tolerance gives samples of the common volume', async () => {
    const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(1.5, 0.5, 0.25, 2) });
    const { out } = await runIn(folder, [...words, '--points', '--tolerance', '0.1', '--json']);
    const { points } = JSON.parse(out);
    expect(Object.keys(points)).toEqual(['a', 'b', 'tolerance', 'samples']);
    expect(points.tolerance).toBeCloseTo(0.1, 12);
    expect(points.samples.length).toBeGreaterThan(50);
    for (const { point, depth, nearest } of points.samples) {
      const [ofA, ofB] = [
        Math.min(...point.map((x: number) => 2 - x)),
        Math.min(point[0] - 1.5, point[1] - 0.5, point[2] - 0.25),
      ];
      expect(depth).toBeCloseTo(Math.min(ofA, ofB), 6);
      if (Math.abs(ofA - ofB) > 1e-6) expect(nearest).toBe(ofA < ofB ? 'a' : 'b');
    }
    const alone = await runIn(folder, [...words, '--tolerance', '0.1']);
    expect([alone.status, alone.err]).toEqual([2, expect.stringContaining('--tolerance needs --points')]);
    const bad = await runIn(folder, [...words, '--points', '--tolerance', '-1']);
    expect([bad.status, bad.err]).toEqual([
      2,
      expect.stringContaining('--tolerance takes a distance above 0'),
    ]);
  });

  it('--points writes a motion per frame, and no points if nothing overlaps', async () => {
    const moved = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
    const folder = testFolder({
      'a.obj': boxObj(0, 0, 0, 2),
      'b.obj': boxObj(5, 0.25, 0.25, 2),
      'poses.json': JSON.stringify([{}, { b: moved(-3.5) }]),
    });
    const { out } = await runIn(folder, [...words, '--points', '--poses', 'poses.json', '--json']);
    const { frames } = JSON.parse(out);
    expect(frames[0].points).toEqual({ a: [], b: [] });
    expect(frames[1].frame).toBe(1);
    expect(frames[1].points.b.length).toBe(1);
  });

  it('reports that there is no common interior: status 0', async () => {
    for (const x of [2, 5]) {
      const folder = testFolder({ 'a.obj': boxObj(0, 0, 0, 2), 'b.obj': boxObj(x, 0, 0, 2) });
      const { status, out } = await runIn(folder, words);
      expect([status, out]).toEqual([0, 'a and b have no common interior.\n']);
    }
  });

  it('refuses an open file and names it: status 2', async () => {
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

  it('answers a motion per frame', async () => {
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
