// Records a verdict. Certain and unsure pairs are recorded as (candidate, triangle of a, triangle of b). With detail
// 'count', certain pairs are only counted per candidate; with 'any', only the first is recorded. The module that
// defines `listCertain` decides how certain pairs are listed. Unsure pairs are few and are listed one by one.

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

/** Counts the pair if counts are asked for. Returns whether it must be listed. */
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

/** With detail 'any': whether nothing more needs to be known about the candidate. `foundWord` exceeds every count. */
fn isDone(candidate: u32) -> bool {
  return detail == detailAny && atomicLoad(&results[resultHead + candidate]) >= query.enough;
}
