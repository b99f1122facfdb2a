// Asks an engine of the scene about triangles. If a GPU runs out of memory, the CPU engine is the fallback.

import type { Engine } from '../bodies/engine.ts';
import { readFromGpu } from '../bodies/on-gpu/buffers.ts';
import type { ShapeState } from '../bodies/snapshot/snapshot.ts';
import { isOutOfMemory } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import type { Question } from '../questions/question.ts';
import { readAll, type SceneCore } from '../questions/scene-core.ts';
import { rowsToRead, statesToRead } from './answer/found.ts';
import type { RawAnswer } from './request.ts';

/** Asks an engine and makes the final answer, which may take its time. `needed` gives the shapes whose positions `answer` needs on the CPU. */
export function askTriangles<A>(
  core: SceneCore,
  question: Question,
  /** The kind of question, if both backends can answer it; undefined if the scene's own has to. */
  kind: string | undefined,
  limits: Limits,
  ask: (engine: Engine) => Promise<RawAnswer>,
  answer: (raw: RawAnswer, engine: Engine) => A | Promise<A>,
  needed: (raw: RawAnswer) => Iterable<ShapeState> = raw => statesToRead(raw, question),
): Promise<A> {
  const { cpu } = core;
  const askOne = async (engine: Engine): Promise<A> => {
    try {
      const raw = await ask(engine);
      if (question.arePositionsOnGpu) await readFromGpu(needed(raw));
      if (question.arePosesOnGpu) await question.readPoses(rowsToRead(raw, question));
      return await answer(raw, engine);
    } catch (error) {
      if (engine === cpu || !isOutOfMemory(error)) throw error;
      await readAll(question);
      return answer(await ask(cpu), cpu);
    }
  };
  return core.whileWaiting(question, limits, () => core.sooner(kind, question, limits, askOne));
}
