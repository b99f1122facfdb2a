// What can be said of a distance map, and what of it means something.

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

/** A label for each triangle of a mesh. */
export type Labels = Uint8Array | Uint16Array | Uint32Array;

export interface DistanceMapOptions extends Limits {
  /**
   * Along what lines distances are taken, from a towards b. 'boxes': across the largest walls of what the two bodies' boxes have
   * in common; 'normals' (default): that, and then the mean normal of the surfaces that face each other where they are
   * nearest (Myszkowski et al., section 5).
   */
  readonly direction?: readonly [number, number, number] | 'boxes' | 'normals' | undefined;
  /** The side of a pixel, world units; or */
  readonly pixel?: number | undefined;
  /** pixels along the longer side, 512 unless given. */
  readonly resolution?: number | undefined;
  /**
   * 'solids' (default where both bodies are): gaps between them, and minus the length they have in common. 'facing' (default
   * otherwise): from the last crossing of a to the first of b, negative where they are the other way round.
   */
  readonly surfaces?: Surfaces | undefined;
  /** Larger distances are left out of the map and of its statistics. */
  readonly within?: number | undefined;
  /** Distances up to this, in either direction, count as contact; a tenth of a pixel unless given. */
  readonly contact?: number | undefined;
  /** Statistics of parts: labels by triangle, or 'parts' for what hangs together. */
  readonly regions?:
    | 'parts'
    | { readonly a?: Labels | undefined; readonly b?: Labels | undefined }
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
    throw bad('distanceMap: give a pixel or a resolution, not both');
  }
  if (typeof regions === 'object') {
    checkLabels(a, regions.a, 'a');
    checkLabels(b, regions.b, 'b');
  }
  if (surfaces !== 'solids') return;
  for (const body of [a, b]) {
    if (!body.solid)
      checkSolid(body, body.snapshotNow().mesh, `it has no inside; surfaces: 'facing' maps it`);
  }
}

function checkLabels({ name, mesh }: Body, labels: Labels | undefined, which: string): void {
  if (labels === undefined || labels.length === mesh.triangleCount) return;
  const message = `regions.${which} has a label for each of ${name}'s ${mesh.triangleCount} triangles, not ${labels.length}`;
  throw new NearfieldError('bad-array', message);
}

/** More pixels than this do not fit into arrays that programs can hold. */
const mostPixels = 2 ** 28;

export function checkPixels(columns: number, rows: number): void {
  if (columns * rows <= mostPixels) return;
  throw bad(
    `distanceMap: ${columns} × ${rows} pixels are too many: choose larger ones, ${mostPixels} in all at most`,
  );
}
