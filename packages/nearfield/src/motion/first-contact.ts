// When do bodies first touch while they move? Checks the motion, finds which pairs already meet at time 0, and searches the rest
// for their first contacts: linear/ follows bodies whose vertices move linearly, rigid/ pairs of which one turns.

import type { Body } from '../bodies/body.ts';
import { Candidates } from '../candidates/candidates.ts';
import { aFlag, checkOptions, oneOf, type Rules } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { limitsOfPart } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import type { Interferences } from '../interferences/answer.ts';
import { searchAndDecide, searchNow } from '../interferences/narrow-phase.ts';
import { exact } from '../interferences/stages.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { checkMotion, type Ends, movingBodies } from './check-motion.ts';
import { type MovingBody, pairsThatMayMeet } from './linear/moving-bodies.ts';
import { allMeetings, firstMeeting, type Meeting } from './linear/search.ts';
import { TrianglePairs } from './linear/triangle-pair.ts';
import { Walks } from './linear/walk/walk.ts';
import { keepRows, motionRules, widthOf } from './options.ts';
import { partOf } from './parts.ts';
import { rigidFirstContacts } from './rigid/first-contact.ts';
import { forgetting, turningPaths } from './rigid/paths/all-paths.ts';
import type { FirstContact, FirstContactOptions, Motion } from './types.ts';

const rules: Rules<FirstContactOptions> = {
  ...motionRules,
  which: oneOf('all', 'earliest', 'triangles'),
  self: aFlag,
};

/** See `Scene.firstContact`. */
export async function firstContact(
  scene: BareScene,
  motion: Motion,
  options: FirstContactOptions = {},
): Promise<FirstContact[]> {
  const { core, question, ends } = asked('firstContact', scene, motion, options);
  throwIfAborted(options);
  return core.withPositions(question, options, async () => {
    const search = new Search(core, question, ends, options);
    const initial = search.asksInitial
      ? await searchAndDecide(search.candidates, limitsOfPart(options, 0, 0.2))
      : undefined;
    return inSlices(search.all(initial), limitsOfPart(options, 0.2, 1), () => core.checkOpen());
  });
}

/** `firstContact` without waiting, on the CPU backend. */
export function firstContactSync(
  scene: BareScene<'cpu'>,
  motion: Motion,
  options: FirstContactOptions = {},
): FirstContact[] {
  const { core, question, ends } = asked('firstContactSync', scene, motion, options);
  core.checkSync('firstContactSync');
  const search = new Search(core, question, ends, options);
  const initial = search.asksInitial
    ? exact(searchNow(search.candidates, {}, { decidedAtOnce: true }))
    : undefined;
  const found = toEnd(search.all(initial));
  options.progress?.(1);
  return found;
}

function asked(name: string, scene: BareScene, motion: Motion, options: FirstContactOptions) {
  const core = coreOf(scene);
  checkOptions(options, rules, name);
  core.checkOpen();
  const ends = checkMotion(name, core, motion);
  return { core, question: core.questionAboutAll(), ends };
}

/** A contact, and the bodies by their index in the question. */
interface Found {
  readonly a: number;
  readonly b: number;
  readonly meeting: Meeting;
}

class Search {
  readonly #walks: Walks;
  readonly #bodies: readonly Body[];
  readonly #moving: readonly (MovingBody | undefined)[];
  readonly #pairs: TrianglePairs;
  readonly #rows: Uint32Array;
  readonly #options: FirstContactOptions;
  readonly #core: SceneCore;
  readonly #question: Question;
  readonly #paths: ReturnType<typeof turningPaths>;
  readonly #keep: (a: number, b: number) => boolean;
  readonly candidates: Candidates;

