// What happens between the frames? Each frame is joined with the next, and every pair that the rules ask about is followed from one to
// the other.

import { type JointFrames, naming, type PlacedRobot, posesAt, type ResolvedRules } from '@nearfield/clashes';
import { jointMotions } from '@nearfield/io';
import type { Body, BodyMotion, FirstContact, NearestApproach, Pose } from 'nearfield';
import { openLibrary } from '../../backend.ts';
import type { Loaded } from '../../input/load.ts';
import type { Progress } from '../../output/progress.ts';

/** Where bodies are in each frame, and how they get from one to the next. */
export interface Frames {
  readonly count: number;
  /** The poses of the bodies that a frame names, by index. */
  poses(frame: number): ReadonlyMap<number, Pose>;
  /** How the bodies move from a frame to the next. */
  moves(frame: number, bodies: readonly Body[]): BodyMotion[];
}

/** A time as a frame and how much of the way to the next. */
export interface FrameTime {
  readonly frame: number;
  readonly from: number;
  readonly to: number;
}

/** A first contact, by the indices of the bodies. */
export interface Contact
  extends Pick<FirstContact, 'state' | 'relation' | 'gap' | 'triangleA' | 'triangleB'> {
  readonly a: number;
  readonly b: number;
  readonly time: FrameTime;
  readonly point: Float64Array | undefined;
}

/** The nearest approach of a pair over all frames. */
export interface Approach
  extends Pick<NearestApproach, 'distance' | 'pointA' | 'pointB' | 'triangleA' | 'triangleB'> {
  readonly a: number;
  readonly b: number;
  readonly time: { readonly frame: number; readonly at: number };
  /** (frame and share, distance), in order of time. */
  readonly samples: readonly (readonly [number, number])[];
}

export interface MotionAnswer {
  readonly contacts: readonly Contact[];
  /** With a clearance or a plot: pairs that come near, nearest first. */
  readonly approaches: readonly Approach[] | undefined;
  /** How many bodies move from some frame to the next. */
  readonly movingCount: number;
}

export interface MotionQuestion {
  readonly frames: Frames;
  readonly rules: ResolvedRules;
  /** Pairs that come nearer than this are measured; undefined: none. */
  readonly within: number | undefined;
  readonly samples: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export async function askMotion({ bodies }: Loaded, question: MotionQuestion): Promise<MotionAnswer> {
  const { frames, rules, within, samples, progress, signal } = question;
  const nf = await openLibrary('cpu');
  try {
    const scene = nf.scene();
    const placed = bodies.map(({ name, mesh, pose, file }) =>
      naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
    );
    const own = placed.map(({ pose }) => pose);
    const isAsked = (a: Body, b: Body): boolean => {
      const decision = rules.decide(a.index, b.index);
      return decision !== undefined && decision.allowed === undefined;
    };
    const key = (a: number, b: number) => a * bodies.length + b;
    const contacts = new Map<number, Contact>();
    const approaches = new Map<number, Approach>();
    const moving = new Set<Body>();
    const last = frames.count - 1;
    progress.stage('following');
    for (let frame = 0; frame < last; frame++) {
      const place = `frame ${frame}`;
      const poses = frames.poses(frame);
      naming(place, () => {
        for (const [i, body] of placed.entries()) body.pose = poses.get(i) ?? own[i];
      });
      const motion = { bodies: frames.moves(frame, placed) };
      for (const given of motion.bodies) if (isMoved(given)) moving.add(given.body);
      const stages = within === undefined ? 1 : 2;
      const stage = (index: number) => ({
        signal,
        progress: (done: number) => progress.update((frame + (index + done) / stages) / last),
      });
      // A pair whose first contact is known is not followed any longer.
      const keep = (a: Body, b: Body) => isAsked(a, b) && !isKnown(contacts.get(key(a.index, b.index)));
      for (const found of await named(place, scene.firstContact(motion, { keep, ...stage(0) })))
        noteContact(contacts, key(found.a.index, found.b.index), contactOf(found, frame));
      if (within === undefined) continue;
      const options = { keep: isAsked, within, samples, ...stage(1) };
      for (const found of await named(place, scene.nearestApproach(motion, options)))
        noteApproach(approaches, key(found.a.index, found.b.index), found, frame);
    }
    return {
      movingCount: moving.size,
      contacts: [...contacts.values()].sort(
        (one, other) =>
          one.time.frame - other.time.frame ||
          one.time.from - other.time.from ||
          one.a - other.a ||
          one.b - other.b,
      ),
      approaches:
        within === undefined
          ? undefined
          : [...approaches.values()].sort((one, other) => one.distance.upper - other.distance.upper),
    };
  } finally {
    progress.clear();
    nf.close();
  }
}

async function named<T>(place: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    return naming(place, () => {
      throw error;
    });
  }
}

