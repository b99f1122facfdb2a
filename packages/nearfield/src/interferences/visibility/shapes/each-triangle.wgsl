// Prepares the shapes that are drawn for all triangles, and tells which triangles lie where their bodies may meet others.
// Also divides large shapes for raster-shapes.wgsl. The shape's module defines `writeShape`.

@group(0) @binding(0) var<uniform> culling: Culling;
@group(0) @binding(1) var<storage, read> placings: array<Placing>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4i>;
@group(0) @binding(3) var<storage, read_write> imageState: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> bodyStates: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> instances: array<Instance>;
/** Seven vectors per triangle. Their meaning depends on the drawn shape: see its `writeShape`. */
@group(0) @binding(6) var<storage, read_write> drawnShapes: array<vec4f>;

@group(0) @binding(7) var<storage, read_write> longRows: array<vec2u>;

var<workgroup> nearCount: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) thread: u32,
  @builtin(num_workgroups) groups: vec3u,
) {
  let window = imageWindow();
  let keepAll = atomicLoad(&imageState[keepAllAt]) == 1u;
  for (var instance = id.x; instance < culling.instanceCount; instance += groups.x * 256u) {
    let body = bodyOfInstance(instance);
    instances[instance].owner = body;
    var flags = 0u;
    if ((atomicLoad(&bodyStates[bodyStateWords * body + bodyFlagsAt]) & askedFlag) != 0u) {
      let corners = sceneCorners(body, instance - placings[body].firstInstance);
      if (keepAll || isNear(body, corners)) { flags = askedFlag; }
      writeShape(instance, body, corners, window);
      if (!keepAll) { for (var view = 0u; view < culling.views; view++) { listParts(instance, view); } }
    }
    atomicStore(&instances[instance].flags, flags);
    if (flags != 0u) { atomicAdd(&nearCount, 1u); }
  }
  workgroupBarrier();
  if (thread == 0u) { atomicAdd(&imageState[nearTrianglesAt], atomicLoad(&nearCount)); }
}

/**
 * Lists the parts of a shape that is large, or that raster-shapes.wgsl may find large: the triangle; and the view, the
 * number of parts per strip less 1, the part's number in its strip, and the strip's number from the image's first row.
 */
fn listParts(instance: u32, view: u32) {
  let rectangle = rectangleOf(instance, view);
  if (!mayBeLarge(rectangle)) { return; }
  // No list has room for more, and the counter must not wrap.
  if (atomicLoad(&imageState[counterAt(longRowsAt)]) >= tooMany) { return; }
  let parts = partsOf(rectangle);
  let first = rectangle.first.y / u32(tileSide);
  let count = parts * ((rectangle.first.y + rectangle.size.y - 1u) / u32(tileSide) - first + 1u);
  let place = atomicAdd(&imageState[counterAt(longRowsAt)], count);
  for (var i = 0u; i < count && place + i < arrayLength(&longRows); i++) {
    longRows[place + i] = vec2u(instance, (view << 28u) | ((parts - 1u) << 25u) | ((i % parts) << 22u) | (first + i / parts));
  }
}
