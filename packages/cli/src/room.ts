// Does a check fit into this machine at all? What it takes is estimated before it starts: a process that runs out of memory half way
// is ended by the system, without a word.

import { totalmem } from 'node:os';
import type { ShardNumber } from '@nearfield/clashes';
import { type Mesh, NearfieldError } from 'nearfield';

/** What edges and welds of a mesh take per triangle, and how much more while they are found. Measured on a sheet of 2 million triangles: 56 and 75. */
const factBytes = 56;
const findingBytes = 75;
/** What a tree takes per triangle, positions apart (nearfield's bvh/cpu/build/layout.as.ts). */
const treeBytes = 60;
/** A body with its name, its row in the answer, and its objects in the library. */
const bodyBytes = 600;

/** Bytes, about. */
export interface Room {
  readonly triangles: number;
  /** For the whole check on one machine. */
  readonly whole: number;
  /** For one of so many shards, and for their merge. */
  readonly shard: (count: number) => number;
  readonly merge: number;
}

/** What a check of these bodies takes; an engine has at most `maxMemory`. */
export function roomFor(bodies: readonly { readonly mesh: Mesh }[], maxMemory = 2 ** 32): Room {
  let [arrays, triangles, largest] = [0, 0, 0];
  for (const mesh of new Set(bodies.map(body => body.mesh))) {
    const { positions, indices, triangleCount } = mesh;
    arrays += positions.byteLength + (indices as ArrayLike<number> & { byteLength: number }).byteLength;
    triangles += triangleCount;
    largest = Math.max(largest, triangleCount);
  }
  const kept = arrays + bodyBytes * bodies.length;
  const [facts, finding] = [factBytes * triangles, findingBytes * largest];
  const trees = (share: number) => Math.min(maxMemory, treeBytes * Math.max(triangles * share, largest));
  return {
    triangles,
    whole: kept + facts + finding + trees(1),
    shard: count => kept + facts / count + finding + trees(1 / count),
    merge: kept + facts + finding,
  };
}

/** What this machine has, or what the process may have of it. */
const machineBytes = (): number => {
  const limit = (process as { constrainedMemory?: () => number }).constrainedMemory?.() || Infinity;
  return Math.min(totalmem(), limit);
};

/** Throws 'out-of-memory', with what it would take and what to do, if a check or a shard of it cannot fit into the machine. */
export function refuseIfTooLarge(
  bodies: readonly { readonly mesh: Mesh }[],
  { shard, maxMemory, machine = machineBytes() }: RoomLimits = {},
): void {
  const room = roomFor(bodies, maxMemory);
  const needed = shard === undefined ? room.whole : room.shard(shard.count);
  if (needed <= machine) return;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toPrecision(3)} GB`;
  const what = shard === undefined ? 'a check' : `a shard of ${shard.count}`;
  const divided =
    shard === undefined
      ? `divide it (--shard i/16: about ${gigabytes(room.shard(16))} each, and ${gigabytes(room.merge)} for the merge), `
      : '';
  throw new NearfieldError(
    'out-of-memory',
    `the meshes have ${room.triangles.toLocaleString('en')} triangles: ${what} takes about ${gigabytes(needed)} of memory, and this machine has ${gigabytes(machine)}; ${divided}check fewer models at once, or let bodies share meshes`,
  );
}

/** What there is. */
export interface RoomLimits {
  /** The shard that is asked for, if it is one. */
  readonly shard?: ShardNumber | undefined;
  /** The most bytes of an engine. */
  readonly maxMemory?: number | undefined;
  /** Bytes of the machine. */
  readonly machine?: number | undefined;
}
