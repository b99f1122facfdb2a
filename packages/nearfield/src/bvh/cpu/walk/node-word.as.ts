// A node of a tree as one word: its level in the upper 4 bits, and its index in the level in the lower 28. Level 0 is the
// root, whose word is 0. Leaves are the last level; a walk may use the one after it for triangles.

/** Where the level begins, for TypeScript. */
export const levelShift: u32 = 28;

export function nodeWord(level: u32, index: u32): u32 {
  return (level << levelShift) | index;
}

export function levelOf(node: u32): u32 {
  return node >> levelShift;
}

export function indexOf(node: u32): u32 {
  return node & 0xfffffff;
}

/** The first child of a node that is no leaf. The words of its other three follow. */
export function firstChild(level: u32, index: u32): u32 {
  return nodeWord(level + 1, index << 2);
}
