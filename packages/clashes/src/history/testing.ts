// Assemblies of boxes for tests of history, and a check of them that needs no engine: two boxes clash as deep as they
// overlap along the axis where they overlap least.

import type { AssemblyAnswer, AssemblyBody, AssemblyPair } from '../assembly/types.ts';
import { assemblyJson } from '../exchange/json.ts';
import { shortHash } from '../identity/sha256.ts';
import { type RuleOptions, resolveRules } from '../rules/resolve.ts';
import type { Rules } from '../rules/types.ts';
import { answerOf } from '../testing.ts';
import { type Baseline, parseBaseline } from './baseline.ts';

export interface Part {
  readonly name: string;
  readonly file?: string;
  readonly id?: string;
  readonly path?: readonly string[];
  /** The lowest corner. */
  readonly at: readonly number[];
  readonly size: readonly number[];
}

/** A box. The mesh is that of its size. */
export const part = (
  name: string,
  at: readonly number[],
  size: readonly number[],
  more: Partial<Part> = {},
): Part => ({
  ...{ name, file: 'house.ifc', at, size },
  ...more,
});

export interface CheckOptions extends RuleOptions {
  readonly rules?: Rules | undefined;
  /** What else the answer has. */
  readonly more?: Partial<AssemblyAnswer> | undefined;
}

/** The answer about the parts, and what the rules decide. Pairs have verdicts and no identities. */
export function checkParts(parts: readonly Part[], { rules, more, ...options }: CheckOptions = {}) {
  const bodies = parts.map(bodyOf);
  const resolved = resolveRules(rules, bodies, options);
  const pairs: AssemblyPair[] = [];
  for (let a = 0; a < parts.length; a++) {
    for (let b = a + 1; b < parts.length; b++) {
      const pair = meeting(parts, a, b);
      const decision = resolved.decide(a, b);
      if (decision === undefined) continue;
      const { distance, depth } = pair;
      if (distance !== undefined && !(distance < (decision.clearance ?? 0))) continue;
      const { tolerance = -1, allowed, ignore, test } = decision;
      const forgiven = depth && depth.upper <= Number(tolerance) ? 'within-tolerance' : undefined;
      const own =
        pair.relation === 'separate' ? 'too-close' : pair.relation === 'touching' ? 'touching' : 'clash';
      const excuse = allowed === undefined ? (ignore.has(pair.relation) ? 'ignored' : forgiven) : 'allowed';
      pairs.push({ ...pair, verdict: excuse ?? own, test });
    }
  }
  const answer = answerOf([], pairs, { bodies, ...more });
  return { answer, decide: (a: number, b: number) => resolved.decide(a, b) };
}

function bodyOf({ name, file, id, path, at, size }: Part, index: number): AssemblyBody {
  const box = [...at, ...at.map((low, axis) => low + size[axis])];
  const fingerprint = { mesh: shortHash(`mesh ${size}`), pose: shortHash(`pose ${at}`), box };
  const counts = { vertices: 8, triangles: 12, closed: true, solid: true };
  return { index, name, file, id, path, ...counts, fingerprint };
}

function meeting(parts: readonly Part[], a: number, b: number): AssemblyPair {
  const [p, q] = [parts[a], parts[b]];
  const axes = [0, 1, 2];
  const low = axes.map(i => Math.max(p.at[i], q.at[i]));
  const high = axes.map(i => Math.min(p.at[i] + p.size[i], q.at[i] + q.size[i]));
  const overlap = Math.min(...axes.map(i => high[i] - low[i]));
  const point = Float64Array.from(axes, i => (low[i] + high[i]) / 2);
  const common = { a, b, triangleCount: 4, point };
  if (overlap > 0) return { ...common, relation: 'crossing', depth: { lower: overlap, upper: overlap } };
  if (overlap === 0) return { ...common, relation: 'touching', depth: { lower: 0, upper: 0 } };
  const distance = Math.hypot(...axes.map(i => Math.max(0, low[i] - high[i])));
  return { a, b, triangleCount: 0, relation: 'separate', distance, pointA: point, pointB: point };
}

/** The answer as a later check reads it: written as JSON, and read. */
export const asBaseline = (answer: AssemblyAnswer): Baseline =>
  parseBaseline('last.json', [...assemblyJson(answer, false)].join(''));

/** `a | b`: a pair by the names of its bodies, in order. */
export const namesOf = ({ bodies }: Pick<AssemblyAnswer, 'bodies'>, { a, b }: AssemblyPair): string =>
  [bodies[a].name, bodies[b].name].sort().join(' | ');

/** The change of every clash, and the outcome of every one that is gone, by names of parts, in order. */
export function changesOf(answer: AssemblyAnswer): string[] {
  const now = answer.frames[0].pairs.flatMap(pair =>
    pair.change ? [`${namesOf(answer, pair)}: ${pair.change}`] : [],
  );
  const gone = (answer.history?.gone ?? []).map(
    ({ was, outcome }) => `${[was.a.name, was.b.name].sort().join(' | ')}: ${outcome}`,
  );
  return [...now, ...gone].sort();
}

/** The identity of each pair by the names of its bodies. */
export const idsOf = (answer: AssemblyAnswer): Map<string, string | undefined> =>
  new Map(answer.frames[0].pairs.map(pair => [namesOf(answer, pair), pair.clash]));
