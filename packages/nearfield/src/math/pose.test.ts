import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxHolds, emptyBox, placeBox } from './box.ts';
import { applyPose, checkPoses, identity, multiplyPoses, placeTriangle, toPose } from './pose.ts';

describe('toPose', () => {
  it('copies', () => {
    const values = identity();
    const pose = toPose(values, 'a');
    expect(pose).not.toBe(values);
    expect([...pose]).toEqual([...values]);
  });

  it.each([
    ['16 numbers', [1, 0, 0]],
    ['pose[5] is NaN', [1, 0, 0, 0, 0, Number.NaN, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
    ['last row', [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]],
    ['singular', [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    // The second column is twice the first.
    ['singular', [0.1, 0.4, 0.7, 0, 0.2, 0.8, 1.4, 0, 0.3, 0.6, 0.9, 0, 0, 0, 0, 1]],
  ])('names the body and the fault: %s', (what, values) => {
    expect(() => toPose(values, 'gear')).toThrow(/^gear: /);
    expect(() => toPose(values, 'gear')).toThrow(what);
  });

  it('accepts tiny, huge and mixed scales, even if their determinant underflows or overflows', () => {
    for (const [x, y, z] of [
      [1e-200, 1e-200, 1e-200],
      [1e200, 1e200, 1e200],
      [1e-300, 1, 1e300],
    ]) {
      expect(toPose([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1], 'a')[10]).toBe(z);
    }
  });
});

/** A finite double times 2^1074, exactly. */
function whole(x: number): bigint {
  const bits = new DataView(new Float64Array([x]).buffer).getBigUint64(0, true);
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return x < 0 ? -size : size;
}

describe('checkPoses', () => {
  it('refuses exactly the poses with determinant 0, at any scale', () => {
    const entry = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(1e-320, 1e-160, 1e-100, 1e29, 1e31, 1e150, 1e300),
    );
    // In half of them one column is nearly a multiple of another: the determinant is as small as rounding errors.
    const linear = fc.tuple(fc.array(entry, { minLength: 9, maxLength: 9 }), fc.boolean(), fc.nat(8));
    const property = fc.property(linear, ([m, nearly, at]) => {
      if (nearly) for (let row = 0; row < 3; row++) m[6 + row] = m[row] * 3;
      if (nearly && at < 8) m[at] += m[at] * 2 ** -52;
      fc.pre(m.every(Number.isFinite));
      const [a, b, c, d, e, f, g, h, i] = m.map(whole);
      const determinant = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g);
      const pose = [m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, 1, 2, 3, 1];
      const check = () => checkPoses(Float64Array.from([...identity(), ...pose]), 2, k => `body ${k}`);
      if (determinant === 0n) expect(check).toThrow(/^body 1: .*singular/);
      else expect(check).not.toThrow();
      if (determinant === 0n) expect(() => toPose(pose, 'a')).toThrow('singular');
      else expect([...toPose(pose, 'a')]).toEqual(pose);
    });
    fc.assert(property, { numRuns: process.env.NEARFIELD_SLOW === '1' ? 100_000 : 1000 });
  });

  it('returns whether all poses are ordinary', () => {
    const vast = Float64Array.from({ length: 32 }, (_, i) => (i === 28 ? 1e61 : identity()[i % 16]));
    expect(checkPoses(vast, 1, String)).toBe(true);
    expect(checkPoses(vast, 2, String)).toBe(false);
  });
});

describe('applyPose', () => {
  it('sums in the order of the contract', () => {
    // Any other order of these four terms rounds differently.
    const pose = identity();
    [pose[0], pose[4], pose[8], pose[12]] = [2 ** 53, 1, 1, -(2 ** 53)];
    const out = new Float64Array(3);
    applyPose(pose, 1, 1, 1, out, 0);
    expect(out[0]).toBe(0);
  });
});

describe('multiplyPoses', () => {
  it('places a child in its parent', () => {
    const parent = toPose([0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 20, 30, 1], 'parent');
    const child = toPose([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1], 'child');
    const out = new Float64Array(3);
    applyPose(multiplyPoses(parent, child), 1, 0, 0, out, 0);
    expect([...out]).toEqual([10 - 2, 20 + 2, 33]);
  });
});

describe('placeTriangle', () => {
  it('places the three corners of the triangle', () => {
    const out = new Float64Array(9);
    placeTriangle(identity(), new Float64Array([0, 0, 0, 1, 2, 3, 4, 5, 6]), [9, 9, 9, 2, 1, 0], 1, out, 0);
    expect([...out]).toEqual([4, 5, 6, 1, 2, 3, 0, 0, 0]);
  });
});

describe('placeBox', () => {
  it('contains the rounded world position of every point of the box', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const nine = fc.array(number, { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(
        nine,
        fc.tuple(number, number, number),
        fc.tuple(number, number, number),
        fc.tuple(share, share, share),
        (m, p, q, s) => {
          const pose = new Float64Array([
            ...m.slice(0, 3),
            0,
            ...m.slice(3, 6),
            0,
            ...m.slice(6, 9),
            0,
            ...m.slice(9),
            1,
          ]);
          const low = p.map((c, i) => Math.min(c, q[i]));
          const high = p.map((c, i) => Math.max(c, q[i]));
          const inside = low.map((c, i) => Math.min(Math.max(c + s[i] * (high[i] - c), c), high[i]));
          const world = new Float64Array(3);
          applyPose(pose, inside[0], inside[1], inside[2], world, 0);
          const box = emptyBox();
          placeBox(pose, new Float64Array([...low, ...high]), box);
          expect(boxHolds(box, world)).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
