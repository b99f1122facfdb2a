// Which new contact is the same as one of the previous step? The one with most of its triangles in common.

interface Identified {
  readonly id: number;
  readonly point: ArrayLike<number>;
  readonly trianglesA: Uint32Array;
  readonly trianglesB: Uint32Array;
}

/**
 * Ids for new contacts. Every new contact is compared with every previous one: by the number of common triangles over
 * the number in either, added up for A and B; equal shares by the distance of their points. The best match takes the
 * id, then the next best of the rest. A contact without a match gets an id that no contact had before.
 */
export function identify(
  contacts: readonly Omit<Identified, 'id'>[],
  previous: readonly Identified[],
  nextId: number,
): { ids: number[]; nextId: number } {
  const matches: { contact: number; other: number; share: number; distance: number }[] = [];
  contacts.forEach((contact, i) => {
    previous.forEach((before, j) => {
      const share =
        commonShare(contact.trianglesA, before.trianglesA) +
        commonShare(contact.trianglesB, before.trianglesB);
      if (share === 0) return;
      const distance = Math.hypot(...[0, 1, 2].map(axis => contact.point[axis] - before.point[axis]));
      matches.push({ contact: i, other: j, share, distance });
    });
  });
  matches.sort(
    (m, n) => n.share - m.share || m.distance - n.distance || m.contact - n.contact || m.other - n.other,
  );
  const ids: number[] = contacts.map(() => -1);
  const taken = new Set<number>();
  for (const { contact, other } of matches) {
    if (ids[contact] >= 0 || taken.has(other)) continue;
    ids[contact] = previous[other].id;
    taken.add(other);
  }
  return { ids: ids.map(id => (id >= 0 ? id : nextId++)), nextId };
}

/** How many numbers are in both of two ascending lists, divided by how many are in either. */
function commonShare(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) common++;
    if (a[i] <= b[j]) {
      const x = a[i];
      i++;
      if (x === b[j]) j++;
    } else j++;
  }
  const either = a.length + b.length - common;
  return either === 0 ? 0 : common / either;
}
