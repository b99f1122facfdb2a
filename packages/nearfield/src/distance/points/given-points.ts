// The points of a question. The caller may overwrite its array once the call has returned, so they are copied before that:
// but only after a GPU that is free has begun with them, since the copy takes as long as half of its work.

import type { AskedPoints } from '../request.ts';

/** The points that a caller gave, and memory for their copy. The copy is made when it is first read. */
export function givenPoints(given: Float32Array | Float64Array, copy: Float64Array): AskedPoints {
  let left: typeof given | undefined = given;
  return {
    count: given.length / 3,
    get now() {
      return left ?? copy;
    },
    get copy() {
      if (left) copy.set(left);
      left = undefined;
      return copy;
    },
  };
}
