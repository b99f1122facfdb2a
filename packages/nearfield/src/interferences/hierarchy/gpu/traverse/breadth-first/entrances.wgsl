// Temporal coherence (Greß and Zachmann, section 5). For each pair of bodies, a hash table remembers from one
// question to the next the level at which its trees are entered. The key is made of the numbers of the bodies and the
// offsets of their trees. The levels are guesses: a wrong one, because a pair was mistaken for another or found no
// room, costs box tests and does not change the result.

/**
 * One word per pair: its level (5 bits), the question it was remembered in (7 bits), and a mark of the pair (20
 * bits).
 */
@group(0) @binding(7) var<storage, read_write> entrances: array<atomic<u32>>;
/** By candidate: the level it was entered at, and how many of the node pairs there overlapped. */
@group(0) @binding(8) var<storage, read_write> entered: array<atomic<u32>>;

/** Instead of a level, for a candidate whose root boxes are apart. */
const notEntered = 0xffffffffu;
/** The number of neighbouring words that a pair may be in. */
const probes = 8u;
/**
 * After this many questions of any kind, a pair that is no longer a candidate is forgotten. That is a few frames of a
 * few questions each.
 */
const lifetime = 16u;

struct PairKey {
  place: u32,
  mark: u32,
}

fn pairKey(candidate: u32) -> PairKey {
  let a = mixed(candidates[candidate].x ^ mixed(frames[candidate].nodeOffsetA + 1u));
  let b = mixed(candidates[candidate].y ^ mixed(frames[candidate].nodeOffsetB + 1u));
  let both = mixed(a + 0x9e3779b9u * b);
  return PairKey(both % arrayLength(&entrances), mixed(both ^ a) >> 12u);
}

/** A hash in which every bit depends on every bit of the value (the finalizer of MurmurHash3, A. Appleby). */
fn mixed(value: u32) -> u32 {
  var x = value;
  x = (x ^ (x >> 16u)) * 0x85ebca6bu;
  x = (x ^ (x >> 13u)) * 0xc2b2ae35u;
  return x ^ (x >> 16u);
}

fn probe(key: PairKey, i: u32) -> u32 {
  return (key.place + i) % arrayLength(&entrances);
}

fn isFresh(word: u32) -> bool {
  return word != 0u && ((query.serial - (word >> 5u)) & 127u) <= lifetime;
}

/**
 * The level at which to enter the candidate's trees: the remembered one, or the deepest above it that leaves room for
 * all candidates.
 */
fn entranceOf(candidate: u32, candidateCount: u32) -> u32 {
  let key = pairKey(candidate);
  var level = 0u;
  for (var i = 0u; i < probes; i++) {
    let word = atomicLoad(&entrances[probe(key, i)]);
    if ((word >> 12u) == key.mark && isFresh(word)) {
      level = word & 31u;
      break;
    }
  }
  level = min(level, max(frames[candidate].depthA, frames[candidate].depthB));
  while (level > 0u && entriesAt(candidate, level) > mostEntries / candidateCount) { level--; }
  return level;
}

/**
 * The number of node pairs on a level. Counts are capped above the most that are ever entered, so that they fit in 32
 * bits.
 */
fn entriesAt(candidate: u32, level: u32) -> u32 {
  let depthA = frames[candidate].depthA;
  let depthB = frames[candidate].depthB;
  let countA = min(nodesAt(ownLevel(level, depthA, depthB), depthA, frames[candidate].leafCountA), 0xffffu);
  let countB = min(nodesAt(ownLevel(level, depthB, depthA), depthB, frames[candidate].leafCountB), 0xffffu);
  if (query.selfTest == 1u) { return countA * (countA + 1u) / 2u; }
  return countA * countB;
}

/** The level of one tree at a level of the pair. The shallower tree is padded at the top. */
fn ownLevel(level: u32, depth: u32, otherDepth: u32) -> u32 {
  let padding = max(depth, otherDepth) - depth;
  return max(level, padding) - padding;
}

fn nodesAt(level: u32, depth: u32, leafCount: u32) -> u32 {
  let leaves = 1u << (depth - level);
  return (leafCount + leaves - 1u) >> (depth - level);
}
