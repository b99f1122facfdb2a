// Into which loops does a polygon fall whose holes are joined to it by bridges? A bridge is passed once in each
// direction. If its two edges are removed, the loops no longer touch, and a sweep triangulates the area between them.

import { type Loop, sweep } from './sweep.ts';

/**
 * Triangles by corner, counter-clockwise, as many as the polygon with its bridges has. The bridges need not be edges
 * of triangles. Undefined if there are no bridges, or if the loops without them still touch or cross.
 */
export function sweepWithoutBridges(loop: Loop): Uint32Array | undefined {
  const { count } = loop;
  const after = loop.after.slice(0, count);
  const before = loop.before.slice(0, count);
  const isLeft = new Uint8Array(count).fill(1);
  for (const [there, back] of bridgesOf(loop)) {
    // Edge i begins at corner i, so linking corners also links edges.
    const [beforeThere, afterThere] = [before[there], after[there]];
    const [beforeBack, afterBack] = [before[back], after[back]];
    isLeft[there] = 0;
    isLeft[back] = 0;
    after[beforeThere] = afterBack;
    before[afterBack] = beforeThere;
    after[beforeBack] = afterThere;
    before[afterThere] = beforeBack;
  }
  const kept = loop.before
    .slice(0, count)
    .map((_, i) => i)
    .filter(i => isLeft[i] === 1);
  if (kept.length === count) return undefined;
  const place = new Uint32Array(count);
  for (let i = 0; i < kept.length; i++) place[kept[i]] = i;
  const loops: Loop = {
    x: Float64Array.from(kept, i => loop.x[i]),
    y: Float64Array.from(kept, i => loop.y[i]),
    count: kept.length,
    before: kept.map(i => place[before[i]]),
    after: kept.map(i => place[after[i]]),
  };
  const triangles = sweep(loops, count - 2);
  return typeof triangles === 'string' ? undefined : triangles.map(corner => kept[corner]);
}

/** Pairs of edges between the same two positions, one in each direction. */
function bridgesOf({ x, y, count, after }: Loop): [number, number][] {
  const sorted = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  // Positions as whole numbers from 0, so that an edge is one number that fits in a double.
  const place = new Float64Array(count);
  for (let i = 1; i < count; i++) {
    const [a, b] = [sorted[i], sorted[i - 1]];
    place[a] = place[b] + (x[a] === x[b] && y[a] === y[b] ? 0 : 1);
  }
  const single = new Map<number, number>();
  const pairs: [number, number][] = [];
  for (let edge = 0; edge < count; edge++) {
    const [from, to] = [place[edge], place[after[edge]]];
    const back = single.get(to * count + from);
    if (back === undefined) single.set(from * count + to, edge);
    else {
      pairs.push([back, edge]);
      single.delete(to * count + from);
    }
  }
  return pairs;
}
