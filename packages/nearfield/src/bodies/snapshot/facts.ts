// Facts about the bodies of a snapshot, computed once and kept as long as the snapshot's lists. The caller passes the
// function that computes a fact. That function is also its key, so this file knows no fact by name.

const known = new WeakMap<object, Map<unknown, unknown>>();

/** `find(list)`, computed once per list. Lists are immutable: adding, removing or deforming a body makes a new list. */
export function factOf<L extends object, F>(list: L, find: (list: L) => F): F {
  let facts = known.get(list);
  if (facts === undefined) known.set(list, (facts = new Map()));
  if (!facts.has(find)) facts.set(find, find(list));
  return facts.get(find) as F;
}
