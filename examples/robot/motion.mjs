// When does a robot that moves from one set of joint values to another first touch the post beside it, and how near
// does it come to the lamp above?
import { readFile as readBytes } from 'node:fs/promises';
import { jointMotions, readFile } from '@nearfield/io';
import { open } from 'nearfield';

const bytesOf = name => readBytes(new URL(name, import.meta.url));
const [from, to] = JSON.parse(String(await bytesOf('motion.json')));
const { bodies, robot } = await readFile('arm.urdf', await bytesOf('arm.urdf'), { joints: from });
const cell = await readFile('cell.obj', await bytesOf('cell.obj'));

const nf = await open({ backend: 'cpu' });
const scene = nf.scene();
const add = ({ mesh, pose, name }) => scene.add(mesh, { pose, name });
const links = bodies.map(add);
const around = new Set(cell.bodies.map(add)); // the post and the lamp

// The joints move linearly from the first values to the second, in the time from 0 to 1.
const motion = {
  bodies: jointMotions(robot, from, to).map((chain, i) => ({ body: links[i], ...chain })),
};
const keep = (a, b) => around.has(a) || around.has(b); // the arm against what stands around it

const contacts = await scene.firstContact(motion, { keep });
for (const { a, b, state, time } of contacts) {
  console.log(`${a.name} and ${b.name}: ${state} between ${time.from.toFixed(6)} and ${time.to.toFixed(6)}`);
}
// The pairs that never touch: how near they come.
const met = new Set(contacts.map(({ a, b }) => `${a.name} ${b.name}`));
for (const { a, b, distance } of await scene.nearestApproach(motion, { keep })) {
  if (met.has(`${a.name} ${b.name}`)) continue;
  console.log(`${a.name} comes within ${distance.upper.toFixed(4)} m of ${b.name}`);
}
nf.close();
