// Draws docs/gearbox.png, the picture in the README: the sample gearbox and two of its mistakes. Run it again after
// changing the sample or the way pictures are drawn.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildKernels } from '../kernels.mjs';
import { checkUsage } from '../usage.mjs';

checkUsage(`usage: node scripts/pictures/gearbox.mjs
Draws docs/gearbox.png, the picture in the README.`);
const root = fileURLToPath(new URL('../..', import.meta.url));
process.chdir(root);

const bundle = `${root}.cache/gearbox.mjs`;
await buildKernels();
await build({
  stdin: {
    resolveDir: root,
    contents: `
      export { applyPose, open } from './packages/nearfield/src/index.ts';
      export { encodePng } from './packages/io/src/png.ts';
      export { drawPoster } from './packages/clashes/src/report/draw/poster.ts';
      export { gearboxParts } from './packages/samples/src/index.ts';`,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  external: ['webgpu', 'robust-predicates'],
  alias: { nearfield: `${root}packages/nearfield/src/index.ts` },
  loader: { '.wgsl': 'text', '.wasm': 'binary' },
  outfile: bundle,
});
const { applyPose, drawPoster, encodePng, open, gearboxParts } = await import(pathToFileURL(bundle).href);

const parts = gearboxParts();
const nearfield = await open({ backend: 'cpu' });
const scene = nearfield.scene();
for (const { name, mesh, pose } of parts) scene.add(mesh, { name, pose });
const pairs = [...(await scene.interferences())].map(({ a, b, relation, triangles, triangleCount }) => {
  return { a: a.index, b: b.index, relation, triangles, triangleCount };
});
nearfield.close();

const bodies = parts.map(({ name, mesh: { positions, indices, vertexCount, triangleCount }, pose }) => {
  const world = new Float64Array(positions.length);
  for (let i = 0; i < world.length; i += 3) {
    applyPose(pose, positions[i], positions[i + 1], positions[i + 2], world, i);
  }
  return { name, positions: world, indices, vertices: vertexCount, triangles: triangleCount, closed: true };
});
const pairOf = (a, b) => pairs.find(pair => parts[pair.a].name === a && parts[pair.b].name === b);
const closeUps = [pairOf('lay pinion', 'output gear'), pairOf('lay gear', 'cover screw 1')];

mkdirSync('docs', { recursive: true });
const png = encodePng(drawPoster({ bodies, pairs }, closeUps));
writeFileSync('docs/gearbox.png', png);
console.log(`docs/gearbox.png: ${Math.ceil(png.length / 1024)} KiB`);