/**
 * Whether a body's pose or joint values change. A frame may name a body that rests, and joints do not move the base
 * of a robot.
 */
function isMoved(motion: BodyMotion): boolean {
  if ('joints' in motion) return motion.joints.some(({ from, to }) => from !== to);
  if ('to' in motion) return Array.from(motion.to).some((value, i) => value !== motion.body.pose[i]);
  return true;
}

const isKnown = (contact: Contact | undefined): boolean =>
  contact !== undefined && contact.state !== 'undecided';

/** The first certain contact counts, else the first that is undecided. */
function noteContact(contacts: Map<number, Contact>, key: number, contact: Contact): void {
  const before = contacts.get(key);
  if (before === undefined || isKnown(contact)) contacts.set(key, contact);
}

function contactOf({ a, b, time, ...found }: FirstContact, frame: number): Contact {
  const { state, relation, gap, triangleA, triangleB, point } = found;
  return {
    ...{ a: a.index, b: b.index, state, relation, gap, triangleA, triangleB, point },
    time: { frame, from: time.from, to: time.to },
  };
}

function noteApproach(
  approaches: Map<number, Approach>,
  key: number,
  found: NearestApproach,
  frame: number,
): void {
  const samples = Array.from(
    { length: found.samples.length / 2 },
    (_, i) => [frame + found.samples[2 * i], found.samples[2 * i + 1]] as const,
  );
  const before = approaches.get(key);
  const { distance, time, pointA, pointB, triangleA, triangleB } = found;
  const here = {
    ...{ a: found.a.index, b: found.b.index, distance, pointA, pointB, triangleA, triangleB },
    ...{ time: { frame, at: time }, samples },
  };
  if (before === undefined) {
    approaches.set(key, here);
    return;
  }
  const nearer = distance.upper < before.distance.upper ? here : before;
  approaches.set(key, {
    ...nearer,
    distance: {
      lower: Math.min(distance.lower, before.distance.lower),
      upper: Math.min(distance.upper, before.distance.upper),
    },
    samples: [...before.samples, ...samples],
  });
}

/** Frames of poses. Bodies that a frame does not name stand where their file has them. */
export function poseFrames(
  frames: readonly ReadonlyMap<number, Pose>[],
  { bodies }: Loaded,
  path: 'turn' | 'screw',
): Frames {
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  return {
    count: frames.length,
    poses: frame => frames[frame],
    moves: (frame, placed) => {
      const [now, next] = [frames[frame], frames[frame + 1]];
      const moved = new Set([...now.keys(), ...next.keys()]);
      return [...moved].map(i => ({ body: placed[i], to: next.get(i) ?? bodies[i].pose ?? identity, path }));
    },
  };
}

/** Frames of joint values. */
export function jointFrames({ frames }: JointFrames, robots: readonly PlacedRobot[]): Frames {
  return {
    count: frames.length,
    poses: frame => posesAt(frames[frame], robots),
    moves: (frame, placed) =>
      robots.flatMap(({ robot, first, scale }, i) =>
        jointMotions(robot, frames[frame][i], frames[frame + 1][i], scale).map((chain, k) => ({
          body: placed[first + k],
          ...chain,
        })),
      ),
  };
}
