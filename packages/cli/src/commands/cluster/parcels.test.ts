// Parcels: what is read is what was put, bit for bit; a worker reads the parcels of its tiles and nothing else; whatever
// else lies in the store is refused by name.

import { createHash } from 'node:crypto';
import { partOf, tilesOf } from '@nearfield/clashes';
import type { Store } from '@nearfield/cluster';
import { mesh, NearfieldError } from 'nearfield';
import { createRandom, icosphere } from 'nearfield/shapes';
import { describe, expect, it } from 'vitest';
import { type Parcel, ParcelReader, ParcelWriter } from './parcels.ts';

class MemoryStore implements Store {
  readonly entries = new Map<string, Uint8Array>();
  readonly reads: string[] = [];
  async put(bytes: Uint8Array): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.entries.set(hash, bytes);
    return hash;
  }
  async get(hash: string): Promise<Uint8Array> {
    this.reads.push(hash);
    return this.entries.get(hash)!;
  }
  async has(hash: string): Promise<boolean> {
    return this.entries.has(hash);
  }
}

/** Numbers that a file may have and JSON cannot write. */
const odd = { most: Infinity, least: -Infinity, none: NaN, minus: -0 };

const small = icosphere({ radius: 0.3, frequency: 2 });
const single = mesh(Float32Array.from(small.positions), Uint16Array.from(small.indices));
const large = icosphere({ radius: 0.4, frequency: 20 });

function randomParcels(seed: number, count: number, tiles: number, frameCount: number): Parcel[] {
  const random = createRandom(seed);
  const pose = () =>
    Float64Array.of(1, -0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...[0, 1, 2].map(() => random.between(-9, 9)), 1);
  const bodies = Array.from({ length: count }, (_, i) => ({
    ...{ name: `body "${i}" ü`, file: 'a.glb', mesh: [small, single, large][i % 3] },
    ...(i % 4 > 0 && { pose: pose() }),
    ...(i % 5 === 0 && { path: ['hall', `row ${i}`], id: `id${i}`, type: 'IfcWall', rounding: 2 ** -30 }),
    ...(i % 7 === 0 && { properties: { level: i, fire: true, name: 'x', ...odd }, meshRounding: 1e-9 }),
    ...(i % 11 === 1 && { rounding: Infinity }),
  }));
  const frames = Array.from({ length: frameCount }, () => new Map([[i(random), pose()]]));
  const motion = frameCount > 0 ? { isMotion: true, frames } : undefined;
  const allowed = [{ a: 1, b: 2, reason: 'welded' }];
  const question = {
    ...({ bodies, motion, allowed, clearance: 0.1, method: 'auto', samples: false } as const),
    ...({ keepTriangles: 'none', readTime: 0, openTime: 0, version: '', progress: () => {} } as const),
  };
  return tilesOf(question, tiles).map(tile => ({
    ...partOf(question, tile),
    tile,
    unit: 0.001,
    allowed: partOf(question, tile).allowed!,
  }));

  function i({ integer }: typeof random): number {
    return integer.call(random, count);
  }
}

const isSame = (p: ArrayBufferView, q: ArrayBufferView): boolean =>
  Buffer.from(p.buffer, p.byteOffset, p.byteLength).equals(Buffer.from(q.buffer, q.byteOffset, q.byteLength));

/** Everything, the signs of zeros included. */
const plain = (parcel: Parcel): unknown =>
  JSON.parse(
    JSON.stringify(parcel, (_, value) =>
      value instanceof Map
        ? [...value]
        : ArrayBuffer.isView(value)
          ? Array.from(value as Float64Array, nameOf)
          : typeof value === 'number'
            ? nameOf(value)
            : value,
    ),
  );

const nameOf = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

