// The triangles of a body that each of many rays, boxes or spheres meets or may meet: a GPU finds them, the CPU
// decides.

import { isOutOfMemory } from '../core/errors.ts';
import { type Limits, limitsOfPart } from '../core/limits.ts';

export interface GivenTriangles {
  /** Two words per ray, box or sphere: the place of its first word and how many there are, or `leftOpen`. */
  readonly ranges: Uint32Array;
  /** Triangle · 2, plus 1 unless it is certainly met. Those of one in any order. */
  readonly words: Uint32Array;
}

/** The number of words of one that was left to the other engine. */
export const leftOpen = 0xffffffff;

/** For fewer rays, boxes or spheres the CPU takes less time than a GPU needs to answer at all. */
const worthAsking = 64;

/**
 * Asks a GPU about one body after another. `undefined` stands for bodies that the CPU has to search: those with few
 * rays, boxes or spheres, those that single precision cannot tell, and all further ones once the GPU is out of
 * memory.
 */
export async function askEach(
  counts: readonly number[],
  limits: Limits,
  ask: (body: number, limits: Limits) => Promise<GivenTriangles | undefined>,
): Promise<(GivenTriangles | undefined)[]> {
  const given: (GivenTriangles | undefined)[] = counts.map(() => undefined);
  const asked = counts.flatMap((count, body) => (count >= worthAsking ? [body] : []));
  try {
    for (const [i, body] of asked.entries())
      given[body] = await ask(body, limitsOfPart(limits, i / asked.length, (i + 1) / asked.length));
  } catch (error) {
    if (!isOutOfMemory(error)) throw error;
  }
  return given;
}
