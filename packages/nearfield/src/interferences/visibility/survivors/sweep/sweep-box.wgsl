// The box of a surviving triangle as a sweep sees it, and the key that it is sorted by.

struct SweepBox {
  /** Along the two axes beside the sweep's. */
  low: vec2f,
  high: vec2f,
  /** The first and the last step along the sweep. */
  begin: u32,
  end: u32,
}

/** A body, and a step along the sweep below it. There are as many steps as there are depths. */
fn sweepKey(body: u32, step: u32) -> u32 {
  return body * (u32(culling.depthSteps) + 1u) + step;
}

fn bodyOfKey(key: u32) -> u32 {
  return key / (u32(culling.depthSteps) + 1u);
}
