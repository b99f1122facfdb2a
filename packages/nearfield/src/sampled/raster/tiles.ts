// Tiles as the kernels read them: pairs of bodies, each viewed along a direction (view.ts), with pixels and triangles
// numbered through all tiles. The pixels of all tiles of a question have one size.
//
// A tile's frame is its view in pixels, with the unit 2^(σ − 27) of them. σ is so large that no body's linear part
// exceeds 2^σ, the tile 2^(σ + 2), and the vector from the view's origin to a body's local origin 2^(σ + 3).
// Coordinates are then below (8 + 3 + 4)·2^27 < 2^31, differences included (unit-frame.ts). Middles of pixels are whole
// numbers of units, with no rounding.
//
// The error of a vertex beyond unit-frame.ts has these parts. The pose transformed into the view is off by less than 2^-50
// of the magnitudes its entries are summed from. A vertex in the view's own doubles (view.ts) is off by 2^-51 of its
// distance from the view's origin, and its world position by 2^-50 of the magnitudes it is summed from. A row of the
// view has length 1, so the sum of its entries is below √3: 2^-47 of the body's reach and the view's origin is more
// than all of it. The line of a pixel is slightly off its middle (view.ts), but kernels use the middle: this counts as
// an error of all vertices.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { LocalFrame } from '../../bvh/gpu/build/local.ts';
import type { Entry } from '../../bvh/gpu/trees.ts';
import {
  exponentAbove,
  frameOf,
  type PoseFrame,
  scaled,
  unitBits,
  writeFrame,
} from '../../bvh/gpu/units/unit-frame.ts';
import { applyPose, mirrors, type Pose } from '../../math/pose.ts';
import { SideLayout, TileLayout } from './layouts.ts';
import { lineShift, type View } from './view.ts';

/** Two bodies viewed along a direction. */
export interface Tile {
  readonly view: View;
  /** Indices into the list of bodies. */
  readonly a: number;
  readonly b: number;
  /** A number that the caller chooses and finds again in the kernels. */
  readonly candidate: number;
  /** The rows of the view that the tile shows; all by default. */
  readonly rows?: { readonly first: number; readonly end: number } | undefined;
  /** The depth, in world units from the view's origin, behind which nothing matters. */
  readonly far?: number | undefined;
}

/** Any number of bodies viewed along a direction. */
export interface GroupTile {
  readonly view: View;
  /** Indices into the list of bodies. */
  readonly bodies: readonly number[];
  /** The depth, in world units from the view's origin, behind which nothing matters. */
  readonly far: number;
}

export interface TileBatch<Kind = Tile> {
  readonly tiles: readonly Kind[];
  readonly tileWords: Uint32Array<ArrayBuffer>;
  readonly sideWords: Uint32Array<ArrayBuffer>;
  readonly pixelCount: number;
  readonly triangleCount: number;
  /** The largest error of a vertex, in pixels; NaN if the world is too small or too large for this. */
  readonly noise: number;
}

/** `entries` are those of the bodies' shapes, with known frames. */
export function layTiles(
  bodies: readonly Placed[],
  entryOf: (body: Placed) => Entry,
  tiles: readonly Tile[],
): TileBatch {
  const tileWords = new Uint32Array(TileLayout.words * tiles.length);
  const sideWords = new Uint32Array(SideLayout.words * 2 * tiles.length);
  let [pixelCount, triangleCount, noise] = [0, 0, 0];
  const { at } = TileLayout;
  // For one tile or two this runs every frame, before the code is well optimised: so it avoids lists and closures.
  for (let t = 0; t < tiles.length; t++) {
    const { view, candidate, a, b, rows, far = Infinity } = tiles[t];
    const [firstRow, endRow] = rows === undefined ? [0, view.rows] : [rows.first, rows.end];
    const sideA = sideOf(view, bodies[a], a, entryOf(bodies[a]));
    const sideB = sideOf(view, bodies[b], b, entryOf(bodies[b]));
    const pictured = exponentAbove(Math.max(view.columns, view.rows)) - 2;
    const sigma = Math.max(pictured, exponentOfSide(sideA), exponentOfSide(sideB));
    const cellBits = unitBits - sigma;
    for (let s = 0; s < 2; s++) {
      const side = s === 0 ? sideA : sideB;
      const units = writeSide(sideWords, SideLayout.words * (2 * t + s), side, sigma, triangleCount);
      // The middle of a pixel must be a whole number of units.
      noise = cellBits >= 1 ? Math.max(noise, units * 2 ** -cellBits) : Number.NaN;
      triangleCount += side.entry.leafCount;
    }
    const record = TileLayout.words * t;
    sideWords[SideLayout.words * 2 * t + SideLayout.at.tile] = t;
    sideWords[SideLayout.words * (2 * t + 1) + SideLayout.at.tile] = t;
    tileWords[record + at.firstPixel] = pixelCount;
    tileWords[record + at.columns] = view.columns;
    tileWords[record + at.rows] = endRow - firstRow;
    tileWords[record + at.candidate] = candidate;
    tileWords[record + at.firstRow] = firstRow;
    tileWords[record + at.cellBits] = cellBits;
    const farUnits = Math.ceil((far / view.pixel) * 2 ** cellBits);
    tileWords[record + at.far] = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, farUnits));
    pixelCount += view.columns * (endRow - firstRow);
  }
  return { tiles, tileWords, sideWords, pixelCount, triangleCount, noise };
}

