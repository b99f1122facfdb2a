// When do bodies first touch while they move? Checks the motion, finds which pairs already meet at time 0, and searches the rest
// for their first contacts: linear/ follows bodies whose vertices move linearly, rigid/ pairs of which one turns.

import type { Body } from '../bodies/body.ts';
import { Candidates } from '../candidates/candidates.ts';
import { aFlag, checkOptions, oneOf, type Rules } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { limitsOfPart } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../core/waiting.ts';
import type { Interferences } from '../interferences/answer/answer.ts';
import { searchAndDecide, searchNow } from '../interferences/narrow-phase.ts';
import { exact } from '../interferences/stages.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { MotionAnswer, newMotionStats } from './answer.ts';
import { checkMotion, type Ends, movingBodies } from './check-motion.ts';
import { type AskedPair, askLarge, type ListedPairs, listOnGpu, pairsOfRows } from './linear/driver.ts';
import { type MovingBody, pairsThatMayMeet } from './linear/moving-bodies.ts';
import { allMeetings, firstMeeting, type Meeting } from './linear/search.ts';
import { MovingTrianglePairs } from './linear/triangle-pair.ts';
import { MotionWalks } from './linear/walk/walk.ts';
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
): Promise<MotionAnswer<FirstContact>> {
  const { core, question, ends } = asked('firstContact', scene, motion, options);
  throwIfAborted(options);
  return core.withPositions(question, options, async () => {
    const search = new Search(core, question, ends, options);
    if (search.asksInitial)
      search.setInitial(await searchAndDecide(search.candidates, limitsOfPart(options, 0, 0.2)));
    return askLarge(core, question, 'firstContact', search.pairs, async engine => {
      const listed = await listOnGpu(engine, search.pairs, search.stats, limitsOfPart(options, 0.2, 0.6));
      const limits = limitsOfPart(options, listed.size > 0 ? 0.6 : 0.2, 1);
      return inSlices(search.all(listed), limits, () => core.checkOpen());
    });
  });
}

