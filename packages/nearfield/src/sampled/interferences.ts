// Which bodies interfere, as far as lines through pixels can tell?

import { lazyCandidates } from '../candidates/candidates.ts';
import { checkOptions, wrong } from '../core/arguments.ts';
import { isOptions } from '../core/words.ts';
import { samplingMethodOf } from '../interferences/method.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { LayersInterferences } from './layers/answer.ts';
import { type LayersQuestion, layers, layersRules } from './layers/question.ts';
import type { RaycastInterferences } from './raycast/answer.ts';
import type { RaycastFound } from './raycast/options.ts';
import { type RaycastQuestion, raycast, raycastRules } from './raycast/question.ts';

/** `scene.sampledInterferences` describes the answer. */
export function sampledInterferences(
  scene: BareScene,
  options: RaycastQuestion & { readonly ask?: 'pairs' | 'edges' | undefined },
): Promise<RaycastInterferences>;
export function sampledInterferences(scene: BareScene, options: RaycastQuestion): Promise<RaycastFound>;
export function sampledInterferences(scene: BareScene, options: LayersQuestion): Promise<LayersInterferences>;
export function sampledInterferences(
  scene: BareScene,
  options: RaycastQuestion | LayersQuestion,
): Promise<RaycastFound | LayersInterferences>;
export async function sampledInterferences(
  scene: BareScene,
  options: RaycastQuestion | LayersQuestion,
): Promise<RaycastFound | LayersInterferences> {
  if (!isOptions(options)) throw wrong('sampledInterferences: options', 'an object with a method', options);
  if (samplingMethodOf('sampledInterferences', options) === 'raycast') {
    checkOptions(options as RaycastQuestion, raycastRules, 'sampledInterferences');
    return raycast(lazyCandidates(coreOf(scene), options), options as RaycastQuestion);
  }
  checkOptions(options as LayersQuestion, layersRules, 'sampledInterferences');
  return layers(lazyCandidates(coreOf(scene), options), options as LayersQuestion);
}
