// Hail on a house, a gazebo, a table and cans (Knott, section 3.5): the life of every stone is a formula, and every
// impact is known with its time, place and speed, which make the sound (sound/).

import type { Impact, Impacts, Nearfield, Particles, Vector } from 'nearfield';
import type { Part } from '../sample.ts';
import { cans } from './can.ts';
import { garden } from './garden.ts';
import { gazebo } from './gazebo.ts';
import { house } from './house.ts';
import { type Colour, type HailPart, poseAt } from './parts.ts';
import { materials } from './sound/modes.ts';
import type { Sounding, Strike } from './sound/synthesise.ts';
import { table } from './table.ts';

export interface HailOptions {
  /** Number of stones, flying or lying; default 1,500. */
  readonly particles?: number;
  readonly seed?: number;
  /**
   * Seconds by which impacts are known before they happen (KP6): the time a page needs to play a sound; default 0.
   */
  readonly lookAhead?: number;
}

/** The result of one step. */
export interface HailStep {
  readonly step: number;
  /** The time up to which impacts are known. */
  readonly time: number;
  readonly impacts: Impacts;
  /** The same impacts for the synthesiser. */
  readonly strikes: readonly Strike[];
}

/** A part of a part, with a colour, for drawing. */
export interface Drawn extends Part {
  readonly colour: Colour;
}

export interface Hail {
  readonly name: 'hail';
  readonly particles: Particles;
  /** Collider i of the particles belongs to part i. */
  readonly parts: readonly HailPart[];
  /** Sounding object i is part i. */
  readonly sounding: readonly Sounding[];
  /** Advances by `dt`; default a sixtieth of a second. */
  step(dt?: number): Promise<HailStep>;
  /** Converts impacts to strikes. */
  strikesOf(impacts: Iterable<Impact>): Strike[];
  /** Everything visible except the stones, at time t. */
  looks(t: number): Drawn[];
  close(): void;
}

export const hailParts = (): HailPart[] => [...house(), ...gazebo(), ...table(), ...cans(), ...garden()];

/** Seconds that a stone falls, bounces and lies. */
const life = 2.5;

export async function createHail(nf: Nearfield, options: HailOptions = {}): Promise<Hail> {
  const { particles: count = 1500, seed = 1, lookAhead = 0 } = options;
  const parts = hailParts();
  const particles = await nf.particles({
    count,
    seed,
    start: {
      from: {
        box: [
          [-8.3, -4.9, 8],
          [5.2, 5.3, 9],
        ],
      },
      // Downwards as fast as stones of two centimetres fall, with a gust from the left.
      velocity: {
        box: [
          [0.6, -0.4, -15],
          [1.8, 0.4, -11],
        ],
      },
      life,
    },
    acceleration: [0, 0, -9.81],
    colliders: parts.map(({ collider }) => collider),
  });
  particles.seek(0, { lookAhead });
  const [sounding, dtUsual] = [parts.map(soundingOf), 1 / 60];
  let [step, now] = [0, 0];
  return {
    name: 'hail',
    particles,
    parts,
    sounding,
    async step(dt = dtUsual) {
      now += dt;
      const impacts = await particles.advance(now);
      return { step: ++step, time: now + lookAhead, impacts, strikes: strikesOf(impacts) };
    },
    strikesOf,
    looks: t =>
      parts.flatMap(({ collider: { name }, look }) =>
        look.map(drawn => ({ name, mesh: drawn.mesh, pose: poseAt(drawn, t), colour: drawn.colour })),
      ),
    close: () => particles.close(),
  };
}

/** Metres: stones have sizes from 0.6 to 1.4 times the usual, each a fixed one. */
export function stoneRadius(particle: number): number {
  const share = (particle * 0.6180339887498949) % 1;
  return 0.03 * (0.6 + 0.8 * share * share);
}

/** A heavy stone strikes harder: by its volume relative to the usual one. */
function strikesOf(impacts: Iterable<Impact>): Strike[] {
  return Array.from(impacts, ({ time, particle, collider, normalSpeed, data }) => ({
    time,
    thing: collider,
    speed: normalSpeed * (stoneRadius(particle) / 0.03) ** 3,
    shape: data,
  }));
}

const listener: Vector = [0, -8, 1.7];
const soundSpeed = 343;

/** Nearer is louder, and objects on the left are heard on the left, with the same total loudness. */
function soundingOf({ material, middle }: HailPart): Sounding {
  const [x, y, z] = middle.map((value, k) => value - listener[k]);
  const distance = Math.hypot(x, y, z);
  const angle = (Math.PI / 4) * (1 + x / distance);
  const loudness = 4 / distance;
  return {
    material: materials[material],
    left: loudness * Math.cos(angle),
    right: loudness * Math.sin(angle),
    delay: distance / soundSpeed,
  };
}
