// How much more or less than the distance of the bodies' centres is that of two triangles, if the bodies are far
// apart (far-distance.wgsl)?

/** Bounds of the shifted excess of two triangles. */
fn farTriangles(candidate: u32, leafA: u32, leafB: u32) -> Bounds {
  let way = frames[candidate].into[2];
  let constants = frames[candidate].into[3];
  let slack = frames[candidate].into[1].w;
  let firstA = 3u * (frames[candidate].leafOffsetA + leafA);
  let firstB = 3u * (frames[candidate].leafOffsetB + leafB);
  var a: array<vec3f, 3>;
  var b: array<vec3f, 3>;
  for (var corner = 0u; corner < 3u; corner++) {
    a[corner] = edge(candidate, 0u, leaves[firstA + corner].xyz) * constants.y;
    b[corner] = edge(candidate, 3u, leaves[firstB + corner].xyz) * constants.z;
  }
  var nearest = b[0] - a[0];
  var least = excess(nearest, way);
  for (var k = 1u; k < 9u; k++) {
    let difference = b[k / 3u] - a[k % 3u];
    let found = excess(difference, way);
    if (found < least) {
      least = found;
      nearest = difference;
    }
  }
  let direction = way.xyz + nearest / way.w;
  let w = direction / length(direction);
  let most = max(max(dot(w, a[0]), dot(w, a[1])), dot(w, a[2]));
  let proved = least + (min(min(dot(w, b[0]), dot(w, b[1])), dot(w, b[2])) - most - dot(w, nearest));
  return Bounds(constants.x + proved - slack, constants.x + least + slack);
}

fn excess(difference: vec3f, way: vec4f) -> f32 {
  let along = 2.0 * dot(way.xyz, difference) + dot(difference, difference) / way.w;
  return along / (1.0 + length(way.xyz + difference / way.w));
}
