// Bodies as the sampling kernels see them: one frame for all, in which samples and vertices are integers.
//
// The frame has the world's axes, its origin at the grid's, and the unit 2^(σ − 27). σ is so large that no body's
// linear part exceeds 2^σ, the grid does not exceed 2^(σ + 2), and the vector from the grid's origin to a body's local
// origin does not exceed 2^(σ + 3). Coordinates are then below (8 + 3 + 4)·2^27 < 2^31, differences included.
//
// Vertices are converted to units as in bvh/gpu/units/unit-frame.ts, which bounds their error. The difference of their
// local origin and the grid's adds 2^-51·(|C| + |origin|)·2^(27 − σ), and a sample is off by 1/2 and
// 2^-51·|position|·2^(27 − σ). Layer.rest.w holds the sum, rounded up: `noise`.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { depthOf } from '../../../bvh/gpu/layouts.ts';
import type { Entry } from '../../../bvh/gpu/trees.ts';
import { holdsAsInverse, inverseOf, normOf } from '../../../bvh/gpu/units/tree-inverse.ts';
import {
  exponentAbove,
  frameOf,
  type PoseFrame,
  unitBits,
  writeFrame,
} from '../../../bvh/gpu/units/unit-frame.ts';

import { type Grid, gridBox, samplePosition, type Window } from '../grid.ts';
import { LayerLayout, Rules, type SweepRule, WindowLayout } from './layouts.ts';

/** Everything that the kernels read about a question. */
export interface Stage {
  readonly layers: Uint32Array<ArrayBuffer>;
  readonly windows: Uint32Array<ArrayBuffer>;
  readonly ticks: Int32Array<ArrayBuffer>;
  /** The length of a unit, in the user's units. */
  readonly unit: number;
  /** The maximum error of vertices and samples, in cells. */
  readonly noiseCells: number;
  /** The first triangle of each layer, plus one more entry for the end. */
  readonly firsts: Uint32Array;
  /** Totals over all windows. */
  readonly columns: number;
  readonly counters: number;
  readonly bricks: number;
  /** Bricks are cubes with 2^brickBits samples along each side. */
  readonly brickBits: number;
}

/** A body's pose and tree. */
interface Frame extends PoseFrame {
  readonly entry: Entry;
}

/** The bodies over windows of a grid. `entries` are those of the bodies' shapes, whose frames must be known. */
export function stage(
  bodies: readonly Placed[],
  entries: readonly Entry[],
  grid: Grid,
  windows: readonly Window[],
  rule: SweepRule,
  brickBits: number,
): Stage {
  const frames = bodies.map(
    ({ pose }, i): Frame => ({ ...frameOf(pose, entries[i].frame), entry: entries[i] }),
  );
  const box = gridBox(grid);
  const { origin } = grid;
  let sigma = exponentAbove(Math.max(...grid.dimensions) * grid.cell) - 2;
  for (const { exponent, centre } of frames) {
    const away = Math.max(...centre.map((x, axis) => Math.abs(x - origin[axis])));
    sigma = Math.max(sigma, exponent, exponentAbove(away) - 3);
  }
  const scale = 2 ** (unitBits - sigma);
  const far = Math.max(...box.map(Math.abs));
  const layers = new Uint32Array(LayerLayout.words * frames.length * windows.length);
  const windowWords = new Uint32Array(WindowLayout.words * windows.length);
  const ticks = new Int32Array(windows.reduce((sum, { low, high }) => sum + sumOf(high) - sumOf(low), 0));
  const firsts = new Uint32Array(frames.length * windows.length + 1);
  let [columns, counters, bricks, tickCount, noise] = [0, 0, 0, 0, 0];
  windows.forEach((window, w) => {
    const size = [0, 1, 2].map(axis => window.high[axis] - window.low[axis]);
    const at = WindowLayout.words * w;
    const words = windowWords;
    words.set([...size, columns], at + WindowLayout.at.size);
    words.set([...window.low, tickCount], at + WindowLayout.at.low);
    words.set(grid.dimensions, at + WindowLayout.at.whole);
    const bricksAlong = size.map(samples => (samples + (1 << brickBits) - 1) >> brickBits);
    words.set([...bricksAlong, bricks], at + WindowLayout.at.bricks);
    words[at + WindowLayout.at.firstLayer] = w * frames.length;
    words[at + WindowLayout.at.layerCount] = frames.length;
    words[at + WindowLayout.at.counters] = counters;
    words[at + WindowLayout.at.rule] = Rules[rule];
    new Float32Array(words.buffer)[at + WindowLayout.at.cell] = grid.cell * scale;
    for (let axis = 0; axis < 3; axis++) {
      for (let i = window.low[axis]; i < window.high[axis]; i++) {
        ticks[tickCount++] = Math.round((samplePosition(grid, axis, i) - origin[axis]) * scale);
      }
    }
    frames.forEach((frame, f) => {
      const layer = w * frames.length + f;
      noise = Math.max(
        noise,
        writeLayer(layers, layer, frame, origin, sigma, far, w, counters, firsts[layer]),
      );
      firsts[layer + 1] = firsts[layer] + frame.entry.leafCount;
      counters += size[0] * size[1] * size[2];
    });
    columns += size[0] * size[1];
    bricks += bricksAlong[0] * bricksAlong[1] * bricksAlong[2];
  });
  return {
    layers,
    windows: windowWords,
    ticks,
    unit: 1 / scale,
    noiseCells: noise / (grid.cell * scale),
    firsts,
    columns,
    counters,
    bricks,
    brickBits,
  };
}

const sumOf = ([x, y, z]: readonly [number, number, number]): number => x + y + z;

/** Returns the layer's noise in units. It is infinite if the inverse is less accurate than the kernels assume. */
function writeLayer(
  words: Uint32Array<ArrayBuffer>,
  layer: number,
  frame: Frame,
  origin: readonly number[],
  sigma: number,
  far: number,
  window: number,
  counters: number,
  first: number,
): number {
  const { at } = LayerLayout;
  const record = LayerLayout.words * layer;
  const floats = new Float32Array(words.buffer);
  const { linear, exponent, centre, entry } = frame;
  const shift = sigma - exponent;
  const inverse = inverseOf(linear);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      floats[record + at.inverse + 4 * row + column] = inverse[3 * row + column] * 2 ** (shift - unitBits);
    }
  }
  const size = far + Math.max(...centre.map(Math.abs));
  const noise = writeFrame(words, record, at, frame, origin, sigma, 2 ** -50 * size);
  words[record + at.nodeOffset] = entry.nodeOffset;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.depth] = depthOf(entry.leafCount);
  words[record + at.counters] = counters;
  words[record + at.window] = window;
  words[record + at.first] = first;
  // The norm of the inverse bounds how much vectors shrink; single precision rounds by 2^-24.
  const shrink = normOf(inverse) * (1 + 2 ** -20) * 2 ** (shift - unitBits);
  floats[record + at.mostShrink] = shrink;
  floats[record + at.leastScale] = (1 - 2 ** -20) / shrink;
  // At least 2^-100, which single precision holds: anything below it is within the noise.
  floats[record + at.mostScale] = Math.max(
    2 ** -100,
    normOf(linear) * (1 + 2 ** -20) * 2 ** (unitBits - shift),
  );
  return holdsAsInverse(linear, inverse) ? noise : Infinity;
}
