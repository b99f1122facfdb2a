// When do two triangles meet, if one of them moves? Seen along the motion they overlap in a polygon. The difference of
// their heights over it is the time, and is linear, so the first and the last time are at its corners: a corner of one
// triangle over the other's face, or two crossing edges. Triangles are nine doubles in the frame of the sweep, whose
// third axis is the motion.

import { Model } from './model.as';

/** The output of a sweep. */
@unmanaged
export class Swept {
  time: f64;
  /** The normal of the contact (A's frame, unit, against the motion). */
  normalX: f64;
  normalY: f64;
  normalZ: f64;
  /** 1 if there is a contact. */
  found: f64;
  /** The first and the last time of two triangles, and what meets then (`sweepTriangles`). */
  first: f64;
  last: f64;
  firstKind: u32;
  lastKind: u32;

  /** The address of three doubles. */
  get normal(): usize {
    return changetype<usize>(this) + offsetof<Swept>('normalX');
  }
}

export function sweptOf(model: Model): Swept {
  return changetype<Swept>(model.out);
}

/** Contacts whose plane contains the motion, to within this, do not stop it. */
const grazing: f64 = 1e-7;

/** Twice the area of a, b, p seen along the direction. */
function area(a: usize, b: usize, p: usize): f64 {
  const px = load<f64>(p);
  const py = load<f64>(p, 8);
  return (load<f64>(a) - px) * (load<f64>(b, 8) - py) - (load<f64>(a, 8) - py) * (load<f64>(b) - px);
}

function next(corner: usize): usize {
  return corner === 48 ? 0 : corner + 24;
}

/** The earliest and latest time at which the two triangles meet. Takes the relevant one if it improves the result. */
export function sweepTriangles(model: Model, frame: usize, a: usize, b: usize, out: bool): void {
  // Signed areas: of each corner of one with each edge of the other.
  const a0 = area(a, a + 24, b);
  const a1 = area(a, a + 24, b + 24);
  const a2 = area(a, a + 24, b + 48);
  const b0 = area(a + 24, a + 48, b);
  const b1 = area(a + 24, a + 48, b + 24);
  const b2 = area(a + 24, a + 48, b + 48);
  const c0 = area(a + 48, a, b);
  const c1 = area(a + 48, a, b + 24);
  const c2 = area(a + 48, a, b + 48);
  const whole = a0 + b0 + c0;
  // B lies entirely beyond an edge of A.
  if (whole > 0) {
    if ((a0 < 0 && a1 < 0 && a2 < 0) || (b0 < 0 && b1 < 0 && b2 < 0) || (c0 < 0 && c1 < 0 && c2 < 0)) return;
  } else {
    if ((a0 > 0 && a1 > 0 && a2 > 0) || (b0 > 0 && b1 > 0 && b2 > 0) || (c0 > 0 && c1 > 0 && c2 > 0)) return;
  }
  const swept = sweptOf(model);
  swept.first = Infinity;
  swept.last = -Infinity;
  // Corners of B over A's face.
  over(swept, a, b, a0, b0, c0, 1.0);
  over(swept, a, b + 24, a1, b1, c1, 1.0);
  over(swept, a, b + 48, a2, b2, c2, 1.0);
  // Corners of A over B's face.
  for (let corner: usize = 0; corner < 72; corner += 24) {
    const p = a + corner;
    over(swept, b, p, area(b, b + 24, p), area(b + 24, b + 48, p), area(b + 48, b, p), -1.0);
  }
  edges(swept, a, 0, b, a0, a1, a2);
  edges(swept, a, 24, b, b0, b1, b2);
  edges(swept, a, 48, b, c0, c1, c2);
  const time = out ? swept.last : swept.first;
  const best = swept.time;
  if (out ? !(time > best) || !(time < Infinity) : !(time < best) || !(time >= -1e-9)) return;
  // The normal: of the face that the corner is over, or of both edges.
  const kind = out ? swept.lastKind : swept.firstKind;
  let ux: f64;
  let uy: f64;
  let uz: f64;
  let vx: f64;
  let vy: f64;
  let vz: f64;
  if (kind < 2) {
    const face = kind === 0 ? a : b;
    ux = load<f64>(face, 24) - load<f64>(face);
    uy = load<f64>(face, 32) - load<f64>(face, 8);
    uz = load<f64>(face, 40) - load<f64>(face, 16);
    vx = load<f64>(face, 48) - load<f64>(face);
    vy = load<f64>(face, 56) - load<f64>(face, 8);
    vz = load<f64>(face, 64) - load<f64>(face, 16);
  } else {
    const edgeA = <usize>((kind - 2) % 3) * 24;
    const edgeB = <usize>((kind - 2) / 3) * 24;
    ux = load<f64>(a + next(edgeA)) - load<f64>(a + edgeA);
    uy = load<f64>(a + next(edgeA), 8) - load<f64>(a + edgeA, 8);
    uz = load<f64>(a + next(edgeA), 16) - load<f64>(a + edgeA, 16);
    vx = load<f64>(b + next(edgeB)) - load<f64>(b + edgeB);
    vy = load<f64>(b + next(edgeB), 8) - load<f64>(b + edgeB, 8);
    vz = load<f64>(b + next(edgeB), 16) - load<f64>(b + edgeB, 16);
  }
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const length = sqrt(nx * nx + ny * ny + nz * nz);
  if (!(abs(nz) > grazing * length)) return;
  // In the sweep's frame the motion is +z: the free side is ahead after an exit, behind before an entry.
  const sign = (out ? nz > 0 : nz < 0) ? 1.0 / length : -1.0 / length;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const value =
      nx * load<f64>(frame + axis) + ny * load<f64>(frame + axis, 24) + nz * load<f64>(frame + axis, 48);
    store<f64>(swept.normal + axis, value * sign);
  }
  swept.time = time;
  swept.found = 1;
}

