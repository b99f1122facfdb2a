// The candidate of two bodies. The bodies of all candidates, two per candidate and in order, follow the flags in castState.

const noCandidate = 0xffffffffu;

fn candidateOf(one: u32, other: u32) -> u32 {
  let wanted = vec2u(min(one, other), max(one, other));
  let first = flagsAt + casting.candidateCount;
  var low = 0u;
  var high = casting.candidateCount;
  while (low < high) {
    let middle = (low + high) / 2u;
    let at = bodiesAt(first + 2u * middle);
    if (at.x < wanted.x || (at.x == wanted.x && at.y < wanted.y)) { low = middle + 1u; } else { high = middle; }
  }
  if (low < casting.candidateCount && all(bodiesAt(first + 2u * low) == wanted)) { return low; }
  return noCandidate;
}

fn bodiesAt(word: u32) -> vec2u {
  return vec2u(atomicLoad(&castState[word]), atomicLoad(&castState[word + 1u]));
}
