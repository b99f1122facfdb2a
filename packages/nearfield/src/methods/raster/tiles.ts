// Tiles as the kernels read them: pairs of bodies, each seen along a direction (view.ts), pixels and triangles numbered
// through. Pixels of all tiles of a question are of one size.
//
// A tile's frame is its view in pixels, the unit 2^(σ − 27) of them; σ is so large that no body's linear part exceeds 2^σ,
// the tile 2^(σ + 2), and the way from the view's origin to a body's local origin 2^(σ + 3): coordinates are then below
// (8 + 3 + 4)·2^27 < 2^31, differences included (frame.ts). Middles of pixels are whole numbers of units, with no rounding.
//
// What a vertex is off by beyond what frame.ts says: the pose turned into the view is off by less than 2^-50 of what its
// entries are summed of, a vertex in the view's own doubles (view.ts) by 2^-51 of its way from the view's origin, and its
// world position by 2^-50 of all that is summed up for it. A row of the view has a length of 1, so that sums of its
// entries are below √3: 2^-47 of the body's reach and the view's origin is more than all of it.

import type { Entry } from '../../bvh/gpu-trees.ts';
import { orient3dAt } from '../../math/orient.ts';
import type { Pose } from '../../math/pose.ts';
import type { Placed } from '../../scene/engine.ts';
import { exponentAbove, frameOf, type PoseFrame, scaled, unitBits, writeFrame } from './frame.ts';
import { SideLayout, TileLayout } from './layouts.ts';
import type { View } from './view.ts';

/** Two bodies seen along a direction. */
export interface Tile {
  readonly view: View;
  /** Places in the list of bodies. */
  readonly a: number;
  readonly b: number;
  /** A number of the caller's, found again in the kernels. */
  readonly candidate: number;
  /** The rows of the view it shows: all unless given. */
  readonly rows?: { readonly first: number; readonly end: number } | undefined;
  /** Depth, in world units from the view's origin, behind which nothing matters. */
  readonly far?: number | undefined;
}

export interface TileBatch {
  readonly tiles: readonly Tile[];
  readonly tileWords: Uint32Array<ArrayBuffer>;
  readonly sideWords: Uint32Array<ArrayBuffer>;
  readonly pixelCount: number;
  readonly triangleCount: number;
  /** What vertices are off by at most, in pixels; not a number where the world is too small or too large for this. */
  readonly noise: number;
}

/** Entries are those of the bodies' shapes, their frames known. */
export function layTiles(
  bodies: readonly Placed[],
  entryOf: (body: Placed) => Entry,
  tiles: readonly Tile[],
): TileBatch {
  const tileWords = new Uint32Array(TileLayout.words * tiles.length);
  const sideWords = new Uint32Array(SideLayout.words * 2 * tiles.length);
  let [pixelCount, triangleCount, noise] = [0, 0, 0];
  tiles.forEach((tile, t) => {
    const { view, candidate, rows = { first: 0, end: view.rows }, far = Infinity } = tile;
    const sides = [tile.a, tile.b].map(number =>
      sideOf(view, bodies[number], number, entryOf(bodies[number])),
    );
    let sigma = exponentAbove(Math.max(view.columns, view.rows)) - 2;
    for (const { exponent, centre } of sides.map(({ frame }) => frame)) {
      sigma = Math.max(sigma, exponent, exponentAbove(Math.max(...centre.map(Math.abs))) - 3);
    }
    const cellBits = unitBits - sigma;
    sides.forEach((side, s) => {
      const record = SideLayout.words * (2 * t + s);
      const units = writeSide(sideWords, record, side, sigma, triangleCount);
      // Pixels need a middle among the units.
      noise = cellBits >= 1 ? Math.max(noise, units * 2 ** -cellBits) : Number.NaN;
      triangleCount += side.entry.leafCount;
    });
    const { at } = TileLayout;
    const record = TileLayout.words * t;
    tileWords[record + at.firstPixel] = pixelCount;
    tileWords[record + at.columns] = view.columns;
    tileWords[record + at.rows] = rows.end - rows.first;
    tileWords[record + at.candidate] = candidate;
    tileWords[record + at.firstRow] = rows.first;
    tileWords[record + at.cellBits] = cellBits;
    const farUnits = Math.ceil((far / view.pixel) * 2 ** cellBits);
    tileWords[record + at.far] = Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, farUnits));
    pixelCount += view.columns * (rows.end - rows.first);
  });
  return { tiles, tileWords, sideWords, pixelCount, triangleCount, noise };
}

interface Side {
  readonly frame: PoseFrame;
  readonly entry: Entry;
  readonly mirrored: boolean;
  readonly body: number;
  /** What its place in the view is off by, in pixels. */
  readonly slack: number;
}

function sideOf(view: View, { pose }: Placed, body: number, entry: Entry): Side {
  const frame = frameOf(view.turn(pose), entry.frame);
  const world = frameOf(pose, entry.frame);
  const reach = scaled(world.reach, world.exponent) + Math.max(...view.origin.map(Math.abs));
  return { frame, entry, body, mirrored: mirrors(pose), slack: (2 ** -47 * reach) / view.pixel };
}

const linearPart = new Float64Array(15);

/** Whether a pose exchanges left and right: exactly, as its determinant is negative. */
export function mirrors(pose: Pose): boolean {
  linearPart.set(pose.subarray(0, 11));
  return orient3dAt(linearPart, 0, 4, 8, 12) < 0;
}

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
  return writeFrame(words, record, at, frame, [0, 0, 0], sigma, slack);
}
