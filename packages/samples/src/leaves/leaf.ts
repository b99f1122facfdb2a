// A leaf: a sheet of 156 triangles that bends along and across, trembles in the wind on its twig, lets go, flutters
// down and comes to lie on the floor. All of it is a formula of time.

import { type Mesh, mesh, type shapes } from 'nearfield';
import { cosine, exponential, logarithm, sine, unitAt } from '../elementary.ts';
import { cross, length, plus, times, type Vector } from '../rigid/vector.ts';
import type { Bud } from './branches.ts';

/** Cells along and across: 2·13·6 = 156 triangles. */
const [cellsAlong, cellsAcross] = [13, 6];
const turns = 2 * Math.PI;

/** The sheet's connections; positions come from `Leaf.place`. */
function leafIndices(): Uint32Array {
  const indices: number[] = [];
  const row = cellsAcross + 1;
  for (let i = 0; i < cellsAlong; i++) {
    for (let j = 0; j < cellsAcross; j++) {
      const a = i * row + j;
      indices.push(a, a + row, a + row + 1, a, a + row + 1, a + 1);
    }
  }
  return Uint32Array.from(indices);
}
const indices = leafIndices();

/** Its width along its length, greatest at two fifths: half a wave of u^(3/4), to the power of 0.9. */
const outline = Array.from({ length: cellsAlong + 1 }, (_, i) => {
  const u = i / cellsAlong;
  const wave = sine(Math.PI * Math.sqrt(u * Math.sqrt(u)));
  return 0.03 + 0.97 * exponential(0.9 * logarithm(wave));
});

/** Where a leaf is and how it is turned: unit vectors along it, across it and upwards from its face. */
interface Frame {
  readonly place: Vector;
  readonly along: Vector;
  readonly across: Vector;
}

export class Leaf {
  readonly #bud: Bud;
  readonly #long: number;
  readonly #wide: number;
  /** When it lets go, how fast it falls, and its path. */
  readonly #release: number;
  readonly #speed: number;
  readonly #drift: Vector;
  readonly #sway: number;
  readonly #phase: number;
  readonly #spin: number;
  readonly #rest: number;
  /** The way it points on its twig: outwards and hanging. */
  readonly #heading: Vector;

  constructor(bud: Bud, random: shapes.Random) {
    this.#bud = bud;
    this.#long = random.between(0.26, 0.4);
    this.#wide = this.#long * random.between(0.24, 0.3);
    this.#release = random.between(0.2, 5);
    this.#speed = random.between(0.7, 1.1);
    this.#drift = [random.between(0.05, 0.3), random.between(-0.12, 0.12), 0];
    this.#sway = random.between(0.12, 0.32);
    this.#phase = random.between(0, turns);
    this.#spin = random.between(-1.6, 1.6);
    this.#rest = random.between(0.004, 0.03);
    const heading = plus(plus(bud.outwards, random.direction(), 0.7), [0, 0, -1], 0.45);
    this.#heading = times(heading, 1 / length(heading));
  }

  meshAt(time: number): Mesh {
    return mesh(this.place(time), indices);
  }

