// Draws what each triangle can reach in the slices of a brick, one slice below the other in the image. Every pixel is a
// sample. Its distance to the triangle is computed directly, and the nearest triangle wins by depth. Distances are also
// written as colour, because depth only keeps their order (it is a power of two smaller, so nothing is rounded).

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> bricks: Bricks;
@group(0) @binding(2) var<storage, read> layers: array<Layer>;
@group(0) @binding(3) var<storage, read> windows: array<Window>;
@group(0) @binding(4) var<storage, read> ticks: array<i32>;
@group(0) @binding(5) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(6) var<storage, read> order: array<u32>;
@group(0) @binding(7) var<storage, read> brickEntries: array<vec2u>;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) a: vec3i,
  @location(1) @interpolate(flat) b: vec3i,
  @location(2) @interpolate(flat) c: vec3i,
  @location(3) @interpolate(flat) owner: u32,
}

@vertex
fn vertexMain(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Corner {
  // Two triangles per slice: corners 0 1 2 and 2 1 3 of a rectangle.
  let slice = vertex / 6u;
  let turn = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[vertex % 6u];
  let entry = brickEntries[min(number, arrayLength(&brickEntries) - 1u)];
  let size = windows[0].size;
  let brick = brickAt(entry.x);
  let x = select(brick.low.x, brick.high.x, (turn & 1u) == 1u);
  let y = select(brick.low.y, brick.high.y, turn > 1u) + slice * size.y;
  let across = 2.0 * f32(x) / f32(size.x) - 1.0;
  let up = 1.0 - 2.0 * f32(y) / f32(size.y * bricks.slices);
  let at = layers[0].leafOffset + entry.y;
  var corner: Corner;
  corner.position = vec4f(across, up, 0.0, 1.0);
  corner.a = vertexInUnits(0u, leaves[3u * at].xyz);
  corner.b = vertexInUnits(0u, leaves[3u * at + 1u].xyz);
  corner.c = vertexInUnits(0u, leaves[3u * at + 2u].xyz);
  corner.owner = order[at];
  return corner;
}

struct Pixel {
  @builtin(frag_depth) depth: f32,
  @location(0) distance: f32,
  @location(1) owner: u32,
}

@fragment
fn fragmentMain(corner: Corner) -> Pixel {
  let pixel = vec2u(corner.position.xy);
  let size = windows[0].size;
  let first = windows[0].low.w;
  let slice = bricks.firstSlice + pixel.y / size.y;
  let place = vec3i(
    ticks[first + pixel.x],
    ticks[first + size.x + pixel.y % size.y],
    ticks[first + size.x + size.y + slice],
  );
  let found = nearestOnTriangle(
    vec3f(corner.a - place),
    vec3f(corner.b - place),
    vec3f(corner.c - place),
  );
  let distance = sqrt(dot(found.point, found.point));
  if (sweep.upTo > 0.0 && distance >= sweep.upTo) { discard; }
  return Pixel(distance * 0x1p-40, distance * sweep.unit, corner.owner | (found.feature << featureShift));
}
