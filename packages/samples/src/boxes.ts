// Very many boxes that move to and fro, turning or not, so dense that about one in nine meets another.

import { type Mesh, type Nearfield, shapes } from 'nearfield';
import { cubeRoot, sine, unitAt } from './elementary.ts';
import { find, type Moving } from './sample.ts';

export interface BoxesOptions {
  readonly count?: number;
  /** Whether they turn; otherwise their sides stay along the axes. */
  readonly turning?: boolean;
  readonly seed?: number;
}

const usualStep = 1 / 60;

export function createBoxes(nf: Nearfield, options: BoxesOptions = {}): Moving {
  const { count = 10_000, turning = true, seed = 7 } = options;
  const random = shapes.createRandom(seed);
  const side = 4.3 * cubeRoot(count);
  const within = (low: number, high: number) => [0, 1, 2].map(() => random.between(low, high));
  const meshes: Mesh[] = Array.from({ length: 16 }, () => {
    const [x, y, z] = within(0.5, 1.5);
    return shapes.box({ size: [x, y, z] });
  });
  const scene = nf.scene();
  const movers = Array.from({ length: count }, (_, i) => ({
    body: scene.add(meshes[random.integer(meshes.length)], { name: `box ${i}` }),
    home: within(-side / 2, side / 2),
    swing: within(-2, 2),
    axis: random.direction(),
    begun: random.between(0, 2 * Math.PI),
    spin: turning ? random.between(-2, 2) : 0,
  }));
  const bodies = movers.map(({ body }) => body);
  const poses = new Float64Array(16 * count);
  let [step, time] = [0, 0];
  const place = () => {
    movers.forEach(({ home, swing, axis, begun, spin }, i) => {
      const angle = turning ? begun + spin * time : 0;
      turnInto(poses, 16 * i, axis, angle);
      const way = sine(begun + time);
      for (let k = 0; k < 3; k++) poses[16 * i + 12 + k] = home[k] + way * swing[k];
    });
    scene.setPoses(poses);
  };
  place();
  return {
    name: 'boxes',
    scene,
    bodies,
    advance(dt = usualStep) {
      step++;
      time += dt;
      place();
    },
    step(dt) {
      this.advance(dt);
      return find(scene, { step, time });
    },
    parts: () => bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}

/** The rotation by an angle about an axis of length 1, column by column. */
function turnInto(out: Float64Array, at: number, [x, y, z]: readonly number[], angle: number): void {
  const [c, s] = unitAt(angle);
  const d = 1 - c;
  out[at] = c + d * x * x;
  out[at + 1] = d * x * y + s * z;
  out[at + 2] = d * x * z - s * y;
  out[at + 4] = d * x * y - s * z;
  out[at + 5] = c + d * y * y;
  out[at + 6] = d * y * z + s * x;
  out[at + 8] = d * x * z + s * y;
  out[at + 9] = d * y * z - s * x;
  out[at + 10] = c + d * z * z;
  out[at + 15] = 1;
}
