// Places the edges of all sides in their tiles and cuts them into pieces short enough for one thread. Edges beside
// their tile, or before or behind the common part of the two boxes, are left out.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> sides: array<Side>;
@group(0) @binding(4) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(5) var<storage, read> leafOf: array<u32>;
@group(0) @binding(6) var<storage, read> edgeRecords: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> castState: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> edgePieces: array<EdgePiece>;
@group(0) @binding(9) var<storage, read> rasterState: array<u32>;

/** 1 if a tile has one candidate: its edges are left out once a ray has found it. */
override isOneCandidate: u32 = 1u;

/** The most steps of a piece. */
const mostSteps = 16u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  // Edges are tested against lists. If the lists are incomplete, placing them is useless.
  if (rasterState[fragmentsAt] > raster.fragmentRoom || rasterState[stripsAt] > raster.stripRoom) { return; }
  for (var item = id.x; item < raster.edgeCount; item += groups.x * 64u) {
    let side = sideOfEdge(item);
    let candidate = tiles[sides[side].tile].candidate;
    if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { return; }
    if (isOneCandidate == 1u && casting.everyEdge == 0u && (atomicLoad(&castState[flagsAt + candidate]) & 1u) != 0u) { continue; }
    placeEdge(side, item - sides[side].firstEdge);
  }
}

fn sideOfEdge(item: u32) -> u32 {
  var low = 0u;
  var high = raster.sideCount;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (sides[middle].firstEdge <= item) { low = middle; } else { high = middle; }
  }
  return low;
}

fn placeEdge(side: u32, edge: u32) {
  let record = edgeRecords[sides[side].edgeRecords + edge];
  let leafOffset = sides[side].leafOffset;
  let leaf = leafOffset + leafOf[leafOffset + record.x / 3u];
  let corner = record.x % 3u;
  let a = vertexOfSide(side, leaves[3u * leaf + corner].xyz);
  let b = vertexOfSide(side, leaves[3u * leaf + (corner + 1u) % 3u].xyz);
  let tile = tiles[sides[side].tile];
  let cell = f32(1u << tile.cellBits);
  let first = vec2f(vec2i(tile.firstColumn, tile.firstRow));
  let ends = vec4f(vec2f(a.xy) / cell - first, vec2f(b.xy) / cell - first);
  // The common part lies between depth 0 and the tile's far plane; one pixel is added on either side.
  let low = vec3f(0.0, 0.0, -1.0);
  let high = vec3f(f32(tile.columns), f32(tile.rows), f32(tile.far) / cell + 1.0);
  let share = clip(vec3f(ends.xy, f32(a.z) / cell), vec3f(ends.zw, f32(b.z) / cell), low, high);
  if (share.x > share.y) { return; }
  let run = abs(ends.zw - ends.xy);
  let axis = select(0u, 1u, run.y > run.x);
  let bounds = vec2f(mix(ends[axis], ends[axis + 2u], share.x), mix(ends[axis], ends[axis + 2u], share.y));
  let most = select(tile.columns, tile.rows, axis == 1u) - 1u;
  let firstStep = min(u32(max(0.0, floor(min(bounds.x, bounds.y)))), most);
  let lastStep = min(u32(max(0.0, floor(max(bounds.x, bounds.y)))), most);
  let pieces = (lastStep - firstStep) / mostSteps + 1u;
  let place = atomicAdd(&castState[piecesAt], pieces);
  for (var i = 0u; i < pieces; i++) {
    if (place + i >= casting.pieceRoom) { return; }
    let start = firstStep + i * mostSteps;
    edgePieces[place + i] =
      EdgePiece(ends, share.x, share.y, a.z, b.z, side, edge, start, min(mostSteps, lastStep + 1u - start));
  }
}

/** The range of shares of a segment that lies in a box; the first exceeds the second if none does. */
fn clip(a: vec3f, b: vec3f, low: vec3f, high: vec3f) -> vec2f {
  var share = vec2f(0.0, 1.0);
  for (var axis = 0u; axis < 3u; axis++) {
    let run = b[axis] - a[axis];
    if (abs(run) < 0x1p-20) {
      if (a[axis] < low[axis] || a[axis] > high[axis]) { return vec2f(1.0, 0.0); }
      continue;
    }
    let bounds = vec2f(low[axis] - a[axis], high[axis] - a[axis]) / run;
    share = vec2f(max(share.x, min(bounds.x, bounds.y)), min(share.y, max(bounds.x, bounds.y)));
  }
  return share;
}
