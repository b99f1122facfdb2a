// Rigid pieces that fall, strike one another and come to rest on the floor z = 0, by position corrections in small
// steps (Müller, Macklin, Chentanez, Jeschke and Kim, "Detailed Rigid Body Simulation with Extended Position Based
// Dynamics", 2020), with a moment of inertia that is the same about every axis. Hulls are separated along the
// direction of the widest gap, or the least overlap, among the planes that cut them out and the previous best
// direction.

import { dot, inverse, length, plus, rotate, times, type Vector } from '../rigid/vector.ts';
import type { Hull } from './hulls.ts';
import type { Piece } from './piece.ts';

/** The floor is not a piece: nothing moves it. */
interface Contact {
  readonly piece: Piece;
  readonly other: Piece | undefined;
  readonly offset: Vector;
  readonly otherOffset: Vector;
  /** Unit normal from the piece to the other. */
  readonly normal: Vector;
  /** Their closing speed before the step. */
  readonly closing: number;
}

/** Two hulls that may meet within a step, and the separating direction from the first to the second. */
interface Near {
  readonly a: PlacedPiece;
  readonly b: PlacedPiece;
  readonly normal: Vector;
}

interface PlacedPiece {
  readonly piece: Piece;
  readonly hull: Hull;
}

const gravity: Vector = [0, 0, -9.81];
const substeps = 8;
/** Hulls keep this distance, because surfaces are rounder than the few corners of their hulls. */
const margin = 0.006;
/** Hulls closer than that are not separated faster than this, plus their closing speed. */
const partingSpeed = 0.3;
const friction = 0.55;
const bounce = 0.2;
/** Below this speed nothing bounces. */
const still = 0.4;
/** Share of motion lost per second, to air and small contacts. */
const drag = 0.15;
const spinDrag = 1.2;

/** Advances by `dt`. Contacts are corrected in the order of the pieces, so the same order gives the same motion. */
export class Debris {
  /** The best direction of two hulls in the previous step. */
  #normals = new Map<Hull, Map<Hull, Vector>>();

  advance(pieces: readonly Piece[], dt: number): void {
    const h = dt / substeps;
    for (const piece of pieces) piece.struck = 0;
    const near = this.#nearHulls(pieces, dt);
    for (let i = 0; i < substeps; i++) {
      for (const piece of pieces) piece.predict(h, gravity, drag, spinDrag);
      const contacts: Contact[] = [];
      for (const pair of near) meet(pair, h, contacts);
      for (const piece of pieces) meetFloor(piece, contacts);
      for (const piece of pieces) piece.takeVelocity(h);
      for (const contact of contacts) settle(contact);
    }
  }

  /** Sweeps balls around the hulls along x. */
  #nearHulls(pieces: readonly Piece[], dt: number): Near[] {
    const spans = pieces.flatMap(piece => {
      const swept = dt * (length(piece.velocity) + piece.reach * length(piece.turning)) + margin;
      return piece.hulls.map(hull => {
        const center = plus(piece.position, rotate(piece.orientation, hull.center));
        const reach = hull.radius + swept;
        return { piece, hull, center, reach, swept, low: center[0] - reach, high: center[0] + reach };
      });
    });
    spans.sort((p, q) => p.low - q.low);
    const near: Near[] = [];
    const normals = new Map<Hull, Map<Hull, Vector>>();
    for (let i = 0; i < spans.length; i++) {
      const a = spans[i];
      for (let j = i + 1; j < spans.length && spans[j].low <= a.high; j++) {
        const b = spans[j];
        if (a.piece === b.piece) continue;
        const between = plus(b.center, a.center, -1);
        if (length(between) > a.reach + b.reach) continue;
        const before =
          this.#normals.get(a.hull)?.get(b.hull) ?? turned(this.#normals.get(b.hull)?.get(a.hull));
        const { normal, gap } = bestNormal(a, b, between, before, a.swept + b.swept);
        let kept = normals.get(a.hull);
        if (!kept) normals.set(a.hull, (kept = new Map()));
        kept.set(b.hull, normal);
        if (gap < a.swept + b.swept) near.push({ a, b, normal });
      }
    }
    this.#normals = normals;
    return near;
  }
}

const turned = (v: Vector | undefined): Vector | undefined => v && times(v, -1);

/** The direction of the widest gap. The previous one will do if it still leaves `enough`. */
function bestNormal(
  a: PlacedPiece,
  b: PlacedPiece,
  between: Vector,
  before: Vector | undefined,
  enough: number,
): { normal: Vector; gap: number } {
  const distance = length(between);
  let normal: Vector = before ?? (distance > 0 ? times(between, 1 / distance) : [0, 0, 1]);
  let gap = gapAlong(a, b, normal);
  if (gap >= enough) return { normal, gap };
  const consider = (axis: Vector): void => {
    const found = gapAlong(a, b, axis);
    if (found > gap) [gap, normal] = [found, axis];
  };
  if (before && distance > 0) consider(times(between, 1 / distance));
  for (const axis of a.hull.axes) consider(rotate(a.piece.orientation, axis));
  for (const axis of b.hull.axes) consider(times(rotate(b.piece.orientation, axis), -1));
  return { normal, gap };
}

