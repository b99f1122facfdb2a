// What do the rules say about two bodies? Allowances come first, then the first test that names the pair decides. A pair
// that no test names is not checked.

import type { Length } from '@nearfield/io';
import { NearfieldError, type Relation } from 'nearfield';
import { pairKey } from '../assembly/pair-key.ts';
import type { SetSummary, Severity, TestSummary } from '../assembly/types.ts';
import { shortHash } from '../identity/sha256.ts';
import { quoted } from '../text/json-reader.ts';
import { BodySet } from './sets/body-set.ts';
import { type Classes, classesOf } from './sets/classes.ts';
import { type RuleBody, Selection } from './sets/select.ts';
import type { AllowedBodies, Decision, Rules } from './types.ts';
import { warningsOf } from './warnings.ts';

export interface RuleOptions {
  /** The unit of the answer in metres; undefined if it is not known. */
  readonly unit?: number | undefined;
  /** For tests that give none, in the answer's unit. */
  readonly tolerance?: number | 'file' | undefined;
  readonly clearance?: number | undefined;
  /** For every test, in addition to its own. */
  readonly ignore?: Iterable<Relation> | undefined;
  /** Pairs that the files allow to meet. */
  readonly allowed?: Iterable<AllowedBodies> | undefined;
}

/** Two sets of bodies; every pair with a body of each is meant. */
export type Sides = readonly [BodySet, BodySet];

/**
 * Rules for the bodies of one assembly. Without rules there is one nameless test of every pair. Throws 'bad-option' if
 * the rules give a length with a unit and the answer's unit is not known.
 */
export class ResolvedRules {
  /** Whether there are rules at all. */
  readonly given: boolean;
  /** The hash of the rules themselves, whatever bodies there are; undefined without rules. */
  readonly hash: string | undefined;
  readonly tests: readonly TestSummary[];
  readonly sets: readonly SetSummary[];
  /** The bodies of the sets, in the same order. */
  readonly setBodies: readonly BodySet[];
  /** The two sides of each test, and of each allowance. */
  readonly testSides: readonly Sides[];
  readonly allowSides: readonly Sides[];
  /** One sentence per set, test and allowance that matches nothing, and per test that never decides. */
  readonly warnings: readonly string[];
  /** Those about sets and allowances; `tests` have their own. */
  readonly unmatched: readonly string[];
  /** If no test names a pair, though there are two bodies: one sentence that says so, and why. */
  readonly nothing: string | undefined;
  /** The largest clearance that any test asks for; undefined if none does. */
  readonly clearance: number | undefined;
  readonly classes: Classes;

  readonly #decisions: readonly Decision[];
  readonly #reasons: readonly string[];
  readonly #allowed = new Map<number, string>();
  /** By pair of classes: a decision, or null where no test names the pair. */
  readonly #known = new Map<number, Decision | null>();
  readonly #memberships: readonly (() => string)[];