function note(swept: Swept, time: f64, kind: u32): void {
  if (time < swept.first) {
    swept.first = time;
    swept.firstKind = kind;
  }
  if (time > swept.last) {
    swept.last = time;
    swept.lastKind = kind;
  }
}

/**
 * A corner p over a face, if it is: x, y, z are its areas with the face's edges. A time is a height in A minus one in
 * B.
 */
function over(swept: Swept, face: usize, p: usize, x: f64, y: f64, z: f64, sign: f64): void {
  if (!((x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0))) return;
  const whole = x + y + z;
  if (whole === 0) return;
  const height = (y * load<f64>(face, 16) + z * load<f64>(face, 40) + x * load<f64>(face, 64)) / whole;
  note(swept, sign * (height - load<f64>(p, 16)), sign > 0 ? 0 : 1);
}

/** The edge of A that starts at `from` against B's edges: x, y, z are the areas of B's corners with it. */
function edges(swept: Swept, a: usize, from: usize, b: usize, x: f64, y: f64, z: f64): void {
  const to = next(from);
  const kind: u32 = 2 + <u32>(from / 24);
  crossing(swept, a + from, a + to, b, b + 24, x, y, kind);
  crossing(swept, a + from, a + to, b + 24, b + 48, y, z, kind + 3);
  crossing(swept, a + from, a + to, b + 48, b, z, x, kind + 6);
}

function crossing(swept: Swept, a: usize, a1: usize, b: usize, b1: usize, x: f64, y: f64, kind: u32): void {
  if (!((x >= 0 && y <= 0) || (x <= 0 && y >= 0)) || x === y) return;
  const p = area(b, b1, a);
  const q = area(b, b1, a1);
  if (!((p >= 0 && q <= 0) || (p <= 0 && q >= 0)) || p === q) return;
  const onA = p / (p - q);
  const onB = x / (x - y);
  const heightA = load<f64>(a, 16) + onA * (load<f64>(a1, 16) - load<f64>(a, 16));
  const heightB = load<f64>(b, 16) + onB * (load<f64>(b1, 16) - load<f64>(b, 16));
  note(swept, heightA - heightB, kind);
}
