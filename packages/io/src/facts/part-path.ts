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
  const path: string[] = [];
  for (let at: PartName | undefined = part; at && path.length < longestPath; at = at.parent)
    path.push(at.name);
  return path.reverse();
}
