// How near do bodies come during a motion?

import { aNumber, checkOptions, distanceAbove0, type Rules, wholeNumber } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import { checkMotion } from './check-motion.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { rigidNearestApproaches } from './rigid/nearest-approach.ts';
import { forgetting, pathsOf } from './rigid/paths/all-paths.ts';
import type { BodyPath } from './rigid/paths/path.ts';
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
    checkReach(question, paths);
    const asked = { paths, keep, upTo, width: widthOf(options), within, precision, samples };
    const work = rigidNearestApproaches(core, question, asked);
    return inSlices(forgetting(core.cpu, paths, work), options, () => core.cpu.checkOpen());
  });
}

/** Beyond this, diagonals of boxes and paths of vertices, up to 2√3 times as long, may not be finite. */
const mostReach = 2 ** 1021;

function checkReach({ bodies }: Question, paths: readonly BodyPath[]): void {
  const i = paths.findIndex(({ reach }) => !(reach <= mostReach));
  if (i < 0) return;
  const message = `nearestApproach: ${bodies[i].name} reaches farther from the origin than 2^1021, so that distances may not be finite`;
  throw new NearfieldError('not-finite', message);
}
