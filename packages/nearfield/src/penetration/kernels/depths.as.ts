// How deep does a point lie in two solids, or in one? Its distance from the surface, negative outside, and the sum for
// both.

import { Tree } from '../../bvh/cpu/build/layout.as';
import { Model, modelWork } from './model.as';
import { foundAt, nearest, pointWorkBytes, undecided, windingAround } from './nearest.as';

/** The depths of a point, all in A's frame. */
@unmanaged
export class Depths {
  sum: f64;
  x: f64;
  y: f64;
  z: f64;
  depthA: f64;
  depthB: f64;
  /** The nearest points of both surfaces. */
  nearAX: f64;
  nearAY: f64;
  nearAZ: f64;
  nearBX: f64;
  nearBY: f64;
  nearBZ: f64;

  /** The addresses of three doubles each. */
  get point(): usize {
    return changetype<usize>(this) + offsetof<Depths>('x');
  }

  get nearA(): usize {
    return changetype<usize>(this) + offsetof<Depths>('nearAX');
  }

  get nearB(): usize {
    return changetype<usize>(this) + offsetof<Depths>('nearBX');
  }
}

/** The state of a search at the model's output: the best point. */
@unmanaged
export class Search extends Depths {
  /** The slots of the nearest triangles of the last point that was evaluated. */
  slotA: i32;
  slotB: i32;
  nextPlace: u32;
  /** No point lies deeper in B than this. */
  mostInB: f64;

  /** The depths of the last point. */
  get last(): Depths {
    return changetype<Depths>(changetype<usize>(this) + offsetof<Search>());
  }
}

export function searchOf(model: Model): Search {
  return changetype<Search>(model.out);
}

/** The precision of distances during a search. */
const loose: f64 = 0.9;

/** A place whose side is known: no surface lies within `clear` of it, so the side does not change there. */
@unmanaged
class Place {
  x: f64;
  y: f64;
  z: f64;
  clear: f64;
  /** 1 inside, −1 outside. */
  side: f64;
}

/** A ring of places per solid. */
const placeCount: usize = 16;
const ringBytes: usize = offsetof<Place>() * placeCount;
const ringsAt: usize = modelWork + pointWorkBytes;
/** The start of the memory that is free for other kernels. */
export const depthsEnd: usize = ringsAt + 2 * ringBytes;

function ringsOf(model: Model): usize {
  return changetype<usize>(model) + ringsAt;
}

export function forgetPlaces(model: Model): void {
  memory.fill(ringsOf(model), 0, 2 * ringBytes);
  searchOf(model).nextPlace = 0;
}

/** 1 inside, −1 outside, 0 unknown. */
function knownSide(ring: usize, x: f64, y: f64, z: f64): f64 {
  for (let at = ring; at < ring + ringBytes; at += offsetof<Place>()) {
    const place = changetype<Place>(at);
    const dx = x - place.x;
    const dy = y - place.y;
    const dz = z - place.z;
    if (dx * dx + dy * dy + dz * dz < place.clear * place.clear * 0.999999) return place.side;
  }
  return 0;
}

/**
 * The depth of (x, y, z) in one solid, rounded down: its distance from the surface, negative outside (then rounded up
 * in magnitude). A point whose side no ray decides counts as outside.
 */
function depthIn(model: Model, tree: Tree, ring: usize, x: f64, y: f64, z: f64, hint: i32, share: f64): f64 {
  const found = foundAt(model.work);
  nearest(tree, x, y, z, hint, share, found);
  const clear = found.low;
  let side = knownSide(ring, x, y, z);
  if (side === 0) {
    const winding = windingAround(tree, x, y, z, clear, found);
    side = winding !== 0 && winding !== undecided ? 1.0 : -1.0;
    if (winding !== undecided) {
      const next = searchOf(model).nextPlace++;
      const place = changetype<Place>(ring + <usize>(next % <u32>placeCount) * offsetof<Place>());
      place.x = x;
      place.y = y;
      place.z = z;
      place.clear = clear;
      place.side = side;
    }
  }
  return side > 0 ? clear : -found.high;
}

export function evaluate(model: Model, x: f64, y: f64, z: f64, both: bool, share: f64 = loose): f64 {
  const found = foundAt(model.work);
  const ring = ringsOf(model);
  const search = searchOf(model);
  const last = search.last;
  const depthA = depthIn(model, model.treeA, ring, x, y, z, search.slotA, share);
  search.slotA = found.slot;
  last.x = x;
  last.y = y;
  last.z = z;
  last.depthA = depthA;
  last.nearAX = found.x;
  last.nearAY = found.y;
  last.nearAZ = found.z;
  let sum = depthA;
  if (both && share < 0.995 && depthA + search.mostInB < search.sum) {
    // However deep it lies in B, the best is better.
    sum += search.mostInB;
  } else if (both) {
    const px = x - model.tX;
    const py = y - model.tY;
    const pz = z - model.tZ;
    const qx = product(model.inverse, px, py, pz);
    const qy = product(model.inverse + 24, px, py, pz);
    const qz = product(model.inverse + 48, px, py, pz);
    const hint = search.slotB;
    const depthB = depthIn(model, model.treeB, ring + ringBytes, qx, qy, qz, hint, share) * model.stretch;
    search.slotB = found.slot;
    last.depthB = depthB;
    last.nearBX = product(model.r, found.x, found.y, found.z) + model.tX;
    last.nearBY = product(model.r + 24, found.x, found.y, found.z) + model.tY;
    last.nearBZ = product(model.r + 48, found.x, found.y, found.z) + model.tZ;
    sum += depthB;
  }
  last.sum = sum;
  return sum;
}

function product(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z;
}

export function keepIfBetter(model: Model): void {
  const search = searchOf(model);
  if (search.last.sum > search.sum) takeLast(search);
}

/** Takes the last point that was evaluated as the best. */
export function takeLast(search: Search): void {
  memory.copy(changetype<usize>(search), changetype<usize>(search.last), offsetof<Depths>());
}

/**
 * How deep a point of A's frame lies in A, or with `inB` in B: negative outside, 0 if no ray decides. Both are rounded
 * towards 0.
 */
export function depthOf(model: Model, x: f64, y: f64, z: f64, inB: bool): f64 {
  const found = foundAt(model.work);
  let tree = model.treeA;
  let stretch: f64 = 1;
  if (inB) {
    tree = model.treeB;
    stretch = model.stretch;
    const px = x - model.tX;
    const py = y - model.tY;
    const pz = z - model.tZ;
    x = product(model.inverse, px, py, pz);
    y = product(model.inverse + 24, px, py, pz);
    z = product(model.inverse + 48, px, py, pz);
  }
  nearest(tree, x, y, z, -1, 0.5, found);
  const clear = found.low;
  const winding = windingAround(tree, x, y, z, clear, found);
  return winding === undecided ? 0 : stretch * (winding === 0 ? -clear : clear);
}
