// Lists the bricks of samples that have points, with the place and the index of each point. A workgroup of
// measure-points.wgsl takes one brick. A record has a head and one entry per sample: 1 + 8^brickBits vectors.

@group(0) @binding(0) var<uniform> sweep: Sweep;
@group(0) @binding(1) var<storage, read> windows: array<Window>;
@group(0) @binding(2) var<storage, read> ticks: array<i32>;
/** The position, from 1 on, of a sample among those of its column that count; 0 if it does not count. */
@group(0) @binding(3) var<storage, read> counters: array<i32>;
@group(0) @binding(4) var<storage, read> columnStarts: array<u32>;
@group(0) @binding(5) var<storage, read> scanValues: array<u32>;
@group(0) @binding(6) var<storage, read_write> head: array<atomic<u32>>;
/** Head: the window, then the first sample's i, j, k in the grid. Entries: a place in units, then the point's index. */
@group(0) @binding(7) var<storage, read_write> bricks: array<vec4u>;

const noPoint = 0xffffffffu;

var<workgroup> found: atomic<u32>;
var<workgroup> start: u32;

@compute @workgroup_size(128)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var first = group.x * 128u; first < sweep.bricks; first += groups.x * 128u) {
    if (thread == 0u) { atomicStore(&found, 0u); }
    workgroupBarrier();
    let brick = first + thread;
    let number = windowOfBrick(brick);
    let has = brick < sweep.bricks && hasPoints(number, brick);
    var place = 0u;
    if (has) { place = atomicAdd(&found, 1u); }
    workgroupBarrier();
    if (thread == 0u) { start = atomicAdd(&head[bricksAt], atomicLoad(&found)); }
    workgroupBarrier();
    if (has) { writeBrick(number, brick, start + place); }
  }
}

fn writeBrick(number: u32, brick: u32, place: u32) {
  let window = windows[number];
  let corner = cornerOf(number, brick);
  let samples = 1u << (3u * sweep.brickBits);
  let to = place * (samples + 1u);
  if (to + samples >= arrayLength(&bricks)) { return; }
  bricks[to] = vec4u(number, window.low.xyz + corner);
  for (var n = 0u; n < samples; n++) {
    let sample = sampleOf(corner, n);
    let at = min(sample, window.size.xyz - 1u);
    let counter = counters[window.counters + (at.z * window.size.y + at.y) * window.size.x + at.x];
    let column = window.size.w + at.y * window.size.x + at.x;
    let point = scanValues[column / 256u] + columnStarts[column] + u32(counter) - 1u;
    // A sample beyond the window gets the place of the last one inside, and no index.
    let counts = counter > 0 && all(at == sample);
    let x = ticks[window.low.w + at.x];
    let y = ticks[window.low.w + window.size.x + at.y];
    let z = ticks[window.low.w + window.size.x + window.size.y + at.z];
    bricks[to + 1u + n] = vec4u(bitcast<vec3u>(vec3i(x, y, z)), select(noPoint, point, counts));
  }
}
