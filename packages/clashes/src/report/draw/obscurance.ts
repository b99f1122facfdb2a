// How dark are creases? Ambient obscurance from a z-buffer (after McGuire, Osman, Bukowski and Hennessy 2011).

import type { Camera } from './camera.ts';
import type { Buffers } from './rasterise.ts';

const spiral = Float64Array.from({ length: 2 * 16 }, (_, k) => {
  const i = k >> 1;
  const r = Math.sqrt((i + 0.5) / 16);
  return r * (k % 2 === 0 ? Math.cos(2.399963 * i) : Math.sin(2.399963 * i));
});

/** Per pixel, the share of the sky that its neighbourhood leaves open, 0 to 1. */
export function obscurance(
  { width, height, depth, normal, surface }: Buffers,
  camera: Camera,
  samples: number,
): Float32Array {
  const across = width / samples;
  const down = height / samples;
  const out = new Float32Array(across * down).fill(1);
  const reach = Math.max(width, height) * 0.03;
  const offsets = Int32Array.from(spiral, value => Math.round(value * reach));
  const half = Math.floor(samples / 2);
  // Computed for every second pixel in both directions, because obscurance is smooth.
  for (let py = 0; py < down; py += 2) {
    for (let px = 0; px < across; px += 2) {
      const x = px * samples + half;
      const y = py * samples + half;
      const at = y * width + x;
      if (surface[at] === 0) continue;
      const here = depth[at];
      const nx = normal[3 * at];
      const ny = normal[3 * at + 1];
      const nz = normal[3 * at + 2];
      let sum = 0;
      for (let k = 0; k < offsets.length; k += 2) {
        const ox = offsets[k];
        const oy = offsets[k + 1];
        if (x + ox < 0 || y + oy < 0 || x + ox >= width || y + oy >= height) continue;
        const q = at + oy * width + ox;
        if (surface[q] === 0) continue;
        const rise = (depth[q] - here) * camera.scale;
        const towards = ox * nx - oy * ny + rise * nz - 0.06 * reach;
        if (towards <= 0) continue;
        const distanceSquared = ox * ox + oy * oy + rise * rise;
        sum +=
          (towards / Math.sqrt(distanceSquared)) * Math.max(0, 1 - distanceSquared / (4 * reach * reach));
      }
      const open = Math.max(0.25, 1 - (3.8 * sum) / spiral.length);
      for (let k = 0; k < 4; k++) {
        const [besideX, besideY] = [px + (k & 1), py + (k >> 1)];
        if (besideX < across && besideY < down) out[besideY * across + besideX] = open;
      }
    }
  }
  return smooth(smooth(out, across, down), across, down);
}

/** A three by three mean, which hides the sampling spiral. */
function smooth(values: Float32Array, width: number, height: number): Float32Array {
  const out = values.slice();
  for (let y = 1; y + 1 < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const at = y * width + x;
      let sum = 0;
      for (let row = at - width; row <= at + width; row += width)
        sum = sum + values[row - 1] + values[row] + values[row + 1];
      out[at] = sum / 9;
    }
  }
  return out;
}
