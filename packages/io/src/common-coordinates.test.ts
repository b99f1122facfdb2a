import { applyPose, mesh } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { inCommonCoordinates, type NamedResult } from './common-coordinates.ts';

const triangle = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0.1), Uint32Array.of(0, 1, 2));
const file = (name: string, up: 'y' | 'z' | undefined, pose?: Float64Array): NamedResult => ({
  name,
  up,
  warnings: [],
  bodies: [{ name: 'part', mesh: triangle, ...(pose ? { pose } : {}) }],
});

/** (x, y, z) becomes (x, −z, y). */
const upright = [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1];

describe('up axes', () => {
  it('turns files with +y up beside a file with +z up, without rounding, and says so', () => {
    const moved = Float64Array.of(
      0.1,
      0.7,
      -0.3,
      0,
      0.2,
      0.9,
      0.4,
      0,
      0.3,
      0.5,
      0.8,
      0,
      1 / 3,
      2 / 3,
      1 / 7,
      1,
    );
    const given = [
      file('a.glb', 'y'),
      file('house.ifc', 'z'),
      file('b.glb', 'y', moved),
      file('c.stl', undefined),
    ];
    const { results, moves, messages } = inCommonCoordinates(given);
    expect(messages).toEqual(['a.glb, b.glb: turned from +y up to +z up, as in house.ifc']);
    for (const i of [0, 2]) {
      const before = new Float64Array(3);
      const after = new Float64Array(3);
      applyPose(
        given[i].bodies[0].pose ?? Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1),
        0.3,
        0.6,
        0.9,
        before,
        0,
      );
      applyPose(results[i].bodies[0].pose!, 0.3, 0.6, 0.9, after, 0);
      expect([...after]).toEqual([before[0], -before[2], before[1]]);
    }
    expect([results[1], results[3]]).toEqual([given[1], given[3]]);
    expect(moves.map(move => move && [...move])).toEqual([upright, undefined, upright, undefined]);
  });

  it.each([
    ['only +y', ['y', 'y']],
    ['only +z', ['z', 'z']],
    ['+z and unknown', ['z', undefined]],
  ] as const)('leaves files alone that agree: %s', (_, ups) => {
    const given = ups.map((up, i) => file(`${i}`, up));
    expect(inCommonCoordinates(given)).toEqual({
      results: given,
      moves: [undefined, undefined],
      messages: [],
    });
  });

  it('says that a file beside one with +y up does not state its own', () => {
    const given = [file('a.glb', 'y'), file('b.stl', undefined)];
    const message =
      'a.glb has +y up, b.stl does not say which axis points up: they are taken to have the same; if not, turn one of them';
    expect(inCommonCoordinates(given)).toMatchObject({ results: given, messages: [message] });
  });
});
