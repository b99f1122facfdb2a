// Greß and Zachmann, "Object-Space Interference Detection on Programmable Graphics Hardware" (G1 to G7).

import type { Paper } from '../paper.ts';
import { coherence } from './coherence.ts';
import { figure4 } from './figure-4.ts';
import { volumes } from './volumes.ts';

export const gress: Paper = {
  name: 'gress',
  title: 'Object-Space Interference Detection on Programmable Graphics Hardware',
  source: 'Alexander Greß and Gabriel Zachmann, technical report CG-2004-2, University of Bonn',
  about:
    "The method `hierarchy` is this paper's. `traversal: 'breadth-first'` is the published algorithm on either backend: binary trees with ⌈n/2⌉ nodes per level and one triangle per leaf, traversed together level by level by overlap counts, their sums and the next list of pairs, with the six axes of SAT lite. The default walk is Nearfield's own: on the CPU depth first through 4-ary trees, sixteen boxes at a time; on the GPU one thread per leaf. The paper's machine: a GeForce FX 5900; its processor is not named.",
  exhibits: [figure4, volumes, coherence],
};
