// Which triangles of one body share more than their common positions? Asks the engine, then decides unsure pairs
// exactly.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { anything, checkOptions, limitRules, type Rules } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import type { SelfIntersections } from './answer/answer.ts';
import { askTriangles } from './ask.ts';
import { selfIntersect } from './driver.ts';
import { askAndDecide, decideSelf } from './exact.ts';
import { selfIntersectSync } from './hierarchy/cpu/self/driver.ts';
import { withoutGpu } from './method.ts';
import type { RawAnswer } from './request.ts';
import { type SelfVisibilityOptions, visibilityOf, visibilityRules } from './visibility/options.ts';

/** The method that finds self-intersections, and its limits. */
export interface SelfIntersectionOptions extends Limits, SelfVisibilityOptions {
  /**
   * All methods give the same answer. 'hierarchy' searches trees, on any backend. 'visibility', on a GPU, first
   * excludes triangles that images show to be clear of all patches of the mesh but their own. 'auto' (default) chooses
   * 'hierarchy'.
   */
  readonly method?: 'auto' | 'hierarchy' | 'visibility' | undefined;
}

const { resolution, views } = visibilityRules;
const rules: Rules<SelfIntersectionOptions> = { ...limitRules, method: anything, resolution, views };

/** See `Scene.selfIntersections`. */
export async function selfIntersections(
  scene: BareScene,
  body: Body,
  options: SelfIntersectionOptions = {},
): Promise<SelfIntersections> {
  const core = coreOf(scene);
  const { question, limits, visibility } = askedOf(core, body, options, 'selfIntersections');
  if (visibility !== undefined && core.engine.backend !== 'gpu') throw withoutGpu('visibility');
  return askTriangles(
    core,
    question,
    visibility === undefined ? 'selfIntersections' : undefined,
    limits,
    engine => {
      const placed = engine.backend === 'gpu' ? question.bodyAt(0) : question.readableAt(0);
      const ask = (limits: Limits) => selfIntersect(engine, placed, { ...limits, visibility });
      return askAndDecide(ask, limits, question.readableAt, true);
    },
    (raw, engine) => answer(core, raw, question, engine),
    () => [],
  );
}

/** The synchronous form of `selfIntersections`, for the CPU backend. */
export function selfIntersectionsSync(
  scene: BareScene<'cpu'>,
  body: Body,
  options: SelfIntersectionOptions = {},
): SelfIntersections {
  const core = coreOf(scene);
  core.checkSync('selfIntersectionsSync');
  const { question, limits, visibility } = askedOf(core, body, options, 'selfIntersectionsSync');
  if (visibility !== undefined) throw withoutGpu('visibility');
  return answer(core, selfIntersectSync(core.cpu, body.snapshotNow(), limits), question, core.cpu);
}

function askedOf(core: SceneCore, body: Body, options: SelfIntersectionOptions, name: string) {
  checkOptions(options, rules, name);
  const { signal, progress } = options;
  const visibility = visibilityOf(options, options.method);
  return { question: core.questionAbout(body), limits: { signal, progress }, visibility };
}

function answer(
  { cpu }: SceneCore,
  raw: RawAnswer,
  { readableAt }: Question,
  { backend }: Engine,
): SelfIntersections {
  const method = raw.stats.visibility === undefined ? 'hierarchy' : 'visibility';
  return {
    triangles: decideSelf(raw, readableAt(0), cpu),
    method,
    backend,
    stats: { ...raw.stats, backend },
  };
}
