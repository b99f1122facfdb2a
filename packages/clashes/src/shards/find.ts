// What does one of several machines find? The pairs of its tile, with everything that two bodies alone decide: relations,
// common points, distances, volumes, and depths if all of them are asked for. What depends on all pairs, such as which depths
// are shown, is left to the merge (`found` of a question, assembly/assembly.ts).

import type { Nearfield, Pose } from 'nearfield';
import { addVolumes, findFrame, givenIn, naming, stageLimits } from '../assembly/assembly.ts';
import { type CheckQuestion, pairRulesOf, resolvedOf, rulesFor } from '../assembly/check.ts';
import { pairKey } from '../assembly/pair-key.ts';
import { framesOf, identityPose, movedIn } from '../assembly/poses.ts';
import type { FoundPair, FoundPairs } from '../assembly/types.ts';
import { judge, notePlain, weigh } from '../severity/judge.ts';
import { boxSize, writeBox } from './boxes.ts';
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

/** What was found out about a pair. What was decided about it on the way, the merge decides again. */
function foundOf(pair: FoundPair): FoundPair {
  const { a, b, relation, triangleCount, distance, point, pointA, pointB } = pair;
  const { depth, translation, volume, area, triangles } = pair;
  const found = { a, b, relation, triangleCount, distance, point, pointA, pointB, triangles };
  return { ...found, depth, translation, volume, area };
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

/** Finds the pairs of a tile, of which `partOf` has made the question. */
export async function findInTile(nf: Nearfield, question: CheckQuestion, tile: Tile): Promise<Shard> {
  const { bodies, motion, signal, keepTriangles, clearance } = question;
  const queryStart = performance.now();
  const frames = framesOf(motion);
  const resolved = rulesFor(question);
  const rules = pairRulesOf(resolved, clearance);
  const growth = growthFor(resolved.clearance ?? 0);
  const stage = stageLimits(question);
  const scene = nf.scene();
  try {
    const placed = bodies.map(({ name, mesh, pose, file }) =>
      naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
    );
    let judgeTime = 0;
    let method = 'hierarchy';
    const found: Shard['frames'][number][] = [];
    for (let frame = tile.firstFrame; frame < tile.endFrame; frame++) {
      signal?.throwIfAborted();
      const known = frame - firstKnown(tile);
      const poses = frames[known];
      naming(motion?.isMotion ? `frame ${frame}` : undefined, () =>
        placed.forEach((body, i) => {
          body.pose = poses.get(i) ?? bodies[i].pose ?? identityPose;
        }),
      );
      const moved = movedIn(frames, known, bodies);
      const boxes = bodies.map(({ mesh, pose }, i) => {
        const box = new Float64Array(boxSize);
        writeBox(mesh, poses.get(i) ?? pose, growth, box, 0);
        return box;
      });
      const asked = (a: number, b: number): boolean =>
        (moved === undefined || Boolean(moved[a] || moved[b])) && owns(tile.space, boxes[a], boxes[b]);
      const answer = await findFrame(
        scene,
        { ...question, rules, known: undefined, points: true, keepTriangles },
        asked,
      );
      method = answer.method;
      const start = performance.now();
      const parted = new Map<number, boolean>();
      // A frame may place a body where its positions round otherwise.
      const given = givenIn(poses, bodies);
      const at = { nf, scene, placed, given, trianglesOf: answer.trianglesOf, parted };
      // Each of all depths is measured by itself. How well others are measured depends on how many there are.
      if (question.depths === 'all')
        await judge(at, answer.pairs, { decide: rules.decide, depths: 'all', rows: 0 }, stage('depths'));
      else {
        for (const { pair, rounding } of weigh(given, answer.pairs, rules.decide))
          if (pair.relation === 'crossing' && rounding > 0) notePlain(at, pair, rounding);
      }
      if (question.volumes) await addVolumes(at, answer.pairs, stage('volumes'));
      judgeTime += answer.located + performance.now() - start;
      const pairs = answer.pairs.map(pair => ({
        ...foundOf(pair),
        ...{ a: tile.bodies[pair.a], b: tile.bodies[pair.b] },
        parted: parted.get(pairKey(pair, bodies.length)),
      }));
      found.push({ frame, pairs: pairs.sort((p, q) => p.a - q.a || p.b - q.b) });
    }
    return {
      ...{ method, backend: { kind: nf.backend, name: nf.name }, frames: found },
      ...{ bodies: bodies.length, work: tile.work },
      timing: { query: performance.now() - queryStart - judgeTime, judge: judgeTime },
    };
  } finally {
    scene.close();
  }
}
