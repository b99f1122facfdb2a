// Impacts in a window of time, on the CPU. For each particle an interval without impacts is known: a window within that
// is skipped. The other particles are followed, from their birth or from where they were when they were followed last.
// This knowledge only saves work: any window may be asked for at any time, and the answer is the same.

import type { Setup } from '../compiled.ts';
import { birthTicksOf, generationAt, lifeTicksOf } from '../motion/ticks.ts';
import { impactNumbers, impactRow } from '../seam.ts';
import { LifeCursor, stateNumbers } from './life.ts';
import type { Rows } from './rows.ts';

/** How many particles are processed between two looks at the clock; followed ones count more. */
const shareOfWork = 4096;
const costOfFollowing = 32;

export class CpuLives {
  readonly #setup: Setup;
  readonly #cursor: LifeCursor;
  /** Per particle: no impact happens after the first and before the second time. */
  readonly #quietFrom: Float64Array;
  readonly #quietTo: Float64Array;
  /**
   * The generation of the next impact, −1 if nothing is kept about it; and the index of the segment's state, −1 for
   * that of the birth.
   */
  readonly #generation: Float64Array;
  readonly #slot: Int32Array;
  /** For first impacts. */
  readonly #sigma: Float64Array;
  readonly #collider: Uint16Array;
  readonly #triangle: Int32Array;
  readonly #side: Int8Array;
  #states = new Float64Array(0);
  #free: number[] = [];
  /** In the last window: how many particles were followed, and how many first impacts there were. */
  due = 0;
  first = 0;

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#cursor = new LifeCursor(setup);
    const { count } = setup;
    this.#quietFrom = new Float64Array(count).fill(Infinity);
    this.#quietTo = new Float64Array(count).fill(-Infinity);
    this.#generation = new Float64Array(count).fill(-1);
    this.#slot = new Int32Array(count).fill(-1);
    this.#sigma = new Float64Array(count);
    this.#collider = new Uint16Array(count);
    this.#triangle = new Int32Array(count);
    this.#side = new Int8Array(count);
  }

  /** All impacts with from ≤ time < to, in no order. `forward` says at which end the next window is likely to be. */
  *find(from: number, to: number, forward: boolean, rows: Rows): Generator<number, void> {
    const { count } = this.#setup;
    this.due = 0;
    this.first = 0;
    let work = 0;
    for (let particle = 0; particle < count; particle++) {
      if (++work >= shareOfWork) {
        work = 0;
        yield particle / count;
      }
      if (from > this.#quietFrom[particle] && to <= this.#quietTo[particle]) continue;
      work += costOfFollowing;
      this.due++;
      this.#follow(particle, from, to, forward, rows);
    }
  }

  #follow(particle: number, from: number, to: number, forward: boolean, rows: Rows): void {
    const setup = this.#setup;
    const cursor = this.#cursor;
    const { tick, generations } = setup;
    const birth = birthTicksOf(setup, particle);
    const life = lifeTicksOf(setup, particle);
    // An impact right before the end of a life may round to the time at which the next begins.
    let generation = generationAt(from / tick, birth, life);
    if ((birth + generation * life) * tick === from) generation--;
    if (generation < 0) generation = 0;
    // Up to the one that begins before `to`.
    let lastGeneration = generationAt(to / tick, birth, life);
    if ((birth + lastGeneration * life) * tick === to) lastGeneration--;
    lastGeneration = Math.min(lastGeneration, generations - 1);
    // There is nothing before the first life and nothing after the last.
    let quietFrom = generation === 0 ? -Infinity : (birth + generation * life) * tick;
    let quietTo = lastGeneration + 1 >= generations ? Infinity : (birth + (lastGeneration + 1) * life) * tick;
    let earliest = -1;
    let earliestFrom = quietFrom;
    let latest = quietFrom;
    let found = Infinity;
    for (; generation <= lastGeneration; generation++) {
      const start = (birth + generation * life) * tick;
      if (generation > 0 && start > latest) latest = start;
      this.#resume(particle, generation, from);
      if (cursor.bounce > 0) latest = cursor.birth + cursor.since;
      for (;;) {
        const time = cursor.peekTime();
        if (time >= to) {
          found = time;
          break;
        }
        const isIn = time >= from;
        if (isIn && earliest < 0) {
          earliest = 1;
          earliestFrom = latest;
          quietTo = forward ? quietTo : time;
        }
        const row = rows.next();
        cursor.next(rows.values, row);
        latest = time;
        if (isIn) {
          if (rows.values[rows.count * impactNumbers + impactRow.bounce] === 0) this.first++;
          rows.count++;
        }
      }
      if (found < Infinity) break;
    }
    if (!forward && earliest > 0) quietFrom = earliestFrom;
    else {
      quietFrom = latest;
      if (found < quietTo) quietTo = found;
    }
    this.#quietFrom[particle] = quietFrom;
    this.#quietTo[particle] = quietTo;
    this.#keep(particle, found);
  }

  /** Goes to a life, from a kept state if that is before the window. */
  #resume(particle: number, generation: number, from: number): void {
    const cursor = this.#cursor;
    if (this.#generation[particle] !== generation) {
      cursor.begin(particle, generation);
      return;
    }
    const slot = this.#slot[particle];
    if (slot < 0) {
      const collider = this.#collider[particle];
      cursor.beginKnowing(
        particle,
        generation,
        this.#sigma[particle],
        collider,
        this.#triangle[particle],
        this.#side[particle],
      );
      return;
    }
    cursor.restore(particle, generation, this.#states, slot * stateNumbers);
    if (cursor.bounce > 0 && cursor.birth + cursor.since >= from) cursor.begin(particle, generation);
  }

  /** Keeps what is known about the impact at the end of the window, if there is one. */
  #keep(particle: number, found: number): void {
    const cursor = this.#cursor;
    const slot = this.#slot[particle];
    if (found === Infinity || !cursor.canSave) {
      if (slot >= 0) this.#free.push(slot);
      this.#slot[particle] = -1;
      this.#generation[particle] = -1;
      if (found === Infinity) return;
      this.#generation[particle] = cursor.generation;
      this.#sigma[particle] = cursor.peek();
      this.#collider[particle] = cursor.nextCollider;
      this.#triangle[particle] = cursor.nextTriangle;
      this.#side[particle] = cursor.nextSide;
      return;
    }
    const at = slot >= 0 ? slot : this.#newSlot();
    const isKept = cursor.save(this.#states, at * stateNumbers);
    this.#generation[particle] = isKept ? cursor.generation : -1;
    this.#slot[particle] = isKept ? at : -1;
    if (!isKept) this.#free.push(at);
  }

  #newSlot(): number {
    if (this.#free.length === 0) {
      const before = this.#states.length / stateNumbers;
      const after = Math.max(64, 2 * before);
      const states = new Float64Array(after * stateNumbers);
      states.set(this.#states);
      this.#states = states;
      for (let slot = after - 1; slot >= before; slot--) this.#free.push(slot);
    }
    return this.#free.pop()!;
  }
}
