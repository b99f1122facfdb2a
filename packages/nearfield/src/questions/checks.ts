// Run-time checks of arguments. Callers without TypeScript get a NearfieldError with a clear sentence instead of a
// TypeError.

import { Body } from '../bodies/body.ts';
import { bad, inWords, isObject } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { Mesh } from '../mesh/mesh.ts';

export function checkIsMesh(given: unknown): void {
  if (given instanceof Mesh) return;
  throw bad(`scene.add takes a mesh: mesh(positions, indices), not ${inWords(given)}`);
}

export function checkIsBody(given: unknown): void {
  if (given instanceof Body) return;
  throw bad(`${nameOf(given)} is not a body: pass what scene.add returned`);
}

/** For questions about two bodies. Call it before reading anything from them. */
export function checkTwo(question: string, a: unknown, b: unknown): void {
  if (a instanceof Body && b instanceof Body) return;
  const [which, given] = a instanceof Body ? ['b', b] : ['a', a];
  const help = `pass what scene.add returned as ${which}`;
  throw bad(`${question} takes two bodies, and ${nameOf(given)} is not a body: ${help}`);
}

/** For questions about one body or several: the list, not yet checked to be bodies. */
export function bodiesOf(bodies: Body | readonly Body[]): readonly Body[] {
  if (bodies instanceof Body) return [bodies];
  if (isObject(bodies) && Symbol.iterator in bodies && !ArrayBuffer.isView(bodies)) return [...bodies];
  throw bad(`bodies must be one body or a list of bodies; got ${inWords(bodies)}`);
}

/** For questions about solids. `so` says what follows if the mesh bounds no solid. */
export function checkSolid(body: Body, mesh: Mesh, so = 'it has no inside'): void {
  if (mesh.solid) return;
  const why = mesh.closed ? 'is not consistently oriented' : 'is open';
  throw new NearfieldError('not-solid', `${body.name} ${why}: ${so}`);
}

/** Catches a second body passed in place of options. */
export function checkList(question: string, options: unknown): void {
  if (options instanceof Body) throw bad(`${question} takes a list: [a, b]`);
}

/**
 * Throws if a body is not among a question's bodies: it was removed, or belongs to another scene. `option` names the
 * option.
 */
export function checkAmong(bodies: readonly Body[], body: Body, option?: string): void {
  if (bodies[body.row] === body || bodies.includes(body)) return;
  const where = option === undefined ? '' : `${option}: `;
  if (body.row < 0) throw new NearfieldError('closed', `${where}${body.name} is not in this scene any more`);
  throw bad(`${where}${body.name} is not in this scene: it belongs to another`);
}

/** Passing a body's name instead of the body is a common slip: the message shows the name as it is. */
const nameOf = (given: unknown): string => (typeof given === 'string' ? given : inWords(given));
