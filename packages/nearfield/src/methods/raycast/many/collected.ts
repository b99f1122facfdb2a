// What the GPU found among many candidates, as an answer reads it: pairs of bodies in order, with what is left open of them.

import type { EngineStats } from '../../../scene/engine.ts';
import { LineCaster } from '../../raster/exact/cast-line.ts';
import { lineBounds } from '../lists/collected.ts';
import { longestCommon } from '../lists/open-lines.ts';
import { Found, type ManyTask, type OpenLine, type RawEdges, type RawMany } from '../sampling.ts';
import { viewAt } from './lattice.ts';
import type { Laid } from './laying.ts';

export interface FoundMany {
  readonly laid: Laid;
  readonly sceneOrigin: Float64Array;
  /** What ends of stretches are off by at most, in pixels. */
  readonly error: number;
  readonly fragments: number;
  readonly edgeFragments: number;
  /** Four words each: two bodies, their candidate, flags. */
  readonly found: Uint32Array;
  /** Eight words each (collect-found.wgsl). */
  readonly lines: Uint32Array;
  /** Four words each (cast-edges.wgsl). */
  readonly hits: Uint32Array;
  readonly stats: EngineStats;
}

export function collectMany(task: ManyTask, found: FoundMany): RawMany {
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

/** Points of edges, of the candidates whose place is known. */
function edgesOf({ hits }: FoundMany, placeOf: ReadonlyMap<number, number>): RawEdges {
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
 * Pairs of which something was found or a line is open, in order, and the places of those that points and lines are still to be
 * looked at of: all where edges are asked for, else those that nothing is certain of.
 */
function inOrder({ found, lines, hits }: FoundMany, { ask, sortRecords }: ManyTask) {
  const count = found.length / 4;
  // Of candidates with open lines alone, the first of those.
  const open: number[] = [];
  if (lines.length > 0) {
    const known = new Set<number>();
    for (let i = 0; i < found.length; i += 4) known.add(found[i + 2]);
    for (let i = 0; i < lines.length; i += 8) {
      if (known.has(lines[i + 2])) continue;
      known.add(lines[i + 2]);
      open.push(i);
    }
  }
  // Sorted by the two bodies; the third number says where a record came from.
  const total = count + open.length;
  const records = new Uint32Array(3 * total);
  for (let i = 0; i < total; i++) {
    const [words, at] = i < count ? [found, 4 * i] : [lines, open[i - count]];
    records[3 * i] = words[at];
    records[3 * i + 1] = words[at + 1];
    records[3 * i + 2] = i;
  }
  sortRecords(records);
  const rows = new Uint32Array(2 * total);
  const flags = new Uint8Array(total);
  const isAsked = lines.length > 0 || hits.length > 0;
  const sure = ask === 'any' || ask === 'pairs' ? Found.ray | Found.certain : 0;
  const placeOf = new Map<number, number>();
  for (let place = 0; place < total; place++) {
    const from = records[3 * place + 2];
    rows[2 * place] = records[3 * place];
    rows[2 * place + 1] = records[3 * place + 1];
    if (from < count) flags[place] = found[4 * from + 3];
    if (!isAsked || (flags[place] & sure) !== 0) continue;
    placeOf.set(from < count ? found[4 * from + 2] : lines[open[from - count] + 2], place);
  }
  return { placeOf, rows, flags };
}

function linesOf(
  { lines, laid, sceneOrigin }: FoundMany,
  { bodyAt }: ManyTask,
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
      const caster = new LineCaster(view, [bodyAt(lines[at]), bodyAt(lines[at + 1])], cpu);
      return longestCommon(caster.cast(0, 0)) > least;
    };
    open.push({ candidate, isCommon });
  }
  return open.sort((p, q) => p.candidate - q.candidate);
}
