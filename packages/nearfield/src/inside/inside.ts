// Which of many points lie inside a solid body? Decided exactly (winding.ts).

import type { Body } from '../bodies/body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { pointsOf } from '../core/arguments.ts';
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
  return core.withPositions(question, {}, () => answer(core, question, doubles));
}

/** The synchronous form of `inside`, for the CPU backend. */
export function insideSync(
  scene: BareScene<'cpu'>,
  body: Body,
  points: Float32Array | Float64Array,
): Uint8Array {
  const core = coreOf(scene);
  core.checkSync('insideSync');
  return answer(core, core.questionAbout(body), pointsOf(points));
}

function answer({ cpu }: SceneCore, { bodies, readableAt }: Question, points: Float64Array): Uint8Array {
  const body = readableAt(0);
  checkSolid(bodies[0], body.mesh);
  return pointsInside(finderOf(cpu), body, points);
}
