// The two tables of Hoff et al. (Fast 3D Geometric Proximity Queries, section 6): the time of one proximity query,
// from new positions or poses to the points in the common volume with depth and direction, for four demonstrations at
// a tolerance d, and for the tori at d/4 to 4d. The paper's own figures are shown beside ours.
// Two more cases vary the load balance of section 6: how far localisation goes before samples are taken.
// The paper gives numbers of triangles and points, not its meshes. These scenes have the same numbers: d is chosen to
// give, on average over the frames, the points of Table 1.

import { elementary } from '@nearfield/samples';
import { identity, type Mesh, shapes } from 'nearfield';
import {
  type Case,
  type Frame,
  movedTo,
  type PaperFigures,
  type Placement,
  type SceneFile,
} from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { single } from '../meshes/generated.ts';

const { arctangent, cosine, sine, unitAt } = elementary;

/** A demonstration: bodies per frame, and the tolerance that stands for d. */
export interface Demonstration {
  readonly name: string;
  readonly bodies: readonly Placement[];
  readonly frames: readonly Frame[];
  readonly tolerance: number;
  readonly paper?: PaperFigures | undefined;
}

const frameCount = 8;
/** The phase of a frame in its cycle. */
const phases = Array.from({ length: frameCount }, (_, frame) => (2 * Math.PI * frame) / frameCount);

/** Table 1, in its order. */
export const demonstrations: readonly (() => Demonstration)[] = [cylinders, () => tori(), heart, rings];

/** Table 2: multiples of d, and the paper's milliseconds and points on a GeForce3. */
const tolerances = [
  [4, 15, 22],
  [2, 32, 177],
  [1, 71, 1413],
  [1 / 2, 169, 11238],
  [1 / 4, 548, 89605],
] as const;

/** How often boxes are narrowed, if that is measured. */
const depths = [2, 4, 6];

export const proximity: SceneFile = {
  name: 'proximity',
  about: 'common volumes with depths, deforming and rigid: Tables 1 and 2 of Hoff et al.',
  caseCount: demonstrations.length + tolerances.length + 2 * depths.length,
  seconds: { each: 60, peers: 0 },
  *cases(): Generator<Case> {
    for (const make of demonstrations) yield caseOf(make(), 'd');
    for (const [times, milliseconds, points] of tolerances) {
      const demonstration = tori();
      const tolerance = times * demonstration.tolerance;
      yield caseOf({ ...demonstration, tolerance, paper: { milliseconds, points } }, labelOf(times));
    }
    for (const make of [tori, rings]) {
      for (const localisation of depths) {
        const demonstration = make();
        const fine = { ...demonstration, tolerance: demonstration.tolerance / 4, paper: undefined };
        yield { ...caseOf(fine, `d/4, localised ${localisation} times`), localisation };
      }
    }
  },
};

const labelOf = (times: number): string => (times === 1 ? 'd' : times > 1 ? `${times}d` : `d/${1 / times}`);

export function caseOf(demonstration: Demonstration, label: string): Case {
  const { name, bodies, frames, tolerance, paper } = demonstration;
  return {
    scene: 'proximity',
    name: `${name}, ${label}`,
    question: 'volume',
    bodies,
    frames,
    tolerance,
    paper,
  };
}

/** Positions of all bodies per frame, each vertex moved by its body's rule. */
function deforming(
  meshes: readonly Mesh[],
  rule: (body: number, phase: number, x: number, y: number, z: number) => readonly [number, number, number],
): Frame[] {
  return phases.map(phase => ({
    allPositions: meshes.map((mesh, body) => {
      const positions = new Float32Array(mesh.positions.length);
      for (let at = 0; at < positions.length; at += 3) {
        const p = mesh.positions;
        positions.set(rule(body, phase, p[at], p[at + 1], p[at + 2]), at);
      }
      return positions;
    }),
  }));
}

const still = (mesh: Mesh): Placement => ({ mesh, pose: identity() });

