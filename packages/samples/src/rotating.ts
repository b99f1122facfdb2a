// Two copies of one body, one turning: the pair of Gress and Zachmann's measurements (section 5), scaled to a cube of
// side 2, at a given distance between their centres.

import { multiplyPoses, type Nearfield, shapes } from 'nearfield';
import { unitAt } from './elementary.ts';
import { find, type Moving } from './sample.ts';

export interface RotatingOptions {
  /** Distance between the centres. */
  readonly distance?: number;
  /** Approximate triangles per body. */
  readonly triangles?: number;
  readonly seed?: number;
}

/** A full turn in this many steps. */
const steps = 360;

export function createRotating(nf: Nearfield, options: RotatingOptions = {}): Moving {
  const { distance = 1.2, triangles = 69_620, seed = 1 } = options;
  const shape = shapes.displacedSphere({ triangles, seed });
  const { bounds } = shape;
  const size = 2 / Math.max(...[0, 1, 2].map(axis => bounds[3 + axis] - bounds[axis]));
  const middle = [0, 1, 2].map(axis => (bounds[axis] + bounds[3 + axis]) / 2);
  const fitted = Float64Array.of(
    size,
    0,
    0,
    0,
    0,
    size,
    0,
    0,
    0,
    0,
    size,
    0,
    ...middle.map(at => -size * at),
    1,
  );
  const scene = nf.scene();
  const still = scene.add(shape, { name: 'still', pose: fitted });
  const turning = scene.add(shape, { name: 'turning', pose: fitted });
  let step = 0;
  const place = () => {
    const angle = (2 * Math.PI * step) / steps;
    const [cos, sin] = unitAt(angle);
    turning.pose = multiplyPoses(
      Float64Array.of(cos, sin, 0, 0, -sin, cos, 0, 0, 0, 0, 1, 0, distance, 0, 0, 1),
      fitted,
    );
  };
  place();
  const bodies = [still, turning];
  return {
    name: 'rotating',
    scene,
    bodies,
    advance() {
      step++;
      place();
    },
    step() {
      this.advance();
      return find(scene, { step, time: step / 60 });
    },
    parts: () => bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}
