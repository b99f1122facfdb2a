// What happens between the frames? Each frame is joined with the next, and every pair that the rules ask about is followed from one to
// the other.

import type { Body, FirstContact, NearestApproach, Nearfield } from 'nearfield';
import { naming } from '../assembly/assembly.ts';
import type { GivenBody } from '../assembly/types.ts';
import type { ResolvedRules } from '../rules/resolve.ts';
import { type FramePaths, isMoved } from './paths.ts';

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
  readonly bodies: readonly GivenBody[];
  readonly frames: FramePaths;
  readonly rules: ResolvedRules;
  /** Pairs that come nearer than this are measured; undefined: none. */
  readonly within: number | undefined;
  /** Measurements of such a pair per frame. */
  readonly samples: number;
  readonly progress?: ((done: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** First contacts, in order of time, and nearest approaches. An error names the file or the frame. */
export async function followMotion(nf: Nearfield, question: MotionQuestion): Promise<MotionAnswer> {
  const { bodies, frames, rules, within, samples, progress, signal } = question;
  const scene = nf.scene();
  try {
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
        progress: (done: number) => progress?.((frame + (index + done) / stages) / last),
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
    scene.close();
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
