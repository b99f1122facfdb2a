// Candidates: every two bodies whose boxes meet, all pairs in tiles of 256 × 256 through workgroup memory. With
// many bodies they are put in order along a Hilbert curve first, and tiles that are apart are passed over; the
// module that defines `bodyAt` and `tilesApart` says which.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<storage, read> boxes: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> candidates: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> results: array<atomic<u32>>;

var<workgroup> tileBodies: array<u32, 256>;
var<workgroup> tileLow: array<vec3f, 256>;
var<workgroup> tileHigh: array<vec3f, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let tiles = (query.bodyCount + 255u) / 256u;
  let tilePairs = tiles * (tiles + 1u) / 2u;
  for (var pair = group.x; pair < tilePairs; pair += groups.x) {
    // Tile pair (row, column), column ≤ row, in triangular order. The root is a guess, put right by steps.
    var row = u32((sqrt(8.0 * f32(pair) + 1.0) - 1.0) * 0.5);
    while (row * (row + 1u) / 2u > pair) { row--; }
    while ((row + 1u) * (row + 2u) / 2u <= pair) { row++; }
    let column = pair - row * (row + 1u) / 2u;
    if (tilesApart(row, column)) { continue; }

    let mine = row * 256u + thread;
    let loaded = column * 256u + thread;
    workgroupBarrier();
    if (loaded < query.bodyCount) {
      let body = bodyAt(loaded);
      tileBodies[thread] = body;
      tileLow[thread] = boxes[2u * body].xyz;
      tileHigh[thread] = boxes[2u * body + 1u].xyz;
    }
    workgroupBarrier();
    if (mine < query.bodyCount) {
      let body = bodyAt(mine);
      let low = boxes[2u * body].xyz;
      let high = boxes[2u * body + 1u].xyz;
      let end = min(256u, mine - min(mine, column * 256u));
      for (var i = 0u; i < end; i++) {
        if (all(low <= tileHigh[i]) && all(tileLow[i] <= high)) {
          let place = atomicAdd(&results[candidatesAt], 1u);
          // Hopelessly many: the counter must not wrap before the query is given up.
          if (place > 0x40000000u) { break; }
          if (place < arrayLength(&candidates)) { 
            candidates[place] = vec2u(min(body, tileBodies[i]), max(body, tileBodies[i]));
          }
        }
      }
    }
  }
}
