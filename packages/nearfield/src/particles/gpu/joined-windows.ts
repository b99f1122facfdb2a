// Joins windows that were found one after the other into the one that was asked for.

import { type Found, recordWords, unsureFlag } from '../seam.ts';

export const noStats = {
  backend: 'gpu' as const,
  ...{ first: 0, unsure: 0, unsureFirst: 0, border: 0, due: 0, dispatches: 0, growths: 0 },
};

/**
 * A particle that is undecided in one window is not examined in those after it. An impact where two of them join may be
 * in both lists.
 */
export function joined(parts: readonly Found[]): Found {
  const open = new Set<number>();
  const borders = new Set<string>();
  const certain: number[] = [];
  const toDecide: number[] = [];
  const stats = { ...noStats };
  for (const part of parts) {
    const before = new Set(open);
    const take = (records: Uint32Array, out: number[]) => {
      for (let i = 0; i < records.length; i += recordWords) {
        if (before.has(records[i])) continue;
        if (records[i + 3] !== 0) {
          const name = `${records[i]} ${records[i + 1]} ${records[i + 2]}`;
          if (borders.has(name)) continue;
          borders.add(name);
        }
        out.push(records[i], records[i + 1], records[i + 2], records[i + 3]);
        if ((records[i + 3] & unsureFlag) !== 0) open.add(records[i]);
      }
    };
    take(part.certain, certain);
    take(part.toDecide, toDecide);
    for (const name of ['due', 'dispatches', 'growths'] as const) {
      stats[name] += part.stats[name];
    }
  }
  return { certain: Uint32Array.from(certain), toDecide: Uint32Array.from(toDecide), stats };
}
