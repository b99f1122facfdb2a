// Which triangles does a polygon of a file consist of? A polygon of n corners gives n - 2 triangles over its own
// corners. None is dropped, so that closed surfaces stay closed. Readers fan each polygon from its first corner; if a
// fan would leave the polygon, its triangles are replaced here.

import { unsupportedFile } from '../reading/file-error.ts';
import { GrowingFloats, type GrowingIndices } from '../reading/growing.ts';
import { isPlainQuad } from './plain-quad.ts';
import { Triangulator } from './triangulator.ts';

/** The polygons of a file with more than three corners, each with the start of its fan in the index list. */
export class Polygons {
  /** First index of the fan, number of corners, and what the reader needs to name the position of the polygon. */
  private readonly list = new GrowingFloats();

  /** Called after the fan of a polygon was pushed. */
  add(fanStart: number, cornerCount: number, place: number): void {
    if (cornerCount > 3) this.list.push3(fanStart, cornerCount, place);
  }

  /**
   * Replaces fans that leave their polygon. Returns the polygons that keep such a fan because there is no better one.
   */
  triangulate(file: string, positions: ArrayLike<number>, indices: Uint32Array, placeInWords: PlaceInWords) {
    const list = this.list.finish();
    const crossing = { count: 0, firstPlace: 0 };
    const triangulator = new Triangulator(positions);
    for (let i = 0; i < list.length; i += 3) {
      const [fanStart, cornerCount, place] = [list[i], list[i + 1], list[i + 2]];
      if (cornerCount === 4 && isPlainQuad(positions, indices, fanStart)) continue;
      const result = triangulator.triangulate(indices.subarray(fanStart, fanStart + 3 * (cornerCount - 2)));
      if (result === 'tooLarge') {
        const what = `a polygon of ${cornerCount} corners touches itself and would take too long to triangulate`;
        unsupportedFile(file, placeInWords(place), `${what}; split it into smaller ones`);
      }
      if (result === 'crossing' && crossing.count++ === 0) crossing.firstPlace = place;
    }
    return crossing;
  }
}

type PlaceInWords = (place: number) => string;

/** Corrects the fans of a file, and warns about those that cannot be corrected. */
export function triangulatePolygons(
  file: string,
  polygons: Polygons,
  positions: ArrayLike<number>,
  indices: GrowingIndices,
  placeInWords: PlaceInWords,
  warnings: string[],
): Uint32Array {
  const triangles = indices.finish();
  mendPolygons(file, polygons, positions, triangles, placeInWords, warnings);
  return triangles;
}

/** Does the same in place. */
export function mendPolygons(
  file: string,
  polygons: Polygons,
  positions: ArrayLike<number>,
  triangles: Uint32Array,
  placeInWords: PlaceInWords,
  warnings: string[],
): void {
  const { count, firstPlace } = polygons.triangulate(file, positions, triangles, placeInWords);
  if (count === 0) return;
  const [what, first, how] =
    count === 1
      ? ['polygon crosses itself or has no area', '', 'it is']
      : ['polygons cross themselves or have no area', 'the first: ', 'they are'];
  warnings.push(
    `${file}: ${count} ${what} (${first}${placeInWords(firstPlace)}); ${how} fanned from the first corner`,
  );
}
