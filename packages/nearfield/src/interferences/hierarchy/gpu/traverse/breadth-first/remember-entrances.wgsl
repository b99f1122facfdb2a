// Chooses the level at which each pair's trees are entered next time, from how many node pairs overlapped at the
// level where they were entered now.
//
// Let level L have E(L) node pairs, of which o(L) overlap. Entering at L costs E(L) box tests, and those below.
// Entering one level lower costs E(L + 1) in place of E(L) and of the children of the pairs that overlap, on average
// o(L)·E(L + 1)/E(L): fewer if E(L + 1)·(1 − o(L)/E(L)) < E(L). Entering one level higher costs E(L − 1) and the
// children of the pairs that overlap there, in place of E(L). How many overlap there is not known. If it is o(L), so
// that each of them has one child that overlaps, the cost is less if E(L − 1) + o(L)·E(L)/E(L − 1) < E(L). In full
// trees the level goes down if more than 3/4 overlap, up if less than 3/16 do, and stays in between. It moves by at
// most one per question, since motion is smooth.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> frames: array<Frame>;
@group(0) @binding(3) var<storage, read> candidates: array<vec2u>;
@group(0) @binding(4) var<storage, read> results: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let count = min(results[candidatesAt], min(arrayLength(&frames), arrayLength(&entered) / 2u));
  for (var candidate = id.x; candidate < count; candidate += groups.x * 64u) {
    let level = atomicLoad(&entered[2u * candidate]);
    if (level == notEntered) { continue; }
    let overlapped = f32(atomicLoad(&entered[2u * candidate + 1u]));
    let entries = f32(entriesAt(candidate, level));
    var next = level;
    if (level < max(frames[candidate].depthA, frames[candidate].depthB)) {
      let below = f32(entriesAt(candidate, level + 1u));
      if (below * (1.0 - overlapped / entries) < entries) { next = level + 1u; }
    }
    if (level > 0u) {
      let above = f32(entriesAt(candidate, level - 1u));
      if (above + entries / above * overlapped < entries) { next = level - 1u; }
    }
    remember(pairKey(candidate), next);
  }
}

/** Stores the level in the pair's word, or else in the first word that holds nothing fresh. */
fn remember(key: PairKey, level: u32) {
  let word = level | ((query.serial & 127u) << 5u) | (key.mark << 12u);
  for (var i = 0u; i < probes; i++) {
    let at = probe(key, i);
    if ((atomicLoad(&entrances[at]) >> 12u) == key.mark) {
      atomicStore(&entrances[at], word);
      return;
    }
  }
  for (var i = 0u; i < probes; i++) {
    let at = probe(key, i);
    loop {
      let seen = atomicLoad(&entrances[at]);
      if (isFresh(seen)) { break; }
      if (atomicCompareExchangeWeak(&entrances[at], seen, word).exchanged) { return; }
    }
  }
}
