// A check that this machine has no room for is refused before it starts, with what it would take and what to do.

import { mesh } from 'nearfield';
import { expect, it } from 'vitest';
import { bytesOfMeshes, refuseIfTooLarge, refuseIfTooLargeToRead, roomFor } from './room.ts';

/** A mesh of so many triangles, which are all equal. */
const triangles = (count: number) => {
  const indices = new Uint32Array(3 * count);
  for (let i = 0; i < indices.length; i++) indices[i] = i % 3;
  return { mesh: mesh(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices) };
};

it('counts a mesh once, however many bodies share it', () => {
  const { mesh: shared } = triangles(1000);
  const bodies = Array.from({ length: 50 }, () => ({ mesh: shared }));
  expect(roomFor(bodies).triangles).toBe(1000);
  expect(roomFor(bodies).whole).toBeLessThan(roomFor(bodies.map(() => triangles(1000))).whole / 5);
});

it('needs less for a shard, and no more than its limit for an engine', () => {
  const bodies = Array.from({ length: 16 }, () => triangles(10_000));
  const { whole, shard, merge } = roomFor(bodies);
  expect(shard(8)).toBeLessThan(whole / 2);
  expect(merge).toBeLessThan(whole);
  expect(roomFor(bodies, 2 ** 20).whole).toBeLessThan(whole);
});

it('refuses what cannot fit, and says what would fit', () => {
  const bodies = Array.from({ length: 4 }, () => triangles(50_000));
  const { whole, shard } = roomFor(bodies);
  expect(() => refuseIfTooLarge(bodies, { machine: whole })).not.toThrow();
  expect(() => refuseIfTooLarge(bodies, { machine: whole - 1 })).toThrow(
    /^the meshes have 200,000 triangles: a check takes about 0\.\d+ GB of memory, and this machine has 0\.\d+ GB; divide it \(--shard i\/2: about .* GB each, and .* GB for the merge\), check fewer/,
  );
  const eighth = { shard: { index: 1, count: 8 } };
  expect(() => refuseIfTooLarge(bodies, { ...eighth, machine: whole - 1 })).not.toThrow();
  expect(() => refuseIfTooLarge(bodies, { ...eighth, machine: shard(8) - 1 })).toThrow(
    /a shard of 8 takes .*; divide it further \(--shard i\/16: about/,
  );
});

it('names a number of shards that fit, or says that none does', () => {
  const bodies = Array.from({ length: 16 }, () => triangles(50_000));
  const { shard } = roomFor(bodies);
  const refused = (machine: number) => () => refuseIfTooLarge(bodies, { machine });
  for (const count of [2, 4, 8, 16]) {
    expect(refused(shard(count))).toThrow(`--shard i/${count}:`);
    expect(refused(shard(count) - 1)).toThrow(`--shard i/${2 * count}:`);
  }
  // Every shard reads all models.
  expect(refused(shard(256) - 1)).toThrow(
    /this machine has .*; no part of it would take less than this machine has: check fewer models at once/,
  );
});

it('refuses a file before it is read if it cannot fit, alone or beside what was read before', () => {
  expect(() => refuseIfTooLargeToRead('a.stl', 1e9, 0, 1e9)).not.toThrow();
  expect(() => refuseIfTooLargeToRead('a.stl', 1e9 + 1, 0, 1e9)).toThrow(
    /^a\.stl: has 1\.00 GB, but this machine has 1\.00 GB of memory; check fewer/,
  );
  // A shared mesh counts once.
  const body = triangles(50_000);
  const kept = bytesOfMeshes([body, body]);
  expect(kept).toBe(36 + 600_000);
  expect(() => refuseIfTooLargeToRead('a.stl', 1e9 - kept, kept, 1e9)).not.toThrow();
  expect(() => refuseIfTooLargeToRead('a.stl', 1e9 - kept + 1, kept, 1e9)).toThrow(
    'beside the 0.000600 GB of what was read before it',
  );
});

it('takes more for triangles that do not share vertices', () => {
  const soup = (count: number) => ({ mesh: mesh(new Float32Array(9 * count)) });
  // Measured: 1.34 GB for 4.18 million.
  const { whole } = roomFor([soup(41_800)]);
  expect(whole / 41_800).toBeGreaterThan(300);
  expect(whole / 41_800).toBeLessThan(360);
});

it('says what 200 million triangles take, 40 million of them in one body', () => {
  // Only the sizes of meshes matter here, not their positions.
  const sized = (triangleCount: number) => ({
    mesh: {
      triangleCount,
      vertexCount: triangleCount / 2,
      positions: { byteLength: 6 * triangleCount },
      indices: { byteLength: 12 * triangleCount },
    } as never,
  });
  const unique = [sized(4e7), ...Array.from({ length: 160 }, () => sized(1e6))];
  expect(() => refuseIfTooLarge(unique, { machine: 16 * 2 ** 30 })).toThrow(
    /200,000,000 triangles: a check takes about 22\.\d GB of memory, and this machine has 17\.2 GB; .*--shard i\/2: about .* GB each/,
  );
  expect(() => refuseIfTooLarge(unique, { machine: 24 * 2 ** 30 })).not.toThrow();
  // 2,000 bodies that share a mesh.
  expect(() => refuseIfTooLarge(Array(2000).fill(sized(1e5)), { machine: 2 ** 30 })).not.toThrow();
});
