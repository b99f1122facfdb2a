// Where the driver finds the breadth-first traversal. Its code and kernels are a module of their own (breadth-first/), so that
// a page which never asks for it does not carry it: an application gives it, or the complete library loads it when it is
// first asked for.

import type { Snapshot } from '../../../bodies/snapshot/snapshot.ts';
import type { CpuPairFront } from '../../../candidates/cpu/pair-front.ts';
import { NearfieldError } from '../../../core/errors.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { InterfereRequest } from '../../request.ts';
import type { Job } from './job/job.ts';
import type { PairKernel } from './job/runner.ts';

/** A job's traversal level by level. */
export interface LevelSearch {
  readonly kernel: PairKernel;
  /** Call this when the question is answered or failed. */
  finish(): void;
}

/** The traversal on an engine. */
export interface LevelSearches {
  begin(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): LevelSearch;
}

type Find = (engine: CpuEngine) => LevelSearches;

let find: Find | undefined;
let load: (() => Promise<{ readonly levelSearchesOf: Find }>) | undefined;

/** Gives the traversal to all engines. Tests take it away again. */
export function giveLevelSearch(given: Find | undefined): void {
  find = given;
}

/** Says how to load the traversal when it is first asked for. */
export function loadLevelSearchBy(given: typeof load): void {
  load = given;
}

/** Loads the traversal, if it is not there and can be loaded, and compiles its kernels. */
export async function loadLevelSearch(engine: CpuEngine): Promise<void> {
  if (find === undefined && load !== undefined) find = (await load()).levelSearchesOf;
  await engine.compile();
}

/** The traversal on an engine. Throws 'unsupported' if it is not there. */
export function levelSearchesIn(engine: CpuEngine): LevelSearches {
  if (find !== undefined) return find(engine);
  throw new NearfieldError(
    'unsupported',
    `traversal 'breadth-first' is not loaded: call useBreadthFirst() of 'nearfield/breadth-first' first`,
  );
}
