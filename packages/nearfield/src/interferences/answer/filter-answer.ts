// Applies a pair filter to an engine's answer. If only the GPU can find the candidates, they are filtered after the
// search.

import type { Body } from '../../bodies/body.ts';
import type { RawAnswer } from '../request.ts';

/** The answer without the candidates that `keep` rejects, and without their records. */
export function filterAnswer(
  raw: RawAnswer,
  bodies: readonly Body[],
  keep: (a: Body, b: Body) => boolean,
): RawAnswer {
  const { candidates, certain, unsure, unsureCorners, counts, known, outside, stoppedAtFirst } = raw;
  // Per candidate, its new index plus one; 0 if it is left out.
  const places = new Uint32Array(candidates.length / 2);
  let count = 0;
  for (let c = 0; c < places.length; c++) {
    if (keep(bodies[candidates[2 * c]], bodies[candidates[2 * c + 1]])) places[c] = ++count;
  }
  const isKept = (record: number, records: Uint32Array) => places[records[record]] > 0;
  const recordsOf = (records: Uint32Array) => {
    const kept = everyThird(records).filter(r => isKept(r, records));
    return Uint32Array.from(kept.flatMap(r => [places[records[r]] - 1, records[r + 1], records[r + 2]]));
  };
  const cornersOf = (corners: Uint32Array) => {
    const kept = everyThird(unsure).filter(r => isKept(r, unsure));
    return Uint32Array.from(kept.flatMap(r => [...corners.subarray(6 * r, 6 * r + 18)]));
  };
  return {
    ...raw,
    candidates: candidates.filter((_, i) => places[i >> 1] > 0),
    certain: recordsOf(certain),
    unsure: recordsOf(unsure),
    unsureCorners: unsureCorners && cornersOf(unsureCorners),
    counts: counts?.filter((_, c) => places[c] > 0),
    known: known?.filter((_, c) => places[c] > 0),
    outside: outside?.filter((_, c) => places[c] > 0),
    stoppedAtFirst:
      typeof stoppedAtFirst === 'object' ? stoppedAtFirst.filter((_, c) => places[c] > 0) : stoppedAtFirst,
  };
}

const everyThird = (records: Uint32Array): number[] =>
  Array.from({ length: records.length / 3 }, (_, i) => 3 * i);
