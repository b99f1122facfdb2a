// Where and how do two bodies press on one another? One patch per region of contact: for solids that overlap, one patch
// per connected part of their intersection; for surfaces that touch, one patch per flat piece, line or point. Regions
// are found from the triangles that meet and the surface they enclose, decided exactly (crossings.ts), never from
// samples. Areas, depths and points are sums in doubles. Only the surface that bounds a solid counts (outer/).
//
// Which pieces are one patch is also decided exactly, and does not depend on directions, scale or order: overlaps that
// share a point are one patch, and so are flat pieces of one plane that share a point and face the same way. Lines and
// points that lie in neither are patches of their own. A line that reaches an overlap or a flat piece ends there.

import type { Body } from '../bodies/body.ts';
import { atSnapshot } from '../bodies/snapshot/snapshot-body.ts';
import { bad, checkOptions, limitRules, type Rules, wrong } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import type { EngineStats } from '../core/stats.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { Answer } from '../interferences/answer/answer.ts';
import { askTriangles } from '../interferences/ask.ts';
import { interfere } from '../interferences/driver.ts';
import { decidePairs } from '../interferences/exact.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import { type AnswerStats, type RawAnswer, thePair } from '../interferences/request.ts';
import { times, type Vector } from '../math/vector.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkTwo } from '../questions/checks.ts';
import type { Question } from '../questions/question.ts';
import { identify } from './identify.ts';
import { selfFinderOf } from './outer/self-partners.ts';
import type { RawPatch } from './patch.ts';
import { contactPatches } from './patches.ts';

/** What contacts are asked for. */
export interface ContactOptions extends Limits {
  /** The contacts of the same bodies in the previous step: patches that continue keep their ids. */
  readonly previous?: Contacts | undefined;
}

/** One of a few points that represent a patch. */
export interface ContactPoint {
  /**
   * Halfway between the two surfaces; if that lies outside the bodies, the point of the contact nearest to it. It lies
   * in both bodies, up to 2^-42 of the size of the triangles there and 2^-50 of its coordinates. World, three numbers.
   */
  readonly position: Float64Array;
  /** The patch's unit normal, from a to b. */
  readonly normal: Float64Array;
  /** The mean depth of the part of the patch that the point represents. */
  readonly depth: number;
  /** The area of that part. The areas of all points sum to the patch's. */
  readonly area: number;
}

/**
 * One region in which two bodies press on one another. Lengths are in the user's units, points and normals in world
 * coordinates.
 */
export interface ContactPatch {
  /** The same as in `previous` for a patch that continues, else one that no patch there has had. */
  readonly id: number;
  /**
   * The middle of the area, halfway between the two surfaces; if that lies outside the bodies, as for a ring, the point of the
   * contact nearest to it. It lies in both bodies, up to 2^-42 of the size of the triangles there and 2^-50 of its coordinates.
   * World, three numbers.
   */
  readonly point: Float64Array;
  /**
   * Unit vector from a to b: if the bodies can come apart there, a moves against it, or b along it. It is the mean of
   * a's outward normal over its surface in b. If that cancels (a passes right through b, or lies in it), it is the
   * direction in which the intersection is least extended. As an overlap becomes thin, normal, area and depth approach
   * those of touching.
   */
  readonly normal: Float64Array;
  /**
   * How far the intersection extends along the normal; 0 if the bodies only touch, or one is open. Computed from
   * rounded points: off by up to 2^-42 of the size of the triangles there and 2^-50 of the coordinates, so that an
   * overlap thinner than that may have depth 0.
   */
  readonly depth: number;
  /**
   * The area of the contact seen along the normal; 0 if they meet only in lines and points. Bodies of any size are
   * measured; an area beyond the range of doubles is Infinity, one below it 0.
   */
  readonly area: number;
  /** Points that represent the patch, as a solver needs them: at most four. */
  readonly points: readonly ContactPoint[];
  /** Triangles of a that bound the patch, entirely or in part, ascending. */
  readonly trianglesA: Uint32Array;
  /** Triangles of b that bound it, likewise. */
  readonly trianglesB: Uint32Array;
}

/**
 * The contacts of two bodies. Empty if they are separate, or if they only touch in parts of a solid's mesh that bound
 * nothing, such as a fin without thickness.
 */
export class Contacts implements Answer, Iterable<ContactPatch> {
  constructor(
    /** The first body of the question: normals point away from it. */
    readonly a: Body,
    /** The second body of the question: normals point towards it. */
    readonly b: Body,
    /** In order of the first triangle of the body with the lower index, then of the other. */
    readonly patches: readonly ContactPatch[],
    /** Greater than every id so far. */
    readonly nextId: number,
    /** Where the triangles that meet were found. */
    readonly backend: 'cpu' | 'gpu',
    /** What finding them took. */
    readonly stats: AnswerStats,
    /** Contacts always search trees. */
    readonly method: 'hierarchy' = 'hierarchy',
  ) {}

