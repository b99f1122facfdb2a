// What a question may say about the layers method (Myszkowski, Okunev and Kunii 1995), and what it is told of it.

import { aFlag, bad, oneOf, oneOfOr, type Rules, wholeNumber, wrong } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { aDirection } from '../raster/view.ts';
import { LayersKeep } from './keep.ts';

/** By number, as the kernels know them. */
export const algorithms = ['auto', 'convex', 'extended', 'simplified', 'general'] as const;
export type LayersAlgorithm = (typeof algorithms)[number];

export interface LayersOptions {
  /**
   * 'auto' (default): 'extended', with the two bodies exchanged where that leaves less to be ordered. 'convex': the basic
   * algorithm; lines that pass a body more than once are left out and the answer is not complete. 'extended': lines along which
   * one body is convex are decided by counting, the rest by ordered layers. 'simplified': by odd and even alone, which leaves
   * more to be ordered. 'general': all layers of all lines that meet both are put in order.
   */
  readonly algorithm?: LayersAlgorithm | undefined;
  /**
   * Along what bodies are looked at. 'boxes' (default): across the largest walls of what their boxes have in common. 'normals':
   * refined by the normals of the triangles that face each other where they are nearest, along three directions where those
   * differ much. 'several': that and two directions across it. An interference seen along any of them counts.
   */
  readonly direction?: readonly [number, number, number] | 'boxes' | 'normals' | 'several' | undefined;
  /**
   * Pixels along the longer side of what is looked at, 1 to 8192; 512 where left out. Fewer where boxes have less in common than
   * single precision tells apart.
   */
  readonly resolution?: number | undefined;
  /** Room for the layers of a line at first, in steps of 32; 32 where left out. Where there are more, room is made. */
  readonly layers?: number | undefined;
  /** Whether triangles too thin for any line are tested exactly; true where left out. */
  readonly spikes?: boolean | undefined;
  /** Keeps what was found of the first body while the other moves against it: the same for question after question. */
  readonly reuse?: LayersKeep | undefined;
}

export const layersRules: Rules<LayersOptions> = {
  algorithm: oneOf(...algorithms),
  direction: oneOfOr(['boxes', 'normals', 'several'], 'three numbers', aDirection),
  resolution: wholeNumber(1, 8192),
  // More room than this for the layers of one line no device has.
  layers: wholeNumber(1, 2 ** 20),
  spikes: aFlag,
  reuse(given, what) {
    if (!(given instanceof LayersKeep)) throw wrong(what, 'a LayersKeep', given);
    if (given.closed)
      throw new NearfieldError('closed', `${what}: what was kept between questions is closed`);
  },
};

/** How an answer came about, all candidates together. */
export interface LayersStats {
  readonly resolution: number;
  /** The side of a pixel, world units; the largest of all views. */
  readonly pixel: number;
  /** How many views there were. */
  readonly directions: number;
  /** What had to be looked at: 1 A's far side alone (test 2), 2 its near side as well (test 3), 3 ordered layers. */
  readonly passes: 1 | 2 | 3;
  /** 'ba' where the second body of a pair was looked at as A. */
  readonly order: 'ab' | 'ba';
  /** Pixels that both bodies overlap; of those, at which test (3) was needed, and at which A and B are convex along the line. */
  readonly overlapped: number;
  readonly second: number;
  readonly convexA: number;
  readonly convexB: number;
  /** Pixels whose layers were put in order, and the pixels of the rectangle that was drawn again for them. */
  readonly general: number;
  readonly window: number;
  /** Pixels at which a body is not convex, left out by 'convex'. */
  readonly leftOut: number;
  /** The most layers of any line that both bodies overlap. */
  readonly mostLayers: number;
  /** How often there was not room for all layers of a line. */
  readonly overflows: number;
  /** Lines cast exactly on the CPU. */
  readonly rays: number;
  /** Triangles that no line saw, and pairs that they alone showed to interfere. */
  readonly spikes: number;
  readonly bySpikesAlone: number;
  /** Whether A's maps were those of an earlier question. */
  readonly reused: boolean;
}

/** Checked, with what was left out filled in. */
export interface LayersRequest {
  readonly algorithm: LayersAlgorithm;
  readonly direction: NonNullable<LayersOptions['direction']>;
  readonly resolution: number;
  readonly layers: number;
  readonly spikes: boolean;
  readonly keep: LayersKeep | undefined;
}

/** Of options that obey their rules. */
export function layersOf(options: LayersOptions): LayersRequest {
  const { algorithm = 'auto', direction = 'boxes', resolution = 512, layers = 32, spikes = true } = options;
  const keep = options.reuse;
  if (keep !== undefined && direction === 'several') {
    throw bad(`what is kept is seen along one direction: 'several' cannot keep it`);
  }
  return { algorithm, direction, resolution, layers, spikes, keep };
}
