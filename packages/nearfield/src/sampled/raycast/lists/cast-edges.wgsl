// Compares every sample of an edge with the faces of other bodies in its pixel (`castSample`, of
// cast-pair-sample.wgsl for a tile of two bodies, or of cast-group-sample.wgsl for a tile of many). No edge hides
// another, and a body's own faces are recognised by their body, so nothing is moved outward. A sample is the stretch
// of the edge over one pixel along its main axis, or the whole edge if it is seen end-on (edge-samples.wgsl). It is
// compared with the line through the pixel's middle, no farther than 1.12 pixels away. If it seems to be enclosed,
// the point itself is tested.

@group(0) @binding(0) var<uniform> raster: RasterQuestion;
@group(0) @binding(1) var<uniform> casting: Casting;
@group(0) @binding(2) var<storage, read> tiles: array<Tile>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> fragments: array<vec4u>;
@group(0) @binding(5) var<storage, read> sides: array<Side>;
@group(0) @binding(6) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(7) var<storage, read> edgePieces: array<EdgePiece>;
@group(0) @binding(8) var<storage, read_write> castState: array<atomic<u32>>;
/** Per hit: candidate, twice the edge plus 1 if it is the second body's, and the bits of the share along the edge. */
@group(0) @binding(9) var<storage, read_write> edgeHits: array<vec4u>;

var<workgroup> sampleCount: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let pieces = atomicLoad(&castState[piecesAt]);
  if (pieces <= casting.pieceRoom) {
    for (var i = id.x; i < pieces; i += groups.x * 64u) {
      if (casting.untilFirst == 1u && atomicLoad(&castState[anyAt]) != 0u) { break; }
      follow(edgePieces[i]);
    }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&castState[edgeFragmentsAt], atomicLoad(&sampleCount)); }
}

fn follow(piece: EdgePiece) {
  let tile = tiles[sides[piece.side].tile];
  for (var step = piece.firstStep; step < piece.firstStep + piece.stepCount; step++) {
    let sample = sampleOfEdge(piece, tile, step);
    atomicAdd(&sampleCount, 1u);
    if (!isUnsure(sample.pixel)) { castSample(piece, tile, sample); }
  }
}
