// Triangles of placed bodies, numbered through: those of a body follow each other in the order of its tree's leaves.

struct Instance {
  body: u32,
  /** Which views have seen it overlap another body, and whether it is still among those that may. */
  flags: atomic<u32>,
}
