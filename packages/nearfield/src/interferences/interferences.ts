// Which bodies share a point, and which of their triangles meet? Runs the three stages in one (stages.ts). Without a
// filter the engine finds the candidates on its way, and the pairs are decided at once.

import { lazyCandidates } from '../candidates/candidates.ts';
import { filterRules, type PairFilter } from '../candidates/filter.ts';
import { checkOptions, type Rules } from '../core/arguments.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Interferences } from './answer/answer.ts';
import { checkNotSampling } from './method.ts';
import { type NarrowOptions, narrowRules, searchAndDecide, searchNow } from './narrow-phase.ts';
import { exact } from './stages.ts';

/** Which pairs of bodies to ask about, by which method, and how much detail to return. */
export interface InterferenceOptions extends PairFilter, NarrowOptions {}

const rules: Rules<InterferenceOptions> = { ...filterRules, ...narrowRules };

/** See `Scene.interferences`. */
export async function interferences(
  scene: BareScene,
  options: InterferenceOptions = {},
): Promise<Interferences> {
  // This check comes first: the options of a sampling method are unknown to `rules`.
  checkNotSampling('interferences', options);
  checkOptions(options, rules, 'interferences');
  return searchAndDecide(lazyCandidates(coreOf(scene), options), options);
}

/** The synchronous form of `interferences`, for the CPU backend. */
export function interferencesSync(scene: BareScene<'cpu'>, options: InterferenceOptions = {}): Interferences {
  checkNotSampling('interferencesSync', options);
  checkOptions(options, rules, 'interferencesSync');
  const core = coreOf(scene);
  core.checkSync('interferencesSync');
  return exact(searchNow(lazyCandidates(core, options), options, { decidedAtOnce: true }));
}
