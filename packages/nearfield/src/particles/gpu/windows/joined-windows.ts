// Joins windows that were found one after the other into the one that was asked for.

import {
  type ColumnName,
  type Columns,
  type Found,
  recordWords,
  unsureFlag,
  wordsOfColumn,
} from '../../seam.ts';
import { noCounts } from '../../windows/window-stats.ts';

export const noStats = { backend: 'gpu' as const, ...noCounts };

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
  /** Per part, which certain records are left. */
  const left: number[][] = [];
  for (const part of parts) {
    const before = new Set(open);
    const taken: number[] = [];
    const take = (records: Uint32Array, out: number[], indices?: number[]) => {
      for (let i = 0; i < records.length; i += recordWords) {
        if (before.has(records[i])) continue;
        if (records[i + 3] !== 0) {
          const name = `${records[i]} ${records[i + 1]} ${records[i + 2]}`;
          if (borders.has(name)) continue;
          borders.add(name);
        }
        indices?.push(i / recordWords);
        out.push(records[i], records[i + 1], records[i + 2], records[i + 3]);
        if ((records[i + 3] & unsureFlag) !== 0) open.add(records[i]);
      }
    };
    take(part.certain, certain, taken);
    left.push(taken);
    take(part.toDecide, toDecide);
    for (const name of ['due', 'dispatches', 'growths'] as const) {
      stats[name] += part.stats[name];
    }
  }
  const columns = parts[0]?.columns && joinedColumns(parts, left, certain.length / recordWords);
  return { certain: Uint32Array.from(certain), toDecide: Uint32Array.from(toDecide), stats, columns };
}

/** The columns of the certain records that are left. */
function joinedColumns(parts: readonly Found[], left: readonly number[][], count: number): Columns {
  const join = (name: ColumnName): Uint32Array => {
    const words = wordsOfColumn(name);
    const out = new Uint32Array(words * count);
    let to = 0;
    for (const [i, part] of parts.entries()) {
      const column = part.columns![name]!;
      for (const index of left[i]) {
        for (let word = 0; word < words; word++) out[to++] = column[words * index + word];
      }
    }
    return out;
  };
  const names = Object.keys(parts[0].columns!) as ColumnName[];
  return Object.fromEntries(names.map(name => [name, join(name)]));
}
