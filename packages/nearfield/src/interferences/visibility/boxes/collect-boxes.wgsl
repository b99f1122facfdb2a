// Lists the fragments of boxes, for the passes over fragments (owners/fragments.wgsl).

@group(1) @binding(0) var<storage, read_write> imageState: array<atomic<u32>>;
@group(1) @binding(1) var<storage, read_write> fragments: array<vec4u>;

@fragment
fn collect(box: BoxVertex) {
  // The image is too fine. Stop counting, so that the counter does not wrap before the question is asked again.
  if (atomicLoad(&imageState[counterAt(fragmentsAt)]) >= culling.mostFragments) { return; }
  let depths = depthsOnLine(box.instance, box.position.xy);
  if (depths.x > depths.y) { return; }
  let pixel = vec2u(box.position.xy);
  let place = atomicAdd(&imageState[counterAt(fragmentsAt)], 1u);
  if (place < arrayLength(&fragments)) {
    let at = (drawing.view * culling.resolution + pixel.y) * culling.resolution + pixel.x;
    fragments[place] = vec4u(at, depths, box.instance);
  }
}
