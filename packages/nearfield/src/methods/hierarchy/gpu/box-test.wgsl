// SAT lite: two boxes of different local frames are apart if one of the six face directions separates them
// (Greß and Zachmann, appendix A; van den Bergen 1997). Boxes are in q, inflated by the frame's slack.

fn boxesApart(frame: Frame, lowA: vec3f, highA: vec3f, lowB: vec3f, highB: vec3f) -> bool {
  let middleA = 0.5 * (lowA + highA);
  let halfA = 0.5 * (highA - lowA);
  let middleB = 0.5 * (lowB + highB);
  let halfB = 0.5 * (highB - lowB);
  for (var row = 0u; row < 3u; row++) {
    let map = frame.into[row];
    let distance = abs(dot(map.xyz, middleB) + map.w - middleA[row]);
    if (distance > halfA[row] + dot(abs(map.xyz), halfB) + frame.slack[0][row]) { return true; }
  }
  for (var row = 0u; row < 3u; row++) {
    let map = frame.into[3u + row];
    let distance = abs(dot(map.xyz, middleA) + map.w - middleB[row]);
    if (distance > halfB[row] + dot(abs(map.xyz), halfA) + frame.slack[1][row]) { return true; }
  }
  return false;
}
