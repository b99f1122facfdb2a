// Which pairs of bodies meet during a motion, and when? Pairs whose vertices move linearly are decided exactly (linear/), the others
// by distances and motion bounds (rigid/).

import { checkOptions } from '../core/arguments.ts';
import { limitsOfPart } from '../core/limits.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { MotionAnswer, type MotionStats, newMotionStats } from './answer.ts';
import { checkMotion, type Ends, movingBodies } from './check-motion.ts';
import { type AskedPair, askLarge, type ListedPairs, listOnGpu, pairsOfRows } from './linear/driver.ts';
import { type MovingBody, pairsThatMayMeet } from './linear/moving-bodies.ts';
import { linearSweep } from './linear-sweep.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { partOf } from './parts.ts';
import { forgetting, pathsOf } from './rigid/paths/all-paths.ts';
import { rigidSweep } from './rigid/sweep.ts';
import type { Motion, MotionOptions, SweptPair } from './types.ts';

/** `scene.sweep` describes the answer. */
export async function sweep(
  scene: BareScene,
  motion: Motion,
  options: MotionOptions = {},
): Promise<MotionAnswer<SweptPair>> {
  const core = coreOf(scene);
  checkOptions(options, motionRules, 'sweep');
  const ends = checkMotion('sweep', core, motion);
  const question = core.questionAboutAll();
  return core.withPositions(question, options, () => {
    const keep = keepRows(options, question);
    const moving = movingBodies(question, ends);
    const pairs = pairsOfRows(question, moving, pairsThatMayMeet(moving, keep));
    const stats = newMotionStats();
    return askLarge(core, question, 'sweep', pairs, async engine => {
      const listed = await listOnGpu(engine, pairs, stats, limitsOfPart(options, 0, 0.5));
      const work = allPairs(core, question, ends, options, { keep, moving, pairs, listed, stats });
      const limits = limitsOfPart(options, listed.size > 0 ? 0.5 : 0, 1);
      return new MotionAnswer(await inSlices(work, limits, () => core.cpu.checkOpen()), stats);
    });
  });
}

/** The bodies that move linearly, and the pairs of them that may meet. */
interface Linear {
  readonly keep: (a: number, b: number) => boolean;
  readonly moving: readonly (MovingBody | undefined)[];
  readonly pairs: readonly AskedPair[];
  readonly listed: ListedPairs;
  readonly stats: MotionStats;
}

function* allPairs(
  core: SceneCore,
  question: Question,
  ends: Ends,
  options: MotionOptions,
  { keep, moving, pairs, listed, stats }: Linear,
): Generator<number, SweptPair[]> {
  const { upTo = 1 } = options;
  const paths = pathsOf(question, ends, 'sweep');
  const asked = { paths, upTo, width: widthOf(options) };
  const isLinear = (a: number, b: number): boolean => moving[a] !== undefined && moving[b] !== undefined;
  const others = (a: number, b: number): boolean => !isLinear(a, b) && keep(a, b);
  const byLines = linearSweep(core, question, pairs, listed, stats, asked);
  const byPaths = rigidSweep(core, question, { ...asked, keep: others });
  const linear = yield* partOf(forgetting(core.cpu, paths, byLines), 0, 2);
  const rigid = yield* partOf(forgetting(core.cpu, paths, byPaths), 1, 2);
  return [...linear, ...rigid].sort(
    (p, q) =>
      p.intervals[0].begins.from - q.intervals[0].begins.from ||
      p.a.index - q.a.index ||
      p.b.index - q.b.index,
  );
}
