// Which triangles does each of many boxes or spheres meet? Decided exactly on the world doubles of the bodies and on
// the regions as given. Boxes and spheres are filled, and all sets are closed, so touching counts. The kernel
// (cpu/search.as.ts) decides in doubles wherever their error bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { askEach } from '../bvh/given-triangles.ts';
import { bad, boxesOf, checkOptions, limitRules, oneOf, type Rules, spheresOf } from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { newStats } from '../core/stats.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { answerEach, Given } from '../cpu/threads/shared-items.ts';
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
import { batchCount, joinRegions, type SomeRegions, someRegions } from './some-regions.ts';

/** How much detail the answer about boxes or spheres has. */
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
  return ask(core, questionAbout(core, bodies, 'inSphere'), sphereRequest(spheres, options), options);
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
  return askSync(core, questionAbout(core, bodies, 'inSphere'), sphereRequest(spheres, options), options);
}

function ask(core: SceneCore, question: Question, request: RegionRequest, options: RegionOptions) {
  const askOne = async (engine: Engine): Promise<RegionHits> => {
    const bodies = question.bodies.map((_, i) => question.readableAt(i));
    const asked: SomeRegions = { bodies, request };
    return engine.backend === 'gpu'
      ? askGpu(core.cpu, engine as GpuEngine, question, asked, options)
      : askCpu(core.cpu, asked, options);
  };
  const kind = `${request.spheres ? 'inSphere' : 'inBox'}, ${request.detail}`;
  return core.withPositions(question, options, () =>
    core.sooner(kind, question, options, askOne, request.count),
  );
}

/** Answers the batches on all threads. */
async function askCpu(cpu: CpuEngine, asked: SomeRegions, limits: Limits): Promise<RegionHits> {
  const given = new Given('regions', () => asked);
  const item = (i: number) => someRegions(cpu, asked, i);
  return joinRegions(asked, await answerEach(cpu, { given, count: batchCount(asked), item }, limits));
}

async function askGpu(
  cpu: CpuEngine,
  gpu: GpuEngine,
  question: Question,
  asked: SomeRegions,
  { signal, progress }: Limits,
): Promise<RegionHits> {
  const { bodies, request } = asked;
  const chosen = await cpuRegions(cpu).choose(bodies, request, { signal });
  const driver = await gpu.driver(gpuRegionDriver);
  const stats = newStats();
  const part = (from: number, to: number) => limitsOfPart({ signal, progress }, from, to);
  const counts = chosen.byBody.map(({ length }) => length);
  const given = await askEach(counts, part(0, 0.5), (body, limits) =>
    driver.candidates(question.bodyAt(body), request, chosen.byBody[body], stats, limits),
  );
  if (given.every(own => own === undefined)) return askCpu(cpu, asked, part(0.5, 1));
  const found = await cpuRegions(cpu).search(bodies, request, chosen, given, part(0.5, 0.9));
  found.stats.dispatches += stats.dispatches;
  found.stats.growths += stats.growths;
  return inSlices(decideRegions(found, bodies, request, 'gpu'), part(0.9, 1), cpu.checkOpen);
}

function askSync(core: SceneCore, question: Question, request: RegionRequest, options: RegionOptions) {
  throwIfAborted(options);
  const asked: SomeRegions = { bodies: question.bodies.map((_, i) => question.readableAt(i)), request };
  const batches = Array.from({ length: batchCount(asked) }, (_, i) => toEnd(someRegions(core.cpu, asked, i)));
  return joinRegions(asked, batches);
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
  return { regions, spheres: false, count: regions.length / 6, detail: options.detail ?? 'list' };
}

function sphereRequest(spheres: Float32Array | Float64Array, options: RegionOptions): RegionRequest {
  checkOptions(options, regionRules, 'inSphere');
  const regions = spheresOf(spheres);
  return { regions, spheres: true, count: regions.length / 4, detail: options.detail ?? 'list' };
}