/** The same for tiles of groups. All bodies of a tile have the unit that suits the one that needs the largest. */
export function layGroups(
  bodies: readonly Placed[],
  entryOf: (body: Placed) => Entry,
  tiles: readonly GroupTile[],
): TileBatch<GroupTile> {
  const tileWords = new Uint32Array(TileLayout.words * tiles.length);
  const sideCount = tiles.reduce((sum, tile) => sum + tile.bodies.length, 0);
  const sideWords = new Uint32Array(SideLayout.words * sideCount);
  let [pixelCount, triangleCount, noise, record] = [0, 0, 0, 0];
  const { at } = TileLayout;
  tiles.forEach(({ view, bodies: own, far }, t) => {
    const sides = own.map(body => sideOf(view, bodies[body], body, entryOf(bodies[body])));
    const pictured = exponentAbove(Math.max(view.columns, view.rows)) - 2;
    const sigma = sides.reduce((most, side) => Math.max(most, exponentOfSide(side)), pictured);
    const cellBits = unitBits - sigma;
    for (const side of sides) {
      const units = writeSide(sideWords, record, side, sigma, triangleCount);
      sideWords[record + SideLayout.at.tile] = t;
      noise = cellBits >= 1 ? Math.max(noise, units * 2 ** -cellBits) : Number.NaN;
      triangleCount += side.entry.leafCount;
      record += SideLayout.words;
    }
    const first = TileLayout.words * t;
    tileWords[first + at.firstPixel] = pixelCount;
    tileWords[first + at.columns] = view.columns;
    tileWords[first + at.rows] = view.rows;
    tileWords[first + at.candidate] = t;
    tileWords[first + at.cellBits] = cellBits;
    tileWords[first + at.far] = Math.min(2 ** 31 - 1, Math.ceil((far / view.pixel) * 2 ** cellBits));
    pixelCount += view.columns * view.rows;
  });
  return { tiles, tileWords, sideWords, pixelCount, triangleCount, noise };
}

interface Side {
  readonly frame: PoseFrame;
  readonly entry: Entry;
  readonly mirrored: boolean;
  readonly body: number;
  /** The error of its place in the view, in pixels. */
  readonly slack: number;
}

/** The least σ for its linear part and for the vector to its local origin. */
function exponentOfSide({ frame: { exponent, centre } }: Side): number {
  return Math.max(exponent, exponentAbove(sizeOf(centre)) - 3);
}

function sideOf(view: View, { pose }: Placed, body: number, entry: Entry): Side {
  const frame = frameOf(view.turn(pose), entry.frame);
  const reach = worldReach(pose, entry.frame) + sizeOf(view.origin);
  return {
    frame,
    entry,
    body,
    mirrored: mirrors(pose),
    slack: (2 ** -47 * reach) / view.pixel + lineShift[0],
  };
}

const sizeOf = (point: ArrayLike<number>): number =>
  Math.max(Math.abs(point[0]), Math.abs(point[1]), Math.abs(point[2]));

const local = new Float64Array(3);
const centre = new Float64Array(3);

/** The largest coordinate that occurs while a vertex is placed. */
function worldReach(pose: Pose, { origin, exponent, reach }: LocalFrame): number {
  for (let axis = 0; axis < 3; axis++) local[axis] = scaled(reach[axis], exponent);
  applyPose(pose, origin[0], origin[1], origin[2], centre, 0);
  let most = 0;
  for (let row = 0; row < 3; row++) {
    let sum = Math.abs(centre[row]);
    for (let column = 0; column < 3; column++) sum += Math.abs(pose[4 * column + row]) * local[column];
    most = Math.max(most, sum);
  }
  return most;
}

/** The origin that frames are relative to. */
const viewOrigin = new Float64Array(3);

function writeSide(
  words: Uint32Array<ArrayBuffer>,
  record: number,
  { frame, entry, mirrored, body, slack }: Side,
  sigma: number,
  first: number,
): number {
  const { at } = SideLayout;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.first] = first;
  words[record + at.mirrored] = mirrored ? 1 : 0;
  words[record + at.body] = body;
  return writeFrame(words, record, at, frame, viewOrigin, sigma, slack);
}
