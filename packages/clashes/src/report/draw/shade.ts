// Turns buffers into a picture: a key light from the upper left, a sky, a rim light, creases darkened by ambient
// obscurance (obscurance.ts), drawn edges, up to two transparent layers, and
// contact lines. Light is summed linearly over several samples per pixel and encoded as sRGB at the end.

import type { Pixels } from '@nearfield/io/png';
import { finish, type Steps } from '../../steps/steps.ts';
import { type Camera, normalise, project, type Vector } from './camera.ts';
import { obscurance } from './obscurance.ts';
import { type Buffers, type Color, createBuffers, rasteriseSteps, type Surface } from './rasterise.ts';

export interface Picture {
  camera: Camera;
  surfaces: readonly Surface[];
  /** Segments, six numbers each, drawn over everything: solid if visible, faint if hidden. */
  lines?: { segments: Float64Array; color: Color; width: number } | undefined;
  /** Colour of marked triangles. */
  markColor: Color;
  /** Samples per pixel along each side. */
  samples?: number | undefined;
  /** If left out, empty pixels are transparent. */
  background?: Color | undefined;
}

export const render = (picture: Picture): Pixels => finish(renderSteps(picture));

/** The same in steps. */
export function* renderSteps(picture: Picture): Steps<Pixels> {
  const { surfaces, samples = 3 } = picture;
  const camera = enlarge(picture.camera, samples);
  const solid = createBuffers(camera.width, camera.height);
  for (const [id, surface] of surfaces.entries()) {
    if ((surface.opacity ?? 1) >= 1) yield* rasteriseSteps(solid, camera, surface, id);
  }
  const light = new Float32Array(4 * camera.width * camera.height);
  yield* shadeSolid(light, solid, picture, camera, samples);
  yield* shadeGlass(light, solid, picture, camera);
  if (picture.lines) yield* drawLines(light, solid, camera, picture.lines, samples);
  yield;
  return develop(light, camera, samples, picture.background);
}

const enlarge = (camera: Camera, by: number): Camera => ({
  ...camera,
  width: camera.width * by,
  height: camera.height * by,
  scale: camera.scale * by,
});

/** sRGB, 0 to 255, to linear light. */
const linear = (color: Color): Vector =>
  color.map(value => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  }) as unknown as Vector;

const keyLight = normalise([-0.15, 0.6, 0.8]);
const halfway = normalise([keyLight[0], keyLight[1], keyLight[2] + 1]);

/** The brightness of a matt surface, from the normal in the axes of the picture. */
const mattOf = (x: number, y: number, z: number): number =>
  0.27 + 0.16 * (1 + y) + 0.52 * Math.max(0, x * keyLight[0] + y * keyLight[1] + z * keyLight[2]);

/** The reflection on top: the key light, and the rim against the sky. */
function shineOf(x: number, y: number, z: number): number {
  const aligned = Math.max(0, x * halfway[0] + y * halfway[1] + z * halfway[2]);
  const squared = aligned * aligned;
  const eighth = squared * squared * squared * squared;
  const gloss = eighth * eighth * eighth * eighth;
  const rim = 1 - Math.min(1, Math.max(0, z));
  return 0.1 * gloss + 0.12 * rim * rim * rim;
}

/** Rows of a picture per step. */
const rowsPerStep = 128;

function* shadeSolid(
  light: Float32Array,
  buffers: Buffers,
  picture: Picture,
  camera: Camera,
  samples: number,
): Steps<void> {
  const colors = picture.surfaces.map(({ color }) => linear(color));
  const stripes = picture.surfaces.map(({ stripes: second }) => second && linear(second));
  const mark = linear(picture.markColor);
  const open = obscurance(buffers, camera, samples);
  yield;
  const strength = markStrength(picture, camera, samples);
  const shading: Shading = { ...{ colors, stripes, mark, open, strength, samples }, scale: camera.scale };
  for (let y = 0; y < buffers.height; y += rowsPerStep) {
    yield;
    shadeRows(light, buffers, shading, y, Math.min(buffers.height, y + rowsPerStep));
  }
}

