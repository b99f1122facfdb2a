// Turns strikes into samples: each object is a bank of two-pole resonators, one per mode, and each strike is a
// half-sine push at its exact time, even between samples. Everything is in double precision until the end. A
// synthesiser continues from block to block, so that a page can play meanwhile; `synthesise` computes everything at
// once.

import type { Material, Mode } from './modes.ts';

/** A sounding object and its position. */
export interface Sounding {
  readonly material: Material;
  /** How loud left and right. */
  readonly left: number;
  readonly right: number;
  /** Seconds until its sound arrives. */
  readonly delay: number;
}

/** A strike on an object. */
export interface Strike {
  /** Seconds. */
  readonly time: number;
  /** Which thing. */
  readonly thing: number;
  /** Metres per second, along the normal. */
  readonly speed: number;
  /** The share of each mode; if left out, all of it. */
  readonly shape?: ArrayLike<number> | undefined;
}

/** Left and right. */
export type Channels = readonly [Float32Array, Float32Array];

export class Synthesiser {
  readonly rate: number;
  readonly #things: readonly Thing[];
  /** Samples made so far. */
  #at = 0;

  constructor(things: readonly Sounding[], rate = 44_100) {
    this.rate = rate;
    this.#things = things.map(thing => new Thing(thing, rate));
  }

  /** Seconds made so far. */
  get time(): number {
    return this.#at / this.rate;
  }

  /** In any order. A strike that should have begun before `time` begins now; with enough look-ahead there is none. */
  add(strikes: Iterable<Strike>): void {
    for (const strike of strikes) this.#things[strike.thing]?.add(strike, this.#at);
  }

  /** The next samples. */
  next(count: number): Channels {
    const channels = [new Float64Array(count), new Float64Array(count)] as const;
    for (const thing of this.#things) thing.render(this.#at, count, channels);
    this.#at += count;
    return [Float32Array.from(channels[0]), Float32Array.from(channels[1])];
  }
}

export function synthesise(
  strikes: Iterable<Strike>,
  things: readonly Sounding[],
  { rate = 44_100, seconds }: { readonly rate?: number; readonly seconds: number },
): Channels {
  const synthesiser = new Synthesiser(things, rate);
  synthesiser.add(strikes);
  return synthesiser.next(Math.round(seconds * rate));
}

/** A push on a resonator bank, from a sample on. */
interface Push {
  /** In samples; need not be whole. */
  readonly start: number;
  readonly end: number;
  readonly speed: number;
  readonly shape: ArrayLike<number> | undefined;
}

class Thing {
  readonly #sounding: Sounding;
  readonly #resonators: readonly Resonator[];
  readonly #rate: number;
  /** Pending and current pushes, by their start. */
  #pushes: Push[] = [];
  #sorted = true;

  constructor(sounding: Sounding, rate: number) {
    this.#sounding = sounding;
    this.#rate = rate;
    this.#resonators = sounding.material.modes
      .filter(({ frequency }) => frequency < 0.45 * rate)
      .map(mode => resonator(mode, rate, sounding.material.contact));
  }

  add({ time, speed, shape }: Strike, from: number): void {
    const start = Math.max(from, (time + this.#sounding.delay) * this.#rate);
    const end = start + Math.max(1, this.#sounding.material.contact * this.#rate);
    this.#pushes.push({ start, end, speed, shape });
    this.#sorted = false;
  }

  render(from: number, count: number, [left, right]: readonly [Float64Array, Float64Array]): void {
    if (!this.#sorted) this.#pushes.sort((p, q) => p.start - q.start);
    this.#sorted = true;
    const soon = this.#pushes.filter(({ start }) => start < from + count);
    if (soon.length === 0 && this.#resonators.every(isQuiet)) return;
    const out = new Float64Array(count);
    const force = new Float64Array(count);
    this.#resonators.forEach((state, mode) => {
      force.fill(0);
      for (const { start, end, speed, shape } of soon) {
        const amount = speed * (shape?.[mode] ?? 1);
        const last = Math.min(from + count - 1, Math.floor(end));
        for (let n = Math.max(from, Math.ceil(start)); n <= last; n++) {
          force[n - from] += amount * Math.sin((Math.PI * (n - start)) / (end - start));
        }
      }
      ring(state, force, out);
    });
    for (let n = 0; n < count; n++) {
      left[n] += this.#sounding.left * out[n];
      right[n] += this.#sounding.right * out[n];
    }
    this.#pushes = this.#pushes.filter(({ end }) => end >= from + count);
  }
}

/**
 * y[n] = input·(x[n] − x[n−2]) + first·y[n−1] + second·y[n−2]: a constant force is silent, only its changes are
 * heard.
 */
interface Resonator {
  readonly input: number;
  readonly first: number;
  readonly second: number;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

/**
 * Poles at r·e^±iθ: rings at θ and dies by r a sample; zeros at 0 and at half the rate. An impulse rings as high as 2, and a push of
 * `contact` seconds as high as twice its sum at θ, which the input makes `gain`, less where the push is too long to excite the mode.
 */
function resonator({ frequency, decay, gain }: Mode, rate: number, contact: number): Resonator {
  const theta = (2 * Math.PI * frequency) / rate;
  const r = 0.001 ** (1 / (decay * rate));
  // The sum of a half-sine over w samples, weighed by how it meets a wave of theta: 2w/π · |cos(wθ/2)| / |1 − (wθ/π)²|.
  const width = Math.max(1, contact * rate);
  const turn = (width * theta) / Math.PI;
  const meets =
    Math.abs(turn - 1) < 1e-3 ? Math.PI / 4 : Math.abs(Math.cos((turn * Math.PI) / 2) / (1 - turn * turn));
  const pushed = ((2 * width) / Math.PI) * Math.max(meets, 0.05);
  return {
    input: (gain * Math.min(1, 2 * meets)) / (2 * pushed),
    first: 2 * r * Math.cos(theta),
    second: -r * r,
    ...{ x1: 0, x2: 0, y1: 0, y2: 0 },
  };
}

function ring(state: Resonator, force: Float64Array, out: Float64Array): void {
  const { input, first, second } = state;
  let { x1, x2, y1, y2 } = state;
  for (let n = 0; n < force.length; n++) {
    const y = input * (force[n] - x2) + first * y1 + second * y2;
    out[n] += y;
    x2 = x1;
    x1 = force[n];
    y2 = y1;
    y1 = y;
  }
  // Far below what can be heard: denormal numbers are slow.
  if (Math.abs(y1) < 1e-30 && Math.abs(y2) < 1e-30) y1 = y2 = 0;
  Object.assign(state, { x1, x2, y1, y2 });
}

const isQuiet = ({ x1, x2, y1, y2 }: Resonator): boolean => x1 === 0 && x2 === 0 && y1 === 0 && y2 === 0;
