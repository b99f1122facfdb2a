// Tiles along axes of the world as the kernels read them: what methods/raster/tiles.ts writes of any view, of these alone and
// for tens of thousands at once. Turning a pose along an axis only exchanges its rows, so the same numbers come out, in
// the same order of operations.

import type { Entry } from '../../../bvh/gpu-trees.ts';
import type { Pose } from '../../../math/pose.ts';
import type { Placed } from '../../../scene/engine.ts';
import { exponentAbove, unitBits } from '../../raster/frame.ts';
import { SideLayout, TileLayout } from '../../raster/layouts.ts';
import { mirrors, type TileBatch } from '../../raster/tiles.ts';
import type { AxisTile } from './axis-tile.ts';

/** What is the same of a body in every tile. */
interface BodyFacts {
  readonly pose: Pose;
  readonly entry: Entry;
  readonly mirrored: number;
  /** No coordinate that occurs on the way to a world position is larger. */
  readonly reach: number;
  /** The least power of two above the linear part's entries, in pixels. */
  readonly exponent: number;
}

export function layAxisTiles(
  bodies: readonly Placed[],
  entryOf: (body: Placed) => Entry,
  tiles: readonly AxisTile[],
): TileBatch {
  const writer = new Writer(tiles.length);
  const facts: BodyFacts[] = [];
  const factsOf = (body: number, pixel: number) =>
    (facts[body] ??= findFacts(bodies[body].pose, entryOf(bodies[body]), pixel));
  for (const tile of tiles) {
    writer.write(tile, factsOf(tile.a, tile.pixel), factsOf(tile.b, tile.pixel));
  }
  const { tileWords, sideWords, pixelCount, triangleCount, noise } = writer;
  return { tiles, tileWords, sideWords, pixelCount, triangleCount, noise };
}

function findFacts(pose: Pose, entry: Entry, pixel: number): BodyFacts {
  const { origin, exponent, reach: localReach } = entry.frame;
  const size = 2 ** exponent;
  let most = 0;
  let reach = 0;
  for (let row = 0; row < 3; row++) {
    const x = pose[row];
    const y = pose[4 + row];
    const z = pose[8 + row];
    most = Math.max(most, Math.abs(x / pixel), Math.abs(y / pixel), Math.abs(z / pixel));
    const centre = x * origin[0] + y * origin[1] + z * origin[2] + pose[12 + row];
    const spread = Math.abs(x) * localReach[0] + Math.abs(y) * localReach[1] + Math.abs(z) * localReach[2];
    reach = Math.max(reach, Math.abs(centre) + spread * size);
  }
  let above = exponentAbove(most);
  if (most >= 2 ** above) above++;
  return { pose, entry, mirrored: isMirrored(pose, most * pixel) ? 1 : 0, reach, exponent: above };
}

/** Doubles tell unless the determinant is less than 2^-40 of what it is summed of; no entry is larger than `most`. */
function isMirrored(m: Pose, most: number): boolean {
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) +
    m[8] * (m[1] * m[6] - m[2] * m[5]);
  return Math.abs(determinant) > 2 ** -40 * (6 * most * most * most) ? determinant < 0 : mirrors(m);
}

class Writer {
  readonly tileWords: Uint32Array<ArrayBuffer>;
  readonly sideWords: Uint32Array<ArrayBuffer>;
  pixelCount = 0;
  triangleCount = 0;
  noise = 0;
  readonly #whole: Int32Array;
  readonly #floats: Float32Array;
  /** Centres of the two bodies in pixels. */
  readonly #centres = new Float64Array(6);
  #tile = 0;

  constructor(count: number) {
    this.tileWords = new Uint32Array(TileLayout.words * count);
    this.sideWords = new Uint32Array(SideLayout.words * 2 * count);
    this.#whole = new Int32Array(this.sideWords.buffer);
    this.#floats = new Float32Array(this.sideWords.buffer);
  }