  constructor(
    rules: Rules | undefined,
    private readonly bodies: readonly RuleBody[],
    options: RuleOptions = {},
  ) {
    this.given = rules !== undefined;
    this.hash = rules && shortHash(JSON.stringify([[...rules.sets], rules.tests, rules.allow]));
    const used: Rules = rules ?? everyPair;
    const selection = new Selection(used.sets, bodies);
    const everything = BodySet.where(bodies.length, () => true);
    this.setBodies = Array.from(used.sets.keys(), name => selection.of(name));
    this.sets = Array.from(used.sets.keys(), (name, i) => ({ name, bodies: this.setBodies[i].size }));
    this.testSides = used.tests.map(({ between }): Sides => {
      if (between === 'all') return [everything, everything];
      const first = selection.of(between[0]);
      return [first, between[0] === between[1] ? first : selection.of(between[1])];
    });
    this.allowSides = used.allow.map(({ between: [a, b] }): Sides => [selection.of(a), selection.of(b)]);
    const all = [...new Set([...this.setBodies, ...[...this.testSides, ...this.allowSides].flat()])];
    this.classes = classesOf(bodies.length, all);
    this.#memberships = this.classes.samples.map(sample => {
      let hash: string | undefined;
      return () => (hash ??= shortHash(all.map(set => (set.has(sample) ? '1' : '0')).join('')));
    });

    this.#decisions = used.tests.map((test, i): Decision => {
      const lengthOf = (length: Length | undefined, what: string) =>
        length && lengthIn(length, options.unit, `${used.file}: the ${what} of test ${quoted(test.name)}`);
      return {
        test: this.given ? i : undefined,
        severity: test.severity,
        tolerance:
          test.tolerance === 'file' ? 'file' : (lengthOf(test.tolerance, 'tolerance') ?? options.tolerance),
        clearance: lengthOf(test.clearance, 'clearance') ?? options.clearance,
        ignore: new Set([...(options.ignore ?? []), ...test.ignore]),
        allowed: undefined,
      };
    });
    this.#reasons = used.allow.map(({ reason }) => reason ?? 'allowed by the rules');
    const clearances = this.#decisions.flatMap(({ clearance }) => clearance ?? []);
    this.clearance = clearances.length === 0 ? undefined : clearances.reduce((p, q) => Math.max(p, q));
    for (const { a, b, reason } of options.allowed ?? []) this.#allowed.set(this.#key(a, b), reason);
    const { others, tests, isNothing } = warningsOf(used, this, bodies);
    this.tests = this.given
      ? used.tests.map(({ name }, i) => {
          const { severity, tolerance, clearance } = this.#decisions[i];
          const skipped = tests[i];
          return { name, severity, tolerance, clearance, ...(skipped !== undefined && { skipped }) };
        })
      : [];
    const aboutTests = this.tests.flatMap(({ name, skipped }) =>
      skipped === undefined ? [] : [`the test ${quoted(name)} ${skipped}`],
    );
    const ofFile = (sentence: string) => `${used.file}: ${sentence}`;
    this.unmatched = others.map(ofFile);
    this.warnings = [...this.unmatched, ...aboutTests.map(ofFile)];
    if (this.given && isNothing && bodies.length > 1) {
      const reasons = (others.length > 0 ? others : aboutTests).slice(0, 3).join('; ');
      this.nothing = `${used.file}: no pair of bodies is named, so nothing was checked: ${reasons}`;
    }
  }

  /** What is asked about two bodies, by index. Undefined if no test names the pair. */
  decide(a: number, b: number): Decision | undefined {
    const decision = this.decideClasses(this.classes.of[a], this.classes.of[b]);
    if (decision === undefined || decision.allowed !== undefined || this.#allowed.size === 0) return decision;
    const allowed = this.#allowed.get(this.#key(a, b));
    return allowed === undefined ? decision : { ...decision, allowed };
  }

  /** Whether the pair is to be checked. Pairs that are allowed are: they are counted. */
  keep(a: number, b: number): boolean {
    return this.decideClasses(this.classes.of[a], this.classes.of[b]) !== undefined;
  }

  /** The same per pair of classes, without what the files allow. */
  decideClasses(p: number, q: number): Decision | undefined {
    const key = p < q ? p * this.classes.samples.length + q : q * this.classes.samples.length + p;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = this.#decide(p, q)));
    return known ?? undefined;
  }

  #decide(p: number, q: number): Decision | null {
    const [a, b] = [this.classes.samples[p], this.classes.samples[q]];
    const names = ([first, second]: Sides) =>
      (first.has(a) && second.has(b)) || (first.has(b) && second.has(a));
    const test = this.testSides.findIndex(names);
    if (test < 0) return null;
    const allowed = this.allowSides.findIndex(names);
    return allowed < 0
      ? this.#decisions[test]
      : { ...this.#decisions[test], allowed: this.#reasons[allowed] };
  }

  /** The hash of the sets that the body is in: equal hashes under equal rules mean equal decisions. */
  membership(body: number): string | undefined {
    return this.given ? this.#memberships[this.classes.of[body]]() : undefined;
  }

  #key(a: number, b: number): number {
    return pairKey({ a, b }, this.bodies.length);
  }
}

/** The rules for these bodies. See ResolvedRules. */
export const resolveRules = (
  rules: Rules | undefined,
  bodies: readonly RuleBody[],
  options?: RuleOptions,
): ResolvedRules => new ResolvedRules(rules, bodies, options);

const severity: Severity = 'major';
const everyPair: Rules = {
  file: '',
  sets: new Map(),
  tests: [{ name: 'every pair', between: 'all', severity, ignore: [] }],
  allow: [],
};

/** A length in the answer's unit. Throws 'bad-option' if it has a unit and the answer has none. */
export function lengthIn({ value, unit }: Length, answerUnit: number | undefined, what: string): number {
  if (unit === undefined || unit === answerUnit) return value;
  if (answerUnit === undefined) {
    const message = `${what} has a unit, but the files do not state theirs: say it with --units, such as --units mm`;
    throw new NearfieldError('bad-option', message);
  }
  return value * (unit / answerUnit);
}
