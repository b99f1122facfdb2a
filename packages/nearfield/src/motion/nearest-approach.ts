// How near do bodies come during a motion?

import { aNumber, checkOptions, distanceAbove0, type Rules, wholeNumber } from '../core/arguments.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkMotion } from './check-motion.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { rigidNearestApproaches } from './rigid/nearest-approach.ts';
import { forgetting, pathsOf } from './rigid/paths/all-paths.ts';
import type { Motion, NearestApproach, NearestApproachOptions } from './types.ts';

const approachRules: Rules<NearestApproachOptions> = {
  ...motionRules,
  within: distanceAbove0,
  precision: aNumber('a share from 2^-20 to 1', value => value >= 2 ** -20 && value <= 1),
  samples: wholeNumber(1, 4096),
};

/** `scene.nearestApproach` describes the answer. */
export async function nearestApproach(
  scene: BareScene,
  motion: Motion,
  options: NearestApproachOptions = {},
): Promise<NearestApproach[]> {
  const core = coreOf(scene);
  checkOptions(options, approachRules, 'nearestApproach');
  const ends = checkMotion('nearestApproach', core, motion);
  const question = core.questionAboutAll();
  const { upTo = 1, within = Infinity, precision = 2 ** -7, samples = 8 } = options;
  const keep = keepRows(options, question);
  return core.withPositions(question, options, () => {
    const paths = pathsOf(question, ends, 'nearestApproach');
    const asked = { paths, keep, upTo, width: widthOf(options), within, precision, samples };
    const work = rigidNearestApproaches(core, question, asked);
    return inSlices(forgetting(core.cpu, paths, work), options, () => core.cpu.checkOpen());
  });
}
