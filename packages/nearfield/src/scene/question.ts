// A question under way: the bodies it is about, as they stood when it was asked. Nothing is copied unless a body
// changes while the question waits; then its moment takes its place first.

import type { Body } from './body.ts';
import type { Moment, Standing } from './moment.ts';

export class Question {
  readonly #placed: Standing[];

  constructor(readonly bodies: readonly Body[]) {
    this.#placed = bodies.map(body => body.placed);
  }

  /** What engines read, by the place in `bodies`. */
  get placed(): readonly Standing[] {
    return this.#placed;
  }

  /** Called before a body changes while the question waits. */
  keep(body: Body): void {
    const i = this.#placed.indexOf(body.placed);
    if (i >= 0) this.#placed[i] = body.moment();
  }

  /** What was seen of a body; to be read before anything else can change it. */
  readonly seenAt = (i: number): Standing => this.#placed[i];

  /** The same, to be kept. */
  readonly momentAt = (i: number): Moment => {
    const seen = this.#placed[i];
    return seen === this.bodies[i].placed ? this.bodies[i].moment() : (seen as Moment);
  };
}
