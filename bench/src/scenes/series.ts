// Series of cases that only differ in size, by scene: how cost grows is measured of all sizes in turn (run/series.ts).

import type { Case } from '../case.ts';
import * as layers from './layers.ts';
import * as raycast from './raycast.ts';

/** `software` where the GPU is a program: smaller sizes do. */
export const growing: ReadonlyMap<string, (software: boolean) => Generator<readonly Case[]>> = new Map([
  [raycast.raycast.name, raycast.growing],
  [layers.layers.name, layers.growing],
]);

export const { growingSizes } = raycast;
