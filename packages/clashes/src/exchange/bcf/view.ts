// The viewpoint of a BCF topic: where the camera stands, in metres, and the picture that it takes.

import { encodePng } from '@nearfield/io/png';
import { pairKey } from '../../assembly/pair-key.ts';
import { extentOf, radiusOf, union, type Vector } from '../../report/draw/camera.ts';
import { pairSteps, rememberNormals } from '../../report/draw/picture.ts';
import type { PictureSize } from '../../report/draw/view.ts';
import type { ReportInput } from '../../report/types.ts';
import { finishInTurns } from '../../steps/pauses.ts';
import type { Topic } from './topics.ts';

/** An orthographic camera and its picture. Lengths are in metres, +z is up. */
export interface BcfView {
  /** Where the camera stands. */
  readonly position: Vector;
  /** Where it looks to, of length 1. */
  readonly direction: Vector;
  /** What is up in the picture, of length 1. */
  readonly up: Vector;
  /** The height of the view. */
  readonly height: number;
  /** Width by height of the picture. */
  readonly aspect: number;
  /** The bytes of a PNG file. */
  readonly snapshot: Uint8Array;
}

const usualSize: PictureSize = { width: 600, height: 412, samples: 2 };

/**
 * Draws the most important pair of a topic, from where its contact is seen best. `unit` is the unit of the input in
 * metres. Only the first topics get pictures: each takes a tenth of a second.
 */
export function bcfViews(
  input: ReportInput,
  {
    unit = 1,
    most = 100,
    size = usualSize,
    signal,
  }: { unit?: number | undefined; most?: number; size?: PictureSize; signal?: AbortSignal } = {},
): (topic: Topic, index: number) => Promise<BcfView | undefined> {
  const normalsOf = rememberNormals();
  const count = input.bodies.length;
  const pairs = new Map(input.pairs.map(pair => [pairKey(pair, count), pair]));
  return async ({ pair: { a, b } }, index) => {
    const pair = pairs.get(pairKey({ a, b }, count));
    if (index >= most || pair === undefined) return undefined;
    const { pixels, camera } = await finishInTurns(pairSteps(input, pair, normalsOf, size), signal);
    // Far enough that both bodies lie before the camera.
    const extents = [a, b].map(body => extentOf(input.bodies[body].positions)!);
    const away = 4 * radiusOf(union(extents));
    const { center, toward, up } = camera;
    const inMetres = (value: Vector): Vector => [value[0] * unit, value[1] * unit, value[2] * unit];
    return {
      position: inMetres([
        center[0] + away * toward[0],
        center[1] + away * toward[1],
        center[2] + away * toward[2],
      ]),
      direction: [-toward[0], -toward[1], -toward[2]],
      up,
      height: (camera.height / camera.scale) * unit,
      aspect: camera.width / camera.height,
      snapshot: encodePng(pixels),
    };
  };
}
