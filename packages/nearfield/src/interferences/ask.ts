// Asks the scene's engine about triangles, and the CPU's where a GPU has not the memory.

import type { Engine } from '../bodies/engine.ts';
import { readFromGpu } from '../bodies/on-gpu/gpu-positions.ts';
import type { ShapeState } from '../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import type { Question } from '../questions/question.ts';
import { readAll, type SceneCore } from '../questions/scene-core.ts';
import { formsToRead, rowsToRead } from './found.ts';
import type { RawAnswer } from './request.ts';

/** Makes an answer of what was found. `needed` are the forms whose positions that takes. */
export function askTriangles<A>(
  core: SceneCore,
  question: Question,
  limits: Limits,
  ask: (engine: Engine) => Promise<RawAnswer>,
  answer: (raw: RawAnswer, engine: Engine) => A,
  needed: (raw: RawAnswer) => Iterable<ShapeState> = raw => formsToRead(raw, question),
): Promise<A> {
  const { engine, cpu } = core;
  return core.whileWaiting(question, limits, async () => {
    try {
      const raw = await ask(engine);
      if (question.arePositionsOnGpu) await readFromGpu(needed(raw));
      if (question.arePosesOnGpu) await question.readPoses(rowsToRead(raw, question));
      return answer(raw, engine);
    } catch (error) {
      const full = error instanceof NearfieldError && error.code === 'out-of-memory';
      if (!full || engine === cpu) throw error;
      await readAll(question);
      return answer(await ask(cpu), cpu);
    }
  });
}
