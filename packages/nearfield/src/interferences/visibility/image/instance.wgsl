// Triangles of placed bodies, numbered consecutively: body by body, each body's in the order of its tree's leaves.

struct Instance {
  owner: u32,
  /** The views that saw it overlap another owner, per round; and whether it lies where its body may meet others. */
  flags: atomic<u32>,
}
