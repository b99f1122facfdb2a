// Whether what was given to a scene is what its types say: callers without a compiler get a sentence, not a TypeError.

import { NearfieldError } from '../errors.ts';
import { Mesh } from '../mesh/mesh.ts';
import { Body } from './bodies/body.ts';

export function checkIsMesh(given: unknown): void {
  if (given instanceof Mesh) return;
  throw new NearfieldError('bad-option', 'scene.add takes a mesh: mesh(positions, indices)');
}

export function checkIsBody(given: unknown): void {
  if (given instanceof Body) return;
  throw new NearfieldError('bad-option', `${kindOf(given)} is not a body: pass what scene.add gave`);
}

/** For questions about two bodies, before anything is read of them. */
export function checkTwo(question: string, a: unknown, b: unknown): void {
  if (a instanceof Body && b instanceof Body) return;
  const given = kindOf(a instanceof Body ? b : a);
  throw new NearfieldError('bad-option', `${question} takes two bodies, and ${given} is not a body`);
}

/** For questions about what is inside: `so` is what follows for a mesh that has no inside. */
export function checkSolid(body: Body, mesh: Mesh, so = 'it has no inside'): void {
  if (mesh.solid) return;
  const why = mesh.closed ? 'is not consistently oriented' : 'is open';
  throw new NearfieldError('not-solid', `${body.name} ${why}: ${so}`);
}

/** Catches a second body where options belong. */
export function checkList(question: string, options: unknown): void {
  if (!(options instanceof Body)) return;
  throw new NearfieldError('bad-option', `${question} takes a list: [a, b]`);
}

const kindOf = (given: unknown): string =>
  typeof given === 'object' && given !== null ? (given.constructor?.name ?? 'an object') : String(given);
