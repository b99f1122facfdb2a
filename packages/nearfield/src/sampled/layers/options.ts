// The options of the layers method (Myszkowski, Okunev and Kunii 1995) and the facts it reports about its answer.

import {
  aFlag,
  bad,
  imageResolution,
  oneOf,
  oneOfOr,
  type Rules,
  wholeNumber,
  wrong,
} from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { aDirection } from '../raster/view.ts';
import { LayersKeep } from './keep.ts';

/** The index is the number that the kernels use. */
export const algorithms = ['auto', 'convex', 'extended', 'simplified', 'general'] as const;
/** Which of the algorithms of Myszkowski et al. is used. */
export type LayersAlgorithm = (typeof algorithms)[number];

/** How the layers method is computed. */
export type LayersForm = 'computed' | 'drawn';

/** The options of the layers method: how it views two bodies. */
export interface LayersOptions {
  /**
   * 'auto' (default): 'extended', with the two bodies exchanged if that leaves less to be ordered. 'convex': the basic
   * algorithm; it skips lines that pass a body more than once, and then the answer is not complete. 'extended': decides
   * lines along which one body is convex by counting, the rest by ordered layers. 'simplified': uses odd and even
   * counts only, which leaves more to be ordered. 'general': puts all layers of all lines that meet both bodies in
   * order.
   */
  readonly algorithm?: LayersAlgorithm | undefined;
  /**
   * The direction of the view. 'boxes' (default): across the largest faces of the common part of the boxes. 'normals':
   * refined by the normals of the triangles that face each other where they are nearest; three directions if those
   * differ much. 'several': that direction and two across it. An interference seen along any of them counts.
   */
  readonly direction?: readonly [number, number, number] | 'boxes' | 'normals' | 'several' | undefined;
  /**
   * Pixels along the longer side of the view, 1 to 8192; default 512. Fewer if the common part of the boxes is smaller
   * than single precision can resolve.
   */
  readonly resolution?: number | undefined;
  /** The initial capacity for layers per line, in steps of 32; default 32. It grows if a line has more. */
  readonly layers?: number | undefined;
  /**
   * Whether triangles with a part that no line sees are tested exactly; default true. A surface point of one body that is
   * more than 4 pixels deep in the other is then found, however thin the first body is there (needles, edges of plates,
   * tips). If the view is deeper than 246 pixels, that distance grows with its depth.
   */
  readonly spikes?: boolean | undefined;
  /**
   * 'computed' (default): kernels count and order layers with bounds. 'drawn': as published, by the depth test, stencil
   * counts and blending of the rasteriser, in up to three passes that are read back and examined one by one
   * (`layers.phases`). Its limits: how hardware rounds is not specified and it counts odd and even, so `mayMissBelow` is
   * Infinity; lines with more than 28 layers to be ordered, or with layers at equal depths, are left out, and then
   * `complete` is false; maps tell `meets`, `clear` and `neither` (A is not there), and 'convex' also d, e and f. It looks
   * for no spikes, exchanges no bodies, casts no lines and cannot be combined with `reuse`.
   */
  readonly form?: LayersForm | undefined;
  /** Keeps the first body's maps while the other moves against it. Pass the same object to every question. */
  readonly reuse?: LayersKeep | undefined;
}

export const layersRules: Rules<LayersOptions> = {
  algorithm: oneOf(...algorithms),
  direction: oneOfOr(['boxes', 'normals', 'several'], 'three numbers', aDirection),
  resolution: imageResolution,
  // No device can hold more layers than this per line.
  layers: wholeNumber(1, 2 ** 20),
  spikes: aFlag,
  form: oneOf('computed', 'drawn'),
  reuse(given, what) {
    if (!(given instanceof LayersKeep)) throw wrong(what, 'a LayersKeep', given);
    if (given.closed)
      throw new NearfieldError('closed', `${what}: the LayersKeep passed as reuse is already closed`);
  },
};

/** The milliseconds of one pass of the published form, over all candidates. */
export interface LayersPhase {
  /** Drawing, from submission until the GPU is done. */
  readonly graphics: number;
  /** Reading the counters back and examining them on the CPU. */
  readonly software: number;
}

/** How the answer was computed, over all candidates. */
export interface LayersStats {
  /** Pixels along the longer side of a view, as asked for. */
  readonly resolution: number;
  /** The side of a pixel in world units: the largest of all views. */
  readonly pixel: number;
  /** How many views there were. */
  readonly directions: number;
  /** The tests that were needed: 1 only A's far side (test 2), 2 also its near side (test 3), 3 ordered layers. */
  readonly passes: 1 | 2 | 3;
  /** 'ba' if the second body of a pair was treated as A. */
  readonly order: 'ab' | 'ba';
  /** Pixels that both bodies overlap. */
  readonly overlapped: number;
  /** Those of them that needed test (3). */
  readonly second: number;
  /** Those of them at which A is convex along the line. */
  readonly convexA: number;
  /** Those of them at which B is convex along the line. */
  readonly convexB: number;
  /** Pixels whose layers were put in order. */
  readonly general: number;
  /** Pixels of the rectangle that was drawn again for those. */
  readonly window: number;
  /** Steps of sorting, at most one comparison each: n·⌈log₂ n⌉ for a line of n layers. */
  readonly sortSteps: number;
  /** Pixels at which a body is not convex, which 'convex' left out. */
  readonly leftOut: number;
  /** The most layers of any line that both bodies overlap. */
  readonly mostLayers: number;
  /** How often the capacity for a line's layers was exceeded. */
  readonly overflows: number;
  /** Lines cast exactly on the CPU. */
  readonly rays: number;
  /** Triangles with a part that no line saw. */
  readonly spikes: number;
  /** Pairs that only these triangles showed to interfere. */
  readonly bySpikesAlone: number;
  /** Whether A's maps were reused from an earlier question. */
  readonly reused: boolean;
  /** The times of the passes of form 'drawn'; empty for 'computed'. */
  readonly phases: readonly LayersPhase[];
}

/** The checked options, with defaults filled in. */
export interface LayersRequest {
  readonly algorithm: LayersAlgorithm;
  readonly direction: NonNullable<LayersOptions['direction']>;
  readonly resolution: number;
  readonly layers: number;
  readonly spikes: boolean;
  readonly form: LayersForm;
  readonly keep: LayersKeep | undefined;
}

/** Fills in the defaults. The options must already obey their rules. */
export function layersOf(options: LayersOptions): LayersRequest {
  const { algorithm = 'auto', direction = 'boxes', resolution = 512, layers = 32, spikes = true } = options;
  const { form = 'computed', reuse: keep } = options;
  if (keep !== undefined && direction === 'several') {
    throw bad(`reuse needs one direction, so it cannot be combined with direction 'several'`);
  }
  if (keep !== undefined && form === 'drawn') {
    throw bad(`reuse keeps the maps of form 'computed', so it cannot be combined with form 'drawn'`);
  }
  return { algorithm, direction, resolution, layers, spikes, form, keep };
}