/** What the light of a solid sample depends on, besides the buffers. */
interface Shading {
  /** The linear colours of the surfaces. */
  readonly colors: readonly Vector[];
  readonly stripes: readonly (Vector | undefined)[];
  /** The colour of marks, and how strong it is per pixel. */
  readonly mark: Vector;
  readonly strength: Float32Array;
  /** The share of the sky that each pixel sees. */
  readonly open: Float32Array;
  readonly samples: number;
  /** Samples per unit of length. */
  readonly scale: number;
}

/**
 * Adds the light of rows `from` to `to`. It is a function of its own, because engines compile loops in generators
 * late.
 */
function shadeRows(light: Float32Array, buffers: Buffers, shading: Shading, from: number, to: number): void {
  const { width, surface, marked, normal } = buffers;
  const { colors, stripes, mark, strength, open, samples, scale } = shading;
  const across = width / samples;
  const band = 9 * samples;
  for (let y = from; y < to; y++) {
    const row = Math.floor(y / samples) * across;
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const id = surface[at] - 1;
      if (id < 0) continue;
      const pixel = row + Math.floor(x / samples);
      const second = stripes[id];
      const base = second && (x + y) % (2 * band) < band ? second : colors[id];
      const mix = marked[at] ? strength[pixel] : 0;
      const nx = normal[3 * at];
      const ny = normal[3 * at + 1];
      const nz = normal[3 * at + 2];
      const matt = mattOf(nx, ny, nz) * open[pixel];
      const shine = shineOf(nx, ny, nz) * (0.3 + 0.7 * open[pixel]);
      const edge = isEdge(buffers, scale, x, y) ? 0.45 : 1;
      for (let c = 0; c < 3; c++) {
        light[4 * at + c] = ((base[c] * (1 - mix) + mark[c] * mix) * matt + shine) * edge;
      }
      light[4 * at + 3] = 1;
    }
  }
}

/**
 * Whether the surface, its normal or its depth changes between a sample and its neighbour to the side, above or
 * below.
 */
function isEdge(buffers: Buffers, scale: number, x: number, y: number): boolean {
  const { width, height } = buffers;
  const at = y * width + x;
  return (
    (x + 1 < width && isStep(buffers, scale, at, at + 1)) ||
    (y + 1 < height && isStep(buffers, scale, at, at + width)) ||
    (x > 0 && isStep(buffers, scale, at, at - 1)) ||
    (y > 0 && isStep(buffers, scale, at, at - width))
  );
}

function isStep({ surface, depth, normal }: Buffers, scale: number, at: number, next: number): boolean {
  // Between two surfaces, the line belongs to the nearer one.
  if (surface[next] !== surface[at]) return depth[at] > depth[next];
  const i = 3 * at;
  const j = 3 * next;
  if (normal[i] * normal[j] + normal[i + 1] * normal[j + 1] + normal[i + 2] * normal[j + 2] < 0.82)
    return true;
  // A depth step steeper than the surface itself, in samples. Three samples along the surface never count, at any
  // angle.
  const step = (depth[at] - depth[next]) * scale;
  return step > 3 && step > 3 + 3 / Math.max(0.08, normal[i + 2]);
}

/**
 * How strongly each pixel of a marked triangle is coloured: fully near the contact lines, less far from them, because
 * a large flat face is often one triangle that is touched only at its edge.
 */
function markStrength({ lines }: Picture, camera: Camera, samples: number): Float32Array {
  const width = camera.width / samples;
  const height = camera.height / samples;
  const distance = new Float32Array(width * height);
  if (!lines || lines.segments.length === 0) return distance.fill(1);
  distance.fill(Infinity);
  for (let s = 0; s < lines.segments.length; s += 6) {
    const from = project(camera, [lines.segments[s], lines.segments[s + 1], lines.segments[s + 2]]);
    const to = project(camera, [lines.segments[s + 3], lines.segments[s + 4], lines.segments[s + 5]]);
    const steps = Math.min(4096, 1 + Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / samples));
    for (let k = 0; k <= steps; k++) {
      const x = Math.floor((from[0] + ((to[0] - from[0]) * k) / steps) / samples);
      const y = Math.floor((from[1] + ((to[1] - from[1]) * k) / steps) / samples);
      if (x >= 0 && y >= 0 && x < width && y < height) distance[y * width + x] = 0;
    }
  }
  spread(distance, width, height);
  const near = 0.012 * width;
  const fade = 0.045 * width;
  return distance.map(d => 0.1 + 0.9 * Math.exp(-Math.max(0, d - near) / fade));
}

