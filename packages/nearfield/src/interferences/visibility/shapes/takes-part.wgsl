// Which triangles are shown in a view of a round. Views follow one another: what one shows clear of all other bodies is
// not shown in the next.

struct Drawing {
  /** The axis of the view, and the round. */
  view: u32,
  round: u32,
}

/** The flag of a query that passed in this view. */
fn passedFlag() -> u32 {
  return 1u << (8u * drawing.round + drawing.view);
}

/** Whether a triangle with these flags was not culled before this view, by any round or view. */
fn takesPart(flags: u32, bodyFlags: u32) -> bool {
  let before = ((1u << drawing.view) - 1u) << (8u * drawing.round);
  if (drawing.round == 0u) { return (bodyFlags & (askedFlag | before)) == (askedFlag | before); }
  if ((flags & before) != before) { return false; }
  if (drawing.round > 1u) { return sawOverlap(flags, drawing.round - 1u); }
  return (flags & askedFlag) != 0u && sawOverlap(bodyFlags, 0u);
}
