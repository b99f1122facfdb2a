// The zero set of a field's samples, interpolated trilinearly. Within a cell each component of the gradient is a mean
// of the differences of samples along its four edges; over some cells it lies between the least and the greatest of
// them. So a piece's slope is known as soon as few cells are left; over more cells, the bound of all gradients is used.

/** Up to this many cells along an axis, a piece is examined cell by cell. */
const mostCells = 3;

/**
 * Rows: three from own coordinates to cells (w: offset), then dimensions, then the greatest gradient; then the samples.
 */
fn sampleOf(surface: Surface, cell: vec3i) -> f32 {
  let size = vec3i(rows[surface.rows + 3u].xyz);
  let at = clamp(cell, vec3i(0), size - 1);
  let word = u32((at.z * size.y + at.y) * size.x + at.x);
  return bitcast<f32>(rows[surface.rows + 5u + word / 4u][word % 4u]);
}

fn cellsOf(surface: Surface, p: vec3f) -> vec3f {
  let x = floatsAt(surface.rows);
  let y = floatsAt(surface.rows + 1u);
  let z = floatsAt(surface.rows + 2u);
  return vec3f(dot(x.xyz, p) + x.w, dot(y.xyz, p) + y.w, dot(z.xyz, p) + z.w);
}

/** A vector in own coordinates along the cells, and the greatest length of one in any direction. */
fn alongCells(surface: Surface, v: vec3f) -> vec3f {
  return vec3f(dot(floatsAt(surface.rows).xyz, v), dot(floatsAt(surface.rows + 1u).xyz, v), dot(floatsAt(surface.rows + 2u).xyz, v));
}
fn cellLengths(surface: Surface) -> vec3f {
  return vec3f(length(floatsAt(surface.rows).xyz), length(floatsAt(surface.rows + 1u).xyz), length(floatsAt(surface.rows + 2u).xyz));
}

/** Bounds of the gradient, per cell, over all cells within reach of a place; and the greatest sample there. */
struct FieldRange { low: vec3f, high: vec3f, size: f32 }

fn fieldRange(surface: Surface, first: vec3i, last: vec3i) -> FieldRange {
  var range = FieldRange(vec3f(0x1p60), vec3f(-0x1p60), 0.0);
  for (var z = first.z; z <= last.z + 1; z++) {
    for (var y = first.y; y <= last.y + 1; y++) {
      for (var x = first.x; x <= last.x + 1; x++) {
        let cell = vec3i(x, y, z);
        let here = sampleOf(surface, cell);
        range.size = max(range.size, abs(here));
        for (var axis = 0u; axis < 3u; axis++) {
          if (cell[axis] > last[axis]) { continue; }
          var ahead = cell;
          ahead[axis] += 1;
          let difference = sampleOf(surface, ahead) - here;
          range.low[axis] = min(range.low[axis], difference);
          range.high[axis] = max(range.high[axis], difference);
        }
      }
    }
  }
  return range;
}