  /** The positions of its vertices at a time. */
  place(time: number): Float32Array {
    const { place, along, across } = this.#frame(time);
    const up = cross(along, across);
    const fallen = Math.max(0, time - this.#release);
    const gust = sine(turns * 0.35 * time - 0.8 * place[0]);
    const tremble = sine(turns * 1.3 * time + this.#phase);
    // How far it is curled up, in radians from stalk to tip, and hollow across.
    const settled = this.#settled(time);
    const curl = (1 - 0.6 * settled) * (0.7 + 0.35 * gust + 0.3 * tremble * Math.min(1, 0.3 + fallen));
    const hollow = (1 - 0.6 * settled) * (0.5 + 0.25 * sine(turns * 0.9 * time + 2 * this.#phase));
    const positions = new Float32Array(3 * (cellsAlong + 1) * (cellsAcross + 1));
    let at = 0;
    for (let i = 0; i <= cellsAlong; i++) {
      const u = i / cellsAlong;
      const half = this.#wide * outline[i];
      const forwards = this.#long * (Math.abs(curl) < 1e-3 ? u : sine(curl * u) / curl);
      const bow = this.#long * (Math.abs(curl) < 1e-3 ? 0 : (1 - cosine(curl * u)) / curl);
      for (let j = 0; j <= cellsAcross; j++) {
        const v = (2 * j) / cellsAcross - 1;
        const ripple = 0.012 * v * sine(3 * turns * u + turns * time + this.#phase);
        const height = hollow * half * v * v - bow + ripple;
        // The floor stops the tips of leaves that lie on it.
        const p = plus(plus(plus(place, along, forwards), across, half * v), up, height);
        positions[at++] = p[0];
        positions[at++] = p[1];
        positions[at++] = Math.max(p[2], 0.5 * this.#rest);
      }
    }
    return positions;
  }

  /** When it reaches the floor. */
  get #landing(): number {
    return this.#release + (this.#bud.place[2] - this.#rest) / this.#speed + 0.25;
  }

  /** 0 while it falls, 1 once it lies still. */
  #settled(time: number): number {
    return smooth((time - this.#landing + 0.5) / 0.8);
  }

  #frame(time: number): Frame {
    const hanging = this.#hanging(time);
    if (time <= this.#release) return hanging;
    const fallen = Math.min(time, this.#landing) - this.#release;
    const begun = smooth(fallen / 0.8);
    // From side to side, tilted against the slide; not once it lies on the floor.
    const swing = this.#phase + turns * 0.55 * fallen;
    const sideways: Vector = [...unitAt(this.#spin * fallen + this.#phase), 0];
    const height = this.#bud.place[2] - this.#speed * Math.max(0, fallen - 0.25 * begun);
    const glide = plus(
      times(this.#drift, fallen),
      sideways,
      begun * this.#sway * (sine(swing) - sine(this.#phase)),
    );
    const place: Vector = [
      this.#bud.place[0] + glide[0],
      this.#bud.place[1] + glide[1],
      Math.max(this.#rest, height + 0.12 * begun * cosine(2 * swing)),
    ];
    const lying = this.#settled(time);
    const tilt = (1 - lying) * begun * 0.9 * cosine(swing);
    const [level, upwards] = unitAt(tilt);
    const flat = plus(times(sideways, level), [0, 0, 1], upwards);
    const heading = plus(times(hanging.along, 1 - begun), flat, begun + 0.05);
    const along = times(heading, 1 / length(heading));
    return { place, along, across: acrossOf(along, hanging.across, begun) };
  }

  /** On its twig, swaying with the wind. */
  #hanging(time: number): Frame {
    const { place } = this.#bud;
    const wind = 0.22 * sine(turns * 0.35 * time - 0.8 * place[0] + 0.3 * this.#phase);
    const heading = plus(
      plus(this.#heading, [1, 0, 0], wind),
      [0, 1, 0],
      0.1 * sine(turns * 0.8 * time + this.#phase),
    );
    const along = times(heading, 1 / length(heading));
    return { place, along, across: acrossOf(along, [0, 0, 0], 1) };
  }
}

/** At right angles to the leaf: level, plus what is left of its earlier orientation. */
function acrossOf(along: Vector, before: Vector, share: number): Vector {
  const level = cross([0, 0, 1], along);
  const wanted = plus(times(level, share / Math.max(1e-6, length(level))), before, 1 - share);
  const upright = plus(wanted, along, -(wanted[0] * along[0] + wanted[1] * along[1] + wanted[2] * along[2]));
  return times(upright, 1 / length(upright));
}

const smooth = (t: number): number => {
  const x = Math.min(1, Math.max(0, t));
  return x * x * (3 - 2 * x);
};