describe('a parcel', () => {
  it.each([
    [1, 30, 4, 0],
    [2, 30, 5, 6],
    [3, 2, 3, 0],
  ])('seed %i is read as it was put', async (seed, count, tiles, frameCount) => {
    const store = new MemoryStore();
    const [writer, reader] = [new ParcelWriter(store), new ParcelReader(store)];
    for (const parcel of randomParcels(seed, count, tiles, frameCount)) {
      const read = await reader.get(await writer.put(parcel));
      for (const [i, { mesh: shape }] of read.bodies.entries()) {
        const put = parcel.bodies[i].mesh;
        expect(shape.positions.constructor).toBe(put.positions.constructor);
        expect(isSame(shape.positions, put.positions)).toBe(true);
        expect(isSame(shape.indices, Uint32Array.from(put.indices))).toBe(true);
      }
      const bare = (each: Parcel) =>
        plain({ ...each, bodies: each.bodies.map(body => ({ ...body, mesh: null as never })) });
      const { tile, bodies, motion, allowed, unit } = parcel;
      expect(bare(read)).toEqual(bare({ tile, bodies, motion, allowed, unit }));
    }
  });

  it('has its meshes, but for large ones, which are stored and read once', async () => {
    const store = new MemoryStore();
    const writer = new ParcelWriter(store);
    const hashes = [];
    for (const parcel of randomParcels(4, 60, 8, 0)) hashes.push(await writer.put(parcel));
    expect(store.entries.size).toBe(new Set(hashes).size + 1);
    const reader = new ParcelReader(store);
    for (const hash of hashes) await reader.get(hash);
    expect(store.reads.length).toBe(hashes.length + 1);
    // One tile needs much less than the whole.
    const sizes = hashes.map(hash => store.entries.get(hash)!.length);
    expect(Math.max(...sizes)).toBeLessThan(sizes.reduce((p, q) => p + q) / 3);
  });

  it('that somebody has changed is refused by name', async () => {
    const store = new MemoryStore();
    const [parcel] = randomParcels(5, 6, 1, 2);
    const good = Buffer.from(store.entries.get(await new ParcelWriter(store).put(parcel))!);
    const end = 8 + Number.parseInt(good.toString('latin1', 0, 8), 16);
    const content = JSON.parse(good.toString('utf8', 8, end)) as Record<string, unknown>;
    const errorOf = async (bytes: Uint8Array): Promise<unknown> =>
      new ParcelReader(store).get(await store.put(bytes)).then(
        () => 'nothing',
        (error: unknown) => error,
      );
    const withContent = (changes: Record<string, unknown>) => {
      const text = Buffer.from(JSON.stringify({ ...content, ...changes }));
      const length = Buffer.from(text.length.toString(16).padStart(8, '0'));
      return Buffer.concat([length, text, good.subarray(end)]);
    };
    const hostile = [
      ...[
        new Uint8Array(0),
        good.subarray(0, 7),
        good.subarray(0, end - 3),
        good.subarray(0, good.length - 1),
      ],
      Buffer.concat([good, Buffer.of(0)]),
      Buffer.from('ffffffff{}'),
      ...[
        { bodies: 7 },
        { bodies: [{}] },
        { bodies: [{ name: 'a', isPosed: false, mesh: 0, properties: { x: { number: '7' } } }] },
        { meshes: [] },
        { tile: {} },
        { frames: [[99]] },
        { allowed: [{ a: 99 }] },
      ].map(withContent),
      ...[
        { meshes: [{ positions: 1e15, indices: 3, isSingle: false }] },
        { meshes: [{ positions: 4, indices: 3, isSingle: false }] },
      ].map(withContent),
      withContent({ tile: { firstFrame: 0, endFrame: 2 ** 30, work: 1 } }),
      withContent({ tile: { firstFrame: 0.5, endFrame: 2, work: 1 } }),
    ];
    const wrong: string[] = [];
    for (const [i, bytes] of hostile.entries()) {
      const error = await errorOf(bytes);
      if (!(error instanceof NearfieldError)) wrong.push(`${i}: ${error}`);
    }
    expect(wrong).toEqual([]);
    expect(await errorOf(good)).toBe('nothing');
  });
});
