import { expect, it } from 'vitest';
import { Failures } from '../../../../test/oracle/failures.ts';
import type { Positions } from '../mesh/mesh.ts';
import { createRandom } from '../shapes/index.ts';
import { Copies } from './copies.ts';

const kinds = [Float32Array, Float64Array];

it('a copy does not change when other positions are copied later', () => {
  const failures = new Failures();
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const copies = new Copies();
    const length = 3 * (1 + random.integer(seed % 4 === 0 ? 3000 : 100));
    const made: { copy: Positions; expected: Positions }[] = [];
    let given: Positions = new Float32Array(length);
    for (let i = 0; i < 40; i++) {
      if (random.integer(8) === 0) given = new kinds[random.integer(2)](length);
      for (let k = 0; k < length; k++) given[k] = random.between(-1, 1);
      const copy = copies.of(given);
      expect(copy.constructor, `seed ${seed}`).toBe(given.constructor);
      made.push({ copy, expected: given.slice() });
    }
    given.fill(NaN);
    made.forEach(({ copy, expected }, i) => {
      const isSame = copy.length === length && expected.every((value, k) => Object.is(copy[k], value));
      failures.check(isSame, () => `seed ${seed}, copy ${i}`);
    });
  }
  expect(failures.list).toEqual([]);
});

it('keeping one copy keeps at most eight times its memory, and at most 64 KiB more than its own', () => {
  for (const kind of kinds) {
    for (const length of [3, 72, 282, 1023, 2046, 2049, 30_000]) {
      const copies = new Copies();
      for (let i = 0; i < 30; i++) {
        const { buffer, byteLength } = copies.of(new kind(length));
        expect(buffer.byteLength, `${kind.name}, ${length}`).toBeLessThanOrEqual(8 * byteLength);
        expect(buffer.byteLength - byteLength).toBeLessThan(65536);
      }
    }
  }
});

it('copies of many frames take no more memory than their contents, but for one buffer', () => {
  for (const kind of kinds) {
    const copies = new Copies();
    const given = new kind(282);
    const buffers = new Set<ArrayBufferLike>();
    for (let i = 0; i < 1000; i++) buffers.add(copies.of(given).buffer);
    let bytes = 0;
    for (const { byteLength } of buffers) bytes += byteLength;
    expect(bytes).toBeLessThanOrEqual(1000 * given.byteLength + 8 * given.byteLength);
    // Copies share buffers, which is the purpose of the class.
    expect(buffers.size).toBeLessThan(1000 / 7);
  }
});

it('a body that deforms once takes memory for one copy', () => {
  for (const kind of kinds) {
    const { buffer, byteLength } = new Copies().of(new kind(282));
    expect(buffer.byteLength).toBe(byteLength);
  }
});
