// A distance map as a file: a picture (PNG), numbers for programs (JSON), or bare numbers (raw) with a description beside them.

import { jsonText } from '@nearfield/clashes';
import { encodePng } from '@nearfield/io/png';
import { type DistanceMap, NearfieldError } from 'nearfield';
import type { Files } from '../../files.ts';

export type MapFormat = 'png' | 'json' | 'raw';

export function mapFormat(out: string): MapFormat {
  const ending = /\.(png|json|raw)$/i.exec(out)?.[1].toLowerCase();
  if (ending !== undefined) return ending as MapFormat;
  throw new NearfieldError(
    'bad-option',
    `--out ends in .png (a picture), .json or .raw (bare numbers), not "${out}"`,
  );
}

export async function writeMap(
  map: DistanceMap,
  out: string,
  format: MapFormat,
  range: readonly [number, number] | undefined,
  files: Files,
): Promise<void> {
  if (format === 'json') return files.write(out, '--out', jsonOf(map));
  const bytes =
    format === 'png'
      ? encodePng(map.picture(range === undefined ? {} : { range }))
      : new Uint8Array(map.distance.buffer, map.distance.byteOffset, map.distance.byteLength);
  await files.write(out, '--out', bytes);
  if (format === 'raw') {
    await files.write(`${out}.json`, '--out', `${jsonText(rawDescription(map, out), 2)}\n`);
  }
}

/** Rows of distances, null where there is none. Written in pieces, since a map may not fit into one string. */
function* jsonOf(map: DistanceMap): Generator<string> {
  yield `{ ${JSON.stringify(placeOf(map)).slice(1, -1)},\n  "distance": [`;
  for (let row = 0; row < map.rows; row++) {
    const distances = map.distance.subarray(row * map.columns, (row + 1) * map.columns);
    yield `${row === 0 ? '' : ','}\n    ${JSON.stringify(Array.from(distances))}`;
  }
  yield '\n  ] }\n';
}

/**
 * Where the pixels are. The middle of the first pixel is the origin plus half a pixel to the right and half a pixel
 * up.
 */
const placeOf = ({ columns, rows, pixel, view }: DistanceMap) => ({
  columns,
  rows,
  pixel,
  origin: [...view.origin],
  right: [...view.right],
  up: [...view.up],
  direction: [...view.direction],
});

const rawDescription = (map: DistanceMap, file: string): Record<string, unknown> => ({
  file,
  ...placeOf(map),
  order: 'columns fastest, then rows',
  byteOrder: 'little-endian',
  arrays: [{ name: 'distance', type: 'Float32', offset: 0 }],
  nothing: 'NaN',
});
