// Where do two solids overlap most? Finds the point p at which the depth in A plus the depth in B (negative outside) is
// greatest: a ball of radius d_A in A and one of radius d_B in B about p forbid every translation shorter than d_A +
// d_B. It searches boxes of points, best bound first (the sum changes by at most twice the distance), and then climbs
// in ever smaller steps. Any point that lies in both gives a valid bound: the search need not be complete, only good.
//
// For one solid alone the same search finds the centres of large balls inside it.

import { Tree } from '../../bvh/cpu/build/layout.as';
import {
  Depths,
  depthsEnd,
  evaluate,
  forgetPlaces,
  keepIfBetter,
  Search,
  searchOf,
  takeLast,
} from './depths.as';
import { Model } from './model.as';

/** A box of points. */
@unmanaged
class Cell {
  x: f64;
  y: f64;
  z: f64;
  halfX: f64;
  halfY: f64;
  halfZ: f64;
  /** The sum of the depths at its centre, and a bound for all its points. */
  sum: f64;
  bound: f64;
  /** The slots of the nearest triangles, as hints for its halves. */
  slotA: i32;
  slotB: i32;

  /** The addresses of three doubles each. */
  get centre(): usize {
    return changetype<usize>(this);
  }

  get half(): usize {
    return changetype<usize>(this) + offsetof<Cell>('halfX');
  }
}

const cellLimit: u32 = 3000;
/** The precision of distances while climbing. */
const close: f64 = 0.99;

/** A cell of a search. */
function cellAt(model: Model, place: u32): Cell {
  return changetype<Cell>(changetype<usize>(model) + depthsEnd + <usize>place * offsetof<Cell>());
}

/** The length of a column of a matrix stored by rows. */
function columnOf(at: usize): f64 {
  return sqrt(
    load<f64>(at) * load<f64>(at) +
      load<f64>(at, 24) * load<f64>(at, 24) +
      load<f64>(at, 48) * load<f64>(at, 48),
  );
}

/** Half extent of a tree's box in its own frame. */
function halfOf(tree: Tree, axis: usize): f64 {
  return load<f64>(tree.half + (axis << 3)) * tree.scale;
}

/** Forgets what earlier searches found. */
function startSearch(model: Model): Search {
  const search = searchOf(model);
  search.sum = -Infinity;
  search.slotA = -1;
  search.slotB = -1;
  forgetPlaces(model);
  return search;
}

/**
 * Searches with about `budget` evaluations, in the part of both boxes that lies in the box of six doubles at `box` (0:
 * everywhere). The answer is at modelOut; its sum is −Infinity if there is no such part.
 */
export function deepest(model: Model, budget: u32, box: usize): void {
  const search = startSearch(model);
  const treeA = model.treeA;
  const treeB = model.treeB;
  const root = cellAt(model, 0);
  // A ball in B is no wider than B's box.
  const r = model.r;
  const stretch = max(max(columnOf(r), columnOf(r + 8)), columnOf(r + 16));
  const most = min(min(halfOf(treeB, 0), halfOf(treeB, 1)), halfOf(treeB, 2)) * stretch * 1.001;
  search.mostInB = most;
  for (let axis: usize = 0; axis < 3; axis++) {
    const half = halfOf(treeA, axis);
    const row = r + axis * 24;
    const reach =
      abs(load<f64>(row)) * halfOf(treeB, 0) +
      abs(load<f64>(row, 8)) * halfOf(treeB, 1) +
      abs(load<f64>(row, 16)) * halfOf(treeB, 2);
    const centre = load<f64>(model.t + (axis << 3));
    let low = max(-half, centre - reach);
    let high = min(half, centre + reach);
    if (box !== 0) {
      low = max(low, load<f64>(box + (axis << 3)));
      high = min(high, load<f64>(box + (axis << 3), 24));
    }
    if (low > high) return;
    store<f64>(root.centre + (axis << 3), 0.5 * (low + high));
    store<f64>(root.half + (axis << 3), 0.5 * (high - low));
  }
  root.slotA = -1;
  root.slotB = -1;
  splitCells(model, budget, true);
  climb(model, true, budget < 60 ? 8 : 16);
  settle(model, true);
}

/**
 * Measures the best point again, precisely, and makes sure that it lies in both solids. A point that lies outside one
 * solid by less than it lies inside the other is near a point in both, just beyond the nearest point of the surface.
 * But a surface may have no inside there, if two sheets of it coincide. A sum that no point in both confirms becomes 0.
 */
function settle(model: Model, both: bool): void {
  const best = searchOf(model);
  if (!(best.sum > 0)) return;
  let x = best.x;
  let y = best.y;
  let z = best.z;
  for (let attempt = 0; attempt < 4; attempt++) {
    const sum = evaluate(model, x, y, z, both, 1.0);
    takeLast(best);
    const outsideA = best.depthA < 0;
    const outsideB = both && best.depthB < 0;
    if (!outsideA && !outsideB) return;
    if (!(sum > 0)) break;
    const near = outsideA ? best.nearA : best.nearB;
    const depth = outsideA ? best.depthA : best.depthB;
    const beyond = 1.0 + (0.001 * sum) / max(-depth, 1e-300);
    x += beyond * (load<f64>(near) - x);
    y += beyond * (load<f64>(near, 8) - y);
    z += beyond * (load<f64>(near, 16) - z);
  }
  best.sum = min(0.0, best.sum);
}

/**
 * Splits the cell with the best bound, again and again, until no cell can hold a sum 5 % above the best. Returns the
 * number of cells.
 */
