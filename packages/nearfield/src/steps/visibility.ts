// How images along the axes leave triangles out (Govindaraju, Lin and Manocha 2004): what every view saw nearest, and which
// triangles none of them saw clear of the other body.

import { type Box, emptyBox } from '../math/box.ts';
import type { Body } from '../scene/bodies/body.ts';
import type { Limits } from '../scene/engine.ts';
import { askAndDecide, decidePairs } from '../scene/exact.ts';
import { withoutGpu } from '../scene/method.ts';
import type { Asker } from '../scene/questions/asker.ts';
import { thePair } from '../scene/questions/question.ts';
import type { SeenByViews, SeenView } from './seen.ts';

export interface VisibilitySteps {
  readonly method: 'visibility';
  /** What is looked at: what the boxes of both bodies have in common, as the GPU has them. */
  readonly window: Box;
  readonly resolution: number;
  /** Along x, y, z from the low ends, then from the high ends; none where the bodies' boxes do not meet. */
  readonly views: readonly SeenView[];
  /** By body, triangles that are left and go on to the trees. */
  readonly kept: readonly [Uint32Array, Uint32Array];
  /** (in a, in b) of those that meet, exactly, sorted. */
  readonly trianglePairs: Uint32Array;
}

export interface VisibilityStepsOptions extends Limits {
  readonly method: 'visibility';
  /** Pixels along either side of an image; 256 where left out. */
  readonly resolution?: number | undefined;
}

export function visibilitySteps(
  asker: Asker,
  a: Body,
  b: Body,
  { resolution = 256, signal, progress }: VisibilityStepsOptions,
): Promise<VisibilitySteps> {
  const { engine, cpu } = asker;
  if (engine.backend !== 'gpu') throw withoutGpu('visibility');
  const question = asker.ask(a, b);
  return asker.positions(question, { signal }, async () => {
    const placed = [question.readableAt(0), question.readableAt(1)];
    if (cpu.broadSync(placed).length === 0) return { method: 'visibility', ...unseen, trianglePairs: none };
    let seen = unseen;
    const watch = (found: SeenByViews) => {
      seen = found;
    };
    const visibility = { resolution, watch };
    const ask = (limits: Limits) => engine.interfere(question.seen, { ...limits, ...thePair, visibility });
    const raw = await askAndDecide(ask, { signal, progress }, question.readableAt);
    const { triangles: trianglePairs } = decidePairs(raw, question.readableAt, cpu);
    return { method: 'visibility', ...seen, trianglePairs };
  });
}

const none = new Uint32Array(0);
const unseen: SeenByViews = { window: emptyBox(), resolution: 0, views: [], kept: [none, none] };