  write(tile: AxisTile, first: BodyFacts, second: BodyFacts): void {
    const { pixel, columns, height } = tile;
    const far = Math.max(this.#centre(tile, first, 0), this.#centre(tile, second, 3));
    const sigma = Math.max(
      exponentAbove(Math.max(columns, height)) - 2,
      first.exponent + first.entry.frame.exponent,
      second.exponent + second.entry.frame.exponent,
      exponentAbove(far) - 3,
    );
    const cellBits = unitBits - sigma;
    const origin = Math.max(Math.abs(tile.left), Math.abs(tile.low), Math.abs(tile.near));
    const units = Math.max(
      this.#writeSide(tile, first, 0, sigma, origin),
      this.#writeSide(tile, second, 1, sigma, origin),
    );
    // Pixels need a middle among the units.
    this.noise = cellBits >= 1 ? Math.max(this.noise, units * 2 ** -cellBits) : Number.NaN;
    const { at } = TileLayout;
    const record = TileLayout.words * this.#tile;
    const words = this.tileWords;
    words[record + at.firstPixel] = this.pixelCount;
    words[record + at.columns] = columns;
    words[record + at.rows] = tile.endRow - tile.firstRow;
    words[record + at.candidate] = tile.candidate;
    words[record + at.firstRow] = tile.firstRow;
    words[record + at.cellBits] = cellBits;
    const farUnits = Math.ceil((tile.far / pixel) * 2 ** cellBits);
    words[record + at.far] = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, farUnits));
    this.pixelCount += tile.pixelCount;
    this.#tile++;
  }

  /** The place of a body's local origin in the tile, in pixels. Returns its largest coordinate. */
  #centre({ axis, left, low, near, pixel }: AxisTile, { pose, entry }: BodyFacts, to: number): number {
    const { origin } = entry.frame;
    let most = 0;
    for (let row = 0; row < 3; row++) {
      const k = (axis + 1 + row) % 3;
      const start = row === 0 ? left : row === 1 ? low : near;
      const place =
        (pose[k] / pixel) * origin[0] +
        (pose[4 + k] / pixel) * origin[1] +
        (pose[8 + k] / pixel) * origin[2] +
        (pose[12 + k] - start) / pixel;
      this.#centres[to + row] = place;
      most = Math.max(most, Math.abs(place));
    }
    return most;
  }

  /** Returns what a vertex may be off by, in units. */
  #writeSide(
    { axis, pixel, a, b }: AxisTile,
    facts: BodyFacts,
    side: number,
    sigma: number,
    origin: number,
  ): number {
    const { pose, entry, mirrored, exponent: linearExponent } = facts;
    const whole = this.#whole;
    const floats = this.#floats;
    const centres = this.#centres;
    const { at } = SideLayout;
    const record = SideLayout.words * (2 * this.#tile + side);
    const exponent = linearExponent + entry.frame.exponent;
    const { reach: localReach } = entry.frame;
    const shrink = 2 ** -linearExponent;
    const scale = 2 ** (unitBits - sigma);
    const perCentre = 2 ** -exponent;
    let reach = 0;
    for (let row = 0; row < 3; row++) {
      const k = (axis + 1 + row) % 3;
      const centre = centres[3 * side + row];
      let sum = Math.abs(centre * perCentre);
      for (let column = 0; column < 3; column++) {
        const linear = (pose[4 * column + k] / pixel) * shrink;
        sum += Math.abs(linear) * localReach[column];
        whole[record + at.linear + 4 * row + column] = Math.trunc(linear * 2 ** 30);
      }
      reach = Math.max(reach, sum);
      const offset = centre * scale;
      const rounded = Math.round(offset);
      whole[record + at.offset + row] = rounded;
      floats[record + at.rest + row] = offset - rounded;
    }
    const shift = sigma - exponent;
    whole[record + at.offset + 3] = Math.min(31, shift);
    const underflow = exponent < -940 ? 2 ** Math.min(1000, -1070 - exponent) : 0;
    const error = 2 ** -49 * reach + 6.01 * 2 ** -30 + underflow;
    const slack = (2 ** -47 * (facts.reach + origin)) / pixel;
    const noise = 1.25 + (shift > 31 ? 4 : 0) + error * 2 ** (unitBits - shift) + slack * scale;
    floats[record + at.rest + 3] = noise * (1 + 2 ** -20);
    const words = this.sideWords;
    words[record + at.leafOffset] = entry.leafOffset;
    words[record + at.leafCount] = entry.leafCount;
    words[record + at.first] = this.triangleCount;
    words[record + at.mirrored] = mirrored;
    words[record + at.body] = side === 0 ? a : b;
    this.triangleCount += entry.leafCount;
    return noise;
  }
}
