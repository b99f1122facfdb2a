import type { Placed } from '../engine.ts';
import type { Relation } from './relation.ts';
export function relationOfSurfaces(_a: Placed, _b: Placed, t: Uint32Array): Relation {
  return t.length ? 'touching' : 'separate';
}
