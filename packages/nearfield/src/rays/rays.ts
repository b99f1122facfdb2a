// What does each of many rays hit? Every triangle that a ray meets, or the first one, decided exactly on the world doubles
// of the bodies and on the rays as given. A triangle includes its edges and corners: no ray slips between two triangles.
// The kernel (cpu/cast.as.ts) decides in doubles wherever their error bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { askEach, type GivenTriangles } from '../bvh/given-triangles.ts';
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
import { inSlices, toEnd } from '../core/waiting.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { bodiesOf } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { cpuRays, type RayRequest } from './cpu/driver.ts';
import { gpuRayDriver } from './driver.ts';
import { decideHits, type RayHits } from './hits.ts';

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
  const request = readRays(rays, options);
  const ask = async (engine: Engine): Promise<RayHits> => {
    const seen = question.bodies.map((_, i) => question.readableAt(i));
    const cpu = cpuRays(core.cpu);
    const chosen = await cpu.choose(seen, request, { signal: options.signal });
    const count = request.rays.length / 6;
    let given: readonly (GivenTriangles | undefined)[] = [];
    if (engine.backend === 'gpu') {
      const driver = await (engine as GpuEngine).driver(gpuRayDriver);
      const counts = seen.map((_, body) => chosen?.[body].length ?? count);
      given = await askEach(counts, limitsOfPart(options, 0, 0.5), (body, limits) =>
        driver.candidates(question.bodyAt(body), request, chosen?.[body], limits),
      );
    }
    const isGiven = given.some(own => own !== undefined);
    const limits = limitsOfPart(options, isGiven ? 0.5 : 0, 0.9);
    const found = await cpu.cast(seen, request, chosen, given, limits);
    const work = decideHits(found, seen, request, isGiven ? 'gpu' : 'cpu');
    return inSlices(work, limitsOfPart(options, 0.9, 1), core.cpu.checkOpen);
  };
  const kind = request.first ? 'rays, first' : 'rays, all';
  return core.withPositions(question, options, () =>
    core.sooner(kind, question, ask, request.rays.length / 6),
  );
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
  const request = readRays(rays, options);
  const seen = question.bodies.map((_, i) => question.readableAt(i));
  return toEnd(decideHits(cpuRays(core.cpu).castSync(seen, request, options), seen, request, 'cpu'));
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

function readRays(rays: Float32Array | Float64Array, options: RayOptions): RayRequest {
  checkOptions(options, rayRules, 'rays');
  return { rays: raysOf(rays), upTo: options.upTo ?? Infinity, first: options.hits !== 'all' };
}
