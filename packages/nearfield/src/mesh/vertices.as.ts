// Checks in one SIMD pass whether all positions are finite, and finds their box. Four vertices in single precision fill
// three vectors, and so do two vertices in double precision. Every group begins with a vertex, so a lane always has the
// same axis. Minima, maxima and the NaN check are kept per lane and combined at the end.
//
// pmin(a, b) is b if b < a, else a. It is one instruction, and it ignores a NaN in b. NaN is found by being unequal to
// itself; infinities are found in the box.

/** Grows the box, six doubles, by positions in single precision. Returns whether all of them are finite. */
export function boundSingles(at: usize, count: u32, box: usize): bool {
  // Groups may overlap, since reading a vertex twice does no harm. So the last group is as large as the others. If
  // there are too few vertices for one group, the first vertex is repeated.
  for (let v = count; v < 4; v++) memory.copy(at + 12 * <usize>v, at, 12);
  const last = at + 12 * <usize>(max<u32>(count, 4) - 4);
  let lowA = v128.load(last);
  let lowB = v128.load(last, 16);
  let lowC = v128.load(last, 32);
  let highA = lowA;
  let highB = lowB;
  let highC = lowC;
  let same = v128.and(v128.and(f32x4.eq(lowA, lowA), f32x4.eq(lowB, lowB)), f32x4.eq(lowC, lowC));
  for (let p = at; p < last; p += 48) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    lowA = f32x4.pmin(lowA, a);
    lowB = f32x4.pmin(lowB, b);
    lowC = f32x4.pmin(lowC, c);
    highA = f32x4.pmax(highA, a);
    highB = f32x4.pmax(highB, b);
    highC = f32x4.pmax(highC, c);
    same = v128.and(same, v128.and(v128.and(f32x4.eq(a, a), f32x4.eq(b, b)), f32x4.eq(c, c)));
  }
  // x y z x, y z x y, z x y z.
  const low = f32x4.pmin(
    f32x4.pmin(lowA, v128.shuffle<f32>(lowA, lowB, 3, 4, 5, 5)),
    f32x4.pmin(v128.shuffle<f32>(lowB, lowC, 2, 3, 4, 4), v128.shuffle<f32>(lowC, lowC, 1, 2, 3, 3)),
  );
  const high = f32x4.pmax(
    f32x4.pmax(highA, v128.shuffle<f32>(highA, highB, 3, 4, 5, 5)),
    f32x4.pmax(v128.shuffle<f32>(highB, highC, 2, 3, 4, 4), v128.shuffle<f32>(highC, highC, 1, 2, 3, 3)),
  );
  grow(
    box,
    f64x2.promote_low_f32x4(low),
    <f64>f32x4.extract_lane(low, 2),
    f64x2.promote_low_f32x4(high),
    <f64>f32x4.extract_lane(high, 2),
  );
  return i32x4.all_true(same) && isFiniteBox(box);
}

/** As `boundSingles`, for positions in double precision. */
export function boundDoubles(at: usize, count: u32, box: usize): bool {
  for (let v = count; v < 2; v++) memory.copy(at + 24 * <usize>v, at, 24);
  const last = at + 24 * <usize>(max<u32>(count, 2) - 2);
  let lowA = v128.load(last);
  let lowB = v128.load(last, 16);
  let lowC = v128.load(last, 32);
  let highA = lowA;
  let highB = lowB;
  let highC = lowC;
  let same = v128.and(v128.and(f64x2.eq(lowA, lowA), f64x2.eq(lowB, lowB)), f64x2.eq(lowC, lowC));
  for (let p = at; p < last; p += 48) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    lowA = f64x2.pmin(lowA, a);
    lowB = f64x2.pmin(lowB, b);
    lowC = f64x2.pmin(lowC, c);
    highA = f64x2.pmax(highA, a);
    highB = f64x2.pmax(highB, b);
    highC = f64x2.pmax(highC, c);
    same = v128.and(same, v128.and(v128.and(f64x2.eq(a, a), f64x2.eq(b, b)), f64x2.eq(c, c)));
  }
  // x y, z x, y z.
  const lowXy = f64x2.pmin(lowA, v128.shuffle<f64>(lowB, lowC, 1, 2));
  const highXy = f64x2.pmax(highA, v128.shuffle<f64>(highB, highC, 1, 2));
  const lowZ = f64x2.pmin(lowB, v128.shuffle<f64>(lowC, lowC, 1, 1));
  const highZ = f64x2.pmax(highB, v128.shuffle<f64>(highC, highC, 1, 1));
  grow(box, lowXy, f64x2.extract_lane(lowZ, 0), highXy, f64x2.extract_lane(highZ, 0));
  return i64x2.all_true(same) && isFiniteBox(box);
}

/** Grows the box. Zeros are stored without a sign. */
function grow(box: usize, lowXy: v128, lowZ: f64, highXy: v128, highZ: f64): void {
  const zero = f64x2.splat(0);
  v128.store(box, f64x2.add(f64x2.pmin(v128.load(box), lowXy), zero));
  store<f64>(box, min(load<f64>(box, 16), lowZ) + 0, 16);
  const high = box + 24;
  v128.store(high, f64x2.add(f64x2.pmax(v128.load(high), highXy), zero));
  store<f64>(high, max(load<f64>(high, 16), highZ) + 0, 16);
}

function isFiniteBox(box: usize): bool {
  // x − x is zero only for finite x.
  const a = v128.load(box);
  const b = v128.load(box, 16);
  const c = v128.load(box, 32);
  const rest = f64x2.add(f64x2.add(f64x2.sub(a, a), f64x2.sub(b, b)), f64x2.sub(c, c));
  return i64x2.all_true(f64x2.eq(rest, f64x2.splat(0)));
}
