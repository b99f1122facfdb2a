// What a window of time took: how many of its impacts were first, unsure or on its border, and sums over all windows.

import type { Rows } from '../lives/rows.ts';
import type { ImpactStats, ParticleStats } from '../options.ts';
import { borderFlag, impactNumbers, impactRow, recordWords, unsureFlag } from '../seam.ts';

export const noCounts = { first: 0, unsure: 0, unsureFirst: 0, border: 0, due: 0, dispatches: 0, growths: 0 };

/** How many impacts of an engine's answer were first impacts, unsure, and on a border of the window. */
export function countsOf(certain: Uint32Array, toDecide: Uint32Array, rows: Rows, bounces: boolean) {
  let [first, unsure, unsureFirst, border] = [0, 0, 0, 0];
  if (!bounces) first = certain.length / recordWords;
  else for (let at = 2; at < certain.length; at += recordWords) if (certain[at] >>> 16 === 0) first++;
  for (let i = 0; i < rows.count; i++) if (rows.values[i * impactNumbers + impactRow.bounce] === 0) first++;
  for (let at = 0; at < toDecide.length; at += recordWords) {
    if (toDecide[at + 3] & unsureFlag) {
      unsure++;
      if (toDecide[at + 2] >>> 16 === 0) unsureFirst++;
    } else if (toDecide[at + 3] & borderFlag) border++;
  }
  return { first, unsure, unsureFirst, border };
}

/** The sums over all windows, with one window more. */
export function withWindow(sum: ParticleStats, stats: ImpactStats, impacts: number): ParticleStats {
  const add = (name: Exclude<keyof ImpactStats, 'backend'>) => sum[name] + stats[name];
  return {
    backend: sum.backend,
    windows: sum.windows + 1,
    impacts: sum.impacts + impacts,
    first: add('first'),
    unsure: add('unsure'),
    unsureFirst: add('unsureFirst'),
    border: add('border'),
    due: add('due'),
    dispatches: add('dispatches'),
    growths: add('growths'),
  };
}
