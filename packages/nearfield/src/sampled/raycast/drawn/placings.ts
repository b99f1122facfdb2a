// Bodies as the pipelines draw them, and their view: one picture of all candidates at once.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Entry } from '../../../bvh/gpu/trees.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { Box } from '../../../math/box.ts';
import { applyPose, mirrors, type Pose } from '../../../math/pose.ts';
import { axesAlong, boxAlong, type View, viewOf } from '../../raster/view.ts';
import { axisVector } from '../windows.ts';
import { facesInwards } from './facing.ts';
import { DrawnBodyLayout, DrawnViewLayout } from './layouts.ts';
import type { NamingPipelines } from './pipelines.ts';
import type { WatchedPicture } from './watched.ts';

/** One picture. */
export interface DrawnPicture {
  readonly view: View;
  /** How far edges are moved outward, in world units. */
  readonly offset: number;
  /** The range of depths of everything drawn, in world units. */
  readonly near: number;
  readonly far: number;
}

/**
 * A picture along an axis of a window, deep enough for all bodies. No body is cut, so rays count whole bodies. Its
 * border has room for edges that are moved outward, by two pixels if `offset` is undefined.
 */
export function pictureOf(
  everything: Box,
  window: Box,
  axis: number,
  resolution: number,
  offset: number | undefined,
): DrawnPicture {
  const axes = axesAlong(axisVector(axis));
  const seen = boxAlong(axes, window);
  const longest = Math.max(seen[3] - seen[0], seen[4] - seen[1]) || 1;
  const pixels = Math.max(1, resolution - 1);
  const pixel =
    offset === undefined
      ? longest / Math.max(1, pixels - 10)
      : (longest + 4 * offset) / Math.max(1, pixels - 2);
  const moved = offset ?? 2 * pixel;
  for (const side of [0, 1]) {
    seen[side] -= 2 * moved + pixel;
    seen[side + 3] += 2 * moved + pixel;
  }
  const view = viewOf(axes, seen, { pixel });
  const origin = view.origin[axis];
  return { view, offset: moved, near: everything[axis] - origin, far: everything[axis + 3] - origin };
}

/** Everything that is drawn in one picture. */
export interface Participants {
  readonly picture: DrawnPicture;
  readonly candidateCount: number;
  readonly bodies: number;
  /** Vertex counts per body. */
  readonly faceVertices: readonly number[];
  readonly edgeVertices: readonly number[];
  readonly faces: number;
  /** Words that hold one bit per body, words of the whole state, and the capacity for points of edges. */
  readonly bodyWords: number;
  readonly stateWords: number;
  readonly hitRoom: number;
  /** One per body, or one for all. */
  readonly queries: number;
  /** Whether pixels are read back. */
  readonly isRead: boolean;
  /** Whether every pixel's edge is read, so that pixels without one have to say so. */
  readonly edgesRead: boolean;
  readonly naming: NamingPipelines;
  /** Set if a caller wants to see the picture. */
  readonly watched: WatchedPicture | undefined;
}

export function writePicture({ picture, ...numbers }: Participants): Uint32Array<ArrayBuffer> {
  const { view, offset, near, far } = picture;
  const words = new Uint32Array(DrawnViewLayout.words);
  const floats = new Float32Array(words.buffer);
  const { at } = DrawnViewLayout;
  const { pixel, columns, rows } = view;
  // Edges are moved by at most twice the offset; a little more keeps what lies on either plane.
  const spare = (2 * offset) / pixel + 1 + 2 ** -16 * ((far - near) / pixel);
  const least = near / pixel - spare;
  floats.set([2 / columns, 2 / rows, 1 / (far / pixel + spare - least), least], at.scale);
  words[at.columns] = columns;
  words[at.rows] = rows;
  floats[at.least] = view.near / pixel - spare;
  floats[at.most] = view.far / pixel + spare;
  floats[at.offset] = offset / pixel;
  words[at.candidateCount] = numbers.candidateCount;
  words[at.bodyWords] = numbers.bodyWords;
  words[at.hitRoom] = numbers.hitRoom;
  words[at.bodyCount] = numbers.bodies;
  return words;
}

export function writeBodies(
  bodies: readonly Placed[],
  entries: readonly Entry[],
  { view }: DrawnPicture,
  records: readonly { readonly offset: number; readonly count: number }[],
  instead = "counting 'lists'",
): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(DrawnBodyLayout.words * bodies.length);
  const floats = new Float32Array(words.buffer);
  const { at } = DrawnBodyLayout;
  const centre = new Float64Array(3);
  const middle = [view.columns / 2, view.rows / 2, 0];
  let [faceVertices, edgeVertices] = [0, 0];
  bodies.forEach(({ pose, shape }, i) => {
    const record = DrawnBodyLayout.words * i;
    const { frame, leafOffset } = entries[i];
    const turned: Pose = view.turn(pose);
    const size = 2 ** frame.exponent;
    applyPose(turned, frame.origin[0], frame.origin[1], frame.origin[2], centre, 0);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        floats[record + at.rows + 4 * row + column] = turned[4 * column + row] * size;
      }
      floats[record + at.rows + 4 * row + 3] = centre[row] - middle[row];
      for (let column = 0; column < 4; column++) {
        if (Number.isFinite(floats[record + at.rows + 4 * row + column])) continue;
        const message = `a body is too large to draw with pixels of size ${view.pixel}: use ${instead}`;
        throw new NearfieldError('unsupported', message);
      }
    }
    words[record + at.leafOffset] = leafOffset;
    words[record + at.edgeOffset] = records[i].offset;
    words[record + at.firstFaceVertex] = faceVertices;
    words[record + at.firstEdgeVertex] = edgeVertices;
    faceVertices += 3 * entries[i].leafCount;
    edgeVertices += 2 * records[i].count;
    words[record + at.flipped] = mirrors(pose) !== facesInwards(shape) ? 1 : 0;
  });
  return words;
}
