// From rows in the table to body indices.

import type { Body } from '../bodies/body.ts';
import { factOf } from '../bodies/snapshot/facts.ts';

/** The index of the body in each of these rows. */
export function indicesAt(rows: Uint32Array, bodies: readonly Body[]): Uint32Array {
  const indices = factOf(bodies, findIndices);
  const out = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = indices[rows[i]];
  return out;
}

const findIndices = (bodies: readonly Body[]): Uint32Array => Uint32Array.from(bodies, ({ index }) => index);
