// Hail: stones whose life is a formula, their impacts, and the sound of them. It runs on the GPU that draws the page,
// if there is one, and the stones never leave it; otherwise in the worker of the scenes.

import { createHail, type Hail, type HailStep, Synthesiser } from '@nearfield/samples';
import type { Nearfield } from 'nearfield';
import type { Found, ImpactData, Settings } from '../types.ts';
import type { Program } from '../worker/programs.ts';

/** Impacts are known this many seconds early, so that their sound is ready in time. */
const lookAhead = 0.15;
const frameTime = 1 / 60;
/** Slightly longer than the first stones take to fall. */
const firstStep = 1.5;
const soundRate = 44_100;
/** The number of latest impacts to draw. */
const mostStruck = 1200;

/** Runs hail step by step and collects its figures. */
export class HailRun {
  readonly hail: Hail;
  #now = 0;
  #total = 0;
  #struck = new Map<number, number>();
  /** Places of the latest impacts, a ring buffer from the oldest. */
  #places: number[] = [];
  /** Exists only while sound is on; its time starts then. */
  #sound: { readonly synthesiser: Synthesiser; readonly begun: number } | undefined;

  private constructor(hail: Hail) {
    this.hail = hail;
  }

  static async create(nf: Nearfield, particles: number): Promise<HailRun> {
    return new HailRun(await createHail(nf, { particles, lookAhead }));
  }

  /** Seconds. */
  get time(): number {
    return this.#now;
  }

  /** The first step runs until stones have fallen; each further step is a sixtieth of a second. */
  async step(settings: Settings): Promise<Found> {
    const isFirst = this.#now === 0;
    const dt = isFirst ? firstStep : frameTime;
    this.#now += dt;
    const start = performance.now();
    const step = await this.hail.step(dt);
    const time = performance.now() - start;
    this.#total += step.impacts.count;
    for (const { collider, place } of step.impacts) {
      this.#struck.set(collider, (this.#struck.get(collider) ?? 0) + 1);
      this.#places.push(...place);
    }
    this.#places = this.#places.slice(-3 * mostStruck);
    const most = [...this.#struck].sort(([, a], [, b]) => b - a);
    const facts = [
      ['stones', this.hail.particles.count],
      ['impacts in this step', step.impacts.count],
      ['impacts so far', this.#total],
      ...most.slice(0, 4).map(([collider, count]) => [this.#nameOf(collider), count] as const),
    ] as const;
    return {
      ...{ time, backend: this.hail.particles.backend, facts, meeting: new Uint32Array(0) },
      struck: Float32Array.from(this.#places),
      map: this.#mapOf(settings['map'], most[0]?.[0]),
      sound: this.#soundOf(step, settings['sound'] === true && !isFirst),
    };
  }

  close(): void {
    this.hail.close();
  }

  #nameOf(collider: number): string {
    return this.hail.parts[collider].collider.name ?? `collider ${collider}`;
  }

  /** The impact map of the chosen object, or of the object with the most hits. */
  #mapOf(wanted: Settings[string] | undefined, most: number | undefined): ImpactData {
    const mapped = [...this.hail.parts.keys()].filter(i => this.hail.parts[i].collider.map);
    const names = mapped.map(i => this.#nameOf(i));
    const asked = mapped[names.indexOf(String(wanted))] ?? mapped.find(i => i === most) ?? mapped[0];
    const { width: columns, height: rows, values } = this.hail.particles.map(asked);
    const counts = Float32Array.from({ length: columns * rows }, (_, texel) => values[4 * texel + 3]);
    return { kind: 'impacts', columns, rows, values: counts, name: this.#nameOf(asked), names };
  }

  /** Sound of the last sixtieth of a second; its strikes are known a little earlier. */
  #soundOf({ strikes }: HailStep, isHeard: boolean): Found['sound'] {
    if (!isHeard) {
      this.#sound = undefined;
      return undefined;
    }
    this.#sound ??= {
      synthesiser: new Synthesiser(this.hail.sounding, soundRate),
      begun: this.#now - frameTime,
    };
    const { synthesiser, begun } = this.#sound;
    synthesiser.add(strikes.map(strike => ({ ...strike, time: strike.time - begun })));
    return synthesiser.next(Math.round(soundRate * frameTime));
  }
}

/** Hail in the worker: everything, including stones. If the page has the stones, only the moving colliders. */
export async function createHailProgram(nf: Nearfield, stones: number, first: Settings): Promise<Program> {
  const isElsewhere = first['asked elsewhere'] === true;
  const run = await HailRun.create(nf, isElsewhere ? 1 : stones);
  let [now, answer] = [0, undefined as Found | undefined];
  const advance = async (settings: Settings) => {
    if (isElsewhere) {
      now += now === 0 ? firstStep : frameTime;
      return;
    }
    const found = await run.step(settings);
    now = run.time;
    const { position, alive } = await run.hail.particles.state(now);
    const inAir = (_: number, i: number) => alive[Math.floor(i / 3)] > 0;
    answer = { ...found, stones: Float32Array.from(position.filter(inAir)) };
  };
  await advance(first);
  return {
    get bodies() {
      return run.hail.looks(now).map((_, index) => ({ index }));
    },
    parts: () => run.hail.looks(now),
    advance,
    ...(!isElsewhere && { ask: async () => answer! }),
    close: () => run.close(),
  };
}
