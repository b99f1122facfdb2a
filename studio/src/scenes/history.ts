// The steps of a scene so far, as far as memory allows: what was found, and where the bodies were.

import type { BodyId } from '../engine/types.ts';
import type { Found, Frame } from './types.ts';

/** Bytes that the steps may take. The oldest are dropped. */
const mostBytes = 96 * 2 ** 20;
/** Steps that are kept. */
const mostSteps = 600;

export interface PastStep {
  /** 0 for the first step. */
  readonly number: number;
  readonly found: Found;
  /** All bodies and their poses, and all deformed positions, not only those that changed. */
  readonly frame: Pick<Frame, 'bodies' | 'poses' | 'deformed'>;
}

export class History {
  #steps: { readonly step: PastStep; readonly bytes: number }[] = [];
  #bytes = 0;
  #count = 0;
  readonly #deformed = new Map<BodyId, Float32Array>();

  get length(): number {
    return this.#steps.length;
  }

  at(index: number): PastStep | undefined {
    return this.#steps[index]?.step;
  }

  /** One value per step that is kept. */
  map<T>(value: (step: PastStep) => T): T[] {
    return this.#steps.map(({ step }) => value(step));
  }

  add({ bodies, poses, deformed, removed }: Frame, found: Found): void {
    for (const id of removed) this.#deformed.delete(id);
    for (const { id, positions } of deformed) this.#deformed.set(id, positions);
    const all = [...this.#deformed].map(([id, positions]) => ({ id, positions }));
    const bytes =
      poses.byteLength +
      bodies.byteLength +
      deformed.reduce((sum, { positions }) => sum + positions.byteLength, 0) +
      Object.values(found).reduce(
        (sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0),
        0,
      );
    this.#steps.push({
      step: { number: this.#count++, found, frame: { bodies, poses, deformed: all } },
      bytes,
    });
    this.#bytes += bytes;
    while (this.#steps.length > 1 && (this.#bytes > mostBytes || this.#steps.length > mostSteps))
      this.#bytes -= this.#steps.shift()!.bytes;
  }
}
