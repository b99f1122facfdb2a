// A question under way: the bodies it is about, as they stood when it was asked. Nothing is copied unless a body
// changes while the question waits; then the body's moment is kept first.

import type { Body } from './body.ts';
import type { Moment, Standing } from './moment.ts';

export class Question {
  readonly placed: readonly Standing[];
  readonly #kept = new Map<Body, Moment>();

  constructor(readonly bodies: readonly Body[]) {
    this.placed = bodies.map(body => body.placed);
  }

  keep(body: Body): void {
    if (!this.#kept.has(body)) this.#kept.set(body, body.moment());
  }

  /** What was seen of a body, by its place in `bodies`; to be read before anything else can change it. */
  readonly seenAt = (i: number): Standing => this.#kept.get(this.bodies[i]) ?? this.placed[i];

  /** The same, to be kept. */
  readonly momentAt = (i: number): Moment => this.#kept.get(this.bodies[i]) ?? this.bodies[i].moment();
}
