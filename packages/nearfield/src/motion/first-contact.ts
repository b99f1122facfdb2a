// When do bodies first meet during a motion? Bodies that keep their shape and turn are followed by rigid/.

import { aFlag, bad, checkOptions, oneOf, type Rules } from '../core/arguments.ts';
import { inSlices } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { rigidFirstContacts } from './rigid/first-contact.ts';
import { pathsOf } from './rigid/paths.ts';
import type { FirstContact, FirstContactOptions, Motion } from './types.ts';

const firstContactRules: Rules<FirstContactOptions> = {
  ...motionRules,
  which: oneOf('all', 'earliest', 'triangles'),
  self: aFlag,
};

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
