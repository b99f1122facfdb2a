// A cloth falls on a ball, step by step. Before each step: does any vertex pass through the ball or the cloth itself on the way?
// The step then ends just before the first contact, so nothing ever passes through anything.
import { open, shapes } from 'nearfield';

const nf = await open({ backend: 'cpu' });
const scene = nf.scene();
const ball = scene.add(shapes.icosphere({ radius: 1, frequency: 16 }), { name: 'ball' });
const sheet = shapes.cloth({ length: 3, width: 3, triangles: 2000, steepness: 0, wrinkle: 0 });
let positions = Float64Array.from(sheet.positions, (x, i) => (i % 3 === 2 ? x + 1.15 : x));
const cloth = scene.add(sheet, { name: 'cloth' });
cloth.deform(positions);
const speed = new Float64Array(positions.length);

for (let step = 0; step < 12; step++) {
  for (let i = 2; i < speed.length; i += 3) speed[i] -= 9.81 / 60;
  const next = positions.map((x, i) => x + speed[i] / 60);
  const [first] = await scene.firstContact(
    { bodies: [{ body: cloth, positions: next }] },
    { which: 'earliest', self: true },
  );
  const whole = first === undefined;
  const share = whole ? 1 : 0.99 * first.time.from; // no contact before time.from: that is proven
  positions = positions.map((x, i) => x + share * (next[i] - x));
  cloth.deform(positions);
  console.log(
    `step ${step}: ${whole ? 'free' : `meets ${first.a.name} at ${first.time.from.toFixed(6)} of the step`}`,
  );
  if (!whole) break; // here a simulation would answer with forces
}
const { distance } = await scene.distance(ball, cloth);
console.log(
  `the cloth rests ${distance.toExponential(2)} above the ball; pairs that meet: ${(await scene.interferences()).pairs.length}`,
);
nf.close();