/** The distance from the end of the first hull to the beginning of the second. */
function gapAlong(a: PlacedPiece, b: PlacedPiece, normal: Vector): number {
  const between = dot(normal, b.piece.position) - dot(normal, a.piece.position);
  const end = farthest(a.hull, rotate(inverse(a.piece.orientation), normal));
  const start = -farthest(b.hull, times(rotate(inverse(b.piece.orientation), normal), -1));
  return between + start - end;
}

function farthest({ corners }: Hull, [x, y, z]: Vector): number {
  let most = -Infinity;
  for (let i = 0; i < corners.length; i += 3) {
    const along = x * corners[i] + y * corners[i + 1] + z * corners[i + 2];
    if (along > most) most = along;
  }
  return most;
}

/** The middle of the corners that are farthest along a direction, to within `margin`: for a face, its middle. */
function support({ piece, hull }: PlacedPiece, normal: Vector): Vector {
  const way = rotate(inverse(piece.orientation), normal);
  const most = farthest(hull, way);
  const { corners } = hull;
  let [sum, count]: [Vector, number] = [[0, 0, 0], 0];
  for (let i = 0; i < corners.length; i += 3) {
    const corner: Vector = [corners[i], corners[i + 1], corners[i + 2]];
    if (dot(way, corner) < most - margin) continue;
    sum = plus(sum, corner);
    count++;
  }
  const middle = times(sum, 1 / count);
  return rotate(piece.orientation, plus(middle, way, most - dot(way, middle)));
}

function meet({ a, b, normal }: Near, h: number, contacts: Contact[]): void {
  const depth = margin - gapAlong(a, b, normal);
  if (depth <= 0) return;
  const [offset, otherOffset] = [support(a, normal), support(b, times(normal, -1))];
  const closing = dot(plus(a.piece.velocityAt(offset), b.piece.velocityAt(otherOffset), -1), normal);
  const most = h * (Math.max(0, closing) + partingSpeed);
  correct(a.piece, b.piece, offset, otherOffset, normal, Math.min(depth, most), contacts);
}

function meetFloor(piece: Piece, contacts: Contact[]): void {
  if (piece.position[2] > piece.reach) return;
  for (const { corners, center, radius } of piece.hulls) {
    if (piece.position[2] + rotate(piece.orientation, center)[2] > radius) continue;
    for (let i = 0; i < corners.length; i += 3) {
      const offset = rotate(piece.orientation, [corners[i], corners[i + 1], corners[i + 2]]);
      const depth = -(piece.position[2] + offset[2]);
      if (depth > 0) correct(piece, undefined, offset, offset, [0, 0, -1], depth, contacts);
    }
  }
}

const nothing: Vector = [0, 0, 0];

/** Separates the two along the normal, and holds them at the contact as far as friction can. */
function correct(
  piece: Piece,
  other: Piece | undefined,
  offset: Vector,
  otherOffset: Vector,
  normal: Vector,
  depth: number,
  contacts: Contact[],
): void {
  const speed = plus(piece.velocityAt(offset), other?.velocityAt(otherOffset) ?? nothing, -1);
  const closing = dot(speed, normal);
  const push = depth / (piece.yielding(offset, normal) + (other?.yielding(otherOffset, normal) ?? 0));
  piece.shift(times(normal, -push), offset);
  other?.shift(times(normal, push), otherOffset);
  const moved = plus(piece.movedAt(offset), other?.movedAt(otherOffset) ?? nothing, -1);
  const slid = plus(moved, normal, -dot(moved, normal));
  const far = length(slid);
  if (far > 0) {
    const way = times(slid, 1 / far);
    const yielding = piece.yielding(offset, way) + (other?.yielding(otherOffset, way) ?? 0);
    const held = Math.min(far / yielding, friction * push);
    piece.shift(times(way, -held), offset);
    other?.shift(times(way, held), otherOffset);
  }
  piece.struck = Math.max(piece.struck, closing);
  if (other) other.struck = Math.max(other.struck, closing);
  contacts.push({ piece, other, offset, otherOffset, normal, closing });
}

/**
 * After a step two pieces separate at the speed of the bounce, or as before: corrections add no motion of their own.
 */
function settle({ piece, other, offset, otherOffset, normal, closing }: Contact): void {
  const speed = plus(piece.velocityAt(offset), other?.velocityAt(otherOffset) ?? nothing, -1);
  const wanted = closing > still ? -bounce * closing : Math.min(0, closing);
  const change = wanted - dot(speed, normal);
  const push = change / (piece.yielding(offset, normal) + (other?.yielding(otherOffset, normal) ?? 0));
  piece.kick(times(normal, push), offset);
  other?.kick(times(normal, -push), otherOffset);
}
