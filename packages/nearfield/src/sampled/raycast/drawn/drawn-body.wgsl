// A body's placed corners and edges, in pixels.

@group(0) @binding(0) var<uniform> seen: DrawnView;
@group(0) @binding(1) var<storage, read> drawnBodies: array<DrawnBody>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read> leafOf: array<u32>;
@group(0) @binding(4) var<storage, read> edgeRecords: array<vec2u>;

/** 1 if one draw has the vertices of all bodies; 0 if each instance is a body. */
override together: u32 = 0u;

/** A body, and one of the vertices of its faces or edges. */
struct DrawnVertex {
  body: u32,
  vertex: u32,
}

fn faceVertexOf(vertex: u32, instance: u32) -> DrawnVertex {
  if (together == 0u) { return DrawnVertex(instance, vertex); }
  var low = 0u;
  var high = seen.bodyCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (drawnBodies[middle].firstFaceVertex <= vertex) { low = middle; } else { high = middle; }
  }
  return DrawnVertex(low, vertex - drawnBodies[low].firstFaceVertex);
}

fn edgeVertexOf(vertex: u32, instance: u32) -> DrawnVertex {
  if (together == 0u) { return DrawnVertex(instance, vertex); }
  var low = 0u;
  var high = seen.bodyCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (drawnBodies[middle].firstEdgeVertex <= vertex) { low = middle; } else { high = middle; }
  }
  return DrawnVertex(low, vertex - drawnBodies[low].firstEdgeVertex);
}

fn placed(body: u32, corner: u32) -> vec3f {
  let q = vec3f(leaves[corner].xyz) * 0x1p-29;
  let rows = drawnBodies[body].rows;
  return vec3f(dot(rows[0].xyz, q) + rows[0].w, dot(rows[1].xyz, q) + rows[1].w, dot(rows[2].xyz, q) + rows[2].w);
}

/** Differences of stored vertices are exact. They are rotated afterwards, so small triangles far away lose nothing. */
fn turned(body: u32, difference: vec3i) -> vec3f {
  let q = vec3f(difference) * 0x1p-29;
  let rows = drawnBodies[body].rows;
  return vec3f(dot(rows[0].xyz, q), dot(rows[1].xyz, q), dot(rows[2].xyz, q));
}

/** The outward unit normal of a leaf's triangle; 0 if it has no area. */
fn outward(body: u32, leaf: u32) -> vec3f {
  let first = leaves[3u * leaf].xyz;
  let normal = cross(turned(body, leaves[3u * leaf + 1u].xyz - first), turned(body, leaves[3u * leaf + 2u].xyz - first));
  let size = max(abs(normal.x), max(abs(normal.y), abs(normal.z)));
  if (size == 0.0) { return vec3f(0.0); }
  let direction = normalize(normal / size);
  return select(direction, -direction, drawnBodies[body].flipped == 1u);
}

/** From pixels to clip space: x and y in −1 to 1, depth in 0 to 1. */
fn toClip(point: vec3f) -> vec4f {
  return vec4f(point.x * seen.scale.x, point.y * seen.scale.y, (point.z - seen.scale.w) * seen.scale.z, 1.0);
}
