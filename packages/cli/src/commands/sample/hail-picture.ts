// Draws hail: the scene, the stones with a streak behind those that fly, and a splat at every impact so far, coloured
// by the number of impacts in its texel of the impact map.

import {
  type Color,
  cornerNormals,
  cross,
  fitPoints,
  normalise,
  type PictureSize,
  render,
  type Surface,
  type Vector,
} from '@nearfield/clashes';
import type { Pixels } from '@nearfield/io/png';
import { applyPose, type Mesh, type Pose, shapes } from 'nearfield';

export interface HailPicture {
  readonly looks: readonly { readonly mesh: Mesh; readonly pose: Pose; readonly colour: Color }[];
  readonly stones: readonly {
    readonly place: Vector;
    /** Undefined if the stone rests. */
    readonly velocity: Vector | undefined;
    readonly radius: number;
  }[];
  readonly splats: readonly {
    readonly place: Vector;
    readonly normal: Vector;
    /** The number of impacts in its texel, at least 1. */
    readonly count: number;
  }[];
}

/** A stormy sky. */
const sky: Color = [70, 84, 102];
const ice: Color = [244, 248, 252];
/** Colours for one impact, two, up to four, up to eight, and more. */
const heat: readonly Color[] = [
  [206, 222, 236],
  [250, 222, 130],
  [248, 174, 80],
  [234, 112, 62],
  [196, 48, 62],
];
const from: Vector = [0.42, -0.95, 0.62];
/** The length of a streak in seconds. */
const exposure = 0.022;

export function drawHail({ looks, stones, splats }: HailPicture, size: PictureSize): Pixels {
  const solid = looks.map(({ mesh, pose, colour }) => {
    const positions = new Float64Array(mesh.positions.length);
    for (let i = 0; i < positions.length; i += 3) {
      applyPose(pose, mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2], positions, i);
    }
    return surface(positions, mesh.indices, colour);
  });
  const camera = fitPoints(
    solid.map(({ positions }) => positions),
    from,
    size.width,
    size.height,
    0.015,
  );
  const small = shapes.icosphere({ radius: 1, frequency: 2 });
  const round = copies(stones.length, small.positions.length / 3, small.indices, (at, out) => {
    const { place, radius } = stones[at];
    for (let i = 0; i < small.positions.length; i++) out[i] = place[i % 3] + radius * small.positions[i];
  });
  const flying = stones.flatMap(({ place, velocity, radius }) =>
    velocity ? [{ place, velocity, radius }] : [],
  );
  const streaks = copies(flying.length, 3, [0, 1, 2], (at, out) => {
    const { place, velocity, radius } = flying[at];
    const aside = normalise(cross(velocity, camera.toward)).map(value => 0.7 * radius * value);
    for (let k = 0; k < 3; k++) {
      out[k] = place[k] + aside[k];
      out[3 + k] = place[k] - velocity[k] * exposure;
      out[6 + k] = place[k] - aside[k];
    }
  });
  const marks = heat.map((color, level) => {
    const those = splats.filter(
      ({ count }) => Math.min(heat.length - 1, Math.ceil(Math.log2(count))) === level,
    );
    return surface(
      ...copies(those.length, splatSides, splatFan, (at, out) => splat(those[at], 0.6 / camera.scale, out)),
      color,
    );
  });
  const surfaces = [
    ...solid,
    ...marks,
    surface(...round, ice),
    { ...surface(...streaks, ice), opacity: 0.4 },
  ];
  return render({ camera, surfaces, markColor: ice, background: sky, ...size });
}

const surface = (positions: Float64Array, indices: Uint16Array | Uint32Array, color: Color): Surface => ({
  ...{ positions, indices, color },
  normals: cornerNormals({ positions, indices }),
});

/** Copies of one small mesh. */
function copies(
  count: number,
  vertices: number,
  corners: ArrayLike<number>,
  make: (at: number, out: Float64Array) => void,
): [Float64Array, Uint32Array] {
  const positions = new Float64Array(3 * vertices * count);
  const indices = new Uint32Array(corners.length * count);
  for (let at = 0; at < count; at++) {
    make(at, positions.subarray(3 * vertices * at, 3 * vertices * (at + 1)));
    for (let i = 0; i < corners.length; i++) indices[at * corners.length + i] = at * vertices + corners[i];
  }
  return [positions, indices];
}

const splatSides = 8;
const splatFan = Array.from({ length: splatSides - 2 }, (_, i) => [0, i + 1, i + 2]).flat();

/** A small disc on the surface, lifted off it by more than the depth tolerance. */
function splat({ place, normal }: HailPicture['splats'][number], lift: number, out: Float64Array): void {
  const right = normalise(cross(Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0], normal));
  const up = cross(normal, right);
  for (let i = 0; i < splatSides; i++) {
    const angle = (2 * Math.PI * i) / splatSides;
    const [c, s] = [0.035 * Math.cos(angle), 0.035 * Math.sin(angle)];
    for (let k = 0; k < 3; k++) out[3 * i + k] = place[k] + c * right[k] + s * up[k] + lift * normal[k];
  }
}
