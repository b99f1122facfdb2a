// Where do two solids overlap most? Finds the point p at which the depth in A plus the depth in B (negative outside) is
// greatest: a ball of radius d_A in A and one of radius d_B in B about p forbid every translation shorter than d_A +
// d_B. It searches boxes of points, best bound first (the sum changes by at most twice the distance), and then climbs
// in ever smaller steps. Any point that lies in both gives a valid bound: the search need not be complete, only good.
//
// For one solid alone the same search finds the centres of large balls inside it.

import { treeHalf, treeScale } from '../../bvh/cpu/build/layout.as';
import {
  deepestBytes,
  deepestDepthA,
  deepestDepthB,
  deepestNearA,
  deepestNearB,
  deepestPoint,
  deepestSum,
  depthsEnd,
  evaluate,
  forgetPlaces,
  keepIfBetter,
  lastSlotA,
  lastSlotB,
  lastSum,
  mostInB,
} from './depths.as';
import { modelR, modelT, modelTreeA, modelTreeB } from './model.as';

/**
 * Six doubles for centre and half extents; then the sum there and the bound; then the slots of the nearest triangles,
 * as hints for its halves.
 */
const cellBytes: usize = 72;
const cellLimit: u32 = 3000;
/** The precision of distances while climbing. */
const close: f64 = 0.99;
/** The cells of a search. */
const cells: usize = depthsEnd;

/** The length of a column of a matrix stored by rows. */
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
 * Searches with about `budget` evaluations, in the part of both boxes that lies in the box of six doubles at `box` (0:
 * everywhere). The answer is at modelOut; its sum is −Infinity if there is no such part.
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
  climb(model, true, budget < 60 ? 8 : 16);
  settle(model, true);
}

/**
 * Measures the best point again, precisely, and makes sure that it lies in both solids. A point that lies outside one
 * solid by less than it lies inside the other is near a point in both, just beyond the nearest point of the surface.
 * But a surface may have no inside there, if two sheets of it coincide. A sum that no point in both confirms becomes 0.
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

/**
 * Splits the cell with the best bound, again and again, until no cell can hold a sum 5 % above the best. Returns the
 * number of cells.
 */
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
    const other = base + <usize>count * cellBytes;
    count++;
    halve(best, other);
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

/** Climbs from the best point: along the gradient, else along an axis, else with half the step. */
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

/**
 * One coordinate of the direction in which the sum grows: away from the nearest points if inside, towards them if
 * outside.
 */
function uphill(model: usize, axis: usize, both: bool): f64 {
  const p = load<f64>(model + axis, deepestPoint);
  const a = (p - load<f64>(model + axis, deepestNearA)) / load<f64>(model, deepestDepthA);
  if (!both) return a;
  const b = (p - load<f64>(model + axis, deepestNearB)) / load<f64>(model, deepestDepthB);
  return (a - a === 0 ? a : 0) + (b - b === 0 ? b : 0);
}

/**
 * Samples points inside solid A with their distances from its surface: four doubles per point at `out`. Returns their
 * number. They are the cells of a search that continues where large balls may be.
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
  // The largest remaining cells are split first: the samples spread evenly, and stay where the solid may be.
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
    const other = base + <usize>count * cellBytes;
    count++;
    halve(best, other);
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

/**
 * Climbs from (x, y, z) to the centre of a large ball in solid A. Returns its radius; the centre is at `deepestPoint`.
 */
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

/** Halves a cell across its longest side: it keeps one half, and the other is written to `other`. */
function halve(cell: usize, other: usize): void {
  let axis: usize = 0;
  if (load<f64>(cell, 32) > load<f64>(cell, 24)) axis = 8;
  if (load<f64>(cell, 40) > load<f64>(cell + axis, 24)) axis = 16;
  const half = 0.5 * load<f64>(cell + axis, 24);
  store<f64>(cell + axis, half, 24);
  memory.copy(other, cell, cellBytes);
  const centre = load<f64>(cell + axis);
  store<f64>(cell + axis, centre - half);
  store<f64>(other + axis, centre + half);
}
