// Asks a question about bodies on the GPU. Their trees are brought up to date in the same submission.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import type { Limits } from '../../core/limits.ts';
import type { GpuEngine, Turn } from '../../gpu/engine.ts';
import type { Preparation } from '../../gpu/gpu-query.ts';
import type { Session } from '../../gpu/session.ts';
import { areAnyOnGpu, learnFromGpu, whyNotCopied } from './asked-shapes.ts';
import { createTreeKernels, GpuTrees } from './trees.ts';

export interface TreeTurn extends Turn {
  readonly trees: GpuTrees;
  /** Trees to bring up to date first. */
  readonly preparation: Preparation | undefined;
}

/** What a question needs of its shapes. */
export interface TreeNeeds {
  /** Leaves have one number for all vertices of equal position. */
  readonly welded?: boolean | undefined;
  /** No tree is needed: the leaves in any order and the box of each shape are enough. */
  readonly treeless?: boolean | undefined;
  /** Begins before the call returns, if no other question is asked. */
  readonly atOnce?: boolean | undefined;
}

/** The trees of a session. */
export const treesIn = (session: Session): GpuTrees | Promise<GpuTrees> => session.part(createTrees);

async function createTrees(session: Session): Promise<GpuTrees> {
  return new GpuTrees(session.opened.device, await session.program(createTreeKernels));
}

/**
 * Trees and question are one submission. If the GPU refuses it, some of it may be missing, so everything known about
 * the shapes is discarded. `ready` prepares what the work needs from the session.
 */
export function askWithTrees<R, A>(
  engine: GpuEngine,
  shapes: readonly Shape[],
  limits: Limits,
  ready: (session: Session) => R | Promise<R>,
  work: (tools: R, turn: TreeTurn) => Promise<A>,
  { welded = false, treeless = false, atOnce = false }: TreeNeeds = {},
): Promise<A> {
  let begun: GpuTrees | undefined;
  return engine.ask(
    limits,
    async ({ session, checkpoint }) => {
      begun = undefined;
      // Waits only for what is not there yet: small questions take microseconds, and an `await` costs some of them.
      const knownTrees = treesIn(session);
      const trees = knownTrees instanceof Promise ? await knownTrees : knownTrees;
      const knownTools = ready(session);
      const tools = knownTools instanceof Promise ? await knownTools : knownTools;
      if (treeless) await trees.prepareTreeless();
      engine.check(limits);
      const preparation = trees.prepare(shapes, welded, treeless);
      if (preparation !== undefined) begun = trees;
      const answer = await work(tools, { session, checkpoint, trees, preparation });
      if (areAnyOnGpu(shapes)) await learnFromGpu(trees, shapes);
      return answer;
    },
    {
      undo() {
        if (begun !== undefined) for (const shape of shapes) begun.forget(shape);
      },
      explain: () => whyNotCopied(shapes),
    },
    atOnce,
  );
}
