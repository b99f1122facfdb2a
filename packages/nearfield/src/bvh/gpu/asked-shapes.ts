// The shapes that a question is about, and what is learnt about those whose positions are on the GPU.

import { factOf } from '../../bodies/snapshot/facts.ts';
import type { Shape, ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from './trees.ts';

/** Whether copies of positions on the GPU were made at all, and what the trees found out about them. */
export async function learnHeld(trees: GpuTrees, shapes: readonly Shape[]): Promise<void> {
  for (const shape of heldAmong(shapes)) {
    await shape.onGpu!.copy.copied;
    shape.onGpu!.weldsKept = trees.entryOf(shape).weldsHold;
  }
}

/** Why a copy that a shape stands on was not made; undefined where all were. */
export async function whyNotCopied(shapes: readonly Shape[]): Promise<unknown> {
  for (const shape of heldAmong(shapes)) {
    const error: unknown = await shape.onGpu!.copy.copied.then(
      () => undefined,
      reason => reason,
    );
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Those whose positions are on the GPU. */
const heldAmong = (shapes: readonly Shape[]): readonly Shape[] => factOf(shapes, findHeld);

const findHeld = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter(shape => shape.onGpu !== undefined);

/** The shapes of all rows, without repeating that of the row before. */
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
