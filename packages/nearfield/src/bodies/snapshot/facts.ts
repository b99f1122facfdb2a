// Facts about the bodies of a snapshot that are found once and kept with it. Whoever asks for a fact says how it is found; that function is
// its key, so that this file knows none of them.

const known = new WeakMap<object, Map<unknown, unknown>>();

/** The fact that `find` finds of a list, found once. A list never changes: bodies that come, go or deform make another. */
export function factOf<L extends object, F>(list: L, find: (list: L) => F): F {
  let facts = known.get(list);
  if (facts === undefined) known.set(list, (facts = new Map()));
  if (!facts.has(find)) facts.set(find, find(list));
  return facts.get(find) as F;
}
