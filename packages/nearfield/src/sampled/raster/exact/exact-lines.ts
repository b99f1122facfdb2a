// Lines of a view through two bodies on the CPU. Every triangle is crossed with the lines within its box, exactly
// (crossings.ts), and each line is measured from its crossings (measure-line.ts). This is slow, and the reference for
// every faster way.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import type { RawLines } from '../sampling.ts';
import type { View } from '../view.ts';
import { LineCaster } from './cast-line.ts';
import { type BoundedCrossing, Crosser, compareCrossings } from './crossings.ts';
import { measureLine, type Surfaces } from './measure-line.ts';
import { keepLine, LineSettler, type LineStore, settled, type Thresholds } from './settle-line.ts';

export interface ExactLines extends RawLines {
  /** Bits of `LineFlag` per pixel; 0 if no thresholds were given. */
  readonly flags: Uint8Array;
}

/** With thresholds, every line is settled as well (settle-line.ts). Yields the share done. */
export function* exactLines(
  a: Placed,
  b: Placed,
  view: View,
  surfaces: Surfaces,
  thresholds?: Thresholds,
): Generator<number, ExactLines> {
  const { columns, rows } = view;
  const count = columns * rows;
  const lines: LineStore = {
    distance: new Float32Array(count),
    depth: new Float32Array(count),
    triangleA: new Uint32Array(count),
    triangleB: new Uint32Array(count),
    bound: new Float32Array(count),
    flags: new Uint8Array(count),
  };
  const crossers = [new Crosser(view, a), new Crosser(view, b)];
  const settler = thresholds && new LineSettler(crossers, surfaces, thresholds);
  const crossings = crossAll(view, crossers, undefined);
  let step = crossings.next();
  for (; !step.done; step = crossings.next()) yield 0.7 * step.value;
  const crossingsOf = step.value;
  for (let row = 0; row < rows; row++) {
    if (row % 8 === 0) yield 0.7 + (0.3 * row) / rows;
    for (let column = 0; column < columns; column++) {
      const pixel = row * columns + column;
      const found = crossingsOf(pixel);
      if (settler !== undefined) keepLine(lines, pixel, settler.settle(column, row, found));
      else {
        const line = measureLine(found, surfaces);
        keepLine(lines, pixel, settled(line, line.distance, 0, 0));
      }
    }
  }
  const triangleTests = a.shape.mesh.triangleCount + b.shape.mesh.triangleCount;
  const stats = { triangleTests, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };
  return { ...lines, unsure: new Uint32Array(0), stats };
}

/** Gives all crossings of some pixels' lines, pixel by pixel. Yields the share done. */
export function* castPixels(
  view: View,
  bodies: readonly Placed[],
  finder: TriangleFinder,
  pixels: readonly number[],
  take: (column: number, row: number, crossings: BoundedCrossing[], crossers: readonly Crosser[]) => void,
): Generator<number, void> {
  if (pixels.length === 0) return;
  const { columns, rows } = view;
  const triangles = bodies.reduce((total, { shape }) => total + shape.mesh.triangleCount, 0);
  // A traversal of two trees takes as long as crossing about forty triangles, or twenty pixels, in the way that visits
  // everything.
  if (40 * pixels.length < triangles + 2 * columns * rows) {
    const caster = new LineCaster(view, bodies, finder);
    for (let i = 0; i < pixels.length; i++) {
      if (i % 16 === 0) yield i / pixels.length;
      const column = pixels[i] % columns;
      const row = (pixels[i] - column) / columns;
      take(column, row, caster.cast(column, row), caster.crossers);
    }
    return;
  }
  const wanted = new Uint8Array(columns * rows);
  for (const pixel of pixels) wanted[pixel] = 1;
  const crossers = bodies.map(body => new Crosser(view, body));
  const crossings = crossAll(view, crossers, wanted);
  let step = crossings.next();
  for (; !step.done; step = crossings.next()) yield 0.5 * step.value;
  for (let i = 0; i < pixels.length; i++) {
    if (i % 256 === 0) yield 0.5 + (0.5 * i) / pixels.length;
    const column = pixels[i] % columns;
    take(column, (pixels[i] - column) / columns, step.value(pixels[i]), crossers);
  }
}

/**
 * Crosses every triangle with the lines within its box, or with the wanted ones among them. Returns the crossings by
 * pixel.
 */
function* crossAll(
  view: View,
  crossers: readonly Crosser[],
  wanted: Uint8Array | undefined,
): Generator<number, (pixel: number) => BoundedCrossing[]> {
  const found = new Found(view.columns * view.rows);
  const rectangle = new Int32Array(4);
  const total = crossers.reduce((sum, { body }) => sum + body.shape.mesh.triangleCount, 0);
  let done = 0;
  for (const [side, crosser] of crossers.entries()) {
    const { triangleCount } = crosser.body.shape.mesh;
    for (let triangle = 0; triangle < triangleCount; triangle++) {
      if (++done % 1024 === 0) yield done / total;
      crosser.take(triangle);
      crosser.rectangle(rectangle);
      for (let row = rectangle[1]; row <= rectangle[3]; row++) {
        for (let column = rectangle[0]; column <= rectangle[2]; column++) {
          const pixel = row * view.columns + column;
          if ((wanted === undefined || wanted[pixel] === 1) && crosser.crosses(column, row)) {
            found.add(pixel, crosser.depth, crosser.error, 2 * side + crosser.away, triangle);
          }
        }
      }
    }
  }
  return found.byPixel();
}

/** Collects crossings as they are found, and then sorts them by pixel. */
class Found {
  readonly #starts: Uint32Array;
  #count = 0;
  #pixels = new Uint32Array(4096);
  #codes = new Uint8Array(4096);
  #triangles = new Uint32Array(4096);
  #depths = new Float64Array(4096);
  #errors = new Float64Array(4096);

  constructor(pixelCount: number) {
    this.#starts = new Uint32Array(pixelCount + 1);
  }

  /** `code` is twice the side, plus 1 if the body is left. */
  add(pixel: number, depth: number, error: number, code: number, triangle: number): void {
    if (this.#count === this.#pixels.length) this.#grow();
    this.#starts[pixel + 1]++;
    this.#pixels[this.#count] = pixel;
    this.#depths[this.#count] = depth;
    this.#errors[this.#count] = error;
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
    this.#errors = larger(this.#errors, new Float64Array(length));
  }

  /** The crossings of a pixel, in order along its line as far as doubles tell. */
  byPixel(): (pixel: number) => BoundedCrossing[] {
    const starts = this.#starts;
    for (let pixel = 1; pixel < starts.length; pixel++) starts[pixel] += starts[pixel - 1];
    const next = starts.slice(0, -1);
    const order = new Uint32Array(this.#count);
    for (let i = 0; i < this.#count; i++) order[next[this.#pixels[i]]++] = i;
    return pixel => {
      const crossings: BoundedCrossing[] = [];
      for (let at = starts[pixel]; at < starts[pixel + 1]; at++) {
        const i = order[at];
        const code = this.#codes[i];
        crossings.push({
          depth: this.#depths[i],
          error: this.#errors[i],
          side: (code >> 1) as 0 | 1,
          away: (code & 1) as 0 | 1,
          triangle: this.#triangles[i],
        });
      }
      return crossings.sort(compareCrossings);
    };
  }
}
