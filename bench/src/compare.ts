// Compares an engine's pairs with the exact answer: how many it found, missed and invented.

export interface Comparison {
  readonly found: number;
  readonly missed: number;
  readonly false: number;
}

/** Both have two numbers per pair, in any order. A repeated pair counts once. */
export function comparePairs(exact: Uint32Array, given: Uint32Array): Comparison {
  const [want, have] = [keysOf(exact), keysOf(given)];
  let [i, j, found] = [0, 0, 0];
  while (i < want.length && j < have.length) {
    if (want[i] === have[j]) {
      found++;
      i++;
      j++;
    } else if (want[i] < have[j]) i++;
    else j++;
  }
  return { found, missed: want.length - found, false: have.length - found };
}

export function addComparisons(a: Comparison, b: Comparison): Comparison {
  return { found: a.found + b.found, missed: a.missed + b.missed, false: a.false + b.false };
}

/** Sorted, without repeats. Indices stay below 2²⁶, so a pair fits a double exactly. */
function keysOf(pairs: Uint32Array): Float64Array {
  const keys = new Float64Array(pairs.length / 2);
  for (let i = 0; i < keys.length; i++) keys[i] = pairs[2 * i] * 2 ** 26 + pairs[2 * i + 1];
  keys.sort();
  let length = 0;
  for (const key of keys) if (length === 0 || keys[length - 1] !== key) keys[length++] = key;
  return keys.subarray(0, length);
}
