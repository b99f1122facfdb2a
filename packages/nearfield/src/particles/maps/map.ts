// The impact map of a collider, as applications see it: numbers, a texture on the GPU with the same contents, and a
// picture.

import {
  checkOptions,
  isObject,
  oneOf,
  oneOfOr,
  type Rules,
  wholeNumber,
  wrong,
} from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { DeviceTexture } from '../../sampled/field/sampling.ts';
import { colourOf } from '../../sampled/map/picture/colours.ts';
import type { Picture } from '../../sampled/map/picture/picture.ts';
import type { MapOptions } from '../colliders/shapes.ts';
import type { CompiledCollider } from '../compiled.ts';
import { unrollingOf } from './forms.ts';
import { mapChannels, Painter } from './paint.ts';

const mostTexelsAside = 8192;

/** The GPU engine's side of a map. */
export interface MapTexture {
  readonly texture: object;
  write(texels: Uint32Array, values: Float32Array): void;
  /** For maps that the GPU paints. */
  read(): Promise<Float32Array>;
  clear(): void;
}

/** Whether the GPU paints the map of a collider, where there is a GPU. */
export const isPaintedInSingle = ({ given }: CompiledCollider): boolean => given.map?.precision === 'single';

const mapRules: Rules<MapOptions> = {
  width: wholeNumber(1, mostTexelsAside),
  height: wholeNumber(1, mostTexelsAside),
  combine: oneOf('overwrite', 'count', 'sum'),
  of: oneOf('speed', 'normalSpeed', 'one'),
  precision: oneOf('double', 'single'),
  form: oneOfOr(['plane', 'equal-area', 'triangles'], 'planar, cylindrical or uv', (given, what) => {
    const isForm = isObject(given) && ['planar', 'cylindrical', 'uv'].some(name => name in given);
    if (!isForm) throw wrong(what, `'plane', 'equal-area', 'triangles', planar, cylindrical or uv`, given);
  }),
};

/** Checks the options of a collider's map. */
export function checkMap(collider: CompiledCollider): void {
  const { map } = collider.given;
  const what = `${collider.name}: map`;
  if (map === undefined) return;
  checkOptions(map, mapRules, what, 'map');
  for (const name of ['width', 'height', 'combine'] as const) mapRules[name](map[name], `${what}: ${name}`);
  unrollingOf(collider);
}

/** A picture of the impacts on a collider, one texel per piece of its surface. */
export class ImpactMap {
  /** Texels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** The index of the collider. */
  readonly collider: number;
  readonly #options: MapOptions;
  readonly #painter: Painter | undefined;
  readonly #compiled: CompiledCollider;
  readonly #texture: MapTexture | undefined;
  /** Texels that differ from those of the texture: all of them if the texture is new, as after a lost device. */
  readonly #behind = new Set<number>();
  #written: object | undefined;
  /** For a map that the GPU paints: how often it was painted, and what was read back since the last time. */
  #painted = 0;
  #read: Float32Array | undefined;

  /** @internal */
  constructor(collider: CompiledCollider, texture: MapTexture | undefined) {
    const options = collider.given.map!;
    this.#compiled = collider;
    this.#options = options;
    this.#texture = texture;
    this.width = options.width;
    this.height = options.height;
    this.collider = collider.index;
    this.#painter = texture !== undefined && isPaintedInSingle(collider) ? undefined : new Painter(options);
  }

