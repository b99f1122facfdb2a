// Verdicts on shapes whose depth is known.

import { mesh, open, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../rules/types.ts';
import { judge, type OpenPair } from './judge.ts';

let nf: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const cube = shapes.box({ size: [2, 2, 2] });
/** The same cube with every other triangle turned over: closed, but no solid. */
const folded = mesh(
  cube.positions,
  Uint32Array.from(cube.indices, (_, i) => {
    const start = i - (i % 3);
    return Math.floor(i / 3) % 2 === 0 ? cube.indices[i] : cube.indices[start + 2 - (i % 3)];
  }),
);

/** The verdict of two bodies, the second moved by x. */
async function verdictOf(
  parts: readonly (typeof cube)[],
  x: number,
  more: Partial<Decision> = {},
  rounding = 0,
  depths: 'shown' | 'none' = 'shown',
) {
  const scene = nf.scene();
  const bodies = parts.map((part, i) =>
    scene.add(part, { pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i * x, 0, 0, 1) }),
  );
  const answer = await scene.interferences();
  const pairs: OpenPair[] = answer.pairs.map(({ a, b, relation }) => ({
    ...{ a: a.index, b: b.index, relation, triangleCount: 0 },
  }));
  const decision: Decision = {
    ...{ test: undefined, severity: 'major', tolerance: undefined, clearance: undefined },
    ...{ ignore: new Set(), allowed: undefined, ...more },
  };
  const given = parts.map((part, i) => ({ name: `${i}`, mesh: part, rounding }));
  await judge({ nf, scene, placed: bodies, given }, pairs, { decide: () => decision, depths, rows: 10 }, {});
  scene.close();
  return pairs[0];
}

describe('a pair of solids', () => {
  it('is a clash if it is deeper than the tolerance', async () => {
    expect(await verdictOf([cube, cube], 1.5)).toMatchObject({ relation: 'crossing', verdict: 'clash' });
    expect((await verdictOf([cube, cube], 1.5, { tolerance: 0.51 })).verdict).toBe('within-tolerance');
    expect((await verdictOf([cube, cube], 1.5, { tolerance: 0.49 })).verdict).toBe('clash');
  });

  it('is within rounding if it is not deeper than what the files round', async () => {
    expect((await verdictOf([cube, cube], 1.999, {}, 0.001)).verdict).toBe('within-rounding');
    expect((await verdictOf([cube, cube], 1.999, {}, 0.0001)).verdict).toBe('clash');
    expect((await verdictOf([cube, cube], 1.999, { tolerance: 'file' }, 0.001)).verdict).toBe(
      'within-tolerance',
    );
  });

  it('is within rounding if it is wedged by no more than what the files round', async () => {
    // Too large for its opening by half a thousandth on each side. The shortest way out is through the wall, 2 thick.
    const opening = shapes.extrude({
      outline: shapes.rectangle(-3, -3, 3, 3),
      holes: [shapes.rectangle(-1, -1, 1, 1)],
      from: -1,
      to: 1,
    });
    const block = shapes.box({ size: [2.001, 2.001, 3] });
    const wedge = (more: Partial<Decision>, rounding: number) =>
      verdictOf([opening, block], 0, more, rounding);
    const within = await wedge({}, 0.001);
    expect(within).toMatchObject({ verdict: 'within-rounding', withinRounding: true });
    expect(within.depth!.lower).toBeGreaterThan(1);
    expect((await wedge({ tolerance: 'file' }, 0.001)).verdict).toBe('within-tolerance');
    // A tolerance of at least the rounding forgives it, a smaller one does not.
    expect(await wedge({ tolerance: 0.004 }, 0.001)).toMatchObject({
      ...{ verdict: 'within-tolerance', withinRounding: true },
    });
    expect((await wedge({ tolerance: 0.003 }, 0.001)).verdict).toBe('clash');
    expect((await wedge({}, 0.0001)).verdict).toBe('clash');
    expect((await wedge({ tolerance: 0.004 }, 0)).verdict).toBe('clash');
  });

  it('touches without depth', async () => {
    expect((await verdictOf([cube, cube], 2)).verdict).toBe('touching');
    expect((await verdictOf([cube, cube], 2, { tolerance: 0.1 })).verdict).toBe('within-tolerance');
  });

  it('is forgiven by name, whatever its depth', async () => {
    expect(await verdictOf([cube, cube], 1, { allowed: 'a thread' })).toMatchObject({
      ...{ verdict: 'allowed', reason: 'a thread' },
    });
    expect((await verdictOf([cube, cube], 1, { ignore: new Set(['crossing']) })).verdict).toBe('ignored');
  });
});

describe('a body that is no solid', () => {
  it('is not forgiven because its surface only touches', async () => {
    // Shifted along a face, the cubes share parts of four faces: the surfaces do not cross, the bodies overlap by 1.
    const pair = await verdictOf([folded, folded], 1, { tolerance: 0.5 });
    expect(pair.verdict).toBe('clash');
    expect(pair.depth!.upper).toBeGreaterThanOrEqual(1);
    expect((await verdictOf([folded, folded], 1, { tolerance: 1.2 })).verdict).toBe('within-tolerance');
  });

  it('is not ignored because its surface only touches', async () => {
    const ignore = new Set(['touching'] as const);
    expect((await verdictOf([folded, folded], 1, { ignore })).verdict).toBe('clash');
    expect((await verdictOf([folded, folded], 1, { ignore }, 0, 'none')).verdict).toBe('clash');
    expect((await verdictOf([folded, cube], 2, { ignore })).verdict).toBe('ignored');
  });

  it('touches if it reaches nowhere', async () => {
    expect((await verdictOf([folded, cube], 2)).verdict).toBe('touching');
  });
});
