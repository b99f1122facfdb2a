// Statistics of the parts of a map: the pixels at which a labelled triangle of either body faces the other. For jaws,
// one region per tooth.

import { type Box, emptyBox, growBox } from '../../math/box.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { noTriangle } from '../raster/exact/measure-line.ts';
import type { DistanceMapOptions, Labels } from './options.ts';
import { type MapPixels, type MapStatistics, statisticsOf } from './statistics.ts';

/** The pixels of a map that have one label. */
export interface MapRegion extends MapStatistics {
  /** The label: as given, or the connected part (`Adjacency.componentOf`). */
  readonly label: number;
  /** The body whose triangles have the label. */
  readonly body: 'a' | 'b';
  /** The world box of its points on a's surface; empty (low above high) if a is not met. */
  readonly box: Box;
}

/** The regions of a first, each body's by label. Regions that no pixel shows are left out. */
export function regionsOf(
  map: MapPixels,
  triangles: { readonly a: Uint32Array; readonly b: Uint32Array },
  meshes: { readonly a: Mesh; readonly b: Mesh },
  regions: DistanceMapOptions['regions'],
): MapRegion[] {
  if (regions === undefined) return [];
  const labelsOf = (body: 'a' | 'b'): Labels | undefined =>
    regions === 'parts' ? meshes[body].adjacency.componentOf : regions[body];
  return (['a', 'b'] as const).flatMap(body => {
    const labels = labelsOf(body);
    if (labels === undefined) return [];
    return [...pixelsByLabel(triangles[body], labels)]
      .sort(([p], [q]) => p - q)
      .map(([label, pixels]) => ({
        label,
        body,
        box: boxOf(map, pixels),
        ...statisticsOf(map, pixels),
      }));
  });
}

function pixelsByLabel(triangles: Uint32Array, labels: Labels): Map<number, Uint32Array> {
  const counts = new Map<number, number>();
  for (const triangle of triangles) {
    if (triangle === noTriangle) continue;
    counts.set(labels[triangle], (counts.get(labels[triangle]) ?? 0) + 1);
  }
  const pixels = new Map<number, Uint32Array>();
  for (const [label, count] of counts) pixels.set(label, new Uint32Array(count));
  counts.clear();
  for (let pixel = 0; pixel < triangles.length; pixel++) {
    if (triangles[pixel] === noTriangle) continue;
    const label = labels[triangles[pixel]];
    const at = counts.get(label) ?? 0;
    pixels.get(label)![at] = pixel;
    counts.set(label, at + 1);
  }
  return pixels;
}

function boxOf(map: MapPixels, pixels: Uint32Array): Box {
  const box = emptyBox();
  for (const pixel of pixels) {
    if ((map.coverage[pixel] & 1) === 1) growBox(box, ...map.pointOf(pixel));
  }
  return box;
}
