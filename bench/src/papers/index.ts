// The papers whose evaluations can be run again.

import { gress } from './gress.ts';
import { particleExhibits } from './knott/particles.ts';
import type { Paper } from './paper.ts';

/** Chapter 3 of the thesis. */
const knottParticles: Paper = {
  name: 'knott-particles',
  title: 'CInDeR: Collision and Interference Detection in Real Time Using Graphics Hardware, chapter 3',
  source: 'David Knott, master’s thesis, University of British Columbia, 2003',
  about:
    "Particles whose lives are formulas, with impact maps: `nf.particles`. The published form of the feedback is a map with `precision: 'single'`, painted by the GPU.",
  exhibits: particleExhibits,
};

export const papers: readonly Paper[] = [gress, knottParticles];
