// The clashes of an answer as a GLB file for any viewer: the parts as glass, the curves in which they meet as lines, one
// node per clash with what is known about it in its extras. glTF is in metres with +y up.

import { NearfieldError } from 'nearfield';
import { pairKey } from '../assembly/pair-key.ts';
import type { AssemblyAnswer, AssemblyPair } from '../assembly/types.ts';
import { contactOf } from '../report/draw/contact.ts';
import type { ReportBody, ReportInput } from '../report/types.ts';
import { isFailing } from '../severity/failing.ts';
import { byImportance } from '../severity/order.ts';
import { sortVisits } from '../steps/pauses.ts';
import { each, itemsPerStep, mapped, type Steps } from '../steps/steps.ts';
import { GlbWriter } from './glb-writer.ts';

const glass = { baseColorFactor: [0.55, 0.68, 0.8, 0.25], metallicFactor: 0, roughnessFactor: 0.6 };
const red = { baseColorFactor: [0.84, 0.13, 0.19, 1], metallicFactor: 0, roughnessFactor: 1 };

/** Bodies and contacts that are added in one step: each takes about a tenth of a millisecond. */
const perStep = 128;

/** About how many items the steps of `assemblyGlb` visit, a body or a contact being as much as several items of a list. */
export function glbVisits({ bodies, frames }: AssemblyAnswer): number {
  const pairs = frames[0].pairs.length;
  return sortVisits(pairs) + pairs + (itemsPerStep / perStep + 4) * (bodies.length + pairs);
}

/** The bytes of the file. `input` are the bodies and pairs as pictures have them. Throws 'unsupported' for a motion. */
export function* assemblyGlb(answer: AssemblyAnswer, input: ReportInput): Steps<Uint8Array> {
  if (answer.isMotion)
    throw new NearfieldError('unsupported', 'a GLB of clashes shows one state, not a motion');
  const { unit = 1, failOn } = answer;
  const writer = new GlbWriter([
    { name: 'part', pbrMetallicRoughness: glass, alphaMode: 'BLEND', doubleSided: true },
    { name: 'contact', pbrMetallicRoughness: red, emissiveFactor: [0.84, 0.13, 0.19] },
  ]);
  const inOrder = yield* byImportance(answer.frames[0].pairs);
  const failing = inOrder.filter(pair => isFailing(pair, failOn));
  const parts = new Set(failing.flatMap(({ a, b }) => [a, b]));
  yield* each(
    [...parts].sort((p, q) => p - q),
    index => {
      const body = input.bodies[index];
      const { name, file, id, type, path } = answer.bodies[index];
      const center = centerOf(body);
      writer.addNode(
        name,
        toGltf(center, unit),
        0,
        4,
        { index, file, id, type, path },
        {
          positions: relative(body.positions, center, unit),
          indices: body.indices,
        },
      );
    },
    perStep,
  );
  const { length: count } = input.bodies;
  const byKey = new Map(yield* mapped(input.pairs, pair => [pairKey(pair, count), pair] as const));
  const addContact = ({ a, b, clash, relation, verdict, depth, distance, severity }: AssemblyPair) => {
    const shown = byKey.get(pairKey({ a, b }, count))!;
    const segments =
      relation === 'separate'
        ? Float64Array.of(...shown.pointA!, ...shown.pointB!)
        : contactOf(input.bodies, shown).segments;
    if (segments.length === 0) return;
    const center = [segments[0], segments[1], segments[2]];
    const title = `${answer.bodies[a].name} and ${answer.bodies[b].name}`;
    const facts = { clash, a, b, relation, verdict, depth, distance, severity };
    writer.addNode(title, toGltf(center, unit), 1, 1, facts, { positions: relative(segments, center, unit) });
  };
  yield* each(failing, addContact, perStep);
  return yield* writer.finish('nearfield');
}

/** Pictures have +z up, glTF +y: (x, y, z) becomes (x, z, −y). */
const toGltf = ([x, y, z]: readonly number[], unit: number): number[] => [x * unit, z * unit, -y * unit];

/** Vertices around a centre lose nothing in single precision, however far away that is. */
function relative(positions: Float64Array, center: readonly number[], unit: number): Float32Array {
  const points = new Float32Array(positions.length);
  for (let i = 0; i < points.length; i += 3) {
    const offset = [0, 1, 2].map(axis => positions[i + axis] - center[axis]);
    points.set(toGltf(offset, unit), i);
  }
  return points;
}

function centerOf({ positions }: ReportBody): number[] {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return low.map((value, axis) => value / 2 + high[axis] / 2);
}
