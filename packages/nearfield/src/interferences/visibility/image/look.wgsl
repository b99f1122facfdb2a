// Which look at the scene this is: the only one, a glance, or a close look at what a glance left (layouts.ts).

override look: u32;

/** Where a look counts what it has: a glance by itself, so that room is known for either. */
fn counterAt(counter: u32) -> u32 {
  return select(counter, counter + glanceFragmentsAt - fragmentsAt, look == glanceLook);
}
