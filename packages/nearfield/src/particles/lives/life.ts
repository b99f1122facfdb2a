// One life of a particle, impact after impact: the one evaluator behind every answer about particles. A life is a start
// and a rule, so it can be begun anywhere: nothing here remembers other lives.

import { normalAt } from '../colliders/surfaces/surface.ts';
import type { Setup } from '../compiled.ts';
import { directionToWorld, toOwn, toWorld, velocityAt } from '../motion/rigid.ts';
import { placeOn, velocityOn } from '../motion/segment.ts';
import { Starts } from '../motion/start/start.ts';
import { birthTicksOf, lifeTicksOf } from '../motion/ticks.ts';
import { impactRow, segmentRow, segmentStates } from '../seam.ts';
import { Chords, chordNumbers } from './chords.ts';
import { bounces as bouncing, respond, rests } from './response.ts';
import { Search } from './search.ts';

/** The most contacts kept with a state. A particle that touches more surfaces is followed from its birth instead. */
const mostContacts = 8;
/** How many numbers `save` writes. */
export const stateNumbers = 18 + chordNumbers + 3 * mostContacts;

export class LifeCursor {
  readonly #setup: Setup;
  readonly #search: Search;
  readonly #starts: Starts;
  readonly #place = new Float64Array(3);
  readonly #own = new Float64Array(3);
  readonly #velocity = new Float64Array(3);
  readonly #ofCollider = new Float64Array(3);
  readonly #normal = new Float64Array(3);
  /** Where it rests, in the collider's own coordinates. */
  readonly #restAt = new Float64Array(3);
  #known = false;
  #life = 0;
  /** For stepped motion. */
  readonly #chords: Chords | undefined;
  particle = 0;
  generation = 0;
  /** The number of impacts of this life so far. */
  bounce = 0;
  /** One of `segmentStates`. */
  state: number = segmentStates.flying;
  /** The collider it left last, rests on or vanished at; −1 for none. */
  collider = -1;

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#search = new Search(setup);
    this.#starts = new Starts(setup);
    if (setup.stepped !== undefined) this.#chords = new Chords(setup, this.#search);
  }

  /** When this life begins, exactly, and how long it is; in seconds. */
  get birth(): number {
    return this.#search.birth;
  }
  get life(): number {
    return this.#life;
  }
  /** When the segment began, in seconds since birth. */
  get since(): number {
    const isStepped = this.#chords !== undefined && this.state === segmentStates.flying;
    return isStepped ? this.#chords.since : this.#search.since;
  }
  /** How many colliders were tried so far, for statistics. */
  get tried(): number {
    return this.#search.tried;
  }

  begin(particle: number, generation: number): void {
    const setup = this.#setup;
    const search = this.#search;
    const life = lifeTicksOf(setup, particle);
    this.particle = particle;
    this.generation = generation;
    this.bounce = 0;
    this.state = segmentStates.flying;
    this.collider = -1;
    this.#known = false;
    search.birth = (birthTicksOf(setup, particle) + generation * life) * setup.tick;
    this.#life = life * setup.tick;
    search.life = this.#life;
    search.since = 0;
    search.bounced = false;
    search.reach = 0;
    search.leftCollider = -1;
    search.previousContacts.clear();
    this.#starts.of(particle, generation, search.path);
    this.#chords?.begin(this.#life);
  }

  /** When the next impact is, in seconds since birth; Infinity if the life ends first. `only` as in `next`. */
  peek(only = -1): number {
    const search = this.#search;
    if (!this.#known) {
      this.#known = true;
      if (!this.#find(only)) search.sigma = Infinity;
    }
    return search.since + search.sigma;
  }

  /** Finds the next impact, if there is one; with stepped motion chord after chord. */
  #find(only: number): boolean {
    const search = this.#search;
    if (this.state !== segmentStates.flying) return false;
    if (search.run(only)) return true;
    if (this.#chords === undefined) return false;
    while (this.#chords.advance()) if (search.run(only)) return true;
    return false;
  }

  /** The time of the next impact, as impacts report it; Infinity if the life ends first. */
  peekTime(only = -1): number {
    return this.birth + this.peek(only);
  }

  /** The collider of the next impact, −1 if the life ends first; and its triangle. */
  get nextCollider(): number {
    return this.peek() === Infinity ? -1 : this.#search.collider;
  }
  get nextTriangle(): number {
    return this.peek() === Infinity ? -1 : this.#search.triangle;
  }

  /**
   * Writes the next impact as a row. Returns false at the end of the life. With `only` (for lives that do not bounce)
   * no other collider is tried.
   */
  next(out: Float64Array, at = 0, only = -1): boolean {
    if (this.peek(only) === Infinity) return false;
    this.#take(out, at);
    return true;
  }

  /** Goes past the impact that was found. */
  #take(out: Float64Array, at: number): void {
    const search = this.#search;
    const { sigma, path, birth } = search;
    const collider = this.#setup.colliders[search.collider];
    const { motion } = collider;
    const s = search.since + sigma;
    const place = this.#place;
    const velocity = this.#velocity;
    const normal = this.#normal;
    placeOn(path, sigma, place);
    velocityOn(path, sigma, velocity);
    for (let axis = 0; axis < 3; axis++) {
      this.#own[axis] = place[axis];
      this.#ofCollider[axis] = 0;
    }
    if (motion !== undefined) {
      toOwn(motion, birth, s, place, this.#own);
      velocityAt(motion, birth, s, place, this.#ofCollider);
    }
    normalAt(collider, search.triangle, this.#own, normal);
    if (motion !== undefined) directionToWorld(motion, birth, s, normal);
    const wx = velocity[0] - this.#ofCollider[0];
    const wy = velocity[1] - this.#ofCollider[1];
    const wz = velocity[2] - this.#ofCollider[2];
    const speed = Math.sqrt(wx * wx + wy * wy + wz * wz);
    if (normal[0] === 0 && normal[1] === 0 && normal[2] === 0) {
      // A cone's apex has no normal: the direction back along the path is used.
      normal[0] = -wx / speed;
      normal[1] = -wy / speed;
      normal[2] = -wz / speed;
    } else if (search.side < 0) {
      for (let axis = 0; axis < 3; axis++) normal[axis] = -normal[axis];
    }
    out[at + impactRow.time] = birth + s;
    out[at + impactRow.particle] = this.particle;
    out[at + impactRow.generation] = this.generation;
    out[at + impactRow.bounce] = this.bounce;
    out[at + impactRow.collider] = collider.index;
    for (let axis = 0; axis < 3; axis++) {
      out[at + impactRow.place + axis] = place[axis];
      out[at + impactRow.velocity + axis] = velocity[axis];
      out[at + impactRow.normal + axis] = normal[axis];
    }
    out[at + impactRow.speed] = speed;
    const approach = -(wx * normal[0] + wy * normal[1] + wz * normal[2]);
    out[at + impactRow.normalSpeed] = approach > 0 ? approach : 0;
    out[at + impactRow.triangle] = search.triangle;
    const outcome = respond(collider.response, this.bounce, velocity, this.#ofCollider, normal);
    out[at + impactRow.outcome] = outcome;
    this.#goOn(outcome, s);
  }

  #goOn(outcome: number, s: number): void {
    const search = this.#search;
    const { path, sigma } = search;
    this.bounce++;
    this.collider = search.collider;
    this.#known = false;
    if (outcome !== bouncing) {
      search.since = s;
      this.state = outcome === rests ? segmentStates.resting : segmentStates.gone;
      for (let axis = 0; axis < 3; axis++) this.#restAt[axis] = this.#own[axis];
      return;
    }
    search.previousPath.set(path);
    search.previousSince = search.since;
    search.previousSigma = sigma;
    search.since = s;
    // Over all segments of the life: a segment of length 0 makes a place no more precise than it was.
    let { reach } = search;
    for (let axis = 0; axis < 3; axis++) {
      const far =
        Math.abs(path[axis]) + (Math.abs(path[3 + axis]) + 0.5 * Math.abs(path[6 + axis]) * sigma) * sigma;
      if (far > reach) reach = far;
      path[axis] = this.#place[axis];
      path[3 + axis] = this.#velocity[axis];
    }
    search.reach = reach;
    search.bounced = true;
    search.leftCollider = search.collider;
    search.leftTriangle = search.triangle;
    search.leftSide = search.side;
    search.previousContacts.copyFrom(search.contacts);
    this.#chords?.restart(s);
  }

  /** Place and velocity at s seconds since birth, in this segment; three numbers each. */
  place(s: number, place: Float64Array, velocity: Float64Array, at = 0): void {
    const search = this.#search;
    if (this.#chords !== undefined && this.state === segmentStates.flying) {
      this.#chords.place(s, place, velocity, at);
      return;
    }
    if (this.state === segmentStates.flying) {
      placeOn(search.path, s - search.since, place, at);
      velocityOn(search.path, s - search.since, velocity, at);
      return;
    }
    const when = this.state === segmentStates.resting ? s : search.since;
    const { motion } = this.#setup.colliders[this.collider];
    this.#place.set(this.#restAt);
    this.#ofCollider.fill(0);
    if (motion !== undefined) {
      toWorld(motion, search.birth, when, this.#restAt, this.#place);
      velocityAt(motion, search.birth, when, this.#place, this.#ofCollider);
    }
    for (let axis = 0; axis < 3; axis++) {
      place[at + axis] = this.#place[axis];
      velocity[at + axis] = this.state === segmentStates.resting ? this.#ofCollider[axis] : 0;
    }
  }

  /** Writes the segment for engines. */
  writeSegment(out: Float64Array, at: number): void {
    const search = this.#search;
    const isFlying = this.state === segmentStates.flying;
    const next = this.peek();
    out[at + segmentRow.particle] = this.particle;
    out[at + segmentRow.generation] = this.generation;
    out[at + segmentRow.bounce] = this.bounce;
    out[at + segmentRow.state] = this.state;
    const chords = isFlying ? this.#chords : undefined;
    out[at + segmentRow.since] = chords?.since ?? search.since;
    for (let axis = 0; axis < 3; axis++) {
      out[at + segmentRow.position + axis] =
        chords?.x[axis] ?? (isFlying ? search.path[axis] : this.#restAt[axis]);
      out[at + segmentRow.velocity + axis] = chords?.v[axis] ?? (isFlying ? search.path[3 + axis] : 0);
    }
    out[at + segmentRow.collider] = this.collider;
    out[at + segmentRow.until] = next === Infinity ? this.#life : next;
    out[at + segmentRow.next] = next === Infinity ? -1 : search.collider;
    out[at + segmentRow.triangle] = next === Infinity ? -1 : search.triangle;
    out[at + segmentRow.chord] = chords?.chord ?? 0;
  }

  /** Whether it flies and has more to save than a life whose first impact is known. */
  get canSave(): boolean {
    return this.state === segmentStates.flying && (this.bounce > 0 || this.#chords !== undefined);
  }

  /**
   * Writes `stateNumbers` numbers for `restore`. Returns false if that is not enough room. Only for flying particles.
   */
  save(out: Float64Array, at: number): boolean {
    const search = this.#search;
    this.peek();
    if (search.contacts.count > mostContacts) return false;
    for (let i = 0; i < 9; i++) out[at + i] = search.path[i];
    out[at + 9] = search.since;
    out[at + 10] = this.bounce;
    out[at + 11] = search.sigma;
    out[at + 12] = search.collider;
    out[at + 13] = search.triangle;
    out[at + 14] = search.side;
    out[at + 15] = search.contacts.count;
    out[at + 16] = search.reach;
    out[at + 17] = this.collider;
    this.#chords?.save(out, at + 18);
    search.contacts.write(out, at + 18 + chordNumbers);
    return true;
  }

  /** Continues where `save` was called, for the same particle and generation. */
  restore(particle: number, generation: number, from: Float64Array, at: number): void {
    const setup = this.#setup;
    const search = this.#search;
    const life = lifeTicksOf(setup, particle);
    this.particle = particle;
    this.generation = generation;
    search.birth = (birthTicksOf(setup, particle) + generation * life) * setup.tick;
    this.#life = life * setup.tick;
    search.life = this.#life;
    for (let i = 0; i < 9; i++) search.path[i] = from[at + i];
    search.since = from[at + 9];
    this.bounce = from[at + 10];
    search.sigma = from[at + 11];
    search.collider = from[at + 12];
    search.triangle = from[at + 13];
    search.side = from[at + 14];
    search.reach = from[at + 16];
    this.collider = from[at + 17];
    this.#chords?.restore(from, at + 18, this.#life);
    search.contacts.read(from, at + 18 + chordNumbers, from[at + 15]);
    this.state = segmentStates.flying;
    this.#known = true;
  }

  /** Begins a life in closed form whose first impact is known. */
  beginKnowing(
    particle: number,
    generation: number,
    sigma: number,
    collider: number,
    triangle: number,
    side: number,
  ): void {
    this.begin(particle, generation);
    const search = this.#search;
    search.sigma = sigma;
    search.collider = collider;
    search.triangle = triangle;
    search.side = side;
    search.contacts.clear();
    this.#known = true;
  }

  /** The side of the surface from which the next impact comes. */
  get nextSide(): number {
    return this.#search.side;
  }
}
