// Interferences by depth layers: the method 'layers'. It is used when a caller wants collision maps (`mapsOf`), or asks
// about two solids again and again while one moves against the other (`reuse`). Each candidate is viewed along one
// direction or several. Lines that the GPU leaves open are cast, and triangles that no line saw are tested exactly. The
// answer says how far it can be relied on (proof.md).

import { KeptBodies } from '../../bodies/kept-bodies.ts';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { Candidates } from '../../candidates/candidates.ts';
import { filterRules, type PairFilter } from '../../candidates/filter.ts';
import { anything, limitRules, type Rules } from '../../core/arguments.ts';
import type { Limits } from '../../core/limits.ts';
import type { EngineStats } from '../../core/stats.ts';
import { inSlices } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { exactly } from '../../interferences/answer/answer.ts';
import { withoutGpu } from '../../interferences/method.ts';
import { checkSolid } from '../../questions/checks.ts';
import type { Question } from '../../questions/question.ts';
import { crossingError } from '../raster/exact/crossings.ts';
import { castPixels } from '../raster/exact/exact-lines.ts';
import type { View } from '../raster/view.ts';
import { type Sample, samplerOf } from '../sampling.ts';
import { LayersInterferences } from './answer.ts';
import { CollisionCase, exchanged, orderOfCast } from './cases.ts';
import { CollisionMap } from './collision-map.ts';
import { type PairView, viewsOfPair } from './direction/pair-views.ts';
import {
  type LayersOptions,
  type LayersRequest,
  type LayersStats,
  layersOf,
  layersRules as ownRules,
} from './options.ts';
import type { LayersPair, RawLayers } from './sampling.ts';
import { spikesMeet } from './spikes/exact-spikes.ts';

/** Interferences by layers in depth (Myszkowski, Okunev and Kunii). */
export interface LayersQuestion extends PairFilter, Limits, LayersOptions {
  /** Names the method. */
  readonly method: 'layers';
}

export const layersRules: Rules<LayersQuestion> = {
  ...limitRules,
  ...filterRules,
  ...ownRules,
  method: anything,
};

/** More common stretches of one line than this, cut by coincident faces, may hide each other (proof.md). */
const cuts = 32;

export function layers(candidates: Candidates, options: LayersQuestion): Promise<LayersInterferences> {
  const request = layersOf(options);
  const { question, core } = candidates;
  const { engine, cpu } = core;
  const sample = samplerOf(engine);
  if (sample === undefined) throw withoutGpu('layers');
  return core.withPositions(question, options, async () => {
    const { rows } = candidates;
    checkSolids(rows, question);
    const pairs = Array.from({ length: rows.length / 2 }, (_, c) => {
      const two = [question.readableAt(rows[2 * c]), question.readableAt(rows[2 * c + 1])] as const;
      return new PairOfBodies(two, request, sample, cpu, options.signal);
    });
    const total = new Total(request);
    await viewAll(pairs, request, sample, options);
    const maps: CollisionMap[][] = [];
    for (const pair of pairs) maps.push(await pair.decide(total));
    const meeting = Array.from(pairs.keys()).filter(c => pairs[c].isMeeting);
    const pairRows = Uint32Array.from(meeting.flatMap(c => [rows[2 * c], rows[2 * c + 1]]));
    const found = {
      bodies: question.bodies,
      rows: pairRows,
      triangles: undefined,
      candidates: Uint32Array.from(meeting),
      countOf: undefined,
      snapshot: new KeptBodies(question.seen, pairRows),
    };
    const answer = { ...total.reliability, stats: total.stats, layers: total.layers };
    return new LayersInterferences(found, cpu, answer, maps, candidates.indices);
  });
}

function checkSolids(rows: Uint32Array, { bodies, readableAt }: Question): void {
  for (const row of new Set(rows)) {
    checkSolid(bodies[row], readableAt(row).mesh, 'layers cannot tell its inside');
  }
}

/** Two bodies viewed along a direction, and what was found. `order` is 'ba' if the second is treated as A. */
interface ViewedPair {
  readonly pairView: PairView;
  readonly order: 'ab' | 'ba';
  raw: RawLayers | 'exchange' | undefined;
}

/**
 * Asks the engine about all pairs at once, then about those that are better viewed with the bodies exchanged. Kept maps
 * belong to one pair at a time.
 */
