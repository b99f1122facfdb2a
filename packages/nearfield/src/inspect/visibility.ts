// Records how images along the axes cull triangles (Govindaraju, Lin and Manocha 2004): what every view saw nearest,
// and which triangles no view saw clear of the other body; first coarsely, then more finely for what is left.

import type { Body } from '../bodies/body.ts';
import { broadSync } from '../candidates/cpu/pair-front.ts';
import type { Limits } from '../core/limits.ts';
import { interfere } from '../interferences/driver.ts';
import { askAndDecide, decidePairs } from '../interferences/exact.ts';
import { withoutGpu } from '../interferences/method.ts';
import { thePair } from '../interferences/request.ts';
import type { SeenByViews, SeenLook } from '../interferences/visibility/seen.ts';
import { emptyBox } from '../math/box.ts';
import type { SceneCore } from '../questions/scene-core.ts';

/** How the visibility method comes to its answer. */
export interface VisibilitySteps extends SeenByViews {
  readonly method: 'visibility';
  /** (in a, in b) per pair that meets exactly, sorted. */
  readonly trianglePairs: Uint32Array;
}

/** Asks for the steps of the visibility method. */
export interface VisibilityStepsOptions extends Limits {
  readonly method: 'visibility';
  /** Pixels along either side of an image of the fine pass; default 256. */
  readonly resolution?: number | undefined;
}

export function visibilitySteps(
  core: SceneCore,
  a: Body,
  b: Body,
  { resolution = 256, signal, progress }: VisibilityStepsOptions,
): Promise<VisibilitySteps> {
  const { engine, cpu } = core;
  const question = core.questionAbout(a, b);
  if (engine.backend !== 'gpu') throw withoutGpu('visibility');
  return core.withPositions(question, { signal }, async () => {
    const placed = [question.readableAt(0), question.readableAt(1)];
    if (broadSync(cpu, placed).length === 0) return { method: 'visibility', ...unseen, trianglePairs: none };
    let seen = unseen;
    const watch = (found: SeenByViews) => {
      seen = found;
    };
    const visibility = { resolution, watch };
    const ask = (limits: Limits) => interfere(engine, question.seen, { ...limits, ...thePair, visibility });
    const raw = await askAndDecide(ask, { signal, progress }, question.readableAt);
    const { triangles: trianglePairs } = decidePairs(raw, question.readableAt, cpu);
    return { method: 'visibility', ...seen, trianglePairs };
  });
}

const none = new Uint32Array(0);
const nothing: SeenLook = { resolution: 0, views: [], kept: [none, none] };
const unseen: SeenByViews = { window: emptyBox(), glance: nothing, close: nothing };
