// Compares the adapter with meshes and poses made by hand: a body is what three.js would draw.

import { type CpuScene, mesh, NearfieldError, open, shapes } from 'nearfield';
import {
  Bone,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Mesh as ThreeMesh,
  Uint16BufferAttribute,
  Vector3,
} from 'three';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import {
  arrowsGeometry,
  bodiesFromObject,
  bodyFromObject,
  curvesGeometry,
  geometryFromMesh,
  highlightGeometry,
  keepPosed,
  meshFromGeometry,
  openWith,
} from './index.ts';

const nf = await open({ backend: 'cpu' });
const material = new MeshBasicMaterial();
let scene: CpuScene;
beforeEach(() => {
  scene = nf.scene();
});
afterAll(() => nf.close());

const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

describe('meshFromGeometry', () => {
  test('shares plain arrays, indexed or not', () => {
    const positions = Float32Array.from(corners);
    const geometry = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(positions, 3))
      .setIndex(new Uint16BufferAttribute(faces, 1));
    const made = meshFromGeometry(geometry);
    expect(made.positions).toBe(positions);
    expect([...made.indices]).toEqual(faces);
    expect(made.solid).toBe(true);
    const soup = meshFromGeometry(geometry.toNonIndexed());
    expect([soup.triangleCount, soup.solid]).toEqual([4, true]);
  });

  test('reads interleaved and normalised integer positions as three.js does', () => {
    const interleaved = new InterleavedBuffer(Float32Array.from([9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0]), 4);
    const a = new BufferGeometry().setAttribute(
      'position',
      new InterleavedBufferAttribute(interleaved, 3, 1),
    );
    expect([...meshFromGeometry(a).positions]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const bytes = new BufferAttribute(Int8Array.from([-127, 0, 127, 127, 0, 0, 0, 127, -128]), 3, true);
    const b = new BufferGeometry().setAttribute('position', bytes);
    expect([...meshFromGeometry(b).positions]).toEqual([-1, 0, 1, 1, 0, 0, 0, 1, -1]);
  });

  test('uses the draw range, or the given range, in whole triangles', () => {
    const geometry = new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute(corners, 3))
      .setIndex(faces);
    geometry.setDrawRange(3, 7);
    expect([...meshFromGeometry(geometry).indices]).toEqual(faces.slice(3, 9));
    expect([...meshFromGeometry(geometry, { range: { start: 0, count: 3 } }).indices]).toEqual(
      faces.slice(0, 3),
    );
  });

  test('errors name what is wrong', () => {
    const bare = new BufferGeometry();
    bare.name = 'fender';
    expect(() => meshFromGeometry(bare)).toThrow(/fender has no attribute "position"/);
    bare.setAttribute('position', new Float32BufferAttribute([0, 0, 1, 1], 2));
    expect(() => meshFromGeometry(bare)).toThrow(NearfieldError);
  });

  test('the reverse: a flat geometry has the same triangles', () => {
    const ball = shapes.uvSphere({ radius: 2, rings: 8, segments: 16 });
    const back = meshFromGeometry(geometryFromMesh(ball));
    expect([back.triangleCount, back.solid]).toEqual([ball.triangleCount, true]);
    expect(back.volume).toBeCloseTo(ball.volume, 4);
  });
});

describe('bodies', () => {
  test('one per mesh, placed by world matrices, with shared trees', () => {
    const box = new BoxGeometry(1, 1, 1);
    const [left, right, up] = ['left', 'right', 'up'].map(name =>
      Object.assign(new ThreeMesh(box, material), { name }),
    );
    right.position.x = 0.5;
    up.position.y = 10;
    const inner = new Group().add(right, up);
    inner.scale.set(1, -2, 1);
    const root = new Group().add(left, inner);
    root.position.set(1e6, 0, 0);
    const bodies = bodiesFromObject(scene, root);
    expect(bodies.map(({ name }) => name)).toEqual(['left', 'right', 'up']);
    expect(bodies[1].mesh).toBe(bodies[0].mesh);
    expect([...bodies[2].pose].slice(12, 15)).toEqual([1e6, -20, 0]);
    const pairs = scene.interferencesSync();
    expect([...pairs].map(pair => [pair.a.name, pair.relation, pair.b.name])).toEqual([
      ['left', 'crossing', 'right'],
    ]);
  });

  test('one per instance; hidden objects are left out on request', () => {
    const many = new InstancedMesh(new SphereGeometry(1, 16, 8), material, 3);
    many.name = 'ball';
    for (let i = 0; i < 3; i++) many.setMatrixAt(i, new Matrix4().makeTranslation(1.5 * i, 0, 0));
    const hidden = new ThreeMesh(new BoxGeometry(), material);
    hidden.visible = false;
    const root = new Group().add(many, hidden);
    root.position.z = 3;
    const bodies = bodiesFromObject(scene, root, { visibleOnly: true });
    expect(bodies.map(({ name, pose }) => [name, pose[12], pose[14]])).toEqual([
      ['ball 0', 0, 3],
      ['ball 1', 1.5, 3],
      ['ball 2', 3, 3],
    ]);
    expect(scene.interferencesSync().length).toBe(2);
  });

  test('one body of everything below an object, in its frame', () => {
    const box = new BoxGeometry(2, 2, 2);
    const lid = new ThreeMesh(box, material);
    lid.position.y = 3;
    lid.scale.x = -1;
    const crate = Object.assign(new Group().add(new ThreeMesh(box, material), lid), { name: 'crate' });
    crate.rotation.z = Math.PI / 2;
    crate.position.set(5, 0, 0);
    const body = bodyFromObject(scene, crate);
    expect([body.name, body.mesh.triangleCount, body.solid]).toEqual(['crate', 24, true]);
    // A mirrored part is still the right way round.
    expect(body.mesh.volume).toBeCloseTo(16, 9);
    expect([...body.mesh.bounds]).toEqual([-1, -1, -1, 1, 4, 1]);
    expect([...scene.insideSync(body, Float64Array.from([5, 0, 0, 2, 0, 0, 5, 3, 0]))]).toEqual([1, 1, 0]);
    expect(() => bodyFromObject(scene, new Group())).toThrow(/this Group contains no mesh/);
  });

  test('skinned meshes have their current pose, and follow their bones', () => {
    const geometry = new BoxGeometry(1, 4, 1, 1, 4, 1).translate(0, 2, 0);
    const { count } = geometry.getAttribute('position');
    const indices: number[] = [];
    const weights: number[] = [];
    for (let i = 0; i < count; i++) {
      indices.push(geometry.getAttribute('position').getY(i) > 2 ? 1 : 0, 0, 0, 0);
      weights.push(1, 0, 0, 0);
    }
    geometry.setAttribute('skinIndex', new Uint16BufferAttribute(indices, 4));
    geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
    const [foot, knee] = [new Bone(), new Bone()];
    knee.position.y = 2;
    const leg = new SkinnedMesh(geometry, material);
    leg.add(foot.add(knee));
    leg.bind(new Skeleton([foot, knee]));
    const posed = keepPosed(scene);
    const [body] = bodiesFromObject(scene, leg);
    expect(posed.update()).toEqual([]);
    knee.rotation.z = Math.PI / 2;
    leg.updateMatrixWorld(true);
    leg.skeleton.update();
    expect(posed.update()).toEqual([body]);
    const top = leg.getVertexPosition(0, new Vector3());
    expect(scene.closestSync(body, Float64Array.from(top.toArray())).distances[0]).toBeLessThan(1e-12);
    expect(posed.update()).toEqual([]);
  });
});

