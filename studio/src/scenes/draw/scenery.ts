// What is drawn around the bodies of a scene so that people recognise them: gums around teeth, vessels above ventricles. No
// question is asked about it.

import { lowerArch, placeOn, upperArch } from '@nearfield/samples';
import {
  BufferAttribute,
  BufferGeometry,
  CatmullRomCurve3,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from 'three/webgpu';
import type { SceneName, Settings } from '../types.ts';

export interface Scenery {
  readonly geometry: BufferGeometry;
  readonly colour: string;
  /** The body that it moves with, by its place in the scene; undefined if it does not move. */
  readonly follows?: number | undefined;
}

const [arterial, venous, gum] = ['#b5413c', '#5674b0', '#c9827c'];

export function sceneryOf(name: SceneName, settings: Settings): Scenery[] {
  if (name === 'heart') return vessels();
  if (name === 'jaws' && settings['all'] === true) return gums();
  return [];
}

/** Atria, the aorta with its arch, and the trunk of the pulmonary arteries. The ventricles reach up to z = 1.2. */
function vessels(): Scenery[] {
  const tube = (radius: number, ...points: [number, number, number][]) =>
    new TubeGeometry(new CatmullRomCurve3(points.map(point => new Vector3(...point))), 48, radius, 20);
  const atrium = (size: [number, number, number], at: [number, number, number]) =>
    new SphereGeometry(1, 32, 20).scale(...size).translate(...at);
  return [
    { colour: arterial, geometry: atrium([0.56, 0.44, 0.36], [-0.26, 0.34, 1.24]) },
    { colour: venous, geometry: atrium([0.42, 0.44, 0.38], [0.74, 0.3, 1.08]) },
    {
      colour: arterial,
      geometry: tube(
        0.2,
        [0.02, 0, 1.05],
        [0.2, -0.02, 1.6],
        [0.02, 0.08, 2.05],
        [-0.4, 0.3, 2.1],
        [-0.62, 0.46, 1.6],
      ),
    },
    {
      colour: venous,
      geometry: tube(
        0.18,
        [0.52, -0.3, 0.95],
        [0.38, -0.34, 1.4],
        [0, -0.22, 1.72],
        [-0.5, -0.06, 1.78],
        [-0.9, 0.05, 1.7],
      ),
    },
    { colour: venous, geometry: tube(0.15, [0.76, 0.34, 1.3], [0.7, 0.36, 1.75], [0.66, 0.36, 2.2]) },
  ];
}

/** A band along each arch, around the lower part of the teeth, whose ends are 12 mm below their tops. */
function gums(): Scenery[] {
  return [
    { colour: gum, geometry: band(upperArch, 11), follows: 0 },
    { colour: gum, geometry: band(lowerArch, -11), follows: 1 },
  ];
}

function band(arch: typeof upperArch, z: number): BufferGeometry {
  const [length, along, around] = [59, 96, 24];
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= along; i++) {
    const share = (2 * i) / along - 1;
    // Rounded at both ends.
    const size = Math.sqrt(1 - share ** 12);
    for (let k = 0; k < around; k++) {
      const angle = (2 * Math.PI * k) / around;
      const [x, y] = placeOn(arch, share * length, 6.4 * size * Math.cos(angle));
      positions.push(x, y, z + 5.5 * size * Math.sin(angle));
      const [p, q] = [i * around + k, i * around + ((k + 1) % around)];
      if (i < along) indices.push(p, q, p + around, q, q + around, p + around);
    }
  }
  const geometry = new BufferGeometry()
    .setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
    .setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
}
