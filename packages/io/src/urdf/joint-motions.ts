// How do the bodies of a robot move when its joint values change from one set to another? As chains of joints, which
// `scene.firstContact` and its like follow exactly.

import { identity, type JointStep, NearfieldError, type Pose } from 'nearfield';
import { inWords } from '../reading/file-error.ts';
import { checkRobot, type JointValues, type Robot, valuesOf } from './robot.ts';

/** The chain that carries one body of a robot: what a motion takes beside the body. */
export interface JointChain {
  /** The joints from the root on. One that carries several bodies is the same object for all of them. */
  readonly joints: readonly JointStep[];
  /** The pose of the body in its link. */
  readonly local: Pose;
}

/**
 * The chains of the robot's bodies, in the order of the bodies that `readFile` gave, for joint values that change linearly. `scale`
 * is how many world units a metre is: 1 unless the robot was scaled. Throws like `posesOfJoints`, and 'bad-option' for a
 * scale that is not above 0.
 */
export function jointMotions(robot: Robot, from: JointValues, to: JointValues, scale = 1): JointChain[] {
  checkRobot(robot, 'jointMotions');
  if (!(typeof scale === 'number' && scale > 0 && scale < Infinity)) {
    const message = `jointMotions: scale must be a number above 0, not ${inWords(scale)}`;
    throw new NearfieldError('bad-option', message);
  }
  const [first, last] = [from, to].map(values => valuesOf(robot, values, 'jointMotions'));
  const chains = new Map<string, readonly JointStep[]>();
  for (const { name, type, parent, child, origin, axis } of robot.joints) {
    const slides = type === 'prismatic';
    const unit = slides ? scale : 1;
    const step: JointStep = {
      origin: origin.map((value, i) => (i >= 12 && i < 15 ? value * scale : value)),
      kind: slides ? 'slide' : 'turn',
      axis,
      from: (first.get(name) ?? 0) * unit,
      to: (last.get(name) ?? 0) * unit,
    };
    chains.set(child, [...(chains.get(parent) ?? []), step]);
  }
  return robot.bodies.map(({ link, pose }) => ({
    joints: chains.get(link) ?? [],
    local: (pose ?? identity()).map((value, i) => (i % 4 === 3 ? value : value * scale)),
  }));
}
