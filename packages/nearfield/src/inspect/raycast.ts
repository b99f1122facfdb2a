// Records how rays cast at edges find interferences, drawn as published (Knott 2003, section 4.3): the nearest edge
// per pixel, and the stencil's count of faces in front of it.

import type { Body } from '../bodies/body.ts';
import { broadSync } from '../candidates/cpu/pair-front.ts';
import type { Limits } from '../core/limits.ts';
import { withoutGpu } from '../interferences/method.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { raycastOf } from '../sampled/raycast/options.ts';
import type { EdgePicture } from '../sampled/raycast/seen.ts';
import { samplerOf } from '../sampled/sampling.ts';

/** How the raycast method comes to its answer. */
export interface RaycastSteps {
  readonly method: 'raycast';
  /**
   * One picture per direction; none if the boxes of the bodies do not meet. In `body`, 1 is the first body and 2 the
   * second.
   */
  readonly pictures: readonly EdgePicture[];
  /**
   * Whether an edge of one body was seen in the other. If not, one may still be there behind nearer edges. If a body
   * is not a solid, neither answer is reliable.
   */
  readonly meets: boolean;
}

/** Asks for the steps of the raycast method. */
export interface RaycastStepsOptions extends Limits {
  readonly method: 'raycast';
  /** Pixels along the longer side of the intersection of both boxes; default 256. */
  readonly resolution?: number | undefined;
  /** The number of directions; default 1. */
  readonly views?: 1 | 2 | 3 | undefined;
}

export function raycastSteps(
  core: SceneCore,
  a: Body,
  b: Body,
  options: RaycastStepsOptions,
): Promise<RaycastSteps> {
  const { engine, cpu } = core;
  const { resolution = 256, views } = options;
  const question = core.questionAbout(a, b);
  const request = raycastOf({ counting: 'stencil', resolution, views, allowOpen: true });
  const sample = samplerOf(engine);
  if (sample === undefined) throw withoutGpu('raycast');
  return core.withPositions(question, options, async () => {
    const placed = [question.readableAt(0), question.readableAt(1)];
    const candidates = broadSync(cpu, placed);
    const pictures: EdgePicture[] = [];
    if (candidates.length === 0) return { method: 'raycast', pictures, meets: false };
    // If the device was lost, ask again.
    const raw = await sample(placed, options, turn => {
      pictures.length = 0;
      const watch = (picture: EdgePicture) => pictures.push(picture);
      return turn.castAtEdges(placed, { ...request, candidates, filtered: false, hasOpen: false, watch });
    });
    return { method: 'raycast', pictures, meets: raw.found[0] !== 0 };
  });
}
