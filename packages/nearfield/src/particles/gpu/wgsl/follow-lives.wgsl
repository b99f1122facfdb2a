// Follows each listed particle from impact to impact and from life to life until its segment holds at the window's end,
// and records every impact that falls, or may fall, into the window.

@group(0) @binding(2) var<storage, read_write> ticks: array<vec2u>;
@group(0) @binding(7) var<storage, read> due: array<u32>;
/**
 * The head, then the certain records, then those to decide, four words per record; then the columns of the certain ones.
 */
@group(0) @binding(8) var<storage, read_write> records: array<atomic<u32>>;

/** Whether certain impacts get columns (columns.wgsl). Otherwise that code is left out of the kernel. */
override emitsColumns: bool;

const unsureRecord = 1u;
const borderRecord = 2u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (id.x == 0u) {
    atomicStore(&records[serialAt], window.serial);
    atomicAdd(&records[dueAt], due[0]);
  }
  for (var i = id.x; i < due[0]; i += groups.x * 64u) { follow(due[1u + i]); }
}

/** Returns the place of a certain record in its list; `noRecord` for others. */
fn record(index: u32, generation: u32, hit: u32, flags: u32) -> u32 {
  if (window.emits == 0u) { return noRecord; }
  var at = headWords;
  var listed = noRecord;
  if (flags == 0u) {
    listed = atomicAdd(&records[certainAt], 1u);
    if (listed >= window.certainRoom) { return noRecord; }
    at += 4u * listed;
  } else {
    let place = atomicAdd(&records[decideAt], 1u);
    if (place >= window.decideRoom) { return noRecord; }
    at += 4u * (window.certainRoom + place);
  }
  atomicStore(&records[at], system.first + index);
  atomicStore(&records[at + 1u], generation);
  atomicStore(&records[at + 2u], hit);
  atomicStore(&records[at + 3u], flags);
  return listed;
}

const noRecord = 0xffffffffu;

/** The current life of a particle. */
struct Life {
  phase: u32,
  generation: u32,
  /** The number of impacts so far in this life. */
  impacts: u32,
  collider: u32,
  leaf: u32,
  width: u32,
  /** The ticks between which the segment holds. */
  since: u32,
  next: u32,
  /**
   * For stepped motion: the chord of the segment in which the next impact is, and whether it is about its end
   * (`atJoin`).
   */
  chord: u32,
}

fn storeLife(index: u32, life: Life) {
  ticks[index] = vec2u(life.since, life.next);
  lives[system.stride * index] =
    vec4u(life.collider | (life.impacts << 16u), life.generation, life.phase | (life.leaf << 4u), life.width);
}

fn storeSteps(index: u32, life: Life, segment: Segment, steps: Steps) {
  let row = 4u * index;
  let errors = bitcast<vec3u>(vec3f(steps.offX, steps.offV, segment.timeError));
  lives[row + 1u] = vec4u(vec3u(steps.x), segment.since);
  lives[row + 2u] = vec4u(vec3u(steps.v), segment.left | (life.chord << 16u));
  lives[row + 3u] = vec4u(errors, segment.leaf | ((life.chord >> 16u) << 31u));
}

/**
 * Stores a segment: the place of a resting particle, the integers of a stepped one, nothing for one that has not hit
 * anything yet.
 */
fn keep(index: u32, life: Life, segment: Segment, steps: Steps) {
  if (system.stride == 1u) { return; }
  if (anySteps && life.phase != restingPhase) {
    storeSteps(index, life, segment, steps);
  } else if (life.impacts > 0u) {
    storeSegment(index, segment);
  }
}

/** An impact whose time is known no better than this is decided if a window ends within it. */
const wideTicks = 0x10000u;

/** If nothing happens for this many ticks, the particle is examined again. */
const longWhile = 0x20000000u;

fn bouncesOff(collider: u32) -> bool { return (colliders[collider].flags & bouncesFlag) != 0u; }

