// When does a path first cross a surface for certain? For every kind of surface by the same search: intervals of time, earlier
// first, each halved until one piece of it is proven to hold no root, or to be monotone, and then its root is enclosed.
// A piece says of h over [m − r, m + r] what its value at m is, to within an error, and between what its slope lies
// (`pieceAt`, surface.wgsl). gpu/filter.md, section 3.

struct Piece {
  value: f32,
  error: f32,
  slopeLow: f32,
  slopeHigh: f32,
  /** The path is certainly not where the surface is. */
  away: bool,
}

const noCrossing = 0u;
const certainCrossing = 1u;
const unsureCrossing = 2u;

struct Crossing {
  kind: u32,
  /** Between these times since the segment began; of an unsure one, not before `low`. */
  low: f32,
  high: f32,
}

/** Halvings of the time that is searched, and pieces looked at: what is not decided then is unsure. */
const mostLevel = 22u;
const mostPieces = 300u;
/** Within a piece, undecided: to be halved. */
const openCrossing = 3u;

/** `left`: the path begins on this surface, where h is 0 by construction. */
fn firstCrossing(surface: Surface, path: Path, left: bool, end: f32) -> Crossing {
  var node = 1u;
  var level = 0u;
  var begin = 0.0;
  for (var count = 0u; count < mostPieces; count++) {
    let index = node - (1u << level);
    let half = end * powerOfTwo(-1 - i32(level));
    let middle = f32(2u * index + 1u) * half;
    // The middle is a rounding off; neighbours overlap by more.
    let radius = half + 4.0 * unit * end;
    begin = max(0.0, middle - radius);
    let piece = pieceAt(surface, path, middle, radius);
    let most = max(abs(piece.slopeLow), abs(piece.slopeHigh));
    if (!piece.away && abs(piece.value) <= 1.00001 * most * radius + piece.error) {
      var open = true;
      if (piece.slopeLow > 0.0 || piece.slopeHigh < 0.0) {
        if (left && index == 0u) {
          // From 0 on it only grows, or only falls.
          open = false;
        } else {
          let root = locate(surface, path, middle, radius, piece);
          if (root.kind == unsureCrossing) { return root; }
          if (root.kind == noCrossing) { open = false; }
          if (root.kind == certainCrossing) {
            let counts = crossingCounts(surface, path, root, piece.slopeLow > 0.0);
            if (counts == certainCrossing) { return root; }
            if (counts == unsureCrossing) { return Crossing(unsureCrossing, root.low, root.high); }
            open = false;
          }
        }
      }
      if (open) {
        if (level == mostLevel) { return Crossing(unsureCrossing, begin, end); }
        node *= 2u;
        level++;
        continue;
      }
    }
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= level) { return Crossing(noCrossing, 0.0, 0.0); }
    node = (node + 1u) >> climbed;
    level -= climbed;
  }
  return Crossing(unsureCrossing, begin, end);
}

/** The root of a piece in which h is monotone, or that there is none; where an end is too near, the piece is widened. */
fn locate(surface: Surface, path: Path, middle: f32, radius: f32, piece: Piece) -> Crossing {
  let first = max(0.0, middle - radius);
  let last = middle + radius;
  let rising = piece.slopeLow > 0.0;
  let least = min(abs(piece.slopeLow), abs(piece.slopeHigh));
  var time = middle;
  var here = piece;
  for (var round = 0u; round < 4u; round++) {
    time = clamp(time - here.value / (0.5 * (here.slopeLow + here.slopeHigh)), first, last);
    here = pieceAt(surface, path, time, 0.0);
    if (abs(here.value) <= here.error || here.slopeLow * here.slopeHigh <= 0.0) { break; }
  }
  let side = select(-here.value, here.value, rising);
  if ((time >= last && side < -here.error) || (time <= first && side > here.error)) {
    return Crossing(noCrossing, 0.0, 0.0);
  }
  let off = abs(here.value) + here.error;
  if (off > 2.0 * least * radius) { return Crossing(openCrossing, 0.0, 0.0); }
  // The slope is at least `least` within the piece, and once more looked at about the root.
  let wide = 2.0 * off / least + 4.0 * unit * last;
  let local = pieceAt(surface, path, time, wide);
  let slope = select(-local.slopeHigh, local.slopeLow, rising);
  if (slope * wide <= off) { return Crossing(openCrossing, 0.0, 0.0); }
  let reach = 1.00001 * off / slope + 4.0 * unit * time;
  if (reach >= time) { return Crossing(select(openCrossing, unsureCrossing, first <= 0.0), 0.0, time + reach); }
  return Crossing(certainCrossing, time - reach, time + reach);
}
