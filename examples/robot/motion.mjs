// When does a robot that moves from one set of joint values to another first touch the post beside it, and how near does it come to the lamp above?
import { readFile as readBytes } from 'node:fs/promises';
import { jointMotions, readFile } from '@nearfield/io';
import { open, shapes } from 'nearfield';

const from = { shoulder: -1.2, elbow: 0.4 };
const to = { shoulder: 1.2, elbow: 1.1 };

const bytes = await readBytes(new URL('arm.urdf', import.meta.url));
const { bodies, robot } = await readFile('arm.urdf', bytes, { joints: from });
const nf = await open({ backend: 'cpu' });
const scene = nf.scene();
const links = bodies.map(({ mesh, pose, name }) => scene.add(mesh, { pose, name }));
const post = scene.add(shapes.cylinder({ radius: 0.05, height: 3 }), {
  name: 'post',
  pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0, 0, 1],
});

const lamp = scene.add(shapes.box({ size: [0.3, 0.3, 0.2] }), {
  name: 'lamp',
  pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2.4, 1],
});

// The joints move linearly from the first values to the second, in the time from 0 to 1.
const motion = {
  bodies: jointMotions(robot, from, to).map((chain, i) => ({ body: links[i], ...chain })),
};
const keep = (a, b) => a === post || b === post || a === lamp || b === lamp; // only what the arm does to these

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