async function viewAll(
  pairs: readonly PairOfBodies[],
  request: LayersRequest,
  sample: Sample,
  { signal, progress }: Limits,
): Promise<void> {
  const groups = request.keep === undefined ? [pairs] : pairs.map(pair => [pair]);
  for (const [g, group] of groups.entries()) {
    for (const pair of group) await pair.start();
    for (const isFirst of [true, false]) {
      const open = group.flatMap(pair => pair.viewed.filter(({ raw }) => raw === undefined));
      if (open.length === 0) break;
      const asked = open.map(({ pairView }): LayersPair => {
        const { a, b, view, keep } = pairView;
        const { algorithm, layers, spikes, form } = request;
        const mayExchange = isFirst && algorithm === 'auto' && !keep?.isChosen;
        return { a, b, task: { algorithm, layers, spikes, form, view, keep, mayExchange } };
      });
      const told = isFirst ? (done: number) => progress?.((g + done) / groups.length) : undefined;
      const bodies = [...new Set(asked.flatMap(({ a, b }) => [a, b]))];
      const found = await sample(bodies, { signal, progress: told }, turn => turn.layers(asked));
      open.forEach((viewed, i) => {
        viewed.raw = found[i];
      });
      for (const pair of group) await pair.exchange();
    }
    for (const pair of group) pair.noteOrder();
  }
}

/** Two bodies whose boxes meet. */
class PairOfBodies {
  isMeeting = false;
  viewed: ViewedPair[] = [];
  readonly #bodies: readonly [Placed, Placed];
  readonly #request: LayersRequest;
  readonly #sample: Sample;
  readonly #cpu: CpuEngine;
  readonly #signal: AbortSignal | undefined;

  constructor(
    bodies: readonly [Placed, Placed],
    request: LayersRequest,
    sample: Sample,
    cpu: CpuEngine,
    signal: AbortSignal | undefined,
  ) {
    this.#bodies = bodies;
    this.#request = request;
    this.#sample = sample;
    this.#cpu = cpu;
    this.#signal = signal;
  }

  /** Chooses the views. */
  async start(): Promise<void> {
    const order = this.#request.keep?.order ?? 'ab';
    const pairViews = await this.#pairViews(order);
    this.viewed = pairViews.map(pairView => ({ pairView, order, raw: undefined }));
  }

  /** Views the pair again with the bodies exchanged, if the engine advised it. */
  async exchange(): Promise<void> {
    const { keep } = this.#request;
    for (let i = 0; i < this.viewed.length; i++) {
      const { pairView, order, raw } = this.viewed[i];
      if (raw !== 'exchange') continue;
      const other = order === 'ab' ? 'ba' : 'ab';
      // From now on the maps are kept in the frame of the other body.
      if (keep !== undefined) keep.isChosen = true;
      const next =
        keep === undefined
          ? { ...pairView, a: pairView.b, b: pairView.a }
          : (await this.#pairViews(other))[i];
      this.viewed[i] = { pairView: next, order: other, raw: undefined };
    }
  }

  /** Notes which body is A in the next question that reuses the maps. */
  noteOrder(): void {
    const { keep } = this.#request;
    if (keep === undefined) return;
    for (const { order, raw } of this.viewed) {
      const { second, overlapped } = (raw as RawLayers).counts;
      const isBehind = !keep.isChosen && 2 * second > overlapped;
      keep.order = isBehind === (order === 'ab') ? 'ba' : 'ab';
    }
  }

  async decide(total: Total): Promise<CollisionMap[]> {
    const maps: CollisionMap[] = [];
    // The engine cannot have answered 'exchange' here: pairs that it wanted exchanged were viewed again.
    for (const { pairView, order, raw } of this.viewed) {
      maps.push(await this.#decide(pairView, raw as RawLayers, order, total));
    }
    return maps;
  }

  #pairViews(order: 'ab' | 'ba'): Promise<PairView[]> {
    const [a, b] = order === 'ab' ? this.#bodies : [this.#bodies[1], this.#bodies[0]];
    return viewsOfPair(a, b, this.#request, (first, second, view) =>
      this.#sample([first, second], { signal: this.#signal }, turn =>
        turn.lines(first, second, view, 'solids'),
      ),
    );
  }

