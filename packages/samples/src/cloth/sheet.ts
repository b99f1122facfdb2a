// A square sheet that falls, drapes and is dragged along: particles on a coarse grid with distance constraints in
// small steps (Macklin, Storey, Lu, Terdiman, Chentanez, Jeschke and Müller, "Small Steps in Physics Simulation",
// 2019), kept off a ball, the floor and, roughly, one another.

import { exponential } from '../elementary.ts';
import type { Vector } from '../rigid/vector.ts';

export interface Ball {
  readonly center: Vector;
  readonly radius: number;
  /** Radians per second about z. */
  readonly spin: number;
}

const gravity = 9.81;
/** Particles keep this distance from the ball and the floor. */
const thickness = 0.012;
/** Share of sliding that the ball and the floor remove per step. */
const [grip, floorGrip] = [0.5, 0.35];
const airDrag = 0.6;

/** Pairs of particles, their distance, and the share of an error that is corrected. */
interface Links {
  readonly pairs: Uint32Array;
  readonly lengths: Float64Array;
  readonly shares: Float64Array;
}

/** A spatial hash: lists of particles whose cells have the same hash, in the order of their numbers. */
interface Cells {
  /** Per particle, its cell and the next particle in its list; −1: none. */
  readonly keys: Float64Array;
  readonly next: Int32Array;
  /** The first particle of each list. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

export class Sheet {
  /** x, y and z of (cells + 1)² particles, row by row. */
  readonly positions: Float64Array;
  readonly side: number;
  readonly #before: Float64Array;
  readonly #speeds: Float64Array;
  readonly #spacing: number;
  readonly #links: Links;
  readonly #cells: Cells;

