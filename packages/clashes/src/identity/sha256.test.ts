import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesOf, hexOf, sha256 } from './sha256.ts';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

it('agrees with the published example', () => {
  // FIPS 180-4: the digest of "abc".
  expect(hexOf(sha256(bytesOf('abc')), 64)).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

it('agrees with Node at every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 37 + length);
    expect(hexOf(sha256(bytes), 64)).toBe(expected(bytes));
  }
});

it('agrees with Node on random bytes, also in the middle of a buffer', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(70), (bytes, skip) => {
    const part = bytes.subarray(Math.min(skip, bytes.length));
    expect(hexOf(sha256(part), 64)).toBe(expected(part));
  });
  fc.assert(property, { numRuns: 200 });
});
