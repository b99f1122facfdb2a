// Triangles of one mesh: if two have vertices in common, they are tested for what they share beyond these.

fn testNeighbours(candidate: u32, a: array<vec4i, 3>, b: array<vec4i, 3>) -> u32 {
  let cornersA = vec3i(a[0].w, a[1].w, a[2].w);
  let cornersB = vec3i(b[0].w, b[1].w, b[2].w);
  if (!(any(cornersA == cornersB) || any(cornersA == cornersB.yzx) || any(cornersA == cornersB.zxy))) {
    return notNeighbours;
  }
  // A triangle that names a position twice is a segment or a point. It is left to exact arithmetic.
  if (a[0].w == a[1].w || a[1].w == a[2].w || a[2].w == a[0].w) { return unsure; }
  if (b[0].w == b[1].w || b[1].w == b[2].w || b[2].w == b[0].w) { return unsure; }
  var sharedCount = 0u;
  var inA = vec3u(0u);
  var inB = vec3u(0u);
  for (var i = 0u; i < 3u; i++) {
    for (var j = 0u; j < 3u; j++) {
      if (a[i].w == b[j].w) {
        inA[sharedCount] = i;
        inB[sharedCount] = j;
        sharedCount++;
      }
    }
  }
  if (sharedCount == 3u) { return unsure; }
  let p = a[inA.x].xyz;
  if (sharedCount == 1u) {
    let d = array<vec3i, 4>(
      a[(inA.x + 1u) % 3u].xyz - p, a[(inA.x + 2u) % 3u].xyz - p,
      b[(inB.x + 1u) % 3u].xyz - p, b[(inB.x + 2u) % 3u].xyz - p,
    );
    let span = max(longer(vec3f(d[0]), vec3f(d[1])), longer(vec3f(d[2]), vec3f(d[3])));
    let error = edgeError(span, frames[candidate].normA) + 2.0 * frames[candidate].errorA;
    return meetBeyondVertex(
      edge(candidate, 0u, d[0]), edge(candidate, 0u, d[1]), edge(candidate, 0u, d[2]), edge(candidate, 0u, d[3]), error,
    );
  }
  let q = a[inA.y].xyz - p;
  let apexA = a[3u - inA.x - inA.y].xyz - p;
  let apexB = b[3u - inB.x - inB.y].xyz - p;
  let span = longest(vec3f(q), vec3f(apexA), vec3f(apexB));
  let error = edgeError(span, frames[candidate].normA) + 2.0 * frames[candidate].errorA;
  return meetBeyondEdge(edge(candidate, 0u, q), edge(candidate, 0u, apexA), edge(candidate, 0u, apexB), error);
}
