// What remains of the outline of a part of a triangle when the perturbation (perturbed.ts) is undone? A part that
// exists only because a solid was treated as moved, along an edge or over a face in which the solids only touch, then
// has no area: its outline runs along the same lines back and forth. So lines are cut where others end on them, and
// lines of opposite directions cancel.

import type { PointNumbers } from '../../../interferences/curves/point-numbers.ts';

/** Lines from one point to another, two numbers per line; the same line may occur several times. */
export function withoutReturns(lines: readonly number[], numbers: PointNumbers): number[] {
  const stops = [...new Set(lines)].sort((m, n) => numbers.compare(m, n));
  const place = new Map(stops.map((number, i) => [number, i]));
  // How often each line runs from the lower to the higher point, minus how often it runs back.
  const counts = new Map<number, number>();
  for (let i = 0; i < lines.length; i += 2) {
    const [from, to] = [place.get(lines[i])!, place.get(lines[i + 1])!];
    const [low, high] = from < to ? [from, to] : [to, from];
    let last = low;
    for (let at = low + 1; at <= high; at++) {
      if (at < high && !numbers.isBetween(stops[at], stops[low], stops[high])) continue;
      const key = last * stops.length + at;
      counts.set(key, (counts.get(key) ?? 0) + (from < to ? 1 : -1));
      last = at;
    }
  }
  const left: number[] = [];
  for (const [key, count] of counts) {
    const [low, high] = [stops[Math.floor(key / stops.length)], stops[key % stops.length]];
    for (let i = 0; i < Math.abs(count); i++) left.push(...(count > 0 ? [low, high] : [high, low]));
  }
  return left;
}