  /** Level, of a size, with its middle at a height; `rough` raises each particle by a function of its place. */
  constructor(cells: number, size: number, middle: Vector, rough: (x: number, y: number) => number) {
    this.side = cells + 1;
    this.#spacing = size / cells;
    this.positions = new Float64Array(3 * this.side * this.side);
    for (let j = 0; j <= cells; j++) {
      for (let i = 0; i <= cells; i++) {
        const [x, y] = [(i / cells - 0.5) * size, (j / cells - 0.5) * size];
        this.positions.set([middle[0] + x, middle[1] + y, middle[2] + rough(x, y)], 3 * (j * this.side + i));
      }
    }
    this.#before = this.positions.slice();
    this.#speeds = new Float64Array(this.positions.length);
    this.#links = this.#makeLinks();
    const count = this.side * this.side;
    // A power of two, for the hash.
    let lists = 1;
    while (lists < count) lists *= 2;
    this.#cells = {
      keys: new Float64Array(count),
      next: new Int32Array(count),
      first: new Int32Array(lists),
      last: new Int32Array(lists),
    };
  }

  advance(dt: number, ball: Ball, substeps = 10): void {
    const h = dt / substeps;
    const [p, before, speeds] = [this.positions, this.#before, this.#speeds];
    const kept = exponential(-airDrag * h);
    for (let step = 0; step < substeps; step++) {
      before.set(p);
      for (let i = 0; i < p.length; i++) {
        if (i % 3 === 2) speeds[i] -= gravity * h;
        p[i] += speeds[i] * h;
      }
      this.#hold();
      if (step % 5 === 4) this.#keepApart();
      this.#keepOff(ball, h);
      for (let i = 0; i < p.length; i++) speeds[i] = ((p[i] - before[i]) / h) * kept;
    }
  }

  /**
   * Constraints to the neighbours along and across, along the diagonals, and softly to the next but one, so that it
   * bends instead of creasing.
   */
  #makeLinks(): Links {
    const [pairs, lengths, shares]: [number[], number[], number[]] = [[], [], []];
    const s = this.side;
    const ways = [...[1, 0, 1, 0, 1, 1], ...[1, 1, 0.3, 1, -1, 0.3], ...[2, 0, 0.06, 0, 2, 0.06]];
    for (let way = 0; way < ways.length; way += 3) {
      const [di, dj, share] = [ways[way], ways[way + 1], ways[way + 2]];
      for (let j = 0; j < s; j++) {
        for (let i = 0; i < s; i++) {
          if (i + di >= s || j + dj >= s || j + dj < 0) continue;
          pairs.push(j * s + i, (j + dj) * s + i + di);
          lengths.push(this.#spacing * Math.sqrt(di * di + dj * dj));
          shares.push(share);
        }
      }
    }
    return {
      pairs: Uint32Array.from(pairs),
      lengths: Float64Array.from(lengths),
      shares: Float64Array.from(shares),
    };
  }

  #hold(): void {
    const { pairs, lengths, shares } = this.#links;
    const p = this.positions;
    for (let link = 0; link < lengths.length; link++) {
      const [a, b] = [3 * pairs[2 * link], 3 * pairs[2 * link + 1]];
      const x = p[b] - p[a];
      const y = p[b + 1] - p[a + 1];
      const z = p[b + 2] - p[a + 2];
      const length = Math.sqrt(x * x + y * y + z * z);
      if (length === 0) continue;
      const move = (0.5 * shares[link] * (length - lengths[link])) / length;
      p[a] += move * x;
      p[a + 1] += move * y;
      p[a + 2] += move * z;
      p[b] -= move * x;
      p[b + 1] -= move * y;
      p[b + 2] -= move * z;
    }
  }

  /** Particles that are not neighbours keep half a spacing apart; what is between them may still pass through. */
  #keepApart(): void {
    const [p, s] = [this.positions, this.side];
    const apart = 0.5 * this.#spacing;
    const { keys, first, last, next } = this.#cells;
    first.fill(-1);
    const keyOf = (x: number, y: number, z: number): number => (x * 4096 + y) * 4096 + z;
    const placeOf = (value: number): number => Math.floor(value / apart) + 2048;
    const listOf = (x: number, y: number, z: number): number =>
      (Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (first.length - 1);
    for (let v = 0; v < s * s; v++) {
      const x = placeOf(p[3 * v]);
      const y = placeOf(p[3 * v + 1]);
      const z = placeOf(p[3 * v + 2]);
      for (let k = z - 1; k <= z + 1; k++) {
        for (let j = y - 1; j <= y + 1; j++) {
          for (let i = x - 1; i <= x + 1; i++) {
            const key = keyOf(i, j, k);
            for (let other = first[listOf(i, j, k)]; other >= 0; other = next[other]) {
              if (keys[other] === key) this.#part(v, other, apart);
            }
          }
        }
      }
      const list = listOf(x, y, z);
      keys[v] = keyOf(x, y, z);
      next[v] = -1;
      if (first[list] < 0) first[list] = v;
      else next[last[list]] = v;
      last[list] = v;
    }
  }

  #part(v: number, w: number, apart: number): void {
    const [p, s] = [this.positions, this.side];
    if (Math.abs((v % s) - (w % s)) <= 2 && Math.abs(Math.floor(v / s) - Math.floor(w / s)) <= 2) return;
    const [a, b] = [3 * v, 3 * w];
    const [x, y, z] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length >= apart || length === 0) return;
    const move = (0.5 * (length - apart)) / length;
    p.set([p[a] + move * x, p[a + 1] + move * y, p[a + 2] + move * z], a);
    p.set([p[b] - move * x, p[b + 1] - move * y, p[b + 2] - move * z], b);
  }

  /** Moves particles out of the ball and the floor, and drags them along by friction. */
  #keepOff({ center, radius, spin }: Ball, h: number): void {
    const [p, before] = [this.positions, this.#before];
    const reach = radius + thickness;
    for (let i = 0; i < p.length; i += 3) {
      const [x, y, z] = [p[i] - center[0], p[i + 1] - center[1], p[i + 2] - center[2]];
      const squared = x * x + y * y + z * z;
      if (squared < reach * reach) {
        const out = reach / Math.sqrt(squared);
        // Where the ball's surface takes what lies on it.
        const [cx, cy] = [
          before[i] - spin * h * (before[i + 1] - center[1]),
          before[i + 1] + spin * h * (before[i] - center[0]),
        ];
        p[i] = center[0] + out * x + grip * (cx - center[0] - out * x);
        p[i + 1] = center[1] + out * y + grip * (cy - center[1] - out * y);
        p[i + 2] = center[2] + out * z + grip * (before[i + 2] - center[2] - out * z);
      }
      if (p[i + 2] < thickness) {
        p[i + 2] = thickness;
        p[i] += floorGrip * (before[i] - p[i]);
        p[i + 1] += floorGrip * (before[i + 1] - p[i + 1]);
      }
    }
  }
}
