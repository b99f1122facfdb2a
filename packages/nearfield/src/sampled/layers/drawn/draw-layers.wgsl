// Draws bodies for the rasteriser's depth test, stencil counts and blending (Myszkowski et al., sections 4 to 6).

@group(0) @binding(0) var<uniform> seen: LayersPicture;
@group(0) @binding(1) var<storage, read> drawnBodies: array<DrawnBody>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
/** The depth of the layer that was blended last, and the pixels whose layers are put in order: not 0. */
@group(1) @binding(0) var reached: texture_depth_2d;
@group(1) @binding(1) var marks: texture_2d<u32>;

struct LayerPoint {
  @invariant @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) body: u32,
}

@vertex
fn placeCorner(@builtin(vertex_index) vertex: u32, @builtin(instance_index) body: u32) -> LayerPoint {
  let q = vec3f(leaves[3u * drawnBodies[body].leafOffset + vertex].xyz) * 0x1p-29;
  let rows = drawnBodies[body].rows;
  let point = vec3f(
    dot(rows[0].xyz, q) + rows[0].w,
    dot(rows[1].xyz, q) + rows[1].w,
    dot(rows[2].xyz, q) + rows[2].w,
  );
  let depth = (point.z - seen.scale.w) * seen.scale.z;
  return LayerPoint(vec4f(point.x * seen.scale.x, point.y * seen.scale.y, depth, 1.0), body);
}

/** Tells whether a layer was blended before, or its pixel needs no order. */
fn isDone(position: vec4f) -> bool {
  let pixel = vec2u(position.xy);
  return textureLoad(marks, pixel, 0).x == 0u || position.z <= textureLoad(reached, pixel, 0);
}

/** Finds the nearest layer behind the last one, by the depth test. */
@fragment
fn findNext(point: LayerPoint) -> @location(0) vec4f {
  if (isDone(point.position)) { discard; }
  return vec4f(0.0);
}

/** The colour of the body: 0 for A, the highest of eight bits for B. */
@fragment
fn blendLayer(point: LayerPoint) -> @location(0) vec4f {
  if (isDone(point.position)) { discard; }
  return vec4f(select(0.0, 128.0 / 255.0, point.body == 1u));
}
