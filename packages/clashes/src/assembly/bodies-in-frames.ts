// The bodies of an assembly as the frames of a motion place them: elsewhere, a position may be off by another rounding.

import { roundingAt } from '@nearfield/io';
import type { Steps } from '../steps/steps.ts';
import { type Frame, identityPose, isSamePose } from './poses.ts';
import type { GivenBody } from './types.ts';

type OpenBody = { -readonly [K in keyof GivenBody]: GivenBody[K] };

/** A motion may have millions of poses. So each rounding is found once, and one list of bodies is used for all frames. */
export class BodiesInFrames {
  readonly #bodies: readonly GivenBody[];
  readonly #frames: readonly Frame[];
  /** Per frame that was looked at, the roundings of the bodies that it names, in their order; NaN if they are not known. */
  readonly #roundings: Float64Array[] = [];
  readonly #copies: OpenBody[];
  /** The bodies that the last frame placed elsewhere. */
  #changed: number[] = [];

  constructor(bodies: readonly GivenBody[], frames: readonly Frame[]) {
    this.#bodies = bodies;
    this.#frames = frames;
    this.#copies = bodies.slice();
  }

  /** The bodies as a frame places them, until the next call. */
  at(frame: number): readonly GivenBody[] {
    const [bodies, copies] = [this.#bodies, this.#copies];
    for (const index of this.#changed) copies[index].rounding = bodies[index].rounding;
    this.#changed = [];
    const roundings = this.#roundingsIn(frame);
    let i = 0;
    for (const index of this.#frames[frame].keys()) {
      const rounding = knownOf(roundings[i++]);
      if (rounding === bodies[index].rounding) continue;
      if (copies[index] === bodies[index]) copies[index] = { ...bodies[index] };
      copies[index].rounding = rounding;
      this.#changed.push(index);
    }
    return copies;
  }

  /** The least rounding of each body in any frame: what a comparison with another run may count on. */
  *leastRoundings(): Steps<readonly (number | undefined)[]> {
    const [bodies, frames] = [this.#bodies, this.#frames];
    const least: (number | undefined)[] = [];
    /** How many frames name a body. In the others it stands where its file has it. */
    const named = new Uint32Array(bodies.length);
    const take = (index: number, rounding: number | undefined) => {
      const known = least[index];
      least[index] = known === undefined || rounding === undefined ? rounding : Math.min(known, rounding);
    };
    for (let frame = 0; frame < frames.length; frame++) {
      const roundings = this.#roundingsIn(frame);
      let i = 0;
      for (const index of frames[frame].keys()) {
        take(index, knownOf(roundings[i++]));
        named[index]++;
      }
      yield;
    }
    for (let i = 0; i < bodies.length; i++) if (named[i] < frames.length) take(i, bodies[i].rounding);
    return least;
  }

  #roundingsIn(frame: number): Float64Array {
    const known = this.#roundings[frame];
    if (known !== undefined) return known;
    const poses = this.#frames[frame];
    const found = new Float64Array(poses.size);
    let i = 0;
    for (const [index, pose] of poses) {
      const body = this.#bodies[index];
      const isOwn = isSamePose(pose, body.pose ?? identityPose);
      found[i++] = (isOwn ? body.rounding : roundingAt(body, pose)) ?? Number.NaN;
    }
    return (this.#roundings[frame] = found);
  }
}

const knownOf = (rounding: number): number | undefined => (Number.isNaN(rounding) ? undefined : rounding);
