// Whether what was given to a scene is what its types say: callers without a compiler get a sentence, not a TypeError.

import { Body } from '../bodies/body.ts';
import { bad, inWords } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { Mesh } from '../mesh/mesh.ts';

export function checkIsMesh(given: unknown): void {
  if (given instanceof Mesh) return;
  throw bad(`scene.add takes a mesh: mesh(positions, indices), not ${inWords(given)}`);
}

export function checkIsBody(given: unknown): void {
  if (given instanceof Body) return;
  throw bad(`${nameOf(given)} is not a body: pass what scene.add gave`);
}

/** For questions about two bodies, before anything is read of them. */
export function checkTwo(question: string, a: unknown, b: unknown): void {
  if (a instanceof Body && b instanceof Body) return;
  const [which, given] = a instanceof Body ? ['b', b] : ['a', a];
  const help = `${which} is what scene.add gave`;
  throw bad(`${question} takes two bodies, and ${nameOf(given)} is not a body: ${help}`);
}

/** For questions about what is inside: `so` is what follows for a mesh that has no inside. */
export function checkSolid(body: Body, mesh: Mesh, so = 'it has no inside'): void {
  if (mesh.solid) return;
  const why = mesh.closed ? 'is not consistently oriented' : 'is open';
  throw new NearfieldError('not-solid', `${body.name} ${why}: ${so}`);
}

/** Catches a second body where options belong. */
export function checkList(question: string, options: unknown): void {
  if (options instanceof Body) throw bad(`${question} takes a list: [a, b]`);
}

/** Refuses a body that a question does not see: one of another scene, or one that left. `option` is where it was given. */
export function checkAmong(bodies: readonly Body[], body: Body, option?: string): void {
  if (bodies[body.row] === body || bodies.includes(body)) return;
  const where = option === undefined ? '' : `${option}: `;
  if (body.row < 0) throw new NearfieldError('closed', `${where}${body.name} is not in this scene any more`);
  throw bad(`${where}${body.name} is not in this scene: it belongs to another`);
}

/** A body's name instead of the body is a common slip: it is shown as it is. */
const nameOf = (given: unknown): string => (typeof given === 'string' ? given : inWords(given));
