// The shapes that a question is about, and what is learnt about those whose positions are on the GPU.

import type { Bodies, Form, Shape } from '../../bodies/engine.ts';
import type { GpuTrees } from './trees.ts';

/** Whether copies of positions on the GPU were made at all, and what the trees found out about them. */
export async function learnHeld(trees: GpuTrees, shapes: readonly Shape[]): Promise<void> {
  for (const shape of heldAmong(shapes)) {
    await shape.held!.copy.copied;
    shape.held!.weldsKept = trees.entryOf(shape).weldsHold;
  }
}

/** Why a copy that a shape stands on was not made; undefined where all were. */
export async function whyNotCopied(shapes: readonly Shape[]): Promise<unknown> {
  for (const shape of heldAmong(shapes)) {
    const error: unknown = await shape.held!.copy.copied.then(
      () => undefined,
      reason => reason,
    );
    if (error !== undefined) return error;
  }
  return undefined;
}

const heldOfShapes = new WeakMap<readonly Shape[], readonly Shape[]>();

/** Those whose positions are on the GPU. Looked for once: shapes that deform are another list. */
function heldAmong(shapes: readonly Shape[]): readonly Shape[] {
  let held = heldOfShapes.get(shapes);
  if (held === undefined) heldOfShapes.set(shapes, (held = shapes.filter(shape => shape.held !== undefined)));
  return held;
}

const shapesOfForms = new WeakMap<readonly Form[], readonly Shape[]>();

/** The shapes of all rows, without repeating that of the row before. A list of forms never changes, so each is searched once. */
export function shapesOf({ forms }: Bodies): readonly Shape[] {
  let shapes = shapesOfForms.get(forms);
  if (shapes === undefined) {
    const found: Shape[] = [];
    let last: Shape | undefined;
    for (let i = 0; i < forms.length; i++) {
      const { shape } = forms[i];
      if (shape !== last) found.push(shape);
      last = shape;
    }
    shapesOfForms.set(forms, (shapes = found));
  }
  return shapes;
}
