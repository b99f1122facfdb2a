// Copies out the images of two bodies, for pictures of the method (inspect/visibility.ts): the pixels of the glance and
// of the close look's first round, and per round and view the triangles that overlap the other body. Usual queries read
// back only counts.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { SceneFrame } from '../../bvh/gpu/bodies/body-table.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import type { Box } from '../../math/box.ts';
import { bodyRound, ImageState, lastRound, pixelWords, triangleRounds } from './layouts.ts';
import type { SeenByViews, SeenLook, SeenView } from './seen.ts';
import { glanceOf, pixelBytes, type Sizes } from './sizes.ts';

export type Watch = (seen: SeenByViews) => void;

/** The buffers of a watched query. They may grow, so they are looked up when they are read. */
export interface WatchedBuffers {
  /** The pixels of the glance, copied before they are overwritten; and those of the close look. */
  readonly glance: () => GPUBuffer;
  readonly pixels: () => GPUBuffer;
  readonly instances: () => GPUBuffer;
}

export class Watching {
  readonly pieces: readonly Piece[];
  readonly #sizes: Sizes;
  readonly #watch: Watch;
  #leafOffsets: readonly number[] = [0, 0];
  #scene: SceneFrame = { origin: new Float64Array(3), exponent: 0 };

  constructor(watch: Watch, sizes: Sizes, buffers: WatchedBuffers, trees: GpuTrees) {
    this.#watch = watch;
    this.#sizes = sizes;
    const piece = (buffer: () => GPUBuffer, offset: () => number, bytes: () => number): Piece => ({
      get buffer() {
        return buffer();
      },
      get offset() {
        return offset();
      },
      get bytes() {
        return bytes();
      },
    });
    const order = (body: 0 | 1) =>
      piece(
        () => trees.buffers.order,
        () => 4 * this.#leafOffsets[body],
        () => 4 * (sizes.starts[body + 1] - sizes.starts[body]),
      );
    this.pieces = [
      piece(
        buffers.glance,
        () => 0,
        () => pixelBytes(glanceOf(sizes)),
      ),
      piece(
        buffers.pixels,
        () => 0,
        () => pixelBytes(sizes),
      ),
      piece(
        buffers.instances,
        () => 0,
        () => 8 * sizes.instanceCount,
      ),
      order(0),
      order(1),
    ];
  }

  reserve({ shapeStates }: Snapshot, trees: GpuTrees, { origin, exponent }: SceneFrame): void {
    this.#scene = { origin: origin.slice(), exponent };
    this.#leafOffsets = [0, 1].map(body => trees.entryOf(shapeStates[body].shape).leafOffset);
  }

  /** Decodes what was read back. `report` begins with the image's state; the rest are the other pieces. */
  tell(report: Uint32Array, [glance, pixels, instances, ...orders]: readonly Uint32Array[]): void {
    const { views, sides, starts } = this.#sizes;
    /** The triangles of a body that have all these flags set. */
    const triangles = (body: 0 | 1, flags: number) => {
      const order = orders[body];
      return order.filter((_, leaf) => (instances[2 * (starts[body] + leaf) + 1] & flags) === flags).sort();
    };
    const both = (flags: number) => [triangles(0, flags), triangles(1, flags)] as const;
    const every = (2 ** views - 1) * (sides === 2 ? 9 : 1);
    const look = (
      { resolution }: Sizes,
      seen: Uint32Array,
      { round, last }: { round: number; last: number },
    ): SeenLook => ({
      resolution,
      views: viewsOf(seen, resolution, views, sides, flags => both(flags << (8 * round))),
      kept: both(every << (8 * last)),
    });
    this.#watch({
      window: this.#windowOf(report),
      glance: look(glanceOf(this.#sizes), glance, { round: bodyRound, last: bodyRound }),
      close: look(this.#sizes, pixels, { round: triangleRounds[0], last: lastRound }),
    });
  }

  /** Converts the window from the scene's frame to the world. */
  #windowOf(state: Uint32Array): Box {
    const { origin, exponent } = this.#scene;
    return Float64Array.from({ length: 6 }, (_, i) => {
      const bound = orderedFloat(state[ImageState.window + i]);
      return origin[i % 3] + (i < 3 ? -bound : bound) * 2 ** exponent;
    });
  }
}

const nobody = 0xffffffff;
const ordered = new Uint32Array(1);
const asFloat = new Float32Array(ordered.buffer);

/** The inverse of ordered-bits.wgsl. */
function orderedFloat(bits: number): number {
  ordered[0] = bits >>> 31 === 1 ? bits & 0x7fffffff : ~bits;
  return asFloat[0];
}

const depthSteps = 2 ** 24 - 1;

/** Decodes the pixels, image by image. `overlapping` gives the triangles that have some flag of a round set. */
function viewsOf(
  pixels: Uint32Array,
  resolution: number,
  views: number,
  sides: number,
  overlapping: (flags: number) => SeenView['overlapping'],
): SeenView[] {
  const count = resolution * resolution;
  return Array.from({ length: views * sides }, (_, image): SeenView => {
    const isBehind = image >= views;
    const view = {
      axis: (image % views) as 0 | 1 | 2,
      from: isBehind ? (-1 as const) : (1 as const),
      nearest: new Float32Array(count).fill(Infinity),
      second: new Float32Array(count).fill(Infinity),
      owner: new Uint8Array(count),
      overlapping: overlapping(1 << (isBehind ? image - views + 3 : image)),
    };
    for (let i = 0; i < count; i++) {
      const at = pixelWords * (image * count + i);
      // The lowest two bits name one of the two bodies, or nobody; the 24 above are a depth.
      if (pixels[at] !== nobody) {
        view.owner[i] = (pixels[at] & 3) + 1;
        view.nearest[i] = (pixels[at] >>> 2) / depthSteps;
      }
      if (pixels[at + 1] !== nobody) view.second[i] = pixels[at + 1] / depthSteps;
    }
    return view;
  });
}
