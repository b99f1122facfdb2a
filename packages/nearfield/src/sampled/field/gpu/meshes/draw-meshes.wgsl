// Draws the triangles of distance meshes. The rasteriser decides which pixels a triangle covers. The distance itself is
// computed here from the piece's linear function at the pixel's middle: nothing is known of the error of interpolated
// depths. Depth keeps the least distance, times a power of two so that nothing is rounded. Kernels read it from there.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> meshTriangles: array<vec4u>;
@group(0) @binding(2) var<storage, read> meshHead: array<u32>;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) function: vec3f,
  @location(1) @interpolate(flat) owner: u32,
}

@vertex
fn vertexMain(@builtin(vertex_index) vertex: u32) -> Corner {
  var corner: Corner;
  // As many are drawn as there are likely to be: the rest have no area.
  if (vertex >= meshHead[verticesAt]) { return corner; }
  let at = 3u * (vertex / 3u);
  let turn = vertex % 3u;
  let first = bitcast<vec4f>(meshTriangles[at]);
  let second = bitcast<vec4f>(meshTriangles[at + 1u]);
  let third = meshTriangles[at + 2u];
  var point = first.xy;
  if (turn == 1u) { point = first.zw; }
  if (turn == 2u) { point = second.xy; }
  let across = 2.0 * point.x / f32(meshing.width) - 1.0;
  let up = 1.0 - 2.0 * point.y / f32(meshing.height);
  corner.position = vec4f(across, up, 0.0, 1.0);
  corner.function = vec3f(second.zw, bitcast<f32>(third.x));
  corner.owner = third.y;
  return corner;
}

struct Pixel {
  @builtin(frag_depth) depth: f32,
  @location(0) owner: u32,
}

@fragment
fn fragmentMain(corner: Corner) -> Pixel {
  // Tiles, and slices in them, begin at multiples of their side.
  let point = vec2f(vec2u(corner.position.xy) % vec2u(tileSide())) + 0.5;
  let distance = abs(dot(corner.function.xy, point) + corner.function.z);
  return Pixel(distance * meshing.depthScale, corner.owner);
}
