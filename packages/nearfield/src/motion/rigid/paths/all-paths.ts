// The paths of all bodies of a scene during a motion.

import type { CpuEngine } from '../../../cpu/engine.ts';
import type { Question } from '../../../questions/question.ts';
import { type Ends, isTurning } from '../../check-motion.ts';
import { deformingPath } from './deforming.ts';
import { jointPath } from './joints.ts';
import { type BodyPath, restingPath, turningPath } from './path.ts';

/** One path per row of the question. Throws 'bad-pose'. */
export function pathsOf(question: Question, ends: Ends, name: string): BodyPath[] {
  return question.bodies.map((body, row) => {
    const then = question.readableAt(row);
    const end = ends.get(body);
    if (end === undefined) return restingPath(then);
    const who = `${name}: ${body.name}`;
    if ('positions' in end) return deformingPath(then, end.positions);
    return 'pose' in end
      ? turningPath(then, end.pose, end.path, who)
      : jointPath(then, end.joints, end.local, who);
  });
}

/** The paths if a body turns; undefined if none does. */
export function turningPaths(question: Question, ends: Ends, name: string): BodyPath[] | undefined {
  const turns = question.bodies.some((body, row) => isTurning(ends.get(body), question.readableAt(row).pose));
  return turns ? pathsOf(question, ends, name) : undefined;
}

/** The work, after which engines forget the shapes of bodies that deformed. */
export function* forgetting<T>(
  engine: CpuEngine,
  paths: readonly BodyPath[],
  work: Generator<number, T>,
): Generator<number, T> {
  try {
    return yield* work;
  } finally {
    for (const { deforming } of paths) if (deforming) engine.forget(deforming.shape);
  }
}
