import { expect, test } from 'vitest';
import { randomIntegers } from '../../../testing/brute-engine.ts';
import { FlatView, type Line } from './flat-view.ts';

// Signs of determinants of three lines: doubles with error bounds against integers.

/** A random integer with up to this many digits, often small. */
function integer(random: (n: number) => number, digits: number): bigint {
  let n = 0n;
  for (let i = 0; i < 1 + random(digits); i++) n = n * 2n + BigInt(random(2));
  return random(2) ? n : -n;
}

const determinant = (k: Line, l: Line, m: Line): bigint =>
  k.a * (l.b * m.c - l.c * m.b) - k.b * (l.a * m.c - l.c * m.a) + k.c * (l.a * m.b - l.b * m.a);

const signOf = (n: bigint): number => (n > 0n ? 1 : n < 0n ? -1 : 0);

test('the side of a line on which two others meet is that of the integer determinant', () => {
  const seen = [0, 0, 0];
  for (let seed = 1; seed <= 3000; seed++) {
    const random = randomIntegers(seed);
    const view = new FlatView(random(3) * 30, random(3) * 30);
    const digits = [3, 12, 60, 400, 2500][random(5)];
    const any = (): Line => {
      for (;;) {
        const [a, b, c] = [integer(random, digits), integer(random, digits), integer(random, digits)];
        if (a !== 0n || b !== 0n) return view.line(a, b, c);
      }
    };
    const [k, l] = [any(), any()];
    const w = k.a * l.b - k.b * l.a;
    if (w === 0n) continue;
    // The line passes through the intersection of the others, nearly through it, or anywhere.
    const [s, t] = [integer(random, 20), integer(random, 20)];
    const off = random(3) === 0 ? integer(random, 2) : 0n;
    const through = [s * k.a + t * l.a, s * k.b + t * l.b, s * k.c + t * l.c + off] as const;
    const m = random(2) && (through[0] !== 0n || through[1] !== 0n) ? view.line(...through) : any();
    const expected = signOf(determinant(m, k, l) * w);
    expect(view.side(m, view.meeting(k, l)), `seed ${seed}`).toBe(expected);
    seen[expected + 1]++;
  }
  for (const count of seen) expect(count).toBeGreaterThan(200);
});

test('a line is the same object for all its multiples', () => {
  const view = new FlatView(0, 7);
  const line = view.line(3n, -5n, 7n);
  expect(view.line(-300n, 500n, -700n)).toBe(line);
  expect(view.line(3n << 2000n, -5n << 2000n, 7n << 2000n)).toBe(line);
  expect(view.line(3n << 2000n, -5n << 2000n, (7n << 2000n) + 1n)).not.toBe(line);
});

test('the side of a line on which a point of doubles lies is exact to the last digit', () => {
  const view = new FlatView(2, 0);
  // The whole coordinates are 4·x and y.
  const line = view.line(1n, -4n, 0n);
  expect(view.side(line, view.spotAt(0.1, 0.1))).toBe(0);
  expect(view.side(line, view.spotAt(0.1 + 2 ** -56, 0.1))).toBe(1);
  expect(view.side(line, view.spotAt(0.1 - 2 ** -56, 0.1))).toBe(-1);
  expect(view.side(line, view.spotAt(5e-324, 0))).toBe(1);
});
