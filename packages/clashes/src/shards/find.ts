// What does one of several machines find? The pairs of its tile, with everything that two bodies alone decide: relations,
// common points, distances, volumes, and depths if all of them are asked for. What depends on all pairs, such as which depths
// are shown, is left to the merge (`found` of a question, assembly/assembly.ts).

import type { Body, Nearfield, Pose, Scene } from 'nearfield';
import { addVolumes, findFrame, givenIn, naming, type PairRules, stageLimits } from '../assembly/assembly.ts';
import { type CheckQuestion, pairRulesOf, resolvedOf } from '../assembly/check.ts';
import { pairKey } from '../assembly/pair-key.ts';
import { type Frame, framesOf, movedIn } from '../assembly/poses.ts';
import type { FoundPair, FoundPairs, GivenBody } from '../assembly/types.ts';
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
  const queryStart = performance.now();
  const tile = tiles.list[index - 1];
  const finder = new FrameFinder(
    nf,
    // A merge may need the points, whatever it is asked.
    { ...question, points: true },
    tile.bodies,
    frame => {
      const ownerOf = tiles.owners(frame);
      return (a, b) => ownerOf(a, b) === index - 1;
    },
  );
  try {
    const found: Shard['frames'][number][] = [];
    for (let frame = tile.firstFrame; frame < tile.endFrame; frame++)
      found.push({ frame, pairs: await finder.find(frame) });
    const { method, judgeTime } = finder;
    return {
      ...{ method, backend: { kind: nf.backend, name: nf.name }, frames: found },
      ...{ bodies: tile.bodies.length, work: tile.work },
      timing: { query: performance.now() - queryStart - judgeTime, judge: judgeTime },
    };
  } finally {
    finder.close();
  }
}

/** Finds the pairs of some bodies, frame by frame, in any order of frames: each frame is answered by itself. */
export class FrameFinder {
  readonly #nf: Nearfield;
  readonly #question: CheckQuestion;
  readonly #members: Uint32Array;
  readonly #ownedIn: ((frame: number) => (a: number, b: number) => boolean) | undefined;
  readonly #scene: Scene;
  readonly #placed: readonly Body[];
  readonly #own: readonly Pose[];
  readonly #frames: readonly Frame[];
  readonly #rules: PairRules;
  /** The time for common points, depths and volumes so far, in milliseconds. */
  judgeTime = 0;
  /** The method that was used. */
  method = 'hierarchy';

  /** `members` are the bodies, by index, in order. `ownedIn` leaves out pairs that others find; all are found without it. */
  constructor(
    nf: Nearfield,
    question: CheckQuestion,
    members: Uint32Array,
    ownedIn?: (frame: number) => (a: number, b: number) => boolean,
  ) {
    this.#nf = nf;
    this.#question = question;
    this.#members = members;
    this.#ownedIn = ownedIn;
    this.#frames = framesOf(question.motion);
    const { decide, keep, ...rest } = pairRulesOf(resolvedOf(question), question.clearance);
    // Inside, bodies have their place among the members. The order is the same, and so are the answers.
    this.#rules = {
      ...rest,
      keep: (a: number, b: number) => keep(members[a], members[b]),
      decide: (a: number, b: number) => decide(members[a], members[b]),
    };
    this.#scene = nf.scene();
    const add = ({ name, mesh, pose, file }: GivenBody) =>
      naming(file, () => this.#scene.add(mesh, pose ? { name, pose } : { name }));
    try {
      this.#placed = Array.from(members, i => add(question.bodies[i]));
      this.#own = this.#placed.map(body => body.pose);
    } catch (error) {
      this.#scene.close();
      throw error;
    }
  }

  /** The pairs of a frame of which a body has moved since the frame before, in order. */
  async find(frame: number): Promise<FoundPair[]> {
    const question = this.#question;
    const { bodies, signal, keepTriangles } = question;
    const [members, placed, rules, frames] = [this.#members, this.#placed, this.#rules, this.#frames];
    signal?.throwIfAborted();
    this.#place(frame);
    const moved = movedIn(frames, frame, bodies);
    const isOwned = this.#ownedIn?.(frame);
    const asked = (a: number, b: number): boolean => {
      const [p, q] = [members[a], members[b]];
      return (moved === undefined || Boolean(moved[p] || moved[q])) && (isOwned?.(p, q) ?? true);
    };
    const isAll = moved === undefined && isOwned === undefined;
    const stage = stageLimits(question);
    const answer = await findFrame(
      this.#scene,
      { ...question, rules, known: undefined, keepTriangles },
      isAll ? undefined : asked,
    );
    this.method = answer.method;
    const start = performance.now();
    const parted = new Map<number, boolean>();
    // A frame may place a body where its positions round otherwise.
    const inFrame = givenIn(frames[frame], bodies);
    const given = Array.from(members, i => inFrame[i]);
    const at = { nf: this.#nf, scene: this.#scene, placed, given, trianglesOf: answer.trianglesOf, parted };
    // Each of all depths is measured by itself. How well others are measured depends on how many there are.
    if (question.depths === 'all')
      await judge(at, answer.pairs, { decide: rules.decide, depths: 'all', rows: 0 }, stage('depths'));
    else {
      for (const { pair, rounding } of weigh(given, answer.pairs, rules.decide))
        if (pair.relation === 'crossing' && rounding > 0) notePlain(at, pair, rounding);
    }
    if (question.volumes) await addVolumes(at, answer.pairs, stage('volumes'));
    this.judgeTime += answer.located + performance.now() - start;
    const pairs = answer.pairs.map(pair => ({
      ...pair,
      ...{ a: members[pair.a], b: members[pair.b], parted: parted.get(pairKey(pair, given.length)) },
    }));
    return pairs.sort((p, q) => p.a - q.a || p.b - q.b);
  }

  /** Throws if a pose of any frame is not one. */
  checkPoses(): void {
    for (let frame = 0; frame < this.#frames.length; frame++) this.#place(frame);
  }

  #place(frame: number): void {
    const poses = this.#frames[frame];
    naming(this.#question.motion?.isMotion ? `frame ${frame}` : undefined, () =>
      this.#placed.forEach((body, i) => {
        body.pose = poses.get(this.#members[i]) ?? this.#own[i];
      }),
    );
  }

  close(): void {
    this.#scene.close();
  }
}
