// Which pairs of bodies meet during a motion, and when?

import { checkOptions } from '../core/arguments.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkMotion } from './check-motion.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { pathsOf } from './rigid/paths/all-paths.ts';
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
  const { upTo = 1 } = options;
  const keep = keepRows(options, question);
  return core.withPositions(question, options, () => {
    const asked = { paths: pathsOf(question, ends, 'sweep'), keep, upTo, width: widthOf(options) };
    return inSlices(rigidSweep(core, question, asked), options, () => core.cpu.checkOpen());
  });
}