function splitCells(model: Model, budget: u32, both: bool): u32 {
  let count: u32 = 1;
  measure(model, cellAt(model, 0), both);
  for (let spent: u32 = 1; spent < budget && count + 1 < cellLimit; spent += 2) {
    let best = cellAt(model, 0);
    for (let i: u32 = 1; i < count; i++) {
      const cell = cellAt(model, i);
      if (cell.bound > best.bound) best = cell;
    }
    const so = searchOf(model).sum;
    if (best.bound <= so + abs(so) * 0.05) break;
    const other = cellAt(model, count++);
    halve(best, other);
    measure(model, best, both);
    measure(model, other, both);
  }
  return count;
}

function measure(model: Model, cell: Cell, both: bool): void {
  const search = searchOf(model);
  search.slotA = cell.slotA;
  search.slotB = cell.slotB;
  const sum = evaluate(model, cell.x, cell.y, cell.z, both);
  keepIfBetter(model);
  const hx = cell.halfX;
  const hy = cell.halfY;
  const hz = cell.halfZ;
  cell.slotA = search.slotA;
  cell.slotB = search.slotB;
  cell.sum = sum;
  cell.bound = sum + (both ? 2.0 : 1.0) * sqrt(hx * hx + hy * hy + hz * hz);
}

/** Climbs from the best point: along the gradient, else along an axis, else with half the step. */
function climb(model: Model, both: bool, rounds: u32): void {
  const best = searchOf(model);
  let step = 0.25 * (abs(best.sum) + 1e-3);
  for (let round: u32 = 0; round < rounds && step > 2e-3 * abs(best.sum) + 1e-12; round++) {
    const x = best.x;
    const y = best.y;
    const z = best.z;
    const before = best.sum;
    const gx = uphill(best, 0, both);
    const gy = uphill(best, 8, both);
    const gz = uphill(best, 16, both);
    const length = sqrt(gx * gx + gy * gy + gz * gz);
    if (length > 1e-3) {
      const scale = step / length;
      evaluate(model, x + gx * scale, y + gy * scale, z + gz * scale, both, close);
      keepIfBetter(model);
    }
    if (best.sum <= before) {
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
        if (best.sum > before) break;
      }
    }
    const gain = best.sum - before;
    if (gain <= 0) step *= 0.5;
    else if (gain < 0.01 * step) step *= 0.5;
  }
}

/**
 * One coordinate of the direction in which the sum grows: away from the nearest points if inside, towards them if
 * outside.
 */
function uphill(depths: Depths, axis: usize, both: bool): f64 {
  const p = load<f64>(depths.point + axis);
  const a = (p - load<f64>(depths.nearA + axis)) / depths.depthA;
  if (!both) return a;
  const b = (p - load<f64>(depths.nearB + axis)) / depths.depthB;
  return (a - a === 0 ? a : 0) + (b - b === 0 ? b : 0);
}

/**
 * Samples points inside solid A with their distances from its surface: four doubles per point at `out`. Returns their
 * number. They are the cells of a search that continues where large balls may be.
 */
export function sampleInside(model: Model, budget: u32, out: usize): u32 {
  startSearch(model);
  const root = cellAt(model, 0);
  for (let axis: usize = 0; axis < 3; axis++) {
    store<f64>(root.centre + (axis << 3), 0);
    store<f64>(root.half + (axis << 3), halfOf(model.treeA, axis));
  }
  root.slotA = -1;
  root.slotB = -1;
  let count: u32 = 1;
  measure(model, root, false);
  let found: u32 = 0;
  // The largest remaining cells are split first: the samples spread evenly, and stay where the solid may be.
  for (let spent: u32 = 1; spent < budget && count + 1 < cellLimit; spent += 2) {
    let best = root;
    let most: f64 = -Infinity;
    for (let i: u32 = 0; i < count; i++) {
      const cell = cellAt(model, i);
      if (cell.bound <= 0) continue;
      const size = cell.bound - cell.sum;
      if (size > most) {
        most = size;
        best = cell;
      }
    }
    if (most < 0) break;
    const other = cellAt(model, count++);
    halve(best, other);
    for (let side = 0; side < 2; side++) {
      const cell = side === 0 ? best : other;
      measure(model, cell, false);
      if (cell.sum <= 0) continue;
      const to = out + <usize>found * 32;
      found++;
      memory.copy(to, cell.centre, 24);
      store<f64>(to, cell.sum, 24);
    }
  }
  return found;
}

/**
 * Climbs from (x, y, z) to the centre of a large ball in solid A. Returns its radius; the centre is at the model's output.
 */
export function growBall(model: Model, x: f64, y: f64, z: f64): f64 {
  const best = startSearch(model);
  evaluate(model, x, y, z, false);
  keepIfBetter(model);
  climb(model, false, 16);
  settle(model, false);
  return best.sum;
}

/** Halves a cell across its longest side: it keeps one half, and the other is written to `other`. */
function halve(cell: Cell, other: Cell): void {
  let axis: usize = 0;
  if (cell.halfY > cell.halfX) axis = 8;
  if (cell.halfZ > load<f64>(cell.half + axis)) axis = 16;
  const half = 0.5 * load<f64>(cell.half + axis);
  store<f64>(cell.half + axis, half);
  memory.copy(changetype<usize>(other), changetype<usize>(cell), offsetof<Cell>());
  const centre = load<f64>(cell.centre + axis);
  store<f64>(cell.centre + axis, centre - half);
  store<f64>(other.centre + axis, centre + half);
}
