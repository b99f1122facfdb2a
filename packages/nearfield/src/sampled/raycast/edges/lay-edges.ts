// Writes to each side of each tile which edges it has, and binds the trees of their bodies.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { Entry, GpuTrees } from '../../../bvh/gpu/trees.ts';
import { SideLayout } from '../../raster/layouts.ts';
import type { EdgeSource } from './edge-source.ts';

/** `sides` has the body of each side, tile by tile. Returns how many edges there are. */
export function layEdges(
  edges: EdgeSource,
  trees: GpuTrees,
  sides: Iterable<Placed>,
  sideWords: Uint32Array,
): number {
  const { at, words } = SideLayout;
  const entries = new Set<Entry>();
  let [edgeCount, record] = [0, 0];
  for (const { shape } of sides) {
    const { offset, count } = edges.recordsOf(shape.mesh);
    sideWords[record + at.firstEdge] = edgeCount;
    sideWords[record + at.edgeRecords] = offset;
    edgeCount += count;
    record += words;
    entries.add(trees.entryOf(shape));
  }
  edges.bind(entries);
  return edgeCount;
}
