// Published queries of moving features with symbolic answers: cloth-funnel, step 227, of the Sample Scalable CCD data. They are no part of
// the project: tests with them run where the files are.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder =
  process.env.NEARFIELD_SUITES ?? fileURLToPath(new URL('../../../../shared/suites', import.meta.url));

export const hasPublishedQueries = existsSync(`${folder}/ccd`);

/** Queries of 24 numbers: four points at time 0, then at time 1. `truth` says which have a contact. */
export function publishedQueries(kind: 'vf' | 'ee'): { queries: number[][]; truth: boolean[] } {
  const points = readFileSync(`${folder}/ccd/227${kind}.csv`, 'utf8')
    .trim()
    .split('\n')
    .flatMap(row => {
      const numbers = row.split(',').map(Number);
      return [0, 2, 4].map(i => {
        const quotient = numbers[i] / numbers[i + 1];
        // Every coordinate is a double: numerators have at most 53 bits, denominators are powers of two.
        const isExact =
          quotient * numbers[i + 1] === numbers[i] && Number.isInteger(Math.log2(numbers[i + 1]));
        if (!isExact) throw new Error(`${kind}: ${row} is no double`);
        return quotient;
      });
    });
  const truth: boolean[] = JSON.parse(readFileSync(`${folder}/ccd/227${kind}_mma_bool.json`, 'utf8'));
  if (points.length !== 24 * truth.length) throw new Error(`${kind}: ${points.length} numbers`);
  return { queries: truth.map((_, i) => points.slice(24 * i, 24 * i + 24)), truth };
}
