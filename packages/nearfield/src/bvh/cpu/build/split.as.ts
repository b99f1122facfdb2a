// Orders points by median splits, for the balanced tree. A range of points is split along the longest side of its
// bounds, at the rank that the tree's shape requires, and so are its parts, down to leaves of four. Selection suffices;
// no sort is needed.

@unmanaged
export class SplitPoint {
  x: f32;
  y: f32;
  z: f32;
  /** What moves with it. */
  value: u32;
}

export const pointBytes: usize = offsetof<SplitPoint>();
const sampleCount: u32 = 64;
/** From this many bytes of points on, pivots are taken at random places. */
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
 * One step of that: splits one node's `count` points at `points` among its children of `capacity` points each; with
 * `deep`, also splits the children recursively. `sample` is behind all points.
 */
export function splitStep(points: usize, count: u32, capacity: u32, sample: usize, deep: bool): void {
  if (deep) splitNode(points, count, capacity, sample);
  else splitAmong(points, count, capacity, sample);
}

/** Splits one node's points among its children of `capacity` points each, recursively. */
function splitNode(points: usize, count: u32, capacity: u32, sample: usize): void {
  while (count <= capacity && capacity > 4) capacity >>= 2;
  if (count <= capacity || capacity < 4) return;
  splitAmong(points, count, capacity, sample);
  for (let first: u32 = 0; first < count; first += capacity) {
    splitNode(points + <usize>first * pointBytes, min(capacity, count - first), capacity >> 2, sample);
  }
}

/** Groups the points by child, `capacity` points per child: first in halves, then in quarters. */
function splitAmong(points: usize, count: u32, capacity: u32, sample: usize): void {
  if (count <= capacity) return;
  const children = (count + capacity - 1) / capacity;
  const left = ((children + 1) >> 1) * capacity;
  select(points, count, left, sample);
  if (left > capacity) select(points, left, capacity, sample);
  const rest = count - left;
  if (rest > capacity) select(points + <usize>left * pointBytes, rest, capacity, sample);
}

/** Moves the `left` smallest points along the longest axis to the front. */
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
  // For ranges too long for the cache, better pivots pay off: two pivots from a sample that bracket the target closely
  // (Floyd & Rivest 1975) leave little to search after one and a half passes.
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
    // With pivots at fixed places, some orders of points (falling, or rising and falling) are bad: every pass excludes
    // only a few points.
    if (high - low > manyPoints) {
      const pointCount = <u64>((high - low) >> 4);
      seed = seed * 1664525 + 1013904223;
      p = low + ((<usize>((pointCount * seed) >> 32)) << 4);
      seed = seed * 1664525 + 1013904223;
      q = low + ((<usize>((pointCount * seed) >> 32)) << 4);
      seed = seed * 1664525 + 1013904223;
      r = low + ((<usize>((pointCount * seed) >> 32)) << 4);
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
      // No point lies below the pivot: exclude those equal to it.
      low = partitionEqual(low, high, axis, pivot);
      if (low > target) return;
    }
  }
}

/** Moves the points below the pivot to the front. Returns where the others start. No branch depends on a key. */
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

/** Writes the sorted keys of evenly spaced points to the sample memory. */
function takeSample(points: usize, count: u32, axis: usize, sample: usize): void {
  const step = <usize>(count / sampleCount) * pointBytes;
  for (let i: usize = 0; i < sampleCount; i++) {
    const key = load<f32>(points + i * step + axis);
    let at = sample + (i << 2);
    for (; at > sample && load<f32>(at - 4) > key; at -= 4) store<f32>(at, load<f32>(at - 4));
    store<f32>(at, key);
  }
}
