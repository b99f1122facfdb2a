// A life with stepped motion, chord after chord: each is a segment without acceleration (with order 2, of constant
// acceleration) that ends with its step. A
// crossing exactly where two chords join belongs to the second: the surface is a contact there, on the side where the
// first chord left it.

import type { CompiledStepped, Setup } from '../compiled.ts';
import { placeOn, velocityOn } from '../motion/segment.ts';
import { Stepper } from '../motion/stepped/stepped.ts';
import { contactTolerance } from './contacts.ts';
import type { Search } from './search.ts';

/** How many numbers `save` writes: when the segment begins, its integers, what it gains. */
export const chordNumbers = 10;

export class Chords {
  readonly #stepped: CompiledStepped;
  readonly #search: Search;
  readonly #stepper: Stepper;
  readonly #acceleration = new Float64Array(3);
  readonly #path = new Float64Array(9);
  #life = 0;
  /** How many steps were made since then, and seconds after the birth. */
  #made = 0;
  #isOut = false;
  since = 0;
  /** The integers then. */
  readonly x = new Int32Array(3);
  readonly v = new Int32Array(3);

  constructor(setup: Setup, search: Search) {
    this.#stepped = setup.stepped!;
    this.#search = search;
    this.#stepper = new Stepper(setup);
  }

  /** Begins a life with the search's path. */
  begin(life: number): void {
    this.#life = life;
    for (let axis = 0; axis < 3; axis++) this.#acceleration[axis] = this.#search.path[6 + axis];
    this.restart(0);
  }

  /** Continues from the start of the search's path, at s seconds after the birth. */
  restart(s: number): void {
    const { path } = this.#search;
    path.set(this.#acceleration, 6);
    this.#stepper.start(path, this.#search.birth + s);
    this.x.set(this.#stepper.x);
    this.v.set(this.#stepper.v);
    this.since = s;
    this.#made = 0;
    // The particle was moved to the nearest unit: a surface within two units may be on the wrong side of it.
    this.#search.reach = (2 * this.#stepped.unit) / contactTolerance;
    this.#nextChord();
  }

  /** The current chord, counted from 0 where the segment begins. */
  get chord(): number {
    return this.#made - 1;
  }

  /** Writes what `restore` needs besides the search's own state. */
  save(out: Float64Array, at: number): void {
    out[at] = this.since;
    for (let axis = 0; axis < 3; axis++) {
      out[at + 1 + axis] = this.x[axis];
      out[at + 4 + axis] = this.v[axis];
      out[at + 7 + axis] = this.#acceleration[axis];
    }
  }

  /**
   * Goes to the chord in which the next impact was found when `save` was called. The search must have been restored.
   */
  restore(from: Float64Array, at: number, life: number): void {
    this.#life = life;
    this.since = from[at];
    for (let axis = 0; axis < 3; axis++) {
      this.x[axis] = from[at + 1 + axis];
      this.v[axis] = from[at + 4 + axis];
      this.#acceleration[axis] = from[at + 7 + axis];
    }
    this.#made = 1 + Math.round((this.#search.since - this.since) / this.#stepped.step);
    this.#path.set(this.#acceleration, 6);
    this.#stepper.start(this.#path, this.#search.birth + this.since);
  }

  /**
   * Goes to the next chord. Returns false at the end of the life, and if the last chord led out of range: it hits
   * nothing there.
   */
  advance(): boolean {
    const search = this.#search;
    const { path, previousPath } = search;
    const start = this.since + this.#made * this.#stepped.step;
    if (this.#isOut || !(start < this.#life)) return false;
    previousPath.set(path);
    search.previousSince = search.since;
    search.previousSigma = start - search.since;
    search.previousContacts.copyFrom(search.contacts);
    search.bounced = true;
    search.leftCollider = -1;
    search.reach = 0;
    for (let axis = 0; axis < 3; axis++) search.reach = Math.max(search.reach, Math.abs(path[axis]));
    this.#nextChord();
    return true;
  }

  #nextChord(): void {
    const search = this.#search;
    search.since = this.since + this.#made * this.#stepped.step;
    this.#made++;
    search.life = Math.min(this.#life, this.since + this.#made * this.#stepped.step);
    this.#isOut = !this.#stepper.chord(search.path);
  }

  /** Place and velocity at s seconds after the birth, not before the last impact: computed from there, step by step. */
  place(s: number, place: Float64Array, velocity: Float64Array, at: number): void {
    const { step, mostSteps } = this.#stepped;
    const { x, v } = this.#stepper;
    const [keptX, keptV, keptTime] = [x.slice(), v.slice(), this.#stepper.time];
    x.set(this.x);
    v.set(this.v);
    this.#stepper.time = this.#search.birth + this.since;
    let made = 0;
    while (made < mostSteps && this.since + (made + 1) * step <= s && this.#stepper.step()) made++;
    this.#stepper.chord(this.#path);
    const sigma = s - (this.since + made * step);
    placeOn(this.#path, sigma, place, at);
    velocityOn(this.#path, sigma, velocity, at);
    x.set(keptX);
    v.set(keptV);
    this.#stepper.time = keptTime;
  }
}
