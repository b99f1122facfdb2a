// Does a check fit into the memory of this machine? That is estimated before it starts, because the system kills a
// process that runs out of memory half way, without a message.

import { totalmem } from 'node:os';
import type { ShardNumber } from '@nearfield/clashes';
import { type Mesh, NearfieldError } from 'nearfield';

/**
 * What edges and welds of a mesh take per triangle and per vertex, and how much more while they are found. Measured on a sheet of 2
 * million triangles that share vertices, and on 4 million that do not.
 */
const factBytes = { triangle: 54, vertex: 4 };
const findingBytes = { triangle: 67, vertex: 16 };
/** What a tree takes per triangle, besides a copy of the positions (nearfield's bvh/cpu/build/layout.as.ts). */
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
  let [triangles, arrays, facts, finding, tree, largestTree] = [0, 0, 0, 0, 0, 0];
  for (const mesh of new Set(bodies.map(body => body.mesh))) {
    const { positions, vertexCount, triangleCount } = mesh;
    const factsOf = (each: { triangle: number; vertex: number }) =>
      each.triangle * triangleCount + each.vertex * vertexCount;
    const ownTree = treeBytes * triangleCount + positions.byteLength;
    triangles += triangleCount;
    arrays += arrayBytes(mesh);
    facts += factsOf(factBytes);
    finding = Math.max(finding, factsOf(findingBytes));
    tree += ownTree;
    largestTree = Math.max(largestTree, ownTree);
  }
  const kept = arrays + bodyBytes * bodies.length;
  const trees = (share: number) => Math.min(maxMemory, Math.max(tree * share, largestTree));
  return {
    triangles,
    whole: kept + facts + finding + trees(1),
    shard: count => kept + facts / count + finding + trees(1 / count),
    merge: kept + facts + finding,
  };
}

const arrayBytes = ({ positions, indices }: Mesh): number =>
  positions.byteLength + (indices as ArrayLike<number> & { byteLength: number }).byteLength;

/** What the arrays of some bodies take, those of a shared mesh once. */
export function bytesOfMeshes(bodies: readonly { readonly mesh: Mesh }[]): number {
  let bytes = 0;
  for (const mesh of new Set(bodies.map(body => body.mesh))) bytes += arrayBytes(mesh);
  return bytes;
}

/**
 * Throws 'out-of-memory' if a file of so many bytes cannot be read beside the meshes that were read before it. It is in memory as a
 * whole while its own are made. A process that takes more than there is would be ended without a word.
 */
export function refuseIfTooLargeToRead(
  name: string,
  bytes: number,
  kept: number,
  machine = machineBytes(),
): void {
  if (bytes + kept <= machine) return;
  const beside = kept === 0 ? '' : `, beside the ${inGigabytes(kept)} of what was read before it`;
  throw new NearfieldError(
    'out-of-memory',
    `${name}: has ${inGigabytes(bytes)}${beside}, but this machine has ${inGigabytes(machine)} of memory; check fewer models at once, or simpler ones`,
  );
}

const inGigabytes = (bytes: number): string => `${(bytes / 1e9).toPrecision(3)} GB`;

/** What this machine has, or what the process may have of it. */
export const machineBytes = (): number => {
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
  const what = shard === undefined ? 'a check' : `a shard of ${shard.count}`;
  const count = shardsThatFit(room, machine, shard?.count);
  const divided =
    count === undefined
      ? 'no part of it would take less than this machine has: '
      : `divide it${shard ? ' further' : ''} (--shard i/${count}: about ${inGigabytes(room.shard(count))} each, and ${inGigabytes(room.merge)} for the merge), `;
  throw new NearfieldError(
    'out-of-memory',
    `the meshes have ${room.triangles.toLocaleString('en')} triangles: ${what} takes about ${inGigabytes(needed)} of memory, and this machine has ${inGigabytes(machine)}; ${divided}check fewer models at once, or let bodies share meshes`,
  );
}

/** More parts than this do not help: every shard reads all models. */
const mostShards = 256;

/** The least power of two of shards, more than `given`, of which each fits into a machine. */
function shardsThatFit(room: Room, machine: number, given = 1): number | undefined {
  for (let count = 2; count <= mostShards; count *= 2)
    if (count > given && room.shard(count) <= machine) return count;
  return undefined;
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