  constructor(core: SceneCore, question: Question, ends: Ends, options: FirstContactOptions) {
    const { upTo = 1 } = options;
    this.#options = options;
    this.#walks = new Walks(core.cpu);
    this.#core = core;
    this.#question = question;
    this.#paths = turningPaths(question, ends, 'firstContact');
    this.#bodies = question.bodies;
    this.#moving = movingBodies(question, ends);
    this.#pairs = new TrianglePairs(-Math.log2(widthOf(options)), upTo);
    const keep = keepRows(options, question);
    const turns = (i: number) => this.#moving[i] === undefined;
    this.#keep = (i, j) => (turns(i) || turns(j)) && keep(i, j);
    this.#rows = pairsThatMayMeet(this.#moving, keep);
    this.candidates = new Candidates(question, core, this.#rows, undefined, true);
  }

  /** Whether the answer needs the pairs of bodies that meet at time 0. */
  get asksInitial(): boolean {
    return this.#options.which !== 'triangles' && this.#rows.length > 0;
  }

  /** The contacts of all pairs, in order of time. */
  *all(initial: Interferences | undefined): Generator<number, FirstContact[]> {
    const { which, upTo = 1 } = this.#options;
    if (this.#paths === undefined) return yield* this.#run(initial);
    if (which === 'triangles') {
      const message =
        'firstContact: pairs of triangles are found for bodies that translate or deform, not for those that turn';
      throw new NearfieldError('unsupported', message);
    }
    const linear = yield* partOf(this.#run(initial), 0, 2);
    const asked = { paths: this.#paths, keep: this.#keep, upTo, width: widthOf(this.#options) };
    const isEarliest = which === 'earliest';
    const work = rigidFirstContacts(this.#core, this.#question, asked, isEarliest);
    const rigid = yield* partOf(forgetting(this.#core.cpu, this.#paths, work), 1, 2);
    const both = [...linear, ...rigid].sort(
      (p, q) =>
        p.time.from - q.time.from || p.time.to - q.time.to || p.a.index - q.a.index || p.b.index - q.b.index,
    );
    return isEarliest ? both.slice(0, 1) : both;
  }

  *#run(initial: Interferences | undefined): Generator<number, FirstContact[]> {
    const found: FirstContact[] = [];
    const met = new Map<Body, Set<Body>>();
    for (const { a, b, relation, triangles } of initial ?? []) {
      met.set(a, (met.get(a) ?? new Set()).add(b));
      const [triangleA, triangleB] = triangles.length > 0 ? triangles : [-1, -1];
      found.push({ a, b, state: 'initial', time: { from: 0, to: 0 }, relation, triangleA, triangleB });
    }
    const isEarliest = this.#options.which === 'earliest';
    const later: Found[] = [];
    let limit = this.#pairs.lastCell;
    if (isEarliest && found.length > 0) limit = -1;
    const pairs = this.#asked();
    try {
      for (let n = 0; n < pairs.length && limit >= 0; n++) {
        const [a, b] = pairs[n];
        if (met.get(this.#bodies[a])?.has(this.#bodies[b])) continue;
        for (const meeting of yield* partOf(this.#meetings(a, b, limit), n, pairs.length)) {
          later.push({ a, b, meeting });
          if (isEarliest) limit = meeting.cell - 1;
        }
      }
    } finally {
      this.#walks.close();
    }
    // The sort is stable: pairs of bodies and of triangles are in order already.
    if (pairs.length > 1) later.sort((p, q) => p.meeting.cell - q.meeting.cell);
    for (const contact of later) found.push(this.#contactOf(contact));
    return isEarliest ? found.slice(0, 1) : found;
  }

  /** Pairs of bodies, and deforming bodies with themselves, in ascending order. */
  #asked(): (readonly [number, number])[] {
    const pairs: (readonly [number, number])[] = [];
    for (let i = 0; i < this.#rows.length; i += 2) pairs.push([this.#rows[i], this.#rows[i + 1]]);
    if (this.#options.self !== true) return pairs;
    this.#moving.forEach((body, i) => {
      if (body?.deforms) pairs.push([i, i]);
    });
    return pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  }

  *#meetings(a: number, b: number, limit: number): Generator<number, Meeting[]> {
    const [first, second] = [this.#moving[a]!, this.#moving[b]!];
    if (this.#options.which === 'triangles')
      return yield* allMeetings(this.#walks, first, second, this.#pairs, limit);
    const found = yield* firstMeeting(this.#walks, first, second, this.#pairs, limit);
    return found === undefined ? [] : [found];
  }

  #contactOf({ a, b, meeting: { cell, triangleA, triangleB, point } }: Found): FirstContact {
    const time = this.#pairs.intervalOf(cell);
    const state = cell === 0 ? 'initial' : 'contact';
    return { a: this.#bodies[a], b: this.#bodies[b], state, time, triangleA, triangleB, point };
  }
}
