// The numbers of a certain impact in single precision, each with a bound of how far it may be from the evaluator's
// (gpu/filter.md, section 8), and its texel in the map of its collider (gpu/maps/map-forms.wgsl). One column per number,
// `certainRoom` words each.

fn putColumn(column: u32, listed: u32, word: u32) {
  atomicStore(&records[window.columnsAt + column * window.certainRoom + listed], word);
}

fn putNumber(column: u32, listed: u32, number: f32) { putColumn(column, listed, bitcast<u32>(number)); }

/** `segment` is the one that ends with this impact, between the ticks `life.next` and `high`. */
fn writeColumns(listed: u32, index: u32, life: Life, segment: Segment, born: u32, high: u32) {
  let collider = life.collider;
  // As in `respond`: the middle of the interval, and how far the true time may be from it.
  let half = (high - life.next) / 2u;
  let ahead = i32(life.next - born) - i32(segment.since) + i32(half);
  let width = f32(high - life.next) * 0x1p-31 + 0x1p-30;
  let time = f32(max(ahead, 0)) * 0x1p-30;
  let spread = max(width - segment.timeError, 0.0) + 0x1p-30 + unit * time;
  let ticks = f32(i32(life.next + half - window.fromLow)) * system.tickSeconds;
  putNumber(timeColumn, listed, window.since + ticks);
  putNumber(timeErrorColumn, listed,
    1.00001 * (width * 0x1p30 * system.tickSeconds + 4.0 * unit * (abs(window.since) + abs(ticks))));

  let place = placeAt(segment.path, time);
  let fast = length(velocityAt(segment.path, time)) + velocityError(segment.path, time) + segment.path.pull * spread;
  let errorX = placeError(segment.path, time) + fast * spread;
  for (var axis = 0u; axis < 3u; axis++) {
    atomicStore(&records[window.columnsAt + placeColumn * window.certainRoom + 3u * listed + axis],
      bitcast<u32>(system.scale * place[axis]));
  }
  putNumber(placeErrorColumn, listed, 1.00001 * system.scale * errorX);

  let began = born + segment.since;
  let path = pathTo(collider, segment.path, began, segment.timeError);
  var surface = surfaceOf(collider, began, segment.timeError);
  let isKnown = !anyMeshes || surface.kind != meshKind || life.leaf != noLeaf;
  if (anyMeshes && surface.kind == meshKind && isKnown) { surface = triangleOf(surface, life.leaf); }
  let seen = seenAt(surface, path, time, spread);
  let speed = length(seen.w);
  var across = vec4f(0.0, 0.0, 0.0, 1.0);
  if (isKnown) { across = normalAt(surface, seen); }
  // A normal that is off by 1 or more says nothing: the component is between 0 and the speed.
  let off = min(across.w, 1.0);
  let along = min(abs(dot(across.xyz, seen.w)), speed);
  let speedError = seen.errorW + seen.pull * spread + (off + 16.0 * unit) * seen.speed;
  putNumber(speedColumn, listed, system.speedScale * speed);
  putNumber(normalSpeedColumn, listed, system.speedScale * along);
  putNumber(speedErrorColumn, listed, 1.00001 * system.speedScale * speedError);

  putColumn(particleColumn, listed, system.first + index);
  putColumn(generationColumn, listed, life.generation);
  putColumn(colliderColumn, listed, collider);
  putColumn(bounceColumn, listed, life.impacts);
  let map = colliders[collider].map;
  putColumn(texelColumn, listed, texelOf(map, life.leaf, seen.p));
  putNumber(valueColumn, listed, mapValueOf(map, system.speedScale * speed, system.speedScale * along));
}
