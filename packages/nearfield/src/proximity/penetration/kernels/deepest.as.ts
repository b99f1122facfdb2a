// Where do two solids overlap most? The point p at which the depth in A plus the depth in B is greatest, negative outside:
// a ball of radius d_A in A and one of radius d_B in B about p forbid every translation shorter than d_A + d_B.
// Boxes of points, best bound first (the sum changes by at most twice the distance), then uphill in ever smaller steps.
// Any point gives a valid bound: the search need not be complete, only good.
//
// For one solid alone the same search finds the centres of large balls within it.

import { treeHalf, treeScale } from '../../../bvh/layout.as';
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

/** What `deepest` leaves at modelOut: the sum, the point, both depths, both nearest points (all in A's frame). */
export const deepestSum: usize = modelOut;
export const deepestPoint: usize = modelOut + 8;
export const deepestDepthA: usize = modelOut + 32;
export const deepestDepthB: usize = modelOut + 40;
export const deepestNearA: usize = modelOut + 48;
export const deepestNearB: usize = modelOut + 72;
/** What the last evaluation gave, laid out likewise, then the slots of the nearest triangles. */
const lastSum: usize = modelOut + 96;
const lastSlotA: usize = modelOut + 192;
const lastSlotB: usize = modelOut + 196;
const placeNext: usize = modelOut + 200;
/** No point lies deeper in B than this. */
const mostInB: usize = modelOut + 208;
export const deepestBytes: usize = 96;

/** Six doubles: centre, half extents; then the sum there and the bound; the slots of the nearest triangles, for its halves. */
const cellBytes: usize = 72;
const cellLimit: u32 = 3000;
/** How near to the truth distances are while the search goes on, and on the way uphill. */
const loose: f64 = 0.9;
const close: f64 = 0.99;

/**
 * Places whose side is known, a ring for each solid: no surface lies within `clear` of them, so neither does the side change.
 * x, y, z, clear, and whether it is inside, five doubles each.
 */
const placeBytes: usize = 40;
const placeCount: usize = 16;
const ringBytes: usize = placeBytes * placeCount;
const ringsAt: usize = modelWork + pointWorkBytes;
/** The cells of a search. */
const cells: usize = ringsAt + 2 * ringBytes;

