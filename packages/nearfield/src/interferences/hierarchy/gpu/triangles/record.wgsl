// What is kept of a verdict: records (candidate, triangle of a, triangle of b) of certain and of unsure pairs,
// or with detail 'count' only how many certain ones a candidate has, or with 'any' the first. Where certain pairs go is said
// by the module that defines `listCertain`; of unsure ones there are few.

const detailList = 0u;
const detailCount = 1u;
const detailAny = 2u;
override detail: u32;

fn record(candidate: u32, leafA: u32, leafB: u32, verdict: u32) {
  if (verdict == separate) { return; }
  if (!isWanted(candidate, verdict)) { return; }
  var triangleA = order[frames[candidate].leafOffsetA + leafA];
  var triangleB = order[frames[candidate].leafOffsetB + leafB];
  if (query.selfTest == 1u && triangleA > triangleB) {
    let swapped = triangleA;
    triangleA = triangleB;
    triangleB = swapped;
  }
  if (verdict == unsure) {
    let place = 3u * atomicAdd(&results[unsureAt], 1u);
    if (place + 2u < arrayLength(&unsurePairs)) {
      unsurePairs[place] = candidate;
      unsurePairs[place + 1u] = triangleA;
      unsurePairs[place + 2u] = triangleB;
    }
    return;
  }
  listCertain(candidate, triangleA, triangleB);
}

fn listOne(candidate: u32, triangleA: u32, triangleB: u32) {
  let place = 3u * atomicAdd(&results[certainAt], 1u);
  if (place + 2u < arrayLength(&certainPairs)) {
    certainPairs[place] = candidate;
    certainPairs[place + 1u] = triangleA;
    certainPairs[place + 2u] = triangleB;
  }
}

/** Counts it where that is asked for; whether it must be listed. */
fn isWanted(candidate: u32, verdict: u32) -> bool {
  let word = resultHead + candidate;
  if (detail == detailAny) {
    if (verdict == unsure) { return atomicAdd(&results[word], 1u) < query.enough; }
    return (atomicOr(&results[word], foundWord) & foundWord) == 0u;
  }
  if (detail == detailCount && verdict != unsure) {
    atomicAdd(&results[word], 1u);
    return false;
  }
  return true;
}

/** With detail 'any': whether nothing more need be known of the candidate. `foundWord` is more than any number. */
fn isDone(candidate: u32) -> bool {
  return detail == detailAny && atomicLoad(&results[resultHead + candidate]) >= query.enough;
}
