// How far two triangles are followed: up to their contact, not only near it.

import { afterAll, expect, test } from 'vitest';
import { mesh, open } from '../../index.ts';
import { coreOf } from '../../questions/bare-scene.ts';
import { apartUntil } from './approach.ts';
import { PairMotion } from './pair.ts';
import { restingPath, turningPath } from './paths/path.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

test('crossing edges are followed until the least gap, where the way between them has few digits left', () => {
  // Two triangles that stand on each other: the lower one's edge along x, the upper one's along y, both far from the origin.
  const lower = mesh(Float64Array.of(-1, 0, 0, 1, 0, 0, 0, 0.1, -1), Uint32Array.of(0, 1, 2));
  const upper = mesh(Float64Array.of(0, -1, 0, 0, 1, 0, 0.1, 0, 1), Uint32Array.of(0, 1, 2));
  const at = (z: number, angle: number) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 30.1, 20.3, z, 1);
  };
  const scene = nf.scene();
  scene.add(lower, { pose: at(10, 0.2) });
  scene.add(upper, { pose: at(11, 0.3) });
  const core = coreOf(scene);
  const question = core.questionAboutAll();
  const [a, b] = [question.readableAt(0), question.readableAt(1)];
  const pair = new PairMotion(core.cpu, a, b, restingPath(a), turningPath(b, at(9, 0.9), 'turn', 'upper'));
  expect(pair.quickly).not.toBe(pair.closely);
  for (const placing of [pair.quickly, pair.closely]) {
    const t = apartUntil(pair, placing, 0, 0, 0, 1);
    // The edges meet at 1/2.
    const { least, most } = pair.gap(t);
    expect(t).toBeLessThan(0.5);
    expect(least).toBeGreaterThan(placing.leastGap / 2);
    expect(most).toBeLessThan(4 * placing.leastGap);
  }
  scene.close();
});
