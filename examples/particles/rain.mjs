// A hundred thousand drops fall on a ball, a torus knot and the ground. Every impact: which, where, when and how hard.
import { open, shapes } from 'nearfield';

const nf = await open();
const scene = nf.scene();
const knot = scene.add(shapes.torusKnot({ tubeRadius: 0.3 }), {
  name: 'knot',
  pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -2, 0, 2, 1],
});
/** @type {import('nearfield').Collider[]} */
const colliders = [
  { body: knot },
  { sphere: { centre: [2, 0, 1], radius: 1 } },
  { plane: { point: [0, 0, 0], normal: [0, 0, 1] } },
];
const names = ['knot', 'ball', 'ground'];
const rain = await nf.particles({
  count: 100_000,
  start: {
    from: {
      box: [
        [-4, -4, 6],
        [4, 4, 8],
      ],
    },
    velocity: { point: [0, 0, -9] },
    life: 2,
  },
  acceleration: [0, 0, -9.81],
  colliders,
  response: { kind: 'vanish' },
});

const hits = [0, 0, 0];
let hardest = { normalSpeed: 0 };
for (const impact of await rain.impacts(0, 1)) {
  hits[impact.collider]++;
  if (impact.normalSpeed > hardest.normalSpeed) hardest = impact;
}
for (const [i, name] of names.entries()) console.log(`${name}: ${hits[i]} drops in the first second`);
console.log(
  `the hardest: ${hardest.normalSpeed.toFixed(2)} on ${names[hardest.collider]} at ${hardest.time.toFixed(4)} s`,
);
nf.close();
