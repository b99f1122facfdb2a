// Which of many points lie inside a solid body? Decided exactly (winding.ts).

import type { Body } from '../bodies/body.ts';
import { finderOf } from '../bvh/cpu/finder.ts';
import { pointsOf } from '../core/arguments.ts';
import type { Asker } from '../questions/asker.ts';
import { checkSolid } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import { pointsInside } from './winding.ts';

export async function inside(
  asker: Asker,
  body: Body,
  points: Float32Array | Float64Array,
): Promise<Uint8Array> {
  const question = asker.ask(body);
  const doubles = pointsOf(points);
  return asker.positions(question, {}, () => answer(asker, question, doubles));
}

export const insideSync = (asker: Asker, body: Body, points: Float32Array | Float64Array): Uint8Array =>
  answer(asker, asker.ask(body), pointsOf(points));

function answer({ cpu }: Asker, { bodies, readableAt }: Question, points: Float64Array): Uint8Array {
  const moment = readableAt(0);
  checkSolid(bodies[0], moment.mesh);
  return pointsInside(finderOf(cpu), moment, points);
}
