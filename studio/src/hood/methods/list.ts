// The methods that can be stepped through.

import type { MethodInfo } from '../types.ts';

export const methodList = [
  {
    name: 'hierarchy',
    title: 'Trees of boxes',
    sentence: 'Boxes around fewer and fewer triangles; only boxes that meet are opened.',
    paper: 'Greß and Zachmann (2004)',
    needsGpu: false,
  },
  {
    name: 'field',
    title: 'Slices and distance fields',
    sentence: 'Samples in slices: which samples lie in both bodies, and how deep.',
    paper: 'Hoff, Zaferakis, Lin and Manocha (2002)',
    needsGpu: false,
  },
  {
    name: 'layers',
    title: 'Layers along lines',
    sentence: 'The order of surfaces along the line of every pixel, in six cases.',
    paper: 'Myszkowski, Okunev and Kunii (1995)',
    needsGpu: true,
  },
  {
    name: 'raycast',
    title: 'Rays and stencil counts',
    sentence:
      'Counts faces entered and left in front of an edge: if more were entered, the edge lies inside.',
    paper: 'Knott (2003)',
    needsGpu: true,
  },
  {
    name: 'visibility',
    title: 'Culling by views',
    sentence: 'Triangles that a view sees clear of the other body cannot meet it.',
    paper: 'Govindaraju, Lin and Manocha (2004)',
    needsGpu: true,
  },
] as const satisfies readonly MethodInfo[];

export type MethodName = (typeof methodList)[number]['name'];