  /** Casts the lines and tests the triangles that were left open. */
  async #decide(pairView: PairView, raw: RawLayers, order: 'ab' | 'ba', total: Total): Promise<CollisionMap> {
    const byCasting = raw.rays.length > 0 ? crossingError(pairView.view, [pairView.a, pairView.b]) : 0;
    const error = Math.max(raw.error, byCasting) + pairView.slack;
    const limits = { signal: this.#signal };
    const bodies = order === 'ab' ? this.#bodies : ([this.#bodies[1], this.#bodies[0]] as const);
    await inSlices(castRays(pairView.worldView, bodies, raw, 2 * error, this.#cpu), limits, () => {});
    const { cases } = raw;
    if (order === 'ba') for (let i = 0; i < cases.length; i++) cases[i] = exchanged[cases[i]];
    const map = new CollisionMap(pairView.worldView, cases, raw.sequences, order === 'ba');
    const byLines = map.meeting > 0;
    let bySpikes = false;
    if (!byLines && !this.isMeeting && raw.spikes.length > 0) {
      // Twice a triangle's index, plus 0 for A or 1 for B.
      const spikes = order === 'ba' ? raw.spikes.map(entry => entry ^ 1) : raw.spikes;
      bySpikes = await inSlices(spikesMeet(this.#bodies, spikes, this.#cpu), limits, () => {});
    }
    this.isMeeting ||= byLines || bySpikes;
    total.add(pairView, raw, error, order, map, bySpikes);
    return map;
  }
}

/** Casts in the world, whatever frame the engine was asked in: exact decisions are about the world's doubles. */
function* castRays(
  view: View,
  bodies: readonly Placed[],
  { rays, cases, sequences }: RawLayers,
  least: number,
  cpu: CpuEngine,
): Generator<number, void> {
  if (rays.length === 0) return;
  yield* castPixels(view, bodies, finderOf(cpu), Array.from(rays), (column, row, crossings, crossers) => {
    const pixel = row * view.columns + column;
    const line = orderOfCast(crossers, column, row, crossings, least);
    cases[pixel] = line.value;
    sequences.set(pixel, line);
  });
}

/** Accumulates the findings of all views. */
class Total {
  readonly stats: EngineStats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
  readonly #layers: { -readonly [Key in keyof LayersStats]: LayersStats[Key] };
  #mayMissBelow = 0;
  #mayReportWithin = 0;
  #isFirst = true;

  readonly #form: LayersRequest['form'];

  constructor({ resolution, form }: LayersRequest) {
    this.#layers = {
      resolution,
      pixel: 0,
      directions: 0,
      passes: 1,
      order: 'ab',
      overlapped: 0,
      second: 0,
      convexA: 0,
      convexB: 0,
      general: 0,
      window: 0,
      sortSteps: 0,
      leftOut: 0,
      mostLayers: 0,
      overflows: 0,
      rays: 0,
      spikes: 0,
      bySpikesAlone: 0,
      reused: false,
      phases: [],
    };
    this.#form = form;
  }

  get layers(): LayersStats {
    return this.#layers;
  }

  get reliability() {
    if (this.#isFirst) return exactly;
    return {
      // How the rasteriser rounds is not specified, and odd and even do not show where a body winds around twice.
      mayMissBelow: this.#form === 'drawn' ? Infinity : this.#mayMissBelow,
      mayReportWithin: this.#mayReportWithin,
      complete: this.#layers.leftOut === 0,
    };
  }

  add(
    pairView: PairView,
    raw: RawLayers,
    error: number,
    order: 'ab' | 'ba',
    map: CollisionMap,
    bySpikes: boolean,
  ): void {
    const { pixel } = pairView.view;
    const { counts, stats } = raw;
    this.#isFirst = false;
    this.#mayMissBelow = Math.max(this.#mayMissBelow, 2 * Math.hypot(pixel * Math.SQRT1_2, cuts * error));
    this.#mayReportWithin = Math.max(this.#mayReportWithin, 2 * error);
    for (const key of Object.keys(this.stats) as (keyof EngineStats)[]) {
      this.stats[key] += stats[key];
    }
    const all = this.#layers;
    all.pixel = Math.max(all.pixel, pixel);
    all.directions++;
    all.order = order;
    const passes = counts.general > 0 ? 3 : counts.second > 0 ? 2 : 1;
    all.passes = Math.max(all.passes, passes) as 1 | 2 | 3;
    for (const key of [
      'overlapped',
      'second',
      'convexA',
      'convexB',
      'general',
      'window',
      'sortSteps',
      'overflows',
    ] as const) {
      all[key] += counts[key];
    }
    all.leftOut += map.counts[CollisionCase.leftOut];
    all.mostLayers = Math.max(all.mostLayers, counts.mostLayers);
    all.rays += raw.rays.length;
    all.spikes += raw.spikes.length;
    all.bySpikesAlone += bySpikes ? 1 : 0;
    all.reused ||= counts.reused;
    const { phases = [] } = raw;
    all.phases = Array.from({ length: Math.max(all.phases.length, phases.length) }, (_, i) => ({
      graphics: (all.phases[i]?.graphics ?? 0) + (phases[i]?.graphics ?? 0),
      software: (all.phases[i]?.software ?? 0) + (phases[i]?.software ?? 0),
    }));
  }
}
