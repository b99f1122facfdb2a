// Nearfield with bodies that move, deform, come and go: what a frame adds is added, what it leaves out is removed, and the
// scene is asked for all pairs. How it is asked is the caller's: any method that gives pairs.

import type { Body, Interferences, Scene } from 'nearfield';
import { type Case, type Frame, firstTriangles, presentIn } from '../case.ts';
import type { Session } from './engine.ts';

type Ask = (detail: 'list' | 'count') => Interferences | Promise<Interferences>;

export function crowdSession(scene: Scene, job: Case, ask: Ask): Session {
  const bodies: (Body | undefined)[] = job.bodies.map(() => undefined);
  let here: Body[] | undefined;
  let presentBefore: Frame['present'];
  /** The bodies that a frame has, in its order. */
  const comeAndGo = (frame: Frame): Body[] => {
    if (here !== undefined && areSame(frame.present, presentBefore)) return here;
    const present = presentIn(job, frame);
    const wanted = new Set(present);
    bodies.forEach((body, i) => {
      if (!body || wanted.has(i)) return;
      scene.remove(body);
      bodies[i] = undefined;
    });
    presentBefore = frame.present;
    return (here = Array.from(present, i => {
      const { mesh, pose } = job.bodies[i];
      return (bodies[i] ??= scene.add(mesh, { pose }));
    }));
  };
  const moved =
    (detail: 'list' | 'count') =>
    (frame: Frame): Interferences | Promise<Interferences> => {
      const now = comeAndGo(frame);
      if (frame.allPoses) scene.setPoses(frame.allPoses, now);
      frame.allPositions?.forEach((own, k) => {
        if (own.length > 0) now[k].deform(own);
      });
      return ask(detail);
    };
  return {
    ask: moved('list'),
    count: moved('count'),
    pairs: answer => numbered(job, bodies, answer as Interferences),
    close() {
      for (const body of bodies) if (body) scene.remove(body);
    },
  };
}

function areSame(a: Frame['present'], b: Frame['present']): boolean {
  return a === b || (a?.length === b?.length && a!.every((body, k) => body === b![k]));
}

/** Triangle pairs, the triangles of all bodies numbered one after the other. */
function numbered(job: Case, bodies: readonly (Body | undefined)[], answer: Interferences): Uint32Array {
  const first = firstTriangles(job);
  const placeOf = new Map(bodies.map((body, i) => [body, i]));
  const pairs: number[] = [];
  for (const { a, b, triangles } of answer) {
    const [p, q] = [placeOf.get(a)!, placeOf.get(b)!];
    for (let i = 0; i < triangles.length; i += 2) {
      const [s, t] = [first[p] + triangles[i], first[q] + triangles[i + 1]];
      pairs.push(Math.min(s, t), Math.max(s, t));
    }
  }
  return Uint32Array.from(pairs);
}
