// Turns the findings of the GPU among many candidates into an answer: pairs of bodies in order, with the lines that are
// left open about them.

import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import type { EngineStats } from '../../../core/stats.ts';
import { LineCaster } from '../../raster/exact/cast-line.ts';
import { lineBounds } from '../lists/collected.ts';
import { longestCommon } from '../lists/open-lines.ts';
import { Found, type OpenLine, type RawEdges, type SceneFindings, type SceneTask } from '../sampling.ts';
import { viewAt } from './lattice.ts';
import type { Laid } from './laying.ts';

export interface ReadFindings {
  readonly laid: Laid;
  readonly sceneOrigin: Float64Array;
  /** The largest error of a stretch's end, in pixels. */
  readonly error: number;
  readonly fragments: number;
  readonly edgeFragments: number;
  /** Four words per pair: two bodies, their candidate, flags. */
  readonly found: Uint32Array;
  /** Eight words per line (collect-found.wgsl). */
  readonly lines: Uint32Array;
  /** Four words per point (cast-edges.wgsl). */
  readonly hits: Uint32Array;
  readonly stats: EngineStats;
}

export function collectFindings(task: SceneTask, found: ReadFindings): SceneFindings {
  const { laid, stats } = found;
  const { pixel } = laid;
  const error = found.error * (1 + 2 ** -20);
  const { placeOf, rows, flags } = inOrder(found, task);
  const bounds = lineBounds(pixel, error);
  const lines = linesOf(found, task, placeOf, bounds.mayReportWithin);
  return {
    rows,
    found: flags,
    lines,
    edges: edgesOf(found, placeOf),
    ...bounds,
    raycast: {
      resolution: task.resolution,
      pixel,
      directions: task.views,
      tiles: laid.tiles,
      fragments: found.fragments,
      edgeFragments: found.edgeFragments,
      recast: 0,
      byRaysAlone: 0,
      byEdgesAlone: 0,
      selfHits: 0,
      inSeveral: 0,
      early: task.ask === 'any' && found.found.length > 0,
    },
    stats,
  };
}

/** Points of edges, for the candidates in `placeOf`. */
function edgesOf({ hits }: ReadFindings, placeOf: ReadonlyMap<number, number>): RawEdges {
  const owners = new Uint32Array(hits.length / 2);
  const along = new Float32Array(hits.length / 4);
  const floats = new Float32Array(hits.buffer, hits.byteOffset, hits.length);
  let count = 0;
  for (let i = 0; i < hits.length; i += 4) {
    const place = placeOf.get(hits[i]);
    if (place === undefined) continue;
    owners[2 * count] = place;
    owners[2 * count + 1] = hits[i + 1];
    along[count] = floats[i + 2];
    count++;
  }
  return { owners: owners.subarray(0, 2 * count), along: along.subarray(0, count), points: undefined };
}

/**
 * The pairs with findings or open lines, in order, and the candidates whose points and lines still have to be examined:
 * all if edges are asked for, else those for which nothing is certain.
 */
function inOrder({ found, lines, hits, laid }: ReadFindings, { ask, sortRecords }: SceneTask) {
  const count = found.length / 4;
  const open = onlyOpen(found, lines, laid.candidates);
  // Sorted by the two bodies. The third number says which record it came from.
  const total = count + open.length;
  const records = new Uint32Array(3 * total);
  for (let i = 0, from = 0, to = 0; i < count; i++, from += 4, to += 3) {
    records[to] = found[from];
    records[to + 1] = found[from + 1];
    records[to + 2] = i;
  }
  for (let i = count, to = 3 * count; i < total; i++, to += 3) {
    const from = open[i - count];
    records[to] = lines[from];
    records[to + 1] = lines[from + 1];
    records[to + 2] = i;
  }
  sortRecords(records);
  const rows = new Uint32Array(2 * total);
  const flags = new Uint8Array(total);
  const isAsked = lines.length > 0 || hits.length > 0;
  const sure = ask === 'any' || ask === 'pairs' ? Found.ray | Found.certain : 0;
  const placeOf = new Map<number, number>();
  for (let place = 0, at = 0; place < total; place++, at += 3) {
    const from = records[at + 2];
    rows[2 * place] = records[at];
    rows[2 * place + 1] = records[at + 1];
    const flag = from < count ? found[4 * from + 3] : 0;
    flags[place] = flag;
    if (!isAsked || (flag & sure) !== 0) continue;
    placeOf.set(from < count ? found[4 * from + 2] : lines[open[from - count] + 2], place);
  }
  return { placeOf, rows, flags };
}

/**
 * The first open line of each candidate that has open lines but no findings. Most candidates are found, and hardly any
 * line is open.
 */
function onlyOpen(found: Uint32Array, lines: Uint32Array, candidates: number): number[] {
  const open: number[] = [];
  if (lines.length === 0) return open;
  const known = new Uint8Array(candidates);
  for (let i = 2; i < found.length; i += 4) known[found[i]] = 1;
  for (let i = 0; i < lines.length; i += 8) {
    const candidate = lines[i + 2];
    if (known[candidate] !== 0) continue;
    known[candidate] = 1;
    open.push(i);
  }
  return open;
}

function linesOf(
  { lines, laid, sceneOrigin }: ReadFindings,
  { bodyAt }: SceneTask,
  placeOf: ReadonlyMap<number, number>,
  least: number,
): OpenLine[] {
  const origin = sceneOrigin.slice();
  const signed = new Int32Array(lines.buffer, lines.byteOffset, lines.length);
  const open: OpenLine[] = [];
  for (let at = 0; at < lines.length; at += 8) {
    const candidate = placeOf.get(lines[at + 2]);
    if (candidate === undefined) continue;
    const isCommon: OpenLine['isCommon'] = cpu => {
      const view = viewAt(origin, laid.pixel, lines[at + 3], signed.subarray(at + 4, at + 7));
      const caster = new LineCaster(view, [bodyAt(lines[at]), bodyAt(lines[at + 1])], finderOf(cpu));
      return longestCommon(caster.cast(0, 0)) > least;
    };
    open.push({ candidate, isCommon });
  }
  return open.sort((p, q) => p.candidate - q.candidate);
}
