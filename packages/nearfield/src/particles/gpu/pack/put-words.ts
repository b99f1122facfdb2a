// Packs segments that were decided in double for put-segments.wgsl: times in ticks of the clock, the next impact
// enclosed by a few of them.

import type { Setup } from '../../compiled.ts';
import { birthTicksOf, lifeTicksOf } from '../../motion/ticks.ts';
import { noCollider, segmentNumbers, segmentRow, segmentStates } from '../../seam.ts';
import { type Frame, lowWord } from '../frame.ts';
import { noLeaf, phases, putWords } from '../layouts.ts';
import type { PackedColliders } from './pack-colliders.ts';

/** Words of all segments, one after the other. */
export function wordsOfSegments(
  setup: Setup,
  frame: Frame,
  packed: PackedColliders,
  segments: Float64Array,
): Uint32Array<ArrayBuffer> {
  const count = segments.length / segmentNumbers;
  const words = new Uint32Array(putWords * count);
  const floats = new Float32Array(words.buffer);
  for (let i = 0; i < count; i++) {
    writeSegment(setup, frame, packed, segments, segmentNumbers * i, words, floats, putWords * i);
  }
  return words;
}

function writeSegment(
  setup: Setup,
  frame: Frame,
  packed: PackedColliders,
  segments: Float64Array,
  from: number,
  words: Uint32Array,
  floats: Float32Array,
  at: number,
): void {
  const of = (name: keyof typeof segmentRow) => segments[from + segmentRow[name]];
  const particle = of('particle');
  const span = lifeTicksOf(setup, particle);
  const born = birthTicksOf(setup, particle) + of('generation') * span;
  const since = of('since') / setup.tick;
  const state = of('state');
  const collider = of('collider');
  const next = of('next');
  const hits = state === segmentStates.flying && next >= 0;
  const until = of('until') / setup.tick;
  // The double is rounded when it is added to the birth: one more tick on either side.
  const low = hits ? born + Math.floor(until) - 2 : born + span;
  const high = hits ? born + Math.ceil(until) + 2 : low;
  const phase =
    state === segmentStates.gone
      ? phases.gone
      : state === segmentStates.resting
        ? phases.resting
        : hits
          ? phases.hit
          : phases.free;
  const triangle = segments[from + segmentRow.triangle];
  const leaf = hits && triangle >= 0 ? (packed.leafOf.get(next)?.[triangle] ?? noLeaf) : noLeaf;
  words[at] = particle;
  words[at + 1] = (hits ? next : noCollider) | (of('bounce') << 16);
  words[at + 2] = of('generation');
  words[at + 3] = phase | (leaf << 4);
  words[at + 4] = high - low;
  // Everything earlier happened before this tick.
  words[at + 5] = lowWord(of('bounce') === 0 ? born + 1 : born + Math.ceil(since) + 2);
  words[at + 6] = lowWord(low);
  words[at + 7] = Math.round(since);
  const resting = state === segmentStates.resting;
  for (let axis = 0; axis < 3; axis++) {
    const place = segments[from + segmentRow.position + axis];
    // The place of a resting particle is relative to the centre of its collider.
    if (setup.stepped !== undefined && state === segmentStates.flying) {
      words[at + 8 + axis] = place;
      words[at + 11 + axis] = segments[from + segmentRow.velocity + axis];
      continue;
    }
    floats[at + 8 + axis] = resting
      ? (place - packed.centres[collider][axis]) / frame.length
      : frame.place(place, axis);
    floats[at + 11 + axis] = segments[from + segmentRow.velocity + axis] * frame.velocity;
  }
  words[at + 14] = (collider >= 0 ? collider : noCollider) | (of('chord') << 16);
}
