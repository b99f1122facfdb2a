// A rules file as data: sets of bodies, tests between them, and pairs that may meet.

import type { Length } from '@nearfield/io';
import type { Relation } from 'nearfield';
import type { Severity } from '../assembly/types.ts';

/** Which bodies? All fields that are given must hold. Several patterns in a list mean any of them. */
export interface Selector {
  /** A pattern with a slash is for the whole name of the file as given; one without is for its last part. */
  readonly file?: readonly string[] | undefined;
  readonly name?: readonly string[] | undefined;
  /** The path from the root of the file's structure, joined by slashes. */
  readonly path?: readonly string[] | undefined;
  /** The kind of part, such as IfcWall. */
  readonly class?: readonly string[] | undefined;
  /** Exactly these ids. Case matters. */
  readonly id?: readonly string[] | undefined;
  readonly property?: readonly PropertyCondition[] | undefined;
  readonly any?: readonly SetOrSelector[] | undefined;
  readonly all?: readonly SetOrSelector[] | undefined;
  readonly not?: SetOrSelector | undefined;
}

/** The name of a set, or a selector in place. */
export type SetOrSelector = string | Selector;

/** Some property whose name matches has one of these values. Texts are patterns. */
export interface PropertyCondition {
  readonly name: string;
  readonly values: readonly (string | number | boolean)[];
}

/** Which pairs are checked, and what they are asked. */
export interface RuleTest {
  readonly name: string;
  /** Pairs of a body of the one with a body of the other; 'all' for every pair. `within` A is between A and A. */
  readonly between: readonly [SetOrSelector, SetOrSelector] | 'all';
  /** A length without a unit is in the answer's, unless the file states units. */
  readonly tolerance?: Length | 'file' | undefined;
  readonly clearance?: Length | undefined;
  readonly severity: Severity;
  /** Relations that this test does not mind. */
  readonly ignore: readonly Relation[];
}

/** Pairs that may meet. */
export interface Allowance {
  readonly between: readonly [SetOrSelector, SetOrSelector];
  readonly reason?: string | undefined;
}

export interface Rules {
  /** The file's name, for messages. */
  readonly file: string;
  /** In the order of the file. */
  readonly sets: ReadonlyMap<string, SetOrSelector>;
  readonly tests: readonly RuleTest[];
  readonly allow: readonly Allowance[];
}

/** What the rules say about a pair of bodies that a test names. */
export interface Decision {
  /** The index of the first test that names the pair; undefined without rules. */
  readonly test: number | undefined;
  readonly severity: Severity;
  /** In the answer's unit. Undefined if neither the test nor the command line gives one. */
  readonly tolerance: number | 'file' | undefined;
  readonly clearance: number | undefined;
  readonly ignore: ReadonlySet<Relation>;
  /** Why the two may meet; undefined if they may not. */
  readonly allowed: string | undefined;
}

/** Two bodies, by index, that a file allows to meet. */
export interface AllowedBodies {
  readonly a: number;
  readonly b: number;
  readonly reason: string;
}
