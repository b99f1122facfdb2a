// From bodies to decisions: which pairs clash under the rules, which of them are new since the baseline, what people have
// said about them, and which belong together. The command line and the studio ask this.

import { type Nearfield, NearfieldError } from 'nearfield';
import { nameOfUnit } from '@nearfield/io';
import { groupByPart, groupByPlace, groupByTest } from '../groups/groups.ts';
import type { Baseline } from '../history/baseline.ts';
import { compare } from '../history/compare.ts';
import { reusable } from '../history/reuse.ts';
import { applyStatuses, type Statuses } from '../history/statuses.ts';
import { identify } from '../identity/clash-id.ts';
import { fingerprintOf, questionHash } from '../identity/fingerprint.ts';
import { matrixOf } from '../rules/matrix.ts';
import { resolveRules } from '../rules/resolve.ts';
import type { AllowedBodies, Rules } from '../rules/types.ts';
import { type AssemblyQuestion, askAssembly } from './assembly.ts';
import type { AssemblyAnswer } from './types.ts';

/** How clashes are gathered into groups. */
export type Grouping = 'part' | 'place' | 'test';

export interface CheckQuestion extends Omit<AssemblyQuestion, 'rules'> {
  readonly rules?: Rules | undefined;
  /** Pairs of bodies that their files allow to meet. */
  readonly allowed?: readonly AllowedBodies[] | undefined;
  /** The answer of an earlier run. */
  readonly baseline?: Baseline | undefined;
  /** Which pairs fail the check: all clashes, or those that the baseline does not have. */
  readonly failOn?: 'any' | 'new' | undefined;
  /** What people have said about clashes. */
  readonly statuses?: Statuses | undefined;
  readonly group?: Grouping | undefined;
}
