// The fragments of boxes as a list, for the passes of the owners (owners/fragments.wgsl).

@group(1) @binding(0) var<storage, read_write> imageState: array<atomic<u32>>;
@group(1) @binding(1) var<storage, read_write> fragments: array<vec4u>;

@fragment
fn collect(box: BoxVertex) {
  // Too fine an image: the counter must not wrap before the question is asked again.
  if (atomicLoad(&imageState[fragmentsAt]) >= culling.mostFragments) { return; }
  let pixel = vec2u(box.position.xy);
  let place = atomicAdd(&imageState[fragmentsAt], 1u);
  if (place < arrayLength(&fragments)) {
    let at = (drawing.view * culling.resolution + pixel.y) * culling.resolution + pixel.x;
    fragments[place] = vec4u(at, box.least, box.greatest, box.instance);
  }
}
