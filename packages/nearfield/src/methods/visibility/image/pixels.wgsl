// Where a pixel's numbers lie.

const tileSide = 16;

fn pixelOf(view: u32, column: i32, row: i32) -> u32 {
  return (view * culling.resolution + u32(row)) * culling.resolution + u32(column);
}
