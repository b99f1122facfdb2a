// Which triangles does a polygon of a file consist of? A polygon of n corners gives n - 2 triangles over its own corners,
// none of which is dropped, so that surfaces that were closed stay closed. Readers fan each polygon from its first corner
// as they read it; where a fan would cover what is not in the polygon, its triangles are replaced here.

import { GrowingFloats, type GrowingIndices } from '../growing.ts';
import { Clipper } from './clipper.ts';
import { isPlainQuad } from './plain-quad.ts';

/** The polygons of a file that have more than three corners, each with where its fan begins in the list of indices. */
export class Polygons {
  /** First index of the fan, corners, and what the reader needs to say where the polygon stands. */
  private readonly list = new GrowingFloats();

  /** Called after the fan of a polygon was pushed. */
  add(fanStart: number, cornerCount: number, place: number): void {
    if (cornerCount > 3) this.list.push3(fanStart, cornerCount, place);
  }

  /** Replaces fans that reach out of their polygon. Returns the polygons that keep such a fan because nothing better was found. */
  triangulate(positions: ArrayLike<number>, indices: Uint32Array): Problems {
    const list = this.list.finish();
    const outcome = { crossing: { count: 0, firstPlace: 0 }, tooLarge: { count: 0, firstPlace: 0 } };
    const clipper = new Clipper(positions);
    for (let i = 0; i < list.length; i += 3) {
      if (list[i + 1] === 4 && isPlainQuad(positions, indices, list[i])) continue;
      const fan = indices.subarray(list[i], list[i] + 3 * (list[i + 1] - 2));
      const result = clipper.triangulate(fan);
      if (result === 'done') continue;
      const problem = outcome[result];
      if (problem.count++ === 0) problem.firstPlace = list[i + 2];
    }
    return outcome;
  }
}

interface Problem {
  readonly count: number;
  readonly firstPlace: number;
}

interface Problems {
  /** The polygon crosses itself, or has no area. */
  readonly crossing: Problem;
  /** It would take too long. */
  readonly tooLarge: Problem;
}

/** Mends the fans of a file, and says in a warning what could not be mended. */
export function triangulatePolygons(
  file: string,
  polygons: Polygons,
  positions: ArrayLike<number>,
  indices: GrowingIndices,
  placeInWords: (place: number) => string,
  warnings: string[],
): Uint32Array {
  const triangles = indices.finish();
  mendPolygons(file, polygons, positions, triangles, placeInWords, warnings);
  return triangles;
}

/** The same, in place. */
export function mendPolygons(
  file: string,
  polygons: Polygons,
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  placeInWords: (place: number) => string,
  warnings: string[],
): void {
  const { crossing, tooLarge } = polygons.triangulate(positions, triangles);
  const warn = ({ count, firstPlace }: Problem, one: string, many: string) => {
    if (count === 0) return;
    const first = `${count === 1 ? '' : 'the first: '}${placeInWords(firstPlace)}`;
    const how = count === 1 ? 'it is' : 'they are';
    warnings.push(
      `${file}: ${count} ${count === 1 ? one : many} (${first}); ${how} fanned from the first corner`,
    );
  };
  warn(crossing, 'polygon crosses itself or has no area', 'polygons cross themselves or have no area');
  warn(tooLarge, 'polygon has too many corners to clip', 'polygons have too many corners to clip');
}
