// Which look at the scene this is: the only one, a glance, or a close look at what a glance kept (layouts.ts).

override look: u32;

/** The place of a look's counter. A glance has its own, so that the needed capacity is known for both looks. */
fn counterAt(counter: u32) -> u32 {
  return select(counter, counter + glanceFragmentsAt - fragmentsAt, look == glanceLook || look == objectsLook);
}
