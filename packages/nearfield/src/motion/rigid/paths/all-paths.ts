// The paths of all bodies of a scene during a motion, if they keep their shape.

import { NearfieldError } from '../../../core/errors.ts';
import type { Question } from '../../../questions/question.ts';
import { type Ends, isTurning } from '../../check-motion.ts';
import { jointPath } from './joints.ts';
import { type BodyPath, restingPath, turningPath } from './path.ts';

/**
 * One path per row of the question. Throws 'bad-pose', and 'unsupported' for a body that deforms: questions that only
 * look at some pairs leave those to `whenDeforming`.
 */
export function pathsOf(
  question: Question,
  ends: Ends,
  name: string,
  whenDeforming = (who: string): BodyPath => {
    const message = `${who} deforms: ${name} is answered for bodies that keep their shape`;
    throw new NearfieldError('unsupported', message);
  },
): BodyPath[] {
  return question.bodies.map((body, row) => {
    const then = question.readableAt(row);
    const end = ends.get(body);
    if (end === undefined) return restingPath(then);
    const who = `${name}: ${body.name}`;
    if ('positions' in end) return whenDeforming(who);
    return 'pose' in end
      ? turningPath(then, end.pose, end.path, who)
      : jointPath(then, end.joints, end.local, who);
  });
}

/** The paths, and which bodies turn; undefined if none does. Throws 'unsupported' if one turns and another deforms. */
export function turningPaths(
  question: Question,
  ends: Ends,
  name: string,
): { readonly paths: readonly BodyPath[]; readonly turns: readonly boolean[] } | undefined {
  const turns = question.bodies.map((body, row) => isTurning(ends.get(body), question.readableAt(row).pose));
  if (!turns.includes(true)) return undefined;
  const paths = pathsOf(question, ends, name, who => {
    const message = `${who} deforms while another body turns: ask about them in separate scenes`;
    throw new NearfieldError('unsupported', message);
  });
  return { paths, turns };
}
