// Impacts painted into a map (Knott, section 3.4). Each impact is one texel, whose channels are the collider, the time
// since the window began and the speed. Several in one texel overwrite each other, are counted, or are added up.

import type { MapOptions } from '../colliders/shapes.ts';
import type { CompiledCollider } from '../compiled.ts';
import { impactNumbers, impactRow } from '../seam.ts';
import { parameterOf, texelAt } from './forms.ts';

const parameter = new Float64Array(2);

/**
 * The channels of a texel: the collider's index + 1, 0 if nothing was hit; seconds since its window began; speed, or
 * the sum; how many.
 */
export const mapChannels = 4;

export class Painter {
  readonly values: Float32Array;
  readonly #options: MapOptions;
  /** Sums in doubles: single precision would stop counting at 2^24. */
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;
  /** Per texel, the call of `paint` that changed it last. */
  readonly #changed: Uint32Array;
  #stroke = 0;

  constructor(options: MapOptions) {
    const texels = options.width * options.height;
    this.#options = options;
    this.values = new Float32Array(mapChannels * texels);
    this.#sums = new Float64Array(options.combine === 'sum' ? texels : 0);
    this.#counts = new Float64Array(options.combine === 'overwrite' ? 0 : texels);
    this.#changed = new Uint32Array(texels);
  }

  /** Paints the impacts of one collider, with rows in the given order. Returns the texels that changed. */
  paint(rows: Float64Array, order: Uint32Array, collider: CompiledCollider, windowFrom: number): number[] {
    const { width, height, combine, of = 'speed' } = this.#options;
    const { values } = this;
    const stroke = ++this.#stroke;
    const texels: number[] = [];
    for (let i = 0; i < order.length; i++) {
      const at = impactNumbers * order[i];
      if (rows[at + impactRow.collider] !== collider.index) continue;
      parameterOf(collider, rows, at, parameter);
      const texel = texelAt(parameter[0], parameter[1], width, height);
      if (this.#changed[texel] !== stroke) {
        this.#changed[texel] = stroke;
        texels.push(texel);
      }
      const to = mapChannels * texel;
      const value = of === 'one' ? 1 : rows[at + (of === 'speed' ? impactRow.speed : impactRow.normalSpeed)];
      values[to] = collider.index + 1;
      values[to + 1] = Math.abs(rows[at + impactRow.time] - windowFrom);
      values[to + 2] = combine === 'sum' ? (this.#sums[texel] += value) : value;
      values[to + 3] = combine === 'overwrite' ? 1 : ++this.#counts[texel];
    }
    return texels;
  }

  clear(): void {
    this.values.fill(0);
    this.#sums.fill(0);
    this.#counts.fill(0);
  }
}
