// How deep the points of a common volume lie, from the distances drawn for each body (Hoff et al., sections 5.3 and 5.4):
// the nearest body's distance, and the direction in which it falls. A workgroup takes one block.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<uniform> meshing: Meshing;
@group(0) @binding(2) var<storage, read> windows: array<Window>;
@group(0) @binding(3) var<storage, read> sitings: array<Siting>;
/** The position, from 1 on, of a sample among those of its column that count; 0 if it does not count. */
@group(0) @binding(4) var<storage, read> counters: array<i32>;
@group(0) @binding(5) var<storage, read> columnStarts: array<u32>;
@group(0) @binding(6) var<storage, read> columnBlocks: array<u32>;
@group(0) @binding(7) var<storage, read> drawnBlocks: array<u32>;
@group(0) @binding(8) var<storage, read_write> meshHead: array<atomic<u32>>;
/** The sample's number, the bits of the distance in units, the direction, the owner. */
@group(0) @binding(9) var<storage, read_write> points: array<vec4u>;
@group(0) @binding(10) var drawnDepths: texture_depth_2d;
@group(0) @binding(11) var drawnOwners: texture_2d<u32>;

const nothing = 0xffffffffu;

@compute @workgroup_size(64)
fn main(
  @builtin(local_invocation_index) n: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let blocks = atomicLoad(&meshHead[blocksDrawnAt]);
  if (blocks * meshing.bodyCount > meshing.tileRoom) { return; }
  for (var slot = group.x; slot < blocks; slot += groups.x) { measureSample(slot, n); }
}

fn measureSample(slot: u32, n: u32) {
  let block = drawnBlocks[slot];
  let number = windowOfBrick(block);
  let window = windows[number];
  let sample = sampleOf(vec3u(0u), n);
  let at = cornerOf(number, block) + sample;
  if (any(at >= window.size.xyz)) { return; }
  let counter = counters[window.counters + (at.z * window.size.y + at.y) * window.size.x + at.x];
  let column = window.size.w + at.y * window.size.x + at.x;
  let point = columnBlocks[column / 256u] + columnStarts[column] + u32(counter) - 1u;
  if (counter <= 0 || point >= arrayLength(&points)) { return; }
  let middle = sample + meshing.halo;
  var nearest = 0u;
  // Where nothing is drawn, depth is 1.
  var distance = meshing.depthUnit;
  var owner = nothing;
  for (var body = 0u; body < meshing.bodyCount; body++) {
    let pixel = tilePixel(slot * meshing.bodyCount + body, middle);
    let found = drawnDistance(pixel);
    if (!(found < distance)) { continue; }
    distance = found;
    nearest = body;
    owner = sitings[body].firstTriangle + (textureLoad(drawnOwners, pixel, 0).x & ownerMask);
  }
  // Every sample of the block is drawn, unless this device's rasteriser is not as assumed.
  if (owner == nothing) { atomicMax(&meshHead[missingAt], 1u); }
  let tile = slot * meshing.bodyCount + nearest;
  let toward = -vec3f(
    steeper(tile, middle, vec3u(1u, 0u, 0u), distance),
    steeper(tile, middle, vec3u(0u, 1u, 0u), distance),
    steeper(tile, middle, vec3u(0u, 0u, 1u), distance),
  );
  let place = at + window.low.xyz;
  let cell = (place.y * window.whole.x + place.x) * window.whole.z + place.z;
  points[point] = vec4u(cell, bitcast<u32>(distance * window.cell), encodeDirection(toward), owner);
}

fn drawnDistance(pixel: vec2u) -> f32 {
  return textureLoad(drawnDepths, pixel, 0) * meshing.depthUnit;
}

/** The larger of the differences on both sides: the other may lie beyond a crease of the field (section 5.3). */
fn steeper(tile: u32, middle: vec3u, step: vec3u, distance: f32) -> f32 {
  let below = distance - drawnDistance(tilePixel(tile, middle - step));
  let above = drawnDistance(tilePixel(tile, middle + step)) - distance;
  return select(above, below, abs(below) > abs(above));
}
