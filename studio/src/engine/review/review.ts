// The pairs of the user's assembly, kept in the worker: found when bodies move, weighed by the rules, measured when
// somebody looks. Everything is decided by the functions of the command line.

import {
  type AskInterferences,
  type AssemblyBody,
  applyStatuses,
  clashIds,
  type DeepPair,
  findPairs,
  fingerprintOf,
  finish,
  groupByPart,
  groupByPlace,
  groupByTest,
  isClash,
  judge,
  lengthIn,
  type OpenPair,
  type PlacedBody,
  pairRulesOf,
  parseStatuses,
  type ResolvedRules,
  resolveRules,
  type Stage,
  settle,
  verdictOf,
  verdictOrder,
  weigh,
} from '@nearfield/clashes';
import { parseLength } from '@nearfield/io';
import { type Nearfield, NearfieldError } from 'nearfield';
import type { Assembly, BodyId, Limits } from '../types.ts';
import type { AskedBodies, Kept } from '../worker/kept.ts';
import { isSame, PlacedScene } from '../worker/placed-scene.ts';
import { columnsOf, measuredColumns } from './columns.ts';
import { decidedFrom } from './decided.ts';
import { touchedSegments } from './touched.ts';
import type {
  AppliedRows,
  Groups,
  GroupsQuestion,
  Measured,
  MeasureQuestion,
  PairsAnswer,
  PairsQuestion,
  StatusesQuestion,
  Touched,
  TouchedQuestion,
} from './types.ts';

/** The last answer. */
interface State {
  readonly serial: number;
  readonly assembly: Assembly;
  readonly asked: AskedBodies;
  readonly resolved: ResolvedRules;
  readonly pairs: readonly OpenPair[];
  /** The identities of the pairs. */
  readonly ids: readonly string[];
  /** The pairs whose verdict their depth decides. */
  readonly deep: ReadonlyMap<OpenPair, DeepPair>;
}

export class Review {
  readonly #nf: Nearfield;
  readonly #kept: Kept;
  readonly #scene: PlacedScene;
  #state: State | undefined;
  #serial = 0;

  constructor(nf: Nearfield, kept: Kept) {
    this.#nf = nf;
    this.#kept = kept;
    this.#scene = new PlacedScene(nf, id => kept.meshOf(id));
  }

