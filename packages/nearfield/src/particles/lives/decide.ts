// Turns an engine's records into impacts: the evaluator computes the numbers of certain ones and decides undecided
// ones. An engine says particle, generation, bounce and collider. Every number of an impact is computed here, so that
// it is the same to the last bit whichever engine found it.

import { NearfieldError } from '../../core/errors.ts';
import type { Setup } from '../compiled.ts';
import { birthTicksOf, generationAt, lifeTicksOf } from '../motion/ticks.ts';
import { noCollider, recordWords, segmentNumbers, unsureFlag } from '../seam.ts';
import { LifeCursor, stateNumbers } from './life.ts';
import { Rows } from './rows.ts';

/**
 * For how many particles the state behind an impact is kept, so that the next impact need not be computed from the
 * birth on.
 */
const mostKept = 1 << 18;

export class Decider {
  readonly #setup: Setup;
  readonly #cursor: LifeCursor;
  /** Per particle, the index of its state; the generation is in the number before it. */
  readonly #kept = new Map<number, number>();
  readonly #states: Float64Array[] = [];

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#cursor = new LifeCursor(setup);
  }

  /** Adds rows of certain records. */
  *fill(records: Uint32Array, rows: Rows): Generator<number, void> {
    const order = inOrder(records);
    rows.reserve(order.length);
    for (let i = 0; i < order.length; i++) {
      if (i % 1024 === 1023) yield i / order.length;
      const at = order[i] * recordWords;
      const collider = records[at + 2] & 0xffff;
      this.#goTo(records[at], records[at + 1], records[at + 2] >>> 16);
      const row = rows.next();
      if (!this.#cursor.next(rows.values, row, collider === noCollider ? -1 : collider)) {
        const which = `particle ${records[at]}, generation ${records[at + 1]}, collider ${collider}`;
        throw new NearfieldError(
          'internal',
          `the GPU reported a certain impact that does not happen: ${which}`,
        );
      }
      rows.count++;
      this.#keep();
    }
  }

  /**
   * Decides records in the window: adds rows of impacts, and returns the segments of undecided particles at its end
   * (seam.ts). Records that are only on the window's border have no segment: the engine knows what follows.
   */
  *decide(records: Uint32Array, from: number, to: number, rows: Rows): Generator<number, Float64Array> {
    const setup = this.#setup;
    const cursor = this.#cursor;
    const segments = new Float64Array((records.length / recordWords) * segmentNumbers);
    let written = 0;
    const order = inOrder(records);
    for (let i = 0; i < order.length; i++) {
      if (i % 64 === 63) yield i / order.length;
      const at = order[i] * recordWords;
      const particle = records[at];
      const generation = records[at + 1];
      const bounce = records[at + 2] >>> 16;
      this.#goTo(particle, generation, bounce);
      if ((records[at + 3] & unsureFlag) === 0) {
        // It is known which collider comes first, and nothing that follows is needed.
        const only = records[at + 2] & 0xffff;
        const time = cursor.peekTime(only);
        if (!(time >= from && time < to)) continue;
        const row = rows.next();
        cursor.next(rows.values, row, only);
        rows.count++;
        continue;
      }
      const birth = birthTicksOf(setup, particle);
      const life = lifeTicksOf(setup, particle);
      let last = generationAt(to / setup.tick, birth, life);
      if ((birth + last * life) * setup.tick === to) last--;
      last = Math.min(last, setup.generations - 1);
      for (let each = generation; each <= last; each++) {
        if (each > generation) cursor.begin(particle, each);
        for (;;) {
          const time = cursor.peekTime();
          if (time >= to) break;
          const row = rows.next();
          cursor.next(rows.values, row);
          if (time >= from) rows.count++;
        }
      }
      if (generation > last) continue;
      this.#keep();
      cursor.writeSegment(segments, written * segmentNumbers);
      written++;
    }
    return segments.subarray(0, written * segmentNumbers);
  }

  /** Goes to the segment before an impact of a life. */
  #goTo(particle: number, generation: number, bounce: number): void {
    const cursor = this.#cursor;
    if (bounce > 0) {
      const at = this.#kept.get(particle);
      if (at !== undefined && this.#states[at][0] === generation && this.#states[at][1] <= bounce) {
        cursor.restore(particle, generation, this.#states[at], 2);
        this.#goOnTo(bounce);
        return;
      }
    }
    cursor.begin(particle, generation);
    this.#goOnTo(bounce);
  }

  #goOnTo(bounce: number): void {
    const cursor = this.#cursor;
    while (cursor.bounce < bounce) {
      if (cursor.next(scratch)) continue;
      const which = `particle ${cursor.particle}, generation ${cursor.generation}`;
      throw new NearfieldError(
        'internal',
        `the GPU reported impact ${cursor.bounce} as certain, but it does not happen: ${which}`,
      );
    }
  }

  /** Keeps the cursor's state if the life goes on. */
  #keep(): void {
    if (!this.#setup.bounces) return;
    const cursor = this.#cursor;
    const { particle } = cursor;
    let at = this.#kept.get(particle);
    if (!cursor.canSave) {
      // Its slot stays reserved: it will be needed again in the next life.
      if (at !== undefined) this.#states[at][0] = -1;
      return;
    }
    if (at === undefined) {
      if (this.#states.length < mostKept) {
        at = this.#states.push(new Float64Array(2 + stateNumbers)) - 1;
      } else {
        const [oldest, place] = this.#kept.entries().next().value as [number, number];
        this.#kept.delete(oldest);
        at = place;
      }
      this.#kept.set(particle, at);
    }
    const state = this.#states[at];
    state[0] = cursor.save(state, 2) ? cursor.generation : -1;
    state[1] = cursor.bounce;
  }
}

const scratch = new Rows().values;

/**
 * Sorts by particle, generation and bounce, so that impacts of one life follow each other; unsorted if all are first
 * impacts.
 */
function inOrder(records: Uint32Array): Uint32Array {
  const count = records.length / recordWords;
  const order = new Uint32Array(count);
  let isFirst = true;
  for (let i = 0; i < count; i++) {
    order[i] = i;
    if (records[i * recordWords + 2] >>> 16 !== 0) isFirst = false;
  }
  if (isFirst) return order;
  return order.sort((a, b) => {
    const i = a * recordWords;
    const j = b * recordWords;
    if (records[i] !== records[j]) return records[i] - records[j];
    if (records[i + 1] !== records[j + 1]) return records[i + 1] - records[j + 1];
    return (records[i + 2] >>> 16) - (records[j + 2] >>> 16);
  });
}