  /** The number of patches. */
  get length(): number {
    return this.patches.length;
  }
  /** The patches, in order. */
  [Symbol.iterator](): Iterator<ContactPatch> {
    return this.patches[Symbol.iterator]();
  }
}

/** `scene.contacts` describes the answer. */
export async function contacts(
  scene: BareScene,
  a: Body,
  b: Body,
  options: ContactOptions = {},
): Promise<Contacts> {
  checkTwo('contacts', a, b);
  const core = coreOf(scene);
  const question = core.questionAbout(...inOrder(a, b, options));
  const { previous, ...limits } = options;
  return askTriangles(
    core,
    question,
    'contacts',
    limits,
    engine => interfere(engine, question.seenBy(engine), { ...limits, ...thePair }),
    (raw, engine) => answer(core.cpu, raw, question, a, b, previous, engine.backend),
    () => question.seen.shapeStates,
  );
}

/** `scene.contactsSync` describes the answer. */
export function contactsSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: ContactOptions = {},
): Contacts {
  checkTwo('contactsSync', a, b);
  const core = coreOf(scene);
  core.checkSync('contactsSync');
  const question = core.questionAbout(...inOrder(a, b, options));
  const raw = cpuPairs(core.cpu).interfereSync(question.seen, thePair);
  return answer(core.cpu, raw, question, a, b, options.previous, 'cpu');
}

const rules: Rules<ContactOptions> = {
  ...limitRules,
  previous(given, what) {
    if (!(given instanceof Contacts)) throw wrong(what, 'an answer of contacts', given);
  },
};

/** The body with the lower index first, so that exchanging the bodies mirrors the answer. */
function inOrder(a: Body, b: Body, options: ContactOptions): [Body, Body] {
  if (a === b) throw bad(`contacts needs two different bodies, but got ${a.name} twice`);
  checkOptions(options, rules, 'contacts');
  const { previous } = options;
  if (previous && !((previous.a === a && previous.b === b) || (previous.a === b && previous.b === a))) {
    const others = `${previous.a.name} and ${previous.b.name}`;
    throw bad(`previous must be the contacts of ${a.name} and ${b.name}, not of ${others}`);
  }
  return a.index < b.index ? [a, b] : [b, a];
}

/** The answer, from what an engine found about the bodies in that order. */
function answer(
  engine: CpuEngine,
  raw: RawAnswer,
  { readableAt }: Question,
  a: Body,
  b: Body,
  previous: Contacts | undefined,
  backend: 'cpu' | 'gpu',
): Contacts {
  const { triangles } = decidePairs(raw, readableAt, engine);
  const patches = atSnapshot(engine, readableAt(0), readableAt(1), (first, second) =>
    contactPatches(selfFinderOf(engine), first, second, triangles),
  );
  return contactsFrom(a, b, patches, previous, backend, raw.stats);
}

/** The answer for a and b as they were given, from patches as the body of the lower index sees them. */
function contactsFrom(
  a: Body,
  b: Body,
  raw: readonly RawPatch[],
  previous: Contacts | undefined,
  backend: 'cpu' | 'gpu',
  stats: EngineStats,
): Contacts {
  const mirrored = a.index > b.index;
  const patches = raw.map(patch => {
    const normal = mirrored ? times(patch.normal, -1) : patch.normal;
    const [trianglesA, trianglesB] = mirrored ? [patch.triangles[1], patch.triangles[0]] : patch.triangles;
    return {
      point: vector(patch.point),
      normal: vector(normal),
      depth: patch.depth,
      area: patch.area,
      points: patch.points.map(({ position, depth, area }) => ({
        position: vector(position),
        normal: vector(normal),
        depth,
        area,
      })),
      trianglesA: new Uint32Array(trianglesA),
      trianglesB: new Uint32Array(trianglesB),
    };
  });
  const before = (previous?.patches ?? []).map(patch =>
    previous!.a === a ? patch : { ...patch, trianglesA: patch.trianglesB, trianglesB: patch.trianglesA },
  );
  const { ids, nextId } = identify(patches, before, previous?.nextId ?? 0);
  return new Contacts(
    a,
    b,
    patches.map((patch, i) => ({ id: ids[i], ...patch })),
    nextId,
    backend,
    { ...stats, backend },
  );
}

const vector = (values: Vector): Float64Array => Float64Array.from(values, x => x + 0);
