// The triangle itself, for CULLIDE's queries: its corners, in coordinates in which the window is the unit cube.

fn writeShape(instance: u32, body: u32, corners: array<vec3f, 3>, window: Window) {
  for (var i = 0u; i < 3u; i++) {
    drawnShapes[shapeVectors * instance + i] = vec4f((corners[i] - window.low) * window.inverseSize, 0.0);
  }
}
