// A window of time on a GPU: what the engine left unsure is decided, and the findings become impacts, and points to be painted
// into maps.

import { inSlices, toEnd } from '../../core/waiting.ts';
import type { Setup } from '../compiled.ts';
import type { Decider } from '../lives/decide.ts';
import { Rows } from '../lives/rows.ts';
import type { ImpactOptions } from '../options.ts';
import { type ParticleEngine, type Points, recordWords } from '../seam.ts';
import { LazyArrays, pointsOf } from './arrays.ts';
import { Impacts } from './impacts.ts';
import { countsOf, noCounts } from './window-stats.ts';

/** A window that was answered, and what is to be painted of it. */
export interface Window {
  readonly impacts: Impacts;
  readonly points?: () => Points;
}

/** The particles that a window is asked of, as they are when it is asked. */
export interface AskedWindow {
  readonly engine: ParticleEngine;
  readonly setup: Setup;
  readonly decider: Decider;
  /** Whether the GPU paints maps. */
  readonly paints: boolean;
  /** Whether the GPU paints the map of a collider. */
  readonly isPainted: (collider: number) => boolean;
  /** Throws if the particles were closed. */
  readonly checkOpen: () => void;
}

export async function windowOnGpu(
  { engine, setup, decider, paints, isPainted, checkOpen }: AskedWindow,
  from: number,
  to: number,
  { columns, ...limits }: ImpactOptions,
): Promise<Window> {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  if (low === high) {
    const stats = { ...noCounts, backend: 'gpu' as const };
    return { impacts: new Impacts(setup, from, to, 0, stats, () => new Float64Array(0)) };
  }
  const wanted = columns === 'single' ? 'read' : paints ? 'kept' : 'none';
  const { certain, toDecide, stats, columns: read, isKept } = await engine.find(low, high, limits, wanted);
  checkOpen();
  const rows = new Rows();
  engine.put(await inSlices(decider.decide(toDecide, low, high, rows), limits, checkOpen));
  const certainCount = certain.length / recordWords;
  const decided = rows.count;
  const whole = { ...stats, ...countsOf(certain, toDecide, rows, setup.bounces) };
  const source = { setup, start: low, certain, columns: read, rows: rows.values, rowCount: decided };
  const single = read && (() => new LazyArrays(source));
  const fill = () => {
    toEnd(decider.fill(certain, rows));
    return rows.values;
  };
  const impacts = new Impacts(setup, from, to, certainCount + decided, whole, fill, single);
  if (!paints || impacts.count === 0) return { impacts };
  const firstTexelOf = (collider: number) =>
    isPainted(collider) ? engine.firstTexelOf(collider) : undefined;
  const points = (): Points => ({
    kept: isKept ? certainCount : 0,
    ...pointsOf(setup, low, rows.values, decided, isKept ? undefined : read, firstTexelOf),
    backwards: from > to,
    span: high - low,
  });
  return { impacts, points };
}
