// What does each of many rays hit? Every triangle that a ray meets, or the first one, decided exactly on the world doubles
// of the bodies and on the rays as given. A triangle includes its edges and corners: no ray slips between two triangles.
// The kernel (cpu/cast.as.ts) decides in doubles wherever their error bounds allow, and exact.ts decides the rest.

import type { Body } from '../bodies/body.ts';
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
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { bodiesOf } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { cpuRays, type RayRequest } from './cpu/driver.ts';
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
  return core.withPositions(question, options, async () => {
    const seen = question.bodies.map((_, i) => question.readableAt(i));
    const found = await cpuRays(core.cpu).cast(seen, request, limitsOfPart(options, 0, 0.9));
    return inSlices(decideHits(found, seen, request), limitsOfPart(options, 0.9, 1), core.cpu.checkOpen);
  });
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
  return toEnd(decideHits(cpuRays(core.cpu).castSync(seen, request, options), seen, request));
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