  /** Every pair that meets or is too close. Only pairs of bodies that moved since the last answer are examined. */
  async pairs({ assembly, found }: PairsQuestion, { signal, progress }: Limits): Promise<PairsAnswer> {
    const start = performance.now();
    const before = this.#state;
    const { unit, tolerance, clearance, placed } = assembly;
    const moved = before && movedSince(before.assembly, assembly);
    const isSameQuestion =
      before !== undefined && moved !== undefined && hasSameRules(before.assembly, assembly);
    const asked = isSameQuestion
      ? { ...before.asked, bodies: before.asked.bodies.map((body, i) => withPose(body, placed.poses, i)) }
      : this.#kept.asked(assembly);
    const { bodies, allowed, rules } = asked;
    const resolved = isSameQuestion
      ? before.resolved
      : resolveRules(rules, bodies, { unit, tolerance, clearance, allowed });
    if (resolved.nothing !== undefined) throw new NearfieldError('bad-option', resolved.nothing);
    this.#scene.place(placed);
    const { scene } = this.#scene;
    const serial = ++this.#serial;
    const isAsked = isSameQuestion ? (a: number, b: number) => moved.has(a) || moved.has(b) : undefined;
    const onGpu: AskInterferences | undefined =
      found && (({ keep, ...limits }) => decidedFrom(this.#scene, keep, found, limits));
    const ends: Partial<Record<Stage, number>> = {
      checking: 0.4,
      relating: 0.7,
      locating: 0.75,
      clearances: 1,
    };
    let [from, to] = [0, 0];
    const { answer, pairs: fresh } = await findPairs(
      scene,
      {
        ...{ method: 'auto', rules: pairRulesOf(resolved, clearance), keepTriangles: 'all', signal },
        progress: (stage, done) => {
          const end = ends[stage] ?? 1;
          if (end !== to) [from, to] = [to, end];
          progress?.(from + (to - from) * done);
        },
      },
      isAsked,
      onGpu,
    );
    signal?.throwIfAborted();
    const still = isSameQuestion ? before.pairs.filter(({ a, b }) => !moved.has(a) && !moved.has(b)) : [];
    const pairs = [...still, ...fresh].sort((p, q) => p.a - q.a || p.b - q.b);
    const deep = new Map(
      weigh(bodies, pairs, (a, b) => resolved.decide(a, b)).map(each => [each.pair, each]),
    );
    for (const pair of pairs) pair.undecided = undefined;
    settle([...deep.values()]);
    for (const { pair, forgiven } of deep.values()) if (pair.withinRounding) pair.verdict = forgiven;
    const prints = bodies.map(({ mesh, pose }) => fingerprintOf(mesh, [pose]));
    const ids = finish(
      clashIds(
        bodies.map((body, i) => ({ ...body, fingerprint: prints[i] })),
        pairs,
      ),
    );
    this.#state = { serial, assembly, asked, resolved, pairs, ids, deep };
    return {
      serial,
      columns: columnsOf(pairs, placed.ids, ids, prints, deep),
      tests: resolved.given ? resolved.tests.map(({ name }) => name) : [],
      sets: resolved.sets.map(({ name }, i) => ({
        name,
        ids: placed.ids.filter((_, body) => resolved.setBodies[i].has(body)),
      })),
      notes: resolved.warnings,
      time: performance.now() - start,
      backend: answer.backend,
    };
  }

  /** Measures pairs of the last answer. */
  async measure({ serial, rows, certain }: MeasureQuestion, limits: Limits): Promise<Measured> {
    const state = this.#state;
    if (state?.serial !== serial) return undefined;
    const { asked, resolved } = state;
    const pairs = Array.from(rows, row => state.pairs[row]).filter(pair => state.deep.has(pair));
    const copies = pairs.map((pair): OpenPair => ({ ...pair, ...noDepth }));
    const decide = (a: number, b: number) => resolved.decide(a, b);
    const { scene, bodies: placed } = this.#scene;
    const triangles = new Map(copies.map(pair => [keyOf(pair), pair.triangles]));
    const trianglesOf = (a: number, b: number) => triangles.get(keyOf({ a, b }));
    const bodies = { nf: this.#nf, scene, placed, given: asked.bodies, trianglesOf };
    await judge(bodies, copies, { decide, depths: 'shown', rows: certain }, limits);
    if (this.#state !== state) return undefined;
    for (const [i, pair] of pairs.entries()) {
      const { depth, translation, verdict, undecided, withinRounding } = copies[i];
      Object.assign(pair, { depth, translation, verdict, undecided, withinRounding });
    }
    return measuredColumns(
      Uint32Array.from(rows).filter(row => state.deep.has(state.pairs[row])),
      state.pairs,
    );
  }

  async touched({ serial, rows, origin, most }: TouchedQuestion): Promise<Touched> {
    const state = this.#state;
    if (state?.serial !== serial) return { segments: new Float32Array(0), rows: new Uint32Array(0) };
    return touchedSegments(
      Array.from(rows, row => ({ ...state.pairs[row], row })),
      state.asked.bodies,
      origin,
      most,
    );
  }

  /** What people have said, applied to the last answer. Throws 'bad-file' if the text is no statuses file. */
  statuses({ serial, text }: StatusesQuestion): AppliedRows {
    const state = this.#state;
    const none = { rows: new Uint32Array(0), verdicts: new Uint8Array(0), notes: [] };
    if (state?.serial !== serial) return none;
    const { clashes } = parseStatuses('the statuses', text);
    const { bodies } = state.asked;
    const rows: number[] = [];
    for (const [row, id] of state.ids.entries()) if (clashes.has(id)) rows.push(row);
    const pairs = rows.map(row => ({ ...state.pairs[row], clash: state.ids[row] }));
    const { unit } = state.assembly;
    const applied = applyStatuses(
      { ...plainAnswer, bodies: summaryOf(bodies), frames: [{ frame: 0, pairs }] },
      { file: 'the statuses', clashes, rest: [] },
      (length, what) => (typeof length === 'number' ? length : lengthIn(parseLength(length), unit, what)),
    );
    const verdicts = applied.answer.frames[0].pairs.map(pair => verdictOrder.indexOf(verdictOf(pair)));
    return { rows: Uint32Array.from(rows), verdicts: Uint8Array.from(verdicts), notes: applied.notes };
  }

  /** Clashes that one person would mend together. Throws 'bad-option' for groups by test without rules. */
  groups({ serial, by, accepted }: GroupsQuestion): Groups {
    const state = this.#state;
    const none = { titles: [], rows: new Uint32Array(0), starts: Uint32Array.of(0) };
    if (state?.serial !== serial) return none;
    const { resolved, asked } = state;
    if (by === 'test' && !resolved.given) {
      throw new NearfieldError('bad-option', 'Grouping by test needs rules: drop a rules file on the page.');
    }
    const isAccepted = new Set(accepted);
    const rows: number[] = [];
    for (const [row, pair] of state.pairs.entries())
      if (isClash(pair) && !isAccepted.has(row)) rows.push(row);
    const bodies = summaryOf(asked.bodies);
    // A group names its members by identity, for which the row will do.
    const pairs = rows.map(row => ({ ...state.pairs[row], clash: String(row) }));
    const groups =
      by === 'part'
        ? finish(groupByPart(bodies, pairs))
        : by === 'place'
          ? finish(groupByPlace(bodies, pairs))
          : finish(groupByTest(bodies, pairs, resolved.tests));
    const starts = [0];
    for (const { members } of groups) starts.push(starts.at(-1)! + members.length);
    return {
      titles: groups.map(({ title }) => title),
      rows: Uint32Array.from(groups.flatMap(({ members }) => members.map(Number))),
      starts: Uint32Array.from(starts),
    };
  }
}

/** The bodies as an answer has them. */
const summaryOf = (bodies: readonly PlacedBody[]): AssemblyBody[] =>
  bodies.map(({ mesh, pose, ...said }, index) => {
    const { vertexCount: vertices, triangleCount: triangles, closed, solid } = mesh;
    return { index, ...said, vertices, triangles, closed, solid, fingerprint: fingerprintOf(mesh, [pose]) };
  });

/** What an answer has besides bodies and pairs. */
const plainAnswer = {
  version: '',
  backend: { kind: 'cpu', name: '' },
  method: 'hierarchy',
  isMotion: false,
  timing: { read: 0, build: 0, query: 0 },
} as const;

const noDepth = {
  depth: undefined,
  translation: undefined,
  undecided: undefined,
  withinRounding: undefined,
};

const keyOf = ({ a, b }: Pick<OpenPair, 'a' | 'b'>): number => a * 2 ** 26 + b;

const withPose = <B extends object>(body: B, poses: Float64Array, i: number) => ({
  ...body,
  pose: poses.slice(16 * i, 16 * i + 16),
});

/** The places of bodies that moved between two assemblies of the same bodies; undefined if the bodies differ. */
function movedSince(
  { placed: before }: Assembly,
  { placed: now }: Assembly,
): ReadonlySet<BodyId> | undefined {
  if (before.ids.length !== now.ids.length) return undefined;
  const moved = new Set<number>();
  for (let i = 0; i < now.ids.length; i++) {
    if (before.ids[i] !== now.ids[i]) return undefined;
    const at = (poses: Float64Array) => poses.subarray(16 * i, 16 * i + 16);
    if (!isSame(at(before.poses), at(now.poses))) moved.add(i);
  }
  return moved;
}

function hasSameRules(p: Assembly, q: Assembly): boolean {
  const isPlain = p.unit === q.unit && p.clearance === q.clearance && p.tolerance === q.tolerance;
  if (!isPlain || p.rules?.text !== q.rules?.text || p.names.size !== q.names.size) return false;
  for (const [id, name] of q.names) if (p.names.get(id) !== name) return false;
  return true;
}
