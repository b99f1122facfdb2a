// When does a path first cross a surface for certain? For every kind of surface by the same search: intervals of time, earlier
// first, each halved until one piece of it is proven to hold no root, or to be monotone, and then its root is enclosed.
// A piece says of h over [m − r, m + r] what its value at m is, to within an error, and between what its slope lies
// (`pieceOf`, surface.wgsl). gpu/filter.md, section 3.
//
// It is one loop that looks at one piece a round, for whatever it wants to know next: compilers copy functions to where they are
// called, and this one calls each of the large ones once.

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
  /** Between these times since the segment began; of an unsure one, not before `low`. */
  low: f32,
  high: f32,
}

/** Halvings of the time that is searched, and pieces looked at: what is not decided then is unsure. */
const mostLevel = 22u;
const mostPieces = 500u;

/** What the next piece is for: an interval; a step towards its root; the slope about that root; whether the crossing counts. */
const searching = 0u;
const approaching = 1u;
const enclosing = 2u;
const counting = 3u;

/**
 * Between two times. `left`: the path begins, at 0, on this surface, where h is 0 by construction, and comes from its front (1) or
 * from behind (−1); 0 of all others.
 */
fn firstCrossing(surface: Surface, path: Path, left: i32, start: f32, end: f32) -> Crossing {
  var node = 1u;
  var level = 0u;
  var mode = searching;
  var rounds = 0u;
  var time = 0.0;
  var radius = 0.0;
  // Of the interval: its ends and half width; and where h is monotone in it, which way, how steep at least, and how far off.
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
      // The middle is a rounding off; neighbours overlap by more.
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
            // From 0 on it only grows, or only falls: no root but the one it begins with, and none if it leads to its own side.
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
          // The slope is at least `least` within the interval; about the root it is looked at once more, beyond the ends too.
          radius = 2.0 * off / least + 4.0 * unit * last;
          mode = enclosing;
          continue;
        }
      } else {
        let slope = select(-here.slopeHigh, here.slopeLow, rising);
        halve = true;
        if (slope * radius > off) {
          let reach = 1.00001 * off / slope + 2.0 * unit * time;
          // It may be where the path begins.
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
