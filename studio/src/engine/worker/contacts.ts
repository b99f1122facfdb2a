// When do bodies first meet in a motion? Looks between the frames too, with the code of `nearfield motion`.

import { followMotion, jointFrames, poseFrames, resolveRules } from '@nearfield/clashes';
import type { Nearfield } from 'nearfield';
import type { ContactsQuestion, Limits, MotionContact } from '../types.ts';
import type { Kept } from './kept.ts';
import { posesOf } from './written.ts';

export async function findContacts(
  nf: Nearfield,
  kept: Kept,
  { assembly, frames, joints }: ContactsQuestion,
  limits: Limits,
): Promise<readonly MotionContact[]> {
  const { bodies, allowed, rules } = kept.asked(assembly);
  const { ids } = assembly.placed;
  const places = new Map(Array.from(ids, (id, i) => [id, i]));
  const placeOf = ({ links }: { links: readonly (number | undefined)[] }, number: number) => {
    const id = links[number];
    return id === undefined ? undefined : places.get(id);
  };
  const { contacts } = await followMotion(nf, {
    ...{ bodies, within: undefined, samples: 0, ...limits },
    rules: resolveRules(rules, bodies, { unit: assembly.unit, allowed }),
    frames: joints
      ? jointFrames(joints, joints.robots, number => placeOf(joints, number))
      : poseFrames(
          frames.map(frame => posesOf(frame, assembly.placed)),
          bodies,
          'turn',
        ),
  });
  return contacts.map(({ a, b, time: { frame, from }, state }) => ({
    ...{ a: ids[a], b: ids[b] },
    time: frame + from,
    certain: state !== 'undecided',
  }));
}
