// Finds the pairs of the frames of a motion, each frame by itself, with everything that two bodies alone decide. Several threads or
// machines may do so for one question.

import type { Body, Nearfield, Scene } from 'nearfield';
import { naming, type PairRules } from '../assembly/assembly.ts';
import { BodiesInFrames } from '../assembly/bodies-in-frames.ts';
import { type CheckQuestion, pairRulesOf, rulesFor } from '../assembly/check.ts';
import { addVolumes, findFrame, stageLimits } from '../assembly/find-pairs.ts';
import { foundOf } from '../assembly/pair-fields.ts';
import { pairKey } from '../assembly/pair-key.ts';
import { type Frame, framesOf, identityPose, movedIn } from '../assembly/poses.ts';
import type { FoundPair, GivenBody } from '../assembly/types.ts';
import { judge, notePlain, weigh } from '../severity/judge.ts';

/** Finds the pairs of some bodies, frame by frame, in any order of frames: each frame is answered by itself. */
export class FrameFinder {
  readonly #nf: Nearfield;
  readonly #question: CheckQuestion;
  readonly #ownedIn: ((frame: number) => (a: number, b: number) => boolean) | undefined;
  readonly #scene: Scene;
  readonly #placed: readonly Body[];
  readonly #frames: readonly Frame[];
  readonly #rules: PairRules;
  readonly #given: BodiesInFrames;
  /** The time for common points, depths and volumes so far, in milliseconds. */
  judgeTime = 0;
  /** The method that was used. */
  method = 'hierarchy';

  /** `ownedIn` leaves out pairs that others find; all are found without it. `first` is the number of the first frame, for messages. */
  constructor(
    nf: Nearfield,
    question: CheckQuestion,
    ownedIn?: (frame: number) => (a: number, b: number) => boolean,
    private readonly first = 0,
  ) {
    this.#nf = nf;
    this.#question = question;
    this.#ownedIn = ownedIn;
    this.#frames = framesOf(question.motion);
    this.#rules = pairRulesOf(rulesFor(question), question.clearance);
    this.#given = new BodiesInFrames(question.bodies, this.#frames);
    this.#scene = nf.scene();
    const add = ({ name, mesh, pose, file }: GivenBody) =>
      naming(file, () => this.#scene.add(mesh, pose ? { name, pose } : { name }));
    try {
      this.#placed = question.bodies.map(add);
    } catch (error) {
      this.#scene.close();
      throw error;
    }
  }

  /** The pairs of a frame of which a body has moved since the frame before, in order. */
  async find(frame: number): Promise<FoundPair[]> {
    const question = this.#question;
    const { bodies, signal, keepTriangles } = question;
    const [placed, rules, frames] = [this.#placed, this.#rules, this.#frames];
    signal?.throwIfAborted();
    this.#place(frame);
    const moved = movedIn(frames, frame, bodies);
    const isOwned = this.#ownedIn?.(frame);
    const asked = (a: number, b: number): boolean =>
      (moved === undefined || Boolean(moved[a] || moved[b])) && (isOwned?.(a, b) ?? true);
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
    const given = this.#given.at(frame);
    const at = { nf: this.#nf, scene: this.#scene, placed, given, trianglesOf: answer.trianglesOf, parted };
    // Each of all depths is measured by itself. How well others are measured depends on how many there are.
    if (question.depths === 'all')
      await judge(at, answer.pairs, { decide: rules.decide, depths: 'all', rows: 0 }, stage('depths'));
    else {
      // Depths that nobody asks for are not measured later. If a depth will be measured, what is noted here saves work.
      const isNoted = (question.depths ?? 'none') !== 'none' || question.baseline || question.statuses;
      for (const { pair, rounding, isUnasked } of weigh(given, answer.pairs, rules.decide))
        if (pair.relation === 'crossing' && rounding > 0 && (isNoted || !isUnasked))
          notePlain(at, pair, rounding);
    }
    if (question.volumes) await addVolumes(at, answer.pairs, stage('volumes'));
    this.judgeTime += answer.located + performance.now() - start;
    const pairs = answer.pairs.map(pair => foundOf(pair, parted.get(pairKey(pair, bodies.length))));
    return pairs.sort((p, q) => p.a - q.a || p.b - q.b);
  }

  /** Throws if a pose of any frame is not one. */
  checkPoses(): void {
    for (let frame = 0; frame < this.#frames.length; frame++) this.#place(frame);
  }

  #place(frame: number): void {
    const poses = this.#frames[frame];
    naming(this.#question.motion?.isMotion ? `frame ${this.first + frame}` : undefined, () =>
      this.#placed.forEach((body, i) => {
        body.pose = poses.get(i) ?? this.#question.bodies[i].pose ?? identityPose;
      }),
    );
  }

  close(): void {
    this.#scene.close();
  }
}
