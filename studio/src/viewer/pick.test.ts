import { shapes } from 'nearfield';
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Ray,
  Raycaster,
  Vector3,
} from 'three/webgpu';
import { expect, test } from 'vitest';
import { type Pickable, pick } from './pick.ts';

/** Bodies at poses that turn, stretch and mirror. */
function bodiesOf(seed: number): { picked: Pickable[]; meshes: Mesh[] } {
  const random = shapes.createRandom(seed);
  const { positions, indices } = shapes.icosphere({ frequency: 3 });
  const soup = new Float32Array(3 * indices.length);
  for (const [i, vertex] of indices.entries())
    soup.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  const picked: Pickable[] = [];
  const meshes: Mesh[] = [];
  for (let id = 0; id < 8; id++) {
    const matrix = new Matrix4()
      .makeRotationAxis(
        new Vector3(1, random.between(-1, 1), random.between(-1, 1)).normalize(),
        random.between(0, 6),
      )
      .scale(new Vector3(random.between(0.3, 1), random.between(0.3, 1), id % 2 === 0 ? 1 : -0.5))
      .setPosition(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(soup, 3));
    const mesh = new Mesh(geometry, new MeshBasicMaterial({ side: DoubleSide }));
    mesh.userData['id'] = id;
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(matrix);
    mesh.updateMatrixWorld(true);
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox!.clone().applyMatrix4(matrix);
    picked.push({ id, corners: soup, matrix, box: [...min.toArray(), ...max.toArray()] });
    meshes.push(mesh);
  }
  return { picked, meshes };
}

test('finds the body, triangle and point that the raycaster of three.js finds (seed 7)', () => {
  const { picked, meshes } = bodiesOf(7);
  const random = shapes.createRandom(8);
  const planes = [new Plane(new Vector3(0, 0, 1), 0.2)];
  const failures: string[] = [];
  let hits = 0;
  for (let i = 0; i < 400; i++) {
    const origin = new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)).setLength(
      9,
    );
    const goal = new Vector3(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
    const ray = new Ray(origin, goal.sub(origin).normalize());
    const caster = new Raycaster(ray.origin, ray.direction);
    const cut = i % 2 === 0 ? [] : planes;
    const [theirs] = caster
      .intersectObjects(meshes, false)
      .filter(({ point }) => cut.every(plane => plane.distanceToPoint(point) >= 0));
    const ours = pick(ray, picked, cut);
    if (theirs) hits++;
    const isSame =
      ours?.id === theirs?.object.userData['id'] &&
      (theirs === undefined || new Vector3(...ours!.point).distanceTo(theirs.point) < 1e-6);
    if (!isSame) failures.push(`ray ${i}: ${JSON.stringify(ours)} and ${theirs?.object.userData['id']}`);
  }
  expect(failures).toEqual([]);
  expect(hits).toBeGreaterThan(50);
});
