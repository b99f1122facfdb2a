// Finds the first pose that is not plainly valid. It makes the same comparisons as `firstUncommon` in math/pose.ts, two
// poses at a time. Products and sums are formed in the same order, so the error bound derived there covers them.

/** 16 doubles per body, column-major. */
export const poseBytes: usize = 128;

/** The first of the poses [first, end) that needs the full check, or the one before it; `end` if there is none. */
export function firstUncommonPose(poses: usize, first: u32, end: u32): u32 {
  let i = first;
  for (; i + 1 < end; i += 2) {
    const p = poses + <usize>i * poseBytes;
    if (!bothPlain(p, p + poseBytes)) return i;
  }
  if (i < end && !bothPlain(poses + <usize>i * poseBytes, poses + <usize>i * poseBytes)) return i;
  return end;
}

function bothPlain(p: usize, q: usize): bool {
  const ax = firsts(p, q, 0);
  const ay = seconds(p, q, 0);
  const az = firsts(p, q, 16);
  const bx = firsts(p, q, 32);
  const by = seconds(p, q, 32);
  const bz = firsts(p, q, 48);
  const cx = firsts(p, q, 64);
  const cy = seconds(p, q, 64);
  const cz = firsts(p, q, 80);
  const x = f64x2.sub(f64x2.mul(by, cz), f64x2.mul(bz, cy));
  const y = f64x2.sub(f64x2.mul(bz, cx), f64x2.mul(bx, cz));
  const z = f64x2.sub(f64x2.mul(bx, cy), f64x2.mul(by, cx));
  const determinant = f64x2.add(f64x2.add(f64x2.mul(ax, x), f64x2.mul(ay, y)), f64x2.mul(az, z));
  let squares = f64x2.add(f64x2.add(f64x2.mul(ax, ax), f64x2.mul(ay, ay)), f64x2.mul(az, az));
  squares = f64x2.add(f64x2.add(squares, f64x2.mul(bx, bx)), f64x2.mul(by, by));
  squares = f64x2.add(f64x2.add(squares, f64x2.mul(bz, bz)), f64x2.mul(cx, cx));
  squares = f64x2.add(f64x2.add(squares, f64x2.mul(cy, cy)), f64x2.mul(cz, cz));
  const cubes = f64x2.mul(f64x2.mul(squares, squares), squares);
  const tx = firsts(p, q, 96);
  const ty = seconds(p, q, 96);
  const tz = firsts(p, q, 112);
  const moved = f64x2.add(f64x2.add(f64x2.mul(tx, tx), f64x2.mul(ty, ty)), f64x2.mul(tz, tz));
  const zero = f64x2.splat(0);
  let plain = f64x2.gt(f64x2.mul(determinant, determinant), f64x2.mul(f64x2.splat(2e-30), cubes));
  plain = v128.and(plain, f64x2.gt(squares, f64x2.splat(1e-60)));
  plain = v128.and(plain, f64x2.lt(squares, f64x2.splat(1e59)));
  plain = v128.and(plain, f64x2.lt(moved, f64x2.splat(1e119)));
  plain = v128.and(plain, f64x2.eq(seconds(p, q, 16), zero));
  plain = v128.and(plain, f64x2.eq(seconds(p, q, 48), zero));
  plain = v128.and(plain, f64x2.eq(seconds(p, q, 80), zero));
  plain = v128.and(plain, f64x2.eq(seconds(p, q, 112), f64x2.splat(1)));
  return i64x2.all_true(plain);
}

/** The double at offset `at` of each of the two poses. */
function firsts(p: usize, q: usize, at: usize): v128 {
  return v128.shuffle<f64>(v128.load(p + at), v128.load(q + at), 0, 2);
}

function seconds(p: usize, q: usize, at: usize): v128 {
  return v128.shuffle<f64>(v128.load(p + at), v128.load(q + at), 1, 3);
}
