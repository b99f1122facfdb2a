// Triangles of different bodies are never neighbours.

fn testNeighbours(candidate: u32, a: array<vec4i, 3>, b: array<vec4i, 3>) -> u32 {
  return notNeighbours;
}
