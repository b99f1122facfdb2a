// Every leaf of a tree walks the other tree: consecutive work items are the parts of one leaf's walk.

fn walkOf(candidate: u32, share: u32) -> Walk {
  let parts = 1u << frames[candidate].halvings;
  return Walk(candidate, share / parts, parts + share % parts);
}
