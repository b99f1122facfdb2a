// Triangles of placed bodies, numbered through: those of a body follow each other in the order of its tree's leaves.

struct Instance {
  owner: u32,
  /** In which rounds which views have seen it overlap another owner, and whether it is where it may. */
  flags: atomic<u32>,
}
