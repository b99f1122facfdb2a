// What can be said of a distance map, and what of it means something.

import {
  arrayOf,
  atLeast0,
  bad,
  checkLimits,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkWholeNumber,
  finiteAbove0,
  finiteAtLeast0,
  type Keys,
  limitKeys,
  numbersOf,
} from '../../arguments.ts';
import { NearfieldError } from '../../errors.ts';
import type { Surfaces } from '../../methods/raster/exact/measure-line.ts';
import type { Body } from '../../scene/bodies/body.ts';
import { checkSolid } from '../../scene/checks.ts';
import type { Limits } from '../../scene/engine.ts';

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

const mostResolution = 16384;

const mapKeys: Keys<DistanceMapOptions> = {
  ...limitKeys,
  direction: true,
  pixel: true,
  resolution: true,
  surfaces: true,
  within: true,
  contact: true,
  regions: true,
};

/** Throws 'bad-option' or 'not-solid'. */
export function checkMapOptions(a: Body, b: Body, options: DistanceMapOptions): void {
  checkOptions(options, mapKeys, 'distanceMap');
  checkLimits(options);
  const { direction, pixel, resolution, surfaces, within, contact, regions } = options;
  const what = (name: string) => `distanceMap: ${name}`;
  if (typeof direction === 'object') numbersOf(direction, 3, what('direction'));
  else checkOneOf(direction, what('direction'), ['boxes', 'normals'], 'three numbers');
  if (pixel !== undefined && resolution !== undefined) {
    throw bad(what('give a pixel or a resolution, not both'));
  }
  checkNumber(pixel, what('pixel'), 'a length above 0', finiteAbove0);
  checkWholeNumber(resolution, what('resolution'), 1, mostResolution);
  checkOneOf(surfaces, what('surfaces'), ['solids', 'facing']);
  checkNumber(within, what('within'), 'a length', atLeast0);
  checkNumber(contact, what('contact'), 'a length', finiteAtLeast0);
  if (typeof regions !== 'object') checkOneOf(regions, what('regions'), ['parts'], 'labels of a and b');
  else {
    checkOptions(regions, { a: true, b: true }, 'distanceMap', 'regions');
    checkLabels(a, regions.a, 'a');
    checkLabels(b, regions.b, 'b');
  }
  if (surfaces !== 'solids') return;
  for (const body of [a, b]) {
    if (!body.solid) checkSolid(body, body.moment().mesh, `it has no inside; surfaces: 'facing' maps it`);
  }
}

function checkLabels({ name, mesh }: Body, labels: Labels | undefined, which: string): void {
  if (labels === undefined) return;
  arrayOf(labels, `regions.${which}`, Uint8Array, Uint16Array, Uint32Array);
  if (labels.length === mesh.triangleCount) return;
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
