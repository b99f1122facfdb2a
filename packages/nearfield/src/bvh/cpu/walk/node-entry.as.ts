// Entries of a stack of nodes, for walks that visit the most promising node first.

@unmanaged
export class NodeEntry {
  /** As in node-word.as.ts. */
  node: u32;
  /** How promising it is: a squared distance, or how far it reaches. */
  key: f32;
}

export const nodeEntryBytes: usize = offsetof<NodeEntry>();

/** Writes an entry at `top`. Returns the new top. */
export function pushNode(top: usize, node: u32, key: f32): usize {
  const entry = changetype<NodeEntry>(top);
  entry.node = node;
  entry.key = key;
  return top + nodeEntryBytes;
}
