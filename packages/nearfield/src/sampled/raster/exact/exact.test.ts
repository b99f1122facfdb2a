// Compares exact lines with ray casting in integers, and the rule of maps with lines written down by hand.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { box, createRandom, icosphere, torus } from '../../../shapes/index.ts';
import { place } from '../../field/testing/bodies.ts';
import { castAll } from '../testing/lines.ts';
import { randomRotation } from '../testing/poses.ts';
import { axesAlong, boxAlong, type View, viewOf } from '../view.ts';
import { LineCaster } from './cast-line.ts';
import { type Crossing, compareCrossings } from './crossings.ts';
import { measureLine } from './measure-line.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
if (slow) vi.setConfig({ testTimeout: 1_000_000 });
const seeds = Array.from({ length: slow ? 100 : 2 }, (_, i) => i + 1);

let cpu: CpuEngine;
beforeAll(async () => {
  cpu = await createCpuEngine();
});
afterAll(() => cpu.close());

function compare(bodies: readonly Placed[], view: View, what: string): number {
  const caster = new LineCaster(view, bodies, finderOf(cpu));
  const oracle = castAll(view, bodies);
  let found = 0;
  for (let row = 0; row < view.rows; row++) {
    for (let column = 0; column < view.columns; column++) {
      const own = caster.cast(column, row);
      const exact = oracle(column, row).sort(compareCrossings);
      const key = ({ side, away, triangle }: Crossing) => `${side} ${away} ${triangle}`;
      const where = `${what}, pixel ${column}, ${row}`;
      expect(own.map(key).sort(), where).toEqual(exact.map(key).sort());
      own.forEach(({ depth }, i) => {
        expect(Math.abs(depth - exact[i].depth), where).toBeLessThan(1e-9);
      });
      found += own.length;
    }
  }
  return found;
}

describe('exact lines', () => {
  it('cross what integer arithmetic says', () => {
    let compared = 0;
    for (const seed of seeds) {
      const random = createRandom(seed);
      const bodies = [
        place(icosphere({ frequency: 3 }), 0.1, 0.2, 0.3, randomRotation(random.next)),
        place(
          torus({ majorSegments: 12, minorSegments: 6 }),
          0,
          0,
          0,
          randomRotation(random.next).map((x, i) => (i < 3 ? -x : x)),
        ),
      ];
      const axes = axesAlong(random.direction());
      const view = viewOf(axes, boxAlong(axes, Float64Array.of(-1.5, -1.5, -1.5, 1.5, 1.5, 1.5)), {
        resolution: 20,
      });
      compared += compare(bodies, view, `seed ${seed}`);
    }
    expect(compared).toBeGreaterThan(200 * seeds.length);
  });

  it('follow one rule through edges and corners and along faces of boxes', () => {
    const bodies = [place(box({ size: [2, 2, 2] })), place(box({ size: [1, 1, 4] }), 0.5, 0.5, 0)];
    for (const direction of [
      [0, 0, 1],
      [0, -1, 0],
      [1, 0, 0],
    ]) {
      const axes = axesAlong(direction);
      const view = viewOf(axes, Float64Array.of(-2.0625, -2.0625, -2, 2.0625, 2.0625, 2), { pixel: 0.125 });
      expect(compare(bodies, view, `along ${direction}`)).toBeGreaterThan(500);
    }
  });
});

/** 'A' enters the first body, 'a' leaves it; 'B' and 'b' the second; one unit of depth per character; '.' nothing. */
const line = (text: string): Crossing[] =>
  [...text].flatMap((character, depth) => {
    const side = 'AaBb'.indexOf(character);
    if (side < 0) return [];
    return [{ depth, side: (side >> 1) as 0 | 1, away: (side & 1) as 0 | 1, triangle: depth }];
  });

describe('the distance along a line', () => {
  it.each([
    ['Aa..Bb', 3, 1, 4],
    ['Bb..Aa', 3, 4, 1],
    ['A..Ba..b', -1, 4, 3],
    ['B..Ab..a', -1, 3, 4],
    ['A.B..b.a', -3, 7, 2],
    ['B.A..a.b', -3, 2, 7],
    ['Aa.Bb.Aa', 1 + 1, 1, 3],
    ['A.a.B.b..A.a', 2, 2, 4],
    // The lengths of two common parts are added; the facing triangles are those of the longer.
    ['A.B.b..B...b.a', -6, 13, 7],
    ['A..Ba.A..b.a', -1 - 3, 6, 9],
    // A body that overlaps itself, and one turned inside out.
    ['A.A.a.B.a.b', -2, 8, 6],
    ['a..B.A.b', -2, 5, 3],
  ])('of %s is %d', (text, distance, triangleA, triangleB) => {
    const found = measureLine(line(text), 'solids');
    expect([found.distance, found.triangleA, found.triangleB]).toEqual([distance, triangleA, triangleB]);
    expect(found.depth).toBe(triangleA);
  });

  it('is NaN if a body is not met, and between surfaces goes from the last crossing to the first', () => {
    expect(measureLine(line('A.a'), 'solids')).toMatchObject({
      distance: Number.NaN,
      triangleA: 2,
      triangleB: 2 ** 32 - 1,
    });
    expect(measureLine(line('.B.b'), 'facing')).toMatchObject({ distance: Number.NaN, triangleB: 1 });
    expect(measureLine([], 'solids').distance).toBeNaN();
    expect(measureLine(line('A.a..B.b'), 'facing').distance).toBe(3);
    expect(measureLine(line('A.B.a.b'), 'facing').distance).toBe(-2);
    expect(measureLine(line('A...B'), 'facing').distance).toBe(4);
  });
});
