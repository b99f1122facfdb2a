// What questions of proximity need of the scene that is asked.

import type { Body } from '../scene/bodies/body.ts';
import type { Engine, SyncEngine } from '../scene/engine.ts';
import type { Question } from '../scene/questions/question.ts';

export interface ProximityAsker {
  /** The scene's own: a GPU's, or the CPU's. */
  readonly engine: Engine;
  readonly cpu: SyncEngine;
  /** A question about a few bodies, or all; throws where one is not in the scene. */
  ask(...bodies: readonly Body[]): Question;
  askAll(): Question;
  /** Until the work is done, what the question sees of its bodies stays as it is and can be read on the CPU. */
  whileWaiting<A>(question: Question, work: () => Promise<A>): Promise<A>;
}