/** Distance to the nearest zero in two sweeps over the pixels, right within a few percent (Borgefors 1986). */
function spread(distance: Float32Array, width: number, height: number): void {
  const relax = (at: number, from: number, step: number) => {
    if (distance[from] + step < distance[at]) distance[at] = distance[from] + step;
  };
  for (let sweep = 0; sweep < 2; sweep++) {
    const sign = sweep === 0 ? -1 : 1;
    for (let k = 0; k < width * height; k++) {
      const at = sweep === 0 ? k : width * height - 1 - k;
      const x = at % width;
      const y = (at - x) / width;
      const beside = sweep === 0 ? x > 0 : x + 1 < width;
      const beyond = sweep === 0 ? y > 0 : y + 1 < height;
      if (beside) relax(at, at + sign, 1);
      if (!beyond) continue;
      relax(at, at + sign * width, 1);
      if (x > 0) relax(at, at + sign * width - 1, Math.SQRT2);
      if (x + 1 < width) relax(at, at + sign * width + 1, Math.SQRT2);
    }
  }
}

/** The two nearest transparent layers in front of the solid surface, the farther first. */
function* shadeGlass(
  light: Float32Array,
  solid: Buffers,
  { surfaces, markColor }: Picture,
  camera: Camera,
): Steps<void> {
  if (surfaces.every(({ opacity = 1 }) => opacity >= 1)) return;
  const layers: Buffers[] = [];
  for (let layer = 0; layer < 2; layer++) {
    const buffers = createBuffers(solid.width, solid.height);
    const between = { nearerThan: solid.depth, fartherThan: layers.at(-1)?.depth };
    for (const [id, surface] of surfaces.entries()) {
      if ((surface.opacity ?? 1) < 1) yield* rasteriseSteps(buffers, camera, surface, id, between);
    }
    layers.push(buffers);
  }
  const colors = surfaces.map(({ color }) => linear(color));
  const mark = linear(markColor);
  const opacities = surfaces.map(({ opacity = 1 }) => opacity);
  for (const buffers of layers.reverse()) {
    const step = rowsPerStep * buffers.width;
    for (let at = 0; at < buffers.surface.length; at += step) {
      yield;
      const end = Math.min(buffers.surface.length, at + step);
      glazeSamples(light, buffers, { colors, opacities, mark, scale: camera.scale }, at, end);
    }
  }
}

/** What the light of a transparent layer depends on, besides the buffers. */
interface Glazing extends Pick<Shading, 'colors' | 'mark' | 'scale'> {
  readonly opacities: readonly number[];
}

function glazeSamples(
  light: Float32Array,
  buffers: Buffers,
  { colors, opacities, mark, scale }: Glazing,
  from: number,
  to: number,
): void {
  const { width, surface, marked, normal } = buffers;
  for (let at = from; at < to; at++) {
    const id = surface[at] - 1;
    if (id < 0) continue;
    const x = normal[3 * at];
    const y = normal[3 * at + 1];
    const z = normal[3 * at + 2];
    const matt = mattOf(x, y, z);
    const shine = shineOf(x, y, z);
    const edge = isEdge(buffers, scale, at % width, Math.floor(at / width));
    const grazing = (1 - Math.min(1, Math.max(0, z))) ** 2;
    const body = opacities[id];
    const alpha = edge
      ? Math.min(0.75, 3.2 * body)
      : marked[at]
        ? Math.min(0.8, 3 * body)
        : Math.min(0.9, body * (1 + 1.6 * grazing));
    const base = marked[at] ? mark : colors[id];
    const dark = edge ? 0.35 : 1;
    for (let c = 0; c < 3; c++) {
      light[4 * at + c] = light[4 * at + c] * (1 - alpha) + (base[c] * matt + shine) * dark * alpha;
    }
    light[4 * at + 3] = light[4 * at + 3] * (1 - alpha) + alpha;
  }
}

