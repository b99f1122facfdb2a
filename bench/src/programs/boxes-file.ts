// Writes turned boxes of 16 kinds, so dense that each meets ten others, as a GLB file of instances (EXT_mesh_gpu_instancing),
// to time the command line on a million bodies:
//   node bench/dist/boxes-file.js 1000000 boxes.glb

import { elementary } from '@nearfield/samples';
import { shapes } from 'nearfield';
import { single } from '../scenes/meshes/generated.ts';
import { GlbFile } from './glb.ts';

const [count = '1000000', file = 'boxes.glb'] = process.argv.slice(2);
const kinds = 16;
const random = shapes.createRandom(7);
// Sides from 0.5 to 1.5. This side of the whole cube leaves five pairs per box.
const side = 1.08 * elementary.cubeRoot(Number(count));
const glb = new GlbFile();
const sizes = Array.from({ length: kinds }, () => [0, 1, 2].map(() => random.between(0.5, 1.5)));
const meshes = sizes.map(([x, y, z], i) => glb.mesh(single(shapes.box({ size: [x, y, z] })), `kind ${i}`));
const nodes = meshes.map((_, mesh) => {
  const instances = Math.floor((Number(count) + mesh) / kinds);
  const translations = Float32Array.from({ length: 3 * instances }, () => random.between(0, side));
  const rotations = new Float32Array(4 * instances);
  for (let i = 0; i < instances; i++) {
    const [x, y, z] = random.direction();
    const half = random.between(0, Math.PI);
    const sine = elementary.sine(half);
    rotations.set([x * sine, y * sine, z * sine, elementary.sine(half + Math.PI / 2)], 4 * i);
  }
  const attributes = { TRANSLATION: glb.add(translations, 'VEC3'), ROTATION: glb.add(rotations, 'VEC4') };
  return { name: `boxes ${mesh}`, mesh, extensions: { EXT_mesh_gpu_instancing: { attributes } } };
});
glb.write(file, nodes, { meshes, extensionsUsed: ['EXT_mesh_gpu_instancing'] });
