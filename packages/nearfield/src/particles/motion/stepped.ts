// Motion that is no formula: stepped (Knott, section 3.7). Not ready: every use of it is refused.

import { bad } from '../check.ts';
import type { SteppedMotion } from '../options.ts';
import type { CompiledStepped, Setup } from '../seam.ts';

export function compileStepped(
  given: SteppedMotion | undefined,
  _setup: Omit<Setup, 'stepped'>,
): CompiledStepped | undefined {
  if (given === undefined) return undefined;
  throw bad('stepped motion is not supported yet');
}
