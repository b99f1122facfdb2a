// Which of many points lie inside a solid body? Decided exactly (winding.ts).

import type { Asker } from '../bodies/asker.ts';
import type { Body } from '../bodies/body.ts';
import { checkSolid } from '../bodies/checks.ts';
import type { Question } from '../bodies/question.ts';
import { pointsOf } from '../core/arguments.ts';
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
  return pointsInside(cpu, moment, points);
}
