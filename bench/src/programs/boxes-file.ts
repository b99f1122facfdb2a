// Writes turned boxes as a GLB file of instances (EXT_mesh_gpu_instancing), to time the command line on a million bodies:
//   node bench/dist/boxes-file.js 1000000 boxes.glb

import { turnedBoxes } from '../scenes/turned-boxes.ts';
import { GlbFile } from './glb.ts';

const [count = '1000000', file = 'boxes.glb'] = process.argv.slice(2);
const kinds = turnedBoxes(Number(count));
const glb = new GlbFile();
const meshes = kinds.map(({ mesh }, i) => glb.mesh(mesh, `kind ${i}`));
const nodes = kinds.map(({ translations, rotations }, mesh) => {
  const attributes = { TRANSLATION: glb.add(translations, 'VEC3'), ROTATION: glb.add(rotations, 'VEC4') };
  return { name: `boxes ${mesh}`, mesh, extensions: { EXT_mesh_gpu_instancing: { attributes } } };
});
glb.write(file, nodes, { meshes, extensionsUsed: ['EXT_mesh_gpu_instancing'] });
