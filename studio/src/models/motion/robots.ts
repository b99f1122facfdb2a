// The robots of the document: which bodies are their links, and where those stand for given joint values.

import { type PlacedRobot, parseJointFrames, posesAt, scaledPose } from '@nearfield/clashes';
import { type JointValues, posesOfJoints, type Robot } from '@nearfield/io';
import type { BodyId, JointPaths } from '../../engine/types.ts';
import {
  type DocumentMotion,
  type JointsByFile,
  type StudioDocument,
  withBodies,
} from '../../state/document.ts';

export interface DocumentRobot {
  /** The name of its file. */
  readonly file: string;
  readonly robot: Robot;
  /** The body of each link that the document still has, by its number in the file. */
  readonly links: ReadonlyMap<number, BodyId>;
}

export function robotsOf({ files, bodies }: StudioDocument): DocumentRobot[] {
  return files.flatMap(({ name, robot }) => {
    if (robot === undefined) return [];
    const own = bodies.filter(({ file }) => file === name);
    return [{ file: name, robot, links: new Map(own.map(({ id, origin }) => [origin.index, id])) }];
  });
}

/** How many of the document's units a metre is. */
const scaleOf = ({ unit }: StudioDocument): number => 1 / (unit ?? 1);

/** The document with the joints of one robot set. */
export function withJoints(
  document: StudioDocument,
  { file, robot, links }: DocumentRobot,
  values: JointValues,
): StudioDocument {
  const poses = posesOfJoints(robot, values);
  const scale = scaleOf(document);
  const placed = withBodies(document, new Set(links.values()), ({ origin }) => ({
    pose: Float64Array.from(scaledPose(poses[origin.index], scale)!),
  }));
  return { ...placed, joints: { ...document.joints, [file]: values } };
}

/** The robots with their links numbered one robot after the other, and the bodies by these numbers. */
function numberedRobots(document: StudioDocument): {
  readonly robots: readonly DocumentRobot[];
  readonly numbered: readonly PlacedRobot[];
  readonly ids: readonly (BodyId | undefined)[];
} {
  const robots = robotsOf(document);
  const numbered: PlacedRobot[] = [];
  const ids: (BodyId | undefined)[] = [];
  for (const { robot, links } of robots) {
    numbered.push({ robot, first: ids.length, scale: scaleOf(document) });
    for (let i = 0; i < robot.bodies.length; i++) ids.push(links.get(i));
  }
  return { robots, numbered, ids };
}

/** How the links move between the frames of a motion, if it has joint values. */
export function jointPathsOf(document: StudioDocument, { joints }: DocumentMotion): JointPaths | undefined {
  if (joints === undefined) return undefined;
  const { robots, numbered, ids } = numberedRobots(document);
  return {
    robots: numbered,
    links: ids,
    frames: joints.map(frame => robots.map(({ file }) => frame[file] ?? {})),
  };
}

export interface ReadJoints {
  readonly isMotion: boolean;
  readonly frames: readonly ReadonlyMap<BodyId, Float64Array>[];
  readonly joints: readonly JointsByFile[];
  /** Values outside the limits of their joints. */
  readonly warnings: readonly string[];
}

/** Reads a file of joint values as the command line does. Throws 'bad-file', and 'bad-option' without a robot. */
export function readJoints(document: StudioDocument, name: string, text: string): ReadJoints {
  const { robots, numbered, ids } = numberedRobots(document);
  const warnings: string[] = [];
  const { isMotion, frames } = parseJointFrames(name, text, numbered, message => warnings.push(message));
  return {
    isMotion,
    frames: frames.map(values => {
      const poses = [...posesAt(values, numbered)].flatMap(([i, pose]) => {
        const id = ids[i];
        return id === undefined ? [] : [[id, Float64Array.from(pose)] as const];
      });
      return new Map(poses);
    }),
    joints: frames.map(values => Object.fromEntries(robots.map(({ file }, i) => [file, values[i]]))),
    warnings,
  };
}
