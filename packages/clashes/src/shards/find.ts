// What does one of several machines find? The pairs of its tile, with everything that two bodies alone decide: relations,
// common points, distances, volumes, and depths if all of them are asked for. What depends on all pairs, such as which depths
// are shown, is left to the merge (`found` of a question, assembly/assembly.ts).

import type { Nearfield } from 'nearfield';
import { addVolumes, findFrame, givenIn, naming, stageLimits } from '../assembly/assembly.ts';
import { type CheckQuestion, pairRulesOf, resolvedOf } from '../assembly/check.ts';
import { pairKey } from '../assembly/pair-key.ts';
import { framesOf, identityPose, movedIn } from '../assembly/poses.ts';
import type { FoundPair, FoundPairs } from '../assembly/types.ts';
import { judge, notePlain, weigh } from '../severity/judge.ts';
import { Tiles } from './tiles.ts';

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
export function tilesOf(question: CheckQuestion, count: number): Tiles {
  const { bodies, motion } = question;
  return new Tiles({ bodies, motion, clearance: resolvedOf(question).clearance ?? 0 }, count);
}

/**
 * Finds the pairs of a shard. Fields of the question that only a merge needs are not looked at. `tiles` are those of
 * `tilesOf`, for whoever does several shards.
 */
export async function findShard(
  nf: Nearfield,
  question: CheckQuestion,
  { index, count }: ShardNumber,
  tiles = tilesOf(question, count),
): Promise<Shard> {
  const { bodies, motion, signal, keepTriangles, clearance } = question;
  const queryStart = performance.now();
  const tile = tiles.list[index - 1];
  const members = tile.bodies;
  const given = Array.from(members, i => bodies[i]);
  const frames = framesOf(motion);
  const { decide, keep, ...rest } = pairRulesOf(resolvedOf(question), clearance);
  // Inside, bodies have their place among the members. The order is the same, and so are the answers.
  const rules = {
    ...rest,
    keep: (a: number, b: number) => keep(members[a], members[b]),
    decide: (a: number, b: number) => decide(members[a], members[b]),
  };
  const stage = stageLimits(question);
  const scene = nf.scene();
  try {
    const placed = given.map(({ name, mesh, pose, file }) =>
      naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
    );
    let judgeTime = 0;
    let method = 'hierarchy';
    const found: Shard['frames'][number][] = [];
    for (let frame = tile.firstFrame; frame < tile.endFrame; frame++) {
      signal?.throwIfAborted();
      naming(motion?.isMotion ? `frame ${frame}` : undefined, () =>
        placed.forEach((body, i) => {
          body.pose = frames[frame].get(members[i]) ?? given[i].pose ?? identityPose;
        }),
      );
      const moved = movedIn(frames, frame, bodies);
      const ownerOf = tiles.owners(frame);
      const asked = (a: number, b: number): boolean => {
        const [p, q] = [members[a], members[b]];
        return (moved === undefined || Boolean(moved[p] || moved[q])) && ownerOf(p, q) === index - 1;
      };
      const answer = await findFrame(
        scene,
        { ...question, rules, known: undefined, points: true, keepTriangles },
        asked,
      );
      method = answer.method;
      const start = performance.now();
      const parted = new Map<number, boolean>();
      // A frame may place a body where its positions round otherwise.
      const inFrame = givenIn(frames[frame], bodies);
      const standing = Array.from(members, i => inFrame[i]);
      const at = { nf, scene, placed, given: standing, trianglesOf: answer.trianglesOf, parted };
      // Each of all depths is measured by itself. How well others are measured depends on how many there are.
      if (question.depths === 'all')
        await judge(at, answer.pairs, { decide: rules.decide, depths: 'all', rows: 0 }, stage('depths'));
      else {
        for (const { pair, rounding } of weigh(standing, answer.pairs, rules.decide))
          if (pair.relation === 'crossing' && rounding > 0) notePlain(at, pair, rounding);
      }
      if (question.volumes) await addVolumes(at, answer.pairs, stage('volumes'));
      judgeTime += answer.located + performance.now() - start;
      const pairs = answer.pairs.map(pair => ({
        ...foundOf(pair),
        ...{ a: members[pair.a], b: members[pair.b], parted: parted.get(pairKey(pair, given.length)) },
      }));
      found.push({ frame, pairs: pairs.sort((p, q) => p.a - q.a || p.b - q.b) });
    }
    return {
      ...{ method, backend: { kind: nf.backend, name: nf.name }, frames: found },
      ...{ bodies: members.length, work: tile.work },
      timing: { query: performance.now() - queryStart - judgeTime, judge: judgeTime },
    };
  } finally {
    scene.close();
  }
}
