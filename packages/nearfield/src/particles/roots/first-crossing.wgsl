// When does a path certainly first cross a surface? One search for every kind of surface: intervals of time, earlier
// first, are withoutTwos until a piece is proven to hold no root, or to be monotone; then its root is enclosed. A piece
// gives the value of h at m, to within an error, and bounds of its slope over [m − r, m + r] (`pieceOf`, surface.wgsl).
// gpu/filter.md, section 3.
//
// It is one loop that examines one piece per round, for whichever purpose comes next: compilers inline functions where
// they are called, and this one calls each of the large ones once.

struct Piece {
  value: f32,
  error: f32,
  slopeLow: f32,
  slopeHigh: f32,
}

const noCrossing = 0u;
const certainCrossing = 1u;
const unsureCrossing = 2u;

struct Crossing {
  kind: u32,
  /** Between these times since the segment began; if unsure, not before `low`. */
  low: f32,
  high: f32,
}

/** The most halvings of the searched time, and the most pieces examined: what is not decided then is unsure. */
const mostLevel = 22u;
const mostPieces = 500u;

/**
 * The purpose of the next piece: an interval; a step towards its root; the slope about that root; whether the crossing
 * counts.
 */
const searching = 0u;
const approaching = 1u;
const enclosing = 2u;
const counting = 3u;

/**
 * Searches between two times. `left` is nonzero if the path begins, at 0, on this surface, where h is 0 by
 * construction: it comes from the front (1) or from behind (−1). It is 0 for all other surfaces.
 */
fn firstCrossing(surface: Surface, path: Path, left: i32, start: f32, end: f32) -> Crossing {
  var node = 1u;
  var level = 0u;
  var mode = searching;
  var rounds = 0u;
  var time = 0.0;
  var radius = 0.0;
  // The interval's ends and half width; if h is monotone in it: the direction, the least slope, and the error.
  var first = 0.0;
  var last = 0.0;
  var half = 0.0;
  var rising = false;
  var least = 0.0;
  var off = 0.0;
  for (var count = 0u; count < mostPieces; count++) {
    if (mode == searching) {
      let width = (end - start) * powerOfTwo(-1 - i32(level));
      time = start + f32(2u * (node - (1u << level)) + 1u) * width;
      // The middle is off by one rounding; neighbours overlap by more.
      radius = width + 4.0 * unit * end;
      half = radius;
      first = max(0.0, time - radius);
      last = time + radius;
    }
    let seen = seenAt(surface, path, time, radius);
    var halve = false;
    if (mode == counting) {
      let counts = crossingCounts(surface, seen, rising);
      if (counts != noCrossing) { return Crossing(counts, time - radius, time + radius); }
    } else if (!seen.away) {
      let here = pieceOf(surface, path, seen, left != 0, time, radius);
      let size = abs(here.value);
      if (mode == searching) {
        let most = max(abs(here.slopeLow), abs(here.slopeHigh));
        if (size <= 1.00001 * most * radius + here.error) {
          halve = true;
          rising = here.slopeLow > 0.0;
          if (rising || here.slopeHigh < 0.0) {
            // From 0 on it only grows, or only falls: there is no root except the one it begins with, and none if it
            // leads to its own side.
            if (left != 0 && node == (1u << level) && start == 0.0) {
              if (rising != (left > 0)) { return Crossing(unsureCrossing, 0.0, end); }
              halve = false;
            } else {
              least = min(abs(here.slopeLow), abs(here.slopeHigh));
              time = clamp(time - here.value / (0.5 * (here.slopeLow + here.slopeHigh)), first, last);
              radius = 0.0;
              rounds = 0u;
              mode = approaching;
              continue;
            }
          }
        }
      } else if (mode == approaching) {
        if (size > 0.125 * here.error && rounds < 5u && here.slopeLow * here.slopeHigh > 0.0) {
          time = clamp(time - here.value / (0.5 * (here.slopeLow + here.slopeHigh)), first, last);
          rounds++;
          continue;
        }
        let side = select(-here.value, here.value, rising);
        let beyond = (time >= last && side < -here.error) || (time <= first && side > here.error);
        off = size + here.error;
        halve = !beyond;
        if (!beyond && off <= 2.0 * least * half) {
          // The slope is at least `least` within the interval; about the root it is computed once more, beyond the ends
          // too.
          radius = 2.0 * off / least + 4.0 * unit * last;
          mode = enclosing;
          continue;
        }
      } else {
        let slope = select(-here.slopeHigh, here.slopeLow, rising);
        halve = true;
        if (slope * radius > off) {
          let reach = 1.00001 * off / slope + 2.0 * unit * time;
          // The root may be where the path begins.
          if (reach >= time) {
            if (first <= 0.0) { return Crossing(unsureCrossing, 0.0, time + reach); }
          } else {
            radius = reach;
            mode = counting;
            continue;
          }
        }
      }
    } else if (mode != searching) {
      halve = true;
    }
    mode = searching;
    if (halve) {
      if (level == mostLevel) { break; }
      node *= 2u;
      level++;
      continue;
    }
    let climbed = firstTrailingBit(node + 1u);
    if (climbed >= level) { return Crossing(noCrossing, 0.0, 0.0); }
    node = (node + 1u) >> climbed;
    level -= climbed;
  }
  return Crossing(unsureCrossing, first, end);
}
