// Which pairs of bodies meet during a motion, and when? Pairs whose vertices move linearly are decided exactly (linear/), the others
// by distances and motion bounds (rigid/).

import { checkOptions } from '../core/arguments.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { checkMotion, type Ends, movingBodies } from './check-motion.ts';
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
): Promise<SweptPair[]> {
  const core = coreOf(scene);
  checkOptions(options, motionRules, 'sweep');
  const ends = checkMotion('sweep', core, motion);
  const question = core.questionAboutAll();
  return core.withPositions(question, options, () =>
    inSlices(allPairs(core, question, ends, options), options, () => core.cpu.checkOpen()),
  );
}

function* allPairs(
  core: SceneCore,
  question: Question,
  ends: Ends,
  options: MotionOptions,
): Generator<number, SweptPair[]> {
  const { upTo = 1 } = options;
  const keep = keepRows(options, question);
  const moving = movingBodies(question, ends);
  const paths = pathsOf(question, ends, 'sweep');
  const asked = { paths, upTo, width: widthOf(options) };
  const isLinear = (a: number, b: number): boolean => moving[a] !== undefined && moving[b] !== undefined;
  const others = (a: number, b: number): boolean => !isLinear(a, b) && keep(a, b);
  const byLines = linearSweep(core, question, moving, { ...asked, keep });
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
