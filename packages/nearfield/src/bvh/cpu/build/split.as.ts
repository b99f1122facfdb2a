// Orders points by median splits, for the balanced tree: a range of points is cut across the longest side of its
// bounds where the tree's shape cuts it, and the parts likewise, down to leaves of four. No sort: selection suffices.

/** Points are four words: x, y, z as floats and a value that goes with them. */
export const pointBytes: usize = 16;
const sampleCount: u32 = 64;
/** Bytes of points from which on pivots are taken at random places. */
const manyPoints: usize = 64 * pointBytes;
/** Bytes that must be free behind the points. */
export const sampleBytes: usize = 4 * <usize>sampleCount;

/** Orders `count` points at `points` so that every four, sixteen, sixty-four … in a row lie close together. */
export function splitPoints(points: usize, count: u32): void {
  let capacity: u32 = 4;
  while (capacity < count) capacity <<= 2;
  splitNode(points, count, capacity >> 2, points + <usize>count * pointBytes);
}

/**
 * A step of the same: what one node holds, `count` points at `points`, among its children, which hold `capacity` each, and with
 * `deep` what each of those holds in turn. `sample` is behind all points.
 */
export function splitStep(points: usize, count: u32, capacity: u32, sample: usize, deep: bool): void {
  if (deep) splitNode(points, count, capacity, sample);
  else splitAmong(points, count, capacity, sample);
}

/** Splits what one node holds among its children, which hold `capacity` points each. */
function splitNode(points: usize, count: u32, capacity: u32, sample: usize): void {
  while (count <= capacity && capacity > 4) capacity >>= 2;
  if (count <= capacity || capacity < 4) return;
  splitAmong(points, count, capacity, sample);
  for (let first: u32 = 0; first < count; first += capacity) {
    splitNode(points + <usize>first * pointBytes, min(capacity, count - first), capacity >> 2, sample);
  }
}

/** Brings the points of each child, `capacity` of them, together: in halves, then in quarters. */
function splitAmong(points: usize, count: u32, capacity: u32, sample: usize): void {
  if (count <= capacity) return;
  const children = (count + capacity - 1) / capacity;
  const left = ((children + 1) >> 1) * capacity;
  select(points, count, left, sample);
  if (left > capacity) select(points, left, capacity, sample);
  const rest = count - left;
  if (rest > capacity) select(points + <usize>left * pointBytes, rest, capacity, sample);
}

/** Puts the `left` points that are least along the longest axis first. */
function select(points: usize, count: u32, left: u32, sample: usize): void {
  const end = points + <usize>count * pointBytes;
  let least = v128.load(points);
  let most = least;
  for (let p = points + pointBytes; p < end; p += pointBytes) {
    const point = v128.load(p);
    least = f32x4.pmin(least, point);
    most = f32x4.pmax(most, point);
  }
  const extent = f32x4.sub(most, least);
  const x = f32x4.extract_lane(extent, 0);
  const y = f32x4.extract_lane(extent, 1);
  const z = f32x4.extract_lane(extent, 2);
  const axis: usize = x >= y ? (x >= z ? 0 : 8) : y >= z ? 4 : 8;
  let low = points;
  let high = end;
  const target = points + <usize>left * pointBytes;
  // Ranges too long to cache pay for a better pivot: two that bracket the target closely (Floyd & Rivest 1975), found in
  // a sample, leave little to search after one pass and a half.
  if (count > 1024) {
    takeSample(points, count, axis, sample);
    const wanted = <i32>((<f64>left / <f64>count) * <f64>sampleCount);
    const below = load<f32>(sample + ((<usize>max(0, wanted - 5)) << 2));
    const above = load<f32>(sample + ((<usize>min(<i32>sampleCount - 1, wanted + 5)) << 2));
    const first = partition(low, high, axis, below);
    if (first <= target) {
      low = first;
      const second = partition(low, high, axis, above);
      if (second > target) high = second;
      else low = second;
    } else {
      high = first;
    }
  }
  let seed: u32 = 0x9e3779b9;
  while (high - low > pointBytes) {
    const last = high - pointBytes;
    let p = low;
    let q = low + (((last - low) >> 5) << 4);
    let r = last;
    // For fixed places there are orders of points, falling or rising and falling, of which every pass sets aside but a few.
    if (high - low > manyPoints) {
      const many = <u64>((high - low) >> 4);
      seed = seed * 1664525 + 1013904223;
      p = low + ((<usize>((many * seed) >> 32)) << 4);
      seed = seed * 1664525 + 1013904223;
      q = low + ((<usize>((many * seed) >> 32)) << 4);
      seed = seed * 1664525 + 1013904223;
      r = low + ((<usize>((many * seed) >> 32)) << 4);
    }
    const a = load<f32>(p + axis);
    const b = load<f32>(q + axis);
    const c = load<f32>(r + axis);
    const pivot = max(min(a, b), min(max(a, b), c));
    const cut = partition(low, high, axis, pivot);
    if (cut > target) {
      high = cut;
    } else if (cut > low) {
      low = cut;
    } else {
      // Nothing lies below the pivot: set those equal to it aside.
      low = partitionEqual(low, high, axis, pivot);
      if (low > target) return;
    }
  }
}

/** Brings the points below the pivot to the front; returns where the others start. No branch depends on a key. */
function partition(low: usize, high: usize, axis: usize, pivot: f32): usize {
  let cut = low;
  for (let p = low; p < high; p += pointBytes) {
    const point = v128.load(p);
    const below = load<f32>(p + axis) < pivot;
    v128.store(p, v128.load(cut));
    v128.store(cut, point);
    cut += (<usize>below) << 4;
  }
  return cut;
}

function partitionEqual(low: usize, high: usize, axis: usize, pivot: f32): usize {
  let cut = low;
  for (let p = low; p < high; p += pointBytes) {
    const point = v128.load(p);
    const within = load<f32>(p + axis) <= pivot;
    v128.store(p, v128.load(cut));
    v128.store(cut, point);
    cut += (<usize>within) << 4;
  }
  return cut;
}

/** Keys of evenly chosen points, sorted, in the sample space. */
function takeSample(points: usize, count: u32, axis: usize, sample: usize): void {
  const step = <usize>(count / sampleCount) * pointBytes;
  for (let i: usize = 0; i < sampleCount; i++) {
    const key = load<f32>(points + i * step + axis);
    let at = sample + (i << 2);
    for (; at > sample && load<f32>(at - 4) > key; at -= 4) store<f32>(at, load<f32>(at - 4));
    store<f32>(at, key);
  }
}