/** Two cylinders that bend through each other, 2,000 triangles. */
export function cylinders(): Demonstration {
  const bent = single(bendable(1, 6, 20, 25));
  const frames = deforming([bent, bent], (body, phase, x, y, z) => {
    const bend = 0.5 * sine(phase + body) * (z / 3) * (z / 3);
    return body === 0 ? [x + bend, y, z] : [z, x + bend + 0.8, y + 0.9];
  });
  return {
    name: 'cylinders',
    bodies: [still(bent), still(bent)],
    frames,
    tolerance: 0.1568,
    paper: { milliseconds: 12, points: 513 },
  };
}

/** A closed cylinder along z in rings, so that it can bend: 2·sides·(rings − 1) + 2·sides triangles. */
function bendable(radius: number, length: number, rings: number, sides: number): Mesh {
  const profile: [number, number][] = [[0, -length / 2]];
  for (let ring = 0; ring < rings; ring++) profile.push([radius, length * (ring / (rings - 1) - 0.5)]);
  profile.push([0, length / 2]);
  return shapes.revolve({ profile, segments: sides });
}

/** Two tori that wobble within each other, 5,000 triangles. */
export const tori = (): Demonstration => toriOf(50, 25);

/** The same with other numbers of segments: four times their product of triangles. */
export function toriOf(majorSegments: number, minorSegments: number): Demonstration {
  const ring = single(shapes.torus({ majorRadius: 1, minorRadius: 0.4, majorSegments, minorSegments }));
  const frames = deforming([ring, ring], (body, phase, x, y, z) => {
    const angle = arctangent(y, x);
    const swell = 1 + 0.1 * sine(3 * angle + phase + 2 * body);
    const lift = 0.15 * cosine(2 * angle - phase);
    const [a, b, c] = [swell * x, swell * y, z * swell + lift];
    return body === 0 ? [a, b, c] : [a + 0.4, c + 0.1, b];
  });
  return {
    name: 'tori',
    bodies: [still(ring), still(ring)],
    frames,
    tolerance: 0.0546,
    paper: { milliseconds: 71, points: 1412 },
  };
}

/** Two ventricles that beat against each other, 8,000 triangles. */
export function heart(): Demonstration {
  const ventricle = single(shapes.displacedSphere({ radius: 1, triangles: 4000, amplitude: 0.15, seed: 7 }));
  const frames = deforming([ventricle, ventricle], (body, phase, x, y, z) => {
    const beat = 1 + 0.06 * sine(phase + 2 * z);
    const side = body === 0 ? 1 : -1;
    return [side * (0.8 * beat * x + 0.68), side * beat * y, 1.4 * beat * z];
  });
  return {
    name: 'heart',
    bodies: [still(ventricle), still(ventricle)],
    frames,
    tolerance: 0.0708,
    paper: { milliseconds: 149, points: 317 },
  };
}

/** Six rigid rings in a chain that closes, each through its neighbours and touching them, 15,000 triangles. */
export function rings(): Demonstration {
  const ring = single(
    shapes.torus({ majorRadius: 1, minorRadius: 0.3, majorSegments: 50, minorSegments: 25 }),
  );
  const count = 6;
  const frames = phases.map(phase => {
    const poses = Array.from({ length: count }, (_, i) => {
      const [cos, sin] = unitAt((2 * Math.PI * i) / count);
      const radius = 1.62 + 0.04 * sine(phase + i);
      const place = [radius * cos, radius * sin, 0.1 * sine(phase + 2 * i)] as const;
      const tilt = i % 2 === 0 ? 0.3 * sine(phase) : Math.PI / 2 + 0.3 * cosine(phase);
      return turnAbout([cos, sin, 0], tilt, [0, 0, 0], place);
    });
    return movedTo(poses);
  });
  return {
    name: 'rings',
    bodies: frames[0].poses.map(pose => ({ mesh: ring, pose })),
    frames,
    tolerance: 0.035,
    paper: { milliseconds: 313, points: 2537 },
  };
}
