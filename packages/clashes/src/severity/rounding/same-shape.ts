// Is a changed body still the same shape? A plate thinner than the rounding, drawn inwards, could be flat or inside out, and
// then have no interior in common with a wall that it goes through. So a change counts only if
//  - no face turns over or loses its area,
//  - no two vertices come together,
//  - no two triangles meet that did not meet before,
//  - and if two triangles did meet, no changed one of them lies against another that faces the other way.
// Then all points of the changed faces bound what the body bounds (docs/exact.md).

import type { Mesh } from 'nearfield';
import { normalsOf } from './drawn-in.ts';

/** Faces that meet at less than about 8 degrees and face opposite ways may lie against each other. */
const opposite = -0.99;

/** Triangles (i, j), i < j, of one mesh that share more than their common positions, two numbers per pair. */
export type SelfContacts = Uint32Array;

/**
 * The triangles, by index, that are not as they were. If there are none, the body is the same shape. Self-contacts are
 * asked for only if the rest is in order.
 */
export async function wrongTriangles(
  before: Mesh,
  after: Mesh,
  contactsBefore: () => Promise<SelfContacts>,
  contactsAfter: () => Promise<SelfContacts>,
): Promise<Set<number>> {
  const wrong = new Set<number>();
  const [was, is] = [normalsOf(before), normalsOf(after)];
  for (let i = 0; i < was.length; i += 3) {
    const hadArea = was[i] !== 0 || was[i + 1] !== 0 || was[i + 2] !== 0;
    if (hadArea && !(dotAt(was, i, is, i) > 0)) wrong.add(i / 3);
  }
  if (wrong.size > 0) return wrong;
  if (after.adjacency.positionCount !== before.adjacency.positionCount) {
    after.indices.forEach((v, i) => {
      const first = after.adjacency.vertexOf[v];
      if (before.adjacency.vertexOf[first] !== before.adjacency.vertexOf[v]) wrong.add(Math.floor(i / 3));
    });
    return wrong;
  }
  const meet = await contactsAfter();
  if (meet.length === 0) return wrong;
  const met = new Set<number>();
  const count = before.triangleCount;
  const old = await contactsBefore();
  for (let k = 0; k < old.length; k += 2) met.add(old[k] * count + old[k + 1]);
  for (let k = 0; k < meet.length; k += 2) {
    const [i, j] = [meet[k], meet[k + 1]];
    if (met.has(i * count + j)) {
      if (!isChanged(before, after, i) && !isChanged(before, after, j)) continue;
      const lengths = Math.sqrt(dotAt(is, 3 * i, is, 3 * i) * dotAt(is, 3 * j, is, 3 * j));
      if (dotAt(is, 3 * i, is, 3 * j) > opposite * lengths) continue;
    }
    wrong.add(i).add(j);
  }
  return wrong;
}

function isChanged({ positions: p, indices }: Mesh, { positions: q }: Mesh, t: number): boolean {
  for (let k = 3 * t; k < 3 * t + 3; k++)
    for (let i = 3 * indices[k]; i < 3 * indices[k] + 3; i++) if (p[i] !== q[i]) return true;
  return false;
}

const dotAt = (u: Float64Array, i: number, v: Float64Array, j: number): number =>
  u[i] * v[j] + u[i + 1] * v[j + 1] + u[i + 2] * v[j + 2];
