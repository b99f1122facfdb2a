// How distance meshes are built: how far drawing may be off (meshes/proof.md, section 4), and what that leaves to the meshes.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../../../bodies/snapshot/world.ts';
import type { Grid } from '../../grid.ts';
import { type MeshNeeds, meshToleranceOf } from '../../meshes/draw-field.ts';

/** Bodies whose meshes are drawn over a grid, and how the meshes are built. Lengths are in cells. */
export interface MeshPlan {
  readonly bodies: readonly Placed[];
  readonly grid: Grid;
  readonly size: number;
  readonly noise: number;
  readonly tolerance: number;
  readonly margin: number;
  readonly drawing: number;
  /** The maximum distance of interest; Infinity if there is none. */
  readonly upTo: number;
}

/** How the meshes of bodies are built over a grid whose vertices and samples are off by `noise` cells. */
export function planMeshes(bodies: readonly Placed[], grid: Grid, noise: number, needs: MeshNeeds): MeshPlan {
  let size = Math.max(...grid.dimensions) + 1;
  for (const body of bodies) {
    const box = worldBox(body);
    for (let i = 0; i < 6; i++) size = Math.max(size, Math.abs(box[i] - grid.origin[i % 3]) / grid.cell);
  }
  const { margin, drawing } = gpuErrors(size, noise);
  const tolerance = meshToleranceOf(needs, grid.cell, drawing);
  const upTo = needs.upTo / grid.cell + tolerance + drawing;
  return { bodies, grid, size, noise, margin, drawing, tolerance, upTo };
}

/**
 * The errors of drawing, in cells, for sites and samples with coordinates up to `size` and vertices off by `noise`
 * (meshes/proof.md, section 4). The rasteriser is assumed to move the sides of a triangle by less than 1/16 of a pixel.
 */
function gpuErrors(size: number, noise: number): { margin: number; drawing: number } {
  const margin = 1 / 16 + 2 ** -15 * size + noise;
  return { margin, drawing: 7 * margin + 2 ** -15 * size + noise };
}
