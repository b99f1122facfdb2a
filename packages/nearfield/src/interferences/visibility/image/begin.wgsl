// Prepares the first round. Clears the pixels and the flags of bodies. Computes, per body, the map from stored vertices
// to the scene's frame in single precision, and the error of that map.

@group(0) @binding(0) var<uniform> query: Query;
@group(0) @binding(1) var<uniform> culling: Culling;
@group(0) @binding(2) var<storage, read> bodies: array<Body>;
@group(0) @binding(3) var<storage, read_write> placings: array<Placing>;
@group(0) @binding(4) var<storage, read_write> imageState: array<u32>;
@group(0) @binding(5) var<storage, read_write> bodyStates: array<u32>;
@group(0) @binding(6) var<storage, read_write> survivors: array<u32>;
@group(0) @binding(7) var<storage, read_write> evenPixels: array<u32>;
@group(0) @binding(8) var<storage, read_write> oddPixels: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let threads = groups.x * 256u;
  for (var i = id.x; i < pixelWords * culling.pixelCount; i += threads) {
    evenPixels[i] = nobody;
    oddPixels[i] = nobody;
  }
  if (id.x < imageStateWords) { imageState[id.x] = 0u; }
  for (var i = id.x; i < bodyStateWords * culling.bodyCount; i += threads) { bodyStates[i] = 0u; }
  for (var i = culling.aliveAt + id.x; i < culling.listAt; i += threads) { survivors[i] = 0u; }
  for (var body = id.x; body < culling.bodyCount; body += threads) {
    survivors[body] = 0u;
    placeInScene(body);
  }
}

fn placeInScene(body: u32) {
  let sceneExponent = bitcast<i32>(query.originLow.w);
  // If a body is larger than 2^40 of the scene's unit, nothing is culled (mark-regions.wgsl).
  let scale = powerOfTwo(min(bodies[body].exponent - sceneExponent, 40));
  var error = vec4f(0.0);
  var reach = vec4f(0.0);
  for (var row = 0u; row < 3u; row++) {
    let position = decodeDouble(vec2u(bodies[body].centreLow[row], bodies[body].centreHigh[row]));
    let origin = decodeDouble(vec2u(query.originLow[row], query.originHigh[row]));
    let place = clamp(wideToFloat(subtractDoubles(position, origin), -sceneExponent), -0x1p60, 0x1p60);
    placings[body].rows[row] = vec4f(vec3f(bodies[body].linear[row].xyz) * (0x1p-30 * scale), place);
    reach[row] = abs(place) + 3.0 * scale;
    // The vertex's own error plus that of the sum, as for the broad phase's boxes (place-body.wgsl).
    error[row] = scale * bodies[body].error + 32.0 * unit * reach[row] + 0x1p-100 + query.margin;
  }
  placings[body].error = error;
  placings[body].reach = reach;
  placings[body].leafOffset = bodies[body].leafOffset;
  placings[body].firstInstance = survivors[culling.startsAt + body];
}
