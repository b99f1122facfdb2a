// Does a check fit into the memory of this machine? That is estimated before it starts, because the system kills a
// process that runs out of memory half way, without a message.

import { totalmem } from 'node:os';
import type { ShardNumber } from '@nearfield/clashes';
import { type Mesh, NearfieldError } from 'nearfield';

/**
 * Bytes per triangle of the edges and welds of a mesh, and further bytes while they are computed: 56 and 75 on a
 * sheet of 2 million triangles.
 */
const factBytes = 56;
const findingBytes = 75;
/** Bytes per triangle of a tree, without positions (nearfield's bvh/cpu/build/layout.as.ts). */
const treeBytes = 60;
/** Bytes per body: its name, its row in the answer, and its objects in the library. */
const bodyBytes = 600;

/** The estimated bytes of a check. */
export interface Room {
  readonly triangles: number;
  /** For the whole check on one machine. */
  readonly whole: number;
  /** For one of so many shards, and for their merge. */
  readonly shard: (count: number) => number;
  readonly merge: number;
}

/** Estimates the bytes of a check of these bodies. An engine has at most `maxMemory`. */
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

/** The memory of this machine, or less if the process is limited. */
const machineBytes = (): number => {
  const limit = (process as { constrainedMemory?: () => number }).constrainedMemory?.() || Infinity;
  return Math.min(totalmem(), limit);
};

/**
 * Throws 'out-of-memory' if a check, or a shard of it, cannot fit into the machine. The message has the bytes and
 * what to do.
 */
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

/** The limits that a check has to fit into. */
export interface RoomLimits {
  /** The shard that is asked for, if it is one. */
  readonly shard?: ShardNumber | undefined;
  /** The most bytes of an engine. */
  readonly maxMemory?: number | undefined;
  /** Bytes of the machine. */
  readonly machine?: number | undefined;
}
