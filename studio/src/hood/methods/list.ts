// The methods that can be watched at work.

import type { MethodInfo } from '../types.ts';

export const methodList = [
  {
    name: 'hierarchy',
    title: 'Trees of boxes',
    sentence: 'Boxes around ever fewer triangles; only those that meet are opened.',
    paper: 'Greß and Zachmann (2004)',
    needsGpu: false,
  },
  {
    name: 'field',
    title: 'Slices and distance fields',
    sentence: 'Samples in slices: which lie in both bodies, and how deep.',
    paper: 'Hoff, Zaferakis, Lin and Manocha (2002)',
    needsGpu: false,
  },
  {
    name: 'layers',
    title: 'Layers along lines',
    sentence: 'What lies behind what along the line of every pixel, in six cases.',
    paper: 'Myszkowski, Okunev and Kunii (1995)',
    needsGpu: true,
  },
  {
    name: 'raycast',
    title: 'Rays and stencil counts',
    sentence: 'Faces entered and left before an edge: where one is left over, the edge lies inside.',
    paper: 'Knott (2003)',
    needsGpu: true,
  },
  {
    name: 'visibility',
    title: 'Views that leave out',
    sentence: 'What some view sees clear of the other body cannot meet it.',
    paper: 'Govindaraju, Lin and Manocha (2004)',
    needsGpu: true,
  },
] as const satisfies readonly MethodInfo[];

export type MethodName = (typeof methodList)[number]['name'];
