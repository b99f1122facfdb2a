// When do bodies first meet during a motion? Bodies that keep their shape and turn are followed by rigid/.

import { filterRules, pairPredicate } from '../candidates/filter.ts';
import { aFlag, aNumber, bad, checkOptions, limitRules, oneOf, type Rules } from '../core/arguments.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import { rigidFirstContacts } from './rigid/first-contact.ts';
import { pathsOf } from './rigid/paths.ts';
import type { FirstContact, FirstContactOptions, Motion, MotionOptions } from './types.ts';

const timeUpTo = aNumber('a time above 0, at most 1', value => value > 0 && value <= 1);
const widthRule = aNumber('a number from 2^-50 to 1', value => value >= 2 ** -50 && value <= 1);

export const motionRules: Rules<MotionOptions> = {
  ...limitRules,
  ...filterRules,
  upTo: timeUpTo,
  width: widthRule,
};

const firstContactRules: Rules<FirstContactOptions> = {
  ...motionRules,
  which: oneOf('all', 'earliest', 'triangles'),
  self: aFlag,
};

/** The width that a question uses: a power of two. */
export const widthOf = ({ width = 2 ** -40 }: MotionOptions): number => 2 ** Math.floor(Math.log2(width));

/** Which pairs of rows a filter keeps. */
export function keepRows(options: MotionOptions, { bodies }: Question): (a: number, b: number) => boolean {
  const keep = pairPredicate(options, bodies);
  return keep === undefined ? () => true : (a, b) => keep(bodies[a], bodies[b]);
}

/** `scene.firstContact` describes the answer. */
export async function firstContact(
  scene: BareScene,
  motion: Motion,
  options: FirstContactOptions = {},
): Promise<FirstContact[]> {
  checkOptions(options, firstContactRules, 'firstContact');
  const core = coreOf(scene);
  const question = core.questionAboutAll();
  const { which = 'all', upTo = 1 } = options;
  if (which === 'triangles') throw bad('firstContact: pairs of triangles need bodies that move linearly');
  const keep = keepRows(options, question);
  return core.withPositions(question, options, () => {
    const asked = { paths: pathsOf(question, motion, 'firstContact'), keep, upTo, width: widthOf(options) };
    const work = rigidFirstContacts(core, question, asked, which === 'earliest');
    return inSlices(work, options, () => core.cpu.checkOpen());
  });
}
