// Do the trees of a question fit into the memory of one engine? That is known before anything is searched, so that nobody waits for
// hours until the largest part comes, or for facts of meshes that are not searched in the end.

import { type Mesh, NearfieldError } from 'nearfield';
import type { CheckQuestion } from '../assembly/check.ts';
import type { GivenBody } from '../assembly/types.ts';
import { type ShardNumber, tilesOf } from './find.ts';
import type { Tile } from './tiles.ts';

/** The most memory that an engine can have, and the default limit. */
export const mostMemory = 2 ** 32;
/** More parts than this are refused. */
const mostParts = 4096;

/** What the trees of some bodies need at least. */
export interface TreeRoom {
  readonly bytes: number;
  readonly meshes: number;
  readonly triangles: number;
}

/**
 * The least bytes that an engine needs for the trees of meshes. Per triangle a tree has 16 bytes, a quarter of a leaf of 144, and a
 * twelfth of a node of 96; per vertex its position (nearfield's bvh/cpu/build/layout.as.ts).
 */
export function treeRoomFor(bodies: Iterable<Pick<GivenBody, 'mesh'>>): TreeRoom {
  const meshes = new Set<Mesh>();
  let [bytes, triangles] = [0, 0];
  for (const { mesh } of bodies) {
    if (meshes.has(mesh)) continue;
    meshes.add(mesh);
    triangles += mesh.triangleCount;
    bytes += 60 * mesh.triangleCount + mesh.positions.byteLength;
  }
  return { bytes, triangles, meshes: meshes.size };
}

/** The same for the bodies of a tile. */
export const treeRoomOf = ({ bodies }: Pick<CheckQuestion, 'bodies'>, tile: Tile): TreeRoom =>
  treeRoomFor(Array.from(tile.bodies, i => bodies[i]));

/** An 'out-of-memory' error that says what does not fit. */
export function doesNotFit({ bytes, meshes, triangles }: TreeRoom, maxMemory: number): NearfieldError {
  const megabytes = (size: number) => `${Math.floor(size / 1e6)} MB`;
  const what = `the trees of ${meshes} meshes with ${triangles} triangles need ${megabytes(bytes)}`;
  return new NearfieldError('out-of-memory', `${what}, but an engine has at most ${megabytes(maxMemory)}`);
}

/** A division of a question, and its part whose trees need most. */
export interface Division {
  readonly count: number;
  readonly tiles: readonly Tile[];
  readonly largest: Tile;
  readonly bytes: number;
}

/**
 * Divisions into `from`, twice `from` and so on, as long as they make the parts smaller: where all bodies reach into one place, no cut
 * does.
 */
export function* divisions(question: CheckQuestion, from = 2): Generator<Division> {
  let least = Infinity;
  let inVain = 0;
  for (let count = from; count <= mostParts && inVain < 2; count *= 2) {
    const tiles = tilesOf(question, count);
    const most = tiles.reduce((sum, { work }) => Math.max(sum, work), 0);
    inVain = most < least ? 0 : inVain + 1;
    least = Math.min(least, most);
    const sizes = tiles.map(tile => treeRoomOf(question, tile).bytes);
    const bytes = sizes.reduce((sum, size) => Math.max(sum, size), 0);
    yield { count, tiles, largest: tiles[sizes.indexOf(bytes)], bytes };
  }
}

/** Throws 'out-of-memory' if the trees of a shard do not fit into an engine, with a number of shards that do, if there is one. */
export function refuseIfShardIsTooLarge(
  question: CheckQuestion,
  { index, count }: ShardNumber,
  maxMemory = mostMemory,
): void {
  // Mostly all of them fit, and nothing has to be divided to know that.
  if (treeRoomFor(question.bodies).bytes <= maxMemory) return;
  const room = treeRoomOf(question, tilesOf(question, count)[index - 1]);
  if (room.bytes <= maxMemory) return;
  const { message } = doesNotFit(room, maxMemory);
  let smallest: Division | undefined;
  for (const division of divisions(question, 2 * count)) {
    if (division.bytes <= maxMemory) {
      const instead = `divide the work into more parts, such as --shard i/${division.count}`;
      throw new NearfieldError('out-of-memory', `${message}: ${instead}`);
    }
    if (smallest === undefined || division.bytes < smallest.bytes) smallest = division;
  }
  const why = smallest ? `: no division is fine enough, since ${tooLargeInWords(question, smallest)}` : '';
  throw new NearfieldError('out-of-memory', `${message}${why}`);
}

/** What cannot be divided any further, and what to do. */
export function tooLargeInWords({ bodies }: CheckQuestion, { largest, bytes }: Division): string {
  const inIt = Array.from(largest.bodies, i => bodies[i]);
  const body = inIt.reduce((most, each) => (each.mesh.triangleCount > most.mesh.triangleCount ? each : most));
  const size = `${body.name} with ${body.mesh.triangleCount.toLocaleString('en')} triangles`;
  const help =
    bytes > mostMemory
      ? 'check simpler meshes, or cut the largest into several bodies'
      : 'allow more memory (--max-memory, at most 4GiB), or check simpler meshes';
  return `bodies that may meet do not fit together: the largest part needs at least ${Math.ceil(bytes / 1e6)} MB; its largest body is ${size}; ${help}`;
}
