// What does each of many rays hit? Every triangle that a ray meets, or the first one, decided exactly on the world doubles
// of the bodies and on the rays as given. A triangle includes its edges and corners: no ray slips between two triangles.
// The kernel (cpu/cast.as.ts) decides in doubles wherever their error bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { askEach } from '../bvh/given-triangles.ts';
import {
  bad,
  checkOptions,
  distanceFrom0,
  limitRules,
  oneOf,
  type Rules,
  raysOf,
} from '../core/arguments.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { answerEach, Given } from '../cpu/threads/shared-items.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { bodiesOf } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { cpuRays, type RayRequest } from './cpu/driver.ts';
import { gpuRayDriver } from './driver.ts';
import { decideHits, type RayHits } from './hits.ts';
import { batchCount, joinHits, type SomeRays, someHits } from './some-rays.ts';

/** Which hits of rays are wanted. */
export interface RayOptions extends Limits {
  /** 'first' (default): the first hit of each ray. 'all': every triangle that a ray meets. */
  readonly hits?: 'first' | 'all' | undefined;
  /** The latest time of a hit, as a multiple of the ray's direction; default Infinity. */
  readonly upTo?: number | undefined;
}

/** `scene.rays` describes the answer. */
export async function rays(
  scene: BareScene,
  bodies: Body | readonly Body[],
  rays: Float32Array | Float64Array,
  options: RayOptions = {},
): Promise<RayHits> {
  const core = coreOf(scene);
  const question = questionAbout(core, bodies);
  const { copies } = cpuRays(core.cpu);
  const request = readRays(rays, options, copies.take);
  // A GPU that compiles its kernels is asked the same question beside the CPU, and takes longer.
  let askedNow = 0;
  /** Threads that answer batches may still read the rays when their last batch has been answered by another. */
  let mayBeRead = false;
  const ask = async (engine: Engine): Promise<RayHits> => {
    const bodies = question.bodies.map((_, i) => question.readableAt(i));
    const asked: SomeRays = { bodies, request };
    askedNow++;
    mayBeRead ||= engine.backend === 'cpu';
    try {
      const answer = await (engine.backend === 'gpu'
        ? askGpu(core.cpu, engine as GpuEngine, question, asked, options)
        : askCpu(core.cpu, asked, options));
      mayBeRead ||= answer.backend === 'cpu';
      if (askedNow === 1 && !mayBeRead) copies.giveBack(request.rays);
      return answer;
    } finally {
      askedNow--;
    }
  };
  const kind = request.first ? 'rays, first' : 'rays, all';
  return core.withPositions(question, options, () =>
    core.sooner(kind, question, options, ask, request.rays.length / 6),
  );
}

/** Answers the batches on all threads. */
async function askCpu(cpu: CpuEngine, asked: SomeRays, limits: Limits): Promise<RayHits> {
  const given = new Given('rays', () => asked);
  const item = (i: number) => someHits(cpu, asked, i);
  return joinHits(asked, await answerEach(cpu, { given, count: batchCount(asked), item }, limits));
}

async function askGpu(
  cpu: CpuEngine,
  gpu: GpuEngine,
  question: Question,
  asked: SomeRays,
  { signal, progress }: Limits,
): Promise<RayHits> {
  const { bodies, request } = asked;
  const chosen = await cpuRays(cpu).choose(bodies, request, { signal });
  const driver = await gpu.driver(gpuRayDriver);
  const counts = bodies.map((_, body) => chosen?.[body].length ?? request.rays.length / 6);
  const part = (from: number, to: number) => limitsOfPart({ signal, progress }, from, to);
  const given = await askEach(counts, part(0, 0.5), (body, limits) =>
    driver.candidates(question.bodyAt(body), request, chosen?.[body], limits),
  );
  if (given.every(own => own === undefined)) return askCpu(cpu, asked, part(0.5, 1));
  const found = await cpuRays(cpu).cast(bodies, request, chosen, given, part(0.5, 0.9));
  return inSlices(decideHits(found, bodies, request, 'gpu'), part(0.9, 1), cpu.checkOpen);
}

/** `scene.raysSync` describes the answer. */
export function raysSync(
  scene: BareScene<'cpu'>,
  bodies: Body | readonly Body[],
  rays: Float32Array | Float64Array,
  options: RayOptions = {},
): RayHits {
  const core = coreOf(scene);
  core.checkSync('raysSync');
  const question = questionAbout(core, bodies);
  const request = readRays(rays, options, length => new Float64Array(length));
  throwIfAborted(options);
  const asked: SomeRays = { bodies: question.bodies.map((_, i) => question.readableAt(i)), request };
  const batches = Array.from({ length: batchCount(asked) }, (_, i) => toEnd(someHits(core.cpu, asked, i)));
  return joinHits(asked, batches);
}

function questionAbout(core: SceneCore, bodies: Body | readonly Body[]): Question {
  const list = bodiesOf(bodies);
  if (new Set(list).size < list.length) throw bad('rays needs different bodies: one of them is given twice');
  return core.questionAboutEach(list);
}

const rayRules: Rules<RayOptions> = {
  ...limitRules,
  hits: oneOf('first', 'all'),
  upTo: distanceFrom0,
};

function readRays(
  rays: Float32Array | Float64Array,
  options: RayOptions,
  provide: (length: number) => Float64Array,
): RayRequest {
  checkOptions(options, rayRules, 'rays');
  return { rays: raysOf(rays, provide), upTo: options.upTo ?? Infinity, first: options.hits !== 'all' };
}
