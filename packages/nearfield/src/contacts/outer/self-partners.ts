// Which triangles of a body meet others of the same body?

import type { Placed, Shape } from '../../bodies/snapshot/snapshot.ts';
import { cornersBox, cornersMeetBox, placeCorners, projectionAxis } from '../../bodies/snapshot/world.ts';
import { finderOf, type TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import type { Limits } from '../../core/limits.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { selfIntersectSync } from '../../interferences/hierarchy/cpu/self/driver.ts';
import type { RawAnswer } from '../../interferences/request.ts';
import { neighboursMeet } from '../../math/triangles/triangle-neighbours.ts';

/** What an engine may offer besides finding triangles: all pairs of one body at once, and forgetting a shape. */
export interface SelfFinder extends TriangleFinder {
  selfIntersectSync?(body: Placed, limits: Limits): RawAnswer;
  forget?(shape: Shape): void;
}

/** The engine's finder. */
export function selfFinderOf(engine: CpuEngine): SelfFinder {
  const finder = finderOf(engine);
  return {
    trianglesOnRay: (body, origin, direction, slack) => finder.trianglesOnRay(body, origin, direction, slack),
    trianglesInBox: (body, box) => finder.trianglesInBox(body, box),
    selfIntersectSync: (body, limits) => selfIntersectSync(engine, body, limits),
    forget: shape => engine.forget(shape),
  };
}

/** A triangle at 0, another at 9. */
const p = new Float64Array(18);

/** Per triangle that shares more with others than common corners and sides, those others. */
export function selfPartners(engine: SelfFinder, body: Placed): Map<number, number[]> {
  const found = new Map<number, number[]>();
  const add = (i: number, j: number): void => {
    const list = found.get(i);
    if (list) list.push(j);
    else found.set(i, [j]);
  };
  const place = (i: number, j: number): void => {
    placeCorners(body, i, p, 0);
    placeCorners(body, j, p, 9);
  };
  const note = (i: number, j: number): void => {
    place(i, j);
    // Triangles without area separate nothing.
    if (projectionAxis(p, 0) < 0 || projectionAxis(p, 9) < 0) return;
    add(i, j);
    add(j, i);
  };
  if (engine.selfIntersectSync) {
    const { certain, unsure } = engine.selfIntersectSync(body, {});
    for (let r = 0; r < certain.length; r += 3) note(certain[r + 1], certain[r + 2]);
    for (let r = 0; r < unsure.length; r += 3) {
      place(unsure[r + 1], unsure[r + 2]);
      if (neighboursMeet(p)) note(unsure[r + 1], unsure[r + 2]);
    }
    return found;
  }
  const corners = new Float64Array(9);
  for (let i = 0; i < body.shape.mesh.triangleCount; i++) {
    placeCorners(body, i, corners, 0);
    const box = cornersBox(corners, 0);
    for (const j of engine.trianglesInBox(body, box).slice()) {
      if (j <= i) continue;
      place(i, j);
      if (cornersMeetBox(p, 9, box) && neighboursMeet(p)) note(i, j);
    }
  }
  return found;
}
