// How deep does a point lie in two solids, or in one? Its distance from the surface, negative outside, and the sum for
// both.

import {
  modelInverse,
  modelOut,
  modelR,
  modelStretch,
  modelT,
  modelTreeA,
  modelTreeB,
  modelWork,
} from './model.as';
import {
  foundHigh,
  foundLow,
  foundPoint,
  foundSlot,
  nearest,
  pointWorkBytes,
  undecided,
  windingAround,
} from './nearest.as';

/** The output of `deepest` at modelOut: the sum, the point, both depths, both nearest points (all in A's frame). */
export const deepestSum: usize = modelOut;
export const deepestPoint: usize = modelOut + 8;
export const deepestDepthA: usize = modelOut + 32;
export const deepestDepthB: usize = modelOut + 40;
export const deepestNearA: usize = modelOut + 48;
export const deepestNearB: usize = modelOut + 72;
/** The result of the last evaluation, with the same layout, then the slots of the nearest triangles. */
export const lastSum: usize = modelOut + 96;
export const lastSlotA: usize = modelOut + 192;
export const lastSlotB: usize = modelOut + 196;
const placeNext: usize = modelOut + 200;
/** No point lies deeper in B than this. */
export const mostInB: usize = modelOut + 208;
export const deepestBytes: usize = 96;

/** The precision of distances during a search. */
const loose: f64 = 0.9;

/**
 * A ring of places per solid whose side is known: no surface lies within `clear` of them, so the side does not change
 * there. Five doubles per place: x, y, z, clear, and whether it is inside.
 */
const placeBytes: usize = 40;
const placeCount: usize = 16;
const ringBytes: usize = placeBytes * placeCount;
const ringsAt: usize = modelWork + pointWorkBytes;
/** The start of the memory that is free for other kernels. */
export const depthsEnd: usize = ringsAt + 2 * ringBytes;

export function forgetPlaces(model: usize): void {
  memory.fill(model + ringsAt, 0, 2 * ringBytes);
  store<u32>(model, 0, placeNext);
}

/** 1 inside, −1 outside, 0 unknown. */
function knownSide(ring: usize, x: f64, y: f64, z: f64): f64 {
  for (let place = ring; place < ring + ringBytes; place += placeBytes) {
    const dx = x - load<f64>(place);
    const dy = y - load<f64>(place, 8);
    const dz = z - load<f64>(place, 16);
    const clear = load<f64>(place, 24);
    if (dx * dx + dy * dy + dz * dz < clear * clear * 0.999999) return load<f64>(place, 32);
  }
  return 0;
}

/**
 * The depth of (x, y, z) in one solid, rounded down: its distance from the surface, negative outside (then rounded up
 * in magnitude). A point whose side no ray decides counts as outside.
 */
function depthIn(model: usize, tree: usize, ring: usize, x: f64, y: f64, z: f64, hint: i32, share: f64): f64 {
  const work = model + modelWork;
  nearest(tree, x, y, z, hint, share, work);
  const clear = load<f64>(work, foundLow);
  let side = knownSide(ring, x, y, z);
  if (side === 0) {
    const winding = windingAround(tree, x, y, z, clear, work);
    side = winding !== 0 && winding !== undecided ? 1.0 : -1.0;
    if (winding !== undecided) {
      const next = load<u32>(model, placeNext);
      const place = ring + <usize>(next % <u32>placeCount) * placeBytes;
      store<u32>(model, next + 1, placeNext);
      store<f64>(place, x);
      store<f64>(place, y, 8);
      store<f64>(place, z, 16);
      store<f64>(place, clear, 24);
      store<f64>(place, side, 32);
    }
  }
  return side > 0 ? clear : -load<f64>(work, foundHigh);
}

export function evaluate(model: usize, x: f64, y: f64, z: f64, both: bool, share: f64 = loose): f64 {
  const work = model + modelWork;
  const ring = model + ringsAt;
  const hintA = load<i32>(model, lastSlotA);
  const depthA = depthIn(model, load<usize>(model, modelTreeA), ring, x, y, z, hintA, share);
  store<i32>(model, load<i32>(work, foundSlot), lastSlotA);
  const last = model + lastSum;
  store<f64>(last, x, 8);
  store<f64>(last, y, 16);
  store<f64>(last, z, 24);
  store<f64>(last, depthA, 32);
  memory.copy(last + 48, work + foundPoint, 24);
  let sum = depthA;
  if (both && share < 0.995 && depthA + load<f64>(model, mostInB) < load<f64>(model, deepestSum)) {
    // However deep it lies in B, the best is better.
    sum += load<f64>(model, mostInB);
  } else if (both) {
    const px = x - load<f64>(model, modelT);
    const py = y - load<f64>(model, modelT + 8);
    const pz = z - load<f64>(model, modelT + 16);
    const qx = product(model + modelInverse, px, py, pz);
    const qy = product(model + modelInverse + 24, px, py, pz);
    const qz = product(model + modelInverse + 48, px, py, pz);
    const hint = load<i32>(model, lastSlotB);
    const stretch = load<f64>(model, modelStretch);
    const treeB = load<usize>(model, modelTreeB);
    const depthB = depthIn(model, treeB, ring + ringBytes, qx, qy, qz, hint, share) * stretch;
    store<i32>(model, load<i32>(work, foundSlot), lastSlotB);
    const nx = load<f64>(work, foundPoint);
    const ny = load<f64>(work, foundPoint + 8);
    const nz = load<f64>(work, foundPoint + 16);
    store<f64>(last, depthB, 40);
    store<f64>(last, product(model + modelR, nx, ny, nz) + load<f64>(model, modelT), 72);
    store<f64>(last, product(model + modelR + 24, nx, ny, nz) + load<f64>(model, modelT + 8), 80);
    store<f64>(last, product(model + modelR + 48, nx, ny, nz) + load<f64>(model, modelT + 16), 88);
    sum += depthB;
  }
  store<f64>(last, sum);
  return sum;
}

function product(row: usize, x: f64, y: f64, z: f64): f64 {
  return load<f64>(row) * x + load<f64>(row, 8) * y + load<f64>(row, 16) * z;
}

export function keepIfBetter(model: usize): void {
  if (load<f64>(model, lastSum) > load<f64>(model, deepestSum))
    memory.copy(model + deepestSum, model + lastSum, deepestBytes);
}

/**
 * How deep a point of A's frame lies in A, or with `inB` in B: negative outside, 0 if no ray decides. Both are rounded
 * towards 0.
 */
export function depthOf(model: usize, x: f64, y: f64, z: f64, inB: bool): f64 {
  const work = model + modelWork;
  let tree = load<usize>(model, modelTreeA);
  let stretch: f64 = 1;
  if (inB) {
    tree = load<usize>(model, modelTreeB);
    stretch = load<f64>(model, modelStretch);
    const px = x - load<f64>(model, modelT);
    const py = y - load<f64>(model, modelT + 8);
    const pz = z - load<f64>(model, modelT + 16);
    x = product(model + modelInverse, px, py, pz);
    y = product(model + modelInverse + 24, px, py, pz);
    z = product(model + modelInverse + 48, px, py, pz);
  }
  nearest(tree, x, y, z, -1, 0.5, work);
  const clear = load<f64>(work, foundLow);
  const winding = windingAround(tree, x, y, z, clear, work);
  return winding === undecided ? 0 : stretch * (winding === 0 ? -clear : clear);
}