describe('keepPosed', () => {
  test('moves only bodies whose objects moved, and maps objects to bodies and back', () => {
    const posed = keepPosed(scene);
    expect(keepPosed(scene)).toBe(posed);
    const box = new BoxGeometry(1, 1, 1);
    const [still, arm] = [new ThreeMesh(box, material), new ThreeMesh(box, material)];
    arm.position.x = 3;
    const root = new Group().add(still, arm);
    const [a, b] = bodiesFromObject(scene, root);
    expect(scene.interferencesSync().length).toBe(0);
    arm.position.x = 0.5;
    expect(posed.update()).toEqual([b]);
    expect(scene.interferencesSync().length).toBe(1);
    root.position.z = 7;
    expect(posed.update()).toEqual([a, b]);
    expect(a.pose[14]).toBe(7);
    expect([posed.objectOf(b), posed.bodyOf(arm)]).toEqual([arm, b]);
    posed.remove(b);
    expect([posed.objectOf(b), posed.bodyOf(arm)]).toEqual([undefined, undefined]);
  });
});

describe('overlays', () => {
  test('gives the triangles that meet, once each, relative to a distant origin', () => {
    const far = new Matrix4().makeTranslation(1e6, 2e6, 0);
    const box = shapes.box();
    const a = scene.add(box, { pose: far.elements });
    const b = scene.add(box, {
      pose: far.clone().multiply(new Matrix4().makeTranslation(0.5, 0.25, 0.125)).elements,
    });
    const pairs = [...scene.interferencesSync()];
    const geometry = highlightGeometry(pairs, a, { origin: [1e6, 2e6, 0] });
    const meeting = new Set(pairs[0].triangles.filter((_, i) => i % 2 === 0));
    expect(geometry.getAttribute('position').count).toBe(3 * meeting.size);
    geometry.computeBoundingBox();
    expect(geometry.boundingBox!.max.toArray().every(value => Math.abs(value) <= 1)).toBe(true);
    expect(highlightGeometry(pairs, b).getAttribute('position').count).toBeGreaterThan(0);
    const lines = curvesGeometry(scene.curvesSync(a, b), { origin: [1e6, 2e6, 0] });
    const points = lines.getAttribute('position');
    expect(points.count).toBeGreaterThan(8);
    // A closed outline: every point has equally many ends and beginnings.
    const ends = new Map<string, number>();
    for (let i = 0; i < points.count; i++) {
      const place = [points.getX(i), points.getY(i), points.getZ(i)].join();
      ends.set(place, (ends.get(place) ?? 0) + 1);
    }
    expect([...ends.values()].every(value => value % 2 === 0)).toBe(true);
  });

  test('arrows end where their vectors do', () => {
    const ends = arrowsGeometry([1, 2, 3], [0, 0, 2], { origin: [1, 1, 1] }).getAttribute('position');
    expect(ends.count).toBe(6);
    expect([ends.getX(0), ends.getY(0), ends.getZ(0)]).toEqual([0, 1, 2]);
    expect([ends.getX(1), ends.getY(1), ends.getZ(1)]).toEqual([0, 1, 4]);
  });
});

test('openWith: uses the CPU engine if the renderer has no device', async () => {
  const opened = await openWith({ backend: {} });
  expect(opened.backend).toBe('cpu');
  const two = opened.scene();
  two.add(mesh(Float64Array.from(corners), Uint32Array.from(faces)));
  opened.close();
});
