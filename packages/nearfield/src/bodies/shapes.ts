// The shapes of a scene: one a mesh, counted, so that bodies of the same mesh share their trees. A shape that no body uses
// any longer is freed once no question that saw it is waiting.

import type { Mesh } from '../mesh/mesh.ts';
import { shapeStateOf } from './body.ts';
import type { Shape, ShapeState } from './snapshot/snapshot.ts';

export class SharedShapes {
  readonly #forget: (shape: Shape) => void;
  readonly #uses = new Map<Mesh, { form: ShapeState; count: number }>();
  /** Questions under way, an object for each time one is asked. */
  readonly #waiting = new Set<object>();
  /** Shapes that bodies gave up, each with the questions still waiting that may see it. */
  #released: { readonly shape: Shape; readonly until: Set<object> }[] = [];

  /** `forget` frees what engines keep of a shape. */
  constructor(forget: (shape: Shape) => void) {
    this.#forget = forget;
  }

  /** Whether questions are waiting: the shapes they see must not change. */
  get waiting(): boolean {
    return this.#waiting.size > 0;
  }

  acquire(mesh: Mesh): ShapeState {
    let use = this.#uses.get(mesh);
    if (!use) {
      use = { form: shapeStateOf({ mesh, positions: mesh.positions, revision: 0 }), count: 0 };
      this.#uses.set(mesh, use);
    }
    use.count++;
    return use.form;
  }

  release(shape: Shape): void {
    if (this.waiting) this.#released.push({ shape, until: new Set(this.#waiting) });
    else this.#free(shape);
  }

  /** Until `answered`, no shape is freed that the question may see. */
  asked(asking: object): void {
    this.#waiting.add(asking);
  }

  answered(asking: object): void {
    this.#waiting.delete(asking);
    this.#released = this.#released.filter(({ shape, until }) => {
      until.delete(asking);
      if (until.size === 0) this.#free(shape);
      return until.size > 0;
    });
  }

  #free(shape: Shape): void {
    const use = this.#uses.get(shape.mesh);
    if (use?.form.shape === shape && --use.count > 0) return;
    if (use?.form.shape === shape) this.#uses.delete(shape.mesh);
    this.#forget(shape);
  }
}