fn fieldPiece(surface: Surface, seen: Seen, radius: f32) -> Piece {
  let size = vec3i(rows[surface.rows + 3u].xyz);
  let steep = floatsAt(surface.rows + 4u).x;
  let lengths = cellLengths(surface);
  let place = cellsOf(surface, seen.p);
  let off = 1.00001 * lengths * (seen.errorP + 8.0 * unit * length(seen.p))
    + 8.0 * unit * vec3f(abs(floatsAt(surface.rows).w), abs(floatsAt(surface.rows + 1u).w), abs(floatsAt(surface.rows + 2u).w));
  let inside = clamp(place, vec3f(0.0), vec3f(size) - 1.0);
  let base = min(vec3i(floor(inside)), size - 2);
  let share = inside - vec3f(base);
  let reach = 1.001 * lengths * seen.moved + off + 0x1p-10;
  let first = clamp(vec3i(floor(clamp(place - reach, vec3f(-1.0), vec3f(size)))), vec3i(0), size - 2);
  let last = clamp(vec3i(floor(clamp(place + reach, vec3f(-1.0), vec3f(size)))), vec3i(0), size - 2);
  let few = all(last - first < vec3i(mostCells));
  var greatest = 0.0;
  var corners: array<f32, 8>;
  for (var i = 0; i < 8; i++) {
    corners[i] = sampleOf(surface, base + vec3i(i & 1, (i >> 1) & 1, i >> 2));
    greatest = max(greatest, abs(corners[i]));
  }
  let x0 = mix(vec4f(corners[0], corners[2], corners[4], corners[6]), vec4f(corners[1], corners[3], corners[5], corners[7]), vec4f(share.x));
  let y0 = mix(x0.xz, x0.yw, vec2f(share.y));
  let value = mix(y0.x, y0.y, share.z);
  if (!few) {
    let most = 1.001 * steep * seen.speed;
    return Piece(value, 1.001 * (steep * length(off / lengths) + 32.0 * unit * greatest), -most, most);
  }
  let range = fieldRange(surface, first, last);
  let error = dot(max(abs(range.low), abs(range.high)), off) + 32.0 * unit * range.size;
  // How fast cells go by, anywhere in the piece; 0 beyond the end of the grid.
  let middle = alongCells(surface, seen.w);
  let spread = 1.001 * lengths * (seen.pull * radius + seen.errorW + 16.0 * unit * seen.speed);
  let beyond = (place - reach < vec3f(0.0)) | (place + reach > vec3f(size) - 1.0);
  let slow = select(middle - spread, min(middle - spread, vec3f(0.0)), beyond);
  let fast = select(middle + spread, max(middle + spread, vec3f(0.0)), beyond);
  let a = range.low * slow;
  let b = range.low * fast;
  let c = range.high * slow;
  let d = range.high * fast;
  let low = min(min(a, b), min(c, d));
  let high = max(max(a, b), max(c, d));
  let room = 16.0 * unit * dot(max(abs(range.low), abs(range.high)), abs(middle) + spread);
  return Piece(value, 1.001 * error, low.x + low.y + low.z - room, high.x + high.y + high.z + room);
}

/** How far inside the samples a place lies, as a length. */
fn fieldDepth(surface: Surface, p: vec3f) -> f32 {
  let place = cellsOf(surface, p);
  let depths = min(place, vec3f(rows[surface.rows + 3u].xyz) - 1.0 - place) / cellLengths(surface);
  return min(depths.x, min(depths.y, depths.z));
}

/** In own coordinates; w: the error. */
fn fieldGradient(surface: Surface, p: vec3f, near: f32) -> vec4f {
  let size = vec3i(rows[surface.rows + 3u].xyz);
  let lengths = cellLengths(surface);
  let place = cellsOf(surface, p);
  let reach = 1.001 * lengths * near + 64.0 * unit * (abs(place) + 1.0);
  let first = clamp(vec3i(floor(clamp(place - reach, vec3f(-1.0), vec3f(size)))), vec3i(0), size - 2);
  let last = clamp(vec3i(floor(clamp(place + reach, vec3f(-1.0), vec3f(size)))), vec3i(0), size - 2);
  if (any(first != last)) { return vec4f(0.0, 0.0, 0.0, 1.0); }
  let share = place - vec3f(first);
  var gradient = vec3f(0.0);
  var greatest = 0.0;
  var rough = 0.0;
  for (var axis = 0u; axis < 3u; axis++) {
    let next = (axis + 1u) % 3u;
    let after = (axis + 2u) % 3u;
    var edges: array<f32, 4>;
    for (var i = 0; i < 4; i++) {
      var cell = first;
      cell[next] += i & 1;
      cell[after] += i >> 1;
      let here = sampleOf(surface, cell);
      cell[axis] += 1;
      let ahead = sampleOf(surface, cell);
      greatest = max(greatest, max(abs(here), abs(ahead)));
      edges[i] = ahead - here;
    }
    gradient[axis] = mix(mix(edges[0], edges[1], share[next]), mix(edges[2], edges[3], share[next]), share[after]);
    // How it changes along the other two axes.
    rough += abs(edges[1] - edges[0]) + abs(edges[3] - edges[2]) + abs(edges[2] - edges[0]) + abs(edges[3] - edges[1]);
  }
  let own = gradient.x * floatsAt(surface.rows).xyz + gradient.y * floatsAt(surface.rows + 1u).xyz + gradient.z * floatsAt(surface.rows + 2u).xyz;
  let most = lengths.x + lengths.y + lengths.z;
  let widest = max(reach.x, max(reach.y, reach.z));
  return vec4f(own, 1.001 * most * (rough * widest + 64.0 * unit * greatest));
}
