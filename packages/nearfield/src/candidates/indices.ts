// From rows in the table to body indices.

import type { Body } from '../bodies/body.ts';
import { factOf } from '../bodies/snapshot/facts.ts';

/** The index of the body in each of these rows. */
export function indicesAt(rows: Uint32Array, bodies: readonly Body[]): Uint32Array {
  const indices = factOf(bodies, findIndices);
  // Unless a body was removed, the rows are the indices.
  if (indices === undefined) return rows.slice();
  const out = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = indices[rows[i]];
  return out;
}

/** Per row, the index of its body; undefined if that is the row everywhere. */
function findIndices(bodies: readonly Body[]): Uint32Array | undefined {
  // A loop: `Uint32Array.from` and `every` take three times as long.
  const indices = new Uint32Array(bodies.length);
  let areRows = true;
  for (let row = 0; row < bodies.length; row++) {
    indices[row] = bodies[row].index;
    areRows &&= indices[row] === row;
  }
  return areRows ? undefined : indices;
}