  /**
   * Four numbers per texel, rows from v = 0: the collider's index + 1 (0: nothing was hit), seconds since the window
   * that painted it began, speed (of the last impact, or the sum), and how many (1 if they overwrite each other). A map
   * that the GPU paints has them after `read`; it throws 'unsupported' if it was painted since.
   */
  get values(): Float32Array {
    if (this.#painter !== undefined) return this.#painter.values;
    if (this.#read === undefined) {
      throw new NearfieldError(
        'unsupported',
        'this map was painted by the GPU and has not been read back: await map.read()',
      );
    }
    return this.#read;
  }

  /**
   * The same numbers as `values`, of all windows so far: read back if the GPU paints this map. Rejects with 'gpu-lost'
   * if the GPU that painted it was lost, until the map is cleared.
   */
  async read(): Promise<Float32Array> {
    if (this.#painter !== undefined) return this.#painter.values;
    const painted = this.#painted;
    const values = await this.#texture!.read();
    if (painted === this.#painted) this.#read = values;
    return values;
  }

  /** On the GPU backend, an rgba32float texture with the same numbers; `advance` changes it. On the CPU it throws 'no-gpu'. */
  get texture(): DeviceTexture {
    if (this.#texture === undefined) {
      throw new NearfieldError(
        'no-gpu',
        'impact maps have textures only on the GPU backend; on the CPU read `values`',
      );
    }
    if (this.#painter !== undefined) this.#writeTexture();
    return this.#texture.texture as DeviceTexture;
  }

  /** The surface area per texel in square units, if it is the same for all: planes, and spheres in equal area. */
  get texelArea(): number | undefined {
    const { kind, over } = unrollingOf(this.#compiled);
    const texels = this.width * this.height;
    if (kind === 'plane') return 1 / (over[0] * over[1] * texels);
    const radius = this.#compiled.quadric?.radius;
    return kind === 'equal-area' && radius !== undefined
      ? (4 * Math.PI * radius * radius) / texels
      : undefined;
  }

  /** Forgets all impacts. */
  clear(): void {
    if (this.#painter === undefined) {
      this.paintedOnGpu();
      this.#texture!.clear();
      return;
    }
    this.#painter.clear();
    for (let texel = 0; texel < this.width * this.height; texel++) this.#behind.add(texel);
    this.#writeTexture();
  }

  /**
   * Pixels, v upwards: white where nothing was hit, else coloured by the number of impacts, or by the last speed if
   * they overwrite.
   */
  picture(): Picture {
    const { width, height, values } = this;
    const channel = this.#options.combine === 'count' ? 3 : 2;
    let most = 0;
    for (let at = channel; at < values.length; at += mapChannels) most = Math.max(most, values[at]);
    const data = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let texel = 0; texel < width * height; texel++) {
      if (values[mapChannels * texel] === 0) continue;
      const share = most > 0 ? values[mapChannels * texel + channel] / most : 0;
      const row = height - 1 - Math.floor(texel / width);
      // From yellow to red, like overlaps in distance maps.
      data.set(colourOf(-share, [-1, 0]), 4 * ((texel % width) + width * row));
    }
    return { width, height, data };
  }

  /**
   * Paints the impacts of a window, in their order. If the texture cannot be written now, it is updated on its next
   * use. @internal
   */
  paint(rows: Float64Array, order: Uint32Array, windowFrom: number): void {
    if (this.#painter === undefined) return;
    const texels = this.#painter.paint(rows, order, this.#compiled, windowFrom);
    if (this.#texture === undefined) return;
    for (const texel of texels) this.#behind.add(texel);
    try {
      this.#writeTexture();
    } catch {
      // The impacts are painted already, and must not be painted twice.
    }
  }

  /** Whether the GPU paints it. @internal */
  get isOnGpu(): boolean {
    return this.#painter === undefined;
  }

  /** The GPU has painted: texels that were read back before are out of date. @internal */
  paintedOnGpu(): void {
    this.#painted++;
    this.#read = undefined;
  }

  /** Brings the texture up to date. */
  #writeTexture(): void {
    const { texture } = this.#texture ?? {};
    if (texture === undefined) return;
    if (texture !== this.#written) {
      // A new texture is all 0.
      for (let texel = 0; texel < this.width * this.height; texel++) {
        if (this.values[mapChannels * texel] !== 0) this.#behind.add(texel);
      }
    }
    const texels = Uint32Array.from(this.#behind);
    const changed = new Float32Array(mapChannels * texels.length);
    for (let i = 0; i < texels.length; i++) {
      const from = mapChannels * texels[i];
      for (let k = 0; k < mapChannels; k++) changed[mapChannels * i + k] = this.values[from + k];
    }
    if (texels.length > 0) this.#texture!.write(texels, changed);
    this.#behind.clear();
    this.#written = texture;
  }
}
