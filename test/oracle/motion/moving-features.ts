// Seeded queries of moving features that are hard to decide: four points at time 0, then the same at time 1, 24 numbers.

import { type Random, whole } from '../triangles/generators.ts';

/** In general position. The points pass each other, so that about a tenth of the queries touch. */
export function generalQuery(random: Random, out: Float64Array): void {
  for (let i = 0; i < 24; i++) out[i] = random() * 2 - 1;
  mostlyShort(random, out);
}

/** Most get few digits: the oracle is ten times as fast. */
function mostlyShort(random: Random, out: Float64Array): void {
  if (random() < 0.99) for (let i = 0; i < 24; i++) out[i] = Math.round(out[i] * 2 ** 12) / 2 ** 12;
}

/** Points that move little compared to their size and are close to touching, as in a simulation. The first is near a face. */
export function smallStep(random: Random, out: Float64Array): void {
  for (let i = 0; i < 12; i++) out[i] = random() * 2 - 1;
  // The first point goes near a mixture of the others.
  const [u, v] = [random(), random()];
  for (let k = 0; k < 3; k++) {
    out[k] = out[3 + k] + u * (out[6 + k] - out[3 + k]) + v * (1 - u) * (out[9 + k] - out[3 + k]);
    out[k] += (random() - 0.5) * 2 ** -6;
  }
  for (let i = 12; i < 24; i++) out[i] = out[i - 12] + (random() - 0.5) * 2 ** -5;
  mostlyShort(random, out);
}

/**
 * On a small grid, where most have double roots, parallel edges, faces without area or contacts at 0 or 1. Some lie in one
 * plane for ever, some rest or only translate, some are copies of each other; some are stretched by powers of two.
 */
export function degenerateQuery(random: Random, out: Float64Array): void {
  const size = whole(random, 1, 5);
  for (let i = 0; i < 24; i++) out[i] = whole(random, -size, size);
  const kind = random();
  if (kind < 0.25) inOnePlane(random, out);
  else if (kind < 0.4) {
    // Two bodies that translate; the first has one or two points.
    const first = whole(random, 1, 2);
    for (let point = 0; point < 4; point++) {
      const like = point < first ? 0 : first;
      for (let k = 0; k < 3; k++) {
        out[12 + 3 * point + k] = out[3 * point + k] + out[12 + 3 * like + k] - out[3 * like + k];
      }
    }
  } else if (kind < 0.5) for (let i = 12; i < 24; i++) if (random() < 0.7) out[i] = out[i - 12];
  if (random() < 0.3) copyPath(out, whole(random, 0, 3), whole(random, 0, 3));
  if (random() < 0.15) copyPath(out, whole(random, 0, 3), whole(random, 0, 3));
  if (random() < 0.2) {
    // Time 1 or time 0 becomes the middle: contacts at the ends of the interval are frequent.
    const [from, to] = random() < 0.5 ? [0, 12] : [12, 0];
    for (let i = 0; i < 12; i++) out[to + i] = (out[from + i] + out[to + i]) / 2;
  }
  if (random() < 0.1) {
    const scale = 2 ** (random() < 0.5 ? -300 : 200);
    for (let i = 0; i < 24; i++) out[i] *= scale;
  }
  if (random() < 0.1) for (let i = 0; i < 24; i += 3) out[i] *= 2 ** 6;
}

/** All points move within one plane, which stands still or moves along. */
function inOnePlane(random: Random, out: Float64Array): void {
  const axis = whole(random, 0, 2);
  const [u, v] = [whole(random, -1, 1), whole(random, -1, 1)];
  const [start, end] = [whole(random, 0, 2), whole(random, 0, 2)];
  for (let point = 0; point < 8; point++) {
    const at = 3 * point;
    out[at + axis] =
      (point < 4 ? start : end) + u * out[at + ((axis + 1) % 3)] + v * out[at + ((axis + 2) % 3)];
  }
  // Sometimes even on one line.
  if (random() < 0.2) for (let point = 0; point < 8; point++) out[3 * point + ((axis + 1) % 3)] = 0;
}

function copyPath(out: Float64Array, from: number, to: number): void {
  for (let k = 0; k < 3; k++) {
    out[3 * to + k] = out[3 * from + k];
    out[12 + 3 * to + k] = out[12 + 3 * from + k];
  }
}
