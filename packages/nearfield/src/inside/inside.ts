// Which of many points lie inside a solid body? Decided exactly (winding.ts).

import type { Body } from '../bodies/body.ts';
import { asThenInSteps } from '../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { pointsOf } from '../core/arguments.ts';
import { inSlices, toEnd } from '../core/waiting.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkSolid } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { pointsInside } from './winding.ts';

/** See `Scene.inside`. */
export async function inside(
  scene: BareScene,
  body: Body,
  points: Float32Array | Float64Array,
): Promise<Uint8Array> {
  const core = coreOf(scene);
  const question = core.questionAbout(body);
  const doubles = pointsOf(points);
  return core.withPositions(question, {}, () => inSlices(answer(core, question, doubles), {}, () => {}));
}

/** The synchronous form of `inside`, for the CPU backend. */
export function insideSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
): Uint8Array {
  const core = coreOf(scene);
  core.checkSync('insideSync');
  return toEnd(answer(core, core.questionAbout(body), pointsOf(points)));
}

/** Points that are decided in one step. */
const pointsAtOnce = 64;

function* answer(
  { cpu }: SceneCore,
  { bodies, readableAt }: Question,
  points: Float64Array,
): Generator<number, Uint8Array> {
  const body = readableAt(0);
  checkSolid(bodies[0], body.mesh);
  return yield* asThenInSteps(cpu, body, body, function* (then) {
    const places = new Uint8Array(points.length / 3);
    for (let i = 0; i < places.length; i += pointsAtOnce) {
      const some = points.subarray(3 * i, 3 * (i + pointsAtOnce));
      places.set(pointsInside(finderOf(cpu), then, some), i);
      yield i / places.length;
    }
    return places;
  });
}
