// Classifies each pixel (cases.ts). A thread takes four, so that one word holds their cases. Pixels that counting does
// not decide are listed, with the box around them, to be put in order. Pixels whose lines single precision cannot
// follow are listed to be cast.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> layersA: array<u32>;
@group(0) @binding(4) var<storage, read> layersB: array<u32>;
@group(0) @binding(5) var<storage, read_write> layerState: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> cases: array<u32>;
@group(0) @binding(7) var<storage, read_write> marked: array<u32>;

const neitherCase = 0u;
const onlyACase = 7u;
const onlyBCase = 8u;
const meetsCase = 9u;
const clearCase = 10u;
const leftOutCase = 11u;
/** Not a case: the pixel's layers have to be put in order. */
const toOrder = 12u;

var<workgroup> sums: array<atomic<u32>, 6>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) thread: u32) {
  var word = 0u;
  for (var i = 0u; i < 4u; i++) {
    let pixel = 4u * id.x + i;
    if (pixel >= raster.pixelCount) { break; }
    word |= decide(pixel) << (8u * i);
  }
  if (4u * id.x < raster.pixelCount) { cases[id.x] = word; }
  workgroupBarrier();
  if (thread < 6u) {
    let sum = atomicLoad(&sums[thread]);
    if (sum > 0u && thread < 5u) { atomicAdd(&layerState[overlappedState + thread], sum); }
    if (sum > 0u && thread == 5u) { atomicMax(&layerState[mostLayersState], sum); }
  }
}

/** Increments one of the counters that `layerState` holds from `overlappedState` on. */
fn count(what: u32) { atomicAdd(&sums[what - overlappedState], 1u); }

fn decide(pixel: u32) -> u32 {
  let a = mapWords * pixel;
  let b = testWords * pixel;
  if ((layersA[a + unsureWord] | layersB[b + unsureWord]) != 0u) {
    atomicAdd(&layerState[unsureState], 1u);
    marked[atomicAdd(&layerState[markedState], 1u)] = pixel | castBit;
    return neitherCase;
  }
  let countA = layersA[a + countWord];
  let countB = layersB[b + countWord];
  if (countA == 0u) { return select(onlyBCase, neitherCase, countB == 0u); }
  if (countB == 0u) { return onlyACase; }
  count(overlappedState);
  atomicMax(&sums[5], countA + countB);
  if (countA == 2u) { count(convexAState); }
  if (countB == 2u) { count(convexBState); }
  let found = decideBoth(b, countA, countB);
  if (found != toOrder) { return found; }
  if (countA != 2u && countB == 2u) { count(exchangeState); }
  marked[atomicAdd(&layerState[markedState], 1u)] = pixel;
  let place = vec2u(pixel % tiles[0].columns, pixel / tiles[0].columns);
  atomicMax(&layerState[leftState], ~place.x);
  atomicMax(&layerState[lowState], ~place.y);
  atomicMax(&layerState[rightState], place.x);
  atomicMax(&layerState[highState], place.y);
  return neitherCase;
}

/** For a line that meets both bodies: a case, or `toOrder`. */
fn decideBoth(b: u32, countA: u32, countB: u32) -> u32 {
  let passes2 = layersB[b + passes2Word];
  let passes3 = layersB[b + passes3Word];
  let convex = countA == 2u && countB == 2u;
  if (layering.algorithm == convexAlgorithm && !convex) { return leftOutCase; }
  if (layering.algorithm == generalAlgorithm || layersB[b + nearWord] != 0u) { return toOrder; }
  if (passes2 > 0u && layersB[b + winding2Word] == 0u) { count(secondState); }
  if (layering.algorithm == simplifiedAlgorithm) {
    // Three planes: overlapped, and odd or even. Zero layers passing test (2) is even as well, so it cannot be told
    // apart.
    if (((passes2 | passes3) & 1u) == 1u) { return select(meetsCase, letterOf(passes2, passes3), convex); }
    return toOrder;
  }
  if (convex) { return letterOf(passes2, passes3); }
  if (passes2 == 0u) { return clearCase; }
  // If the body does not overlap itself, this means odd counts: A's end lies in B.
  if (layersB[b + winding2Word] != 0u || layersB[b + winding3Word] != 0u) { return meetsCase; }
  if (passes2 == passes3) { return clearCase; }
  return select(toOrder, meetsCase, countA == 2u);
}

/** Cases a to f, 1 to 6 (cases.ts). */
fn letterOf(passes2: u32, passes3: u32) -> u32 {
  if (passes2 == 0u) { return 1u; }
  return select(4u + passes3, 2u + passes3, passes2 == 1u);
}
