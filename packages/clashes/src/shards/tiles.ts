// How is an assembly divided among machines? Into tiles: a range of frames and a part of space each, found by bisection, so
// that all have about the same work. Every machine computes the same tiles, since only doubles are compared and added, in
// one order.
//
// A pair of bodies belongs to the tile with the lowest corner p of what their boxes have in common: p is the greater of both
// lower bounds, per axis. If the boxes meet, p lies in both. A tile has the bodies whose boxes reach into it: on each side of
// a cut, p decides by the same comparison as the boxes, so the tile of p has both bodies. If the boxes do not meet, the
// two are farther apart than the clearance (boxes.ts), and nobody has to find them.

import { type Frame, framesOf } from '../assembly/poses.ts';
import type { GivenBody, Motion } from '../assembly/types.ts';
import { boxSize, uniteBox, writeBox } from './boxes.ts';

/** What is divided. */
export interface Divided {
  readonly bodies: readonly Pick<GivenBody, 'mesh' | 'pose'>[];
  readonly motion?: Motion | undefined;
  /** The largest clearance that is asked for; 0 if none is. */
  readonly clearance: number;
}

/** A range of frames and a part of space. */
export interface Tile {
  readonly firstFrame: number;
  /** One more than the last. */
  readonly endFrame: number;
  /** The part of space: the least x, y and z, which belong to it, then the greatest, which do not unless infinite. */
  readonly space: Float64Array;
  /** The bodies whose boxes reach into the tile in one of its frames, in order. */
  readonly bodies: Uint32Array;
  /** The estimated work: triangles that reach into the tile, and a little per body. */
  readonly work: number;
}

/** What a body costs besides its triangles, in triangles. */
const bodyWork = 16;
/** Cuts that are compared per axis, and the lower bounds from which they are chosen. */
const mostCuts = 63;
const mostSamples = 4096;

const everywhere = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity);

/** How far boxes are grown, so that those of bodies closer than the clearance meet. */
export const growthFor = (clearance: number): number => clearance / 2;

/** Whether the pair of two bodies with these boxes belongs to the part of space. */
export function owns(space: Float64Array, p: Float64Array, q: Float64Array): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const low = Math.max(p[axis], q[axis]);
    const end = space[axis + 3];
    if (!(low >= space[axis] && (low < end || end === Infinity))) return false;
  }
  return true;
}

/** Divides into `count` tiles, of which some may be empty. */
export const divideInto = (divided: Divided, count: number): readonly Tile[] =>
  new Division(divided).into(count);

class Division {
  readonly #growth: number;
  readonly #bodies: Divided['bodies'];
  readonly #frames: readonly Frame[];

  constructor({ bodies, motion, clearance }: Divided) {
    this.#growth = growthFor(clearance);
    this.#bodies = bodies;
    this.#frames = framesOf(motion);
  }

