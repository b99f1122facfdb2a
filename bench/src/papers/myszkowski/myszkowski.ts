// Myszkowski, Okunev and Kunii, "Fast collision detection between complex solids using rasterizing graphics hardware".

import type { Paper } from '../paper.ts';
import { limitsExhibit } from './limits.ts';
import { resolutions, table1 } from './polyhedra.ts';
import { figure7, teeth } from './teeth.ts';

export const myszkowski: Paper = {
  name: 'myszkowski',
  title: 'Fast collision detection between complex solids using rasterizing graphics hardware',
  source: 'Karol Myszkowski, Oleg G. Okunev and Tosiyasu L. Kunii, The Visual Computer 11, 1995',
  about:
    "The method `layers` is this paper's. `form: 'drawn'` is the published one: depth test, stencil counts and blending on the rasteriser, each pass read back and examined on the CPU. `form: 'computed'` (the default) is Nearfield's: kernels that count and order with bounds, find spikes, and say how small an interference they may miss.",
  exhibits: [
    {
      name: 'Table 1',
      title: 'two polyhedra of 160,000 polygons at 512 × 512 pixels',
      about:
        "Two simple polyhedra with subdivided faces, whose shapes are known from their description only. Lines pass one of them up to six times (figure 3a), each at most twice (3b), or both up to six times (3c). The paper's total counts one drawing per pass and the examination of the counters by the application, and leaves out the sorting of polygons. Here sorting is part of pass 3, which draws layer by layer. The paper found linear growth. Eight sizes show ours, from the paper's on: smaller ones take a modern GPU hardly longer than an empty question.",
      needsGpu: true,
      run: table1,
    },
    {
      name: 'Figure 5',
      title: 'five teeth in four stages',
      about:
        'Five teeth of more than 110,000 polygons, apart, touching, closed and crossed. The paper needed one pass for the first two stages and three for the others, sorting not counted; each row here stands beside the paper’s time for as many passes as it took. Its scans cannot be had: teeth are generated, unless the environment variable NEARFIELD_JAWS names two scanned jaws. Generated teeth are seen along the bite, where one pass or two suffice; so they are also seen from a direction at which lines pass them more often, as the paper turned its teeth.',
      needsGpu: true,
      run: teeth,
    },
    {
      name: 'Section 7, resolution',
      title: 'growth with the number of pixels',
      about:
        'The paper states that rendering takes hardly longer at 512 × 512 pixels than at 128 × 128, and that examining the pixels in software grows linearly with their number. Here: the general polyhedra of Table 1 at seven resolutions. The drawn form reads every pass back and examines it, as the paper does; the computed form reads no picture.',
      needsGpu: true,
      run: resolutions,
    },
    limitsExhibit,
    {
      name: 'Figure 7',
      title: 'error of the distance map against the projection',
      about:
        "The distance of the closed teeth along each line, as a depth buffer of 24 bits has it: one line through the middle of a pixel, depths rounded. It is compared with the mean of 25 exact rays over the pixel (the paper: 16). The paper adjusts the projection to the polygons and has an RMS error of 0.0009 mm and a maximum of 0.06 mm there, more for other projections (its picture gives no numbers). Here the projection is tilted away from the bite step by step; one row has the projection that Nearfield adjusts to the polygons (`direction: 'normals'`). All lines are cast exactly on the CPU. With a GPU, the error of its own map against the exact line through the same middle is measured too.",
      needsGpu: false,
      run: figure7,
    },
  ],
};
