// All lines of a view through two bodies on the CPU: every triangle is crossed with the lines within its box, exactly
// (crossings.ts), and what each line tells is read off its crossings (measure-line.ts). Slow, and what every faster way is
// held to.

import type { Placed } from '../../../scene/engine.ts';
import type { RawLines } from '../sampling.ts';
import type { View } from '../view.ts';
import { Crosser, type Crossing, compareCrossings, crossingError } from './crossings.ts';
import { measureLine, type Surfaces } from './measure-line.ts';

/** Yields the share done. */
export function* exactLines(
  a: Placed,
  b: Placed,
  view: View,
  surfaces: Surfaces,
): Generator<number, RawLines> {
  const found = new Found(view.columns * view.rows);
  const rectangle = new Int32Array(4);
  const total = a.shape.mesh.triangleCount + b.shape.mesh.triangleCount;
  let done = 0;
  for (const [side, body] of [a, b].entries()) {
    const crosser = new Crosser(view, body);
    for (let triangle = 0; triangle < body.shape.mesh.triangleCount; triangle++) {
      if (++done % 1024 === 0) yield (0.7 * done) / total;
      crosser.take(triangle);
      crosser.rectangle(rectangle);
      for (let row = rectangle[1]; row <= rectangle[3]; row++) {
        for (let column = rectangle[0]; column <= rectangle[2]; column++) {
          if (crosser.crosses(column, row)) {
            found.add(row * view.columns + column, crosser.depth, 2 * side + crosser.away, triangle);
          }
        }
      }
    }
  }
  const count = view.columns * view.rows;
  const lines = {
    distance: new Float32Array(count),
    depth: new Float32Array(count),
    triangleA: new Uint32Array(count),
    triangleB: new Uint32Array(count),
  };
  const crossingsOf = found.byPixel();
  let parts = 1;
  for (let pixel = 0; pixel < count; pixel++) {
    if (pixel % 4096 === 0) yield 0.7 + (0.3 * pixel) / count;
    const line = measureLine(crossingsOf(pixel), surfaces);
    lines.distance[pixel] = line.distance;
    lines.depth[pixel] = line.depth;
    lines.triangleA[pixel] = line.triangleA;
    lines.triangleB[pixel] = line.triangleB;
    parts = Math.max(parts, line.parts);
  }
  const stats = { triangleTests: total, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
  // Two ends a part.
  return { ...lines, unsure: new Uint32Array(0), error: 2 * parts * crossingError(view, [a, b]), stats };
}

/** Crossings as they are found, and then by pixel. */
class Found {
  readonly #starts: Uint32Array;
  #count = 0;
  #pixels = new Uint32Array(4096);
  #codes = new Uint8Array(4096);
  #triangles = new Uint32Array(4096);
  #depths = new Float64Array(4096);

  constructor(pixelCount: number) {
    this.#starts = new Uint32Array(pixelCount + 1);
  }

  /** `code` is twice the side, plus 1 where the body is left. */
  add(pixel: number, depth: number, code: number, triangle: number): void {
    if (this.#count === this.#pixels.length) this.#grow();
    this.#starts[pixel + 1]++;
    this.#pixels[this.#count] = pixel;
    this.#depths[this.#count] = depth;
    this.#codes[this.#count] = code;
    this.#triangles[this.#count++] = triangle;
  }

  #grow(): void {
    const larger = <T extends Uint32Array | Uint8Array | Float64Array>(array: T, copy: T): T => {
      copy.set(array);
      return copy;
    };
    const length = 2 * this.#count;
    this.#pixels = larger(this.#pixels, new Uint32Array(length));
    this.#codes = larger(this.#codes, new Uint8Array(length));
    this.#triangles = larger(this.#triangles, new Uint32Array(length));
    this.#depths = larger(this.#depths, new Float64Array(length));
  }

  /** The crossings of a pixel, in order along its line. */
  byPixel(): (pixel: number) => Crossing[] {
    const starts = this.#starts;
    for (let pixel = 1; pixel < starts.length; pixel++) starts[pixel] += starts[pixel - 1];
    const next = starts.slice(0, -1);
    const order = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) order[next[this.#pixels[i]]++] = i;
    return pixel => {
      const crossings: Crossing[] = [];
      for (let at = starts[pixel]; at < starts[pixel + 1]; at++) {
        const i = order[at];
        const code = this.#codes[i];
        crossings.push({
          depth: this.#depths[i],
          side: (code >> 1) as 0 | 1,
          away: (code & 1) as 0 | 1,
          triangle: this.#triangles[i],
        });
      }
      return crossings.sort(compareCrossings);
    };
  }
}