  into(count: number): Tile[] {
    const bodies = this.#bodies;
    const own = this.#ownBoxes();
    const work = Float64Array.from(bodies, ({ mesh }) => mesh.triangleCount + bodyWork);
    const frameWork = this.#frames.map((frame, i) => (i === 0 ? sum(work) : this.#movedWork(frame, i, work)));
    const tiles: Tile[] = [];
    for (const { first, end, count: share } of frameRanges(frameWork, 0, this.#frames.length, count)) {
      const boxes = this.#unitedBoxes(own, first, end);
      const all = Uint32Array.from(bodies.keys()).filter(i => boxes[boxSize * i] <= boxes[boxSize * i + 3]);
      const scale = sum(frameWork.slice(first, end)) / (frameWork[0] || 1);
      const cut = (members: Uint32Array, space: Float64Array, left: number): void => {
        if (left === 1) {
          const range = { firstFrame: first, endFrame: end };
          tiles.push({ ...range, space, bodies: members, work: scale * sumOf(work, members) });
          return;
        }
        const half = left >> 1;
        const { axis, at } = bestCut(boxes, work, members, half, left - half);
        // A cut lies among the members' boxes, so within the space unless a box is larger: then one side is empty.
        const [below, above] = [space.slice(), space.slice()];
        below[axis + 3] = Math.min(space[axis + 3], at);
        above[axis] = Math.max(space[axis], at);
        const lower = members.filter(i => boxes[boxSize * i + axis] < below[axis + 3]);
        cut(lower, below, half);
        const upper = members.filter(i => boxes[boxSize * i + axis + 3] >= above[axis]);
        cut(upper, above, left - half);
      };
      cut(all, everywhere, share);
    }
    return tiles;
  }

  #box(index: number, poses: Frame, box = new Float64Array(boxSize), at = 0): Float64Array {
    const { mesh, pose } = this.#bodies[index];
    writeBox(mesh, poses.get(index) ?? pose, this.#growth, box, at);
    return box;
  }

  /** The boxes of all bodies where their files place them. */
  #ownBoxes(): Float64Array {
    const boxes = new Float64Array(boxSize * this.#bodies.length);
    const none: Frame = new Map();
    for (let i = 0; i < this.#bodies.length; i++) this.#box(i, none, boxes, boxSize * i);
    return boxes;
  }

  /** The boxes of all bodies over a range of frames. */
  #unitedBoxes(own: Float64Array, first: number, end: number): Float64Array {
    const boxes = own.slice();
    const placed = new Map<number, number>();
    for (let frame = first; frame < end; frame++) {
      for (const index of this.#frames[frame].keys()) {
        const box = this.#box(index, this.#frames[frame]);
        const count = placed.get(index) ?? 0;
        // A body that every frame places is never where its file has it.
        if (count === 0) boxes.set(box, boxSize * index);
        else uniteBox(boxes, boxSize * index, box, 0);
        placed.set(index, count + 1);
      }
    }
    for (const [index, count] of placed) {
      if (count < end - first) uniteBox(boxes, boxSize * index, own, boxSize * index);
    }
    return boxes;
  }

  /** The work of the bodies that a frame, or the frame before, places. */
  #movedWork(frame: Frame, i: number, work: Float64Array): number {
    let total = 0;
    for (const index of new Set([...frame.keys(), ...this.#frames[i - 1].keys()])) total += work[index];
    return total;
  }
}

/** Divides frames into ranges with numbers of tiles, so that the work per tile is about the same. */
function frameRanges(
  work: readonly number[],
  first: number,
  end: number,
  count: number,
): { readonly first: number; readonly end: number; readonly count: number }[] {
  if (end - first === 1 || count === 1) return [{ first, end, count }];
  const total = sum(work.slice(first, end));
  let best = { most: Infinity, at: first + 1, share: 1 };
  let below = 0;
  for (let at = first + 1; at < end; at++) {
    below += work[at - 1];
    const share = Math.min(Math.max(Math.round((count * below) / (total || 1)), 1), count - 1);
    const most = Math.max(below / share, (total - below) / (count - share));
    if (most < best.most) best = { most, at, share };
  }
  return [
    ...frameRanges(work, first, best.at, best.share),
    ...frameRanges(work, best.at, end, count - best.share),
  ];
}

/** The cut after which the side with more work per tile has least. Bodies that reach over the cut count on both sides. */
function bestCut(
  boxes: Float64Array,
  work: Float64Array,
  members: Uint32Array,
  belowTiles: number,
  aboveTiles: number,
): { readonly axis: number; readonly at: number } {
  let best = { most: Infinity, axis: 0, at: 0 };
  for (let axis = 0; axis < 3; axis++) {
    const cuts = cutsAcross(boxes, members, axis);
    // below[k] and above[k]: the work on both sides of cuts[k].
    const below = new Float64Array(cuts.length + 1);
    const above = new Float64Array(cuts.length + 1);
    for (const i of members) {
      // It is below all cuts greater than its lower bound, and above all that are not greater than its upper bound.
      below[firstGreater(cuts, boxes[boxSize * i + axis])] += work[i];
      above[firstGreater(cuts, boxes[boxSize * i + axis + 3])] += work[i];
    }
    for (let k = 1; k < cuts.length; k++) below[k] += below[k - 1];
    for (let k = cuts.length - 1; k >= 0; k--) above[k] += above[k + 1];
    for (let k = 0; k < cuts.length; k++) {
      const most = Math.max(below[k] / belowTiles, above[k + 1] / aboveTiles);
      if (most < best.most) best = { most, axis, at: cuts[k] };
    }
  }
  return best;
}

/** Lower bounds of some bodies, evenly among all, in order, each once. */
function cutsAcross(boxes: Float64Array, members: Uint32Array, axis: number): Float64Array {
  const step = Math.ceil(members.length / mostSamples) || 1;
  const samples = new Float64Array(Math.ceil(members.length / step));
  for (let k = 0; k < samples.length; k++) samples[k] = boxes[boxSize * members[k * step] + axis];
  samples.sort();
  const chosen = new Set<number>();
  for (let k = 1; k <= mostCuts; k++) {
    const at = samples[Math.floor((k * samples.length) / (mostCuts + 1))];
    if (Number.isFinite(at)) chosen.add(at);
  }
  return Float64Array.from(chosen);
}

/** How many of the sorted values are not greater than this one. */
function firstGreater(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

const sum = (values: ArrayLike<number>): number => {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i];
  return total;
};

function sumOf(values: Float64Array, indices: Uint32Array): number {
  let total = 0;
  for (const i of indices) total += values[i];
  return total;
}