fn follow(index: u32) {
  let span = lifeTicksOf(index);
  let birth = birthTicksOf(index);
  var life: Life;
  // A kept segment serves from where it begins to where its life ends.
  let held = ticks[index];
  let words = lives[system.stride * index];
  let phase = words.z & 15u;
  // An impact right before the end of a life may round to the tick at which the next begins. So a window that begins at
  // that tick also asks the life before, and whatever is known about a life from its birth on holds from a tick later.
  let onTick = window.emits != 0u && window.fromCeiling == window.fromLow;
  let ends = birth.x + words.y * span + span;
  let usable = window.fresh == 0u && phase != unknownPhase && phase != nonePhase && !isBefore(window.fromLow, held.x)
    && (isBefore(window.fromLow, ends) || (onTick && window.fromLow == ends));
  if (usable) {
    life = Life(phase, words.y, words.x >> 16u, words.x & 0xffffu, words.z >> 4u, words.w, held.x, held.y, 0u);
    if (anySteps) { life.chord = (lives[4u * index + 2u].w >> 16u) | ((lives[4u * index + 3u].w >> 31u) << 16u); }
  } else {
    let age = subtractWide(vec2u(window.fromLow, window.fromHigh), birth);
    if (i32(age.y) < 0) {
      // The particle is not born yet: wait until it is, or for a while.
      let wait = subtractWide(birth, vec2u(window.fromLow, window.fromHigh));
      let soon = wait.y == 0u && wait.x <= longWhile;
      let next = window.fromLow + select(longWhile, wait.x, soon);
      if (!soon || !isBefore(next, window.toCeiling)) {
        storeLife(index, Life(nonePhase, 0u, 0u, noCollider, noLeaf, 0u, window.fromLow, next, 0u));
        return;
      }
    } else {
      life.generation = divideWide(age, span);
      if (onTick && life.generation > 0u && birth.x + life.generation * span == window.fromLow) { life.generation -= 1u; }
    }
  }
  var segment: Segment;
  var steps: Steps;
  var loaded = false;
  var stored = false;
  loop {
    let born = birth.x + life.generation * span;
    if (life.phase == unknownPhase && life.impacts == 0u && life.generation >= system.generations) {
      // From the end of the last life on.
      storeLife(index, Life(nonePhase, life.generation, 0u, noCollider, noLeaf, 0u, born + 1u, window.toCeiling + longWhile, 0u));
      return;
    }
    // If it vanishes, only the time matters.
    let follows = life.phase == hitPhase || (anySteps && life.phase == steppingPhase);
    if (!loaded && (life.phase == unknownPhase || (follows && (system.stride > 1u || emitsColumns)))) {
      segment = segmentOf(index, life.generation, life.impacts);
      if (anySteps) {
        if (life.phase == unknownPhase) {
          segment = Segment(segment.path, 0u, 0.0, noCollider, noLeaf, 0);
          steps = stepsAtBirth(index, life.generation);
        } else {
          steps = keptSteps(index);
        }
        steps = begunAt(steps, index, life.generation, segment.since, segment.timeError);
      }
      loaded = true;
    }
    if (life.phase == unknownPhase) {
      if (life.impacts == 0u && segment.since == 0u) { life.since = born + 1u; }
      let solved = solve(segment, steps, born, span);
      life.phase = solved.phase;
      life.chord = solved.chord;
      life.collider = solved.collider;
      life.leaf = solved.leaf;
      life.next = born + u32(solved.low);
      life.width = u32(solved.high - solved.low);
    }
    if (!isBefore(life.next, window.toCeiling)) { break; }
    if (life.phase == unsurePhase) {
      _ = record(index, life.generation, noCollider | (life.impacts << 16u), unsureRecord);
      break;
    }
    let stepping = anySteps && life.phase == steppingPhase;
    if (life.phase != hitPhase && !stepping) {
      // The next life.
      life.generation += 1u;
      life.impacts = 0u;
      life.phase = unknownPhase;
      loaded = false;
      continue;
    }
    let high = life.next + life.width;
    let last = !stepping && !isBefore(high, window.toCeiling);
    if (last && life.width > wideTicks) {
      // The impact might be in several windows and would have to be decided in each. So it is decided once, and then
      // its time is known.
      life.phase = unsurePhase;
      continue;
    }
    var listed = noRecord;
    if (!stepping && (last || !isBefore(high, window.fromCeiling))) {
      let certain = !last && !isBefore(life.next, window.fromCeiling);
      listed = record(index, life.generation, life.collider | (life.impacts << 16u), select(borderRecord, 0u, certain));
    }
    if (last && !stored) {
      // The next window begins before this impact.
      storeLife(index, life);
      if (loaded) { keep(index, life, segment, steps); }
      stored = true;
    }
    if (anySteps && (stepping || bouncesOff(life.collider) || (emitsColumns && listed != noRecord))) {
      // To the end of the chord that is hit, or of the next if it is hit about its end; or, if nothing is hit in the
      // chords that were examined, to the end of these.
      let chord = life.chord & 0xffffu;
      let joins = !stepping && life.chord >= atJoin;
      let count = select(chord + select(1u, 2u, joins), chordsAhead, stepping);
      var before = steps;
      var at = steps;
      var path: Path;
      for (var i = 0u; i < count; i++) {
        before = at;
        at = steps;
        _ = makeStep(&steps);
        if (!stepping && i + 2u >= count) {
          path = segment.path;
          segment.path = chordOf(at, steps);
        }
      }
      if (stepping) {
        // Examine the next few chords. If nothing is hit in the last ones, that is known from there on.
        segment.since += chordsAhead * system.stepTicks;
        segment.left = noCollider;
        life.since = born + segment.since;
        life.phase = unknownPhase;
        continue;
      }
      segment.since += chord * system.stepTicks;
      if (life.chord > 0u) { segment.left = noCollider; }
      if (joins) {
        segment.path = joinOf(before, at, steps, path, segment.path);
        segment.since += halfStep();
        steps = at;
      }
    }
    if (emitsColumns && listed != noRecord) { writeColumns(listed, index, life, segment, born, high); }
    let response = respond(segment, born, life.collider, life.leaf, life.impacts, life.next, high);
    life.impacts += 1u;
    life.since = high + 1u;
    if (response.step == unsureStep) {
      life.phase = unsurePhase;
      life.collider = noCollider;
      life.width = 0u;
    } else {
      segment = response.segment;
      life.phase = unknownPhase;
      if (response.step != bounceStep) {
        life.phase = select(gonePhase, restingPhase, response.step == restStep);
        life.next = born + span;
      } else if (anySteps) {
        // Surfaces within two units are contacts.
        let path = segment.path;
        steps = stepsFrom(path.x, path.v, path.errorX, path.errorV, steps.gain);
        steps.offX += 4.0;
        steps = begunAt(steps, index, life.generation, segment.since, segment.timeError);
      }
    }
  }
  if (stored) { return; }
  storeLife(index, life);
  if (loaded) { keep(index, life, segment, steps); }
}
