// `nearfield/breadth-first`: the traversal of Gress and Zachmann on the CPU, for pages that import single questions and for
// synchronous questions. The complete library loads it by itself when `interferences` is asked for it.

import { levelSearchesOf } from '../interferences/hierarchy/cpu/breadth-first/levels.ts';
import { giveLevelSearch } from '../interferences/hierarchy/cpu/level-search.ts';

/**
 * Makes `traversal: 'breadth-first'` known to `interferences`, `interferencesSync`, `narrow` and `narrowSync` on every CPU
 * backend, open or not. On a GPU it needs no such call.
 */
export function useBreadthFirst(): void {
  giveLevelSearch(levelSearchesOf);
}
