// The shapes that a question is about, and what the GPU reports about those whose positions are on the GPU.

import { factOf } from '../../bodies/snapshot/facts.ts';
import type { Shape, ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from './trees.ts';

/** Tells whether positions on the GPU were copied, and what the trees found out about them. */
export async function learnFromGpu(trees: GpuTrees, shapes: readonly Shape[]): Promise<void> {
  for (const shape of thoseOnGpu(shapes)) {
    await shape.onGpu!.copy.copied;
    shape.onGpu!.weldsKept = trees.entryOf(shape).weldsHold;
  }
}

/** The error of a shape's copy that was not made; undefined if all were made. */
export async function whyNotCopied(shapes: readonly Shape[]): Promise<unknown> {
  for (const shape of thoseOnGpu(shapes)) {
    const error: unknown = await shape.onGpu!.copy.copied.then(
      () => undefined,
      reason => reason,
    );
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Whether the positions of any shape are on the GPU. */
export const areAnyOnGpu = (shapes: readonly Shape[]): boolean => thoseOnGpu(shapes).length > 0;

/** The shapes whose positions are on the GPU. */
const thoseOnGpu = (shapes: readonly Shape[]): readonly Shape[] => factOf(shapes, findOnGpu);

const findOnGpu = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(shape => shape.onGpu !== undefined);

/** The shapes of all rows. A shape equal to that of the row before is left out. */
export const shapesOf = ({ shapeStates }: Snapshot): readonly Shape[] => factOf(shapeStates, findShapes);

function findShapes(shapeStates: readonly ShapeState[]): readonly Shape[] {
  const shapes: Shape[] = [];
  let last: Shape | undefined;
  for (let i = 0; i < shapeStates.length; i++) {
    const { shape } = shapeStates[i];
    if (shape !== last) shapes.push(shape);
    last = shape;
  }
  return shapes;
}
