// Where does a part hang in the structure of its file? A list of names from the root down, kept as links to the parent
// while a tree is walked, so that a deep tree takes no more memory than its nodes.

/** A part and the parts that it belongs to. */
export interface PartName {
  readonly name: string;
  readonly parent: PartName | undefined;
}

/** Structures that people build are less deep. A deeper part gets the names next to it. */
const longestPath = 64;

/** The names from the root down to `part`; if there are more than 64, the last 64. */
export function pathOf(part: PartName): string[] {
  let length = 0;
  for (let at: PartName | undefined = part; at && length < longestPath; at = at.parent) length++;
  // An array that grows has room for 17 names, and there may be a million bodies.
  const path = new Array<string>(length);
  for (let at: PartName | undefined = part; at && length > 0; at = at.parent) path[--length] = at.name;
  return path;
}
