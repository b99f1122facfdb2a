// Records how the layers method decides about lines (Myszkowski, Okunev and Kunii 1995), test by test. The engine
// keeps the final case of each line. What a test left open follows from the order of the line's layers. That order is
// known for lines with four layers by their letter, and for lines that were sorted or cast; any other line is cast
// here.

import type { Body } from '../bodies/body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { Candidates } from '../candidates/candidates.ts';
import type { Limits } from '../core/limits.ts';
import { inSlices } from '../core/waiting.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { CollisionCase } from '../sampled/layers/cases.ts';
import type { CollisionMap } from '../sampled/layers/collision-map.ts';
import type { LayersOptions, LayersStats } from '../sampled/layers/options.ts';
import { layers } from '../sampled/layers/question.ts';
import { LineCaster } from '../sampled/raster/exact/cast-line.ts';

/** How the layers method comes to its answer. */
export interface LayersSteps {
  readonly method: 'layers';
  /** The case of every line, one map per direction; none if the boxes do not meet. */
  readonly maps: readonly CollisionMap[];
  /** Per map, the lines that its tests left open. */
  readonly passes: readonly LayersPasses[];
  readonly stats: LayersStats;
  readonly meets: boolean;
}

/** Per pixel, 1 if its line passes both bodies and is not decided yet. */
export interface LayersPasses {
  /**
   * After test (2): how many layers of one body lie in front of the far side of the other, which `stats.order` names
   * first.
   */
  readonly farSide: Uint8Array;
  /** After test (3), which also uses the near side: these lines are sorted, or cast. */
  readonly nearSide: Uint8Array;
}

/** Asks for the steps of the layers method. */
export interface LayersStepsOptions extends Limits, LayersOptions {
  readonly method: 'layers';
}

export async function layersSteps(
  core: SceneCore,
  a: Body,
  b: Body,
  options: LayersStepsOptions,
): Promise<LayersSteps> {
  // In the order of their indices, which is that of A and B in the maps.
  const [first, second] = a.index < b.index ? [a, b] : [b, a];
  const question = core.questionAbout(first, second);
  const found = await layers(new Candidates(question, core), options);
  const maps = found.mapsOf({ a: first, b: second });
  const passes: LayersPasses[] = [];
  for (const map of maps) {
    const caster = new LineCaster(
      map.view,
      [question.readableAt(0), question.readableAt(1)],
      finderOf(core.cpu),
    );
    const work = passesOf(map, found.layers.order, caster);
    passes.push(await inSlices(work, { signal: options.signal }, () => core.checkOpen()));
  }
  return { method: 'layers', maps, passes, stats: found.layers, meets: found.length > 0 };
}

/** The order of the four layers, per case. */
const letters = ['', 'AABB', 'ABAB', 'BAAB', 'ABBA', 'BABA', 'BBAA'];

function* passesOf(
  map: CollisionMap,
  order: LayersStats['order'],
  caster: LineCaster,
): Generator<number, LayersPasses> {
  const { cases, columns } = map;
  const [farSide, nearSide] = [new Uint8Array(cases.length), new Uint8Array(cases.length)];
  const drawn = order === 'ab' ? 0 : 1;
  for (let pixel = 0; pixel < cases.length; pixel++) {
    const value = cases[pixel];
    if (isOfOne(value)) continue;
    const [column, row] = [pixel % columns, Math.floor(pixel / columns)];
    if (value === CollisionCase.leftOut || map.orderAt(column, row) !== undefined) {
      farSide[pixel] = nearSide[pixel] = 1;
      continue;
    }
    if (letters[value]) farSide[pixel] = isOpen(letterLayers(letters[value]), drawn) ? 1 : 0;
    else {
      yield pixel / cases.length;
      farSide[pixel] = isOpen(caster.cast(column, row), drawn) ? 1 : 0;
    }
  }
  return { farSide, nearSide };
}

const isOfOne = (value: number): boolean =>
  value === CollisionCase.neither || value === CollisionCase.onlyA || value === CollisionCase.onlyB;

interface Layer {
  readonly side: number;
  /** 1 if the line leaves a body; otherwise it enters it. */
  readonly away: number;
}

/** A line that passes a body once enters it, then leaves it. */
function letterLayers(letter: string): Layer[] {
  const passed = [0, 0];
  return Array.from(letter, name => {
    const side = name === 'A' ? 0 : 1;
    return { side, away: passed[side]++ };
  });
}

/**
 * Whether test (2) leaves the line open: there are layers in front of the far side, and equally many enter as leave.
 */
function isOpen(layers: readonly Layer[], drawn: number): boolean {
  let last = layers.length - 1;
  while (last >= 0 && layers[last].side !== drawn) last--;
  let [count, winding] = [0, 0];
  for (const { side, away } of layers.slice(0, last)) {
    if (side === drawn) continue;
    count++;
    winding += away === 1 ? -1 : 1;
  }
  return count > 0 && winding === 0;
}
