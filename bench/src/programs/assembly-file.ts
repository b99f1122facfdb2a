// Writes the parts of the scene "assembly" as a GLB file in which parts of one kind share a mesh, to time the command line:
//   node bench/dist/assembly-file.js 100000 big.glb

import { assemblyParts } from '../scenes/assembly.ts';
import { GlbFile } from './glb.ts';

const [count = '100000', file = 'assembly.glb'] = process.argv.slice(2);
const parts = assemblyParts(Number(count));
const meshes = [...new Set(parts.map(({ mesh }) => mesh))];
const glb = new GlbFile();
const nodes = parts.map(({ mesh, pose }, i) => ({
  name: `part ${i}`,
  mesh: meshes.indexOf(mesh),
  matrix: [...pose],
}));
glb.write(file, nodes, { meshes: meshes.map((mesh, i) => glb.mesh(mesh, `kind ${i}`)) });
