// A body that was deformed must answer like a new body whose mesh has the deformed positions. What a question keeps of a mesh,
// such as which way its triangles face or whether it is convex, may no longer hold. So every question is asked before the
// deformation and after it. Bodies become their mirror image, in which all triangles face the other way, dented, or flat.

import { type Body, type Interferences, type Mesh, mesh, type Scene, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { said } from './faults/faults.ts';
import type { FaultQuestion } from './faults/scenes.ts';
import { boxBetween, joined } from './sampled/solids.ts';
import { translation } from './scenes.ts';

/** Triangles the other way round. */
const turned = ({ positions, indices }: Mesh): Mesh => mesh(positions, indices.slice().reverse());

/** On a grid of 1/64, so that deformations by eighths are exact. */
const onGrid = ({ positions, indices }: Mesh): Mesh =>
  mesh(
    Float64Array.from(positions, x => Math.round(64 * x) / 64),
    indices,
  );

const sphere = onGrid(shapes.icosphere({ frequency: 1 }));

const solids: readonly (readonly [string, Mesh])[] = [
  ['a sphere', sphere],
  ['a box', boxBetween([-1, -0.75, -0.5], [0.5, 0.75, 1])],
  [
    'a torus',
    onGrid(shapes.torus({ majorRadius: 0.75, minorRadius: 0.375, majorSegments: 6, minorSegments: 4 })),
  ],
  [
    'a hollow box',
    joined(boxBetween([-1, -1, -1], [1, 1, 1]), turned(boxBetween([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]))),
  ],
  ['a box inside out', turned(boxBetween([-1, -0.75, -0.5], [0.5, 0.75, 1]))],
];
const open: readonly (readonly [string, Mesh])[] = [
  ['an open sphere', mesh(sphere.positions, sphere.indices.slice(6))],
];

type Deformation = (x: number, y: number, z: number, vertex: number) => readonly [number, number, number];
const deformations: readonly (readonly [string, Deformation])[] = [
  ['mirrored', (x, y, z) => [-x, y, z]],
  ['mirrored and sheared', (x, y, z) => [x + y / 4, y, z / 8 - 1.25 * z]],
  ['dented', (x, y, z, vertex) => (vertex === 3 ? [-x / 2, -y / 2, -z / 2] : [x, y, z])],
  // No two vertices come to one position: a mesh of that would have other edges.
  ['flattened', (x, y, z) => [x + z / 8, y + z / 16, 0]],
];

function deformed({ positions, welds }: Mesh, deform: Deformation): Float64Array {
  const moved = new Float64Array(positions.length);
  // Vertices at one position stay together.
  for (let v = 0; v < moved.length / 3; v++) {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    moved.set(deform(x, y, z, welds.vertexOf[v]), 3 * v);
  }
  return moved;
}

const poses = [translation(0, 0, 0), translation(0.625, 0.25, 0.125), translation(-0.375, 0.5, -0.875)];

/** Bodies of the mesh, those with even places deformed later, and a box among them. */
function fill(scene: Scene, own: Mesh, other: Mesh): readonly Body[] {
  return [own, other, own].map((part, i) => scene.add(part, { pose: poses[i] }));
}

/** The usual run leaves most dented and flat shapes out. */
const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const cases = [...solids, ...open].flatMap(([name, own], i) =>
  deformations
    .filter((_, j) => slow || j <= 1 || i === j)
    .map(([how, deform]) => ({ name: `${name}, ${how}`, own, deform })),
);

export interface DeformedSpec {
  readonly scene: () => Scene;
  readonly questions: readonly FaultQuestion[];
  /** Deforms a body. Without it, bodies are deformed by arrays. */
  readonly deform?: (body: Body, positions: Float64Array) => void;
}

/** One test per shape and deformation, which asks every question. */
export function deformedSpec({ scene, questions, deform: give }: DeformedSpec): void {
  const other = boxBetween([-0.625, -0.5, -0.5], [0.625, 0.5, 0.75]);
  // Those would deform bodies to the positions of their meshes, which differ here.
  const all = questions.filter(({ name }) => !name.startsWith('firstContact, deformed'));
  it.each(cases)('$name', async ({ own, deform }) => {
    const positions = deformed(own, deform);
    const asked = all.filter(({ solids: only }) => !only || own.solid);
    const [changed, fresh] = [scene(), scene()];
    const bodies = fill(changed, own, other);
    fill(fresh, mesh(positions, own.indices), other);
    for (const { ask } of asked) await ask(changed, {});
    for (const i of [0, 2]) {
      if (give === undefined) bodies[i].deform(positions);
      else give(bodies[i], positions);
    }
    const failures: string[] = [];
    for (const { name, ask } of asked) {
      const [answer, expected] = [await ask(changed, {}), await ask(fresh, {})];
      // What an answer computes when it is read needs positions, which may be on the GPU alone.
      if (answer instanceof Object && 'relations' in answer) await (answer as Interferences).relations();
      const [given, wanted] = [said(answer, changed.bodies), said(expected, fresh.bodies)].map(x =>
        JSON.stringify(x),
      );
      if (given !== wanted) failures.push(`${name}: ${given}, a new mesh: ${wanted}`);
    }
    expect(failures).toEqual([]);
    changed.close();
    fresh.close();
  });
}
