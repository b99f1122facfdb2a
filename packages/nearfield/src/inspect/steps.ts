// Records how a method finds its answer about two bodies, as data for pictures: the intermediate results of
// `scene.interferences`, `scene.intersectionVolume` and `scene.field`.

import type { Body } from '../bodies/body.ts';
import { worldBox } from '../bodies/snapshot/world.ts';
import {
  anything,
  bad,
  checkOptions,
  imageResolution,
  inWords,
  limitRules,
  oneOf,
  type Rules,
  wholeNumber,
  wrong,
} from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { inSlices } from '../core/waiting.ts';
import { isOptions } from '../core/words.ts';
import { interfere } from '../interferences/driver.ts';
import { askAndDecide, decidePairs } from '../interferences/exact.ts';
import { thePair } from '../interferences/request.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid, checkTwo } from '../questions/checks.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { field, intersectionVolume } from '../sampled/field/questions.ts';
import { layersRules } from '../sampled/layers/options.ts';
import { boxOfBoth, type FieldSteps, slicesOf } from './field.ts';
import { candidatesOf, frontOf, type HierarchySteps } from './hierarchy.ts';
import { type LayersSteps, type LayersStepsOptions, layersSteps } from './layers.ts';
import { type RaycastSteps, type RaycastStepsOptions, raycastSteps } from './raycast.ts';
import { treeLevels } from './tree-levels.ts';
import { type VisibilitySteps, type VisibilityStepsOptions, visibilitySteps } from './visibility.ts';

/** The steps of a method, by its name. */
export type Steps = HierarchySteps | FieldSteps | LayersSteps | RaycastSteps | VisibilitySteps;

/** Asks for the steps of the hierarchy method. */
export interface HierarchyStepsOptions extends Limits {
  /** Names the method. */
  readonly method: 'hierarchy';
}

/** Asks for the steps of the distance field method. */
export interface FieldStepsOptions extends Limits {
  /** Names the method. Both bodies have to be solids. */
  readonly method: 'field';
  /** Samples along the longest side of the intersection of both boxes; default 48. */
  readonly resolution?: number | undefined;
}

/** Which method is asked for its steps, with that method's options. */
export type StepsOptions =
  | HierarchyStepsOptions
  | FieldStepsOptions
  | LayersStepsOptions
  | RaycastStepsOptions
  | VisibilityStepsOptions;
/** The steps of the method with this name. */
export type StepsOf<M extends Steps['method']> = Extract<Steps, { readonly method: M }>;

/** The steps of a method for two bodies. `scene.steps` describes the answer. */
export function steps<M extends Steps['method']>(
  scene: BareScene,
  bodies: readonly [Body, Body],
  options: StepsOptions & { readonly method: M },
): Promise<StepsOf<M>>;
export async function steps(
  scene: BareScene,
  bodies: readonly [Body, Body],
  options: StepsOptions,
): Promise<Steps> {
  const core = coreOf(scene);
  if (!Array.isArray(bodies) || bodies.length !== 2)
    throw wrong('steps: bodies', 'two bodies, [a, b]', bodies);
  const [a, b] = bodies as readonly [Body, Body];
  checkTwo('steps', a, b);
  if (a === b) throw bad('steps needs two different bodies');
  if (!isOptions(options)) throw wrong('steps: options', 'an object with a method', options);
  checkOptions(options, rulesOf(options.method), 'steps');
  switch (options.method) {
    case 'hierarchy':
      return hierarchySteps(core, a, b, options);
    case 'field':
      return fieldSteps(scene, a, b, options);
    case 'layers':
      return layersSteps(core, a, b, options);
    case 'raycast':
      return raycastSteps(core, a, b, options);
    case 'visibility':
      return visibilitySteps(core, a, b, options);
  }
}

const common = { ...limitRules, method: anything } as const;
const rules: { readonly [M in StepsOptions['method']]: Rules<Extract<StepsOptions, { method: M }>> } = {
  hierarchy: common,
  field: { ...common, resolution: wholeNumber(1) },
  layers: { ...common, ...layersRules },
  raycast: { ...common, resolution: imageResolution, views: oneOf(1, 2, 3) },
  visibility: { ...common, resolution: imageResolution },
};

function rulesOf(method: StepsOptions['method']): Rules<StepsOptions> {
  if (typeof method === 'string' && Object.hasOwn(rules, method)) return rules[method] as Rules<StepsOptions>;
  const known = `'hierarchy', 'field', 'layers', 'raycast' or 'visibility'`;
  throw new NearfieldError('unsupported', `steps: method must be ${known}, not ${inWords(method)}`);
}

function hierarchySteps(core: SceneCore, a: Body, b: Body, limits: Limits): Promise<HierarchySteps> {
  const question = core.questionAbout(a, b);
  const { cpu } = core;
  return core.withPositions(question, limits, async () => {
    const two = [question.readableAt(0), question.readableAt(1)] as const;
    const [treeA, treeB] = two.map(body => treeLevels(cpu, body));
    const work = frontOf({ tree: treeA, pose: two[0].pose }, { tree: treeB, pose: two[1].pose });
    const levels = await inSlices(work, limits, () => core.checkOpen());
    const ask = (own: Limits) => interfere(cpu, question.seenBy(cpu), { ...own, ...thePair });
    const raw = await askAndDecide(ask, { signal: limits.signal }, question.readableAt);
    const { triangles: trianglePairs } = decidePairs(raw, question.readableAt, cpu);
    const triangles = [treeA.triangles, treeB.triangles] as const;
    const last = levels.at(-1);
    const candidates = last ? candidatesOf(last, [triangles[0].length, triangles[1].length]) : 0;
    return { method: 'hierarchy', levels, triangles, candidates, trianglePairs };
  });
}

function fieldSteps(scene: BareScene, a: Body, b: Body, options: FieldStepsOptions): Promise<FieldSteps> {
  const core = coreOf(scene);
  const question = core.questionAbout(a, b);
  const { resolution = 48, signal, progress } = options;
  return core.withPositions(question, options, async () => {
    const two = [question.readableAt(0), question.readableAt(1)] as const;
    for (const [i, body] of [a, b].entries()) checkSolid(body, two[i].mesh, 'the field method needs solids');
    const box = boxOfBoth(worldBox(two[0]), worldBox(two[1]));
    const third = (part: number) => ({ signal, progress: (done: number) => progress?.((part + done) / 3) });
    // The bodies may have changed since the steps were asked for.
    const [fieldA, fieldB, volume] = await core.asOf(question, () =>
      Promise.all([
        field(scene, a, { box, resolution, ...third(0) }),
        field(scene, b, { box, resolution, ...third(1) }),
        intersectionVolume(scene, [a, b], { box, resolution, depths: true, ...third(2) }),
      ]),
    );
    return { method: 'field', grid: fieldA.grid, slices: slicesOf(fieldA, fieldB), fieldA, fieldB, volume };
  });
}
