// How far every site has to reach in every layer of blocks, and which blocks it matters to (meshes/blocks.ts): one thread
// per site and layer, so that the meshes of a layer's slices need not look at blocks.

@group(0) @binding(0) var<uniform> meshing: Meshing;
@group(0) @binding(1) var<storage, read> sites: array<Site>;
@group(0) @binding(2) var<storage, read> blockBounds: array<f32>;
@group(0) @binding(3) var<storage, read_write> siteReaches: array<Reach>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let layers = (meshing.slices + blockSide - 1u) / blockSide;
  for (var item = id.x; item < meshing.siteCount * layers; item += groups.x * 64u) {
    siteReaches[item] = reachOf(item % meshing.siteCount, item / meshing.siteCount);
  }
}

fn reachOf(number: u32, layer: u32) -> Reach {
  let low = sites[number].low.xyz;
  let high = sites[number].high.xyz;
  let side = f32(blockSide);
  let ends = vec3f(f32(meshing.nx), f32(meshing.ny), f32(meshing.firstSlice + meshing.slices)) - 0.5;
  let z = f32(meshing.firstSlice + blockSide * layer) + 0.5;
  var found = Reach(-1.0, 0u, 0u);
  var first = vec2u(0xffffu);
  var last = vec2u(0u);
  for (var j = 0u; j < meshing.blocksDown; j++) {
    for (var i = 0u; i < meshing.blocksAcross; i++) {
      let bound = blockBounds[i + meshing.blocksAcross * (j + meshing.blocksDown * layer)];
      let start = vec3f(side * f32(i) + 0.5, side * f32(j) + 0.5, z);
      let gap = max(max(start - high, low - min(start + side - 1.0, ends)), vec3f(0.0));
      if (bound < 0.0 || dot(gap, gap) > bound * bound || !meetsSpaces(number, start)) { continue; }
      found.reach = max(found.reach, bound);
      first = min(first, vec2u(i, j));
      last = max(last, vec2u(i, j));
    }
  }
  found.first = first.x | (first.y << 16u);
  found.last = last.x | (last.y << 16u);
  return found;
}

/** Whether some point of the block from `start` on lies in all half-spaces of a site. */
fn meetsSpaces(number: u32, start: vec3f) -> bool {
  let half = 0.5 * f32(blockSide - 1u);
  let middle = start + half - sites[number].place.xyz;
  for (var i = 0u; i < sites[number].spaceCount; i++) {
    let space = sites[number].spaces[i];
    let most = half * (abs(space.x) + abs(space.y) + abs(space.z));
    if (dot(space.xyz, middle) + space.w + most + meshing.slack < 0.0) { return false; }
  }
  return true;
}
