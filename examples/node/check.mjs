// Which of these bodies meet, how deep, and how far apart are the others?
import { open, shapes } from 'nearfield';

const nf = await open({ backend: 'cpu' });
const scene = nf.scene();
const at = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]; // a pose: 16 numbers, column by column
const wall = scene.add(shapes.box({ size: [4, 0.2, 3] }), { name: 'wall' });
const pipe = scene.add(shapes.cylinder({ radius: 0.1, height: 2 }), { name: 'pipe' });
const cabinet = scene.add(shapes.box({ size: [1, 0.5, 1] }), { name: 'cabinet', pose: at(0, 0.4, 0) });

for (const { a, b, relation } of await scene.interferences()) {
  const { depth } = await scene.penetration(a, b);
  console.log(`${a.name} ${relation} ${b.name}, ${depth.lower.toFixed(3)} to ${depth.upper.toFixed(3)} deep`);
}
const { distance } = await scene.distance(wall, cabinet);
console.log(`${wall.name} and ${cabinet.name} are ${distance.toFixed(3)} apart`);
console.log(
  `${pipe.name} is ${(await scene.closest(pipe, Float64Array.of(2, 2, 0))).distances[0].toFixed(3)} from the point (2, 2, 0)`,
);
nf.close();
