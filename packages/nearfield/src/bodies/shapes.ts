// The shapes of a scene: one per mesh, reference-counted, so that bodies with the same mesh share a tree. When no body
// uses a shape any longer, it is freed as soon as no question that may see it is waiting.

import type { Mesh } from '../mesh/mesh.ts';
import { shapeStateOf } from './body.ts';
import type { Shape, ShapeState } from './snapshot/snapshot.ts';

export class SharedShapes {
  readonly #forget: (shape: Shape) => void;
  readonly #uses = new Map<Mesh, { state: ShapeState; count: number }>();
  /** Questions under way: one object per call. */
  readonly #waiting = new Set<object>();
  /** Shapes that bodies released, each with the waiting questions that may still see it. */
  #released: { readonly shape: Shape; readonly until: Set<object> }[] = [];

  /** `forget` frees what engines keep for a shape. */
  constructor(forget: (shape: Shape) => void) {
    this.#forget = forget;
  }

  /** Whether questions are waiting. The shapes they see must not change. */
  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  acquire(mesh: Mesh): ShapeState {
    let use = this.#uses.get(mesh);
    if (!use) {
      use = { state: shapeStateOf({ mesh, positions: mesh.positions, revision: 0 }), count: 0 };
      this.#uses.set(mesh, use);
    }
    use.count++;
    return use.state;
  }

  release(shape: Shape): void {
    if (this.waiting) this.#released.push({ shape, until: new Set(this.#waiting) });
    else this.#free(shape);
  }

  /** From now until `end(call)`, no shape that the question may see is freed. */
  begin(call: object): void {
    this.#waiting.add(call);
  }

  end(call: object): void {
    this.#waiting.delete(call);
    if (this.#released.length === 0) return;
    this.#released = this.#released.filter(({ shape, until }) => {
      until.delete(call);
      if (until.size === 0) this.#free(shape);
      return until.size > 0;
    });
  }

  #free(shape: Shape): void {
    const use = this.#uses.get(shape.mesh);
    if (use?.state.shape === shape && --use.count > 0) return;
    if (use?.state.shape === shape) this.#uses.delete(shape.mesh);
    this.#forget(shape);
  }
}
