// Where a life starts: from arrays, or by rule from seed, particle and generation (compiled.ts, `CompiledRegion`), with the
// error of single precision. And when: births and life spans in whole ticks, exactly.

struct Start {
  x: vec3f,
  v: vec3f,
  a: vec3f,
  errorX: f32,
  errorV: f32,
  errorA: f32,
}

fn lifeTicksOf(index: u32) -> u32 {
  if (system.positionKind == arraysStart) { return starts[3u * index].w; }
  if ((system.lifeAbove | system.lifeBelow) == 0u) { return system.lifeBase; }
  let h = hashOf(system.seed, system.first + index, 0u, 10u) >> 8u;
  return spreadTicks(vec2u(system.lifeBase, 0u), system.lifeAbove, system.lifeBelow, h).x;
}

fn birthTicksOf(index: u32) -> vec2u {
  if (system.positionKind == arraysStart) { return vec2u(starts[3u * index + 1u].w, starts[3u * index + 2u].w); }
  let base = vec2u(system.birthBaseLow, system.birthBaseHigh);
  if ((system.birthAbove | system.birthBelow) == 0u) { return base; }
  let h = hashOf(system.seed, system.first + index, 0u, 11u) >> 8u;
  return spreadTicks(base, system.birthAbove, system.birthBelow, h);
}

fn startOf(index: u32, generation: u32) -> Start {
  let particle = system.first + index;
  var start: Start;
  start.a = system.acceleration.xyz;
  start.errorA = system.acceleration.w;
  start.errorX = system.startErrorX + system.referenceX;
  start.errorV = system.startErrorV + system.referenceV;
  if (system.positionKind == arraysStart) {
    start.x = bitcast<vec3f>(starts[3u * index].xyz);
    start.v = bitcast<vec3f>(starts[3u * index + 1u].xyz);
    start.a = bitcast<vec3f>(starts[3u * index + 2u].xyz);
    if (system.varies == 1u && generation > 0u) {
      for (var axis = 0u; axis < 3u; axis++) {
        let share = uniformOf(system.seed, particle, generation, axis);
        let push = uniformOf(system.seed, particle, generation, 5u + axis);
        start.x[axis] += (2.0 * share - 1.0) * system.position[0][axis];
        start.v[axis] += (2.0 * push - 1.0) * system.velocity[0][axis];
      }
    }
    start.errorX += 2.0 * unit * length(start.x);
    start.errorV += 2.0 * unit * length(start.v);
    start.errorA = system.acceleration.w + 2.0 * unit * length(start.a);
    return start;
  }
  start.x = regionOf(system.positionKind, 0u, particle, generation, system.position[0], system.position[1], system.position[2]);
  start.v = regionOf(system.velocityKind, 5u, particle, generation, system.velocity[0], system.velocity[1], system.velocity[2]);
  return start;
}

fn regionOf(kind: u32, channel: u32, particle: u32, generation: u32, r0: vec4f, r1: vec4f, r2: vec4f) -> vec3f {
  if (kind == pointStart) { return r0.xyz; }
  let u0 = uniformOf(system.seed, particle, generation, channel);
  let u1 = uniformOf(system.seed, particle, generation, channel + 1u);
  let h2 = hashOf(system.seed, particle, generation, channel + 2u);
  let u2 = f32(h2 >> 8u) * 0x1p-24;
  if (kind == boxStart) { return r0.xyz + vec3f(r0.w, r1.xy) * vec3f(u0, u1, u2); }
  if (kind == discStart) {
    let turn = turnOf((h2 >> 8u) << 8u) * max(u0, u1);
    return r0.xyz + vec3f(r0.w, r1.xy) * turn.x + vec3f(r1.zw, r2.x) * turn.y;
  }
  if (kind == ballStart) {
    let height = uniformOf(system.seed, particle, generation, channel + 3u);
    let turn = turnOf((hashOf(system.seed, particle, generation, channel + 4u) >> 8u) << 8u);
    // z = 2u − 1, and 1 − z² = 4u(1 − u).
    let across = 2.0 * sqrt(height * (1.0 - height));
    return r0.xyz + r0.w * max(max(u0, u1), u2) * vec3f(across * turn, 2.0 * height - 1.0);
  }
  let fall = u0 * r2.y;
  let sine = sqrt(fall * (2.0 - fall));
  let turn = turnOf((hashOf(system.seed, particle, generation, channel + 1u) >> 8u) << 8u);
  let speed = r2.z + r2.w * u2;
  return speed * (r0.xyz * (1.0 - fall) + vec3f(r0.w, r1.xy) * (sine * turn.x) + vec3f(r1.zw, r2.x) * (sine * turn.y));
}
