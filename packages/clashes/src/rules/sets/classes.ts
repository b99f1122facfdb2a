// Bodies that are in the same sets are asked the same, so decisions are made per class of bodies. An assembly with
// 100,000 bodies has a handful of classes.

import type { BodySet } from './body-set.ts';

export interface Classes {
  /** The class of each body. */
  readonly of: Uint32Array;
  /** One body per class, and the number of bodies in it. */
  readonly samples: readonly number[];
  readonly sizes: readonly number[];
}

/** Bodies are in one class if no set tells them apart. Classes are numbered in order of their first bodies. */
export function classesOf(bodyCount: number, sets: Iterable<BodySet>): Classes {
  const of = new Uint32Array(bodyCount);
  let count = bodyCount === 0 ? 0 : 1;
  for (const set of sets) {
    const renamed = new Int32Array(2 * count).fill(-1);
    count = 0;
    for (let body = 0; body < bodyCount; body++) {
      const key = 2 * of[body] + (set.has(body) ? 1 : 0);
      if (renamed[key] < 0) renamed[key] = count++;
      of[body] = renamed[key];
    }
  }
  const samples: number[] = [];
  const sizes = new Array<number>(count).fill(0);
  of.forEach((each, body) => {
    if (sizes[each]++ === 0) samples.push(body);
  });
  return { of, samples, sizes };
}
