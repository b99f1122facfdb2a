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
// entries are below √3: 2^-47 of the body's reach and the view's origin is more than all of it. The line of a pixel is a little
// off its middle (view.ts), and the middle is what kernels go by: as if all vertices were off by that.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { LocalFrame } from '../../bvh/gpu/build/local.ts';
import type { Entry } from '../../bvh/gpu/trees.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { applyPose, type Pose } from '../../math/pose.ts';
import { exponentAbove, frameOf, type PoseFrame, scaled, unitBits, writeFrame } from './frame.ts';
import { SideLayout, TileLayout } from './layouts.ts';
import { lineShift, type View } from './view.ts';

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
  const { at } = TileLayout;
  // Of one tile or two this is asked every frame, before it is compiled well: no lists and closures but those needed.
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
      // Pixels need a middle among the units.
      noise = cellBits >= 1 ? Math.max(noise, units * 2 ** -cellBits) : Number.NaN;
      triangleCount += side.entry.leafCount;
    }
    const record = TileLayout.words * t;
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

interface Side {
  readonly frame: PoseFrame;
  readonly entry: Entry;
  readonly mirrored: boolean;
  readonly body: number;
  /** What its place in the view is off by, in pixels. */
  readonly slack: number;
}

/** σ is no less for its linear part, and for the way to its local origin. */
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

/** No coordinate that occurs on the way to a placed vertex is larger. */
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

const linearPart = new Float64Array(15);

/** Whether a pose exchanges left and right: exactly, as its determinant is negative. */
export function mirrors(pose: Pose): boolean {
  for (let i = 0; i < 11; i++) linearPart[i] = pose[i];
  return orient3dAt(linearPart, 0, 4, 8, 12) < 0;
}

/** Frames are given from it. */
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
