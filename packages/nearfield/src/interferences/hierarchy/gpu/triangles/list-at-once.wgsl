// Lists certain pairs one by one, as they are found.

fn listCertain(candidate: u32, triangleA: u32, triangleB: u32) {
  listOne(candidate, triangleA, triangleB);
}
