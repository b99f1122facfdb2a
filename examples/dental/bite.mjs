// How far apart are two jaws, seen from above? Writes bite.png. Give two scans (PLY, STL, OBJ), or see two made-up teeth.
import { readFile as readBytes, writeFile } from 'node:fs/promises';
import { readFile } from '@nearfield/io';
import { encodePng } from '@nearfield/io/png';
import { open, shapes } from 'nearfield';

const nf = await open();
const scene = nf.scene();
const files = process.argv.slice(2);
if (files.length !== 0 && files.length !== 2) throw new Error('give two scans, or none');
const [upper, lower] = files.length === 2 ? await scans(files) : teeth();

// Distances along the direction in which the jaw closes; what overlaps is decided exactly, pixel by pixel.
const map = await scene.distanceMap(upper, lower, {
  direction: [0, 0, -1],
  pixel: 0.1,
  contact: 0.05,
  within: 2,
});
if (map.statistics.measured === 0) throw new Error('no line along the direction meets both scans');
const { least, contactArea, penetrationArea, deepest } = map.statistics;
console.log(
  `nearest ${least.toFixed(3)} mm; contact ${contactArea.toFixed(2)} mm², overlap ${penetrationArea.toFixed(2)} mm²`,
);
if (deepest)
  console.log(
    `deepest ${(-deepest.distance).toFixed(3)} mm at ${deepest.point.map(x => x.toFixed(2)).join(', ')}`,
  );
await writeFile('bite.png', encodePng(map.picture()));
nf.close();

async function scans(names) {
  const read = names.map(
    async name => (await readFile(name, await readBytes(name), { oneBody: true })).bodies[0],
  );
  return (await Promise.all(read)).map(({ mesh, pose, name }) => scene.add(mesh, { pose, name }));
}

/** Two rough blobs of 10 mm whose bumps press into one another. */
function teeth() {
  const tooth = seed => shapes.displacedSphere({ radius: 5, triangles: 20_000, amplitude: 0.08, seed });
  const above = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 9.6, 1];
  return [scene.add(tooth(1), { name: 'upper', pose: above }), scene.add(tooth(2), { name: 'lower' })];
}
