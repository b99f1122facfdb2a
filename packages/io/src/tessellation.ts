// How finely do curved surfaces become triangles? One option for all formats with such surfaces.

import { NearfieldError } from 'nearfield';
import type { Length } from './facts/units.ts';
import { inWords } from './reading/file-error.ts';

/** How finely curved surfaces become triangles. */
export interface Tessellation {
  /**
   * How far triangles may lie from the surface, in the file's units or as a length of `parseLength`: STEP, IGES and BREP. By
   * default a thousandth of the mean of the width, depth and height of everything in the file.
   */
  readonly linear?: number | Length | undefined;
  /**
   * The largest angle between neighbouring pieces of a curve, in radians: IFC, STEP, IGES and BREP. The default is
   * 2π/11 for IFC, eleven pieces of a circle, and 0.5 for the others.
   */
  readonly angular?: number | undefined;
}

/** Both settings, checked. */
export function tessellationOf(
  given: Tessellation | undefined,
  usualAngle: number,
): { linear: Length | undefined; angular: number } {
  const refuse = (what: string, value: unknown): never => {
    throw new NearfieldError('bad-option', `tessellation${what}, not ${inWords(value)}`);
  };
  const isList = Array.isArray(given) || ArrayBuffer.isView(given);
  if (given !== undefined && (typeof given !== 'object' || given === null || isList)) {
    refuse(' must be an object such as { linear: 0.1 }', given);
  }
  const { linear: stated, angular } = given ?? {};
  const linear = typeof stated === 'number' ? { value: stated, unit: undefined } : stated;
  if (linear !== undefined) {
    const { value, unit } = (typeof linear === 'object' && linear !== null ? linear : {}) as Partial<Length>;
    const isSize = (size: unknown) => typeof size === 'number' && size > 0 && size < Infinity;
    if (!isSize(value) || !(unit === undefined || isSize(unit)))
      refuse('.linear must be a length above 0, in the units of the file', stated);
  }
  if (angular !== undefined && !(typeof angular === 'number' && angular >= 0.01 && angular <= Math.PI)) {
    refuse('.angular must be an angle from 0.01 to π, in radians', angular);
  }
  return { linear, angular: angular ?? usualAngle };
}
