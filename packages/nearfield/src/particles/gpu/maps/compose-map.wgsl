// Makes the texture of one impact map out of its cells: collider + 1, time, speed or the sum, and how many.

struct Map {
  firstTexel: u32,
  width: u32,
  height: u32,
  /** The collider's index + 1. */
  collider: u32,
  /** 1 if the third channel is the sum, and 1 if an impact counts 1 there. */
  sums: u32,
  ones: u32,
  /** 1 if the fourth channel is 1 wherever anything was hit. */
  overwrites: u32,
  unitSpeed: f32,
}

@group(0) @binding(0) var<uniform> map: Map;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var texture: texture_storage_2d<rgba32float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= map.width || id.y >= map.height) { return; }
  let cell = cellWords * (map.firstTexel + id.x + map.width * id.y);
  let count = cells[cell + countCell];
  var texel = vec4f(0.0);
  if (count > 0u) {
    var value = bitcast<f32>(cells[cell + valueCell]);
    if (map.sums == 1u) {
      value = (f32(cells[cell + sumHighCell]) + f32(cells[cell + sumLowCell]) * 0x1p-32) * map.unitSpeed;
      if (map.ones == 1u) { value = f32(count); }
    }
    texel = vec4f(f32(map.collider), bitcast<f32>(cells[cell + timeCell]), value,
      select(f32(count), 1.0, map.overwrites == 1u));
  }
  textureStore(texture, id.xy, texel);
}