function forgetPlaces(model: usize): void {
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
 * Depth of (x, y, z) in one solid, rounded down: its distance from the surface, negative outside (rounded up then in
 * size). A point whose side no ray decides counts as outside.
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

function evaluate(model: usize, x: f64, y: f64, z: f64, both: bool, share: f64 = loose): f64 {
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
  if (both && share < 1.0 && depthA + load<f64>(model, mostInB) < load<f64>(model, deepestSum)) {
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

function keepIfBetter(model: usize): void {
  if (load<f64>(model, lastSum) > load<f64>(model, deepestSum))
    memory.copy(model + deepestSum, model + lastSum, deepestBytes);
}

/** Length of a column of a matrix stored by rows. */
function columnOf(at: usize): f64 {
  return sqrt(
    load<f64>(at) * load<f64>(at) +
      load<f64>(at, 24) * load<f64>(at, 24) +
      load<f64>(at, 48) * load<f64>(at, 48),
  );
}

/** Half extent of a tree's box in its own frame. */
function halfOf(tree: usize, axis: usize): f64 {
  return load<f64>(tree + (axis << 3), treeHalf) * load<f64>(tree, treeScale);
}

/**
 * Searches with about `budget` evaluations, in the part of both boxes that lies in the one of six doubles at `box` (0: all of
 * it). The answer is at modelOut; its sum is −Infinity where there is no such part.
 */
export function deepest(model: usize, budget: u32, box: usize): void {
  store<f64>(model, -Infinity, deepestSum);
  forgetPlaces(model);
  store<i32>(model, -1, lastSlotA);
  store<i32>(model, -1, lastSlotB);
  const treeA = load<usize>(model, modelTreeA);
  const treeB = load<usize>(model, modelTreeB);
  const root = model + cells;
  // A ball in B is no wider than B's box.
  const r = model + modelR;
  const stretch = max(max(columnOf(r), columnOf(r + 8)), columnOf(r + 16));
  const most = min(min(halfOf(treeB, 0), halfOf(treeB, 1)), halfOf(treeB, 2)) * stretch * 1.001;
  store<f64>(model, most, mostInB);
  for (let axis: usize = 0; axis < 3; axis++) {
    const half = halfOf(treeA, axis);
    const row = model + modelR + axis * 24;
    const reach =
      abs(load<f64>(row)) * halfOf(treeB, 0) +
      abs(load<f64>(row, 8)) * halfOf(treeB, 1) +
      abs(load<f64>(row, 16)) * halfOf(treeB, 2);
    const centre = load<f64>(model + (axis << 3), modelT);
    let low = max(-half, centre - reach);
    let high = min(half, centre + reach);
    if (box !== 0) {
      low = max(low, load<f64>(box + (axis << 3)));
      high = min(high, load<f64>(box + (axis << 3), 24));
    }
    if (low > high) return;
    store<f64>(root + (axis << 3), 0.5 * (low + high));
    store<f64>(root + (axis << 3), 0.5 * (high - low), 24);
  }
  store<i64>(root, -1, 64);
  search(model, budget, true);
  climb(model, true, budget < 80 ? 8 : 24);
  settle(model, true);
}

/**
 * Measures the best point again, without looseness, and makes sure that it lies in both solids. One that lies outside a solid
 * by less than it lies within the other is near a point that does, just beyond the nearest of the surface; but a surface may
 * have no inside there, where two sheets of it lie on each other. A sum that no point in both confirms becomes 0.
 */
function settle(model: usize, both: bool): void {
  if (!(load<f64>(model, deepestSum) > 0)) return;
  let x = load<f64>(model, deepestPoint);
  let y = load<f64>(model, deepestPoint + 8);
  let z = load<f64>(model, deepestPoint + 16);
  for (let attempt = 0; attempt < 4; attempt++) {
    const sum = evaluate(model, x, y, z, both, 1.0);
    memory.copy(model + deepestSum, model + lastSum, deepestBytes);
    const outsideA = load<f64>(model, deepestDepthA) < 0;
    const outsideB = both && load<f64>(model, deepestDepthB) < 0;
    if (!outsideA && !outsideB) return;
    if (!(sum > 0)) break;
    const near = outsideA ? model + deepestNearA : model + deepestNearB;
    const depth = outsideA ? load<f64>(model, deepestDepthA) : load<f64>(model, deepestDepthB);
    const beyond = 1.0 + (0.001 * sum) / max(-depth, 1e-300);
    x += beyond * (load<f64>(near) - x);
    y += beyond * (load<f64>(near, 8) - y);
    z += beyond * (load<f64>(near, 16) - z);
  }
  store<f64>(model, min(0.0, load<f64>(model, deepestSum)), deepestSum);
}

/** Halves the cell of the best bound, again and again, until no cell can hold a sum 5 % above the best. Returns their number. */
function search(model: usize, budget: u32, both: bool): u32 {
  const base = model + cells;
  let count: u32 = 1;
  measure(model, base, both);
  for (let spent: u32 = 1; spent < budget && count + 1 < cellLimit; spent += 2) {
    let best = base;
    for (let cell = base + cellBytes; cell < base + <usize>count * cellBytes; cell += cellBytes)
      if (load<f64>(cell, 56) > load<f64>(best, 56)) best = cell;
    const so = load<f64>(model, deepestSum);
    if (load<f64>(best, 56) <= so + abs(so) * 0.05) break;
    let axis: usize = 0;
    if (load<f64>(best, 32) > load<f64>(best, 24)) axis = 8;
    if (load<f64>(best, 40) > load<f64>(best + axis, 24)) axis = 16;
    const half = 0.5 * load<f64>(best + axis, 24);
    store<f64>(best + axis, half, 24);
    const other = base + <usize>count * cellBytes;
    count++;
    memory.copy(other, best, cellBytes);
    const centre = load<f64>(best + axis);
    store<f64>(best + axis, centre - half);
    store<f64>(other + axis, centre + half);
    measure(model, best, both);
    measure(model, other, both);
  }
  return count;
}

function measure(model: usize, cell: usize, both: bool): void {
  store<u64>(model, load<u64>(cell, 64), lastSlotA);
  const sum = evaluate(model, load<f64>(cell), load<f64>(cell, 8), load<f64>(cell, 16), both);
  keepIfBetter(model);
  const hx = load<f64>(cell, 24);
  const hy = load<f64>(cell, 32);
  const hz = load<f64>(cell, 40);
  store<u64>(cell, load<u64>(model, lastSlotA), 64);
  store<f64>(cell, sum, 48);
  store<f64>(cell, sum + (both ? 2.0 : 1.0) * sqrt(hx * hx + hy * hy + hz * hz), 56);
}

/** From the best point uphill: along the gradient, else along an axis, else with half the step. */
function climb(model: usize, both: bool, rounds: u32): void {
  let step = 0.25 * (abs(load<f64>(model, deepestSum)) + 1e-3);
  for (
    let round: u32 = 0;
    round < rounds && step > 2e-3 * abs(load<f64>(model, deepestSum)) + 1e-12;
    round++
  ) {
    const x = load<f64>(model, deepestPoint);
    const y = load<f64>(model, deepestPoint + 8);
    const z = load<f64>(model, deepestPoint + 16);
    const before = load<f64>(model, deepestSum);
    const gx = uphill(model, 0, both);
    const gy = uphill(model, 8, both);
    const gz = uphill(model, 16, both);
    const length = sqrt(gx * gx + gy * gy + gz * gz);
    if (length > 1e-3) {
      const scale = step / length;
      evaluate(model, x + gx * scale, y + gy * scale, z + gz * scale, both, close);
      keepIfBetter(model);
    }
    if (load<f64>(model, deepestSum) <= before) {
      for (let side = 0; side < 6; side++) {
        const by = side & 1 ? -step : step;
        evaluate(
          model,
          x + (side < 2 ? by : 0.0),
          y + (side >> 1 === 1 ? by : 0.0),
          z + (side >= 4 ? by : 0.0),
          both,
          close,
        );
        keepIfBetter(model);
        if (load<f64>(model, deepestSum) > before) break;
      }
    }
    const gain = load<f64>(model, deepestSum) - before;
    if (gain <= 0) step *= 0.5;
    else if (gain < 0.01 * step) step *= 0.5;
  }
}

/** One coordinate of the direction in which the sum grows: away from the nearest points, towards them from outside. */
function uphill(model: usize, axis: usize, both: bool): f64 {
  const p = load<f64>(model + axis, deepestPoint);
  const a = (p - load<f64>(model + axis, deepestNearA)) / load<f64>(model, deepestDepthA);
  if (!both) return a;
  const b = (p - load<f64>(model + axis, deepestNearB)) / load<f64>(model, deepestDepthB);
  return (a - a === 0 ? a : 0) + (b - b === 0 ? b : 0);
}

/**
 * Points within solid A, with their distances from its surface: four doubles a point at `out`, their number returned. The
 * cells of a search that goes on where large balls may be.
 */
export function sampleInside(model: usize, budget: u32, out: usize): u32 {
  store<f64>(model, -Infinity, deepestSum);
  forgetPlaces(model);
  store<i32>(model, -1, lastSlotA);
  const tree = load<usize>(model, modelTreeA);
  const base = model + cells;
  for (let axis: usize = 0; axis < 3; axis++) {
    store<f64>(base + (axis << 3), 0);
    store<f64>(base + (axis << 3), halfOf(tree, axis), 24);
  }
  store<i64>(base, -1, 64);
  let count: u32 = 1;
  measure(model, base, false);
  let found: u32 = 0;
  // Cells as large as any left are halved first: the samples spread evenly, and stay where the solid may be.
  for (let spent: u32 = 1; spent < budget && count + 1 < cellLimit; spent += 2) {
    let best = base;
    let most: f64 = -Infinity;
    for (let cell = base; cell < base + <usize>count * cellBytes; cell += cellBytes) {
      const bound = load<f64>(cell, 56);
      if (bound <= 0) continue;
      const size = bound - load<f64>(cell, 48);
      if (size > most) {
        most = size;
        best = cell;
      }
    }
    if (most < 0) break;
    let axis: usize = 0;
    if (load<f64>(best, 32) > load<f64>(best, 24)) axis = 8;
    if (load<f64>(best, 40) > load<f64>(best + axis, 24)) axis = 16;
    const half = 0.5 * load<f64>(best + axis, 24);
    store<f64>(best + axis, half, 24);
    const other = base + <usize>count * cellBytes;
    count++;
    memory.copy(other, best, cellBytes);
    const centre = load<f64>(best + axis);
    store<f64>(best + axis, centre - half);
    store<f64>(other + axis, centre + half);
    for (let side = 0; side < 2; side++) {
      const cell = side === 0 ? best : other;
      measure(model, cell, false);
      if (load<f64>(cell, 48) <= 0) continue;
      const to = out + <usize>found * 32;
      found++;
      memory.copy(to, cell, 24);
      store<f64>(to, load<f64>(cell, 48), 24);
    }
  }
  return found;
}

/** From (x, y, z) uphill to the centre of a large ball in solid A: its radius; the centre at `deepestPoint`. */
export function growBall(model: usize, x: f64, y: f64, z: f64): f64 {
  store<f64>(model, -Infinity, deepestSum);
  forgetPlaces(model);
  store<i32>(model, -1, lastSlotA);
  evaluate(model, x, y, z, false);
  keepIfBetter(model);
  climb(model, false, 16);
  settle(model, false);
  return load<f64>(model, deepestSum);
}

/**
 * How deep a point of A's frame lies in A, and with `inB` in B: negative outside, 0 where no ray decides. Both are rounded
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
