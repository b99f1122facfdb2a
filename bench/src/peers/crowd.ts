// Nearfield with bodies that move, deform, come and go. Bodies that are new in a frame are added, bodies that left
// are removed, and the scene is asked for all pairs. The caller chooses the method.

import type { Body, Interferences, Scene } from 'nearfield';
import { type Case, type Frame, firstTriangles, presentIn } from '../case.ts';
import type { Session } from './engine.ts';

type Ask = (detail: 'list' | 'count') => Interferences | Promise<Interferences>;

export function crowdSession(scene: Scene, job: Case, ask: Ask): Session {
  const bodies: (Body | undefined)[] = job.bodies.map(() => undefined);
  const everybody = presentIn(job, {});
  let here: Body[] = [];
  let hereBefore: Uint32Array = new Uint32Array();
  /** Whether these are all bodies of the scene, in its order: then poses need no list of bodies. */
  let areAll = false;
  /** The bodies of a frame, in its order, which is that of the case: both lists are traversed once, side by side. */
  const comeAndGo = (frame: Frame): Body[] => {
    const { present = everybody } = frame;
    if (areSame(present, hereBefore)) return here;
    for (let k = 0, next = 0; k < hereBefore.length; k++) {
      const i = hereBefore[k];
      while (next < present.length && present[next] < i) next++;
      if (present[next] === i) continue;
      scene.remove(bodies[i]!);
      bodies[i] = undefined;
    }
    here = [];
    for (let k = 0; k < present.length; k++) {
      const i = present[k];
      here.push((bodies[i] ??= scene.add(job.bodies[i].mesh, job.bodies[i])));
    }
    hereBefore = present;
    const all = scene.bodies;
    areAll = all.length === here.length && here.every((body, k) => body === all[k]);
    return here;
  };
  const moved =
    (detail: 'list' | 'count') =>
    (frame: Frame): Interferences | Promise<Interferences> => {
      const now = comeAndGo(frame);
      if (frame.allPoses) scene.setPoses(frame.allPoses, areAll ? undefined : now);
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

function areSame(a: Uint32Array, b: Uint32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** Triangle pairs; the triangles of all bodies are numbered consecutively. */
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
