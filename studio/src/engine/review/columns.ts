// Pairs as columns of numbers.

import {
  type DeepPair,
  type fingerprintOf,
  geometryHash,
  type OpenPair,
  relations,
  verdictOf,
  verdictOrder,
} from '@nearfield/clashes';
import type { Measured, PairColumns } from './types.ts';

type Fingerprint = ReturnType<typeof fingerprintOf>;

export function columnsOf(
  pairs: readonly OpenPair[],
  ids: Uint32Array,
  clashes: readonly string[],
  prints: readonly Fingerprint[],
  deep: ReadonlyMap<OpenPair, DeepPair>,
): PairColumns {
  const count = pairs.length;
  const columns = {
    bodies: new Uint32Array(2 * count),
    relations: new Uint8Array(count),
    triangleCounts: new Uint32Array(count),
    distances: new Float64Array(count).fill(Number.NaN),
    ends: new Float64Array(6 * count).fill(Number.NaN),
    verdicts: new Uint8Array(count),
    deep: new Uint8Array(count),
    undecided: new Uint8Array(count),
    tests: new Int32Array(count),
    depths: new Float64Array(2 * count),
    bounds: new Float64Array(count),
    clashes: new Float64Array(count),
    geometries: new Float64Array(count),
    same: new Uint8Array(count),
  };
  for (const [i, pair] of pairs.entries()) {
    const { a, b, distance, pointA, pointB, depth, test = -1, undecided } = pair;
    columns.bodies.set([ids[a], ids[b]], 2 * i);
    columns.relations[i] = relations.indexOf(pair.relation);
    columns.triangleCounts[i] = pair.triangleCount;
    if (distance !== undefined) columns.distances[i] = distance;
    if (pointA && pointB) columns.ends.set([...pointA, ...pointB], 6 * i);
    columns.verdicts[i] = verdictOrder.indexOf(verdictOf(pair));
    columns.deep[i] = deep.has(pair) ? 1 : 0;
    columns.undecided[i] = undecided ? 1 : 0;
    columns.tests[i] = test;
    columns.depths.set([depth?.lower ?? Number.NaN, depth?.upper ?? Number.NaN], 2 * i);
    columns.bounds[i] = boxDepth(prints[a].box, prints[b].box);
    columns.clashes[i] = Number.parseInt(clashes[i], 16);
    columns.geometries[i] = Number.parseInt(geometryHash(prints[a], prints[b]), 16);
    columns.same[i] = prints[a].mesh === prints[b].mesh && prints[a].pose === prints[b].pose ? 1 : 0;
  }
  return columns;
}

/** The shortest translation along an axis that separates two boxes. */
function boxDepth(p: Fingerprint['box'], q: Fingerprint['box']): number {
  if (p === undefined || q === undefined) return 0;
  let least = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    least = Math.min(least, p[axis + 3] - q[axis], q[axis + 3] - p[axis]);
  }
  return Math.max(least, 0);
}

export function measuredColumns(rows: Uint32Array, pairs: readonly OpenPair[]): Measured {
  const depths = new Float64Array(2 * rows.length);
  const translations = new Float64Array(3 * rows.length);
  const verdicts = new Uint8Array(rows.length);
  const undecided = new Uint8Array(rows.length);
  for (const [i, row] of rows.entries()) {
    const pair = pairs[row];
    depths.set([pair.depth?.lower ?? Number.NaN, pair.depth?.upper ?? Number.NaN], 2 * i);
    if (pair.translation) translations.set(pair.translation, 3 * i);
    verdicts[i] = verdictOrder.indexOf(verdictOf(pair));
    undecided[i] = pair.undecided ? 1 : 0;
  }
  return { rows, depths, translations, verdicts, undecided };
}

/** The buffers of columns, to be handed over. */
export const buffersOf = (columns: object): ArrayBuffer[] =>
  Object.values(columns).flatMap(value => (ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : []));
