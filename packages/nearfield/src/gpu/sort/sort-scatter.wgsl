// Radix sort, second half of a pass: moves every key and its value to its place, and keeps equal digits in order.
//
// The sort has several passes by design: single-pass sorts wait for other workgroups, which WebGPU does not promise
// to run. Each block sums for itself where each of its digits starts: from the counts of all rows of blocks, and of
// the blocks before it in its own row (256 at a time, read in step by 256 threads). That costs less than the
// dispatches of a separate scan. Rank within a tile of 256 keys: each digit has 256 bits, one per thread; the set
// bits below a thread's own count the equal digits before it.

@group(0) @binding(0) var<uniform> sortPass: SortPass;
@group(0) @binding(1) var<storage, read> pairsIn: array<vec2u>;
@group(0) @binding(2) var<storage, read> blockCounts: array<u32>;
@group(0) @binding(3) var<storage, read> rowCounts: array<u32>;
@group(0) @binding(4) var<storage, read_write> pairsOut: array<vec2u>;

/** Indexed by word, then by digit, so that neighbouring threads use different banks. All zeros between tiles. */
var<workgroup> digitMasks: array<atomic<u32>, 2048>;
var<workgroup> digitStarts: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3u) {
  let turn = (sortPass.shift / 8u) % 2u;
  let rows = (sortPass.blocks + blocksPerRow - 1u) / blocksPerRow;
  let ownRow = group.x / blocksPerRow;
  var before = 0u;
  var total = 0u;
  // Eight loads at a time, so that they are waited for together.
  for (var first = 0u; first < rows; first += 8u) {
    for (var i = 0u; i < 8u; i++) {
      let row = first + i;
      let count = select(0u, rowCounts[(turn * mostRows + row) * 256u + thread], row < rows);
      before += select(0u, count, row < ownRow);
      total += count;
    }
  }
  for (var first = ownRow * blocksPerRow; first < group.x; first += 8u) {
    for (var i = 0u; i < 8u; i++) {
      let block = first + i;
      before += select(0u, blockCounts[block * 256u + thread], block < group.x);
    }
  }
  digitStarts[thread] = scanWorkgroup(thread, total).before + before;
  workgroupBarrier();

  let first = group.x * sortPass.perBlock;
  let end = min(first + sortPass.perBlock, sortPass.count);
  let word = thread / 32u;
  let bit = 1u << (thread % 32u);
  for (var tile = first; tile < end; tile += 256u) {
    let index = tile + thread;
    let present = index < end;
    var pair = vec2u(0u);
    var digit = 0u;
    if (present) {
      pair = pairsIn[index];
      digit = (pair.x >> sortPass.shift) & 255u;
      atomicOr(&digitMasks[word * 256u + digit], bit);
    }
    workgroupBarrier();
    if (present) {
      var rank = countOneBits(atomicLoad(&digitMasks[word * 256u + digit]) & (bit - 1u));
      for (var i = 0u; i < word; i++) { rank += countOneBits(atomicLoad(&digitMasks[i * 256u + digit])); }
      pairsOut[digitStarts[digit] + rank] = pair;
    }
    workgroupBarrier();
    var used = 0u;
    for (var i = 0u; i < 8u; i++) {
      used += countOneBits(atomicLoad(&digitMasks[i * 256u + thread]));
      atomicStore(&digitMasks[i * 256u + thread], 0u);
    }
    digitStarts[thread] += used;
    workgroupBarrier();
  }
}
