// The Voronoi sites of a body: its faces, edges and corners (Hoff et al., section 5.2), with what a distance mesh needs
// to know about each. Coordinates are in cells of the grid, from its origin.
//
// An edge is nearest only where none of its faces has a nearer point: outside all of them. For two faces that is a wedge
// on the edge's convex side, and a mesh is built for the wedge alone (culling by site). A corner is nearest only where no
// edge from it leads nearer: in a cone, which is thin or empty on smooth surfaces.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose } from '../../../math/pose.ts';
import type { Grid } from '../grid.ts';
import type { Sites } from './site.ts';
import { endOf, SiteList, samePlace, startOf, triangleOf } from './site-list.ts';
import { topologyOf } from './topology.ts';

/** Sites of triangles that are nowhere within `reach` cells of the grid are left out. */
export function sitesOf(body: Placed, grid: Grid, reach: number): Sites {
  const { mesh } = body.shape;
  const topology = topologyOf(mesh);
  const { starts, sides, collapsed, firstCorners, firstUses } = topology;
  const corners = cornersInCells(body, grid);
  const isNear = nearTriangles(corners, grid, reach);
  const list = new SiteList(corners, isNear);
  for (let t = 0; t < mesh.triangleCount; t++) if (isNear[t]) list.addFace(t);
  for (let e = 0; e + 1 < starts.length; e++) {
    const [start, end] = [starts[e], starts[e + 1]];
    let near = false;
    let together = true;
    for (let at = start; at < end; at++) {
      near ||= isNear[triangleOf(sides[at])] === 1;
      // Vertices that had one position may have been deformed apart: then each triangle has an edge of its own.
      together &&= at === start || sameSide(corners, sides[start], sides[at]);
    }
    if (!near) continue;
    if (together) list.addEdge(sides, start, end);
    else for (let at = start; at < end; at++) list.addWholeEdge(sides[at]);
  }
  for (const side of collapsed) if (isNear[triangleOf(side)]) list.addWholeEdge(side);
  const isKnown = new Uint8Array(firstCorners.length);
  for (let i = 0; i < firstCorners.length; i++) {
    if (!isNear[triangleOf(i)]) continue;
    // Corners deformed apart are sites of their own.
    const first = samePlace(corners, 3 * i, 3 * firstCorners[i]) ? firstCorners[i] : firstUses[i];
    if (isKnown[first]) continue;
    isKnown[first] = 1;
    list.addPoint(i, topology);
  }
  return list.finish();
}
/** Nine numbers per triangle. Each vertex is placed once. */
function cornersInCells({ shape, pose }: Placed, grid: Grid): Float64Array {
  const { positions, mesh } = shape;
  const { indices } = mesh;
  const corners = new Float64Array(3 * indices.length);
  const vertices = new Float64Array(positions.length);
  const [x, y, z] = grid.origin;
  const { cell } = grid;
  for (let at = 0; at < positions.length; at += 3) {
    applyPose(pose, positions[at], positions[at + 1], positions[at + 2], vertices, at);
    vertices[at] = (vertices[at] - x) / cell;
    vertices[at + 1] = (vertices[at + 1] - y) / cell;
    vertices[at + 2] = (vertices[at + 2] - z) / cell;
  }
  for (let i = 0; i < indices.length; i++) {
    const from = 3 * indices[i];
    corners[3 * i] = vertices[from];
    corners[3 * i + 1] = vertices[from + 1];
    corners[3 * i + 2] = vertices[from + 2];
  }
  return corners;
}
/** Which triangles have boxes within `reach` cells of the grid. */
function nearTriangles(corners: Float64Array, { dimensions }: Grid, reach: number): Uint8Array {
  const isNear = new Uint8Array(corners.length / 9).fill(1);
  if (reach === Infinity) return isNear;
  for (let t = 0; t < isNear.length; t++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = 9 * t + axis;
      const low = Math.min(corners[at], corners[at + 3], corners[at + 6]);
      const high = Math.max(corners[at], corners[at + 3], corners[at + 6]);
      if (low - dimensions[axis] > reach || -high > reach) isNear[t] = 0;
    }
  }
  return isNear;
}
function sameSide(corners: Float64Array, a: number, b: number): boolean {
  const [from, to] = [startOf(b), endOf(b)];
  if (samePlace(corners, startOf(a), from)) return samePlace(corners, endOf(a), to);
  return samePlace(corners, startOf(a), to) && samePlace(corners, endOf(a), from);
}
