// Writes rings with bumps, each of which crosses the next, as a GLB file: large meshes that share nothing, to time the
// command line on as many triangles as a machine can take. Two hundred million, of which forty million are in one body:
//   node bench/dist/triangles-file.js 200000000 40000000 triangles.glb
//   node --max-old-space-size=20000 packages/cli/bin/nearfield.js check triangles.glb --backend cpu

import { elementary } from '@nearfield/samples';
import { mesh } from 'nearfield';
import { GlbFile } from './glb.ts';

const [total = '200000000', each = '40000000', file = 'triangles.glb'] = process.argv.slice(2);
/** Two triangles per step around the ring and around its tube. */
const steps = Math.max(3, Math.round(Math.sqrt(Number(each) / 2)));
const count = Math.max(1, Math.round(Number(total) / (2 * steps * steps)));

/** Sines at `steps` angles, from a quarter turn on for cosines. */
const sines = (turns: number, quarters = 0): Float64Array =>
  Float64Array.from({ length: steps }, (_, i) =>
    elementary.sine(2 * Math.PI * (((turns * i) / steps) % 1) + (quarters * Math.PI) / 2),
  );

function ring() {
  const [sine, cosine] = [sines(1), sines(1, 1)];
  const [around, across] = [sines(7), sines(5)];
  const positions = new Float32Array(3 * steps * steps);
  const indices = new Uint32Array(6 * steps * steps);
  for (let i = 0; i < steps; i++) {
    for (let j = 0; j < steps; j++) {
      const vertex = i * steps + j;
      const tube = 0.3 + 0.02 * around[i] * across[j];
      const out = 1 + tube * cosine[j];
      positions[3 * vertex] = out * cosine[i];
      positions[3 * vertex + 1] = out * sine[i];
      positions[3 * vertex + 2] = tube * sine[j];
      const right = ((i + 1) % steps) * steps;
      const up = (j + 1) % steps;
      indices.set([vertex, right + j, right + up, vertex, right + up, i * steps + up], 6 * vertex);
    }
  }
  return mesh(positions, indices);
}

const glb = new GlbFile();
// Each is added by itself, so that the file has it as often.
const one = ring();
const meshes = Array.from({ length: count }, (_, i) => glb.mesh(one, `ring ${i}`));
const nodes = meshes.map((_, i) => ({ name: `ring ${i}`, mesh: i, translation: [2.5 * i, 0.01 * i, 0] }));
glb.write(file, nodes, { meshes });
console.log(`${file}: ${count} rings of ${2 * steps * steps} triangles`);