/** `firstContact` without waiting, on the CPU backend. */
export function firstContactSync(
  scene: BareScene<'cpu'>,
  motion: Motion,
  options: FirstContactOptions = {},
): MotionAnswer<FirstContact> {
  const { core, question, ends } = asked('firstContactSync', scene, motion, options);
  core.checkSync('firstContactSync');
  const search = new Search(core, question, ends, options);
  if (search.asksInitial) search.setInitial(exact(searchNow(search.candidates, {}, { decidedAtOnce: true })));
  const found = toEnd(search.all());
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
  readonly #bodies: readonly Body[];
  readonly #moving: readonly (MovingBody | undefined)[];
  readonly #pairs: MovingTrianglePairs;
  readonly #rows: Uint32Array;
  readonly #options: FirstContactOptions;
  readonly #core: SceneCore;
  readonly #question: Question;
  readonly #paths: ReturnType<typeof turningPaths>;
  readonly #keep: (a: number, b: number) => boolean;
  #initial: FirstContact[] = [];
  readonly candidates: Candidates;
  /** What is searched for later contacts: pairs of bodies, and deforming bodies with themselves, in ascending order. */
  pairs: readonly AskedPair[];
  readonly stats = newMotionStats();

  constructor(core: SceneCore, question: Question, ends: Ends, options: FirstContactOptions) {
    const { upTo = 1 } = options;
    this.#options = options;
    this.#core = core;
    this.#question = question;
    this.#paths = turningPaths(question, ends, 'firstContact');
    this.#bodies = question.bodies;
    this.#moving = movingBodies(question, ends);
    this.#pairs = new MovingTrianglePairs(-Math.log2(widthOf(options)), upTo);
    const keep = keepRows(options, question);
    const turns = (i: number) => this.#moving[i] === undefined;
    this.#keep = (i, j) => (turns(i) || turns(j)) && keep(i, j);
    this.#rows = pairsThatMayMeet(this.#moving, keep);
    this.candidates = new Candidates(question, core, this.#rows, undefined, true);
    this.pairs = this.#asked();
  }

  /** Whether the answer needs the pairs of bodies that meet at time 0. */
  get asksInitial(): boolean {
    return this.#options.which !== 'triangles' && this.#rows.length > 0;
  }

  /** The pairs of bodies that meet at time 0 are not searched. */
  setInitial(initial: Interferences): void {
    const met = new Map<Body, Set<Body>>();
    this.#initial = Array.from(initial, ({ a, b, relation, triangles }) => {
      met.set(a, (met.get(a) ?? new Set()).add(b));
      const [triangleA, triangleB] = triangles.length > 0 ? triangles : [-1, -1];
      return { a, b, state: 'initial', time: { from: 0, to: 0 }, relation, triangleA, triangleB };
    });
    this.pairs = this.pairs.filter(
      ({ rows: [a, b] }) => met.get(this.#bodies[a])?.has(this.#bodies[b]) !== true,
    );
  }

  /** The contacts of all pairs, in order of time. */
  *all(listed?: ListedPairs): Generator<number, MotionAnswer<FirstContact>> {
    const found = yield* this.#all(listed);
    this.stats.pairs = this.#pairs.stats.pairs;
    this.stats.unsure = this.#pairs.stats.unsure;
    return new MotionAnswer(found, this.stats);
  }

  *#all(listed: ListedPairs | undefined): Generator<number, FirstContact[]> {
    const { which, upTo = 1 } = this.#options;
    if (this.#paths === undefined) return yield* this.#run(listed);
    if (which === 'triangles') {
      const message =
        'firstContact: pairs of triangles are found for bodies that translate or deform, not for those that turn';
      throw new NearfieldError('unsupported', message);
    }
    const linear = yield* partOf(this.#run(listed), 0, 2);
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

  *#run(listed: ListedPairs | undefined): Generator<number, FirstContact[]> {
    const found = [...this.#initial];
    const walks = new MotionWalks(this.#core.cpu, listed);
    const isEarliest = this.#options.which === 'earliest';
    const later: Found[] = [];
    let limit = this.#pairs.lastCell;
    if (isEarliest && found.length > 0) limit = -1;
    const { pairs } = this;
    try {
      for (let n = 0; n < pairs.length && limit >= 0; n++) {
        for (const meeting of yield* partOf(this.#meetings(walks, pairs[n], limit), n, pairs.length)) {
          const [a, b] = pairs[n].rows;
          later.push({ a, b, meeting });
          if (isEarliest) limit = meeting.cell - 1;
        }
      }
    } finally {
      walks.close();
    }
    // The sort is stable: pairs of bodies and of triangles are in order already.
    if (pairs.length > 1) later.sort((p, q) => p.meeting.cell - q.meeting.cell);
    for (const contact of later) found.push(this.#contactOf(contact));
    return isEarliest ? found.slice(0, 1) : found;
  }

  #asked(): AskedPair[] {
    const asked = pairsOfRows(this.#question, this.#moving, this.#rows);
    if (this.#options.self !== true) return asked;
    const alone = this.#moving.flatMap((body, i) => (body?.deforms ? [i, i] : []));
    asked.push(...pairsOfRows(this.#question, this.#moving, alone));
    return asked.sort((p, q) => p.rows[0] - q.rows[0] || p.rows[1] - q.rows[1]);
  }

  *#meetings(walks: MotionWalks, { a, b }: AskedPair, limit: number): Generator<number, Meeting[]> {
    if (this.#options.which === 'triangles') return yield* allMeetings(walks, a, b, this.#pairs, limit);
    const found = yield* firstMeeting(walks, a, b, this.#pairs, limit);
    return found === undefined ? [] : [found];
  }

  #contactOf({ a, b, meeting: { cell, triangleA, triangleB, point } }: Found): FirstContact {
    const time = this.#pairs.intervalOf(cell);
    const state = cell === 0 ? 'initial' : 'contact';
    return { a: this.#bodies[a], b: this.#bodies[b], state, time, triangleA, triangleB, point };
  }
}
