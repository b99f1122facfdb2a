// Knott, "CInDeR: Collision and Interference Detection in Real Time Using Graphics Hardware".

import type { Paper } from '../paper.ts';
import { particleExhibits } from './particles.ts';
import { raycastExhibits } from './raycast.ts';
import { viewsExhibit } from './views.ts';

export const knott: Paper = {
  name: 'knott',
  title: 'CInDeR: Collision and Interference Detection in Real Time Using Graphics Hardware',
  source: "David Knott, master's thesis, University of British Columbia, 2003",
  about:
    "Chapter 3 is `nf.particles`: particles whose lives are formulas, with impact maps. The published form of the feedback is a map with `precision: 'single'`, painted by the GPU. Chapter 4 is the method `raycast`. `counting: 'pixels'` reads pictures back and examines them on the CPU (Algorithms 1 to 4), and `counting: 'queries'` asks by occlusion queries (Algorithm 5), both as published. `counting: 'stencil'` draws the same and sums it up on the GPU. `counting: 'lists'`, the default, is Nearfield's own: it keeps all faces of a pixel, so that nothing is hidden. The thesis measured on two Pentium 4 at 1.8 GHz with a GeForce4.",
  exhibits: [...particleExhibits, ...raycastExhibits, viewsExhibit],
};
