// Ordered layers (Myszkowski et al., section 6): a thread takes a marked pixel, sorts its list and
// follows it from front to back.
// The pixel's sequence is one bit per layer, 0 for A and 1 for B. The bodies meet if both winding numbers are nonzero
// over a stretch longer than the error of two depths. For solids that do not overlap themselves this means: some run of
// one body's layers is odd. If a layer at which one body is entered is directly followed by one at which the other is
// left, nearer than that error, the two count as touching. Any other common stretch may be real, however short it is:
// such a line is cast.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> layering: LayersQuestion;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read_write> heads: array<u32>;
@group(0) @binding(4) var<storage, read_write> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> rasterState: array<u32>;
@group(0) @binding(6) var<storage, read> marked: array<u32>;
/** One word per marked pixel: twice the number of layers, plus 1 if the bodies meet. */
@group(0) @binding(7) var<storage, read_write> ordered: array<u32>;
@group(0) @binding(8) var<storage, read_write> sequences: array<u32>;
/** The number of steps of sorting, in two words. */
@group(0) @binding(9) var<storage, read_write> sortSteps: array<atomic<u32>>;

/** Marks a pixel whose line has to be cast. */
const undecided = 0xffffffffu;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= layering.markedCount) { return; }
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  if ((marked[i] & castBit) != 0u) { return; }
  let column = marked[i] % layering.columns - layering.firstColumn;
  let row = marked[i] / layering.columns - layering.firstRow;
  let pixel = row * tiles[0].columns + column;
  if (isUnsure(pixel)) {
    ordered[i] = undecided;
    return;
  }
  let least = 2.0 * (bitcast<f32>(rasterState[errorAt]) + layering.noise) * f32(1u << tiles[0].cellBits);
  countSteps(sortList(pixel));
  var count = 0u;
  var bits = 0u;
  var winding = vec2i(0);
  var start = 0;
  var meets = 0u;
  var isOpen = false;
  var startCount = 0u;
  var startSide = 2u;
  for (var at = firstOf(pixel); at != noFragment; at = nextOf(at)) {
    let side = sideOfFragment(at);
    let wasCommon = all(winding != vec2i(0));
    winding[side] += stepOfFragment(at);
    let isCommon = all(winding != vec2i(0));
    let depth = depthOfFragment(at);
    if (isCommon && !wasCommon) {
      start = depth;
      startCount = count;
      startSide = side;
    }
    if (wasCommon && !isCommon) {
      if (f32(depth - start) > least) { meets = 1u; }
      else if (startSide == side || count != startCount + 1u) { isOpen = true; }
    }
    bits |= side << (count % 32u);
    count++;
    if (count % 32u == 0u) {
      store(i, count / 32u - 1u, bits);
      bits = 0u;
    }
  }
  if (count % 32u != 0u) { store(i, count / 32u, bits); }
  ordered[i] = select(2u * count + meets, undecided, isOpen && meets == 0u);
}

fn countSteps(more: u32) {
  let before = atomicAdd(&sortSteps[0], more);
  if (before + more < before) { atomicAdd(&sortSteps[1], 1u); }
}

/** Words beyond the capacity are dropped: the pixels are ordered again with a larger one. */
fn store(i: u32, word: u32, bits: u32) {
  if (word < layering.sequenceWords) { sequences[i * layering.sequenceWords + word] = bits; }
}
