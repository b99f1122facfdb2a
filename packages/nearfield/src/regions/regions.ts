// Which triangles does each of many boxes or balls meet? Decided exactly on the world doubles of the bodies and on the regions as
// given. Boxes, balls and triangles are closed sets: touching counts. The kernel (cpu/search.as.ts) decides in doubles wherever their error
// bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
import { bad, ballsOf, boxesOf, checkOptions, limitRules, oneOf, type Rules } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
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
import type { ChosenRegions, GivenTriangles, RegionRequest } from './request.ts';

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
  return core.withPositions(question, options, async () => {
    const seen = question.bodies.map((_, i) => question.readableAt(i));
    const cpu = cpuRegions(core.cpu);
    const chosen = await cpu.choose(seen, request, { signal: options.signal });
    const { given, stats } = await askGpu(core, question, request, chosen, options);
    const isGiven = given.some(own => own !== undefined);
    const limits = limitsOfPart(options, isGiven ? 0.5 : 0, 0.9);
    const found = await cpu.search(seen, request, chosen, given, limits);
    found.stats.dispatches += stats.dispatches;
    found.stats.growths += stats.growths;
    const work = decideRegions(found, seen, request, isGiven ? 'gpu' : 'cpu');
    return inSlices(work, limitsOfPart(options, 0.9, 1), core.cpu.checkOpen);
  });
}

/** For fewer regions the CPU takes less time than a GPU needs to answer at all. */
const worthAsking = 64;

/** What a GPU finds, body by body; undefined for those that it is not asked about or cannot tell. */
async function askGpu(
  { engine }: SceneCore,
  question: Question,
  request: RegionRequest,
  { byBody }: ChosenRegions,
  options: RegionOptions,
) {
  const given: (GivenTriangles | undefined)[] = byBody.map(() => undefined);
  const stats = newStats();
  const asked = byBody.flatMap(({ length }, body) => (length >= worthAsking ? [body] : []));
  if (engine.backend === 'cpu' || asked.length === 0) return { given, stats };
  const driver = await (engine as GpuEngine).driver(gpuRegionDriver);
  try {
    for (const [i, body] of asked.entries()) {
      const limits = limitsOfPart(options, (0.5 * i) / asked.length, (0.5 * (i + 1)) / asked.length);
      given[body] = await driver.candidates(question.bodyAt(body), request, byBody[body], stats, limits);
    }
  } catch (error) {
    // The CPU searches the others.
    if (!(error instanceof NearfieldError && error.code === 'out-of-memory')) throw error;
  }
  return { given, stats };
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
