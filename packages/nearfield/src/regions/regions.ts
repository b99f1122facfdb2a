// Which triangles does each of many boxes or balls meet? Decided exactly on the world doubles of the bodies and on the regions as
// given. Boxes, balls and triangles are closed sets: touching counts. The kernel (cpu/search.as.ts) decides in doubles wherever their error
// bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { askEach, type GivenTriangles } from '../bvh/given-triangles.ts';
import { bad, ballsOf, boxesOf, checkOptions, limitRules, oneOf, type Rules } from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { newStats } from '../core/stats.ts';
import { inSlices, toEnd } from '../core/waiting.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import type { Detail } from '../interferences/request.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { bodiesOf } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { decideRegions, type RegionHits } from './answer.ts';
import { cpuRegions } from './cpu/driver.ts';
import { gpuRegionDriver } from './driver.ts';
import type { RegionRequest } from './request.ts';

/** How much is wanted of what boxes or balls meet. */
export interface RegionOptions extends Limits {
  /** 'list' (default): every triangle. 'count': how many. 'any': only which bodies; the search of a body stops at the first triangle. */
  readonly detail?: Detail | undefined;
}

/** `scene.inBox` describes the answer. */
export async function inBox(
  scene: BareScene,
  bodies: Body | readonly Body[],
  boxes: Float32Array | Float64Array,
  options: RegionOptions = {},
): Promise<RegionHits> {
  const core = coreOf(scene);
  return ask(core, questionAbout(core, bodies, 'inBox'), boxRequest(boxes, options), options);
}

/** `scene.inBoxSync` describes the answer. */
export function inBoxSync(
  scene: BareScene<'cpu'>,
  bodies: Body | readonly Body[],
  boxes: Float32Array | Float64Array,
  options: RegionOptions = {},
): RegionHits {
  const core = coreOf(scene);
  core.checkSync('inBoxSync');
  return askSync(core, questionAbout(core, bodies, 'inBox'), boxRequest(boxes, options), options);
}

/** `scene.inSphere` describes the answer. */
export async function inSphere(
  scene: BareScene,
  bodies: Body | readonly Body[],
  spheres: Float32Array | Float64Array,
  options: RegionOptions = {},
): Promise<RegionHits> {
  const core = coreOf(scene);
  return ask(core, questionAbout(core, bodies, 'inSphere'), ballRequest(spheres, options), options);
}

/** `scene.inSphereSync` describes the answer. */
export function inSphereSync(
  scene: BareScene<'cpu'>,
  bodies: Body | readonly Body[],
  spheres: Float32Array | Float64Array,
  options: RegionOptions = {},
): RegionHits {
  const core = coreOf(scene);
  core.checkSync('inSphereSync');
  return askSync(core, questionAbout(core, bodies, 'inSphere'), ballRequest(spheres, options), options);
}

function ask(core: SceneCore, question: Question, request: RegionRequest, options: RegionOptions) {
  const askOne = async (engine: Engine): Promise<RegionHits> => {
    const seen = question.bodies.map((_, i) => question.readableAt(i));
    const cpu = cpuRegions(core.cpu);
    const chosen = await cpu.choose(seen, request, { signal: options.signal });
    const stats = newStats();
    let given: readonly (GivenTriangles | undefined)[] = [];
    if (engine.backend === 'gpu') {
      const driver = await (engine as GpuEngine).driver(gpuRegionDriver);
      const counts = chosen.byBody.map(({ length }) => length);
      given = await askEach(counts, limitsOfPart(options, 0, 0.5), (body, limits) =>
        driver.candidates(question.bodyAt(body), request, chosen.byBody[body], stats, limits),
      );
    }
    const isGiven = given.some(own => own !== undefined);
    const limits = limitsOfPart(options, isGiven ? 0.5 : 0, 0.9);
    const found = await cpu.search(seen, request, chosen, given, limits);
    found.stats.dispatches += stats.dispatches;
    found.stats.growths += stats.growths;
    const work = decideRegions(found, seen, request, isGiven ? 'gpu' : 'cpu');
    return inSlices(work, limitsOfPart(options, 0.9, 1), core.cpu.checkOpen);
  };
  const kind = `${request.balls ? 'inSphere' : 'inBox'}, ${request.detail}`;
  return core.withPositions(question, options, () => core.sooner(kind, question, askOne, request.count));
}

function askSync(core: SceneCore, question: Question, request: RegionRequest, options: RegionOptions) {
  const seen = question.bodies.map((_, i) => question.readableAt(i));
  const found = cpuRegions(core.cpu).searchSync(seen, request, options);
  return toEnd(decideRegions(found, seen, request, 'cpu'));
}

function questionAbout(core: SceneCore, bodies: Body | readonly Body[], name: string): Question {
  const list = bodiesOf(bodies);
  if (new Set(list).size < list.length)
    throw bad(`${name} needs different bodies: one of them is given twice`);
  return core.questionAboutEach(list);
}

const regionRules: Rules<RegionOptions> = { ...limitRules, detail: oneOf('list', 'count', 'any') };

function boxRequest(boxes: Float32Array | Float64Array, options: RegionOptions): RegionRequest {
  checkOptions(options, regionRules, 'inBox');
  const regions = boxesOf(boxes);
  return { regions, balls: false, count: regions.length / 6, detail: options.detail ?? 'list' };
}

function ballRequest(spheres: Float32Array | Float64Array, options: RegionOptions): RegionRequest {
  checkOptions(options, regionRules, 'inSphere');
  const regions = ballsOf(spheres);
  return { regions, balls: true, count: regions.length / 4, detail: options.detail ?? 'list' };
}
