// What does one of several machines find? The pairs of its tile, with everything that two bodies alone decide: relations,
// common points, distances, volumes, and depths if all of them are asked for. What depends on all pairs, such as which depths
// are shown, is left to the merge (`found` of a question, assembly/assembly.ts).

import type { Nearfield, Pose } from 'nearfield';
import { type CheckQuestion, resolvedOf, rulesFor } from '../assembly/check.ts';
import { framesOf } from '../assembly/poses.ts';
import type { FoundPair, FoundPairs } from '../assembly/types.ts';
import { boxSize, writeBox } from './boxes.ts';
import { FrameFinder } from './frame-finder.ts';
import { divideInto, growthFor, owns, type Tile } from './tiles.ts';

/** Shard `index` of `count`, counted from 1. */
export interface ShardNumber {
  readonly index: number;
  readonly count: number;
}

/** What a shard found in the frames of its tile. */
export interface Shard extends Omit<FoundPairs, 'frames'> {
  readonly frames: readonly { readonly frame: number; readonly pairs: readonly FoundPair[] }[];
  /** How many bodies its tile has, and the estimated work, in triangles. */
  readonly bodies: number;
  readonly work: number;
}

/** The tiles of a question. Throws as `checkAssembly` does if the rules name no pair. */
export function tilesOf(question: CheckQuestion, count: number): readonly Tile[] {
  const { bodies, motion } = question;
  return divideInto({ bodies, motion, clearance: resolvedOf(question).clearance ?? 0 }, count);
}

/** The first frame that a tile has to know: the one before its own says what has moved. */
const firstKnown = ({ firstFrame }: Tile): number => Math.max(firstFrame - 1, 0);

/**
 * What is asked about the bodies of a tile: the question without the other bodies, and with the frames that the tile needs.
 * Bodies have their place among those of the tile. Their order is the same, and so are the answers.
 */
export function partOf<Q extends Pick<CheckQuestion, 'bodies' | 'motion' | 'allowed'>>(
  question: Q,
  tile: Tile,
): Q {
  const { bodies, motion, allowed } = question;
  const places = new Map(Array.from(tile.bodies, (index, place) => [index, place]));
  const frames = motion?.frames.slice(firstKnown(tile), tile.endFrame).map(frame => {
    const poses: (readonly [number, Pose])[] = [];
    for (const [index, pose] of frame) {
      const place = places.get(index);
      if (place !== undefined) poses.push([place, pose]);
    }
    return new Map(poses);
  });
  return {
    ...question,
    bodies: Array.from(tile.bodies, index => bodies[index]),
    motion: motion && { isMotion: motion.isMotion, frames: frames! },
    allowed: allowed?.flatMap(({ a, b, reason }) => {
      const [p, q] = [places.get(a), places.get(b)];
      return p === undefined || q === undefined ? [] : [{ a: p, b: q, reason }];
    }),
  };
}

/** Finds the pairs of a shard. Fields of the question that only a merge needs are not looked at. */
export async function findShard(
  nf: Nearfield,
  question: CheckQuestion,
  { index, count }: ShardNumber,
): Promise<Shard> {
  const tile = tilesOf(question, count)[index - 1];
  return findInTile(nf, partOf(question, tile), tile);
}

/**
 * Finds the pairs of a tile, of which `partOf` has made the question, by default with a common point of each: a merge of shards may
 * need them, whatever this machine was asked.
 */
export async function findInTile(
  nf: Nearfield,
  question: CheckQuestion,
  tile: Tile,
  points = true,
): Promise<Shard> {
  const { bodies, motion } = question;
  const queryStart = performance.now();
  const frames = framesOf(motion);
  const growth = growthFor(rulesFor(question).clearance ?? 0);
  const ownedIn = (frame: number) => {
    const boxes = bodies.map(({ mesh, pose }, i) => {
      const box = new Float64Array(boxSize);
      writeBox(mesh, frames[frame].get(i) ?? pose, growth, box, 0);
      return box;
    });
    return (a: number, b: number) => owns(tile.space, boxes[a], boxes[b]);
  };
  const finder = new FrameFinder(nf, { ...question, points }, ownedIn, firstKnown(tile));
  try {
    const found: Shard['frames'][number][] = [];
    for (let frame = tile.firstFrame; frame < tile.endFrame; frame++) {
      const pairs = await finder.find(frame - firstKnown(tile));
      const inAll = ({ a, b }: FoundPair) => ({ a: tile.bodies[a], b: tile.bodies[b] });
      found.push({ frame, pairs: pairs.map(pair => ({ ...pair, ...inAll(pair) })) });
    }
    const { method, judgeTime } = finder;
    return {
      ...{ method, backend: { kind: nf.backend, name: nf.name }, frames: found },
      ...{ bodies: bodies.length, work: tile.work },
      timing: { query: performance.now() - queryStart - judgeTime, judge: judgeTime },
    };
  } finally {
    finder.close();
  }
}
