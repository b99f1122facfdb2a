// Paints impacts into the maps of their colliders (Knott, section 3.4): every impact is one texel, into which it is
// scattered by atomics. The result does not depend on the order in which threads run: numbers are counted and added up
// as integers, and the last impact of a texel is found by its time, then by its particle and bounce. So there are four
// stages, each a dispatch over the list of impacts.

struct Paint {
  /** How many impacts, and the word at which their columns begin, of `room` words each. */
  count: u32,
  base: u32,
  room: u32,
  /** 1 if the last impact is the earliest: the window was asked for backwards. */
  backwards: u32,
  /** The window's seconds. */
  span: f32,
  /** Sums are in units of this speed. */
  unitSpeed: f32,
}

@group(0) @binding(0) var<uniform> paint: Paint;
@group(0) @binding(1) var<storage, read> points: array<u32>;
/** Per texel: `cellWords` words (gpu-maps.ts). */
@group(0) @binding(2) var<storage, read_write> cells: array<atomic<u32>>;

/** 0 marks the latest time and adds up, 1 ranks particles of that time, 2 writes the last one's numbers, 3 forgets ranks. */
override stage: u32;

fn columnOf(column: u32, i: u32) -> u32 { return points[paint.base + column * paint.room + i]; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = id.x; i < paint.count; i += groups.x * 64u) {
    let texel = columnOf(texelColumn, i);
    if (texel != noTexel) { paintPoint(i, cellWords * texel); }
  }
}

fn paintPoint(i: u32, cell: u32) {
  let bits = columnOf(timeColumn, i);
  // Times are at least 0, so their bits are in the order of the times. 0 means that there is none.
  let time = select(bits + 1u, 0x80000000u - bits, paint.backwards == 1u);
  let particle = (columnOf(particleColumn, i) << 6u) | min(columnOf(bounceColumn, i), 63u);
  let who = select(particle, ~particle, paint.backwards == 1u);
  if (stage == 0u) {
    atomicAdd(&cells[cell + countCell], 1u);
    addUp(cell, bitcast<f32>(columnOf(valueColumn, i)) / paint.unitSpeed);
    atomicMax(&cells[cell + timeRankCell], time);
  } else if (stage == 3u) {
    atomicStore(&cells[cell + timeRankCell], 0u);
    atomicStore(&cells[cell + whoRankCell], 0u);
  } else if (atomicLoad(&cells[cell + timeRankCell]) == time) {
    if (stage == 1u) {
      atomicMax(&cells[cell + whoRankCell], who);
    } else if (atomicLoad(&cells[cell + whoRankCell]) == who) {
      let since = bitcast<f32>(bits);
      let shown = select(since, max(paint.span - since, 0.0), paint.backwards == 1u);
      atomicStore(&cells[cell + timeCell], bitcast<u32>(shown));
      atomicStore(&cells[cell + valueCell], columnOf(valueColumn, i));
    }
  }
}

/** Adds to a sum of 64 bits, 32 of them a fraction: a float below 2^32 is cut off at 2^−32 of the unit. */
fn addUp(cell: u32, value: f32) {
  let bounded = clamp(value, 0.0, 0x1.fffffep31);
  let whole = u32(bounded);
  let fraction = u32((bounded - f32(whole)) * 0x1p32);
  let before = atomicAdd(&cells[cell + sumLowCell], fraction);
  let carry = select(0u, 1u, before + fraction < before);
  atomicAdd(&cells[cell + sumHighCell], whole + carry);
}
