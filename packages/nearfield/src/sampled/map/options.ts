// The options of a distance map, and their checks.

import type { Body } from '../../bodies/body.ts';
import {
  arrayOf,
  bad,
  checkOptions,
  distanceFrom0,
  lengthAbove0,
  lengthFrom0,
  limitRules,
  oneOf,
  oneOfOr,
  type Rule,
  type Rules,
  wholeNumber,
} from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { checkSolid } from '../../questions/checks.ts';
import type { Surfaces } from '../raster/exact/measure-line.ts';
import { aDirection } from '../raster/view.ts';

/** One label per triangle of a mesh. */
export type Labels = Uint8Array | Uint16Array | Uint32Array;

/** The options of a distance map: the direction of the view, and how finely it is sampled. */
export interface DistanceMapOptions extends Limits {
  /**
   * The direction along which distances are measured, from a towards b. 'boxes': across the largest faces of the common
   * part of the two bodies' boxes. 'normals' (default): the same, refined by the mean normal of the surfaces that face
   * each other where they are nearest (Myszkowski et al., section 5).
   */
  readonly direction?: readonly [number, number, number] | 'boxes' | 'normals' | undefined;
  /** The side of a pixel in world units. Give this or `resolution`. */
  readonly pixel?: number | undefined;
  /** Pixels along the longer side, 1 to 16384; default 512. Give this or `pixel`. */
  readonly resolution?: number | undefined;
  /**
   * 'solids' (default if both bodies are solids): the gap between them, or minus the length they have in common.
   * 'facing' (default otherwise): from the last crossing of a to the first of b, negative if they are in the opposite
   * order.
   */
  readonly surfaces?: Surfaces | undefined;
  /** Distances larger than this are left out of the map and of its statistics. */
  readonly within?: number | undefined;
  /** Distances up to this, in either direction, count as contact; default a tenth of a pixel. */
  readonly contact?: number | undefined;
  /** Asks for statistics of parts: labels by triangle, or 'parts' for the connected parts. */
  readonly regions?:
    | 'parts'
    | {
        /** A label per triangle of a. */
        readonly a?: Labels | undefined;
        /** A label per triangle of b. */
        readonly b?: Labels | undefined;
      }
    | undefined;
}

const labels: Rule = (given, what) => {
  arrayOf(given, what, Uint8Array, Uint16Array, Uint32Array);
};

const rules: Rules<DistanceMapOptions> = {
  ...limitRules,
  direction: oneOfOr(['boxes', 'normals'], 'three numbers', aDirection),
  pixel: lengthAbove0,
  resolution: wholeNumber(1, 16384),
  surfaces: oneOf('solids', 'facing'),
  within: distanceFrom0,
  contact: lengthFrom0,
  regions: oneOfOr(['parts'], 'labels of a and b', given =>
    checkOptions(
      given as object,
      { a: labels, b: labels } as Rules<object>,
      'distanceMap: regions',
      'regions',
    ),
  ),
};

/** Throws 'bad-option' or 'not-solid'. */
export function checkMapOptions(a: Body, b: Body, options: DistanceMapOptions): void {
  checkOptions(options, rules, 'distanceMap');
  const { pixel, resolution, surfaces, regions } = options;
  if (pixel !== undefined && resolution !== undefined) {
    throw bad('distanceMap: give either pixel or resolution, not both');
  }
  if (typeof regions === 'object') {
    checkLabels(a, regions.a, 'a');
    checkLabels(b, regions.b, 'b');
  }
  if (surfaces !== 'solids') return;
  for (const body of [a, b]) {
    if (!body.solid) checkSolid(body, body.snapshotNow().mesh, `it has no inside; use surfaces: 'facing'`);
  }
}

function checkLabels({ name, mesh }: Body, labels: Labels | undefined, which: string): void {
  if (labels === undefined || labels.length === mesh.triangleCount) return;
  const message = `regions.${which} needs one label per triangle of ${name}: expected ${mesh.triangleCount}, got ${labels.length}`;
  throw new NearfieldError('bad-array', message);
}

/** The most pixels whose arrays fit into memory. */
const mostPixels = 2 ** 28;

export function checkPixels(columns: number, rows: number): void {
  if (columns * rows <= mostPixels) return;
  throw bad(
    `distanceMap: ${columns} × ${rows} pixels are too many, the limit is ${mostPixels}: choose larger pixels`,
  );
}
