// How the test for embedded surfaces (embedded.ts) is loaded. It saves work for large answers and changes none, so entry points of
// single questions do without it: the complete library loads it when it may first save work.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';

export type EmbeddedTest = (body: Placed) => boolean;

/** Loads the test, or gives undefined if that fails. Undefined itself if nobody has said how to load it. */
export let loadEmbedded: (() => Promise<EmbeddedTest | undefined>) | undefined;

/** Says how to load it. */
export function loadEmbeddedBy(load: typeof loadEmbedded): void {
  loadEmbedded = load;
}
