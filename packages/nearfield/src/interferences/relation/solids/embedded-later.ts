// Where the test for embedded surfaces (embedded.ts) is found. It saves work for large answers and changes none, so a page that asks single
// questions does not carry it: the complete library loads it when it may first save work.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';

export type Test = (body: Placed) => boolean;

/** Loads the test. It is undefined if that fails. */
export let loadEmbedded: (() => Promise<Test | undefined>) | undefined;

/** Says how to load it. */
export function loadEmbeddedBy(load: typeof loadEmbedded): void {
  loadEmbedded = load;
}
