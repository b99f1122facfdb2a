// The planes of a section: one plane across the assembly, or the six sides of a box.

import { type Box3, Plane, Vector3 } from 'three/webgpu';
import type { Section } from '../state/document.ts';

/** What lies on the side that the normals point to is kept. */
export function planesOf({ axis, at, flipped, box: sides }: Section, box: Box3): Plane[] {
  if (box.isEmpty()) return [];
  const [low, high] = [box.min.toArray(), box.max.toArray()];
  const place = (k: number, share: number) => low[k] + share * (high[k] - low[k]);
  if (sides === undefined) return [planeAt(axis, place(axis, at), flipped)];
  return [0, 1, 2].flatMap(k => [
    planeAt(k, place(k, sides[k]), true),
    planeAt(k, place(k, sides[3 + k]), false),
  ]);
}

/** Keeps what is above a place along an axis, or below it. */
function planeAt(axis: number, place: number, keepsAbove: boolean): Plane {
  const normal = new Vector3().setComponent(axis, keepsAbove ? 1 : -1);
  return new Plane(normal, keepsAbove ? -place : place);
}