function* drawLines(
  light: Float32Array,
  solid: Buffers,
  camera: Camera,
  { segments, color, width: lineWidth }: NonNullable<Picture['lines']>,
  samples: number,
): Steps<void> {
  const { width, height, depth } = solid;
  const paint = linear(color);
  const radius = (lineWidth * samples) / 2;
  const covered = new Uint8Array(width * height);
  const bias = (2.5 * samples) / camera.scale;
  let work = 0;
  for (let s = 0; s < segments.length; s += 6) {
    const [ax, ay, az] = project(camera, [segments[s], segments[s + 1], segments[s + 2]]);
    const [bx, by, bz] = project(camera, [segments[s + 3], segments[s + 4], segments[s + 5]]);
    const lengthSquared = (bx - ax) ** 2 + (by - ay) ** 2;
    const [left, right] = [
      Math.max(0, Math.floor(Math.min(ax, bx) - radius)),
      Math.min(width - 1, Math.ceil(Math.max(ax, bx) + radius)),
    ];
    const [top, bottom] = [
      Math.max(0, Math.floor(Math.min(ay, by) - radius)),
      Math.min(height - 1, Math.ceil(Math.max(ay, by) + radius)),
    ];
    work += Math.max(30, (bottom - top) * (right - left));
    if (work > 2_000_000) {
      work = 0;
      yield;
    }
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const along = lengthSquared > 0 ? ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / lengthSquared : 0;
        const t = Math.min(1, Math.max(0, along));
        const dx = x - ax - t * (bx - ax);
        const dy = y - ay - t * (by - ay);
        if (dx * dx + dy * dy > radius * radius) continue;
        const at = y * width + x;
        const visible = az + t * (bz - az) + bias >= depth[at] ? 2 : 1;
        if (visible > covered[at]) covered[at] = visible;
      }
    }
  }
  for (let at = 0; at < covered.length; at++) {
    if (covered[at] === 0) continue;
    const alpha = covered[at] === 2 ? 1 : 0.16;
    for (let c = 0; c < 3; c++) light[4 * at + c] = light[4 * at + c] * (1 - alpha) + paint[c] * alpha;
    light[4 * at + 3] = light[4 * at + 3] * (1 - alpha) + alpha;
  }
}

/** Averages the samples of each pixel and encodes the mean as sRGB. */
function develop(light: Float32Array, camera: Camera, samples: number, background?: Color): Pixels {
  const [width, height] = [camera.width / samples, camera.height / samples];
  const data = new Uint8Array(4 * width * height);
  const behind = background && linear(background);
  const count = samples * samples;
  const none = [0, 1, 2].map(c => encode(behind ? behind[c] : 0));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 4 * (y * samples * camera.width + x * samples);
      const to = 4 * (y * width + x);
      let covered = 0;
      for (let sy = 0; sy < samples; sy++) {
        const row = from + 4 * sy * camera.width;
        for (let sx = 0; sx < samples; sx++) covered += light[row + 4 * sx + 3];
      }
      const alpha = covered / count;
      data[to + 3] = behind ? 255 : Math.round(255 * alpha);
      for (let c = 0; c < 3; c++) {
        if (covered === 0) {
          data[to + c] = none[c];
          continue;
        }
        let sum = 0;
        for (let sy = 0; sy < samples; sy++) {
          const row = from + 4 * sy * camera.width + c;
          for (let sx = 0; sx < samples; sx++) sum += light[row + 4 * sx];
        }
        data[to + c] = encode(behind ? sum / count + (1 - alpha) * behind[c] : sum / covered);
      }
    }
  }
  return { width, height, data };
}

const encode = (value: number): number => encoded[Math.round(4095 * Math.min(1, Math.max(0, value)))];

/** Linear light in 4,096 steps as an sRGB byte. */
const encoded = Uint8Array.from({ length: 4096 }, (_, i) => {
  const v = i / 4095;
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
});
