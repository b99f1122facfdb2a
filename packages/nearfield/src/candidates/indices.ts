// The indices of bodies, by their rows.

import type { Body } from '../bodies/body.ts';

const indicesOfBodies = new WeakMap<readonly Body[], Uint32Array>();

/** Indices of the bodies in rows. A list of bodies stays as it is: their indices are collected once. */
export function indicesAt(rows: Uint32Array, bodies: readonly Body[]): Uint32Array {
  let indices = indicesOfBodies.get(bodies);
  if (indices === undefined) {
    indices = Uint32Array.from(bodies, ({ index }) => index);
    indicesOfBodies.set(bodies, indices);
  }
  const out = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = indices[rows[i]];
  return out;
}
