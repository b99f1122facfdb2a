// Converts poses that an application has on the GPU, in single precision, to the doubles of the body table. Each single
// is a double, so its bits are moved to where a double has them. Every pose is checked on the way, and facts about all
// of them are collected for the CPU: whether each is plainly a pose, how far they reach, how large they are.

struct Extent {
  /** Words from one pose to the next. */
  stride: u32,
  count: u32,
}

@group(0) @binding(0) var<uniform> extent: Extent;
@group(0) @binding(1) var<storage, read> appPoses: array<u32>;
/** Two words per number, the low one first. */
@group(0) @binding(2) var<storage, read_write> poses: array<vec2u>;
/**
 * Zero before: 1 if some pose is not plain; the largest x, y, z as encoded by `ordered`; the smallest, with all bits
 * inverted; the largest exponent of an entry, in its place in a single.
 */
@group(0) @binding(3) var<storage, read_write> poseFacts: array<atomic<u32>>;

const factCount = 8u;
var<workgroup> facts: array<atomic<u32>, 8>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  if (thread < factCount) { atomicStore(&facts[thread], 0u); }
  workgroupBarrier();
  for (var number = id.x; number < extent.count; number += 64u * groups.x) { convertPose(number); }
  workgroupBarrier();
  if (thread < factCount) { atomicMax(&poseFacts[thread], atomicLoad(&facts[thread])); }
}

fn convertPose(number: u32) {
  let source = number * extent.stride;
  var linear: array<u32, 9>;
  var plain = true;
  var largestExponent = 0u;
  for (var column = 0u; column < 4u; column++) {
    for (var row = 0u; row < 4u; row++) {
      let k = 4u * column + row;
      let bits = appPoses[source + k];
      let exponent = (bits >> 23u) & 0xffu;
      // Neither infinite nor NaN, and not below the smallest normal number, whose bits are encoded differently.
      plain = plain && exponent != 0xffu && (exponent != 0u || (bits << 1u) == 0u);
      poses[16u * number + k] = doubleOf(bits);
      if (row == 3u) {
        plain = plain && select((bits << 1u) == 0u, bits == 0x3f800000u, column == 3u);
      } else if (column < 3u) {
        linear[3u * column + row] = bits;
        largestExponent = max(largestExponent, exponent);
      } else {
        atomicMax(&facts[1u + row], ordered(bits));
        atomicMax(&facts[4u + row], ~ordered(bits));
      }
    }
  }
  // Linear parts below 2^60: far from where anything overflows.
  plain = plain && largestExponent < 187u && isRegular(&linear);
  if (!plain) {
    atomicMax(&facts[0], 1u);
    // The question will be repeated. Until then the body is left out (place-body.wgsl), so that no whole tree is walked
    // with a matrix that may be all zeros.
    poses[16u * number + 15u] = vec2u(0u);
  }
  atomicMax(&facts[7], largestExponent);
}

/** The bits of the double equal to a single. For a single that is not plain, the result is arbitrary. */
fn doubleOf(bits: u32) -> vec2u {
  let sign = bits & 0x80000000u;
  if ((bits << 1u) == 0u) { return vec2u(0u, sign); }
  let exponent = ((bits >> 23u) & 0xffu) + 896u;
  return vec2u(bits << 29u, sign | (exponent << 20u) | ((bits & 0x7fffffu) >> 3u));
}

/** Maps a number to bits that sort like the numbers. */
fn ordered(bits: u32) -> u32 {
  return bits ^ select(0x80000000u, 0xffffffffu, (bits >> 31u) == 1u);
}

/**
 * Whether the linear part is certainly not singular and its columns are at least 2^−60. Each column is divided by a
 * power of two, so that rods and plates, which are stretched by their poses, count as regular: its entries are then
 * below 2, and the largest is at least 1. With an ulp for every operation, a product of two is off by at most 2^−22, a
 * difference of two products by 2·2^−22 + 2^−21 = 2^−20, each of three products of that with an entry by 2^−19 + 2^−20,
 * and their sum by 4.5·2^−19 + 2·2^−18 < 2^−15. Underflow, and zeros, which become 2^−68 at most, add less than 2^−60.
 */
fn isRegular(linear: ptr<function, array<u32, 9>>) -> bool {
  var m: array<f32, 9>;
  for (var column = 0u; column < 9u; column += 3u) {
    var largest = 0u;
    for (var i = column; i < column + 3u; i++) { largest = max(largest, ((*linear)[i] >> 23u) & 0xffu); }
    if (largest < 68u) { return false; }
    for (var i = column; i < column + 3u; i++) {
      let exponent = i32(((*linear)[i] >> 23u) & 0xffu) - i32(largest) + 127;
      // A value below 2^−100 counts as zero.
      let scaled = ((*linear)[i] & 0x807fffffu) | (u32(max(exponent, 0)) << 23u);
      m[i] = select(0.0, bitcast<f32>(scaled), exponent > 27);
    }
  }
  let determinant = m[0] * (m[4] * m[8] - m[5] * m[7])
    + m[1] * (m[5] * m[6] - m[3] * m[8])
    + m[2] * (m[3] * m[7] - m[4] * m[6]);
  return abs(determinant) > 0x1p-14;
}
